"""`grandstand rate`: ratings of players from recorded matches or from results as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from grandstand.play.ratings.models import DEFAULT, MODELS, rating_model
from grandstand.play.ratings.result_files import read_results
from grandstand.play.ratings.table import RatingError, RatingTable
from grandstand.spectator.errors import RecordError
from grandstand.terminal.console import harmless, refuse


def rate_files(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Records, folders of records (as of a tournament), data folders, or JSON lines of players and scores."
        ),
    ],
    game: Annotated[str | None, typer.Option(help="Rate only matches of this game.")] = None,
    anchor: Annotated[
        list[str] | None, typer.Option(help="PLAYER=POINTS, a reference with a fixed rating; may be repeated.")
    ] = None,
    model: Annotated[str, typer.Option(help=" ".join(f"{name}: {text}" for name, text in MODELS.items()))] = DEFAULT,
    by_role: Annotated[
        bool, typer.Option("--by-role", help="Rate each player apart for each of its roles, such as wolf and village.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Rate the players of recorded matches, with 95 per cent intervals and the probability that one is the stronger.

    A line of results is {"players": {"FRANCE": "a", ...}, "scores": {"FRANCE": 1.0, ...}}: a player for each seat, and
    the scores of the seats that count. Of a recorded match, only seats count in which the player made every decision.
    A player whose prompt differs between the matches is rated as several. Matches with the same seed, options and
    players in the same seats count once.
    """
    if model not in MODELS:
        refuse("rate", f"--model: there is no {model!r}; there are {', '.join(MODELS)}", 2)
    try:
        results, repeats = read_results(files, game, by_role)
        table = rating_model(model)(results, anchors(anchor or []))
    except (RecordError, RatingError) as error:
        refuse("rate", str(error), 2, error)
    if as_json:
        typer.echo(json.dumps({**document(table), "repeats": repeats}, ensure_ascii=False))
    else:
        _show(table, len(results), repeats)


def anchors(texts: Iterable[str]) -> dict[str, float]:
    """Return the ratings of reference players, given as PLAYER=POINTS. Raises RatingError."""
    ratings = {}
    for text in texts:
        player, _, points = text.rpartition("=")
        try:
            ratings[player] = float(points)
        except ValueError:
            raise RatingError(f"--anchor: {text!r} is not PLAYER=POINTS, such as heuristic=1500") from None
    return ratings


def document(table: RatingTable) -> dict[str, object]:
    """Return the table as it is printed with `--json`."""
    return {
        "ratings": [asdict(rating) for rating in table.ratings],
        "pairs": [asdict(pair) for pair in table.pairs],
        "seats": [asdict(effect) for effect in table.seats],
    }


def _show(table: RatingTable, matches: int, repeats: int) -> None:
    """Print the table, the pairs that cannot be told apart, and the number of matches that are left out."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    grid = Table(title=f"Ratings from {matches} matches, in Elo points", title_justify="left")
    for name in ("player", "rating", "95 % interval", "matches", "stronger than the next"):
        grid.add_column(name, justify="left" if name == "player" else "right")
    neighbours = {(pair.a, pair.b): pair for pair in table.pairs}
    following = [*table.ratings[1:], None]
    for rating, below in zip(table.ratings, following, strict=True):
        pair = None if below is None else neighbours[rating.player, below.player]
        grid.add_row(
            harmless(rating.player),
            f"{rating.mean:.0f}",
            f"{rating.low:.0f} to {rating.high:.0f}",
            str(rating.games),
            "" if pair is None else f"{pair.probability:.3f}{'' if pair.differ else ' (not significant)'}",
        )
    console.print(grid, markup=False)
    if repeats:
        left_out = "1 match left out: it has" if repeats == 1 else f"{repeats} matches left out: they have"
        console.print(f"{left_out} the seed, options and players of another.")
    if len(table.seats) > 1:
        effects = ", ".join(
            f"{harmless(effect.seat)} {effect.mean:+.0f} ({effect.low:+.0f} to {effect.high:+.0f})"
            for effect in table.seats
        )
        console.print(f"Seats, against the average seat: {effects}", markup=False)
