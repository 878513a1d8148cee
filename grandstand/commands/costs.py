"""`grandstand list costs`: tokens and dollars of recorded matches, per decision, match, player, day or model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from grandstand.play.cost_files import charges_in
from grandstand.play.costs import By, Cost, costs, total
from grandstand.play.ratings.seat_records import player_names
from grandstand.spectator.errors import RecordError
from grandstand.terminal.console import harmless, refuse

NOT_RECORDED = "not recorded"
"""The name of a row whose model or player is not in the record."""


def costs_of_files(
    files: Annotated[list[Path], typer.Argument(help="Records of matches, folders of records, or data folders.")],
    by: Annotated[By, typer.Option(help="What a row stands for; a day is one in UTC.")] = "player",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Add up the tokens and dollars that recorded matches took, finished or not.

    Dollars are at the price when the call was made, as recorded. Answers whose price was
    unknown are counted separately, not as free.
    """
    try:
        charged = list(charges_in(files))
    except RecordError as error:
        refuse("list costs", str(error), 2, error)
    names = player_names((charge.player, charge.prompt) for charge in charged)
    rows = {name or NOT_RECORDED: cost for name, cost in costs(charged, by, names).items()}
    if as_json:
        document = {
            "by": by,
            "rows": [{by: name, **_row(cost)} for name, cost in rows.items()],
            "total": _row(total(charged)),
        }
        typer.echo(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        _show(by, rows, total(charged))


def _row(cost: Cost) -> dict[str, Any]:
    return {
        "matches": len(cost.matches),
        "answers": cost.answers,
        "calls": cost.calls,
        "tokens_in": cost.tokens_in,
        "tokens_out": cost.tokens_out,
        "tokens_cached": cost.tokens_cached,
        "tokens_reasoning": cost.tokens_reasoning,
        "dollars": None if cost.dollars is None else round(cost.dollars, 6),
        "unpriced": cost.unpriced,
        "estimated": cost.estimated,
        "seconds": round(cost.seconds, 3),
    }


def _show(by: By, rows: dict[str, Cost], whole: Cost) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    several = by in ("player", "day", "model")
    columns = ["answers", "tokens in", "out", "$"]
    grid = Table(title=f"Costs by {by}", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    grid.add_column(by, overflow="fold", min_width=16)
    for column in [*columns, *(("matches", "$ a match") if several else ())]:
        grid.add_column(column, justify="right", no_wrap=True)
    for name, cost in rows.items():
        grid.add_row(harmless(name), *_cells(cost, several))
    if len(rows) > 1:
        grid.add_section()
        grid.add_row("total", *_cells(whole, several))
    console = Console()
    console.print(grid, markup=False)
    for line in _notes(whole):
        console.print(f"  {line}", markup=False, highlight=False)


def _cells(cost: Cost, several: bool) -> list[str]:
    """Return the figures of a row; if rows stand for `several` matches, with the figures for one match."""
    matches = len(cost.matches)
    cells = [
        str(cost.answers),
        f"{cost.tokens_in:,}",
        f"{cost.tokens_out:,}",
        _dollars(cost, 1),
    ]
    return [*cells, str(matches), _dollars(cost, matches)] if several else cells


def _dollars(cost: Cost, among: int) -> str:
    """Return the cost divided by `among`; it is a lower bound if the price of some answers is unknown."""
    if not among or (cost.dollars is None and not cost.unpriced):
        return "–"
    if cost.dollars is None:
        return "unknown"
    return f"{'≥ ' if cost.unpriced else ''}{cost.dollars / among:.4f}"


def _notes(whole: Cost) -> list[str]:
    if not whole.answers:
        return ["no model was asked, or the record is that of a spectator, which has no costs"]
    lines = []
    if whole.unpriced:
        lines.append(
            f"the price of {whole.unpriced} of {whole.answers} answers is unknown; ≥ is the cost of the others"
        )
    if whole.estimated:
        lines.append(f"the tokens of {whole.estimated} of {whole.answers} answers are estimates")
    return lines
