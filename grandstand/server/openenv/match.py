"""A match that sessions play in, and one session's seat in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from grandstand.events import EpisodeEnded
from grandstand.games.base import Action, IllegalAction, Json, SeatId
from grandstand.games.reply_form import ReplyForm
from grandstand.models import MatchAction, MatchObservation, MatchState
from grandstand.players.external import ExternalPlayer, NotAsked
from grandstand.players.llm.prompt import first_messages, parse_answer, reply_form
from grandstand.players.llm.replies import ReplyError
from grandstand.server.bodies.matches import Command
from grandstand.server.first_of import first_of
from grandstand.server.matches.commands import PLAYER
from grandstand.server.matches.driver import Driver
from grandstand.server.matches.live_match import LiveMatch
from grandstand.server.matches.steering import CommandError
from grandstand.server.openenv.connection import CONNECTION
from grandstand.server.openenv.reset import LONGEST_WAIT, Reset

GRACE = 60.0
"""Seconds that a seat is kept for a session whose connection is lost, so that the client can come back."""

QUIET = 600.0
"""Seconds that a seat is kept for a client that holds no connection, from one call to the next."""

MOMENT = 0.05
"""Seconds that every request waits, so that built-in players can answer."""

LEFT = "a player who left"

OWN_TOOLS = ("play", "legal", "leave_match")
"""Tools of every seat over MCP, whatever its game."""

NUMBER = "number"
"""The argument of every tool that answers."""
NUMBER_HELP = "The number of the decision that you answer: a repeated call then counts once."

BACK = "your turns were missed, and a built-in player went on; the seat is yours again, and this is what is asked now"


class RemoteMatch:
    """A match that sessions play in. If they started it (`ours`), it is stopped once all have left."""

    def __init__(self, driver: Driver, live: LiveMatch, *, ours: bool, visitor: str = "") -> None:
        """`visitor` is who started it without a lasting session."""
        self.live = live
        self.ours = ours
        self.visitor = visitor
        self.holders: dict[SeatId, RemoteSeat] = {}
        self.shown: dict[SeatId, int] = {}
        """The number of requests to each seat when it last received an observation."""
        self.earned: dict[SeatId, float] = {}
        """The sum of the rewards of each seat so far."""
        self.instructed: dict[SeatId, str] = {}
        """The instructions that each seat last received; see `RemoteSeat.news`."""
        self.listed: dict[SeatId, list[Json]] = {}
        """The tools of the game that an MCP client in each seat last listed."""
        self.over = asyncio.Event()
        self.ended: EpisodeEnded | None = None
        self._driver = driver
        self._giving_up: asyncio.Task[None] | None = None
        self._left: dict[SeatId, tuple[float, asyncio.TimerHandle]] = {}
        """Seats that were left -> the time on the loop's clock, and the timer that gives the seat up."""

    def check_recorded(self) -> None:
        """Raise CommandError while the last events cannot be recorded: until they are, nobody may know them."""
        if self.live.episode_id in self._driver.storage_faults:
            raise CommandError(
                f"episode: {self.live.episode_id} waits until the record can be written; step again in a few seconds"
            )

    @property
    def left_at(self) -> float | None:
        """Return the time at which the last session left; None while there is one."""
        return None if self.holders else max((at for at, _ in self._left.values()), default=None)

    def hold(self, seat: SeatId, holder: RemoteSeat, person: ExternalPlayer) -> None:
        """Give `seat` to `holder`; an earlier holder loses it."""
        self.holders[seat] = holder
        if seat in self._left:
            self._left.pop(seat)[1].cancel()
        self.shown.setdefault(seat, person.asks)
        person.attach()

    async def take_back(self, seat: SeatId) -> bool:
        """Take `seat` back if a built-in player replaced the session after missed turns; return whether one did."""
        if seat not in self.live.steering.left:
            return False
        await self._driver.command(self.live.episode_id, Command(command="take_over", seat=seat), key=None, by=PLAYER)
        return True

    def left(self, seat: SeatId, seconds: float) -> None:
        """Keep `seat`, which nobody plays, for a while; then its fallback acts, or the match is stopped."""
        self.holders.pop(seat, None)
        loop = asyncio.get_running_loop()
        if not self.over.is_set():
            self._left[seat] = (loop.time(), loop.call_later(seconds, self._give_up_soon, seat))

    def end(self, ended: EpisodeEnded) -> None:
        self.ended = ended
        self.over.set()
        self.close()

    async def stop(self) -> None:
        """Stop the match, which all players have left."""
        await self._driver.command(self.live.episode_id, Command(command="stop"), key=None, by=LEFT)

    def close(self) -> None:
        for _, timer in self._left.values():
            timer.cancel()
        self._left.clear()

    def reward(self, seat: SeatId, *, gain: bool) -> float:
        """Return what the seat has earned since it was last asked for.

        Rewards add up to the score of an ended match: the standing if it was stopped, 0 if it failed.
        Until then they add up to the standing with `gain`, and to 0 without.
        """
        total = self._standing(seat) if gain or self.over.is_set() else 0.0
        reward = total - self.earned.get(seat, 0.0)
        self.earned[seat] = total
        return reward

    def _standing(self, seat: SeatId) -> float:
        outcome = self.ended.outcome if self.ended else None
        if self.ended is not None and self.ended.status not in ("finished", "stopped"):
            return 0.0
        scores = self.live.runner.match.game.scores() if outcome is None else outcome.scores
        return min(1.0, max(0.0, float(scores[seat])))

    def _give_up_soon(self, seat: SeatId) -> None:
        self._giving_up = asyncio.get_running_loop().create_task(self._give_up(seat), name="seat given up")

    async def _give_up(self, seat: SeatId) -> None:
        del self._left[seat]
        if not self.ours:
            return  # another caller started it and set its clock
        if self.holders or self._left:
            self.live.person(seat).detach()
        else:
            await self.stop()


class RemoteSeat:
    """One session in a seat."""

    def __init__(
        self,
        match: RemoteMatch,
        seat: SeatId,
        person: ExternalPlayer,
        reset: Reset,
        tokens: dict[SeatId, str] | None = None,
    ) -> None:
        """`reset` has the form in which the session is answered.

        `tokens` are those of all seats that were opened with the match.
        """
        self.match = match
        self.seat = seat
        self._person = person
        self._reset = reset
        self._tokens = tokens or {}
        match.hold(seat, self, person)

    @property
    def match_id(self) -> str:
        return self.match.live.episode_id

    @property
    def key(self) -> str:
        """Return the key with which the seat can be taken again: match, seat and token."""
        return f"{self.match_id}/{self.seat}/{self._tokens[self.seat]}"

    @property
    def watch(self) -> str:
        """Return the path of the page that shows the match."""
        return f"/episode/{self.match_id}"

    @property
    def status(self) -> Literal["choose", "negotiate", "waiting", "over"]:
        if self.match.over.is_set():
            return "over"
        return (self._person.awaited.is_set() and self._person.asked) or "waiting"

    def state(self, episode_id: str | None, steps: int) -> MatchState:
        """Return the state of the session."""
        match = self.match.live.runner.match
        return MatchState(
            episode_id=episode_id,
            step_count=steps,
            match_id=self.match_id,
            game=match.spec.name,
            seat=self.seat,
            turn=match.game.turn,
            index=match.index,
            status=self.status,
            watch=self.watch,
        )

    def prompt(self) -> tuple[str, str]:
        """Return the prompt of a language model: the moment, and how to answer if an answer is due."""
        game = self.match.live.runner.match.game
        if self.status not in ("choose", "negotiate"):
            return "", game.text(self.seat)
        system, text = (message["content"] for message in first_messages(self._form(), game, self.seat))
        return system, text

    def news(self, instructions: str) -> str:
        """Return `instructions` if they are not those that the seat last received: some clients need them once."""
        last = self.match.instructed.get(self.seat)
        if instructions:
            self.match.instructed[self.seat] = instructions
        return "" if instructions == last else instructions

    def legal(self) -> Json:
        """Return what the seat may do now, as data; None where no action is due."""
        if self.status != "choose":
            return None
        match = self.match.live.runner.match
        return reply_form(match.spec).legal(match.game, self.seat)

    def tools(self) -> list[Json]:
        """Return what the seat may do now as tools beside `OWN_TOOLS`; none where no action is due.

        Each takes the number of the decision, too, unless the game has an argument of that name.
        """
        return [_with_number(tool) for tool in self._offered()]

    def _offered(self) -> list[Json]:
        if self.status != "choose":
            return []
        match = self.match.live.runner.match
        return reply_form(match.spec).tools(match.game, self.seat, OWN_TOOLS)

    def leave(self, seconds: float) -> None:
        """Leave the seat, which is kept for `seconds`."""
        if self.match.holders.get(self.seat) is self:
            self.match.left(self.seat, seconds)

    async def first(self) -> MatchObservation:
        """Return the first observation of the seat, with its tokens."""
        await self._settle(self._reset.wait)
        others = {seat: token for seat, token in self._tokens.items() if seat != self.seat}
        own = {"seat_token": self._tokens[self.seat]} if self.seat in self._tokens else {}
        return self._observation(metadata={**own, **({"open_seats": others} if others else {})})

    async def step(self, action: MatchAction, longest: float = LONGEST_WAIT) -> MatchObservation:
        """Answer, and wait until the seat is asked again, the match or the wait is over, or the client is gone.

        The observation's `error` has what the rules refuse. Raises CommandError if another session has the seat.
        """
        wait = self._reset.wait if action.wait is None else action.wait
        return await self._submitted(lambda: self._submit(action), min(wait, longest))

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> MatchObservation:
        """Answer with one of the tools that are offered now, and wait as `step` does. Raises as it does."""
        return await self._submitted(lambda: self._submit_call(tool, arguments), self._reset.wait)

    async def _submitted(self, submit: Callable[[], None], wait: float) -> MatchObservation:
        if self.match.holders.get(self.seat) is not self:
            raise CommandError("seat: another session has taken it up; reset, or join again with its token")
        try:
            if await self.match.take_back(self.seat):
                raise NotAsked(BACK)
            submit()
        except NotAsked as error:
            await self._settle(wait)
            return self._observation(error=str(error))
        except IllegalAction as error:
            return self._observation(error=error.reason, error_field=error.field)
        await self._settle(wait)
        return self._observation()

    def _submit(self, action: MatchAction) -> None:
        """Submit a decision of the seat, if `action` has one. Raise NotAsked or IllegalAction."""
        parts = [name for name in ("action", "messages", "reply") if getattr(action, name) is not None]
        if not parts:
            return
        if len(parts) > 1:
            raise IllegalAction(parts[1], f"send only one of {', '.join(parts)}")
        self._take(action.number, _actions(action), lambda: self._answer(action))

    def _submit_call(self, tool: str, arguments: Mapping[str, Any]) -> None:
        """Submit a tool call as the seat's decision. Raise NotAsked or IllegalAction."""
        words = dict(arguments)
        own = any(NUMBER in each["parameters"]["properties"] for each in self._offered() if each["name"] == tool)
        number = None if own else words.pop(NUMBER, None)
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 0):
            raise IllegalAction(NUMBER, "must be a whole number, 0 or more")
        # A repeated call is recognized by its number alone: its arguments can be read only against the moment's
        # choices.
        self._take(number, None, lambda: self._person.submit(self._called(tool, words)))

    def _take(self, number: int | None, actions: Sequence[Action] | None, answer: Callable[[], None]) -> None:
        """Call `answer`, unless decision `number` was taken before. Raise NotAsked if another one is due."""
        if self.match.over.is_set():
            raise NotAsked("the match is over; reset for another")
        if number is None:
            if self.status != "waiting" and self._person.asks != self.match.shown[self.seat]:
                raise NotAsked("too late: something else has been asked since; this is what it is")
        elif self.match.live.repeats(self.seat, number, actions):
            return
        answer()

    def _answer(self, action: MatchAction) -> None:
        """Submit what `action` has. Raise NotAsked or IllegalAction."""
        if action.messages is not None:
            self._person.say(action.messages)
        elif action.action is not None:
            self._person.submit(action.action)
        elif self._person.asked == "negotiate":
            self._person.say(self._read(action.reply or ""))
        else:
            self._person.submit(*self._read(action.reply or ""))

    def _called(self, tool: str, arguments: Mapping[str, Any]) -> Action:
        """Return the action of a tool's call. Raise IllegalAction for a tool that is not offered now."""
        if self.status != "choose":
            now = "messages are due" if self.status == "negotiate" else "no action is due"
            raise IllegalAction(tool, f"is not offered now, because {now}; call play")
        match = self.match.live.runner.match
        return reply_form(match.spec).called(match.game, self.seat, tool, arguments, OWN_TOOLS)

    def _read(self, reply: str) -> Sequence[Action]:
        """Return the actions in a language model's answer."""
        form, game = self._form(), self.match.live.runner.match.game
        try:
            return form.read(game, self.seat, parse_answer(form, game, self.seat, reply))
        except ReplyError as error:
            raise IllegalAction("reply", str(error)) from None

    def _form(self) -> ReplyForm:
        spec = self.match.live.runner.match.spec
        return spec.talk.press.form if self._person.asked == "negotiate" and spec.talk.press else reply_form(spec)

    async def _settle(self, seconds: float) -> None:
        """Wait until the seat is asked, the match is over, or the client is gone."""
        socket = CONNECTION.get().socket
        events = [self._person.awaited, self.match.over, *([socket.gone] if socket else [])]
        await first_of([event.wait() for event in events], max(seconds, MOMENT))

    def _observation(self, **more: Any) -> MatchObservation:
        """Return what the seat may know now. Raises CommandError while the last events cannot be recorded."""
        self.match.check_recorded()
        status, show = self.status, self._reset.show
        match, game = self.match.live.runner.match, self.match.live.runner.match.game
        system, text = self.prompt() if "text" in show else ("", "")
        self.match.shown[self.seat] = self._person.asks
        ended = self.match.ended
        return MatchObservation(
            done=status == "over",
            reward=self.match.reward(self.seat, gain=self._reset.reward == "gain"),
            status=status,
            match_id=self.match_id,
            game=match.spec.name,
            seat=self.seat,
            turn=game.turn,
            index=match.index,
            number=match.number(self.seat),
            watch=self.watch,
            system_prompt=system,
            text=text,
            view=game.observation(self.seat) if "view" in show else None,
            legal=self.legal() if "legal" in show else None,
            scores=game.scores(),
            deadline=self._person.deadline,
            outcome=ended.outcome if ended else None,
            message=ended.message if ended else "",
            **more,
        )


def _actions(action: MatchAction) -> Sequence[Action] | None:
    """Return the actions of a step; None for a model's reply, which is identified by its number alone."""
    return action.messages if action.action is None else [action.action]


def _with_number(tool: Json) -> Json:
    parameters, arguments = tool["parameters"], tool["parameters"]["properties"]
    number = {"type": "integer", "minimum": 0, "description": NUMBER_HELP}
    return {**tool, "parameters": {**parameters, "properties": {**arguments, NUMBER: arguments.get(NUMBER, number)}}}
