"""The leaderboard of one option set: ratings, the differences between them, and further figures of each player."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import fmean

from grandstand.games.base import SeatId
from grandstand.play.ratings.intervals import Interval, bounded_interval, mean_interval
from grandstand.play.ratings.match_results import RecordedMatch
from grandstand.play.ratings.models import rating_model
from grandstand.play.ratings.seat_records import PlayerTotals, SeatRecord, Spent, player_totals
from grandstand.play.ratings.table import MIDDLE, Pair, Rating, RatingError, RatingTable, ScoredMatch, SeatEffect, holm

NEEDED = 20
"""Number of matches that a player needs for a rating in the table."""
DATES = 8
"""Number of dates at which the ratings of the past are computed."""


@dataclass(frozen=True, slots=True)
class PlayerCosts:
    """The usage of a player in the matches whose usage is public."""

    matches: int
    spent: Spent


@dataclass(frozen=True, slots=True)
class LeaderboardFigures:
    """The players of one option set. The mean of the rated players is MIDDLE."""

    matches: int
    totals: Mapping[str, PlayerTotals]
    games: Mapping[str, int]
    """Player -> the number of its matches in which its seat and another player's seat count."""
    ratings: Sequence[Rating]
    """The ratings of players with NEEDED matches, the best first."""
    pairs: Sequence[Pair]
    """Every pair of rated players; `differ` holds at 5 per cent for all pairs together."""
    seats: Sequence[SeatEffect]


def league(matches: Sequence[RecordedMatch]) -> LeaderboardFigures:
    """Return the league of matches of one option set."""
    totals = player_totals([match.seats for match in matches])
    scored = [match.scored for match in matches]
    games = _games(scored)
    table = _rated(scored, games)
    if table is None:
        return LeaderboardFigures(len(matches), totals, games, [], [], [])
    ratings = [rating for rating in table.ratings if games[rating.player] >= NEEDED]
    names = {rating.player for rating in ratings}
    pairs = [pair for pair in table.pairs if pair.a in names and pair.b in names]
    differ = holm([2 * min(pair.probability, 1 - pair.probability) for pair in pairs])
    pairs = [Pair(pair.a, pair.b, pair.probability, far) for pair, far in zip(pairs, differ, strict=True)]
    return LeaderboardFigures(len(matches), totals, games, ratings, pairs, table.seats)


def _games(scored: Sequence[ScoredMatch]) -> Counter[str]:
    """Return the number of matches of each player in which it is compared with another."""
    counted = ({match.players[seat] for seat in match.scores} for match in scored)
    return Counter(player for players in counted if len(players) > 1 for player in players)


def _rated(scored: Sequence[ScoredMatch], games: Mapping[str, int]) -> RatingTable | None:
    """Return the ratings of all players, centred on those with enough matches; None if nobody can be rated."""
    centre = {player: MIDDLE for player, count in games.items() if count >= NEEDED}
    if not centre:
        return None
    try:
        return rating_model()(scored, centre)
    except RatingError:  # a single player has played all seats, or a match has too many seats
        return None


def rating_history(matches: Sequence[RecordedMatch], dates: int = DATES) -> list[tuple[int, dict[str, Rating]]]:
    """Return (number of matches, rating of each rated player), from all matches up to evenly spaced ones.

    They are the ratings that the leaderboard had then; players with too few matches at the time have none.
    """
    counts = sorted({ceil(len(matches) * part / dates) for part in range(1, dates + 1)})
    history = []
    for count in counts:
        scored = [match.scored for match in matches[:count]]
        games = _games(scored)
        table = _rated(scored, games)
        if table is not None:
            ratings = {rating.player: rating for rating in table.ratings if games[rating.player] >= NEEDED}
            history.append((count, ratings))
    return history


def shares(matches: Sequence[RecordedMatch]) -> dict[tuple[str, str], Interval]:
    """Return the share of comparisons that the first of two players won, ties as half, for every pair in name order.

    Both seats must count. A match is one unit, however many seats the two had in it.
    """
    by_pair: dict[tuple[str, str], list[float]] = defaultdict(list)
    for match in matches:
        for (a, b), share in match.scored.comparisons().items():
            if a < b:
                by_pair[a, b].append(share)
    return {pair: bounded_interval(values) for pair, values in by_pair.items()}


def costs(matches: Sequence[RecordedMatch]) -> dict[str, PlayerCosts]:
    """Return the usage of each player in `matches`."""
    spent: dict[str, Spent] = defaultdict(Spent)
    matches_of: Counter[str] = Counter()
    for match in matches:
        for record in match.seats:
            spent[record.player].add(record.spent)
        matches_of.update({record.player for record in match.seats})
    return {player: PlayerCosts(matches_of[player], spent[player]) for player in matches_of}


def seat_scores(matches: Sequence[RecordedMatch], player: str) -> dict[SeatId, Interval]:
    """Return the mean score of a player in each seat, of the seats that count."""
    scores: dict[SeatId, list[float]] = defaultdict(list)
    for match in matches:
        for record in match.seats:
            if record.player == player and record.scored and record.score is not None:
                scores[record.seat].append(record.score)
    return {seat: bounded_interval(values) for seat, values in scores.items()}


def style(matches: Sequence[RecordedMatch], player: str) -> dict[str, tuple[Interval, Interval]]:
    """Return, for each of the game's measures, the mean over matches of a player and of all other players.

    Seats in which others made a decision are left out on either side.
    """
    own: dict[str, list[float]] = defaultdict(list)
    others: dict[str, list[float]] = defaultdict(list)
    for match in matches:
        for side, values in ((True, own), (False, others)):
            seats = [record for record in match.seats if _alone(record) and (record.player == player) is side]
            measures = [match.measures[record.seat] for record in seats if record.seat in match.measures]
            for name in dict.fromkeys(name for measure in measures for name in measure):
                values[name].append(fmean(measure[name] for measure in measures if name in measure))
    return {name: (mean_interval(values), mean_interval(others.get(name, []))) for name, values in own.items()}


def _alone(record: SeatRecord) -> bool:
    return record.scored and not record.forfeited
