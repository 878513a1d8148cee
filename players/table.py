"""A Table: a match with its players seated, and the log that their choices make. No clock, no I/O."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Literal, TypeVar

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
    Event,
    NegotiationHeld,
    OutcomeData,
    PlayerFault,
    PlayerReported,
    PlayerThinking,
    SeatInfo,
    SeedSet,
    Source,
    TurnStarted,
    Wire,
)
from players.base import Choice, Player, PlayerError, Talk, Thinking

Answer = TypeVar("Answer")


def draft(data: Wire, audience: Audience = "public") -> Draft:
    """A house event, ready to publish."""
    return Draft(type(data).__name__, data.model_dump(mode="json"), audience)


def game_draft(event: GameEvent) -> Draft:
    """A game's event, ready to publish."""
    seats = event.seats()
    return Draft(type(event).__name__, event_data(event), "public" if seats is None else sorted(seats))


def rounds_held(events: Sequence[Event]) -> tuple[int, int]:
    """(turn index, rounds of press held in it) where a log leaves off."""
    held = [event.data for event in events if event.type == "NegotiationHeld"]
    return (held[-1]["index"], held[-1]["round"]) if held else (0, 0)


class Table:
    """Plays a match turn by turn and writes its log as drafts.

    `held` is where a match that goes on left off with its rounds of press, as `rounds_held` tells it.
    """

    def __init__(self, match: Match, players: Mapping[SeatId, Player], held: tuple[int, int] = (0, 0)) -> None:
        self.match = match
        self.players = dict(players)
        self.publish: Callable[[list[Draft]], object] = lambda drafts: None
        """Called with what cannot wait for the end of a round: that players think."""
        self.review: Callable[[SeatId, Action], Awaitable[Action | None]] | None = None
        """Asked for every message before it is sent: the message to send instead, or None to hold it back."""
        self._held = held
        self._asking: dict[SeatId, asyncio.Task[Any]] = {}
        for seat in self.players:
            self._follow(seat)

    def reseat(self, seat: SeatId, player: Player) -> None:
        """Put `player` in `seat` at once. If the match waits for the seat, it now waits for the new player."""
        self.players[seat] = player
        self._follow(seat)
        asking = self._asking.get(seat)
        if asking is not None and not asking.cancelling():
            asking.cancel()

    def created(self, options: Mapping[str, Any], **about: Any) -> list[Draft]:
        """The first drafts of an episode; `about` are the fields of EpisodeCreated that the match does not know."""
        seats = [
            SeatInfo(seat=seat, player=self.players[seat].name, kind=self.players[seat].kind) for seat in self._seats
        ]
        spec = self.match.spec
        created = EpisodeCreated(game=spec.name, rules=spec.rules, options=dict(options), seats=seats, **about)
        return [draft(created), draft(SeedSet(seed=self.match.seed), "operator")]

    def started(self) -> list[Draft]:
        """Play begins: the opening position and the first turn."""
        opening = [game_draft(event) for event in self.match.game.opening()]
        return [draft(EpisodeStarted()), *opening, self._turn_started()]

    async def play_round(self) -> AsyncGenerator[list[Draft]]:
        """One step of the match: a round of press where one is due, else the choices of every seat that it waits for.

        Gives the log in pieces, each to be published before the next is asked for: what one seat has done can be told
        while another still thinks. Close the iterator to stop early.
        """
        round = self._press_due()
        if round:
            yield await self._negotiate(*round)
            return
        async with aclosing(self._choices()) as choices:
            async for seat, answer in choices:
                yield self.play(seat, answer)

    def play(self, seat: SeatId, answer: Choice | PlayerError) -> list[Draft]:
        """One answer of `seat`: its action applied, or its fault recorded and the fallback applied."""
        report = self._reported(seat, "choose", answer)
        if isinstance(answer, PlayerError):
            return [*report, self._fault(seat, answer), *self._fall_back(seat)]
        if answer.turn is not None:
            report.append(draft(answer.turn, "private"))
        try:
            return [*report, *self._apply(seat, answer.action, answer.source)]
        except IllegalAction as error:
            fault = PlayerFault(seat=seat, boundary="rules", message="an illegal action; the fallback acts")
            return [*report, self._rejected(seat, answer.action, error), draft(fault), *self._fall_back(seat)]

    def say(self, seat: SeatId, talk: Talk | PlayerError) -> list[Draft]:
        """What `seat` says: its messages delivered, those against the rules refused, its fault recorded."""
        drafts = self._reported(seat, "negotiate", talk)
        if isinstance(talk, PlayerError):
            return [*drafts, self._fault(seat, talk)]
        for action in talk.messages:
            try:
                drafts += self._apply(seat, action, talk.source)
            except IllegalAction as error:
                drafts.append(self._rejected(seat, action, error))
        return drafts

    async def _choices(self) -> AsyncGenerator[tuple[SeatId, Choice | PlayerError]]:
        """The answers of one turn as they come; those that come at once in seat order.

        A seat that acts and still has the move is asked again. All seats are asked at the same time.
        """
        match, index = self.match, self.match.index
        asked: dict[asyncio.Task[Choice | PlayerError], SeatId] = {}
        try:
            while not match.over and match.index == index:
                for seat in seat_order(match.spec, [seat for seat in match.waiting if seat not in asked.values()]):
                    asked[asyncio.ensure_future(self._ask(seat, lambda player, seat: player.choose(match, seat)))] = (
                        seat
                    )
                done, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
                for task in [task for task in asked if task in done]:
                    yield asked.pop(task), task.result()
                    if match.over or match.index != index:
                        return
        finally:
            for task in asked:
                task.cancel()

    def _press_due(self) -> tuple[Sequence[SeatId], int, int] | None:
        """(who talks, round, of how many) of the round of press that is due. It takes two seats whose players talk."""
        press = self.match.spec.press
        if press is None:
            return None
        talkers = [seat for seat in press.speakers(self.match.game) if self.players[seat].talks]
        held = self._held[1] if self._held[0] == self.match.index else 0
        rounds = press.rounds(self.match.game)
        return (talkers, held + 1, rounds) if len(talkers) > 1 and held < rounds else None

    async def _negotiate(self, seats: Sequence[SeatId], round: int, rounds: int) -> list[Draft]:
        """One round of press: all speak at the same time; all is delivered when all have spoken."""
        match = self.match
        talks = await self._ask_all(seats, lambda player, seat: player.negotiate(match, seat, round, rounds))
        if self.review is not None:
            talks = await asyncio.gather(*(self._reviewed(seat, talk) for seat, talk in zip(seats, talks, strict=True)))
        drafts = [one for seat, talk in zip(seats, talks, strict=True) for one in self.say(seat, talk)]
        self._held = (match.index, round)
        return [*drafts, draft(NegotiationHeld(index=match.index, round=round, rounds=rounds))]

    async def _reviewed(self, seat: SeatId, talk: Talk | PlayerError) -> Talk | PlayerError:
        if isinstance(talk, PlayerError) or talk.source in ("human", "remote"):
            return talk
        assert self.review is not None
        review = self.review
        kept = await asyncio.gather(*(review(seat, message) for message in talk.messages))
        return replace(talk, messages=[message for message in kept if message is not None])

    @property
    def _seats(self) -> tuple[SeatId, ...]:
        return self.match.spec.seats

    async def _ask_all(
        self, seats: Sequence[SeatId], ask: Callable[[Player, SeatId], Awaitable[Answer]]
    ) -> list[Answer | PlayerError]:
        """What the players of `seats` answer, asked at the same time."""
        tasks = [asyncio.ensure_future(self._ask(seat, ask)) for seat in seats]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:  # where one broke, the others must not go on calling
                task.cancel()

    async def _ask(self, seat: SeatId, ask: Callable[[Player, SeatId], Awaitable[Answer]]) -> Answer | PlayerError:
        """The answer of whoever sits in `seat`; of the new player where that changes while it is awaited."""
        task = asyncio.current_task()
        assert task is not None
        self._asking[seat] = task
        answer: Answer | PlayerError
        try:
            while True:
                player = self.players[seat]
                try:
                    answer = await ask(player, seat)
                except PlayerError as error:
                    answer = error
                except asyncio.CancelledError:
                    if self.players[seat] is player or task.uncancel():
                        raise
                    continue
                if self.players[seat] is player:
                    return answer
        finally:
            del self._asking[seat]

    def _follow(self, seat: SeatId) -> None:
        self.players[seat].watch = partial(self._thinking, seat)

    def _thinking(self, seat: SeatId, now: Thinking) -> None:
        self.publish([draft(PlayerThinking(seat=seat, index=self.match.index, **asdict(now)))])

    def _reported(
        self, seat: SeatId, task: Literal["choose", "negotiate"], answer: Choice | Talk | PlayerError
    ) -> list[Draft]:
        """What analysts may know of how the answer came about."""
        if answer.report is None:
            return []
        source: Source = "fallback" if isinstance(answer, PlayerError) else answer.source
        reported = PlayerReported(seat=seat, index=self.match.index, task=task, source=source, report=answer.report)
        return [draft(reported, "analyst")]

    def _fault(self, seat: SeatId, error: PlayerError) -> Draft:
        return draft(PlayerFault(seat=seat, boundary=error.boundary, message=error.message))

    def _rejected(self, seat: SeatId, action: Action, error: IllegalAction) -> Draft:
        rejected = ActionRejected(
            seat=seat, index=self.match.index, action=dict(action), field=error.field, reason=error.reason
        )
        return draft(rejected, [seat])

    def _fall_back(self, seat: SeatId) -> list[Draft]:
        bot = self.players[seat].fallback
        game = self.match.game
        action = game.default_action(seat) if bot is None else bot(game, seat, self.match.rng(seat))
        return self._apply(seat, action, "fallback")

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
