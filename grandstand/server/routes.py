"""Every address of the server: this list, and OpenEnv's in `openenv/mount.py`."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, FastAPI

from grandstand.server.api import games, health, metrics, streams
from grandstand.server.api.episodes import (
    deleting,
    episodes,
    legacy,
    matches,
    moments,
    publish,
    records,
    tournaments,
)
from grandstand.server.api.files import cards, clips, exports, imports, page, reference
from grandstand.server.api.people import leaderboard, player_pages, session, sign_in
from grandstand.server.api.seats import own_models, play, seats
from grandstand.server.parts import ServerParts

ROUTERS: Sequence[tuple[str, APIRouter]] = (
    ("/api", health.router),
    ("/metrics", metrics.router),
    ("/api", session.router),
    ("", sign_in.router),
    ("/api", games.router),
    ("/api", leaderboard.router),
    ("/api", player_pages.router),
    ("/api/moments", moments.router),
    ("/api/tournaments", tournaments.router),
    ("/api/publish", publish.router),
    ("/api/imports", imports.router),
    ("/api/play", play.router),
    ("/api/clips", clips.router),
    ("/api/episodes", episodes.router),
    ("/api/episodes", matches.router),
    ("/api/episodes", deleting.router),
    ("/api/episodes/{episode_id}", records.router),
    ("/api/episodes/{episode_id}", exports.router),
    ("/api/episodes/{episode_id}", cards.router),
    ("/api/episodes/{episode_id}", streams.router),
    ("/api/episodes/{episode_id}/clips", clips.listing),
    ("/api/episodes/{episode_id}/models", own_models.router),
    ("/api/episodes/{episode_id}/seats/{seat}", seats.router),
    ("/custom", legacy.router),
    ("", streams.observers),
)
"""The prefix of each router."""

BODY_LIMITS = {"/api/publish/": publish.MAX_BODY, "/api/imports": imports.MAX_BODY}
"""The beginnings of addresses that take larger bodies than others, and the bytes of them."""


def add_routes(app: FastAPI, parts: ServerParts) -> None:
    """Add every route to `app`; those of the page take any address that is left, so they are the last."""
    for prefix, router in ROUTERS:
        if router is not sign_in.router or parts.accounts.provider is not None:
            app.include_router(router, prefix=prefix)
    app.router.routes.append(parts.openenv)
    reference.install(app, "/api/docs", "/api/openapi.json")
    app.mount("/assets", page.Assets(directory=parts.settings.page / "assets", check_dir=False), name="assets")
    app.include_router(page.router)
    app.add_exception_handler(404, page.missing)
