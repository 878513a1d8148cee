"""The constructions of the lines on a captain's record and habits, as in `forms.py`.

A plan that made a difference is one worth at least `MATTERS`: `mattered` counts them, `worked` and `failed` are
those that gained and those that cost something, and `share` is the greater of these, or `all`.
"""

from __future__ import annotations

from collections.abc import Mapping

RECORDS: Mapping[str, tuple[str, ...]] = {
    "plans_good": (
        "Of {mattered} plans of {captain} that made a difference, {share} have worked.",
        "{Worked} plans have worked for {captain} so far, against {failed} that cost something.",
        "{captain} is ahead on plans: {worked} gained, {failed} lost, {worth} of the chance in all.",
        "What {captain} plans tends to work: {share} of {mattered} that mattered.",
        "The plans of {captain} have brought {side} {worth} so far, with {worked} that gained and {failed} that cost.",
        "Leave out the plans that changed little, and {captain} has {share} of {mattered} right.",
    ),
    "plans_poor": (
        "Of {mattered} plans of {captain} that made a difference, {share} have cost {side} something.",
        "{Failed} plans have gone wrong for {captain} so far, against {worked} that paid.",
        "{captain} is behind on plans: {failed} lost, {worked} gained, {worth} of the chance gone in all.",
        "What {captain} plans tends to fail: {share} of {mattered} that mattered.",
        "The plans of {captain} have cost {side} {worth} so far, with {failed} that lost and {worked} that gained.",
        "Leave out the plans that changed little, and {captain} has {share} of {mattered} wrong.",
    ),
    "calls_good": (
        "Of {mattered} overs that the calls of {captain} moved, {share} have gone the way of {side}.",
        "The calls of {captain} have gained in {worked} overs so far, and cost something in {failed}.",
        "Over by over {captain} calls it well: {worked} that gained, {failed} that lost, {worth} in all.",
        "{side} have {worth} from the calls of {captain} so far, with {worked} good overs of {mattered}.",
        "Luck apart, {captain} has had the better of {worked} overs of {mattered} that the calls decided anything in.",
    ),
    "calls_poor": (
        "Of {mattered} overs that the calls of {captain} moved, {share} have gone against {side}.",
        "The calls of {captain} have cost something in {failed} overs so far, and gained in {worked}.",
        "Over by over {captain} calls it badly: {failed} that lost, {worked} that gained, {worth} gone in all.",
        "{side} have lost {worth} by the calls of {captain} so far, with {failed} poor overs of {mattered}.",
        "Luck apart, {captain} has had the worse of {failed} overs of {mattered} that the calls decided anything in.",
    ),
    "habit_slip": (
        "{captain} has kept a slip in {count} of {overs}, more than is usual.",
        "A slip in {count} overs of {chances}: {captain} wants wickets.",
        "{count} overs of {chances} have begun with a slip. {captain} likes the catch.",
        "Few keep a slip as {captain} does: {count} overs, out of {chances}.",
    ),
    "habit_attack": (
        "{captain} has asked for attack on {count} balls of {chances}, more than is usual.",
        "On {count} balls of {chances} the word from {captain} was attack.",
        "Attack is the habit of {captain}: {count} calls for it in {balls}.",
        "{count} of {balls} have come with the call to attack. {captain} does not like to wait.",
    ),
    "habit_care": (
        "{captain} has asked for care on {count} balls of {chances}, more than is usual.",
        "On {count} balls of {chances} the word from {captain} was to block, build or rotate.",
        "Care is the habit of {captain}: {count} calls for it in {balls}.",
        "{count} of {balls} have come with a call for care. {captain} is in no hurry.",
    ),
}
"""The analyst's lines after an over."""

CAPTAINS: Mapping[str, tuple[str, ...]] = {
    **RECORDS,
    "first_slip": (
        "The first slip that {captain} sets, after {overs} without one.",
        "{captain} puts a slip in. There was none in {overs}.",
        "Now {captain} wants a slip, where {overs} began without.",
    ),
    "no_slip": (
        "{captain} takes the slip out, for the first time in {overs}.",
        "No slip any more: {captain} had one in each of {overs}.",
        "After {overs} with a slip, {captain} does without.",
    ),
    "first_ring": (
        "{captain} brings the ring up, for the first time since the powerplay.",
        "The first attacking field of {captain} since the powerplay: the ring is in.",
        "For once since the powerplay {captain} has the ring up.",
    ),
    "first_rope": (
        "The first defensive field that {captain} sets: {count} on the rope.",
        "{captain} goes on the defensive for the first time, with {count} on the rope.",
        "Now {captain} guards the rope. It is the first field with {count} out there.",
    ),
    "innings_slip": (
        "{captain} kept a slip for {count} of {overs}{tail}.",
        "The field told it: a slip for {count} overs of {chances} under {captain}{tail}.",
        "{captain} attacked with the field, a slip in {count} of {overs}{tail}.",
    ),
    "innings_attack": (
        "{captain} asked for attack on {count} of {balls}{tail}.",
        "Attack was the word of {captain}, on {count} balls of {chances}{tail}.",
        "{count} of {balls} came with the call to attack by {captain}{tail}.",
    ),
    "innings_care": (
        "{captain} asked for care on {count} of {balls}{tail}.",
        "Care was the word of {captain}, on {count} balls of {chances}{tail}.",
        "{captain} took few risks: {count} calls to block, build or rotate in {balls}{tail}.",
    ),
    "captains_apart": (
        "By the {calls} alone, luck apart, {better} gained {gain} and {worse} lost {loss}.",
        "{better} had the better of {worse}: {gain} gained by {calls}, where {worse} lost {loss}.",
        "Captain against captain it was {better}, up {gain} by the {calls} made; {worse} was down {loss}.",
    ),
    "captains_gained": (
        "Both captains gained by their {calls}, luck apart: {better} {gain}, {worse} {loss}.",
        "{better} had the best {calls}, for {gain}; {worse} had {loss} from those made.",
        "Captain against captain it was {better}: {gain} by the {calls} made, to {loss} of {worse}.",
    ),
    "captains_lost": (
        "Both captains lost by their {calls}, luck apart: {better} {gain}, {worse} {loss}.",
        "Neither captain gained by the {calls} made. {better} lost {gain} and {worse} {loss}.",
        "The {calls} cost {better} {gain} and {worse} {loss}, luck apart.",
    ),
}

TAILS: Mapping[str, tuple[str, ...]] = {
    "tail_plans": (
        ", and {worked} of {mattered} plans that mattered worked",
        "; of {mattered} plans that made a difference, {worked} worked",
        "; {worked} of the plans gained, {failed} cost something",
    ),
    "tail_calls": (
        "; of {mattered} overs that the calls moved, {worked} went well",
        ", and {worked} of {mattered} overs that the calls moved went well",
    ),
}
"""The record of a captain at the end of a sentence."""
