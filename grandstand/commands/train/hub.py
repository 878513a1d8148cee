"""`grandstand train push` and `pull`: a trained policy to and from a model repository of a Hub."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from grandstand.games.base import OptionError
from grandstand.play.exchange.hub import PREFIX, HubFailed
from grandstand.terminal.console import refuse
from grandstand.trainer.config.files import ConfigError


def push(
    out: Annotated[Path, typer.Option("--out", help="The run's folder.")],
    to: Annotated[str, typer.Option(help=f"The repository: {PREFIX}OWNER/NAME.")],
    version: Annotated[int | None, typer.Option(min=0, help="The version; the newest by default.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Make a new repository public.")] = False,
    licence: Annotated[str, typer.Option(help="The licence in the card; none by default.")] = "",
) -> None:
    """Push a version of a run to a Hub: adapter, tokenizer, settings and card, and the model if it is not there.

    The token is read from HF_TOKEN; HF_ENDPOINT names another server than the Hugging Face Hub.
    """
    with _complaining("push"):
        from grandstand.trainer.hub import push_version

        typer.echo(push_version(out, to, step=version, public=public, licence=licence))


def pull(
    from_: Annotated[str, typer.Option("--from", help=f"The repository: {PREFIX}OWNER/NAME.")],
    out: Annotated[Path, typer.Option("--out", help="The new folder.")],
    revision: Annotated[str, typer.Option(help="A branch, tag or commit; the newest by default.")] = "",
) -> None:
    """Pull a version from a Hub into a folder that players of kind `trained` and the setting `policy.init` take."""
    with _complaining("pull"):
        from grandstand.trainer.hub import pull_version

        typer.echo(f"{out}: {pull_version(from_, out, revision)}")


@contextmanager
def _complaining(verb: str) -> Iterator[None]:
    """Print an error, and exit with status 2 for an invalid request, 1 if the Hub fails."""
    try:
        yield
    except HubFailed as error:
        refuse(f"train {verb}", str(error), 1, error)
    except (OptionError, ConfigError, OSError, ValueError) as error:
        refuse(f"train {verb}", str(error), 2, error)
