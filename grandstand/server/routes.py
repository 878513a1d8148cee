"""Every address of the server but those of OpenEnv, which `openenv/mount.py` lists."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, FastAPI

from grandstand.server.api import games, health, metrics, streams
from grandstand.server.api.episodes import (
    episodes,
    legacy,
    lobby,
    matches,
    moments,
    predictions,
    publish,
    records,
    sandbox,
    tournaments,
)
from grandstand.server.api.files import cards, clips, exports, imports, page, reference
from grandstand.server.api.people import leaderboard, player_pages, session, sign_in
from grandstand.server.api.seats import choices, own_models, play, seats
from grandstand.server.parts import ServerParts

ROUTERS: Sequence[tuple[str, APIRouter]] = (
    ("/api", health.router),
    ("/metrics", metrics.router),
    ("/api", session.router),
    ("", sign_in.router),  # /oauth/...
    ("/api", games.router),
    ("/api", leaderboard.router),
    ("/api", player_pages.router),
    ("/api/lobby", lobby.router),
    ("/api/moments", moments.router),
    ("/api/tournaments", tournaments.router),
    ("/api/publish", publish.router),
    ("/api/imports", imports.router),
    ("/api/play", play.router),
    ("/api/clips", clips.router),
    ("/api/episodes", episodes.router),
    ("/api/episodes", matches.router),
    ("/api/episodes/{episode_id}/questions", predictions.router),
    ("/api/viewers", predictions.viewers),
    ("/api/episodes/{episode_id}", records.router),
    ("/api/episodes/{episode_id}/sandbox", sandbox.router),
    ("/api/episodes/{episode_id}", exports.router),
    ("/api/episodes/{episode_id}", cards.router),
    ("/api/episodes/{episode_id}", streams.router),
    ("/api/episodes/{episode_id}/clips", clips.listing),
    ("/api/episodes/{episode_id}/models", own_models.router),
    ("/api/episodes/{episode_id}/seats/{seat}", seats.router),
    ("/api/episodes/{episode_id}/seats/{seat}/choices", choices.router),
    ("/custom", legacy.router),
    ("", streams.observers),  # the socket at /
    ("", page.router),  # /, /cockpit, /episode/..., /embed/... and the other documents and files of the page
)
"""The prefix of each router. The page takes every address that is left, so it is the last."""

BODY_LIMITS = {"/api/publish/": publish.MAX_BODY, "/api/imports": imports.MAX_BODY}
"""The beginnings of addresses that take larger bodies than others, and the bytes of them."""


def add_routes(app: FastAPI, parts: ServerParts) -> None:
    """Add every route to `app`. Of the two at /health, OpenEnv's is the first: it leaves browsers to the page."""
    app.router.routes.append(parts.openenv)
    for prefix, router in ROUTERS:
        if router is not sign_in.router or parts.accounts.provider is not None:
            app.include_router(router, prefix=prefix)
    reference.install(app, "/api/docs", "/api/openapi.json")
    app.mount("/assets", page.Assets(directory=parts.settings.page / "assets", check_dir=False), name="assets")
    app.add_exception_handler(404, page.missing)
