"""Serves the built page: its document, the document of embedded matches, and its assets."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from grandstand.server.api.files.link_preview import LinkPreview, with_feeds
from grandstand.server.http import http_problem
from grandstand.server.parts import Parts, ServerParts
from grandstand.server.transport.edge import PREFIX, to_root

BASE = '<base href="/" />'
"""The base address in the built index; each response replaces it by one relative to its own address."""

EMBED = "/embed/{episode_id}"
"""The address that other sites may frame. Its document has no code of other pages."""

PAGES = (
    "/",
    "/episode/{episode_id}",
    "/sandbox/{episode_id}/{seq}",
    "/campaign/{episode_id}",
    "/cockpit",
    "/health",
    "/leaderboard",
    "/campaigns",
    "/tv",
    "/experiments",
    "/player/{name:path}",
)


class Assets(StaticFiles):
    """Files whose names contain their hash, so browsers may keep them for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


router = APIRouter(include_in_schema=False)


async def page(parts: Parts, request: Request) -> Response:
    """Return the page."""
    return await _document(parts, "index.html", request, 200)


for path in PAGES:
    router.add_api_route(path, page, methods=["GET", "HEAD"])


@router.api_route(EMBED, methods=["GET", "HEAD"])
async def embedded(parts: Parts, request: Request) -> Response:
    """Return the page of one match for other sites."""
    return await _document(parts, "embed.html", request, 200)


@router.get("/{name}")
async def top(parts: Parts, name: str) -> Response:
    """Return a file of the folder of the page."""
    folder = parts.settings.page
    if name not in _files(folder):
        raise HTTPException(404, f"nothing at /{name[:100]}")
    return FileResponse(folder / name)


async def missing(request: Request, error: Exception) -> Response:
    """Answer a browser at an unknown address with the page, which says so, and any other client with a problem."""
    parts: ServerParts = request.app.state.parts
    if "text/html" in request.headers.get("accept", "") and (parts.settings.page / "index.html").is_file():
        return await _document(parts, "index.html", request, 404)
    assert isinstance(error, HTTPException)
    return http_problem(error)


async def _document(parts: ServerParts, name: str, request: Request, status: int) -> Response:
    """Return a built document with the tags of its match, or an answer that says how to build it."""
    file = parts.settings.page / name
    try:
        text = file.read_text("utf-8")
    except OSError:
        return PlainTextResponse(f"The page is not built: no {file}. Run `make setup`.", 503)
    text = text.replace(BASE, f'<base href="{to_root(_address(request))}" />')
    if status == 200 and "episode_id" in request.path_params:
        text = await _preview(parts).written(text, request)
    elif status == 200 and request.url.path == "/":
        text = await _preview(parts).front(text, request)
    if status == 200 and name == "index.html" and "episode_id" not in request.path_params:
        text = with_feeds(text, request.path_params.get("name", ""), _preview(parts).root(request))
    return HTMLResponse(text, status, headers={"Cache-Control": "no-cache"})


def _preview(parts: ServerParts) -> LinkPreview:
    return LinkPreview(parts.history, parts.recorder, parts.settings.public_url)


def _address(request: Request) -> str:
    """Return the path below a proxy's prefix, as the browser sent it: a name in it may contain an encoded slash."""
    path = request.scope.get("raw_path", b"").decode("latin-1") or request.url.path
    prefix: str = request.scope.get(PREFIX, "")
    return path[len(prefix) :] if prefix and path.startswith(prefix + "/") else path


def _files(folder: Path) -> set[str]:
    """Return the names of the files in `folder`. A requested name is looked up here and never used as a path."""
    try:
        return {file.name for file in folder.iterdir() if file.is_file()}
    except OSError:
        return set()
