"""An evaluation as a JSON document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grandstand.campaigns.campaign import Stopped
from grandstand.campaigns.evaluation.plan import EvalPlan, Side
from grandstand.campaigns.evaluation.trials import Measures, compared
from grandstand.games.registry import game_spec
from grandstand.play.headless import MatchResult
from grandstand.play.ratings.intervals import Interval
from grandstand.play.ratings.seat_records import PlayerTotals, SeatRecord
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


def document(plan: EvalPlan, ended: Ended) -> dict[str, Any]:
    """Return an evaluation with every match, for JSON."""
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
    its intentions, and its prompt: the hash, and `variant`, the settings that differ from the game's own."""
    listing, spec = roster_of(roster), game_spec(game)
    seating, settings = listing.episode(spec), {name: listing.settings(name) for name in sorted(names)}
    return {
        name: {"model": about["options"]["model"]}
        | {variant: about["options"].get(variant, False) for variant in ("memory", "intentions")}
        | {"prompt": seating.player(name, spec.seats()[0]).prompt}
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
    """Return the settings of a prompt variant that differ from the game's own."""
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
    values = total.to_json()
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
