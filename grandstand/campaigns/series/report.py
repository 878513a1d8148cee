"""The report of a series of matches: how each player scored, what it cost, and every match.

It is made from the JSON document, so that the two never differ. Seeds are in the document alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from grandstand.campaign_events import Estimate
from grandstand.campaigns.numbers import estimate
from grandstand.campaigns.series.document import measures_of
from grandstand.campaigns.words import called, many, matches
from grandstand.games.registry import game_spec
from grandstand.report import Column, Note, Notes, Progress, Report, Row, Section, Table, Tone, Value

FOLDED = 60
"""Rows beyond these are folded away."""
PLAYERS = (
    Column(id="player", title="Player"),
    Column(id="score", title="Score", shape="number"),
    Column(id="scored", title="Scored", shape="number"),
    Column(id="wins", title="Wins", shape="number"),
    Column(id="fallbacks", title="Fallback", shape="number", drop=1),
    Column(id="faults", title="Faults", shape="number", drop=1),
)
PAID = (
    Column(id="tokens", title="Tokens", shape="number", drop=1),
    Column(id="dollars", title="Dollars", shape="number", unit="dollars", drop=1),
    Column(id="seconds", title="Seconds an answer", shape="number", unit="seconds", drop=1),
)
"""Columns of players that call a provider."""


def report(document: Mapping[str, Any]) -> Report:
    """Return the report of a series, from its JSON document."""
    players = ranked(document)
    return Report(
        headline=_headline(document, players),
        summary=f"{matches(document['matches'])} of {document['game']}.",
        tone="" if document["complete"] else "warning",
        progress=Progress(done=document["matches"], total=document["planned"], unit="matches"),
        owners=players,
        sections=[
            Section(
                id="players",
                title="Players",
                note="Scored are the seats in which the player made every decision itself. Below a score is its 95 % "
                "interval over matches.",
                body=_players(document, players),
            ),
            *_measures(document, players),
            *_notes(document),
            Section(id="matches", title="All matches", tab="Matches", body=_matches(document, players)),
        ],
    )


def ranked(document: Mapping[str, Any]) -> list[str]:
    """Return the players, the best score first, those without one last."""
    rows = document["players"]
    return sorted(rows, key=lambda name: -1.0 if (mean := rows[name]["mean_score"]) is None else mean, reverse=True)


def _headline(document: Mapping[str, Any], players: Sequence[str]) -> str:
    if not document["complete"]:
        return f"Not finished: {document['stopped'] or 'it is being played'}"
    if not players or document["players"][players[0]]["mean_score"] is None:
        return "No match counts"
    if len(players) == 1:
        return f"{called(players[0])} against itself"
    return f"{called(players[0])} has the highest mean score"


def _players(document: Mapping[str, Any], players: Sequence[str]) -> Table:
    paid = any(document["players"][name]["calls"] for name in players)
    rows = []
    for name in players:
        row = document["players"][name]
        low, high = row["ci95"] or (None, None)
        cells = [
            Value(value=called(name)),
            estimate(Estimate(mean=row["mean_score"], low=low, high=high, n=row["n"])),
            Value(value=f"{row['scored']} of {row['seats']}"),
            Value(value=row["wins"] if row["scored"] else None),
            Value(value=f"{row['fallbacks']} of {row['decisions']}"),
            Value(value=row["faults"]),
        ]
        if paid:
            cells += [
                Value(value=row["tokens_in"] + row["tokens_out"]),
                Value(value=row["dollars"]),
                Value(value=row["seconds_per_answer"]),
            ]
        rows.append(Row(id=name, owner=name, cells=cells))
    return Table(columns=[*PLAYERS, *(PAID if paid else ())], rows=rows)


def _measures(document: Mapping[str, Any], players: Sequence[str]) -> list[Section]:
    """Return the game's own measures, means of a player's seats."""
    names = measures_of(document)
    if not names:
        return []
    comparison = game_spec(document["game"]).learning.comparison
    meanings = comparison.meanings if comparison else {}
    columns = [
        Column(id="measure", title="A seat and match"),
        *(Column(id=name, title=called(name), shape="number") for name in players),
    ]
    rows = []
    for name in names:
        values = [document["players"][player]["measures"].get(name) for player in players]
        title = Value(value=name.replace("_", " "), note=meanings.get(name, ""))
        rows.append(Row(id=name, cells=[title, *(Value(value=value) for value in values)]))
    return [Section(id="measures", title="Measures", body=Table(columns=columns, rows=rows))]


def _notes(document: Mapping[str, Any]) -> list[Section]:
    notes = []
    for name, row in document["players"].items():
        if row["fallbacks"]:
            forfeits = f", {row['forfeits']} are forfeited" if row["forfeits"] else ""
            notes.append(
                f"{called(name)}: its fallback made {row['fallbacks']} of {row['decisions']} decisions; "
                f"{row['seats'] - row['scored']} of {row['seats']} seats are not counted for it{forfeits}."
            )
    short = sum(result["status"] != "finished" for result in document["results"])
    if short:
        notes.append(f"{many(short, 'match was', 'matches were')} not played to the end.")
    return [Section(id="notes", body=Notes(notes=[Note(text=text) for text in notes]))] if notes else []


def _matches(document: Mapping[str, Any], players: Sequence[str]) -> Table:
    columns = [
        Column(id="match", title="Match"),
        *(Column(id=name, title=called(name), shape="number") for name in players),
        Column(id="end", title="End", drop=1),
    ]
    rows = []
    for number, result in enumerate(document["results"], 1):
        scores = [_score(result, name) for name in players]
        end = result["reason"] if result["status"] == "finished" else result["message"] or result["status"]
        tone: Tone = "" if result["status"] == "finished" else "warning"
        rows.append(Row(id=str(number), cells=[Value(value=f"Match {number}"), *scores, Value(value=end, tone=tone)]))
    return Table(columns=columns, rows=rows, shown=FOLDED)


def _score(result: Mapping[str, Any], player: str) -> Value:
    """Return the mean score of a player's seats in a match."""
    scores = [seat["score"] for seat in result["seats"] if seat["player"] == player and seat["score"] is not None]
    return Value(value=round(fmean(scores), 4) if scores else None)
