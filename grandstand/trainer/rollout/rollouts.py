"""Play groups of forks of one position in lock-step, through the ordinary match runner and bus.

Siblings share the match's seed: the same random events of the game, the same draws of the bots and of the policies in
the other seats. Only the draws of the trained seats differ, and they are keyed, so that a step can be repeated.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import NamedTuple, Protocol

from grandstand.events import EpisodeEnded, TurnRecorded
from grandstand.games.base import SeatId
from grandstand.games.match import Match
from grandstand.games.spec import GameSpec
from grandstand.models import Draft
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Choice, Player
from grandstand.players.bot import BotPlayer
from grandstand.spectator.bus import Bus, new_epoch
from grandstand.trainer.config.league_settings import SELF
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import GroupPlan, keyed
from grandstand.trainer.model.codec import Codec, Question
from grandstand.trainer.model.sampler import Ask, Sampled, Sampler

OnProgress = Callable[[int, int], None]
"""Report progress: (matches that are over, all matches)."""


def ignore_progress(done: int, whole: int) -> None: ...


Scores = Mapping[str, Mapping[SeatId, float]]
"""Scores of the seats at the end of play, by episode."""


@dataclass(frozen=True)
class Group:
    """Siblings that are to be played, one for each id, with `version` in the trained seats."""

    plan: GroupPlan
    version: int
    episode_ids: Sequence[str]
    record: bool = True
    """True if the decisions of the trained seats are recorded for training."""


class GroupPlayer(Protocol):
    """Plays groups: in this process, or on other machines."""

    def play_groups(
        self, groups: Sequence[Group], progress: OnProgress = ignore_progress, seconds: float = inf
    ) -> Scores:
        """Play and publish groups; matches not over after `seconds` end as interrupted. Raises SamplerError."""


class PolicyPlayer(Player):
    """A version of the policy in a seat; `Rollouts` samples its decisions in batches."""

    kind = "trained"
    resumable = False

    def __init__(self, name: str, version: int, recorded: bool, number: int | None = None) -> None:
        """Create a player; `number` is the sampler's number of another run's version."""
        self.name = f"{name}@v{version:06d}"
        self.number = version if number is None else number
        """Its number at the sampler."""
        self.recorded = recorded
        """True if its decisions are recorded for training."""

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        raise NotImplementedError("Rollouts samples its decisions in batches")


@dataclass
class Fork:
    """One match of a group."""

    episode_id: str
    runner: MatchRunner
    horizon: float
    """The game's clock at which the match is stopped."""
    seeds: Mapping[SeatId, int]
    """Seeds of the policies' draws: each sibling has its own in the trained seats, all share those of the others."""
    drafts: list[Draft]
    """Drafts that are not published yet."""
    decisions: dict[SeatId, int] = field(default_factory=dict)
    over: bool = False

    @property
    def scores(self) -> Mapping[SeatId, float]:
        """Return the scores of the seats as the match stands."""
        game = self.runner.match.game
        return game.scores() if game.outcome is None else game.outcome.scores


class Waiting(NamedTuple):
    """A decision requested from the sampler."""

    fork: Fork
    seat: SeatId
    question: Question
    ask: Ask


class Rollouts:
    """Plays forks in lock-step, with one sampler batch for all waiting seats of all matches."""

    def __init__(
        self,
        config: TrainConfig,
        spec: GameSpec,
        codec: Codec,
        sampler: Sampler,
        bus: Bus,
        peers: Mapping[str, int] | None = None,
    ) -> None:
        """`peers` are the numbers at the sampler of other runs' versions, by name."""
        self._peers = peers or {}
        self._config, self._spec, self._codec = config, spec, codec
        self._sampler, self._bus = sampler, bus
        self._training = spec.training

    def forks(self, plan: GroupPlan, version: int, ids: Sequence[str], *, record: bool = True) -> list[Fork]:
        """Return the siblings of a group at the fork, one for each id, with this version in the trained seats."""
        options = self._config.game.options if plan.options is None else plan.options
        match = Match(self._spec, options, plan.seed)
        played = self._warm_up(match, plan)
        until = self._training.time(match.game, match.index) + plan.horizon
        forks = []
        for number, episode_id in enumerate(ids):
            runner = MatchRunner(match.fork(), self._players(plan, version, record))
            title = plan.title if len(ids) == 1 else f"{plan.title}, fork {number + 1}"
            created = runner.created(options, title=title, origin="trainer")
            self._bus.open(episode_id, new_epoch())
            seeds = {
                seat: keyed(self._config.run.seed, plan.id, number if seat in plan.trained_seats else "common")
                for seat in match.seats
            }
            forks.append(Fork(episode_id, runner, until, seeds, [*created, *played]))
        return forks

    def play(self, forks: Sequence[Fork], progress: OnProgress = ignore_progress, seconds: float = inf) -> None:
        """Play forks to their ends; those not over after `seconds` end as interrupted.

        Raises SamplerError if the sampler fails; the episodes are then left open.
        """
        live, deadline = list(forks), time.monotonic() + seconds
        while live:
            late = time.monotonic() > deadline
            if not late:
                self._round(live)
            for fork in live:
                self._publish(fork, late)
            live = [fork for fork in live if not fork.over]
            progress(len(forks) - len(live), len(forks))

    def play_groups(
        self, groups: Sequence[Group], progress: OnProgress = ignore_progress, seconds: float = inf
    ) -> Scores:
        """Play groups side by side, with one batch of the sampler for all of them, and return the scores."""
        forks = [
            fork
            for group in groups
            for fork in self.forks(group.plan, group.version, group.episode_ids, record=group.record)
        ]
        self.play(forks, progress, seconds)
        return {fork.episode_id: fork.scores for fork in forks}

    def _players(self, plan: GroupPlan, version: int, record: bool) -> dict[SeatId, Player]:
        run = self._config.run.name
        players: dict[SeatId, Player] = {seat: PolicyPlayer(run, version, record) for seat in plan.trained_seats}
        for seat, name in plan.opponents.items():
            if name == SELF:
                players[seat] = PolicyPlayer(run, version, False)
            elif name.startswith("@"):
                players[seat] = PolicyPlayer(run, int(name[1:]), False)
            elif name in self._peers:
                other, _, version_text = name.rpartition("@v")
                players[seat] = PolicyPlayer(other, int(version_text), False, self._peers[name])
            else:
                players[seat] = BotPlayer(self._spec, name)
        return players

    def _warm_up(self, match: Match, plan: GroupPlan) -> list[Draft]:
        """Play `match` to the fork with bots, drawn at random for the policies' seats, and return the log."""
        bots = [name for name in self._spec.bots.players if name not in self._spec.bots.slow]
        rng = Random(keyed(plan.seed, "warm-up"))
        drawn = {seat: rng.choice(bots) for seat in match.seats}
        named = {seat: name for seat, name in plan.opponents.items() if name in bots}
        runner = MatchRunner(match, {seat: BotPlayer(self._spec, name) for seat, name in {**drawn, **named}.items()})
        log = runner.started()
        while match.index < plan.warmup and not match.over:
            for seat, choice in [(seat, bot_choice(runner.players[seat], match, seat)) for seat in match.waiting]:
                log += runner.play(seat, choice)
        return log

    def _round(self, forks: Sequence[Fork]) -> None:
        """Play one decision of every waiting seat; those of a match are all made before any is played."""
        decided: dict[str, dict[SeatId, Choice]] = {fork.episode_id: {} for fork in forks}
        waiting: dict[int, list[Waiting]] = defaultdict(list)
        for fork in forks:
            match = fork.runner.match
            for seat in match.waiting:
                player = fork.runner.players[seat]
                if isinstance(player, PolicyPlayer) and seat in match.asked:
                    waiting[player.number].append(self._ask(fork, seat))
                else:
                    decided[fork.episode_id][seat] = bot_choice(player, match, seat)
        for version, batch in sorted(waiting.items()):
            answers = self._sampler.sample([request.ask for request in batch], version)
            for request, sampled in zip(batch, answers, strict=True):
                decided[request.fork.episode_id][request.seat] = self._choice(request, sampled)
        for fork in forks:
            match, index = fork.runner.match, fork.runner.match.index
            for seat in match.waiting:
                if not match.over and match.index == index:
                    fork.drafts += fork.runner.play(seat, decided[fork.episode_id][seat])

    def _ask(self, fork: Fork, seat: SeatId) -> Waiting:
        done = fork.decisions.get(seat, 0)
        fork.decisions[seat] = done + 1
        question = Question(self._spec, self._codec, fork.runner.match.game, seat)
        ask = question.ask(keyed(fork.seeds[seat], seat, done), self._config.rollout.temperature)
        return Waiting(fork, seat, question, ask)

    def _choice(self, request: Waiting, sampled: Sampled) -> Choice:
        player = request.fork.runner.players[request.seat]
        assert isinstance(player, PolicyPlayer)
        turn = None
        if player.recorded:
            turn = TurnRecorded(
                seat=request.seat,
                index=request.fork.runner.match.index,
                policy=self._config.run.name,
                version=sampled.version,
                temperature=request.ask.temperature,
                prompt=list(request.ask.prompt),
                completion=sampled.completion,
                logprobs=sampled.logprobs,
                allowed=sampled.allowed,
                features=dict(request.question.features()),
            )
        return Choice(request.question.action(sampled.chosen), "policy", turn=turn)

    def _publish(self, fork: Fork, late: bool) -> None:
        """Publish the new events, and the end if the match is over."""
        match = fork.runner.match
        at_horizon = self._training.time(match.game, match.index) >= fork.horizon
        if not match.over and at_horizon:
            message = f"stopped at the horizon: {self._training.unit} {fork.horizon:g}"
            fork.drafts.append(Draft.of(EpisodeEnded(status="stopped", message=message)))
        elif not match.over and late:
            message = "not over in the time that the step had"
            fork.drafts.append(Draft.of(EpisodeEnded(status="interrupted", message=message)))
        fork.over = match.over or at_horizon or late
        self._bus.publish(fork.episode_id, fork.drafts)
        fork.drafts = []


def bot_choice(player: Player, match: Match, seat: SeatId) -> Choice:
    """Return the choice that stands already, or that of a built-in player."""
    if (standing := match.standing(seat)) is not None:
        return Choice(standing, "standing")
    assert isinstance(player, BotPlayer)
    return Choice(player.bot(match.game, seat, match.rng(seat)), "heuristic")
