"""Playing to learn: groups of forks of one position, in lock-step, through the ordinary match runner and bus.

Siblings share the match's seed: the same luck of the game, the same draws of the bots and of the policies in the other
seats. Only the draws of those that are trained differ, and they are keyed, so that a step can be played again.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from grandstand.games.base import SeatId
from grandstand.games.match import Match
from grandstand.games.spec import GameSpec
from grandstand.models import Draft, EpisodeEnded, TurnRecorded
from grandstand.play.runner import MatchRunner, draft
from grandstand.players.base import Choice, Player
from grandstand.players.bot import BotPlayer
from grandstand.spectator.bus import Bus
from grandstand.trainer.codec import Codec, Question, training_of
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.matchmaking import SELF, GroupPlan, keyed
from grandstand.trainer.sampler import Ask, Sampled, Sampler

Told = Callable[[int, int], None]
"""(matches that are over, all of them): progress."""


class PolicyPlayer(Player):
    """A version of the policy in a seat. The rollouts answer for it, together with all the others."""

    kind = "trained"
    resumable = False

    def __init__(self, name: str, version: int, recorded: bool) -> None:
        self.name = f"{name}@v{version:06d}"
        self.version = version
        self.recorded = recorded
        """Whether its choices are recorded to learn from."""

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        raise NotImplementedError("the rollouts ask the sampler for it")


@dataclass
class Fork:
    """One match of a group."""

    episode_id: str
    runner: MatchRunner
    horizon: float
    """The game's clock at which it is stopped."""
    seeds: Mapping[SeatId, int]
    """Of the policies' draws: each sibling's own in the heroes' seats, common to all in the others."""
    drafts: list[Draft]
    """Not yet published."""
    decisions: dict[SeatId, int] = field(default_factory=dict)
    over: bool = False


class Waiting(NamedTuple):
    """A choice that the sampler is asked for."""

    fork: Fork
    seat: SeatId
    question: Question
    ask: Ask


class Rollouts:
    """Plays forks in lock-step: one batch of the sampler for all that wait, whatever matches they are of."""

    def __init__(self, config: TrainConfig, spec: GameSpec, codec: Codec, sampler: Sampler, bus: Bus) -> None:
        self._config, self._spec, self._codec = config, spec, codec
        self._sampler, self._bus = sampler, bus
        self._training = training_of(spec)

    def forks(self, plan: GroupPlan, version: int, ids: Sequence[str], *, record: bool = True) -> list[Fork]:
        """The siblings of a group, one for each id, at the fork: the heroes' seats are of this version."""
        options = self._config.game.options
        match = Match(self._spec, options, plan.seed)
        played = self._warm_up(match, plan)
        until = self._training.clock(match.game) + plan.horizon
        forks = []
        for number, episode_id in enumerate(ids):
            runner = MatchRunner(match.fork(), self._players(plan, version, record))
            created = runner.created(options, title=plan.title, origin="trainer")
            self._bus.open(episode_id, time.time_ns() // 1_000_000)
            seeds = {
                seat: keyed(self._config.run.seed, plan.id, number if seat in plan.heroes else "common")
                for seat in self._spec.seats
            }
            forks.append(Fork(episode_id, runner, until, seeds, [*created, *played]))
        return forks

    def play(self, forks: Sequence[Fork], told: Told | None = None, seconds: float = float("inf")) -> None:
        """Play these to their ends. Those that are not over after so many seconds end as interrupted.

        Raises SamplerError where the sampler cannot answer; the episodes are then left open.
        """
        live, deadline = list(forks), time.monotonic() + seconds
        while live:
            late = time.monotonic() > deadline
            if not late:
                self._round(live)
            for fork in live:
                self._publish(fork, late)
            live = [fork for fork in live if not fork.over]
            if told is not None:
                told(len(forks) - len(live), len(forks))

    def _players(self, plan: GroupPlan, version: int, record: bool) -> dict[SeatId, Player]:
        run = self._config.run.name
        players: dict[SeatId, Player] = {seat: PolicyPlayer(run, version, record) for seat in plan.heroes}
        for seat, name in plan.opponents.items():
            if name == SELF:
                players[seat] = PolicyPlayer(run, version, False)
            elif name.startswith("@"):
                players[seat] = PolicyPlayer(run, int(name[1:]), False)
            else:
                players[seat] = BotPlayer(self._spec, name)
        return players

    def _warm_up(self, match: Match, plan: GroupPlan) -> list[Draft]:
        """The log up to the fork, where `match` stands afterwards. Bots play; in the policies' seats, any of them."""
        bots = list(self._spec.bots)
        rng = Random(keyed(plan.seed, "warm-up"))
        drawn = {seat: rng.choice(bots) for seat in self._spec.seats}
        named = {seat: name for seat, name in plan.opponents.items() if name in bots}
        runner = MatchRunner(match, {seat: BotPlayer(self._spec, name) for seat, name in {**drawn, **named}.items()})
        log = runner.started()
        while match.index < plan.warmup and not match.over:
            for seat, choice in [(seat, bot_choice(runner.players[seat], match, seat)) for seat in match.waiting]:
                log += runner.play(seat, choice)
        return log

    def _round(self, forks: Sequence[Fork]) -> None:
        """One choice of every seat that is waited for, all of a match made before any is played."""
        made: dict[str, dict[SeatId, Choice]] = {fork.episode_id: {} for fork in forks}
        asked: dict[int, list[Waiting]] = defaultdict(list)
        for fork in forks:
            match = fork.runner.match
            for seat in match.waiting:
                player = fork.runner.players[seat]
                if isinstance(player, PolicyPlayer):
                    asked[player.version].append(self._ask(fork, seat))
                else:
                    made[fork.episode_id][seat] = bot_choice(player, match, seat)
        for version, waiting in sorted(asked.items()):
            answers = self._sampler.sample([one.ask for one in waiting], version)
            for one, sampled in zip(waiting, answers, strict=True):
                made[one.fork.episode_id][one.seat] = self._choice(one, sampled)
        for fork in forks:
            match, index = fork.runner.match, fork.runner.match.index
            for seat in match.waiting:
                if not match.over and match.index == index:
                    fork.drafts += fork.runner.play(seat, made[fork.episode_id][seat])

    def _ask(self, fork: Fork, seat: SeatId) -> Waiting:
        done = fork.decisions.get(seat, 0)
        fork.decisions[seat] = done + 1
        question = Question(self._spec, self._codec, fork.runner.match.game, seat)
        ask = question.ask(keyed(fork.seeds[seat], seat, done), self._config.rollout.temperature)
        return Waiting(fork, seat, question, ask)

    def _choice(self, one: Waiting, sampled: Sampled) -> Choice:
        player = one.fork.runner.players[one.seat]
        assert isinstance(player, PolicyPlayer)
        turn = None
        if player.recorded:
            turn = TurnRecorded(
                seat=one.seat,
                index=one.fork.runner.match.index,
                policy=self._config.run.name,
                version=sampled.version,
                temperature=one.ask.temperature,
                prompt=list(one.ask.prompt),
                completion=sampled.completion,
                logprobs=sampled.logprobs,
                allowed=sampled.allowed,
                features=dict(one.question.features()),
            )
        return Choice(one.question.action(sampled.chosen), "policy", turn=turn)

    def _publish(self, fork: Fork, late: bool) -> None:
        """Record what was played, and the end where there is one."""
        match = fork.runner.match
        at_horizon = self._training.clock(match.game) >= fork.horizon
        if not match.over and at_horizon:
            message = f"stopped at the horizon: {self._training.unit} {fork.horizon:g}"
            fork.drafts.append(draft(EpisodeEnded(status="stopped", message=message)))
        elif not match.over and late:
            message = "not over in the time that the step had"
            fork.drafts.append(draft(EpisodeEnded(status="interrupted", message=message)))
        fork.over = match.over or at_horizon or late
        self._bus.publish(fork.episode_id, fork.drafts)
        fork.drafts = []


def bot_choice(player: Player, match: Match, seat: SeatId) -> Choice:
    """What a built-in player answers, at once."""
    assert isinstance(player, BotPlayer)
    return Choice(player.bot(match.game, seat, match.rng(seat)), "heuristic")
