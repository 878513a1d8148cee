"""The report of an evaluation: the difference of the two players, the figures behind it, and every match.

It is made from the JSON document, so that the two never differ. Seeds, from which matches can be predicted, are
in the document alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grandstand.campaign_events import Estimate
from grandstand.campaigns.evaluation.plan import START
from grandstand.campaigns.numbers import estimate, written
from grandstand.campaigns.words import called, many, matches, seat_name
from grandstand.games.registry import game_spec
from grandstand.play.ratings.intervals import FEWEST
from grandstand.report import (
    Column,
    Figure,
    Figures,
    Note,
    Notes,
    Progress,
    Report,
    Row,
    Section,
    Table,
    Tone,
    Unit,
    Value,
)

MATCHES = "matches"
"""The table of all matches."""
FOLDED = 60
"""Rows beyond these are folded away."""
SIDES = ("player", "reference")
ROWS: Sequence[tuple[str, str, Unit]] = (
    ("tokens_per_match", "Tokens a match", "count"),
    ("dollars_per_match", "Dollars a match", "dollars"),
    ("seconds_per_answer", "Time of an answer", "seconds"),
    ("seconds_per_match", "Time of the answers of a match", "seconds"),
)
"""(field, name, unit) of the costs of players that call a provider."""


def report(document: Mapping[str, Any]) -> Report:
    """Return the report of an evaluation, from its JSON document."""
    names = [called(document[side]) for side in SIDES]
    headline, tone = _head(document, names)
    played = sum(trial[side] is not None for trial in document["trials"] for side in SIDES)
    return Report(
        headline=headline,
        summary=_summary(document),
        tone=tone,
        progress=Progress(done=played, total=2 * document["matches"], unit="matches"),
        owners=list(dict.fromkeys(document[side] for side in SIDES)),
        sections=[
            Section(id="figures", body=Figures(figures=_figures(document, names))),
            Section(
                id="measures",
                title="Measures",
                note=f"Below each mean is its 95 % interval over {_units(document)}. Both have the same random draws.",
                body=_measures(document, names),
            ),
            Section(id="seats", title="Decisions and cost", body=_seats(document, names)),
            *_notes_section(document),
            Section(id=MATCHES, title="All matches", tab="Matches", body=_matches(document, names)),
        ],
    )


def _head(document: Mapping[str, Any], names: Sequence[str]) -> tuple[str, Tone]:
    player, reference = names
    if not document["complete"]:
        return f"Not finished: {document['stopped']}", "warning"
    score = document["measures"].get("score", {}).get("difference")
    if score is None or score["mean"] is None:
        return "No match counts for both", "warning"
    if score["ci95"] is None:
        return "Too few matches for an interval", "faint"
    if _sure(score):
        return f"{player} scores {'more' if score['mean'] > 0 else 'less'} than {reference}", ""
    return f"No difference shown between {player} and {reference}", ""


def _summary(document: Mapping[str, Any]) -> str:
    pack = document["pack"]
    version = f" v{pack['version']} {pack['digest']}" if "digest" in pack else ""
    size = f"{matches(document['matches'])} each"
    if pack["name"] != START:
        size += f" from {_units(document)}"
    return (
        f"{called(document['player'])} on {document['game']}/{pack['name']}{version}: {size}, "
        f"{called(document['against'])} in the other seats."
    )


def _units(document: Mapping[str, Any]) -> str:
    if document["pack"]["name"] == START:
        return matches(document["units"])
    return many(document["units"], "situation")


def _figures(document: Mapping[str, Any], names: Sequence[str]) -> list[Figure]:
    row = document["measures"].get("score")
    if row is None:
        return []
    return [
        Figure(
            label="Difference in score",
            value=_value(row["difference"]),
            unit="signed",
            help=f"The mean of the score of {names[0]} less that of {names[1]} in the same match.",
        ),
        *(Figure(label=f"Score of {name}", value=_value(row[side])) for side, name in zip(SIDES, names, strict=True)),
    ]


def _measures(document: Mapping[str, Any], names: Sequence[str]) -> Table:
    columns = [
        Column(id="measure", title="Measure"),
        *(Column(id=side, title=name, shape="number") for side, name in zip(SIDES, names, strict=True)),
        Column(id="difference", title="Difference", shape="number", unit="signed"),
    ]
    comparison = game_spec(document["game"]).learning.comparison
    meanings = comparison.meanings if comparison else {}
    rows = []
    for name, row in document["measures"].items():
        title = Value(value=name.replace("_", " "), note=meanings.get(name, ""))
        rows.append(Row(id=name, cells=[title, *(_value(row[side]) for side in (*SIDES, "difference"))]))
    return Table(columns=columns, rows=rows)


def _value(known: Mapping[str, Any]) -> Value:
    """Return a mean with its interval, in bold if it is a difference that excludes 0."""
    low, high = known["ci95"] or (None, None)
    value = estimate(Estimate(mean=known["mean"], low=low, high=high, n=known["n"]))
    return value.model_copy(update={"strong": _sure(known)})


def _sure(known: Mapping[str, Any]) -> bool:
    ends = known["ci95"]
    return ends is not None and not ends[0] <= 0 <= ends[1]


def _seats(document: Mapping[str, Any], names: Sequence[str]) -> Table:
    columns = [
        Column(id="what", title="In the evaluated seat"),
        *(Column(id=side, title=name, shape="number") for side, name in zip(SIDES, names, strict=True)),
    ]
    sides = [document["played"][side] for side in SIDES]
    rows = [
        _row("scored", "Matches scored", [f"{side['scored']} of {side['matches']}" for side in sides]),
        _row(
            "fallbacks", "Decisions by the fallback", [f"{side['fallbacks']} of {side['decisions']}" for side in sides]
        ),
        _row("faults", "Faults", [side["faults"] for side in sides]),
    ]
    if any(side["calls"] for side in sides):
        for field, title, unit in ROWS:
            rows.append(_row(field, title, [written(side[field], unit) for side in sides]))
    return Table(columns=columns, rows=rows)


def _row(name: str, title: str, values: Sequence[float | str | None]) -> Row:
    return Row(id=name, cells=[Value(value=title), *(Value(value=value) for value in values)])


def _notes_section(document: Mapping[str, Any]) -> list[Section]:
    notes = [Note(text=text) for text in _notes(document)]
    return [Section(id="notes", body=Notes(notes=notes))] if notes else []


def _notes(document: Mapping[str, Any]) -> list[str]:
    """Return notes on facts that the tables lack."""
    out = [f"{called(name)}: {variant(of)}." for name, of in document["models"].items()]
    if any(not known["ci95"] for row in document["measures"].values() for known in row.values()):
        out.append(f"No interval: fewer than {FEWEST} of {_units(document)} have a value, or all have the same.")
    for side in SIDES:
        played = document["played"][side]
        missing = played["matches"] - played["scored"]
        if missing or played["forfeits"]:
            out.append(
                f"{called(document[side])} ({side}): its fallback made {played['fallbacks']} of {played['decisions']} "
                f"decisions; {matches(missing)} are not counted for it, {played['forfeits']} are forfeited."
            )
    if document["spent"]["tokens"]:
        out.append(f"{spent_words(document['spent'])}.")
    return out


def _matches(document: Mapping[str, Any], names: Sequence[str]) -> Table:
    columns = [
        Column(id="situation", title="Situation"),
        Column(id="seat", title="Seat", drop=1),
        *(Column(id=side, title=name, shape="number") for side, name in zip(SIDES, names, strict=True)),
        Column(id="difference", title="Difference", shape="number", unit="signed"),
    ]
    rows = []
    for number, trial in enumerate(document["trials"]):
        scores = [_score(trial[side]) for side in SIDES]
        known = [score.value for score in scores if isinstance(score.value, float)]
        gain = known[0] - known[1] if len(known) == len(SIDES) else None
        about = [Value(value=text) for text in (trial["task"], seat_name(trial["seat"]))]
        rows.append(Row(id=str(number), cells=[*about, *scores, Value(value=gain)]))
    return Table(columns=columns, rows=rows, shown=FOLDED)


def _score(trial: Mapping[str, Any] | None) -> Value:
    """Return the score of a player in a match; None with the reason if it does not count."""
    if trial is None:
        return Value(note="not played")
    if trial["status"] != "finished":
        return Value(note=trial["message"] or trial["status"], tone="warning")
    if not trial["scored"]:
        return Value(
            note=many(trial["fallbacks"], "decision by the fallback", "decisions by the fallback"), tone="warning"
        )
    return Value(value=trial["measures"]["score"], note="forfeited" if trial["forfeited"] else "")


def variant(model: Mapping[str, Any]) -> str:
    """Return `gpt-5-mini, notes on, intentions off, prompt 1a2b3c4d5e6f (legal hidden, history 3, own template)`."""
    memory, intentions = ("on" if model.get(name) else "off" for name in ("memory", "intentions"))
    changed = model.get("variant", {})
    settings = [f"{name} {changed[name]}" for name in ("legal", "history", "persona") if name in changed]
    settings += ["own template"] if "template" in changed else []
    about = f" ({', '.join(settings)})" if settings else ""
    return f"{model['model']}, notes {memory}, intentions {intentions}, prompt {model['prompt']}{about}"


def spent_words(spent: Mapping[str, Any]) -> str:
    """Return `spent in all seats: 1,200 tokens, $0.0012`."""
    cost = "at an unknown price" if spent["dollars"] is None else f"${spent['dollars']:.4f}"
    return f"spent in all seats: {spent['tokens']:,} tokens, {cost}"
