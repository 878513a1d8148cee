"""The server on which a campaign of the command line is shown."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from grandstand.games.base import OptionError
from grandstand.spectator.bus import Observer
from grandstand.terminal.console import PUBLISH_TOKEN

WatchOption = Annotated[
    str,
    typer.Option("--watch", metavar="URL", help=f"A server that shows it live; its token is in {PUBLISH_TOKEN}."),
]


@contextmanager
def viewer(url: str, records: Path | None, seed: int, run: str) -> Iterator[Observer | None]:
    """Yield the observer that shows a campaign of the kind `run` on a server; None without a server.

    Raises OptionError.
    """
    if not url:
        yield None
        return
    from grandstand.campaigns.run_publisher import Watch

    token = os.environ.get(PUBLISH_TOKEN, "")
    if not token:
        raise OptionError(f"watch: set {PUBLISH_TOKEN} to the server's publish token")
    folder: AbstractContextManager[Path | str] = nullcontext(records) if records is not None else TemporaryDirectory()
    with folder as place:
        Path(place).mkdir(parents=True, exist_ok=True)
        buffer = Path(place) / "watch.db"
        with Watch(url, token, 0.0, 1.0, 0.0, buffer, seed, run=run) as watch:
            yield watch
        if watch.trouble:
            Console(stderr=True).print(escape(watch.trouble), highlight=False)
