"""A report on a league: its players with their ratings and equilibria, the results of every pair, and the opponents
that its runs met last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

from grandstand.play.ratings.models import rating_model
from grandstand.play.ratings.table import MIDDLE, Rating, RatingError, ScoredMatch
from grandstand.trainer.config.league_settings import SELF, LeagueSettings
from grandstand.trainer.league.equilibrium import alpha_rank, nash_average, scores_against
from grandstand.trainer.league.league import OPPONENTS
from grandstand.trainer.league.payoffs import PayoffMatrix, points_and_games
from grandstand.trainer.league.rows import LeagueError, LeaguePlayer, name_at
from grandstand.trainer.league.store import LeagueStore

RATED = 1000
"""Newest groups of matches that ratings are estimated from: one match each, because siblings are not independent."""


@dataclass(frozen=True, slots=True)
class ReportedPlayer:
    """A player of the league. A field is None if it has no results to compute it from."""

    name: str
    kind: str
    role: str
    run: str
    version: int | None
    parent: str
    landmark: bool
    games: int
    """Pairwise comparisons."""
    rating: float | None
    """In Elo points, the bases having 1500 on average; with the ends of the 95 % interval."""
    low: float | None
    high: float | None
    nash: float | None
    """Share in the Nash average of the players with results."""
    against_nash: float | None
    """Expected score against it."""
    alpha: float | None
    """Share by alpha-rank."""


@dataclass(frozen=True, slots=True)
class PairResult:
    """All results of a player against an opponent."""

    player: str
    opponent: str
    wins: int
    draws: int
    losses: int
    games: int

    @property
    def score(self) -> float:
        """Return the share of comparisons won, draws as half."""
        return (self.wins + self.draws / 2) / self.games


@dataclass(frozen=True, slots=True)
class LastOpponents:
    """The opponents of the last step that a run has begun, by name."""

    run: str
    step: int
    chances: Mapping[str, float]
    expected: Mapping[str, float]
    """The policy's expected scores; the policy itself has none."""


@dataclass(frozen=True, slots=True)
class LeagueReport:
    """The league of one game with one set of options."""

    game: str
    options: str
    """The options, as `options_key` writes them."""
    matches: int
    players: Sequence[ReportedPlayer]
    """The best first; those without a rating last."""
    payoffs: Sequence[PairResult]
    opponents: Sequence[LastOpponents]


def reports(folder: Path, game: str | None = None) -> list[LeagueReport]:
    """Return a report for each game and set of options that was played, the most matches first.

    Raises LeagueError if there is no league in the folder, or no match of the game in the league; ConfigError if the
    run in the folder cannot be read.
    """
    store = LeagueStore.existing(folder)
    try:
        settings = store.settings()
        if not settings:
            raise LeagueError(f"{folder}: its league has no matches yet; wait for the first step of a run")
        wanted = [setting for setting in settings if game in (None, setting[0])]
        if not wanted:
            games = ", ".join(sorted({name for name, _, _ in settings}))
            raise LeagueError(f"--game: the league in {folder} has no match of {game}; it has some of {games}")
        return [_report(store, *setting) for setting in wanted]
    finally:
        store.close()


def _report(store: LeagueStore, game: str, options: str, matches: int) -> LeagueReport:
    players = {player.name: player for player in store.players(game)}
    rows = store.between(game, options, players)
    payoffs = [PairResult(name, other, wins, draws, games - wins - draws, games)
               for name, other, wins, draws, games in rows]  # fmt: skip
    games = Counter[str]()
    for payoff in payoffs:
        games[payoff.player] += payoff.games
    names = sorted(games)
    ratings = _ratings(store, game, options, players)
    points = {name: rating.mean for name, rating in ratings.items()}
    scores = PayoffMatrix(points_and_games(rows), LeagueSettings().prior, points).among(names)
    shares = nash_average(scores)
    equilibria = dict(
        zip(names, zip(shares, scores_against(scores, shares), alpha_rank(scores), strict=True), strict=True)
    )
    reported = [_player(player, games[name], ratings.get(name), equilibria.get(name, (None, None, None)))
                for name, player in players.items()]  # fmt: skip
    reported.sort(key=lambda player: (-inf if player.rating is None else player.rating, player.games), reverse=True)
    return LeagueReport(game, options, matches, reported, payoffs, list(_opponents(store, store.runs(game, options))))


def _player(
    player: LeaguePlayer,
    games: int,
    rating: Rating | None,
    equilibrium: tuple[float | None, float | None, float | None],
) -> ReportedPlayer:
    return ReportedPlayer(
        player.name,
        player.kind,
        player.role,
        player.run,
        player.version,
        player.parent,
        player.landmark,
        games,
        rating.mean if rating else None,
        rating.low if rating else None,
        rating.high if rating else None,
        *equilibrium,
    )


def _ratings(store: LeagueStore, game: str, options: str, players: Mapping[str, LeaguePlayer]) -> dict[str, Rating]:
    """Return the ratings of the players; seats of versions that are not in the league are left out."""
    matches = []
    for match in store.newest(game, options, None, RATED):
        scores = {seat: score for seat, score in match.scores.items() if match.players[seat] in players}
        matches.append(ScoredMatch({seat: match.players[seat] for seat in scores}, scores))
    rated = {name for match in matches if len(match.scores) > 1 for name in match.players.values()}
    bases = {name: MIDDLE for name in rated if players[name].kind == "base"}
    try:
        table = rating_model()(matches, bases or None)
    except RatingError:  # no two players of the league have met
        return {}
    return {rating.player: rating for rating in table.ratings}


def _opponents(store: LeagueStore, runs: Sequence[str]) -> Iterator[LastOpponents]:
    for run in runs:
        last = store.last_decision(run, OPPONENTS)
        if last is not None:
            step, decided = last
            chances, expected = ({name_at(address, run): value for address, value in decided[key].items()}
                                 for key in ("chances", "expected"))  # fmt: skip
            expected.pop(SELF, None)
            yield LastOpponents(run, step, chances, expected)
