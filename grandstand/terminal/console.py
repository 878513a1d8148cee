"""Functions that the verbs share: errors on standard error, escaping of hostile text, parsing of common options."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from grandstand.games.base import OptionError, SeatId
from grandstand.games.catalog import GAMES
from grandstand.games.spec import GameSpec

if TYPE_CHECKING:
    from grandstand.campaigns.campaign import Stopped
    from grandstand.play.headless import MatchResult
    from grandstand.play.ratings.seat_records import PlayerTotals

HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Unicode categories that a terminal interprets or hides: control, format (direction marks), surrogates, separators."""
PUBLISH_TOKEN = "GRANDSTAND_PUBLISH_TOKEN"
"""Environment variable with the token of a server that shows what runs elsewhere."""
ROSTER = "GRANDSTAND_ROSTER"
"""Environment variable with the roster file of every command; an empty one names none."""
RosterOption = Annotated[
    Path | None, typer.Option("--roster", envvar=ROSTER, help="The roster file; the built-in one by default.")
]
MaxTokens = Annotated[
    int | None, typer.Option(min=1, help="Token limit of all matches together, checked before every call.")
]
MaxDollars = Annotated[float | None, typer.Option(min=0, help="The same in US dollars.")]
MaxHours = Annotated[float | None, typer.Option(min=0, help="Begin no match, or run, after so many hours.")]
Jobs = Annotated[
    int,
    typer.Option(min=0, help="Number of processes, for players that compute (built-in, trained); 0 is one per core."),
]
Concurrency = Annotated[
    int,
    typer.Option(
        min=0,
        help="Concurrent matches in one process, for players that wait for a provider (language models); 0 is 16.",
    ),
]
Command = Annotated[
    str,
    typer.Option(
        metavar="TEMPLATE",
        help="Play each match by a command, such as \"ssh node{slot} '/shared/bin/grandstand {arguments}'\"; --jobs is "
        "how many at a time.",
    ),
]
Ray = Annotated[str, typer.Option(metavar="ADDRESS", help="Play each match on a node of this Ray cluster.")]
Sure = Annotated[bool, typer.Option("--yes", help="Play on if the estimate exceeds the budget.")]
ON_FAULT = (
    "After a player's fault: `fallback`, a built-in player acts for it and the match does not count for it; `forfeit`, "
    "it also loses its score of that match; `stop`, the match ends there."
)
MAX_FAULTS = "Exit with status 1 if the fallback made more than this share of a player's decisions."
LONGEST_FILE = 1_000_000
"""Characters that are read of a file named in a match option."""


def complain(verb: str, text: str) -> None:
    """Print `grandstand VERB: text` on standard error, literally: brackets are not interpreted as markup."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(f"[red]grandstand {escape(verb)}:[/red] {escape(harmless(text, keep=chr(10)))}")


def refuse(verb: str, text: str, status: int = 2, cause: BaseException | None = None) -> NoReturn:
    """Print an error and exit with `status`: 2 for an invalid request, 1 for a failure."""
    complain(verb, text)
    raise typer.Exit(status) from cause


def harmless(text: str, keep: str = "") -> str:
    """Return `text` with every character that a terminal would interpret or hide replaced by its escape."""
    return "".join(_escaped(char) if _is_hidden(char) and char not in keep else char for char in text)


def _is_hidden(char: str) -> bool:
    return (not char.isascii() and unicodedata.category(char) in HIDDEN) or char < " " or char == "\x7f"


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def game_names() -> str:
    """Return the names of all games for a help text."""
    return ", ".join(sorted(GAMES))


def match_options(settings: Iterable[str]) -> dict[str, Any]:
    """Parse match options of the form `name=value`; a value is JSON, a word, or `@file` with JSON in it.

    Raises OptionError.
    """
    options: dict[str, Any] = {}
    for text in settings:
        name, separator, value = text.partition("=")
        if not separator:
            raise OptionError(f"set: {text!r} is not name=value")
        try:
            options[name] = _file_value(name, Path(value[1:])) if value.startswith("@") else json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options


def _file_value(name: str, file: Path) -> Any:
    """Return the JSON value in a file. Raises OptionError naming the option and the file."""
    try:
        with file.open(encoding="utf-8") as text:
            return json.loads(text.read(LONGEST_FILE))
    except OSError as error:
        raise OptionError(f"set: {name}: {file} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise OptionError(f"set: {name}: {file} is not JSON of at most {LONGEST_FILE} characters: {error}") from None


def player_names(spec: GameSpec, players: str, seats: Sequence[SeatId]) -> list[str]:
    """Return the name of the player of every seat from a comma-separated list of one name, or one for each seat.

    The default is the game's strongest built-in player. Raises OptionError.
    """
    names = [name.strip() for name in players.split(",") if name.strip()] or [spec.bots.default]
    if len(names) == 1:
        names *= len(seats)
    if len(names) != len(seats):
        raise OptionError(
            f"players: {len(names)} named for {len(seats)} seats ({', '.join(seats)}); name one, or one each"
        )
    return names


def exit_status(
    stopped: Stopped | None, results: Iterable[MatchResult], totals: dict[str, PlayerTotals], max_faults: float
) -> int:
    """Return the exit status: that of a signal, 1 if players failed too often or a match was stopped, else 0."""
    if stopped is not None:
        return stopped.exit_status
    failed = any(total.fallback_share > max_faults for total in totals.values())
    return int(failed or any(result.status != "finished" for result in results))


def rounded(value: float | None, digits: int) -> str:
    """Format a number; None is a dash."""
    return "–" if value is None else f"{value:.{digits}f}"
