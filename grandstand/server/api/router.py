"""The API below `/api`, put together from the routers of its resources."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fastapi import APIRouter

from grandstand.players.roster import Roster
from grandstand.server.access import Access
from grandstand.server.api import games, health
from grandstand.server.api.episodes import episodes, lobby, matches, moments, records
from grandstand.server.api.files import clips, exports
from grandstand.server.api.people import leaderboard, player_pages, session
from grandstand.server.api.seats import own_models, seats
from grandstand.server.bodies import LaneInfo
from grandstand.server.leaderboards import Leaderboards
from grandstand.server.match_results import MatchResults
from grandstand.server.matches.driver import Driver
from grandstand.server.settings import PAGE
from grandstand.server.sign_in import Accounts
from grandstand.spectator.bus import Bus
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.voice.scheduler import VoiceScheduler


def router(
    driver: Driver,
    bus: Bus,
    history: History,
    recorder: Recorder,
    hub: Hub,
    roster: Roster,
    access: Access,
    voice: VoiceScheduler,
    accounts: Accounts,
    results: MatchResults,
    lanes: Callable[[], list[LaneInfo]] = list,
    page: Path = PAGE,
) -> APIRouter:
    """Return every route below `/api` but the streams and publishing.

    `lanes` gives the showcase's lanes, `page` is the folder of the built page.
    """
    api = APIRouter(prefix="/api")
    api.include_router(health.router(driver, history, hub, voice))
    api.include_router(session.router(access, roster, accounts))
    boards = Leaderboards(results)
    api.include_router(games.router(results, roster))
    api.include_router(leaderboard.router(boards, access))
    api.include_router(player_pages.router(boards, roster, access))
    api.include_router(episodes.router(driver, history, recorder, hub, lanes))
    api.include_router(lobby.router(driver, history, recorder, hub, lanes))
    api.include_router(exports.router(history, access.look, page, voice, access.visitor))
    api.include_router(moments.router(history, recorder))
    api.include_router(records.router(history, access.look))
    api.include_router(clips.router(voice, history, access.look))
    api.include_router(matches.router(driver, history, access, accounts))
    api.include_router(seats.router(driver, bus, access, hub))
    api.include_router(seats.play_router(driver, bus, roster, access, accounts))
    api.include_router(own_models.router(driver, access, accounts))
    return api
