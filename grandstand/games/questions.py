"""Questions about what a match decides next, for viewers to call, derived from its public events as they happen.

A game states them in one place, with the chance of each option at every moment. A server offers them to viewers and
scores their calls; nothing of it reaches the match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from grandstand.games.base import SeatId
from grandstand.games.story import StoryEvent

Basis: TypeAlias = Literal["computed", "measured"]
"""How a chance is known: computed for this position, or the share of such moments in matches that were measured."""

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class PossibleAnswer:
    """An answer that a viewer may call, and its chance now. `seat` is the one that it is about, if it is about one."""

    word: str
    text: str
    chance: float
    seat: SeatId = ""


@dataclass(frozen=True, slots=True)
class ViewerQuestion:
    """A question that is open. The same `key` again states its chances anew.

    The chances sum to 1. `note` says exactly what counts, where the text does not.
    """

    key: str
    kind: str
    text: str
    options: Sequence[PossibleAnswer]
    basis: Basis
    note: str = ""

    @property
    def chances(self) -> dict[str, float]:
        return {option.word: option.chance for option in self.options}

    @property
    def equal(self) -> dict[str, float]:
        """Return the chances of somebody who knows nothing."""
        return {option.word: 1 / len(self.options) for option in self.options}


@dataclass(frozen=True, slots=True)
class Closed:
    """A question whose answer is being decided: it is too late for a call."""

    key: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer of a question: the share of each option that came true, 1 in all. Empty if there is none."""

    key: str
    shares: Mapping[str, float]


Asking: TypeAlias = ViewerQuestion | Closed | Answered


class Asker(Protocol):
    """The questions of one match. It receives every public event once and in order, those of the story included."""

    def read(self, events: Sequence[StoryEvent]) -> Sequence[Asking]:
        """Return the questions that `events`, the next ones of the match, open, close and answer."""


def yes_or_no(chance: float) -> tuple[PossibleAnswer, PossibleAnswer]:
    """Return the options of a question that is answered by yes or no; `chance` is that of yes."""
    return PossibleAnswer(YES, "Yes", round(chance, 4)), PossibleAnswer(NO, "No", round(1 - chance, 4))


def answered(key: str, word: str) -> Answered:
    """Return that `word` alone came true."""
    return Answered(key, {word: 1.0})


class WinnerAsker:
    """Who wins, asked anew at every event for which `begins` is true: each call counts against its own moment.

    Without stated chances all seats are level. `sides` are the options with their weights, from the chances of the
    seats, and `side` is the option of a winning seat, where seats win together.
    """

    def __init__(
        self,
        begins: Callable[[StoryEvent], bool],
        sides: Callable[[Mapping[SeatId, float]], Mapping[str, float]] = lambda chances: chances,
        side: Callable[[SeatId], str] = lambda seat: seat,
    ) -> None:
        self._begins, self._sides, self._side = begins, sides, side
        self.names: dict[str, str] = {}
        """The names of options, where they differ from their words."""
        self._chances: dict[SeatId, float] = {}
        self._computed = False
        self._asked: list[str] = []

    def read(self, events: Sequence[StoryEvent]) -> Sequence[Asking]:
        return [asking for event in events for asking in self._read(event)]

    def _read(self, event: StoryEvent) -> Iterator[Asking]:
        if event.type == "EpisodeCreated":
            self._chances = {info["seat"]: 1.0 for info in event.data["seats"]}
        elif event.type == "OutlookUpdated" and event.data["chances"]:
            self._chances, self._computed = dict(event.data["chances"]), True
            if self._asked:
                yield self._question()
        elif event.type == "EpisodeEnded":
            yield from self._end(event.data["outcome"])
        if self._begins(event):
            if self._asked:
                yield Closed(self._asked[-1])
            self._asked.append(f"winner-{len(self._asked) + 1}")
            yield self._question()

    def _question(self) -> ViewerQuestion:
        chances = shared(self._sides(self._chances))
        seats = self._chances
        options = [
            PossibleAnswer(word, self.names.get(word, word), chance, word if word in seats else "")
            for word, chance in chances.items()
        ]
        return ViewerQuestion(
            self._asked[-1], "winner", "Who wins?", options, "computed" if self._computed else "measured"
        )

    def _end(self, outcome: Mapping[str, list[SeatId]] | None) -> Iterator[Asking]:
        winners = sorted({self._side(seat) for seat in outcome["winners"]}) if outcome else []
        for key in self._asked:
            yield Answered(key, dict.fromkeys(winners, 1 / len(winners)) if winners else {})
        self._asked = []


def brier(chances: Mapping[str, float], shares: Mapping[str, float]) -> float:
    """Return half the sum of the squared errors of `chances`: 0 is certain and right, 1 certain and wrong."""
    return sum((chance - shares.get(word, 0.0)) ** 2 for word, chance in chances.items()) / 2


def shared(weights: Mapping[str, float]) -> dict[str, float]:
    """Return weights as chances that sum to 1."""
    total = sum(weights.values())
    return {word: round(weight / total, 4) if total > 0 else 1 / len(weights) for word, weight in weights.items()}


TURNS: Final = 10
"""Turns between two questions of a game without questions of its own."""


def general_asker() -> Asker:
    """Return the questions of any game: who wins."""
    return WinnerAsker(lambda event: event.type == "TurnStarted" and event.data["index"] % TURNS == 0)
