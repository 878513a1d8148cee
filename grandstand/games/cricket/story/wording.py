"""Sentences of the commentator: several constructions for each kind of line, and a choice that does not repeat."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

FORMS: Mapping[str, tuple[str, ...]] = {
    "dot": (
        "{bowler} to {batter}: {words}. No run.",
        "Nothing off it. {batter}, {words}.",
        "No run for {batter}: {words}.",
        "{bowler} gives nothing away: {words}.",
        "{ball}, {words}. Dot ball.",
    ),
    "run": (
        "{bowler} to {batter}, {runs}: {words}.",
        "{batter}, {words}, and they take {runs}.",
        "{Runs} to {batter}: {words}.",
        "{batter} gets {runs} for that one, {words}.",
        "{ball} from {bowler}, {words}: {runs}.",
    ),
    "four": (
        "FOUR! {batter}, {words}.",
        "{Words}, and that is four to {batter}.",
        "Four runs off {bowler}: {words}.",
        "To the rope! {batter}, {words}.",
        "{batter} finds the boundary: {words}.",
    ),
    "six": (
        "SIX! {batter}, {words}.",
        "{Words}, all the way. Six to {batter}.",
        "{bowler} goes for six: {words}.",
        "Over the rope! {batter}, {words}.",
        "That is six more to {batter}, {words}.",
    ),
    "dot_plain": (
        "{bowler} to {batter}: no run.",
        "Nothing off it for {batter}.",
        "No run. {bowler} to {batter}.",
        "{bowler} gives nothing away.",
        "Dot ball to {batter}.",
    ),
    "run_plain": (
        "{bowler} to {batter}, {runs}.",
        "{batter} and {partner} take {runs}.",
        "{Runs} to {batter}.",
        "{batter} gets {runs} off {bowler}.",
        "{Runs} from that ball by {bowler}.",
    ),
    "four_plain": (
        "FOUR! {bowler} to {batter}.",
        "Four to {batter}, off {bowler}.",
        "To the rope! {batter} takes four off {bowler}.",
        "{batter} finds the boundary.",
        "{bowler} is hit for four by {batter}.",
    ),
    "six_plain": (
        "SIX! {bowler} to {batter}.",
        "Over the rope! Six to {batter}.",
        "{bowler} goes for six.",
        "{batter} hits {bowler} for six.",
        "That is six more to {batter}.",
    ),
    "extra": (
        "{Extra} from {bowler}: {runs} to the total.",
        "{Extra} called. {Runs} more for {side}.",
        "{bowler} concedes {extra}, {runs} in all.",
        "{Extra}, {bowler} to {batter}. {Runs} to {side}.",
        "{side} get {runs} without the bat: {extra} off {bowler}.",
    ),
    "byes": (
        "{Extra} off {bowler}: {runs} to the total.",
        "{Extra}. {Runs} more for {side}.",
        "{bowler} to {batter}, {extra}: {words}.",
        "{Words}: {extra} to {side}.",
        "{side} get {runs} without the bat: {extra} off {bowler}.",
    ),
    "wicket": (
        "OUT! {out} {how}, for {made}.",
        "A wicket in {bowler}'s over: {out} {how}, for {made}.",
        "Gone! {out} {how}, and {side} are {score}.",
        "{out} {how} after making {made}. {side} are {score}.",
        "A wicket! {out} {how}. {side} are now {score}.",
    ),
    "over": (
        "End of over {over}: {runs} off it. {side} are {score}{chase}.",
        "{Runs} from {bowler}'s over, the {nth}. {side} are {score}{chase}.",
        "After {overs}, {side} are {score}{chase}. The last over brought {runs}.",
        "{bowler} ends over {over}, {runs} from it: {side} are {score}{chase}.",
    ),
    "maiden": (
        "A maiden from {bowler}. {side} stay on {score}{chase}.",
        "No run in the whole over of {bowler}: a maiden. {side} are {score}{chase}.",
    ),
    "toss": (
        "{winner} have won the toss and will {decision} first.",
        "The toss goes to {winner}, who choose to {decision}.",
        "{winner} call right and decide to {decision}.",
    ),
    "innings": (
        "Here come {batting} to bat: {overs}.",
        "{batting} begin their innings, with {overs} to face.",
        "The players are out; {batting} bat, {overs}.",
    ),
    "chase": (
        "{batting} need {target} to win in {overs}.",
        "The target is {target}: {batting} have {overs} to get there.",
        "{batting} set out after {target}, {overs} to do it.",
    ),
    "innings_end": (
        "The innings is over: {batting} {score} in {overs}.",
        "{batting} finish on {score} from {overs}.",
        "That closes it: {score} by {batting}, {overs} faced.",
    ),
}

NUMBERS = ("no run", "one run", "two runs", "three runs", "four runs", "five runs", "six runs", "seven runs")


_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven")


def runs_text(count: int) -> str:
    """Return `three runs`."""
    return NUMBERS[count] if count < len(NUMBERS) else f"{count} runs"


def counted(count: int, noun: str) -> str:
    """Return `a bye`, `two byes`."""
    return f"a {noun}" if count == 1 else f"{_WORDS[count] if count < len(_WORDS) else count} {noun}s"


def plural(count: int, noun: str) -> str:
    """Return `1 ball`, `2 balls`, `2 sixes`."""
    if count == 1:
        return f"{count} {noun}"
    return f"{count} {noun}es" if noun.endswith("x") else f"{count} {noun}s"


def capital(text: str) -> str:
    """Return `text` with a capital first letter."""
    return text[:1].upper() + text[1:]


class Wording:
    """The choice among constructions, seeded by the episode.

    No construction is used twice in a row for one kind of line, and a new sentence is preferred to a repeated one.
    """

    def __init__(self, episode_id: str) -> None:
        self._random = Random(episode_id)
        self._last: dict[str, str] = {}
        self._texts: set[str] = set()

    def line(self, kind: str, **slots: str) -> str:
        """Return a sentence of `kind` with its slots filled."""
        forms = [form for form in FORMS[kind] if form != self._last.get(kind)]
        self._random.shuffle(forms)
        form = next((form for form in forms if form.format(**slots) not in self._texts), forms[0])
        self._last[kind] = form
        self._texts.add(form.format(**slots))
        return capital(form.format(**slots))
