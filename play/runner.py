"""The match runner: plays a match with its players turn by turn, and writes the log of their decisions. No I/O."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Literal, TypeVar

from grandstand.games.base import Action, GameEvent, IllegalAction, SeatId
from grandstand.games.match import Match, event_data, seat_order
from grandstand.models import (
    ActionChosen,
    ActionRejected,
    Audience,
    ControlChanged,
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
    PrivateBatch,
    PrivateEvent,
    SeatInfo,
    SeedSet,
    Source,
    TurnStarted,
    Wire,
    valid_text,
)
from grandstand.play.preparation import prepared
from grandstand.players.base import Choice, Player, PlayerError, Talk, Thinking

Answer = TypeVar("Answer")


def draft(data: Wire, audience: Audience = "public") -> Draft:
    """A house event, ready to publish."""
    return Draft(type(data).__name__, data.model_dump(mode="json"), audience)


def game_draft(event: GameEvent) -> Draft:
    """A game's event, ready to publish."""
    seats = event.seats()
    return Draft(type(event).__name__, event_data(event), "public" if seats is None else sorted(seats))


def private_batch(drafts: Iterable[Draft]) -> Draft:
    """Return those of `drafts` that are not public as one event: one number, however many there are."""
    parts = [
        PrivateEvent.model_construct(type=kind, audience=audience, data=data)
        for kind, data, audience in drafts
        if audience != "public"
    ]
    return draft(PrivateBatch.model_construct(events=parts), "private")


def in_one_batch(drafts: Sequence[Draft]) -> list[Draft]:
    """Return the private `drafts` as one batch, which there always is, and then the public ones in order."""
    return [private_batch(drafts), *(one for one in drafts if one.audience == "public")]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What became of a held message: the message to send, None for none, and who decided so."""

    action: Action | None
    record: ControlChanged


Review = Callable[[Sequence[tuple[SeatId, Action]]], Awaitable[Sequence[Reviewed]]]


def rounds_held(events: Sequence[Event]) -> tuple[int, int]:
    """(turn index, rounds of press held in it) where a log leaves off."""
    held = [event.data for event in events if event.type == "NegotiationHeld"]
    return (held[-1]["index"], held[-1]["round"]) if held else (0, 0)


class MatchRunner:
    """Plays a match turn by turn and writes its log as drafts.

    `held` is where a match that goes on left off with its rounds of press, as `rounds_held` tells it.
    """

    def __init__(self, match: Match, players: Mapping[SeatId, Player], held: tuple[int, int] = (0, 0)) -> None:
        self.match = match
        self.players = dict(players)
        self.publish: Callable[[list[Draft]], object] = lambda drafts: None
        """Called with what cannot wait for the end of a round: that players think."""
        self.review: Review | None = None
        """Called once in each round of press with all messages of machines, before any is sent."""
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
        """Apply one answer of `seat`, or record its fault and apply the fallback.

        All that is private in it stands in one batch before what is public. Where it ends a turn, what only the end of
        the turn brought stands in a second batch, which there always is in a game with press: a promise that was
        broken in private must not be counted either.
        """
        index = self.match.index
        drafts = self._answered(seat, answer)
        ended = self.match.over or self.match.index != index
        if not ended or self.match.spec.press is None:
            return in_one_batch(drafts)
        first = next(at for at, one in enumerate(drafts) if one.audience == "public" and one.type != "PlayerFault")
        outcome = [one for one in drafts[first:-1] if one.audience == "public"]
        return [*in_one_batch(drafts[:first]), *outcome, private_batch(drafts[first:-1]), drafts[-1]]

    def _answered(self, seat: SeatId, answer: Choice | PlayerError) -> list[Draft]:
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

    def _said(self, seat: SeatId, talk: Talk | PlayerError) -> list[Draft]:
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
                await prepared(match)
                for seat in seat_order(match.spec, [seat for seat in match.waiting if seat not in asked.values()]):
                    asked[asyncio.ensure_future(self._ask(seat, lambda player, seat: player.choose(match, seat)))] = (
                        seat
                    )
                done, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
                for task in [task for task in asked if task in done]:
                    await prepared(match)
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
        said = dict(zip(seats, talks, strict=True))
        drafts = await self._reviewed(said)
        for seat, talk in said.items():
            drafts += self._said(seat, talk)
        self._held = (match.index, round)
        return [*in_one_batch(drafts), draft(NegotiationHeld(index=match.index, round=round, rounds=rounds))]

    async def _reviewed(self, said: dict[SeatId, Talk | PlayerError]) -> list[Draft]:
        """Have the messages of machines reviewed where the match asks for it; `said` then holds what may be sent.

        Returns what operators may know of it.
        """
        if self.review is None:
            return []
        machines = {
            seat: talk
            for seat, talk in said.items()
            if not isinstance(talk, PlayerError) and talk.source not in ("human", "remote")
        }
        held = [(seat, message) for seat, talk in machines.items() for message in talk.messages]
        reviewed = await self.review(held)
        for seat, talk in machines.items():
            kept = [answer.action for (sender, _), answer in zip(held, reviewed, strict=True) if sender == seat]
            said[seat] = replace(talk, messages=[message for message in kept if message is not None])
        return [draft(answer.record, "operator") for answer in reviewed]

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
            seat=seat, index=self.match.index, action=_recordable(action), field=error.field, reason=error.reason
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


def _recordable(value: Any) -> Any:
    """Return a refused action as a record can hold it: with valid Unicode, which may be what it was refused for."""
    if isinstance(value, str):
        return valid_text(value)
    if isinstance(value, Mapping):
        return {valid_text(str(key)): _recordable(item) for key, item in value.items()}
    return [_recordable(item) for item in value] if isinstance(value, (list, tuple)) else value
