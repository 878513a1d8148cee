"""A Table: a match with its players seated, and the log that their choices make. No clock, no I/O."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from games.base import Action, GameEvent, IllegalAction, SeatId
from games.match import Match, event_data, seat_order
from models import (
    ActionChosen,
    ActionRejected,
    Audience,
    Draft,
    EpisodeCreated,
    EpisodeEnded,
    EpisodeStarted,
    OutcomeData,
    PlayerFault,
    SeatInfo,
    SeedSet,
    Source,
    TurnStarted,
    Wire,
)
from players.base import Choice, Player, PlayerError


def draft(data: Wire, audience: Audience = "public") -> Draft:
    """A house event, ready to publish."""
    return Draft(type(data).__name__, data.model_dump(mode="json"), audience)


def game_draft(event: GameEvent) -> Draft:
    """A game's event, ready to publish."""
    seats = event.seats()
    return Draft(type(event).__name__, event_data(event), "public" if seats is None else sorted(seats))


class Table:
    """Plays a match turn by turn and writes its log as drafts."""

    def __init__(self, match: Match, players: Mapping[SeatId, Player]) -> None:
        self.match = match
        self.players = dict(players)

    def created(self, options: Mapping[str, Any], title: str, origin: str) -> list[Draft]:
        """The first drafts of an episode."""
        seats = [
            SeatInfo(seat=seat, player=self.players[seat].name, kind=self.players[seat].kind) for seat in self._seats
        ]
        created = EpisodeCreated.model_validate(
            {"game": self.match.spec.name, "title": title, "options": options, "seats": seats, "origin": origin}
        )
        return [draft(created), draft(SeedSet(seed=self.match.seed), "operator")]

    def started(self) -> list[Draft]:
        """Play begins: the opening position and the first turn."""
        opening = [game_draft(event) for event in self.match.game.opening()]
        return [draft(EpisodeStarted()), *opening, self._turn_started()]

    async def play_round(self) -> list[Draft]:
        """Ask every seat that the match waits for at the same time; apply their choices in seat order."""
        seats = seat_order(self.match.spec, self.match.waiting)
        answers = await asyncio.gather(*(self._ask(seat) for seat in seats))
        drafts: list[Draft] = []
        for seat, answer in zip(seats, answers, strict=True):
            if self.match.over:
                break
            drafts += self.play(seat, answer)
        return drafts

    def play(self, seat: SeatId, answer: Choice | PlayerError) -> list[Draft]:
        """One answer of `seat`: its action applied, or its fault recorded and the fallback applied."""
        if isinstance(answer, PlayerError):
            fault = PlayerFault(seat=seat, boundary=answer.boundary, message=answer.message)
            return [draft(fault), *self._fall_back(seat)]
        try:
            return self._apply(seat, answer.action, answer.source)
        except IllegalAction as error:
            rejected = ActionRejected(
                seat=seat, index=self.match.index, action=dict(answer.action), field=error.field, reason=error.reason
            )
            fault = PlayerFault(seat=seat, boundary="rules", message="an illegal action; the fallback acts")
            return [draft(rejected, [seat]), draft(fault), *self._fall_back(seat)]

    @property
    def _seats(self) -> tuple[SeatId, ...]:
        return self.match.spec.seats

    async def _ask(self, seat: SeatId) -> Choice | PlayerError:
        try:
            return await self.players[seat].choose(self.match, seat)
        except PlayerError as error:
            return error

    def _fall_back(self, seat: SeatId) -> list[Draft]:
        return self._apply(seat, self.match.game.default_action(seat), "fallback")

    def _apply(self, seat: SeatId, action: Action, source: Source) -> list[Draft]:
        index = self.match.index
        events = self.match.apply(seat, action)
        chosen = ActionChosen(seat=seat, index=index, action=dict(action), source=source)
        drafts = [draft(chosen, [seat]), *map(game_draft, events)]
        if self.match.over:
            drafts.append(self._ended())
        elif self.match.index != index:
            drafts.append(self._turn_started())
        return drafts

    def _turn_started(self) -> Draft:
        game = self.match.game
        return draft(
            TurnStarted(index=self.match.index, turn=game.turn, to_act=list(self.match.waiting), scores=game.scores())
        )

    def _ended(self) -> Draft:
        outcome = self.match.game.outcome
        assert outcome is not None
        return draft(EpisodeEnded(status="finished", outcome=OutcomeData.model_validate(asdict(outcome))))
