"""Summarize a league for its viewers: ratings after a step, the results of every pair, opponents met. No tensors."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from grandstand.campaign_events import Estimate, LeaguePayoff, LeagueRated, RatedPlayer
from grandstand.play.ratings.intervals import FEWEST, LEVEL, grouped_interval
from grandstand.play.ratings.table import ScoredMatch
from grandstand.trainer.league.equilibrium import nash_average
from grandstand.trainer.league.matchmaking import GroupPlan, metric_name
from grandstand.trainer.league.payoffs import PayoffMatrix

LISTED = 40
"""Most players of a summary, so that its event is published whole: pairs grow with the square of the players."""
EVEN = 0.5


def summary(step: int, players: Iterable[RatedPlayer], matches: Iterable[ScoredMatch], prior: float) -> LeagueRated:
    """Return the most important LISTED of `players`, the best first, and their results against each other in `matches`.

    Matches of one cluster are one situation: only situations are independent. The players' shares are those of the Nash
    average of their payoffs, which start with `prior` comparisons that go as the ratings expect.
    """
    chosen = sorted(players, key=_importance)[:LISTED]
    chosen.sort(key=lambda player: -(player.rating.mean or 0.0))
    labels = {player.name: player.label for player in chosen}
    payoffs = _payoffs(labels, matches)
    return LeagueRated(step=step, players=_with_shares(chosen, payoffs, prior), payoffs=payoffs)


def _with_shares(players: Sequence[RatedPlayer], payoffs: Iterable[LeaguePayoff], prior: float) -> list[RatedPlayer]:
    """Return the players with their shares of the Nash average."""
    results: dict[tuple[str, str], tuple[float, float]] = {}
    for pair in payoffs:
        points = pair.wins + pair.draws / 2
        results[pair.player, pair.opponent] = points, pair.games
        results[pair.opponent, pair.player] = pair.games - points, pair.games
    ratings = {player.label: player.rating.mean for player in players if player.rating.mean is not None}
    shares = nash_average(PayoffMatrix(results, prior, ratings).among([player.label for player in players]))
    return [player.model_copy(update={"share": round(share, 4)}) for player, share in zip(players, shares, strict=True)]


def _importance(player: RatedPlayer) -> tuple[int, int]:
    """Return the key by which players are chosen: the present policy, base and bots, landmarks, then newer versions."""
    if player.kind != "policy" or player.version is None:
        return player.kind == "peer", 0
    return 1 - player.landmark, -player.version


def _payoffs(labels: Mapping[str, str], matches: Iterable[ScoredMatch]) -> list[LeaguePayoff]:
    """Return the results of every pair of players that met, by their labels; the first of a pair is listed first."""
    order = {name: place for place, name in enumerate(labels)}
    results: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    shares: dict[tuple[str, str], dict[object, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number, match in enumerate(matches):
        pairs = match.comparisons()
        for pair, share in pairs.items():
            if pair[0] in order and pair[1] in order and order[pair[0]] < order[pair[1]]:
                situation = ("alone", number) if match.cluster is None else match.cluster
                shares[pair][situation].append(share)
        for seat, other in permutations(match.scores, 2):
            result = match.scores[seat] - match.scores[other]
            results[match.players[seat], match.players[other]][
                "wins" if result > 0 else "losses" if result else "draws"
            ] += 1
    level = 1 - (1 - LEVEL) / max(len(shares), 1)
    return [
        _payoff(labels[a], labels[b], results[a, b], list(shares[a, b].values()), level)
        for a, b in sorted(shares, key=lambda pair: (order[pair[0]], order[pair[1]]))
    ]


def _payoff(
    player: str, opponent: str, results: Mapping[str, int], groups: Sequence[Sequence[float]], level: float
) -> LeaguePayoff:
    share = grouped_interval(groups)
    enough = len(groups) >= FEWEST
    return LeaguePayoff(
        player=player,
        opponent=opponent,
        wins=results["wins"],
        draws=results["draws"],
        losses=results["losses"],
        games=sum(results.values()),
        share=rounded(share.mean, share.low if enough else None, share.high if enough else None, share.n, 4),
        differ=enough and grouped_interval(groups, level=level).excludes(EVEN),
    )


def rounded(mean: float | None, low: float | None, high: float | None, n: int, places: int = 1) -> Estimate:
    """Return an estimate of rounded numbers."""
    mean, low, high = (None if value is None else round(value, places) for value in (mean, low, high))
    return Estimate(mean=mean, low=low, high=high, n=n)


def met(plans: Iterable[GroupPlan]) -> dict[str, float]:
    """Return each opponent's share of the other seats in the matches of a step, as metrics."""
    seats = Counter(address for plan in plans for address in plan.opponents.values())
    return {f"league/met/{metric_name(address)}": count / seats.total() for address, count in sorted(seats.items())}
