"""Tables of a policy's results: by opponent, Elo won and lost against bots, and against its own landmarks. No tensors.

Matches of one lot start from one situation and are not independent: a lot is the unit of every interval here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from math import log10
from statistics import fmean

from grandstand.play.ratings.intervals import FEWEST, Interval, bounded_interval
from grandstand.trainer.league.rows import LeagueMatch, comparisons

Outcomes = Mapping[str, Mapping[str, list[float]]]
"""Opponent -> lot -> the policy's comparisons with it: 1 for a higher score, 0.5 for an equal one, else 0."""
MOST_ELO = 800.0
"""Elo differences are clipped here, at odds of a hundred to one: a share of 0 or 1 has no finite one."""


def outcomes(matches: Iterable[LeagueMatch], policy: Callable[[LeagueMatch], str]) -> Outcomes:
    """Return the results of the policy, whose name in a match is `policy(match)`, against every other player."""
    results: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for match in matches:
        own = policy(match)
        for (player, opponent, _), (wins, draws, losses, *_) in comparisons(match).items():
            if player == own:
                results[opponent][match.lot] += [1.0] * wins + [0.5] * draws + [0.0] * losses
    return results


def score_metrics(
    results: Outcomes, label: Callable[[str], str], categories: Mapping[str, Container[str]], names: Iterable[str]
) -> dict[str, float]:
    """Return the share of comparisons won by opponent and category; `categories` are those of each opponent.

    An opponent of several categories counts in each of them.
    """
    values = {opponent: [value for lot in lots.values() for value in lot] for opponent, lots in results.items()}
    metrics = {f"league/score/{label(opponent)}": fmean(values[opponent]) for opponent in sorted(values)}
    for name in names:
        members = [value for opponent in values if name in categories.get(opponent, ()) for value in values[opponent]]
        if members:
            metrics[f"league/score_category/{name}"] = fmean(members)
    return metrics


def exploitation(results: Outcomes, bots: Iterable[str]) -> dict[str, Interval]:
    """Return the Elo points that the policy is ahead of each bot, by their comparisons; negative if it is behind.

    Bots that were met in fewer than FEWEST lots are left out.
    """
    return {bot: _map(interval, elo_points) for bot, interval in _intervals(results, bots).items()}


def forgetting(results: Outcomes, landmarks: Iterable[str]) -> dict[str, Interval]:
    """Return the policy's share of comparisons won against each of its landmarks, less 0.5.

    An interval below 0 shows that the policy has lost skills of the landmark. Landmarks that were met in fewer than
    FEWEST lots are left out.
    """
    return {
        name: _map(interval, lambda share: share - 0.5) for name, interval in _intervals(results, landmarks).items()
    }


def interval_metrics(prefix: str, intervals: Mapping[str, Interval]) -> dict[str, float]:
    """Return `prefix/NAME`, `prefix/NAME/low` and `prefix/NAME/high`."""
    values = {
        f"{prefix}/{name}{end}": value
        for name, interval in intervals.items()
        for end, value in (("", interval.mean), ("/low", interval.low), ("/high", interval.high))
    }
    return {name: value for name, value in values.items() if value is not None}


def _intervals(results: Outcomes, players: Iterable[str]) -> dict[str, Interval]:
    """Return the shares of comparisons won, as means over lots.

    The interval is the cautious one of values with bounds: Student's alone covers too rarely where shares are near 1.
    """
    means = ((player, [fmean(lot) for lot in results.get(player, {}).values()]) for player in players)
    return {player: bounded_interval(lots) for player, lots in means if len(lots) >= FEWEST}


def elo_points(share: float) -> float:
    """Return the Elo difference at which `share` is the expected score, cut at MOST_ELO.

    >>> elo_points(10 / 11), elo_points(0.5), elo_points(0.0)
    (400.0, 0.0, -800.0)
    """
    if not 0 < share < 1:
        return MOST_ELO if share >= 1 else -MOST_ELO
    return min(max(400 * log10(share / (1 - share)), -MOST_ELO), MOST_ELO)


def _map(interval: Interval, change: Callable[[float], float]) -> Interval:
    """Return the interval on another scale, on which `change` is increasing."""
    mean, low, high = (
        None if value is None else change(value) for value in (interval.mean, interval.low, interval.high)
    )
    return Interval(mean, low, high, interval.n)
