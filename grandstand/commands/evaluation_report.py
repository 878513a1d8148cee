"""The report of an evaluation: a JSON document, and the same as a table for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table as Grid

from grandstand.commands.evaluation_plan import START, EvalPlan, Side
from grandstand.commands.play import number, totals_json
from grandstand.commands.running import Stopped
from grandstand.games.registry import game_spec
from grandstand.play.evaluation import Measures, compared
from grandstand.play.headless import MatchResult
from grandstand.play.ratings.statistics import FEWEST, Interval, PlayerTotals, SeatRecord
from grandstand.players.llm.budget import Budget
from grandstand.players.options import PromptVariant
from grandstand.players.roster import roster_of

Results = Mapping[tuple[Side, int], MatchResult]


@dataclass(frozen=True)
class Ended:
    """The end of an evaluation: all results, the reason for an early stop, if any, and the time and budget used."""

    results: Results
    stopped: Stopped | None
    seconds: float
    budget: Budget


def report(plan: EvalPlan, ended: Ended) -> dict[str, Any]:
    """Return the full report."""
    sources: dict[Side, Side] = {"player": "player", "reference": plan.sides[-1]}
    sides = {
        side: [ended.results.get((source, index)) for index in range(len(plan.trials))]
        for side, source in sources.items()
    }
    measures = compared(plan.trials, *(_measures(plan, results) for results in sides.values()))
    return {
        **plan.settings,
        "models": models(plan.roster, plan.game, plan.names),
        "units": len({trial.unit for trial in plan.trials}),
        "matches": len(plan.trials),
        "complete": ended.stopped is None,
        "stopped": "" if ended.stopped is None else ended.stopped.why,
        "spent": {"tokens": ended.budget.tokens_spent, "dollars": known_dollars(plan.roster, plan.names, ended.budget)},
        "seconds": round(ended.seconds, 2),
        "played": {side: _played(plan, results) for side, results in sides.items()},
        "measures": {
            name: {who: _interval(interval) for who, interval in row.items()} for name, row in measures.items()
        },
        "trials": [
            {
                "task": trial.task.id,
                "seat": trial.task.seat,
                "seed": trial.seed,
                **{side: _trial(results[index], trial.task.seat) for side, results in sides.items()},
            }
            for index, trial in enumerate(plan.trials)
        ],
    }


def models(roster: Path | None, game: str, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the variant of each language model of a roster: the model, whether it keeps notes, whether it is asked for
    its intentions, and its prompt: the hash, and `variant`, the settings that are not the game's own."""
    listing, spec = roster_of(roster), game_spec(game)
    seating, settings = listing.episode(spec), {name: listing.settings(name) for name in sorted(names)}
    return {
        name: {"model": about["options"]["model"]}
        | {variant: about["options"].get(variant, False) for variant in ("memory", "intentions")}
        | {"prompt": seating.player(name, spec.seats[0]).prompt}
        | ({"variant": changed} if (changed := _changed(about["options"].get("prompt"))) else {})
        for name, about in settings.items()
        if about.get("kind") == "llm"
    }


def known_dollars(roster: Path | None, names: Iterable[str], budget: Budget) -> float | None:
    """Return the spending that a budget has booked; None if the price of one of the players is unknown."""
    listing = roster_of(roster)
    prices = [listing.price(name) for name in names if listing.settings(name).get("kind") == "llm"]
    return None if None in prices else round(budget.dollars_spent, 6)


def _changed(variant: dict[str, Any] | None) -> dict[str, Any]:
    """Return the settings of a prompt variant that are not the game's own."""
    own = PromptVariant().model_dump(mode="json")
    return {name: value for name, value in (variant or {}).items() if value != own[name]}


def totals(plan: EvalPlan, ended: Ended) -> dict[str, PlayerTotals]:
    """Return the totals of each side's seat over all matches."""
    out: dict[str, PlayerTotals] = {}
    for (side, index), result in ended.results.items():
        out.setdefault(side, PlayerTotals()).add(_seat(result, plan.trials[index].task.seat))
    return out


def _seat(result: MatchResult, seat: str) -> SeatRecord:
    return next(record for record in result.seats if record.seat == seat)


def _measures(plan: EvalPlan, results: list[MatchResult | None]) -> list[Measures | None]:
    """Return each trial's measures: only the score if the player forfeited, None if others decided for it."""
    out: list[Measures | None] = []
    for trial, result in zip(plan.trials, results, strict=True):
        record = None if result is None else _seat(result, trial.task.seat)
        if result is None or record is None or record.score is None or not record.scored:
            out.append(None)
            continue
        own = {"score": record.score, "win": float(record.won and result.winners == [record.seat])}
        out.append(own if record.forfeited else own | result.measures)
    return out


def _played(plan: EvalPlan, results: list[MatchResult | None]) -> dict[str, Any]:
    """Return the totals of the evaluated seat over all its matches, with averages per match."""
    total = PlayerTotals()
    for trial, result in zip(plan.trials, results, strict=True):
        if result is not None:
            total.add(_seat(result, trial.task.seat))
    values = totals_json(total)
    for name in ("mean_score", "ci95", "n", "wins"):
        del values[name]
    matches = max(1, total.seats)
    return {
        "matches": values.pop("seats"),
        **values,
        "tokens_per_match": round((values["tokens_in"] + values["tokens_out"]) / matches, 1),
        "dollars_per_match": None if values["dollars"] is None else round(values["dollars"] / matches, 6),
        "seconds_per_match": round(values["seconds"] / matches, 3),
    }


def _trial(result: MatchResult | None, seat: str) -> dict[str, Any] | None:
    if result is None:
        return None
    record = _seat(result, seat)
    return {
        "status": result.status,
        "message": result.message,
        "record": result.file,
        "scored": record.scored,
        "forfeited": record.forfeited,
        "measures": {"score": record.score, "win": float(record.won), **result.measures},
        "decisions": record.decisions,
        "fallbacks": record.fallbacks,
        "faults": record.faults,
        "tokens_in": record.spent.tokens_in,
        "tokens_out": record.spent.tokens_out,
        "dollars": record.spent.dollars,
        "seconds": round(record.spent.seconds, 3),
    }


def _interval(interval: Interval) -> dict[str, Any]:
    ends = interval.ci95
    return {
        "mean": None if interval.mean is None else round(interval.mean, 5),
        "ci95": None if ends is None else [round(end, 5) for end in ends],
        "n": interval.n,
    }


def grid(report: dict[str, Any]) -> Grid:
    """Return the report as a table; significant differences are bold."""
    pack = report["pack"]
    version = f" v{pack['version']} {pack['digest']}" if "digest" in pack else ""
    title = f"{report['player']} on {report['game']}/{pack['name']}{version}: {report['matches']} matches"
    if not report["complete"]:
        done = report["played"]
        title += f" – INCOMPLETE, {done['player']['matches']} and {done['reference']['matches']} of them played"
    grid = Grid(title=escape(title))
    for column in ("", report["player"], f"{report['reference']}, same luck", "difference"):
        grid.add_column(escape(column), justify="left" if not column else "right")
    for name, row in report["measures"].items():
        cells = [_cell(row[who]) for who in ("player", "reference", "difference")]
        ends = row["difference"]["ci95"]
        sure = ends is not None and not ends[0] <= 0 <= ends[1]
        grid.add_row(name.replace("_", " "), *cells[:2], f"[bold]{cells[2]}[/bold]" if sure else cells[2])
    grid.add_section()
    sides = [report["played"][side] for side in ("player", "reference")]
    grid.add_row("matches scored", *(f"{side['scored']}/{side['matches']}" for side in sides))
    grid.add_row("by fallback", *(f"{side['fallbacks']}/{side['decisions']}" for side in sides))
    grid.add_row("faults", *(str(side["faults"]) for side in sides))
    if any(side["calls"] for side in sides):
        grid.add_row("tokens per match", *(f"{side['tokens_per_match']:,.0f}" for side in sides))
        grid.add_row("$ per match", *(number(side["dollars_per_match"], 4) for side in sides))
        grid.add_row("s per answer", *(number(side["seconds_per_answer"], 2) for side in sides))
        grid.add_row("s per match", *(number(side["seconds_per_match"], 1) for side in sides))
    return grid


def _cell(interval: dict[str, Any]) -> str:
    mean, ends = interval["mean"], interval["ci95"]
    if mean is None:
        return "–"
    digits = 1 if max(abs(mean), *map(abs, ends or (0.0,))) > 2 else 3
    return f"{mean:+.{digits}f}\n" + (f"{ends[0]:+.{digits}f} to {ends[1]:+.{digits}f}" if ends else "no interval")


def variant(model: dict[str, Any]) -> str:
    """Return `gpt-5-mini, notes on, intentions off, prompt 1a2b3c4d5e6f (legal hidden, history 3, own template)`."""
    memory, intentions = ("on" if model.get(name) else "off" for name in ("memory", "intentions"))
    changed = model.get("variant", {})
    settings = [f"{name} {changed[name]}" for name in ("legal", "history", "persona") if name in changed]
    settings += ["own template"] if "template" in changed else []
    about = f" ({', '.join(settings)})" if settings else ""
    return f"{model['model']}, notes {memory}, intentions {intentions}, prompt {model['prompt']}{about}"


def spent_words(spent: dict[str, Any]) -> str:
    """Return `spent in all seats: 1,200 tokens, $0.0012`."""
    cost = "at an unknown price" if spent["dollars"] is None else f"${spent['dollars']:.4f}"
    return f"spent in all seats: {spent['tokens']:,} tokens, {cost}"


def notes(report: dict[str, Any]) -> list[str]:
    """Return notes that explain the table, one per line."""
    spec = game_spec(report["game"])
    units = "matches" if report["pack"]["name"] == START else "situations"
    out = [
        f"{report['against']} in the other seats",
        *(f"{name}: {variant(of)}" for name, of in report["models"].items()),
        f"below each mean: its 95 % interval over {report['units']} {units}",
    ]
    if any(not interval["ci95"] for row in report["measures"].values() for interval in row.values()):
        out.append(f"no interval: fewer than {FEWEST} {units}, or all with the same value")
    if report["stopped"]:
        out.append(f"stopped: {report['stopped']}; what is here is what was played until then")
    for side in ("player", "reference"):
        played = report["played"][side]
        missing = played["matches"] - played["scored"]
        if missing or played["forfeits"]:
            out.append(
                f"{report[side]} ({side}): its fallback made {played['fallbacks']} of {played['decisions']} decisions; "
                f"{missing} matches are not counted for it, {played['forfeits']} are forfeited"
            )
    if report["spent"]["tokens"]:
        out.append(spent_words(report["spent"]))
    if spec.comparison is not None:
        meanings = spec.comparison.meanings.items()
        out += [f"{name.replace('_', ' ')}: {text}" for name, text in meanings if name in report["measures"]]
    return out
