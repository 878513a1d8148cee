"""Choose opponents by category and strength, and plan the groups of a step. A plan depends on the run's seed, the step,
the group's number and the chances of the opponents alone.

An opponent is named by its address: a bot's name, `self`, a version of the run's policy as `@12`, or another run's
version as `NAME@v000012`.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log10
from random import Random
from typing import Any

from grandstand.games.base import SeatId
from grandstand.games.spec import GameSpec
from grandstand.trainer.config.league_settings import (
    BASE,
    BASELINE,
    EXPLOITABLE,
    EXPLOITER,
    HUMAN,
    LEAGUE,
    MAIN,
    PAST,
    PEER,
    SELF,
    LeagueSettings,
    Role,
)
from grandstand.trainer.config.schedule import weight_at
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.payoffs import PayoffMatrix
from grandstand.trainer.league.roles import PeerRoles, main_shares

BASE_ADDRESS = "@0"
POWER = 2
"""The exponent of `hard`: AlphaStar's."""
WIDTH = 150.0
"""The standard deviation of `even` in Elo points: an opponent that far away is met .6 as often as an equal one."""
MARGIN = 0.1
"""An `exploitable` player is one that the policy beats by an expected score this much above an even one."""


def keyed(*parts: object) -> int:
    """Return a 63-bit seed derived from the parts."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:8], "big") >> 1


@dataclass(frozen=True)
class GroupPlan:
    """The match that the siblings of a group fork from, and its players."""

    id: str
    """`s000012-g003`; part of the ids of its episodes."""
    title: str
    seed: int
    """Seed of the match and its bots, the same for all siblings."""
    trained_seats: tuple[SeatId, ...]
    """Seats of the version that is trained or evaluated."""
    opponents: Mapping[SeatId, str]
    """The opponents by seat, as addresses."""
    warmup: int
    """Turns that bots play before the fork."""
    horizon: float
    options: Mapping[str, Any] | None = None
    """Options of the match; None for those of the run."""


@dataclass(frozen=True)
class Candidate:
    """A player that may be an opponent."""

    address: str
    categories: frozenset[str]
    expected: float = 0.5
    """The policy's expected score against it, from 0 to 1."""
    share: float = 0.0
    """Its share of the category `main`, to which `league.pfsp` does not apply."""


@dataclass(frozen=True)
class OpponentMix:
    """The chances with which the player of each other seat is drawn, independently."""

    chances: Mapping[str, float]
    """By address. They sum to 1."""
    shares: Mapping[str, float]
    """By name in `rollout.opponents`; those without members are left out, and the others sum to 1."""
    expected: Mapping[str, float]
    """The policy's expected scores against them, by address."""

    def metrics(self) -> dict[str, float]:
        """Return the shares of categories, and each opponent's chance and expected score, as metrics."""
        metrics = {f"league/share/{name}": share for name, share in self.shares.items()}
        for address, chance in self.chances.items():
            name = metric_name(address)
            metrics[f"league/chance/{name}"] = chance
            if address != SELF:
                metrics[f"league/expected/{name}"] = self.expected[address]
        return metrics


def metric_name(address: str) -> str:
    """Return an opponent's name in metrics: `v12` for `@12`."""
    return address.replace("@", "v") if address.startswith("@") else address


def category_of(role: Role) -> str:
    """Return the category of the versions of another run with this role."""
    return PEER if role == "main" else EXPLOITER


def candidates(
    config: TrainConfig,
    spec: GameSpec,
    past: Iterable[int] = (),
    expected: Mapping[str, float] | None = None,
    peers: PeerRoles | None = None,
) -> list[Candidate]:
    """Return all possible opponents.

    `expected` are the policy's expected scores by address, or else 0.5; `peers` the versions of other runs, with the
    roles of these.
    """
    league, expected, peers = config.league, expected or {}, peers or {}
    mains = main_shares(peers, expected)
    members = {SELF: {SELF}, BASE_ADDRESS: {BASE, LEAGUE}}
    members |= {f"@{version}": {PAST, LEAGUE} for version in past}
    members |= {name: {category_of(role), LEAGUE} for name, role in peers.items()}
    members |= {
        bot: {
            bot,
            *([BASELINE, LEAGUE] if bot not in spec.bots.slow else []),
            *([HUMAN] if bot in league.human else []),
        }
        for bot in spec.bots.players
    }
    return [
        Candidate(
            address,
            frozenset(
                names
                | ({EXPLOITABLE} if address != SELF and p > 0.5 + MARGIN else set())
                | ({MAIN} if address in mains else set())
            ),
            p,
            mains.get(address, 0.0),
        )
        for address, names in members.items()
        for p in [expected.get(address, 0.5)]
    ]


def preference(league: LeagueSettings, expected: float) -> float:
    """Return the weight of a player within its category: f(p) of prioritized fictitious self-play.

    `hard` and `variance` are AlphaStar's (Vinyals et al. 2019). `even` is our own: a bell curve over the Elo
    difference, because p (1 - p) is still 0.36 of its peak where an opponent wins nine games of ten.
    """
    match league.pfsp:
        case "hard":
            return float((1 - expected) ** POWER)
        case "variance":
            return expected * (1 - expected)
        case "even":
            if not 0 < expected < 1:
                return 0.0
            return exp(-((400 * log10(expected / (1 - expected)) / WIDTH) ** 2) / 2)
        case "uniform" | "nash":
            return 1.0


def _within(league: LeagueSettings, category: str, members: Sequence[Candidate], payoffs: PayoffMatrix) -> list[float]:
    """Return the chances of a category's members; all alike if none has a weight."""
    if category == MAIN:
        values = [player.share for player in members]
    elif league.pfsp == "nash":
        from grandstand.trainer.league.equilibrium import nash_average  # it needs numpy, and the settings do not

        values = nash_average(payoffs.among([player.address for player in members]))
    else:
        values = [preference(league, player.expected) for player in members]
    whole = sum(values)
    return [value / whole if whole else 1 / len(members) for value in values]


def mix(
    league: LeagueSettings,
    weights: Mapping[str, float],
    players: Sequence[Candidate],
    payoffs: PayoffMatrix | None = None,
) -> OpponentMix:
    """Return the chances of opponents: a category's share by its weight, a player's by its preference in the category.

    Weights are shares of the other seats; those of categories without members go to the others in proportion. The base
    is the opponent if no category has one. `payoffs` are those between the players, by address, for the Nash average.
    """
    payoffs = payoffs or PayoffMatrix({}, league.prior)
    members = {name: [player for player in players if name in player.categories] for name in weights}
    present = {name: weight for name, weight in weights.items() if weight and members[name]}
    if not present:
        present, members = {BASE: 1.0}, {BASE: [player for player in players if BASE in player.categories]}
    whole = sum(present.values())
    shares = {name: weight / whole for name, weight in present.items()}
    chances: dict[str, float] = defaultdict(float)
    for name, share in shares.items():
        for player, chance in zip(members[name], _within(league, name, members[name], payoffs), strict=True):
            chances[player.address] += share * chance
    drawn = {address: chances[address] for address in sorted(chances) if chances[address]}
    return OpponentMix(
        drawn, shares, {player.address: player.expected for player in players if player.address in drawn}
    )


def weights_at(config: TrainConfig, step: int) -> dict[str, float]:
    """Return the weights of `rollout.opponents` at a step."""
    return {name: weight_at(schedule, step) for name, schedule in config.rollout.opponents.items()}


def fixed_field(config: TrainConfig) -> dict[str, float]:
    """Return fixed weights of opponents: those at the start of training, with the base in place of versions."""
    field: dict[str, float] = defaultdict(float)
    for name, weight in weights_at(config, 0).items():
        field[BASE if name in (SELF, PAST, PEER, EXPLOITER, MAIN, EXPLOITABLE, LEAGUE) else name] += weight
    return {name: weight for name, weight in field.items() if weight} or {BASE: 1.0}


def plan_step(config: TrainConfig, spec: GameSpec, step: int, chances: Mapping[str, float]) -> list[GroupPlan]:
    """Plan the groups of a step; `chances` are those of its opponents, by address."""
    rollout = config.rollout
    return [
        _Situation(
            id=f"s{step:06d}-g{number:03d}",
            title=f"{config.run.shown_as}, step {step}, group {number + 1}",
            turn=step * rollout.groups + number,
            trained_seats=config.game.trained_seats,
            chances=chances,
        ).plan(config, spec)
        for number in range(rollout.groups)
    ]


def plan_evaluation(
    config: TrainConfig, spec: GameSpec, label: str, games: int, opponents: Mapping[str, float]
) -> list[GroupPlan]:
    """Plan situations like those in training, with one seat at a time in turn; the same ones for the same `label`.

    `opponents` are weights of names in `rollout.opponents`. They are whole matches if the settings say so.
    """
    if config.run.eval_whole:
        whole = config.rollout.model_copy(update={"warmup": 0, "horizon": inf, "long_horizon_chance": 0.0})
        config = config.model_copy(update={"rollout": whole})
    title = f"{config.run.shown_as}, evaluation {label}"
    chances = mix(config.league, opponents, candidates(config, spec)).chances
    return [
        _Situation(f"e-{label}-g{number:03d}", title, number, 1, chances).plan(config, spec) for number in range(games)
    ]


@dataclass(frozen=True)
class _Situation:
    """A group before its random draws."""

    id: str
    title: str
    turn: int
    """Number of the situation: seats are trained in turn."""
    trained_seats: int
    chances: Mapping[str, float]

    def plan(self, config: TrainConfig, spec: GameSpec) -> GroupPlan:
        """Draw the seats, the opponents and the fork."""
        rollout = config.rollout
        rng = Random(keyed(config.run.seed, self.id))
        seats = spec.seats(config.game.options)
        first = config.game.only_seat or seats[self.turn % len(seats)]
        trained = {first, *rng.sample([seat for seat in seats if seat != first], self.trained_seats - 1)}
        addresses, chances = list(self.chances), list(self.chances.values())
        others = {seat: rng.choices(addresses, chances)[0] for seat in seats if seat not in trained}
        none = rng.random() < rollout.warmup_none_chance
        long = rng.random() < rollout.long_horizon_chance
        return GroupPlan(
            id=self.id,
            title=self.title,
            seed=rng.getrandbits(48),
            trained_seats=tuple(seat for seat in seats if seat in trained),
            opponents=others,
            warmup=0 if none else rng.randint(0, rollout.warmup),
            horizon=rollout.long_horizon if long else rollout.horizon,
        )
