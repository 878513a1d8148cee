"""The records of players that `/api/players` returns: totals over the finished matches of each option set."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence

from grandstand.campaign_events import Estimate
from grandstand.play.ratings.leaderboard import NEEDED
from grandstand.play.ratings.online import OnlineRatings
from grandstand.play.ratings.option_sets import OptionSet
from grandstand.play.ratings.seat_records import SeatRecord, player_totals
from grandstand.server.bodies.players import PlayerRecord
from grandstand.server.results.match_results import MatchResults


async def records(results: MatchResults, game: str | None) -> list[PlayerRecord]:
    """Return each player's record in each option set, computed in another thread."""
    online = await results.online()
    known = await results.known()
    sets: dict[OptionSet, list[Sequence[SeatRecord]]] = defaultdict(list)
    for match in known.matches:
        if game in (None, match.match.options.game):
            sets[match.match.options].append(match.match.seats)
    return await asyncio.to_thread(player_records, sets, online)


def player_records(
    sets: Mapping[OptionSet, Sequence[Sequence[SeatRecord]]], online: Mapping[OptionSet, OnlineRatings]
) -> list[PlayerRecord]:
    """Return each player's record in each option set, by game, the largest sets and the best players first."""
    ordered = sorted(sets, key=lambda options: (options.game, -len(sets[options]), options.id))
    return [record for options in ordered for record in _records(options, sets[options], online.get(options))]


def _records(
    options: OptionSet, matches: Sequence[Sequence[SeatRecord]], online: OnlineRatings | None
) -> list[PlayerRecord]:
    """Return the players' records in one option set, those without a score last."""
    label = options.label
    records = [
        PlayerRecord(
            game=options.game,
            setting=options.id,
            options=label,
            player=player,
            seats=total.seats,
            scored=total.scored,
            mean_score=total.score.mean,
            ci95=None if total.score.ci95 is None else list(total.score.ci95),
            wins=total.wins,
            decisions=total.decisions,
            fallbacks=total.fallbacks,
            faults=total.faults,
            rating=_rating(online, player),
        )
        for player, total in player_totals(matches).items()
    ]
    return sorted(records, key=lambda record: -1 if record.mean_score is None else -1 - record.mean_score)


def _rating(online: OnlineRatings | None, player: str) -> Estimate | None:
    if online is None or player not in online.ratings:
        return None
    rating = online.of(player)
    if rating.games < NEEDED:
        return Estimate(n=rating.games)
    return Estimate(mean=rating.mean, low=rating.low, high=rating.high, n=rating.games)
