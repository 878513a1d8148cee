"""The story of a match: facts, comments and the outlook, derived from its events as they happen.

A game tells its story in one place. The page, the lobby, commentary, highlights and exports read the result as events
and derive nothing themselves. A game without a story of its own has the general one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol, TypeAlias

from grandstand.games.base import Json, MessageSent, SeatId

Audience: TypeAlias = frozenset[SeatId] | None
"""The seats that may know something; None for everybody."""
ANALYST = "analyst"
"""The speaker of lines that say what a computation supports; the commentator's own have none."""


@dataclass(frozen=True, slots=True)
class StoryEvent:
    """An event of the match as a story receives it, with its recorded number and its audience."""

    seq: int
    type: str
    data: Mapping[str, Json]
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A notable thing that happened: the seats, its importance, and the numbers of the events behind it.

    `kind` is a word of the game (`capture`, `milestone`), `seats` begins with the seat that did it. `text` is one
    sentence without notation. `importance` is from 0 to 1. `audience` is at most that of the events it rests on.
    """

    kind: str
    text: str
    importance: float
    rests_on: Sequence[int]
    seats: Sequence[SeatId] = ()
    data: Mapping[str, Json] = field(default_factory=dict)
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Comment:
    """A line of the commentator, or of the `speaker`. `beat` is the part of the turn to which it belongs: `orders`,
    `conflicts`, `ball`, `summary`. `seats` begins with the seat that did it, or gained by it. `kind` is that of the
    fact that it words, or of the analyst's claim."""

    text: str
    importance: float
    rests_on: Sequence[int]
    beat: str
    audience: Audience = None
    seats: Sequence[SeatId] = ()
    kind: str = ""
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The prospects at a moment: each seat's chance of winning, where the game knows it, how exciting the match is,
    from 0 to 1, and a headline of one sentence.

    `rests_on` ends with the event whose board has the figures of the headline: they are shown together. One with an
    `audience` is shown to those viewers in place of the public one before it; whether there is one must follow from
    what everybody knows, since its number is public. `frozenset()` is an audience of analysts.
    """

    chances: Mapping[SeatId, float]
    excitement: float
    headline: str
    rests_on: Sequence[int] = ()
    audience: Audience = None


Telling: TypeAlias = Fact | Comment | Outlook


@dataclass(frozen=True, slots=True)
class Names:
    """The names used in sentences: of actors, each with its other names, and of places."""

    actors: Mapping[str, Sequence[str]]
    places: Sequence[str] = ()


class Story(Protocol):
    """The story of one match. It receives every event once and in order, and remembers what it needs."""

    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        """Return the facts, comments and outlooks that follow from `events`, the next ones of the match: those of one
        decision, or of one turn.

        The last events of the match contain its `EpisodeEnded`, under the number of the event before it.
        """

    def names(self) -> Names:
        """Return the names of the match that are known by now."""


FORMS: Mapping[str, tuple[str, ...]] = {
    "gain": (
        "{name} gains {change} and has {score}.",
        "{change} for {name}, who now has {score}.",
        "{name} goes up by {change}, to {score}.",
    ),
    "loss": (
        "{name} loses {change} and has {score}.",
        "{name} goes down by {change}, to {score}.",
        "That costs {name} {change}, which leaves {score}.",
    ),
    "lead": (
        "{name} takes the lead with {score}.",
        "{name} is ahead now, with {score}.",
        "The lead goes to {name}, with {score}.",
    ),
    "level": (
        "{names} are level with {score} each.",
        "Nobody is ahead: {names} have {score} each.",
    ),
}
"""Kind of a line -> its phrases."""

ENDS: Mapping[str, str] = {
    "stopped": "The match was stopped.",
    "interrupted": "The match was interrupted.",
    "error": "The match ended with an error.",
}
"""Status of a match without an outcome -> its last headline."""

SHOWN = 4
"""The most seats whose final scores a line lists."""
LONGEST = 120
"""The most characters of an event in words."""
BEFORE_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class GeneralStory:
    """The story of a match of any game: its public events in words, the scores of each turn, and the outcome."""

    def __init__(self, episode_id: str, events: Collection[str] = ()) -> None:
        """`events` are the types of the game's own events."""
        self._episode_id = episode_id
        self._moves = frozenset(events) - {MessageSent.__name__}
        self._names: dict[SeatId, str] = {}
        self._players: dict[SeatId, str] = {}
        self._scores: dict[SeatId, float] = {}
        self._leaders: list[SeatId] = []
        self._form = ""
        """The phrase of the last line, which the next one avoids."""
        self._outlook: Outlook | None = None
        self._readers: Mapping[str, Callable[[Mapping[str, Any], int], Iterator[Telling]]] = {
            "EpisodeCreated": self._created,
            "TurnStarted": self._turn_started,
            "EpisodeEnded": self._ended,
        }

    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        telling: list[Telling] = []
        for event in events:
            if event.audience is None and event.type in self._readers:
                telling += self._readers[event.type](event.data, event.seq)
            elif event.audience is None and event.type in self._moves:
                telling += self._happened(event)
        return telling

    def names(self) -> Names:
        return Names(dict.fromkeys(self._names.values(), ()))

    def _created(self, data: Mapping[str, Any], seq: int) -> Iterator[Telling]:
        self._players = {info["seat"]: info["player"] for info in data["seats"]}
        return iter(())

    def _turn_started(self, data: Mapping[str, Any], seq: int) -> Iterator[Telling]:
        scores: Mapping[SeatId, float] = data["scores"]
        if not self._names:
            self._names = {seat: plain(seat) for seat in scores}
            self._scores, self._leaders = dict(scores), leaders(scores)
            yield from self._new_outlook(0.0, seq)
            return
        changes = {seat: score - self._scores[seat] for seat, score in scores.items() if score != self._scores[seat]}
        self._scores = dict(scores)
        if not changes:
            return
        scale = sum(map(abs, scores.values())) or 1.0
        swing = min(1.0, 2 * max(map(abs, changes.values())) / scale)
        for seat, change in changes.items():
            yield Fact(
                "score",
                _sentence(FORMS["gain" if change > 0 else "loss"][0].format(**self._figures(seat, change))),
                round(0.3 + 0.4 * min(1.0, abs(change) / scale), 3),
                (seq,),
                (seat,),
                {"change": change, "score": scores[seat]},
            )
        before, self._leaders = self._leaders, leaders(scores)
        if before != self._leaders:
            yield from self._lead_changed(seq)
        else:
            seat = max(changes, key=lambda seat: (abs(changes[seat]), changes[seat]))
            kind = "gain" if changes[seat] > 0 else "loss"
            text = self._line(kind, seq, **self._figures(seat, changes[seat]))
            yield Comment(text, round(0.3 + 0.3 * swing, 3), (seq,), "summary", seats=(seat,))
        yield from self._new_outlook(swing, seq)

    def _happened(self, event: StoryEvent) -> Iterator[Comment]:
        """Yield an event of the game in words, if it has any beside a state: `Move made: first, bet.`"""
        data = {name: part for name, part in event.data.items() if name != "state" and type(part) in (str, int, float)}
        parts = [self._names.get(str(part), str(part)) for part in data.values() if part != ""]
        seat = event.data.get("seat")
        if parts:
            text = _sentence(f"{BEFORE_CAPITAL.sub(' ', event.type).lower()}: {', '.join(parts)[:LONGEST]}")
            yield Comment(text, 0.2, (event.seq,), "move", seats=(seat,) if seat in self._names else ())

    def _lead_changed(self, seq: int) -> Iterator[Telling]:
        """Yield the fact and the line that another seat leads, or that several are level."""
        score = number(self._scores[self._leaders[0]])
        if len(self._leaders) == 1:
            kind, words = "lead", {"name": self._names[self._leaders[0]], "score": score}
        else:
            kind, words = "level", {"names": self._listed(self._leaders), "score": score}
        yield Fact(kind, _sentence(FORMS[kind][0].format(**words)), 0.7, (seq,), tuple(self._leaders))
        yield Comment(self._line(kind, seq, **words), 0.7, (seq,), "summary", seats=tuple(self._leaders))

    def _ended(self, data: Mapping[str, Any], seq: int) -> Iterator[Telling]:
        outcome = data["outcome"]
        if outcome is None:
            yield Outlook({}, 0.0, ENDS[data["status"]], (seq,))
            return
        self._names = self._names or {seat: plain(seat) for seat in outcome["scores"]}
        winners = [seat for seat in self._names if seat in outcome["winners"]]
        verb = "win" if len(winners) > 1 else "wins"
        text = _sentence(outcome["text"] or f"{self._listed(winners) or 'nobody'} {verb}")
        yield Fact("end", text, 1.0, (seq,), tuple(winners), {"reason": outcome["reason"]})
        yield Comment(text + self._standing(outcome["scores"]), 1.0, (seq,), "summary", seats=tuple(winners))
        yield Outlook({}, 0.0, text, (seq,))

    def _standing(self, scores: Mapping[SeatId, float]) -> str:
        """Return the final scores, the highest first, as a sentence; nothing where there are too many."""
        if len(scores) > SHOWN:
            return ""
        order = sorted(scores, key=lambda seat: -scores[seat])
        return f" The scores: {', '.join(f'{self._names[seat]} {number(scores[seat])}' for seat in order)}."

    def _new_outlook(self, swing: float, seq: int) -> Iterator[Outlook]:
        """Yield the outlook if it says anything new since the last one. `swing` is the change of the scores, to 1."""
        now = Outlook({}, self._excitement(swing), self._headline(), (seq,))
        before = self._outlook
        if before is None or (now.headline, now.excitement) != (before.headline, before.excitement):
            self._outlook = now
            yield now

    def _excitement(self, swing: float) -> float:
        """Return a number from 0 to 1 that grows with the closeness of the first two and with the last change."""
        first, second = [*sorted(self._scores.values(), reverse=True), 0.0][:2]
        closeness = 1 - min(1.0, (first - second) / (sum(map(abs, self._scores.values())) or 1.0))
        return round(0.3 + 0.3 * closeness + 0.4 * swing, 3)

    def _headline(self) -> str:
        if self._outlook is None:
            return self._opening()
        first = self._leaders[0]
        if len(self._leaders) > 1:
            level = "All" if len(self._leaders) == len(self._names) > 2 else self._listed(self._leaders)
            return _sentence(f"{level} are level with {number(self._scores[first])} each")
        others = [seat for seat in self._scores if seat != first]
        if not others:
            return _sentence(f"{self._names[first]} has {number(self._scores[first])}")
        second = max(others, key=lambda seat: self._scores[seat])
        behind = f"{number(self._scores[first])} to {number(self._scores[second])}"
        return _sentence(f"{self._names[first]} leads {self._names[second]}, {behind}")

    def _opening(self) -> str:
        """Return who plays: the players of two seats, else the seats."""
        if len(self._names) == 2:
            first, second = (self._players.get(seat, name) for seat, name in self._names.items())
            return _sentence(f"{first} plays {'against itself' if first == second else second}")
        return _sentence(f"{self._listed(list(self._names))} {'play' if len(self._names) > 1 else 'plays'}")

    def _figures(self, seat: SeatId, change: float) -> dict[str, str]:
        return {"name": self._names[seat], "change": number(abs(change)), "score": number(self._scores[seat])}

    def _line(self, kind: str, seq: int, **words: str) -> str:
        """Return a line of that kind, in another phrase than the last one."""
        forms = [form for form in FORMS[kind] if form != self._form]
        self._form = Random(f"{self._episode_id}/{seq}").choice(forms)
        return _sentence(self._form.format(**words))

    def _listed(self, seats: Sequence[SeatId]) -> str:
        """Return `north, east and south`."""
        names = [self._names[seat] for seat in seats]
        return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def leaders(scores: Mapping[SeatId, float]) -> list[SeatId]:
    """Return the seats with the highest score."""
    return [seat for seat, score in scores.items() if score == max(scores.values())]


def plain(seat: SeatId) -> str:
    """Return the name of a seat in words: `France`, `player 1`, `X`."""
    words = seat.replace("_", " ")
    return words.title() if words.isupper() and len(words) > 2 else words


NUMBERS = ("", "once", "twice", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def times(count: int) -> str:
    """Return `once`, `nine times` or `13 times`."""
    word = NUMBERS[count] if 0 < count < len(NUMBERS) else f"{count:,}"
    return word if count in (1, 2) else f"{word} times"


def number(value: float) -> str:
    """Return `2`, `0.25`."""
    return f"{round(value, 2) + 0.0:.12g}"


def _sentence(text: str) -> str:
    """Return the text with a capital and a stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
