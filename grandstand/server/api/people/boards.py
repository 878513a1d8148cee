"""Shared by the leaderboard and the pages of players: the option set that a request names, and its figures as data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import HTTPException, Query

from grandstand.campaign_events import Estimate
from grandstand.games.catalog import GAMES
from grandstand.play.ratings.intervals import NOTHING, Interval
from grandstand.play.ratings.leaderboard import NEEDED
from grandstand.play.ratings.option_sets import OptionSet
from grandstand.play.ratings.table import Pair, Rating, SeatEffect
from grandstand.server.bodies.players import HeadToHead, Leaderboard, LeaderboardRow, OptionSetInfo
from grandstand.server.results.finished_match import FinishedMatch
from grandstand.server.results.leaderboards import Board, OptionSets

Game = Annotated[str, Query(max_length=100, description="By default the game with most matches.")]
Setting = Annotated[str, Query(max_length=100, description="By default the option set with most matches.")]
Visitors = Annotated[bool, Query(description="Count the matches that visitors started, which are left out by default.")]


@dataclass(frozen=True, slots=True)
class RequestedOptions:
    """The option set that a request names; `options` is None if the game has no matches yet."""

    game: str
    options: OptionSet | None


def choose(sets: OptionSets, game: str, setting: str, player: str | None = None) -> RequestedOptions:
    """Return the option set that a request names. With `player`, it must have a seat there. Raises HTTPException."""
    usable = [options for options, matches in sets.matches.items() if player is None or _plays(matches, player)]
    if setting:
        named = [options for options in usable if options.id == setting and game in ("", options.game)]
        if not named:
            raise HTTPException(404, f"setting: there are no matches of the option set {setting[:40]!r}; leave it out")
        return RequestedOptions(named[0].game, named[0])
    of_game = [options for options in usable if game in ("", options.game)]
    if of_game:
        return RequestedOptions(of_game[0].game, of_game[0])
    if game and game not in GAMES and not any(options.game == game for options in sets.matches):
        raise HTTPException(404, f"game: there is no {game[:40]!r}; there are {', '.join(GAMES)}")
    return RequestedOptions(game or next(iter(GAMES)), None)


def _plays(matches: Sequence[FinishedMatch], player: str) -> bool:
    return any(record.player == player for match in matches for record in match.match.seats)


def option_sets(sets: OptionSets, game: str | None = None, player: str | None = None) -> list[OptionSetInfo]:
    """Return the option sets of a game, or of all games, in which `player` has a seat; most matches first."""
    return [
        option_set_info(options, matches)
        for options, matches in sets.matches.items()
        if game in (None, options.game) and (player is None or _plays(matches, player))
    ]


def option_set_info(options: OptionSet, matches: Sequence[FinishedMatch]) -> OptionSetInfo:
    """Return the option set as the API shows it."""
    return OptionSetInfo(
        id=options.id,
        game=options.game,
        label=options.label,
        options=json.loads(options.options),
        rules=options.rules,
        matches=len(matches),
        reference=sum(match.reference for match in matches),
    )


def leaderboard_of(board: Board, options: OptionSet, operator: bool) -> Leaderboard:
    """Return the leaderboard of one option set, without the list of the others."""
    rated = [rating.player for rating in board.league.ratings]
    rest = sorted(
        (player for player in board.league.totals if player not in set(rated)),
        key=lambda player: (-board.league.games.get(player, 0), player),
    )
    return Leaderboard(
        game=options.game,
        setting=option_set_info(options, board.matches),
        settings=[],
        needed=NEEDED,
        table=[row_of(board, player, operator) for player in rated],
        unrated=[row_of(board, player, operator) for player in rest],
        pairs=[head_to_head(board, pair) for pair in board.league.pairs],
        seat_effects={effect.seat: points(effect, board.league.matches) for effect in board.league.seats},
    )


def row_of(board: Board, player: str, operator: bool) -> LeaderboardRow:
    """Return the figures of a player."""
    total = board.league.totals[player]
    rating = next((rating for rating in board.league.ratings if rating.player == player), None)
    costs = (board.all_costs if operator else board.open_costs).get(player)
    spent = None if costs is None else costs.spent
    return LeaderboardRow(
        player=player,
        kind=board.kinds[player],
        matches=board.played[player],
        counted=board.league.games.get(player, 0),
        score=estimate(total.score),
        rating=Estimate(n=board.league.games.get(player, 0)) if rating is None else points(rating, rating.games),
        wins=total.wins,
        seats=total.seats,
        scored=total.scored,
        decisions=total.decisions,
        fallbacks=total.fallbacks,
        assisted=total.assisted,
        faults=total.faults,
        forfeits=total.forfeits,
        costed=0 if costs is None else costs.matches,
        answers=0 if spent is None else spent.answers,
        tokens=0 if spent is None else spent.tokens_in + spent.tokens_out,
        dollars=None if spent is None else spent.dollars,
        seconds=0.0 if spent is None else spent.seconds,
    )


def head_to_head(board: Board, pair: Pair) -> HeadToHead:
    """Return two players' direct comparisons, and how they compare by the ratings."""
    return HeadToHead(
        a=pair.a,
        b=pair.b,
        share=estimate(share_of(board.shares, pair.a, pair.b)),
        stronger=pair.probability,
        differ=pair.differ,
    )


def share_of(shares: Mapping[tuple[str, str], Interval], a: str, b: str) -> Interval:
    """Return the share of comparisons that `a` won of those with `b`."""
    if a < b:
        return shares.get((a, b), NOTHING)
    share = shares.get((b, a), NOTHING)
    return Interval(_rest(share.mean), _rest(share.high), _rest(share.low), share.n)


def _rest(share: float | None) -> float | None:
    return None if share is None else 1 - share


def estimate(interval: Interval) -> Estimate:
    """Return an interval as the API shows it."""
    return Estimate(mean=interval.mean, low=interval.low, high=interval.high, n=interval.n)


def points(rating: Rating | SeatEffect, matches: int) -> Estimate:
    """Return a rating or the effect of a seat as the API shows it."""
    return Estimate(mean=rating.mean, low=rating.low, high=rating.high, n=matches)
