"""`grandstand rate`: ratings of players from recorded matches or from results as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from grandstand.campaigns.words import matches as number_of
from grandstand.play.ratings.models import DEFAULT, MODELS, rating_model
from grandstand.play.ratings.result_files import read_results
from grandstand.play.ratings.table import RatingError, RatingTable, SeatEffect
from grandstand.report import Column, Figure, Figures, Report, Row, Section, Table, Value
from grandstand.spectator.errors import RecordError
from grandstand.terminal.console import refuse
from grandstand.terminal.report_text import print_report

COLUMNS = [
    Column(id="player", title="Player"),
    Column(id="rating", title="Rating", shape="number", unit="elo"),
    Column(id="matches", title="Matches", shape="number", unit="count"),
    Column(id="ahead", title="Stronger than the next", shape="number", unit="share"),
]
NOT_SIGNIFICANT = "not significant"


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
        results, repeats = read_results(files, game)
        table = rating_model(model)(results, anchors(anchor or []))
    except (RecordError, RatingError) as error:
        refuse("rate", str(error), 2, error)
    if as_json:
        typer.echo(json.dumps({**document(table), "repeats": repeats}, ensure_ascii=False))
    else:
        print_report(Console(), report(table, len(results), repeats))


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


def report(table: RatingTable, matches: int, repeats: int) -> Report:
    """Return the ratings as a report: the table, the effects of the seats, and how many matches are left out."""
    neighbours = {(pair.a, pair.b): pair for pair in table.pairs}
    rows = []
    for rating, below in zip(table.ratings, [*table.ratings[1:], None], strict=True):
        pair = None if below is None else neighbours[rating.player, below.player]
        ahead = Value() if pair is None else Value(value=pair.probability, note="" if pair.differ else NOT_SIGNIFICANT)
        mean = Value(value=rating.mean, low=rating.low, high=rating.high)
        cells = [Value(value=rating.player), mean, Value(value=rating.games), ahead]
        rows.append(Row(id=rating.player, cells=cells, owner=rating.player))
    sections = [Section(id="ratings", body=Table(columns=COLUMNS, rows=rows))]
    if len(table.seats) > 1:
        figures = [Figure(label=each.seat, value=_effect(each), unit="signed elo") for each in table.seats]
        sections.append(Section(id="seats", title="Seats, against the average seat", body=Figures(figures=figures)))
    left_out = "1 match left out: it has" if repeats == 1 else f"{repeats} matches left out: they have"
    return Report(
        headline=f"Ratings from {number_of(matches)}, in Elo points",
        summary=f"{left_out} the seed, options and players of another." if repeats else "",
        sections=sections,
    )


def _effect(effect: SeatEffect) -> Value:
    return Value(value=effect.mean, low=effect.low, high=effect.high)
