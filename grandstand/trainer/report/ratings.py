"""The ratings of a run's league over its steps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from grandstand.campaign_events import Estimate, LeaguePayoff, LeagueRated, RatedPlayer
from grandstand.campaigns.numbers import interval
from grandstand.report import Behind, Point, Value
from grandstand.trainer.report.curves import Curve, width
from grandstand.trainer.report.words import POLICY, called, joined

FULL = 32
"""Ratings of which each has points of its own; see `width`."""
FEW, NEWEST = 12, 3
"""Most players that are shown at first, and the newest versions that are always among them."""
DIFFERENCE = re.compile(r"(exploitation|forgetting)/([^/]+)")
ELITE = "best version"
"""The curve of the version with the highest evaluation, another one each time."""
BAND = "band"
"""The curve of the present policy's intervals."""


class Ratings:
    """The ratings up to a step. The tables show those of `shown`, which are the newest but in a long run."""

    def __init__(self) -> None:
        self.shown: LeagueRated | None = None
        self.elite: int | None = None
        """The best version of `shown`."""
        self.differences: dict[str, dict[str, Estimate]] = {"exploitation": {}, "forgetting": {}}
        """Kind -> player -> newest difference."""
        self.curves: dict[str, tuple[RatedPlayer, Curve]] = {}
        """Label -> the player's ratings, of those with a line in the chart."""
        self._newest: LeagueRated | None = None
        self._differences: dict[str, dict[str, Estimate]] = {"exploitation": {}, "forgetting": {}}
        self._elite: int | None = None
        self._count = 0

    def add(self, rated: LeagueRated, metrics: Mapping[str, float]) -> None:
        """Take the ratings of a step with its metrics."""
        self._count += 1
        self._newest = rated
        self._elite = int(metrics["league/elite"]) if "league/elite" in metrics else self._elite
        for player in rated.players:
            present = is_present(player, rated)
            if present:
                self._add(POLICY, player, rated.step)
            elif player.kind != "policy" or player.landmark:
                self._add(player.label, player, rated.step)
            if player.version is not None and player.version == self._elite:
                self._add(ELITE, player, rated.step)
        for name, value in metrics.items():
            if match := DIFFERENCE.fullmatch(name):
                low, high = metrics.get(f"{name}/low"), metrics.get(f"{name}/high")
                self._differences[match[1]][match[2]] = Estimate(mean=value, low=low, high=high)
        if self._count % width(self._count, FULL) == 0:
            self._show()

    def end(self) -> None:
        """Show the newest ratings."""
        for _, curve in self.curves.values():
            curve.end()
        self._show()

    def _show(self) -> None:
        self.shown, self.elite = self._newest, self._elite
        self.differences = {kind: dict(of) for kind, of in self._differences.items()}

    def _add(self, label: str, player: RatedPlayer, step: int) -> None:
        mean, low, high = player.rating.mean, player.rating.low, player.rating.high
        if mean is None:
            return
        words = [called(player.label) if label != player.label else "", interval(Value(low=low, high=high), "elo")]
        line = Point(x=step, y=mean, label=joined(words), behind=met(player, step))
        self._put(label, player, line)
        if label == POLICY:
            self._put(BAND, player, Point(x=step, y=mean, low=low, high=high))

    def _put(self, curve: str, player: RatedPlayer, point: Point) -> None:
        if curve not in self.curves:
            self.curves[curve] = player, Curve("last", FULL)
        self.curves[curve][1].add(self._count, point)


def is_present(player: RatedPlayer, rated: LeagueRated) -> bool:
    """Return whether a player is the policy as it is now: all versions since the checkpoint, or its newest version."""
    if player.kind != "policy":
        return False
    if any(other.label == POLICY for other in rated.players):
        return player.label == POLICY
    return player.version == max(other.version or 0 for other in rated.players)


def ranked(rated: LeagueRated, elite: int | None) -> tuple[Sequence[RatedPlayer], Sequence[RatedPlayer]]:
    """Return the players to show at first, and the others.

    All of a small league are shown; of a large one the present policy, base and bots, landmarks, the best version and
    the newest ones.
    """
    if len(rated.players) <= FEW:
        return rated.players, []
    versions = sorted((player.version for player in rated.players if player.version is not None), reverse=True)
    kept = {elite, *versions[:NEWEST]}
    first = [
        player
        for player in rated.players
        if player.kind in ("base", "bot") or player.landmark or is_present(player, rated) or player.version in kept
        if player.kind != "peer"
    ]
    return first, [player for player in rated.players if player not in first]


def met(player: RatedPlayer, step: int, other: RatedPlayer | None = None, note: str = "") -> Behind:
    """Return the matches of a player up to a step, those with `other` in a seat if one is named.

    The present policy has no name of its own, but plays in every match of its run.
    """
    players = [one for one in (player, other) if one is not None]
    return Behind(
        title=" against ".join(called(one.label) for one in players)
        if other
        else f"Matches of {called(player.label)} up to step {step}",
        note=note,
        last=step,
        players=[one.name for one in players if one.label != POLICY],
    )


def result(rated: LeagueRated, player: str, opponent: str) -> LeaguePayoff | None:
    """Return the results of `player` against `opponent`, whichever is listed first; None if they did not meet."""
    for pair in rated.payoffs:
        if (pair.player, pair.opponent) == (player, opponent):
            return pair
        if (pair.player, pair.opponent) == (opponent, player):
            return _reversed(pair)
    return None


def _reversed(pair: LeaguePayoff) -> LeaguePayoff:
    def other(value: float | None) -> float | None:
        return None if value is None else round(1 - value, 4)

    share = pair.share
    return pair.model_copy(
        update={
            "player": pair.opponent,
            "opponent": pair.player,
            "wins": pair.losses,
            "losses": pair.wins,
            "share": Estimate(mean=other(share.mean), low=other(share.high), high=other(share.low), n=share.n),
        }
    )
