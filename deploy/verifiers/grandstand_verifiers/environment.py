"""One match as one episode: the tasks, the players of the seats, and the rewards of their traces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import verifiers.v1 as vf
from pydantic import Field
from verifiers.v1.agent import Agents, Interaction
from verifiers.v1.episode import Episode
from verifiers.v1.runtimes import SubprocessConfig

from grandstand.games.base import OptionError, SeatId
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.play.headless import MatchPlan, MatchResult, play_match
from grandstand.players.llm.client import ChatError
from grandstand.players.llm.completion import Completion
from grandstand.players.llm.outside import outside_player
from grandstand.players.llm.player import LLMPlayer
from grandstand.players.llm.prompt import ChatMessage, first_messages, reply_form
from grandstand_verifiers.harness import SCHEMA

ID = "grandstand-verifiers"
AGENT = "agent"
"""The name in `opponents` for the agent `opponent`."""


class MatchData(vf.TaskData):
    """The match of a task, and the seats that its player plays."""

    game: str
    options: dict[str, Any]
    match_seed: int
    seats: list[str]


class MatchTask(vf.Task[MatchData]):
    """One match. Its rewards are recorded by the environment, which knows all seats."""


class MatchTasksetConfig(vf.TasksetConfig):
    """The matches to play."""

    game: str = ""
    options: dict[str, Any] = Field(default_factory=dict)
    seeds: int = 1000
    seats: list[str] = Field(default_factory=list)
    together: bool = False


class MatchTaskset(vf.Taskset[MatchTask, MatchTasksetConfig]):
    """Matches of one game that differ in their seeds and in the player's seat."""

    def load(self) -> Iterator[MatchTask]:
        """Yield a task for each seed and seat, or for each seed if the seats are played together. Raises OptionError
        naming an unknown game, option or seat."""
        config = self.config
        if not config.game:
            raise OptionError("game: name a game (--env.taskset.game NAME)")
        every = game_spec(config.game).seats(config.options)
        known = {seat.lower(): seat for seat in every}
        if unknown := [name for name in config.seats if name.lower() not in known]:
            raise OptionError(f"seats: {config.game} has no seat {', '.join(unknown)}; it has {', '.join(every)}")
        seats = [known[name.lower()] for name in config.seats] or list(every)
        groups = [seats] if config.together else [[seat] for seat in seats]
        for seed in range(config.seeds):
            for group in groups:
                data = MatchData(
                    name=f"{config.game}#{seed} {'+'.join(group)}",
                    game=config.game,
                    options=config.options,
                    match_seed=seed,
                    seats=group,
                )
                yield MatchTask(data, config.task)


class MatchEnvConfig(vf.EnvConfig):
    """Who plays, and how long."""

    player: vf.AgentConfig = vf.AgentConfig(runtime=SubprocessConfig())
    opponent: vf.AgentConfig = vf.AgentConfig(runtime=SubprocessConfig())
    opponents: str = ""
    max_turns: int = 0
    records: str = ""
    max_concurrent_agents: int | None = None


class SeatConversation:
    """The conversation of an agent about one seat: every request for an answer is its next turn."""

    def __init__(self, conversation: Interaction, system: str) -> None:
        self.trace: vf.Trace = conversation.trace
        self._conversation = conversation
        self._system = system

    async def reply(self, messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> Completion:
        """Return the agent's reply to the last message. Raises ChatError once the conversation has ended.

        A request in another form than the first one, such as for messages of press, has its form before it.
        """
        text, system = messages[-1]["content"], messages[0]["content"]
        if system != self._system and len(messages) == 2:
            text = f"{system}\n\n{text}"
        self.trace.info[SCHEMA] = dict(schema)
        segment = None if self.trace.stop_condition else await self._conversation.turn(text)
        self.trace.info.pop(SCHEMA, None)
        if segment is None or segment.terminated:
            raise ChatError("provider", "the agent's conversation has ended")
        return Completion(segment.last_reply)


class MatchEnv(vf.Env[MatchEnvConfig]):
    """One match of any game."""

    async def setup(self, agents: Agents[Any]) -> None:
        """Mark the opponent, which is never trained."""
        agents.opponent.trainable = False

    async def run(self, task: MatchTask, agents: Agents[Any]) -> None:
        """Play the match; each conversation becomes a trace when it is over."""
        data = task.data
        match = Match(game_spec(data.game), data.options, data.match_seed)
        talkers = {
            seat: agents.player if seat in data.seats else agents.opponent
            for seat in match.seats
            if seat in data.seats or self.config.opponents == AGENT
        }
        conversations: dict[SeatId, SeatConversation] = {}
        players: dict[SeatId, LLMPlayer] = {}
        async with AsyncExitStack() as stack:
            for seat, agent in talkers.items():
                conversations[seat] = await _seated(stack, match, seat, agent, task)
                name = "player" if seat in data.seats else "opponent"
                players[seat] = outside_player(match.spec, name, conversations[seat].reply)
            result = await play_match(self._plan(match, data), seated=players)
        for seat, conversation in conversations.items():
            _record(conversation.trace, seat, result)

    def _plan(self, match: Match[Any], data: MatchData) -> MatchPlan:
        bots, named = match.spec.bots, self.config.opponents
        folder = Path(self.config.records) if self.config.records else None
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        return MatchPlan(
            episode_id=f"{data.game}-{uuid4().hex[:10]}",
            game=data.game,
            players=(bots.default if named in ("", AGENT) else named,) * len(match.seats),
            options=data.options,
            seed=data.match_seed,
            folder=folder,
            measured=data.seats[0] if len(data.seats) == 1 else "",
            max_turns=self.config.max_turns,
        )

    async def finalize(self, task: MatchTask, episode: Episode) -> None:
        """Do nothing: the rewards are recorded where the match is at hand."""


async def _seated(
    stack: AsyncExitStack, match: Match[Any], seat: SeatId, agent: Any, task: MatchTask
) -> SeatConversation:
    """Open the conversation of an agent about a seat."""
    system = first_messages(reply_form(match.spec), match.game, seat)[0]["content"]
    data = task.data.model_copy(update={"system_prompt": system, "description": seat})
    opened = await stack.enter_async_context(agent.interaction(MatchTask(data, task.config)))
    return SeatConversation(opened, system)


def _record(trace: vf.Trace, seat: SeatId, result: MatchResult) -> None:
    """Record the seat's score as the reward of its trace; none if the fallback made one of its decisions."""
    record = next(record for record in result.seats if record.seat == seat)
    score = result.scores.get(seat, 0.0)
    trace.record_reward("score", 0.0 if record.fallbacks else score)
    counts = {"decisions": record.decisions, "fallbacks": record.fallbacks, "faults": record.faults}
    trace.record_metrics({**result.measures, "match_score": score, **counts})


def load_environment(
    game: str,
    *,
    options: Mapping[str, Any] | None = None,
    seeds: int = 1000,
    seats: Sequence[str] = (),
    together: bool = False,
    **env: Any,
) -> MatchEnv:
    """Return the environment of a game; `env` are settings of the environment, such as `opponents` and `player`."""
    taskset = {"id": ID, "game": game, "options": dict(options or {}), "seeds": seeds}
    taskset |= {"seats": list(seats), "together": together}
    return MatchEnv(MatchEnvConfig.model_validate({**env, "taskset": taskset}))
