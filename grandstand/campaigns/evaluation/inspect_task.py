"""The matches of an evaluation as a task of Inspect AI, `grandstand/match`, in which Inspect's model plays.

docs/other-programs.md has examples.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any, Final
from uuid import uuid4

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    ResponseSchema,
    get_model,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

from grandstand.campaigns.evaluation.plan import EvalPlan, EvalRequest, plan_of
from grandstand.campaigns.evaluation.trials import Trial
from grandstand.campaigns.match_folder import PLAN
from grandstand.games.base import OptionError, SeatId
from grandstand.games.registry import game_spec
from grandstand.play.headless import MatchPlan, MatchResult, play_match
from grandstand.play.ratings.intervals import Interval, bounded_interval, mean_interval
from grandstand.play.ratings.seat_records import SeatRecord, seat_records
from grandstand.players.llm.completion import Completion
from grandstand.players.llm.outside import outside_player
from grandstand.players.llm.prompt import ChatMessage as Prompted
from grandstand.spectator.record_file import read_episode

PLAYED: Final = "grandstand"
"""The key in a sample's metadata of what its match has shown."""
KINDS: Final = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


@task
def match(
    game: str = "",
    pack: str = "",
    against: str = "",
    options: Mapping[str, Any] | None = None,
    repeats: int = 1,
    seed: int = 0,
    records: str = "",
    roster: str = "",
    keep: str = "",
    structured: bool = True,
) -> Task:
    """Return the task of the matches that `grandstand eval` plays with the same words, or of those in `records`.

    `records` is the folder of an evaluation (`grandstand eval --records`), with whose reference the model is compared;
    `keep` the folder for the records of this task's matches; without `structured` no request has the JSON schema of
    the answer. Raises OptionError naming what cannot be used.
    """
    request = EvalRequest(
        game=game,
        player="",
        against=against,
        pack=pack,
        repeats=repeats,
        seed=seed,
        options=dict(options or {}),
        roster=Path(roster) if roster else None,
    )
    plan = plan_of(_recorded(Path(records), request) if records else _asked(request))
    if records:
        _check_same(Path(records), plan)
    samples = [_sample(plan, number, trial, records) for number, trial in enumerate(plan.trials)]
    scorers = [match_score(), own_decisions(), *([difference()] if records else [])]
    solvers = seat_player(roster, keep, structured)
    return Task(MemoryDataset(samples, plan.game), solver=solvers, scorer=scorers, metadata={"plan": plan.settings})


def _asked(request: EvalRequest) -> EvalRequest:
    """Return the request with the game's reference in place of the player, which is no player of a roster."""
    if not request.game:
        raise OptionError("game: name a game (-T game=…), or the folder of an evaluation (-T records=…)")
    spec = game_spec(request.game)
    comparison = spec.learning.comparison
    return replace(request, player=comparison.reference if comparison else spec.bots.default)


def _recorded(folder: Path, request: EvalRequest) -> EvalRequest:
    """Return the request whose matches are those of an evaluation's folder."""
    about = _described(folder)
    names = {"player": about["reference"], "reference": about["reference"], "against": about["against"]}
    same = {name: about[name] for name in ("game", "repeats", "limit", "seed", "options")}
    return replace(request, **names, **same, pack=about["pack"]["name"])


def _check_same(folder: Path, plan: EvalPlan) -> None:
    """Raise OptionError if the matches of an evaluation are others today."""
    if _described(folder)["trials"] != plan.description["trials"]:
        raise OptionError(f"records: the matches of {folder} are others today: its pack has changed")


def _described(folder: Path) -> dict[str, Any]:
    """Return the description of the evaluation in a folder. Raises OptionError."""
    try:
        about: dict[str, Any] = json.loads((folder / PLAN).read_text("utf-8"))
        if {"reference", "against", "trials", "limit", "pack"} <= about.keys():
            return about
    except (OSError, ValueError, AttributeError):
        pass
    raise OptionError(f"records: {folder} has no {PLAN} of an evaluation (`grandstand eval --records`)")


def _sample(plan: EvalPlan, number: int, trial: Trial, records: str) -> Sample:
    seat = trial.task.seat
    about: dict[str, Any] = {
        "game": plan.game,
        "seat": seat,
        "against": trial.against,
        "options": dict(trial.task.options),
    }
    about |= {"seed": trial.seed, "unit": trial.unit}
    if records:
        about["reference"] = _reference_score(Path(records), number, seat)
    text = f"Play {seat} in a match of {plan.game} against {trial.against}: {trial.task.id}"
    return Sample(id=f"{number:05d} {trial.task.id}", input=text, metadata=about)


def _reference_score(folder: Path, number: int, seat: SeatId) -> float | None:
    """Return the score of the reference in a recorded match; None if it was not played, or if others decided for it."""
    files = [file for side in ("reference", "player") for file in folder.glob(f"*-{side}-{number:05d}.jsonl")]
    return None if not files else _own_score(_record(seat_records(read_episode(files[0]).events), seat))


def _record(records: Sequence[SeatRecord], seat: SeatId) -> SeatRecord:
    return next(record for record in records if record.seat == seat)


def _own_score(record: SeatRecord) -> float | None:
    return record.score if record.scored else None


@solver
def seat_player(roster: str, keep: str, structured: bool) -> Solver:
    """Return the solver that plays the match of a sample, with the model in its seat."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        about, model = state.metadata, get_model()
        state.messages = []

        async def reply(messages: Sequence[Prompted], schema: Mapping[str, Any]) -> Completion:
            conversation: list[ChatMessage] = [KINDS[item["role"]](content=item["content"]) for item in messages]
            form = ResponseSchema(name="answer", json_schema=JSONSchema.model_validate(schema), strict=True)
            config = GenerateConfig(response_schema=form) if structured else GenerateConfig()
            output = await model.generate(conversation, config=config)
            state.messages += [*conversation[1 if state.messages else 0 :], output.message]
            state.output = output
            return Completion(output.completion, cut=output.stop_reason == "max_tokens")

        spec, seat = game_spec(about["game"]), about["seat"]
        players = {seat: outside_player(spec, str(model), reply)}
        result = await play_match(_match_plan(about, roster, keep), seated=players)
        state.metadata[PLAYED] = _shown(result, seat)
        return state

    return solve


def _match_plan(about: Mapping[str, Any], roster: str, keep: str) -> MatchPlan:
    folder = Path(keep) if keep else None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    seats = game_spec(about["game"]).seats(about["options"])
    return MatchPlan(
        episode_id=f"{about['game']}-{uuid4().hex[:10]}",
        game=about["game"],
        players=(about["against"],) * len(seats),
        options=about["options"],
        seed=about["seed"],
        roster=Path(roster) if roster else None,
        folder=folder,
        measured=about["seat"],
    )


def _shown(result: MatchResult, seat: SeatId) -> dict[str, Any]:
    """Return what the match has shown of the seat, as data."""
    record = _record(result.seats, seat)
    return {
        "status": result.status,
        "reason": result.reason or result.message,
        "winners": result.winners,
        "score": record.score,
        "scored": record.scored,
        "decisions": record.decisions,
        "fallbacks": record.fallbacks,
        "faults": record.causes,
        "measures": result.measures,
        "record": result.file,
    }


# --- scores -----------------------------------------------------------------------------------------------------------


def _interval(over: Callable[[Sequence[float]], Interval]) -> Metric:
    """Return the mean of the units and, where there are enough, the ends of its 95 per cent interval."""

    def measured(scores: list[SampleScore]) -> dict[str, float]:
        units: dict[str, list[float]] = {}
        for number, item in enumerate(scores):
            unit = (item.sample_metadata or {}).get("unit", number)
            units.setdefault(str(unit), []).append(item.score.as_float())
        groups = list(units.values())
        interval = over(groups[0] if len(groups) == 1 else [fmean(group) for group in groups])
        if interval.mean is None:
            return {"n": 0}
        ends = dict(zip(("low", "high"), interval.ci95, strict=True)) if interval.ci95 else {}
        return {"mean": interval.mean, **ends, "n": interval.n}

    return measured


@metric
def bounded() -> Metric:
    """Return the mean and the interval of scores between 0 and 1."""
    return _interval(bounded_interval)


@metric
def paired() -> Metric:
    """Return the mean and the interval of differences of such scores."""
    return _interval(lambda values: mean_interval(values, bounds=(-1.0, 1.0)))


def _scored(value: Callable[[Mapping[str, Any], Mapping[str, Any]], float | None]) -> Scorer:
    """Return the scorer by a function of what the match has shown and of the sample; None is no score."""

    async def score(state: TaskState, target: Target) -> Score:
        shown = state.metadata.get(PLAYED)
        if shown is None:
            return Score.unscored(reason="scoring_failed", explanation="the match was not played")
        found = value(shown, state.metadata)
        words = f"{shown['status']}, {shown['reason']}; winners {', '.join(shown['winners']) or 'none'}; "
        words += f"{shown['fallbacks']} of {shown['decisions']} decisions by the fallback"
        if found is None:
            reason = "invalid_response_format" if shown["fallbacks"] else "scoring_failed"
            return Score.unscored(reason=reason, explanation=words, metadata=shown)
        return Score(value=found, explanation=words, metadata=shown)

    return score


@scorer(metrics=[bounded()])
def match_score() -> Scorer:
    """Return the scorer of the match's score; none if the fallback made one of the model's decisions."""
    return _scored(lambda shown, about: shown["score"] if shown["scored"] else None)


@scorer(metrics=[bounded()])
def own_decisions() -> Scorer:
    """Return the scorer of the share of decisions that the model made itself."""
    return _scored(
        lambda shown, about: 1 - shown["fallbacks"] / shown["decisions"] if shown["decisions"] else None,
    )


@scorer(metrics=[paired()])
def difference() -> Scorer:
    """Return the scorer of the model's score less that of the recorded reference in the same match."""
    return _scored(
        lambda shown, about: (
            shown["score"] - about["reference"] if shown["scored"] and about["reference"] is not None else None
        ),
    )
