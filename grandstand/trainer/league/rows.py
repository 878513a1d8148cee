"""What a league stores: its players, its matches, and the results of each pair."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from grandstand.games.base import Json, SeatId
from grandstand.trainer.config.league_settings import Role

Kind = Literal["base", "bot", "policy"]

Stage = Literal["training", "evaluation"]

Tally = tuple[int, int, int, float, int]
"""(wins, draws, losses, sum of scores, comparisons)"""


class LeagueError(ValueError):
    """An unusable league; the message names the file or the setting, and the remedy."""


@dataclass(frozen=True, slots=True)
class LeaguePlayer:
    """A player of a league. Bots have neither run nor version."""

    name: str
    game: str
    kind: Kind
    run: str = ""
    version: int | None = None
    """Number of the version, which is the step that made it."""
    adapter: str = ""
    """Folder of the version's weights."""
    parent: str = ""
    """Player whose weights the training of this version started from."""
    model: str = ""
    """Digest of the model below the adapter. Players with the same one can be sampled side by side."""
    landmark: bool = False
    """True if it stays for ever."""
    role: Role | Literal[""] = ""
    """The role of its run."""


@dataclass(frozen=True, slots=True)
class LeagueMatch:
    """The scores of a match, of the seats whose players made every decision themselves."""

    episode: str
    stage: Stage
    step: int
    """The step that the match was played for; of an evaluation, the version."""
    game: str
    options: str
    """The options of the match, as `options_key` writes them."""
    lot: str
    """Matches of the same lot start from one situation, and are not independent."""
    players: Mapping[SeatId, str]
    scores: Mapping[SeatId, float]


@dataclass(frozen=True, slots=True)
class Payoff:
    """Results of `player` against `opponent`: each pair of their seats in a match is one comparison."""

    player: str
    opponent: str
    seat: SeatId
    """The player's seat."""
    wins: int
    draws: int
    losses: int
    score: float
    """Sum of the player's scores, over the comparisons."""
    games: int


@dataclass(frozen=True, slots=True)
class Horizon:
    """The results that a decision of a run may use, so that it does not depend on later recordings:
    the run's matches of training up to `step`, its evaluations before it, and all matches of other runs."""

    run: str
    step: int

    @property
    def values(self) -> tuple[str, int, int]:
        """Return the values of WITHIN."""
        return self.run, self.step, self.step


WITHIN = "(run <> ? OR (stage = 'training' AND step <= ?) OR (stage = 'evaluation' AND step < ?))"


def condition(horizon: Horizon | None) -> tuple[str, tuple[str | int, ...]]:
    """Return the condition of the results that may be used, and its values; all may be without a horizon."""
    return (WITHIN, horizon.values) if horizon else ("TRUE", ())


def options_key(options: Mapping[str, Json]) -> str:
    """Return the key under which results of matches with these options are grouped."""
    return json.dumps(dict(options), sort_keys=True, separators=(",", ":"))


def policy_name(run: str, version: int) -> str:
    """Return the name of a version of a run's policy among the players."""
    return f"{run}@v{version:06d}"


def version_number(name: str, run: str) -> int | None:
    """Return the number of the version, or None if `name` is not a version of the run."""
    policy, _, number = name.rpartition("@v")
    return int(number) if policy == run and number.isdigit() else None


def address_of(name: str, run: str) -> str:
    """Return the address of a player among a run's opponents: `@12` for a version of its own policy, else the name."""
    version = version_number(name, run)
    return name if version is None else f"@{version}"


def name_at(address: str, run: str) -> str:
    """Return the name of the player at an address among a run's opponents."""
    return policy_name(run, int(address[1:])) if address.startswith("@") else address


def comparisons(result: LeagueMatch) -> dict[tuple[str, str, SeatId], Tally]:
    """Return the tally of a match for each (player, opponent, seat of the player).

    Seats of the same player are not compared.
    """
    tallies: dict[tuple[str, str, SeatId], Tally] = {}
    for seat, other in permutations(result.scores, 2):
        player, opponent = result.players[seat], result.players[other]
        if player == opponent:
            continue
        own, theirs = result.scores[seat], result.scores[other]
        wins, draws, losses, score, games = tallies.get((player, opponent, seat), (0, 0, 0, 0.0, 0))
        tallies[player, opponent, seat] = (
            wins + (own > theirs),
            draws + (own == theirs),
            losses + (own < theirs),
            score + own,
            games + 1,
        )
    return tallies
