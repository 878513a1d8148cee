"""`GET /api/players/{name}/feed.atom`, `/api/feed.atom` and the same as JSON: matches for feed readers."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response

from grandstand.server.api.files.link_preview import LinkPreview
from grandstand.server.api.tagged import tagged
from grandstand.server.feeds.formats import ATOM, JSON, atom, json_feed
from grandstand.server.feeds.news import Feed
from grandstand.server.http import problems
from grandstand.server.parts import Parts, ServerParts

router = APIRouter(tags=["games"])


@router.get("/feed.atom", response_class=Response, responses={200: {"content": {ATOM: {}}}})
async def server_atom(parts: Parts, request: Request) -> Response:
    """Return the matches that ended last, as Atom, without those of tournaments and training runs."""
    return tagged(request, atom(await _feed(parts, ""), _root(parts, request)), ATOM)


@router.get("/feed.json", response_class=Response, responses={200: {"content": {JSON: {}}}})
async def server_json(parts: Parts, request: Request) -> Response:
    """Return the matches that ended last, as JSON Feed."""
    return tagged(request, json_feed(await _feed(parts, ""), _root(parts, request)), JSON)


@router.get(
    "/players/{name:path}/feed.atom",
    response_class=Response,
    responses={200: {"content": {ATOM: {}}}, **problems(404)},
)
async def player_atom(parts: Parts, request: Request, name: str) -> Response:
    """Return the matches of a player, as Atom: those that are live, and the last ones with result and best moment."""
    return tagged(request, atom(await _feed(parts, name), _root(parts, request)), ATOM)


@router.get(
    "/players/{name:path}/feed.json",
    response_class=Response,
    responses={200: {"content": {JSON: {}}}, **problems(404)},
)
async def player_json(parts: Parts, request: Request, name: str) -> Response:
    """Return the matches of a player, as JSON Feed."""
    return tagged(request, json_feed(await _feed(parts, name), _root(parts, request)), JSON)


async def _feed(parts: ServerParts, player: str) -> Feed:
    feed = await parts.feeds.of(player)
    if feed is None:
        raise HTTPException(404, f"no match of this record has a player {player[:100]!r}")
    return feed


def _root(parts: ServerParts, request: Request) -> str:
    return LinkPreview(parts.history, parts.recorder, parts.settings.public_url).root(request)
