"""`GET /api/players/{name}` and `/api/reports/players/{name}`: a player in one option set, as data and as a report."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response

from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.play.ratings.leaderboard import NEEDED, seat_scores, style
from grandstand.play.ratings.option_sets import OptionSet
from grandstand.players.roster import Roster
from grandstand.server.api.people.boards import (
    Game,
    Setting,
    Visitors,
    choose,
    estimate,
    option_set_info,
    option_sets,
    points,
    row_of,
    share_of,
)
from grandstand.server.bodies.lobby import Highlight
from grandstand.server.bodies.players import (
    HeadToHead,
    PageReport,
    PlayerMatch,
    PlayerPage,
    RatingAt,
    SeatScore,
    StyleFigure,
)
from grandstand.server.http import problems
from grandstand.server.parts import Parts
from grandstand.server.reports.player import player_report
from grandstand.server.results.finished_match import FinishedMatch
from grandstand.server.results.leaderboards import Board, OptionSets
from grandstand.server.results.rivalries import rivalries

LISTED = 200
"""Number of matches in the list, the newest."""

MOMENTS = 6
"""Number of best moments."""


Show = Annotated[
    str, Query(max_length=300, description="The matches that are listed: `all`, `won`, `faults`, `against:NAME` …")
]

router = APIRouter(tags=["games"])


@router.get("/players/{name:path}", response_model=PlayerPage, responses=problems(404))
async def player(
    parts: Parts, request: Request, name: str, game: Game = "", setting: Setting = "", visitors: Visitors = False
) -> Response:
    """Return the page of a player; by default in the option set in which it has played most."""
    return await respond(parts, request, name, game, setting, visitors, PlayerPage.model_dump_json)


@router.get("/reports/players/{name:path}", response_model=PageReport, responses=problems(404))
async def player_report_page(
    parts: Parts,
    request: Request,
    name: str,
    game: Game = "",
    setting: Setting = "",
    visitors: Visitors = False,
    show: Show = "all",
) -> Response:
    """Return the report of a player."""
    now = time.time()
    return await respond(
        parts, request, name, game, setting, visitors, lambda page: player_report(page, show, now).text()
    )


async def respond(
    parts: Parts,
    request: Request,
    name: str,
    game: str,
    setting: str,
    visitors: bool,
    write: Callable[[PlayerPage], str],
) -> Response:
    """Return the page of a player as `write` renders it, in another thread. Raise HTTPException."""
    sets = await parts.boards.sets(visitors=visitors)
    settings = option_sets(sets, None, name)
    if not settings:
        reading = "; the record is still being read, so ask again in a moment" if sets.unread else ""
        raise HTTPException(404, f"no finished match of this record has a player {name[:100]!r}{reading}")
    if not setting and not game:
        setting = max(
            (sum(bool(_seats_of(match, name)) for match in matches), options.id)
            for options, matches in sets.matches.items()
        )[1]
    options = choose(sets, game, setting, name).options
    if options is None:
        raise HTTPException(404, f"game: {name[:100]!r} has played no match of {game[:40]!r}; leave it out")
    operator = parts.access.auth.grant(request).operator
    description = _description(parts.roster, options.game, name)

    def made(board: Board) -> str:
        page = page_of(board, options, name, operator)
        rivals = rivalries(_of_game(sets, page.setting.game), name)
        others = {"settings": settings, "unread": sets.unread, "description": description, "visitors": visitors}
        return write(page.model_copy(update={**others, "rivalries": rivals}))

    return Response(await parts.boards.compute(sets, options, made), media_type="application/json")


def _of_game(sets: OptionSets, game: str) -> list[FinishedMatch]:
    return [match for options, matches in sets.matches.items() if options.game == game for match in matches]


def _description(roster: Roster, game: str, name: str) -> str:
    """Return the roster's description of a player; '' if the roster does not have it."""
    if game not in GAMES:
        return ""
    return next((info.description for info in roster.players(game_spec(game)) if info.name == name), "")


def page_of(board: Board, options: OptionSet, player: str, operator: bool) -> PlayerPage:
    """Return the page of a player, without the list of its option sets and without its rivalries."""
    ranked = [rating.player for rating in board.league.ratings]
    played = [match for match in board.matches if _seats_of(match, player)]
    return PlayerPage(
        player=player,
        kind=board.kinds[player],
        settings=[],
        setting=option_set_info(options, board.matches),
        figures=row_of(board, player, operator),
        rank=ranked.index(player) + 1 if player in ranked else None,
        needed=NEEDED,
        history=_history(board, player),
        opponents=_opponents(board, player),
        style=_style(board, options, player, operator),
        causes=dict(board.league.totals[player].causes),
        seats=[
            SeatScore(player=player, seat=seat, score=estimate(score))
            for seat, score in seat_scores([match.match for match in played], player).items()
        ],
        moments=_moments(played, player),
        matches=[_played(match, player) for match in reversed(played[-LISTED:])],
        played=len(played),
        reference=sum(match.reference for match in played),
    )


def _history(board: Board, player: str) -> list[RatingAt]:
    return [
        RatingAt(
            at=board.matches[count - 1].ended_at,
            matches=count,
            rating=points(ratings[player], ratings[player].games),
        )
        for count, ratings in board.history
        if player in ratings
    ]


def _opponents(board: Board, player: str) -> list[HeadToHead]:
    """Return the comparisons with every other player, the most frequent opponents first."""
    by_rating = {(pair.a, pair.b): pair for pair in board.league.pairs}
    others = {name for pair in board.shares if player in pair for name in pair} - {player}
    rows = []
    for other in others:
        above, below = by_rating.get((player, other)), by_rating.get((other, player))
        pair = above or below
        stronger = None if pair is None else pair.probability if pair is above else 1 - pair.probability
        share = estimate(share_of(board.shares, player, other))
        rows.append(
            HeadToHead(a=player, b=other, share=share, stronger=stronger, differ=pair is not None and pair.differ)
        )
    return sorted(rows, key=lambda row: (-row.share.n, row.b))


def _style(board: Board, options: OptionSet, player: str, operator: bool) -> list[StyleFigure]:
    """Return the game's style measures, over the matches whose hidden events the caller may see."""
    comparison = game_spec(options.game).learning.comparison if options.game in GAMES else None
    if comparison is None:
        return []
    open_to_caller = [match.match for match in board.matches if operator or match.revealed or not match.match.hidden]
    figures = style(open_to_caller, player)
    return [
        StyleFigure(name=name, meaning=meaning, own=estimate(figures[name][0]), others=estimate(figures[name][1]))
        for name, meaning in comparison.meanings.items()
        if name in figures
    ]


def _moments(played: Sequence[FinishedMatch], player: str) -> list[Highlight]:
    moments = [match.moments[seat] for match in played for seat in _seats_of(match, player) if seat in match.moments]
    return sorted(moments, key=lambda moment: (-moment.importance, -moment.at))[:MOMENTS]


def _seats_of(match: FinishedMatch, player: str) -> list[str]:
    return [record.seat for record in match.match.seats if record.player == player]


def _played(match: FinishedMatch, player: str) -> PlayerMatch:
    own = [record for record in match.match.seats if record.player == player]
    counted = [record.score for record in own if record.scored and record.score is not None]
    return PlayerMatch(
        episode_id=match.episode_id if match.recorded else "",
        title=match.title,
        ended_at=match.ended_at,
        seats=[record.seat for record in own],
        opponents=list(Counter(record.player for record in match.match.seats if record.player != player)),
        score=sum(counted) / len(counted) if counted else None,
        won=any(record.won and record.scored for record in own),
        counted=len(counted) == len(own),
        forfeited=any(record.forfeited for record in own),
        faults=sum(record.faults for record in own),
        fallbacks=sum(record.fallbacks for record in own),
        assisted=sum(record.assisted for record in own),
        reference=match.reference,
    )
