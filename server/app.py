"""`server.app:app` and `server.app:main`, the addresses that OpenEnv's tools expect, of `grandstand.server`."""

from __future__ import annotations

from fastapi import FastAPI

from grandstand.server import main as server


def __getattr__(name: str) -> FastAPI:
    """Create `app` when it is first needed: importing this module starts nothing."""
    if name == "app":
        app = server.foreign_app()
        globals()["app"] = app
        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def main() -> None:
    """Serve with the settings of the environment."""
    server.main()


if __name__ == "__main__":
    main()
