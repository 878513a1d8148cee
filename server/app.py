"""`server.app:app` and `server.app:main`, the addresses that OpenEnv's tools expect; the server is `server/main.py`.

Only this file is imported as `server.…`: everything else is `grandstand.server.…`, so no module is loaded twice.
"""

from __future__ import annotations

from fastapi import FastAPI

from grandstand.server.main import foreign_app, main

__all__ = ["main"]


def __getattr__(name: str) -> FastAPI:
    """Make `app` when it is first asked for: importing this module starts nothing."""
    if name == "app":
        app = foreign_app()
        globals()["app"] = app
        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if __name__ == "__main__":
    main()
