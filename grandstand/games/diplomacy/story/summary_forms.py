"""The constructions of summaries and headlines."""

from __future__ import annotations

from collections.abc import Mapping

SUMMARIES: Mapping[str, tuple[str, ...]] = {
    "opening": (
        "{season}: {count} powers begin, and {solo} centres win.",
        "The board is set for {season}: {count} powers, and {solo} centres to win alone.",
        "{count} powers, {solo} centres to win: the match opens in {season}.",
    ),
    "lead_change": (
        "{a} takes the lead with {centres} centres; {b} has {others}.",
        "A new leader: {a}, on {centres} centres, ahead of {b} on {others}.",
        "{b} is overtaken: {a} leads with {centres} centres to {others}.",
        "{a} goes past {b}: {centres} centres to {others}.",
    ),
    "lead_alone": (
        "{a} leads alone, with {centres} centres.",
        "The lead is {a}'s alone: {centres} centres.",
        "{a} pulls ahead of the others with {centres} centres.",
    ),
    "lead_shared": (
        "{powers} share the lead on {centres} centres each.",
        "Level at the top: {powers}, each with {centres} centres.",
        "The lead is shared by {powers}, on {centres} centres each.",
        "{powers}: nobody has more than their {centres} centres each.",
        "At the top with {centres} centres each: {powers}.",
        "There is no single leader: {powers} have {centres} centres each.",
    ),
    "threat": (
        "{a} has {centres} centres and needs {needed} more to win alone; {powers} can stop her.",
        "With {centres} centres {a} is {needed} short of winning alone, and it is up to {powers} to stop her.",
        "{needed} more would win it for {a}, who has {centres}. In reach to stop her: {powers}.",
    ),
    "threat_one": (
        "{a} has {centres} centres and needs {needed} more to win alone; only {powers} can stop her.",
        "With {centres} centres {a} is {needed} short of winning alone, and nobody but {powers} is near enough.",
        "{needed} more would win it for {a}, who has {centres}. Only {powers} stands in the way.",
    ),
    "threat_open": (
        "{a} has {centres} centres and needs {needed} more to win alone; nobody is near enough to stop her.",
        "With {centres} centres {a} is {needed} short of winning alone, and no rival is in reach.",
    ),
    "standstill": (
        "No centre changes hands in {year}.",
        "{year} ends as it began: every centre with its owner.",
        "Not one capture in {year}.",
    ),
    "standstill_long": (
        "{year} is year number {count} without a capture.",
        "No centre has changed hands for {count} years, up to {year}.",
        "Still no capture in {year}: it is {count} years now.",
    ),
    "swing_up": (
        "{a}'s chance of winning goes up from {before} to {after} percent.",
        "That is worth a lot to {a}: its chance of winning was {before} percent and is {after}.",
        "From {before} to {after} percent: {a} gains most in the estimate.",
        "The estimate moves to {a}: {after} percent, after {before}.",
        "{a} is worth {after} percent now; it was {before}.",
        "The chance of {a} climbs from {before} to {after} percent.",
    ),
    "swing_down": (
        "{a}'s chance of winning falls from {before} to {after} percent.",
        "That hurts {a}: its chance of winning was {before} percent and is {after}.",
        "From {before} down to {after} percent: {a} loses most in the estimate.",
        "The estimate turns from {a}: {after} percent, after {before}.",
        "Down to {after} percent goes {a}, from {before}.",
        "The chance of {a} sinks from {before} to {after} percent.",
    ),
    "year": (
        "{year} ends with {a} ahead on {centres} centres; {b} is next with {others}.",
        "So ends {year}: {a} {centres}, {b} {others}.",
        "After {year} the order is {a} with {centres} centres, then {b} with {others}.",
        "The count for {year}: {a} leads on {centres}, and {b} follows on {others}.",
        "{a} {centres}, {b} {others}: that is the top of the table after {year}.",
    ),
    "year_alone": (
        "{year} ends with {a} ahead on {centres} centres.",
        "After {year}, {a} has most: {centres} centres.",
        "The count for {year}: {a} in front with {centres}.",
    ),
    "year_level": (
        "{year} ends with {powers} level at the top, {centres} centres each.",
        "After {year} nobody leads: {powers} have {centres} centres each.",
        "The count for {year} puts {powers} level on {centres} centres.",
    ),
    "gain": (
        "The year's biggest gain is {a}'s: {count} more than a year ago.",
        "Nobody grew like {a} this year: up by {count}, to {centres}.",
        "{a} has the best year, from {before} to {centres} centres.",
        "Best of the year: {a}, {count} up.",
        "{a} is the winner of the year: {count} up, to {centres}.",
        "From {before} to {centres} within the year: {a} grew most.",
    ),
    "loss": (
        "The year cost {v} most: {count} fewer, {centres} left.",
        "{v} has the worst year, down from {before} to {centres} centres.",
        "Nobody lost as much as {v}, which is down by {count}.",
        "From {before} to {centres} within the year: {v} fell furthest.",
        "It was {v}'s year to lose: {count} down.",
    ),
    "solo": (
        "{a} wins alone with {centres} centres.",
        "It is over: {a} has {centres} centres and the whole match.",
        "{centres} centres: {a} wins alone.",
    ),
    "ahead": (
        "{year} was the last year, and {a} ends it ahead with {centres} centres.",
        "Time is up with {year}: {a} has most, {centres} centres.",
    ),
    "ahead_level": (
        "{year} was the last year, and {powers} end it level on {centres} centres.",
        "Time is up with {year}: {powers} share the top with {centres} centres each.",
    ),
    "draw": (
        "The match is drawn between {powers}.",
        "A draw: {powers} share it.",
    ),
    "stopped": (
        "The match is stopped in {season}.",
        "Play stops in {season}, without a result.",
    ),
}

NEEDS = {
    "place": "{a} wins with {place} {when}.",
    "any": "{a} wins with any of {places} {when}.",
    "of": "{a} needs {needed} of {places} {when}.",
    "more": "{a} needs {needed} more, with {prey} in reach {when}.",
    "far": "{a} needs {needed} more, and none is in reach {when}.",
}
"""What a leader needs to win alone."""
STOPS = {
    "open": "Nobody is near enough to stop her.",
    "one": "Only {powers} can stop her.",
    "some": "{powers} can stop her.",
    "many": "{count} powers are near enough to stop her.",
}
"""Who is near enough to stop it."""
STAKES = {
    "danger_open": (
        "{v} must fear for {place} {when}: it is empty, and {a} is a move away.",
        "{place} stands open to {a} {when}, with nothing of {v} near enough.",
        "{a} can walk into {place} {when}, and {v} can send nobody.",
    ),
    "danger_forced": (
        "{v} must fear for {place} {when}: {a} can bring {strength}, and {v} has {defence} for it.",
        "{a} has the strength for {place} {when}: {strength}, to {defence} of {v}.",
        "{place} is in danger {when}: {strength} of {a} against {defence} of {v}.",
    ),
    "ask_cover": (
        "{v} has left {place} empty {when}, with {a} a move away. Does it send a guard?",
        "{place} is at stake {when}: nobody is in it, and {v} and {a} are both a move away.",
        "Who gets to {place} {when}, {v} to guard it or {a}?",
    ),
    "ask_support": (
        "{place} is at stake {when}: {strength} of {a} are near it, and {v} can still support it.",
        "{v} can support {place} {when}, or lose it to {strength} of {a}.",
        "{strength} of {a} look at {place} {when}. Does {v} support it?",
    ),
}
"""What is at stake in the phase that begins, by the form of the analyst's line on it."""
HEADLINES: Mapping[str, tuple[str, ...]] = {
    **{f"headline_{form}": constructions for form, constructions in STAKES.items()},
    **{
        f"headline_{needs}_{stops}": (f"{first} {second}",)
        for needs, first in NEEDS.items()
        for stops, second in STOPS.items()
    },
    "headline_start": ("{season}: the opening moves.",),
    "headline_level": ("{powers} share the lead on {centres} centres each.",),
    "headline_lead": ("{a} leads with {centres} centres, {count} more than {b}.",),
    "headline_lead_alone": ("{a} leads with {centres} centres, {count} more than anybody else.",),
    "headline_lead_rise": ("{a} leads with {centres} centres. {b} rises to {after} per cent.",),
    "headline_lead_fall": ("{a} leads with {centres} centres. {b} falls to {after} per cent.",),
    "headline_level_rise": ("{powers} share the lead. {b} rises to {after} per cent.",),
    "headline_level_fall": ("{powers} share the lead. {b} falls to {after} per cent.",),
    "headline_more_stake": ("{a} needs {needed} more. {headline}",),
    "headline_last": ("{headline} The match ends with {year}.",),
}
"""The state of the match in a sentence or two, if no fact is important enough for the headline."""
