"""Serves the built page: one index for every address of the page, and its hashed assets for ever."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

PAGES = ("/", "/episode/{episode_id}", "/cockpit", "/health")


class Assets(StaticFiles):
    """Files whose names carry their hash: a browser need never ask again."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def install(app: FastAPI, folder: Path) -> None:
    """Serve the page built in `folder`; where it is not built, say how to build it."""
    index = folder / "index.html"

    async def page() -> Response:
        if not index.is_file():
            return PlainTextResponse(f"The page is not built: no {index}. Run `make setup`.", 503)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})

    for path in PAGES:
        app.add_api_route(path, page, include_in_schema=False)
    app.mount("/assets", Assets(directory=folder / "assets", check_dir=False), name="assets")

    @app.get("/{name}", include_in_schema=False)
    async def top(name: str) -> Response:
        file = folder / name
        if not file.is_file() or file.parent != folder:
            raise HTTPException(404, f"nothing at /{name}")
        return FileResponse(file)
