"""What all verbs of the command share: complaints on standard error, hostile text made harmless, the names of games."""

from __future__ import annotations

import unicodedata
from typing import NoReturn

import typer

from grandstand.games.registry import GAMES

HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Unicode categories that a terminal obeys or hides: control, format (direction marks), surrogates, separators."""


def complain(verb: str, text: str) -> None:
    """Print `grandstand VERB: text` on standard error, every character as it stands: brackets are no markup."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(f"[red]grandstand {escape(verb)}:[/red] {escape(harmless(text, keep=chr(10)))}")


def refuse(verb: str, text: str, status: int = 2, cause: BaseException | None = None) -> NoReturn:
    """Complain, and end the program with `status`: 2 for a request that is at fault, 1 for one that failed."""
    complain(verb, text)
    raise typer.Exit(status) from cause


def harmless(text: str, keep: str = "") -> str:
    """Return `text` with every character that a terminal would obey, or not show, written as its escape."""
    return "".join(_escaped(char) if _is_hidden(char) and char not in keep else char for char in text)


def _is_hidden(char: str) -> bool:
    return (not char.isascii() and unicodedata.category(char) in HIDDEN) or char < " " or char == "\x7f"


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def game_names() -> str:
    """Return the names of all games for a help text: `cricket, diplomacy`."""
    return ", ".join(sorted(GAMES))
