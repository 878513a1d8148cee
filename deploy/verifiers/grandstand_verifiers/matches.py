"""One match as one episode: the tasks, the seats' players, and the rewards of their traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from typing import Any, ClassVar

import verifiers.v1 as vf
from pydantic import Field
from verifiers.v1.agent import Agents, Interaction
from verifiers.v1.episode import Episode
from verifiers.v1.runtimes import SubprocessConfig

from grandstand.games.base import Action, IllegalAction, SeatId
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, flat_drafts
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Choice, Player
from grandstand.players.bot import BotPlayer
from grandstand.players.errors import PlayerError
from grandstand.players.llm.prompt import first_messages, repair_messages, reply_form
from grandstand.players.llm.replies import ReplyError, parse_reply

HARNESS = "grandstand-verifiers"


def seat() -> vf.AgentConfig:
    """Return the default agent of a seat."""
    return vf.AgentConfig(harness={"id": HARNESS}, runtime=SubprocessConfig())


class MatchData(vf.TaskData):
    """The match of a task."""

    match_seed: int
    options: dict[str, Any]


class MatchTask(vf.Task[MatchData]):
    """One match. Its rewards are recorded by the environment, which knows all seats."""


class MatchTasksetConfig(vf.TasksetConfig):
    """The matches to play."""

    seeds: int = 1000
    options: dict[str, Any] = Field(default_factory=dict)


class MatchTaskset(vf.Taskset[MatchTask, MatchTasksetConfig]):
    """Matches of one game that differ in their seeds."""

    game: ClassVar[str]

    def load(self) -> Iterator[MatchTask]:
        for number in range(self.config.seeds):
            data = MatchData(name=f"{self.game}#{number}", match_seed=number, options=self.config.options)
            yield MatchTask(data, self.config.task)


class MatchEnvConfig(vf.EnvConfig):
    """The settings that the games share; each adds its seats."""

    trained: list[str] = Field(default_factory=list)
    opponents: str = ""
    max_turns: int = 0
    max_concurrent_agents: int | None = None


class AgentPlayer(Player):
    """The agent of a seat as a player: every decision is a turn of its conversation."""

    kind = "llm"
    resumable = False
    calls_provider = True

    def __init__(self, name: str, conversation: Interaction) -> None:
        self.name = name
        self._conversation = conversation
        self._ahead: list[Action] = []
        self._turn = ""

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        """Return the next action of an answer, or of a new one. Raises PlayerError."""
        if self._ahead and self._turn == match.game.turn and not _refusal(match, seat, self._ahead[:1]):
            return Choice(self._ahead.pop(0), "policy")
        messages = first_messages(reply_form(match.spec), match.game, seat)[1:]
        for _ in range(2):
            reply = await self._reply(messages[-1]["content"])
            actions, fault = _read(match, seat, reply)
            if not fault:
                self._turn, self._ahead = match.game.turn, list(actions[1:])
                return Choice(actions[0], "policy")
            messages = repair_messages(reply, fault)
        raise PlayerError("player", fault)

    async def _reply(self, text: str) -> str:
        segment = await self._conversation.turn(text) if not self._conversation.trace.stop_condition else None
        if segment is None or segment.terminated:
            raise PlayerError("provider", "the agent's conversation has ended")
        return segment.last_reply


def _read(match: Match, seat: SeatId, reply: str) -> tuple[Sequence[Action], str]:
    """Return the actions of a reply, or the reason why it cannot be used."""
    form = reply_form(match.spec)
    try:
        return form.read(match.game, seat, parse_reply(reply, form.keys(match.game, seat))), ""
    except (ReplyError, IllegalAction) as error:
        return (), str(error)


def _refusal(match: Match, seat: SeatId, actions: Sequence[Action]) -> str:
    """Return the reason why actions are illegal, or an empty text."""
    trial = match.game.clone()
    try:
        for action in actions:
            trial.apply(seat, action)
    except IllegalAction as error:
        return str(error)
    return ""


class MatchPlay:
    """What the environments of both games do. `game` is its name; agents are named like seats in lower case."""

    game: ClassVar[str]
    config: MatchEnvConfig

    @property
    def _trained(self) -> set[str]:
        seats = game_spec(self.game).seats()
        unknown = sorted({name.lower() for name in self.config.trained} - {seat.lower() for seat in seats})
        if unknown:
            raise ValueError(f"env.trained: {self.game} has no seat {', '.join(unknown)}; it has {', '.join(seats)}")
        return {name.lower() for name in self.config.trained} or {seat.lower() for seat in seats}

    async def setup(self, agents: Agents[Any]) -> None:
        """Mark the seats that are trained."""
        for seat in game_spec(self.game).seats():
            getattr(agents, seat.lower()).trainable = seat.lower() in self._trained

    async def run(self, task: MatchTask, agents: Agents[Any]) -> None:
        """Play the match; each agent's conversation becomes a trace when it is over."""
        spec = game_spec(self.game)
        match = Match(spec, task.data.options, task.data.match_seed)
        players: dict[SeatId, Player] = {}
        conversations: dict[SeatId, Interaction] = {}
        drafts: list[Draft] = []
        async with AsyncExitStack() as stack:
            for seat in match.seats:
                if self.config.opponents and seat.lower() not in self._trained:
                    players[seat] = BotPlayer(spec, self.config.opponents)
                    continue
                system = first_messages(reply_form(spec), match.game, seat)[0]["content"]
                data = task.data.model_copy(update={"prompt": None, "system_prompt": system})
                agent = getattr(agents, seat.lower())
                conversations[seat] = await stack.enter_async_context(agent.interaction(MatchTask(data, task.config)))
                players[seat] = AgentPlayer(seat.lower(), conversations[seat])
            runner = MatchRunner(match, players)
            drafts += runner.started()
            while not match.over and not 0 < self.config.max_turns <= match.index:
                async for of_step in runner.play_round():
                    drafts += of_step
        for seat, conversation in conversations.items():
            self._record(match, seat, conversation.trace, drafts)

    def _record(self, match: Match, seat: SeatId, trace: vf.Trace, drafts: Sequence[Draft]) -> None:
        """Record the seat's score as the reward of its trace, and the components of the game's rewards as metrics."""
        scores = match.game.scores() if match.game.outcome is None else match.game.outcome.scores
        trace.record_reward("score", scores[seat])
        rewards, kinds = match.spec.training.rewards, match.spec.reward_events
        events = list(flat_drafts(drafts))
        of_game = [(number, draft.type, draft.data) for number, draft in enumerate(events) if draft.type in kinds]
        totals = dict.fromkeys(rewards.components, 0.0)
        for entry in rewards.ledger(of_game, seat, rewards.settings):
            totals[entry.component] += entry.amount
        own = [draft for draft in events if draft.data.get("seat") == seat]
        decisions = sum(draft.type == "ActionChosen" and draft.data["source"] == "policy" for draft in own)
        faults = sum(draft.type == "PlayerFault" for draft in own)
        trace.record_metrics({**totals, "decisions": decisions, "faults": faults})

    async def finalize(self, task: MatchTask, episode: Episode) -> None:
        """Do nothing: the rewards are recorded where the match is at hand."""
