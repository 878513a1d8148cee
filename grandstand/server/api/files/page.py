"""Serves the built page: a document for its addresses, one for embedded matches, and hashed assets for ever."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from grandstand.server.api.files.link_preview import LinkPreview
from grandstand.server.api.problems import http_problem
from grandstand.server.transport.edge import PREFIX, to_root

BASE = '<base href="/" />'
"""The base address in the built index; each response replaces it by one relative to its own address."""

EMBED = "/embed/{episode_id}"
"""The address that other sites may frame. Its document has no code of other pages, so it cannot become one."""

PAGES = (
    "/",
    "/episode/{episode_id}",
    "/cockpit",
    "/health",
    "/leaderboard",
    "/experiments",
    "/player/{name:path}",
)


class Assets(StaticFiles):
    """Files whose names carry their hash: a browser need never ask again."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def install(app: FastAPI, folder: Path, preview: LinkPreview) -> None:
    """Serve the page built in `folder`; where it is not built, say how to build it.

    `preview` adds the tags of a match to its page.
    """
    index = folder / "index.html"

    async def document(name: str, request: Request, status: int) -> Response:
        try:
            text = (folder / name).read_text("utf-8")
        except OSError:
            return PlainTextResponse(f"The page is not built: no {folder / name}. Run `make setup`.", 503)
        text = text.replace(BASE, f'<base href="{to_root(_address(request))}" />')
        if status == 200 and "episode_id" in request.path_params:
            text = await preview.written(text, request)
        elif status == 200 and request.url.path == "/":
            text = preview.front(text, request)
        return HTMLResponse(text, status, headers={"Cache-Control": "no-cache"})

    async def page(request: Request) -> Response:
        return await document("index.html", request, 200)

    async def embedded(request: Request) -> Response:
        return await document("embed.html", request, 200)

    app.add_api_route(EMBED, embedded, methods=["GET", "HEAD"], include_in_schema=False)
    for path in PAGES:
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/assets", Assets(directory=folder / "assets", check_dir=False), name="assets")

    @app.get("/{name}", include_in_schema=False)
    async def top(name: str) -> Response:
        if name not in _files(folder):
            raise HTTPException(404, f"nothing at /{name[:100]}")
        return FileResponse(folder / name)

    @app.exception_handler(404)
    async def missing(request: Request, error: HTTPException) -> Response:
        """Answer a browser that was led astray with the page, which says so, and everybody else with a problem."""
        if "text/html" in request.headers.get("accept", "") and index.is_file():
            return await document("index.html", request, 404)
        return http_problem(error)


def _address(request: Request) -> str:
    """Return the path below a proxy's prefix as the browser knows it, in which a name may hold an encoded slash."""
    path = request.scope.get("raw_path", b"").decode("latin-1") or request.url.path
    prefix: str = request.scope.get(PREFIX, "")
    return path[len(prefix) :] if prefix and path.startswith(prefix + "/") else path


def _files(folder: Path) -> set[str]:
    """Return the names of the files in `folder`: a name that is looked up so may be anything."""
    try:
        return {file.name for file in folder.iterdir() if file.is_file()}
    except OSError:
        return set()
