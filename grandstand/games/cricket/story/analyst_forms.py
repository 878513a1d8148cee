"""The constructions of the analyst's lines, as in `forms.py`."""

from __future__ import annotations

from collections.abc import Mapping

ANALYSIS: Mapping[str, tuple[str, ...]] = {
    "calls_gained": (
        "The calls of {captain} were worth {worth} to {side} in that over, luck apart.",
        "{captain} called that over well: {worth} for {side}, whatever the luck.",
        "The plan of {captain} for that over worked: {worth} of the chance, luck not counted.",
        "Well thought out by {captain}: {side} gain {worth} by the calls alone.",
    ),
    "calls_cost": (
        "The calls of {captain} cost {side} {worth} in that over, luck apart.",
        "{captain} called that over badly: {worth} lost by {side}, whatever the luck.",
        "The plan of {captain} for that over did not work: {worth} of the chance gone, luck not counted.",
        "Not the over of {captain}: the calls alone took {worth} from {side}.",
    ),
    "luck": (
        "Luck was worth {worth} to {side} in that over.",
        "That over was kind to {side}: luck gave them {worth} of the chance.",
        "Nobody planned it: {worth} of the chance went to {side} in that over, by luck.",
        "Take the luck of that over away, and {side} have {worth} less.",
        "{side} were lucky: {worth} of the chance in that over, whatever was called.",
    ),
    "duel_won": (
        "{batter} has {runs} off {balls} from {bowler}, and {other} off {rest} from the others: a match-up to keep.",
        "The match-up that {side} want: {batter} against {bowler}, {runs} off {balls}.",
        "{bowler} to {batter} is the wrong match-up: {runs} off {balls}, against {other} off {rest} elsewhere.",
        "{batter} likes {bowler}: {runs} off {balls}. Off the others it is {other} off {rest}.",
    ),
    "duel_lost": (
        "{bowler} ties {batter} down: {runs} off {balls}. Off the others {batter} has {other} from {rest}.",
        "{batter} does not get {bowler} away, {runs} off {balls}; off the others it is {other} off {rest}.",
        "Against {bowler}, {batter} has {runs} off {balls}: slower than the {other} off {rest} from the others.",
        "The match-up is for {bowler}: {runs} off {balls} by {batter}.",
    ),
    "gap": (
        "From {first} to {second} there is nobody on the rope: {degrees} degrees of it.",
        "The gap in the field is on the rope, {first} to {second}.",
        "{degrees} degrees without a man in the deep, from {first} round to {second}.",
        "Where the boundary is open: between {first} and {second}.",
        "Nobody in the deep between {first} and {second}.",
    ),
    "ahead": (
        "By the Duckworth-Lewis table {par} is par here: {side} are {count} ahead of it.",
        "Par for this stage is {par} by Duckworth-Lewis, and {side} have {runs}.",
        "{side} are {count} runs better than the {par} that Duckworth-Lewis asks for by now.",
        "{count} above par: Duckworth-Lewis has {side} at {par}, and they have {runs}.",
        "If it ended now, by Duckworth-Lewis, {side} would win it by {count}.",
    ),
    "behind": (
        "By the Duckworth-Lewis table {par} is par here: {side} are {count} short of it.",
        "Par for this stage is {par} by Duckworth-Lewis, and {side} have only {runs}.",
        "{side} are {count} runs short of the {par} that Duckworth-Lewis asks for by now.",
        "{count} below par: Duckworth-Lewis has {side} at {par}, and they have {runs}.",
        "The wickets and overs that are gone should have bought {par}, by Duckworth-Lewis. They have bought {runs}.",
    ),
    "level": (
        "{side} are exactly on par by Duckworth-Lewis: {par}.",
        "{par} is par by Duckworth-Lewis, and {par} it is.",
    ),
    "required": (
        "{side} have made {rate} an over and need {asking} from here.",
        "The rate that {side} need is {asking}; the rate so far is {rate}.",
        "{asking} an over from here, where it has been {rate}: that is the task of {side}.",
        "So far {rate} an over, from now on {asking}: the sum for {side}.",
        "{side} went at {rate} an over to be here. They have to go at {asking} to win.",
    ),
    "pace": (
        "At this rate {side} end on {total}; at the rate of the last three overs, on {late}.",
        "The innings so far points to {total}, its last three overs to {late}.",
        "{total} is where the rate of {side} leads. The last three overs alone would lead to {late}.",
        "Go on like this, and {side} have {total}. Go on like the last three overs, and it is {late}.",
        "{rate} an over makes {total} for {side} in the end; the last three overs were worth {late}.",
        "Where does it end for {side}? On {total} by the whole innings, on {late} by its last three overs.",
        "{side} are on course for {total}. By the last three overs alone it would be {late}.",
    ),
    "pace_early": (
        "At this rate {side} end on {total}.",
        "Early days, but {rate} an over would make {total}.",
        "{rate} an over is {total} for {side}, if it lasts.",
    ),
}
