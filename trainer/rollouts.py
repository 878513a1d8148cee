"""Playing to learn: groups of forks of one position, in lock-step, through the ordinary Match, Table, Bus and Recorder.

Everything that is drawn here comes from the run's seed, the step and the group, so a step can be played again. Siblings
share the match's seed: the same luck of the game and the same draws of the bots; only the policy's own draws differ.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from games.base import GameSpec, SeatId
from games.match import Match
from models import Draft, EpisodeEnded, TurnRecorded
from players.base import Choice, Player
from players.bot import BotPlayer
from players.table import Table, draft
from spectator.bus import Bus
from trainer.codec import Codec, Question, training_of
from trainer.config import TrainConfig
from trainer.sampler import Ask, Sampler

SELF, BASE, PAST = "self", "base", "past"
"""Opponents that are the policy: as it is now, as it began, as it was at some step."""


def keyed(*parts: object) -> int:
    """A 63-bit seed of its own for whatever the parts name."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:8], "big") >> 1


class PolicyPlayer(Player):
    """A version of the policy in a seat. It is answered for by the rollouts, together with all the others."""

    kind = "trained"
    resumable = False

    def __init__(self, name: str, version: int, trained: bool) -> None:
        self.name = f"{name}@v{version:06d}"
        self.version = version
        self.trained = trained
        """Whether its choices are recorded to learn from."""


@dataclass(frozen=True)
class GroupPlan:
    """What one group plays: decided before, by its step and number alone."""

    id: str
    """`s000012-g03`: the beginning of its episodes' ids."""
    seed: int
    heroes: tuple[SeatId, ...]
    """The seats that are trained."""
    opponents: Mapping[SeatId, str]
    """A bot's name, `self`, or a version as `@12`."""
    warmup: int
    """Turns that bots play before the fork."""
    horizon: float

    def episode(self, run: str, fork: int) -> str:
        return f"{run}-{self.id}-f{fork:02d}"


def plan_step(config: TrainConfig, spec: GameSpec, step: int, versions: Sequence[int]) -> list[GroupPlan]:
    """The groups of a step; `versions` are those that a past opponent may be."""
    return [
        _plan_group(config, spec, step, number, Random(keyed(config.run.seed, "plan", step, number)), versions)
        for number in range(config.rollout.groups)
    ]


def _plan_group(
    config: TrainConfig, spec: GameSpec, step: int, number: int, rng: Random, versions: Sequence[int]
) -> GroupPlan:
    game, rollout = config.game, config.rollout
    first = game.hero or spec.seats[(step * rollout.groups + number) % len(spec.seats)]
    others = [seat for seat in spec.seats if seat != first]
    heroes = {first, *rng.sample(others, game.heroes - 1)}
    names, weights = list(rollout.opponents), list(rollout.opponents.values())
    opponents = {}
    for seat in spec.seats:
        if seat not in heroes:
            name = rng.choices(names, weights)[0]
            opponents[seat] = f"@{_version(name, versions, rng)}" if name in (BASE, PAST) else name
    warm = 0 if rng.random() < rollout.warmup_none_chance else rng.randint(0, rollout.warmup)
    long = rng.random() < rollout.long_horizon_chance
    return GroupPlan(
        id=f"s{step:06d}-g{number:03d}",
        seed=rng.getrandbits(48),
        heroes=tuple(seat for seat in spec.seats if seat in heroes),
        opponents=opponents,
        warmup=warm,
        horizon=rollout.long_horizon if long else rollout.horizon,
    )


def _version(name: str, versions: Sequence[int], rng: Random) -> int:
    return 0 if name == BASE or not versions else rng.choice(versions)


@dataclass
class Fork:
    """One match of a group, and when it stops."""

    episode_id: str
    table: Table
    until: float
    drafts: list[Draft]
    """Not yet published."""
    seed: int
    """Of the policies' draws."""
    decisions: int = 0


class Rollouts:
    """Plays forks in lock-step: one batch of the sampler for all that wait, however many matches they are of."""

    def __init__(self, config: TrainConfig, spec: GameSpec, codec: Codec, sampler: Sampler, bus: Bus) -> None:
        self._config, self._spec, self._codec = config, spec, codec
        self._sampler, self._bus = sampler, bus
        self._training = training_of(spec)

    def play(self, plans: Sequence[GroupPlan], version: int, told: Callable[[int, int], None] | None = None) -> None:
        """Play every group of `plans` with this version of the policy, and record it. `told(done, all)` is progress."""
        self.play_forks([fork for plan in plans for fork in self._forks(plan, version)], told)

    def play_forks(
        self, forks: Sequence[Fork], told: Callable[[int, int], None] | None = None, greedy: bool = False
    ) -> None:
        """Play these to their ends."""
        live = list(forks)
        while live:
            self._round(live, greedy)
            for fork in live:
                self._close(fork)
            live = [fork for fork in live if not fork.table.match.over and fork.until >= 0]
            if told is not None:
                told(len(forks) - len(live), len(forks))

    def _forks(self, plan: GroupPlan, version: int) -> list[Fork]:
        options, run = self._config.game.options, self._config.run.name
        match = Match(self._spec, options, plan.seed)
        warm, past = self._warm_up(match, plan)
        forks = []
        for number in range(self._config.rollout.samples):
            table = Table(match.fork(), self._players(plan, version))
            title = f"{run}, step {plan.id[1:7].lstrip('0') or '0'}, group {plan.id[-3:].lstrip('0') or '0'}"
            created = table.created(options, title=title, origin="trainer")
            episode_id = plan.episode(run, number)
            self._bus.open(episode_id, 0)
            forks.append(
                Fork(
                    episode_id,
                    table,
                    self._training.clock(match.game) + plan.horizon,
                    [*created, *warm, *past],
                    keyed(self._config.run.seed, plan.id, number),
                )
            )
        return forks

    def _players(self, plan: GroupPlan, version: int) -> dict[SeatId, Player]:
        run = self._config.run.name
        players: dict[SeatId, Player] = {seat: PolicyPlayer(run, version, True) for seat in plan.heroes}
        for seat, name in plan.opponents.items():
            if name == SELF:
                players[seat] = PolicyPlayer(run, version, False)
            elif name.startswith("@"):
                players[seat] = PolicyPlayer(run, int(name[1:]), False)
            else:
                players[seat] = BotPlayer(self._spec, name)
        return players

    def _warm_up(self, match: Match, plan: GroupPlan) -> tuple[list[Draft], list[Draft]]:
        """The opening of the log, and what bots play before the fork. `match` stands at the fork afterwards."""
        bots = list(self._spec.bots)
        rng = Random(keyed(plan.seed, "warm-up"))
        names = {
            seat: plan.opponents[seat] if plan.opponents.get(seat) in bots else rng.choice(bots)
            for seat in self._spec.seats
        }
        players: dict[SeatId, Player] = {seat: BotPlayer(self._spec, name) for seat, name in names.items()}
        table = Table(match, players)
        opening, played = table.started(), list[Draft]()
        while match.index < plan.warmup and not match.over:
            for seat, choice in [(seat, bot_choice(players[seat], match, seat)) for seat in match.waiting]:
                played += table.play(seat, choice)
        return opening, played

    def _round(self, forks: Sequence[Fork], greedy: bool) -> None:
        """One choice of every seat that is waited for, all made before any is played."""
        choices: list[list[tuple[SeatId, Choice | None]]] = []
        asked: dict[int, list[tuple[int, int, Question, Ask]]] = defaultdict(list)
        for number, fork in enumerate(forks):
            match, made = fork.table.match, list[tuple[SeatId, Choice | None]]()
            for seat in match.waiting:
                player = fork.table.players[seat]
                if isinstance(player, PolicyPlayer):
                    question = Question(self._spec, self._codec, match.game, seat)
                    seed = keyed(fork.seed, seat, fork.decisions)
                    ask = question.ask(seed, self._config.rollout.temperature)
                    asked[player.version].append((number, len(made), question, ask))
                    fork.decisions += 1
                    made.append((seat, None))
                else:
                    made.append((seat, bot_choice(player, match, seat)))
            choices.append(made)
        for version, waiting in sorted(asked.items()):
            answers = self._sampler.sample([ask for *_, ask in waiting], version, greedy)
            for (number, place, question, ask), sampled in zip(waiting, answers, strict=True):
                fork, seat = forks[number], choices[number][place][0]
                player = fork.table.players[seat]
                assert isinstance(player, PolicyPlayer)
                turn = None
                if player.trained:
                    turn = TurnRecorded(
                        seat=seat,
                        index=fork.table.match.index,
                        policy=self._config.run.name,
                        version=sampled.version,
                        temperature=ask.temperature,
                        prompt=list(ask.prompt),
                        completion=sampled.completion,
                        logprobs=sampled.logprobs,
                        allowed=sampled.allowed,
                        features=dict(question.features()),
                    )
                choices[number][place] = (seat, Choice(question.action(sampled.chosen), "policy", turn=turn))
        for fork, made in zip(forks, choices, strict=True):
            for seat, choice in made:
                assert choice is not None
                if not fork.table.match.over:
                    fork.drafts += fork.table.play(seat, choice)

    def _close(self, fork: Fork) -> None:
        """Publish what was played, and end the episode where the horizon is reached."""
        match = fork.table.match
        if not match.over and self._training.clock(match.game) >= fork.until:
            message = f"stopped at the horizon of the rollout ({self._training.unit} {fork.until:g})"
            fork.drafts.append(draft(EpisodeEnded(status="stopped", message=message)))
            fork.until = -1.0
        self._bus.publish(fork.episode_id, fork.drafts)
        fork.drafts = []


def bot_choice(player: Player, match: Match, seat: SeatId) -> Choice:
    """What a built-in player answers, at once."""
    assert isinstance(player, BotPlayer)
    return Choice(player.bot(match.game, seat, match.rng(seat)), "heuristic")
