"""The match runner: plays a match with its players turn by turn and produces the log of their decisions. No I/O."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Literal, TypeVar

from grandstand.events import (
    ActionRejected,
    ActionRequested,
    ControlChanged,
    EpisodeCreated,
    EpisodeStarted,
    NegotiationHeld,
    PlayerFault,
    PlayerReported,
    PlayerThinking,
    SeatInfo,
    SeedSet,
    Source,
)
from grandstand.games.base import Action, IllegalAction, SeatId
from grandstand.games.match import Match
from grandstand.models import Draft, Event, flat, valid_text
from grandstand.play.drafts import applied, game_draft, in_batches, in_one_batch, turn_started
from grandstand.play.preparation import prepared
from grandstand.players.base import AcceptedDecision, AnswerProgress, Choice, Player, PressReply
from grandstand.players.errors import PlayerError

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The decision on a held message: the message to send, or None, and the event that records the decision."""

    action: Action | None
    record: ControlChanged


Review = Callable[[Sequence[tuple[SeatId, Action]]], Awaitable[Sequence[Reviewed]]]


def rounds_held(events: Sequence[Event]) -> tuple[int, int]:
    """Return (turn index, number of its rounds of press that were held) at the end of a log."""
    rounds = [event.data for event in events if event.type == "NegotiationHeld"]
    return (rounds[-1]["index"], rounds[-1]["round"]) if rounds else (0, 0)


def last_answer(events: Sequence[Event], seat: SeatId, due: int) -> AcceptedDecision | None:
    """Return the last decision in a log that came from outside; `due` is the number of the seat's next decision.

    The report on an answer comes before its actions, and a round of press ends after its messages.
    """
    number = due
    actions: list[Action] = []
    for event in reversed(events):
        for part in reversed(list(flat([event]))):
            if part.type == "NegotiationHeld":
                number -= 1
            elif part.data.get("seat") != seat:
                continue
            elif part.type == "ActionChosen":
                number -= 1
                actions.insert(0, part.data["action"])
            elif part.type == "ActionRejected":
                actions.insert(0, part.data["action"])
            elif part.type == "PlayerReported" and part.data["source"] in ("human", "remote"):
                return AcceptedDecision(number, actions)
            elif part.type == "PlayerReported":
                actions.clear()
    return None


class MatchRunner:
    """A match with its players, played turn by turn; it produces the log as drafts.

    `rounds_held` is the progress of press in a resumed match, as the function of that name returns it.
    """

    def __init__(self, match: Match, players: Mapping[SeatId, Player], rounds_held: tuple[int, int] = (0, 0)) -> None:
        self.match = match
        self.players = dict(players)
        self.publish: Callable[[list[Draft]], object] = lambda drafts: None
        """Called with drafts that cannot wait for the end of a round: the progress of players."""
        self.review: Review | None = None
        """Called once in each round of press with all messages of programs, before any is sent."""
        self._rounds_held = rounds_held
        self._asking: dict[SeatId, asyncio.Task[Any]] = {}
        self._readied = asyncio.Event()
        """Set when a person submits a decision."""
        for seat in self.players:
            self._follow(seat)

    def reseat(self, seat: SeatId, player: Player) -> None:
        """Put `player` in `seat` immediately. If the match waits for the seat, it now waits for the new player."""
        replaced, self.players[seat] = self.players[seat], player
        self._follow(seat)
        replaced.wake()
        asking = self._asking.get(seat)
        if asking is not None and not asking.cancelling():
            asking.cancel()

    def created(self, options: Mapping[str, Any], **about: Any) -> list[Draft]:
        """Return the first drafts of an episode; `about` has fields of EpisodeCreated that the match does not know."""
        players = [(seat, self.players[seat]) for seat in self._seats]
        seats = [
            SeatInfo(seat=seat, player=player.name, kind=player.kind, prompt=player.prompt) for seat, player in players
        ]
        spec = self.match.spec
        created = EpisodeCreated(game=spec.name, rules=spec.rules.version, options=dict(options), seats=seats, **about)
        return [Draft.of(created), Draft.of(SeedSet(seed=self.match.seed), "operator")]

    def started(self) -> list[Draft]:
        """Return the drafts with which play begins: the opening position and the first turn."""
        opening = [game_draft(event) for event in self.match.opening()]
        return [Draft.of(EpisodeStarted()), *opening, self._turn_started()]

    async def play_round(self) -> AsyncGenerator[list[Draft]]:
        """Play one step: a round of press if one is due, else the choices of every seat that the match waits for.

        Yields the log in pieces, each to be published before the next is requested: the decision of one seat can be
        published while another seat is still working. Close the iterator to stop early.
        """
        round = self.press_due()
        if round:
            yield await self._negotiate(*round)
            return
        async with aclosing(self._choices()) as choices:
            async for seat, answer in choices:
                yield self.play(seat, answer)

    def play(self, seat: SeatId, answer: Choice | PlayerError) -> list[Draft]:
        """Apply one answer of `seat`, or record its fault and apply the fallback. Return the drafts in batches."""
        return in_batches(self._answered(seat, answer), self.match)

    def _answered(self, seat: SeatId, answer: Choice | PlayerError) -> list[Draft]:
        report = self._reported(seat, "choose", answer)
        if isinstance(answer, PlayerError):
            return [*report, self._fault(seat, answer), *self._fall_back(seat)]
        if answer.turn is not None:
            report.append(Draft.of(answer.turn, "private"))
        try:
            return [*report, *self._apply(seat, answer.action, answer.source)]
        except IllegalAction as error:
            fault = PlayerError("rules", "an illegal action; the fallback acts")
            rejected = self._rejected(seat, answer.action, error)
            return [*report, rejected, self._fault(seat, fault), *self._fall_back(seat)]

    def _delivered(self, seat: SeatId, reply: PressReply | PlayerError) -> list[Draft]:
        """Deliver the messages of `seat`, refuse those against the rules, and record its fault."""
        drafts = self._reported(seat, "negotiate", reply)
        if isinstance(reply, PlayerError):
            return [*drafts, self._fault(seat, reply)]
        for action in reply.messages:
            try:
                drafts += self._apply(seat, action, reply.source)
            except IllegalAction as error:
                drafts.append(self._rejected(seat, action, error))
        return drafts

    async def _choices(self) -> AsyncGenerator[tuple[SeatId, Choice | PlayerError]]:
        """Yield the answers of one turn as they arrive, in seat order where several arrive together.

        A seat that acts and still has the move is asked again. All seats are asked at the same time. A decision of a
        person may be changed until every other seat has answered or is ready.
        """
        match, index = self.match, self.match.index
        pending: dict[asyncio.Task[Choice | PlayerError], SeatId] = {}
        try:
            while not match.over and match.index == index:
                await prepared(match)
                for seat in [seat for seat in match.seats if seat in match.waiting and seat not in pending.values()]:
                    pending[asyncio.ensure_future(self._choice(seat))] = seat
                await self._answers(pending)
                for task in [task for task in pending if task.done()]:
                    await prepared(match)
                    yield pending.pop(task), task.result()
                    if match.over or match.index != index:
                        return
        finally:
            for task in pending:
                task.cancel()

    async def _choice(self, seat: SeatId) -> Choice | PlayerError:
        """Return the answer that stands already, or that of the player in `seat`."""
        match = self.match
        standing = match.standing(seat)
        if standing is not None:
            return Choice(standing, "standing")
        return await self._ask(seat, lambda player, seat: player.choose(match, seat))

    async def _answers(self, pending: Mapping[asyncio.Task[Choice | PlayerError], SeatId]) -> None:
        """Wait until one of the seats has answered; release their decisions once all of them are ready."""
        while not any(task.done() for task in pending):
            self._readied.clear()
            players = [self.players[seat] for seat in pending.values()]
            if not any(player.revises for player in players):
                await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                continue
            if all(player.ready for player in players):
                for player in players:
                    player.release()
            readied = asyncio.ensure_future(self._readied.wait())
            try:
                await asyncio.wait([*pending, readied], return_when=asyncio.FIRST_COMPLETED)
            finally:
                readied.cancel()

    def press_due(self) -> tuple[Sequence[SeatId], int, int] | None:
        """Return (speaking seats, round, number of rounds) of the round of press that is due, if any.

        It takes at least two seats whose players negotiate.
        """
        press = self.match.spec.talk.press
        if press is None:
            return None
        talkers = [seat for seat in press.speakers(self.match.game) if self.players[seat].talks]
        held = self._rounds_held[1] if self._rounds_held[0] == self.match.index else 0
        rounds = press.rounds(self.match.game)
        return (talkers, held + 1, rounds) if len(talkers) > 1 and held < rounds else None

    async def _negotiate(self, seats: Sequence[SeatId], round: int, rounds: int) -> list[Draft]:
        """Hold one round of press: all seats write at the same time, and all messages are delivered at its end."""
        match = self.match
        answers = await self._ask_all(seats, lambda player, seat: player.negotiate(match, seat, round, rounds))
        replies = dict(zip(seats, answers, strict=True))
        drafts = await self._reviewed(replies)
        for seat, reply in replies.items():
            drafts += self._delivered(seat, reply)
        self._rounds_held = (match.index, round)
        match.rounds += 1
        return [*in_one_batch(drafts), Draft.of(NegotiationHeld(index=match.index, round=round, rounds=rounds))]

    async def _reviewed(self, replies: dict[SeatId, PressReply | PlayerError]) -> list[Draft]:
        """Have the messages of programs reviewed if the match requires it; `replies` then has those to be sent.

        Returns the drafts that record the review, for operators.
        """
        if self.review is None:
            return []
        programs = {
            seat: reply
            for seat, reply in replies.items()
            if not isinstance(reply, PlayerError) and reply.source not in ("human", "remote")
        }
        messages = [
            (seat, action) for seat, reply in programs.items() for action in reply.messages if "message" in action
        ]
        reviewed = await self.review(messages)
        for seat, reply in programs.items():
            passed = [item.action for (sender, _), item in zip(messages, reviewed, strict=True) if sender == seat]
            unsent = [action for action in reply.messages if "message" not in action]
            replies[seat] = replace(reply, messages=[action for action in (*passed, *unsent) if action is not None])
        return [Draft.of(item.record, "operator") for item in reviewed]

    @property
    def _seats(self) -> tuple[SeatId, ...]:
        return self.match.seats

    async def _ask_all(
        self, seats: Sequence[SeatId], ask: Callable[[Player, SeatId], Awaitable[Answer]]
    ) -> list[Answer | PlayerError]:
        """Ask the players of `seats` at the same time, and return their answers."""
        tasks = [asyncio.ensure_future(self._ask(seat, ask)) for seat in seats]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:  # if one task failed, the others must not go on calling
                task.cancel()

    async def _ask(self, seat: SeatId, ask: Callable[[Player, SeatId], Awaitable[Answer]]) -> Answer | PlayerError:
        """Return the answer of the player in `seat`; of the new player if that changes while it is awaited."""
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
        player = self.players[seat]
        player.watch = partial(self._progressed, seat)
        player.on_ready = self._readied.set
        player.announce = self._requested

    def _requested(self, request: ActionRequested) -> None:
        self.publish([Draft.of(request)])

    def _progressed(self, seat: SeatId, progress: AnswerProgress) -> None:
        """Publish the progress of an answer, unless the fact that the seat was asked is secret."""
        if not self._secret:
            self.publish([Draft.of(PlayerThinking(seat=seat, index=self.match.index, **asdict(progress)))])

    def _reported(
        self, seat: SeatId, task: Literal["choose", "negotiate"], answer: Choice | PressReply | PlayerError
    ) -> list[Draft]:
        """Return the answer's report, for analysts, if it has one."""
        if answer.report is None:
            return []
        source: Source = "fallback" if isinstance(answer, PlayerError) else answer.source
        reported = PlayerReported(seat=seat, index=self.match.index, task=task, source=source, report=answer.report)
        return [Draft.of(reported, "analyst")]

    @property
    def _secret(self) -> bool:
        secret = self.match.spec.rules.secret
        return secret is not None and secret(self.match.game)

    def _fault(self, seat: SeatId, error: PlayerError) -> Draft:
        fault = PlayerFault(seat=seat, boundary=error.boundary, message=error.message)
        return Draft.of(fault, [seat] if self._secret else "public")

    def _rejected(self, seat: SeatId, action: Action, error: IllegalAction) -> Draft:
        rejected = ActionRejected(
            seat=seat, index=self.match.index, action=_recordable(action), field=error.field, reason=error.reason
        )
        return Draft.of(rejected, [seat])

    def _fall_back(self, seat: SeatId) -> list[Draft]:
        bot = self.players[seat].fallback
        game = self.match.game
        action = game.default_action(seat) if bot is None else bot(game, seat, self.match.rng(seat))
        return self._apply(seat, action, "fallback")

    def _apply(self, seat: SeatId, action: Action, source: Source) -> list[Draft]:
        return applied(self.match, seat, action, source)

    def _turn_started(self) -> Draft:
        return turn_started(self.match)


def _recordable(value: Any) -> Any:
    """Return a refused action with valid Unicode, so that it can be recorded even if its Unicode was the reason."""
    if isinstance(value, str):
        return valid_text(value)
    if isinstance(value, Mapping):
        return {valid_text(str(key)): _recordable(item) for key, item in value.items()}
    return [_recordable(item) for item in value] if isinstance(value, (list, tuple)) else value
