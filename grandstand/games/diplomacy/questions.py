"""The questions that viewers of Diplomacy may call: a stab, who gains most centres, and who wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from typing import Any, Final

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import CENTERS, POWERS, PROVINCES, START_YEAR
from grandstand.games.diplomacy.story.words import SEASONS, power
from grandstand.games.questions import (
    NO,
    YES,
    Answered,
    Asking,
    Closed,
    PossibleAnswer,
    ViewerQuestion,
    WinnerAsker,
    answered,
    shared,
    yes_or_no,
)
from grandstand.games.story import StoryEvent

STAB: Final = 0.08
"""The share of movement phases after the first year with a stab that everybody can see, in matches of the showcase's
characters: 33 of 400."""
STANDING, UNIT, NOBODY = 1.0, 0.2, 24.0
"""What a unit on a centre of another, and any unit, add to the logarithm of a power's weight to gain most in a fall,
and the weight of nobody. Fitted to 103 falls of such matches."""
STABBED: Final = (
    "An attack that gains ground after a year of peace, on a power that the attacker supported, "
    "or kept a public promise to, within the year."
)
NONE: Final = "nobody"
CODES: Final = frozenset(PROVINCES[center] for center in CENTERS)
"""The codes of the supply centres."""


class DiplomacyAsker:
    """The questions of one match. Those on a phase are open until the first power is ready."""

    def __init__(self) -> None:
        self._winner = WinnerAsker(_begins_moves)
        self._winner.names = {seat: power(seat) for seat in POWERS}
        self._position: Mapping[str, Any] = {}
        self._open: list[str] = []
        """The keys on which calls are taken."""
        self._stab = self._gain = ""
        """The keys of the questions that have no answer yet."""
        self._stabbed = False
        self._owned: dict[SeatId, set[str]] = {}
        """The centres of each power before the fall that is asked about."""

    def read(self, events: Sequence[StoryEvent]) -> Sequence[Asking]:
        return [asking for event in events for asking in self._read(event)]

    def _read(self, event: StoryEvent) -> Iterator[Asking]:
        data = event.data
        yield from self._winner.read([event])
        match event.type:
            case "OrdersSubmitted" | "OrdersResolved" | "EpisodeEnded" if self._open:
                yield from map(Closed, self._open)
                self._open = []
            case "FactNoted" if data["kind"] == "stab":
                self._stabbed = True
        match event.type:
            case "PhaseAdvanced":
                yield from self._advance(data["state"])
            case "OutlookUpdated":
                yield from self._tell_stab()
                if self._position:
                    yield from self._ask(self._position)
            case "EpisodeEnded":
                yield from self._drop()

    def _advance(self, position: Mapping[str, Any]) -> Iterator[Asking]:
        """Yield who gained most, where that is known now; remember the position to ask about."""
        phase = position["phase"]
        if self._gain and not phase.startswith("F"):
            gains = {seat: len(set(held) - self._owned[seat]) for seat, held in position["centers"].items()}
            most = max(gains.values())
            first = [seat for seat, count in gains.items() if count == most]
            yield answered(self._gain, first[0] if most and len(first) == 1 else NONE)
            self._gain = ""
        self._position = position if phase.endswith("M") else {}

    def _tell_stab(self) -> Iterator[Asking]:
        """Yield whether there was a stab in the phase that was asked about, after its facts."""
        if self._stab and self._stab not in self._open:
            yield answered(self._stab, YES if self._stabbed else NO)
            self._stab = ""
        self._stabbed = False

    def _ask(self, position: Mapping[str, Any]) -> Iterator[ViewerQuestion]:
        """Yield the questions on a movement phase that has begun, once its outlook is known."""
        self._position, phase = {}, position["phase"]
        season, year = SEASONS[phase[0]], int(phase[1:5])
        if year > START_YEAR:
            self._stab = f"stab-{phase}"
            self._open.append(self._stab)
            yield ViewerQuestion(
                self._stab, "stab", f"A stab in {season} {year}?", yes_or_no(STAB), "measured", STABBED
            )
        if phase.startswith("F"):
            self._gain = f"gain-{phase}"
            self._open.append(self._gain)
            self._owned = {seat: set(held) for seat, held in position["centers"].items()}
            chances = shared(_gain_weights(position))
            options = [
                PossibleAnswer(seat, power(seat), chance, seat) for seat, chance in chances.items() if seat != NONE
            ]
            options.append(PossibleAnswer(NONE, "Nobody alone", chances[NONE]))
            text = f"Who gains most centres in {year}?"
            yield ViewerQuestion(self._gain, "gain", text, options, "computed")

    def _drop(self) -> Iterator[Answered]:
        for key in filter(None, (self._stab, self._gain)):
            yield Answered(key, {})
        self._stab = self._gain = ""


def _begins_moves(event: StoryEvent) -> bool:
    return event.type == "TurnStarted" and event.data["turn"].endswith("M")


def _gain_weights(position: Mapping[str, Any]) -> dict[str, float]:
    """Return the weight of each power that has units, and of nobody, to gain most centres in this fall."""
    weights: dict[str, float] = {}
    for seat, units in position["units"].items():
        if units:
            standing = {unit.split()[1][:3] for unit in units} & CODES - set(position["centers"].get(seat, ()))
            weights[seat] = exp(STANDING * len(standing) + UNIT * len(units))
    return weights | {NONE: NOBODY}
