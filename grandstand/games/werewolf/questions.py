"""The questions that viewers of Werewolf may call: who is exiled, and which side wins. They rest on public events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.questions import (
    Answered,
    Asking,
    Closed,
    PossibleAnswer,
    ViewerQuestion,
    WinnerAsker,
    answered,
    shared,
)
from grandstand.games.story import StoryEvent
from grandstand.games.werewolf.bots.beliefs import PublicTable, suspicion
from grandstand.games.werewolf.types import Ballot, Death, Statement

NOBODY: Final = "nobody"
STEEPNESS: Final = 3.5
"""How the logarithm of a seat's weight to be exiled grows with its chance to be a wolf. Fitted to 60 matches of the
showcase's characters."""
NOBODY_WEIGHT: Final = 0.1
"""The weight of a day without an exile, which those matches did not have."""
WOLVES: Final = 2


class WerewolfAsker:
    """The questions of one match."""

    def __init__(self) -> None:
        self._table = _PublicRecord()
        self._winner = WinnerAsker(_begins_day, _sides, self._side)
        self._winner.names = {"village": "The village", "wolves": "The wolves"}
        self._day = ""
        """The key of the open question about today's exile."""
        self._wolves: frozenset[SeatId] = frozenset()

    def read(self, events: Sequence[StoryEvent]) -> Sequence[Asking]:
        asking: list[Asking] = []
        for event in events:
            self._table.read(event)
            if event.type == "GameDecided":
                self._wolves = frozenset(seat for seat, role in event.data["roles"].items() if role == "wolf")
            asking += self._winner.read([event])
            asking += self._exile(event)
        return asking

    def _side(self, seat: SeatId) -> str:
        return "wolves" if seat in self._wolves else "village"

    def _exile(self, event: StoryEvent) -> Iterator[Asking]:
        if event.type == "TurnStarted":
            kind, day, *rest = event.data["turn"].split()
            if kind == "day" and rest[0] == "speech":
                self._day = f"exile-{day}"
                yield self._who(day)
            elif self._day and kind == "day":
                yield Closed(self._day)
            elif self._day:
                yield from self._answer(NOBODY)
        elif event.type == "SeatOut" and event.data["how"] == "exile" and self._day:
            yield from self._answer(event.data["seat"])
        elif event.type == "EpisodeEnded" and self._day:
            yield Answered(self._day, {})

    def _answer(self, word: str) -> Iterator[Asking]:
        yield answered(self._day, word)
        self._day = ""

    def _who(self, day: str) -> ViewerQuestion:
        chances = shared(self._table.exile_weights())
        options = [PossibleAnswer(seat, seat, chance, seat) for seat, chance in chances.items() if seat != NOBODY]
        options.append(PossibleAnswer(NOBODY, "Nobody", chances[NOBODY]))
        return ViewerQuestion(self._day, "exile", f"Who is exiled on day {day}?", options, "computed")


class _PublicRecord:
    """What everybody knows of the match."""

    def __init__(self) -> None:
        self._dealt: dict[str, int] = {}
        self._seats: list[SeatId] = []
        self._out: list[Death] = []
        self._speeches: list[Statement] = []
        self._ballots: list[Ballot] = []
        self._turn = ""

    def read(self, event: StoryEvent) -> None:
        """Remember a public event."""
        data = event.data
        match event.type:
            case "EpisodeCreated":
                self._seats = [info["seat"] for info in data["seats"]]
            case "TableSet":
                self._dealt = dict(data["dealt"])
            case "TurnStarted":
                self._turn = data["turn"]
            case "SpeechMade":
                day, seat, acts, because, text = (data[name] for name in ("day", "seat", "acts", "because", "text"))
                speech = Statement(day=day, turn=self._turn, seat=seat, acts=acts, because=because, text=text)
                self._speeches.append(speech)
            case "SeatOut":
                self._out.append(Death(seat=data["seat"], role=data["role"], day=data["day"], how=data["how"]))
            case "VotesShown":
                day, ballot, votes = data["day"], data["ballot"], data["votes"]
                shown = Ballot(day=day, ballot=ballot, votes=votes, exiled=data["exiled"], tied=data["tied"])
                self._ballots.append(shown)

    def exile_weights(self) -> dict[str, float]:
        """Return the weight of each seat that is in, and of nobody, for the exile of this day."""
        gone = {death["seat"] for death in self._out}
        alive = [seat for seat in self._seats if seat not in gone]
        table = PublicTable(self._seats, self._dealt, alive, self._out, self._speeches, self._ballots)
        wolf = suspicion(table)
        return {seat: exp(STEEPNESS * wolf[seat]) for seat in alive} | {NOBODY: NOBODY_WEIGHT}


def _begins_day(event: StoryEvent) -> bool:
    """Return whether a night or a day begins."""
    return event.type == "TurnStarted" and event.data["turn"].endswith(" speech 1")


def _sides(chances: Mapping[SeatId, float]) -> Mapping[str, float]:
    """Return the chances of the sides.

    A seat's chance is that of its side, weighed by how likely it is a wolf, which sums to the number of wolves.
    """
    if len(chances) <= 2 * WOLVES:
        return {"village": 1.0, "wolves": 1.0}
    village = (sum(chances.values()) - WOLVES) / (len(chances) - 2 * WOLVES)
    village = min(1.0, max(0.0, village))
    return {"village": village, "wolves": 1 - village}
