"""The tracker: a page of several experiments with hypothesis, changes, command, status, results and verdict."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from grandstand.campaign_events import TRAINING
from grandstand.campaigns.markdown import rows as table
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.sweep.analysis import SweepAnalysis, analyse
from grandstand.trainer.sweep.expansion import Sweep, SweepRun
from grandstand.trainer.sweep.layout import published_training
from grandstand.trainer.sweep.sections.arms import changes
from grandstand.trainer.sweep.sections.state import with_ends

RECORD = "record.db"


def tracker(sweeps: Sequence[Sweep]) -> str:
    """Return the tracker as Markdown, from the results that are there."""
    analyses = [analyse(sweep) for sweep in sweeps]
    overview = table(
        ("experiment", "status", "runs", "verdicts"),
        (
            (
                f"[{sweep.title}](#{_anchor(sweep)})",
                status_of(analysis),
                _completed(analysis),
                ", ".join(decision.verdict.word for decision in analysis.decisions) if _is_begun(analysis) else "–",
            )
            for sweep, analysis in zip(sweeps, analyses, strict=True)
        ),
    )
    parts = ["# Experiments", overview]
    for sweep, analysis in zip(sweeps, analyses, strict=True):
        parts += _entry(sweep, analysis)
    return "\n\n".join(parts) + "\n"


def status_of(analysis: SweepAnalysis) -> str:
    """Return planned, running, completed or failed.

    A sweep with looks is completed as soon as every criterion is decided. One with failed runs has failed if no other
    run of it is left to do.
    """
    states = set(analysis.states.values())
    if states == {"completed"} or analysis.decided:
        return "completed"
    if states == {"planned"}:
        return "planned"
    return "failed" if states <= {"completed", "failed", "blocked"} else "running"


def _is_begun(analysis: SweepAnalysis) -> bool:
    return status_of(analysis) != "planned"


def _completed(analysis: SweepAnalysis) -> str:
    return f"{sum(state == 'completed' for state in analysis.states.values())} of {len(analysis.states)}"


def _anchor(sweep: Sweep) -> str:
    kept = [char for char in sweep.title.lower() if char.isalnum() or char in " -_"]
    return "".join(kept).replace(" ", "-")


def _entry(sweep: Sweep, analysis: SweepAnalysis) -> Iterator[str]:
    data = sweep.file.metadata
    yield f"## {sweep.title}"
    yield f"**Hypothesis.** {data.hypothesis}"
    yield f"**Changes from the baseline.**\n\n{_difference_table(sweep)}"
    scale = f" --scale {sweep.file.scale}" if sweep.file.scale else ""
    yield f"**Command.** `grandstand sweep {shlex.quote(str(sweep.path))}{scale} --run --out {sweep.folder}`"
    yield f"**Status.** `{status_of(analysis)}`, {_completed(analysis)} runs completed"
    yield f"**Results.**\n\n{results_table(sweep, analysis)}" if _is_begun(analysis) else "**Results.** None yet."
    yield f"**Verdicts.**\n\n{_verdicts(analysis)}"
    if episodes := [line for run in sweep.runs for line in _episodes(sweep, run)]:
        yield f"**Episodes of the runs.**\n\n{table(('run', 'episode', 'record'), episodes)}"
    if data.notes:
        yield "**Notes.**\n\n" + "\n".join(f"- {note}" for note in data.notes)


def _difference_table(sweep: Sweep) -> str:
    """Return the settings in which each arm differs from the baseline."""
    first, lines = sweep.file.first_arm, []
    for arm, definition in sweep.file.arms.items():
        words = [f"`{key}`: `{was}` → `{now}`" for key, was, now in changes(sweep, arm)]
        if definition.starts_from:
            words.append(f"begins with the policy of {definition.starts_from}")
        lines.append((arm, definition.name, "\n".join(words) or ("baseline" if arm == first else "none")))
    return table(("arm", "name", f"changes from {first}"), lines)


def results_table(sweep: Sweep, analysis: SweepAnalysis) -> str:
    """Return the primary metric of each arm."""
    metric = sweep.file.analysis.primary_metric
    return table(
        ("arm", "name", f"`{metric}`, mean over seeds (95 % interval)"),
        ((arm, sweep.file.arms[arm].name, with_ends(analysis.arms[arm][metric].mean)) for arm in sweep.file.arms),
    )


def _verdicts(analysis: SweepAnalysis) -> str:
    return table(
        ("criterion", "difference (interval)", "power", "verdict"),
        (
            (
                decision.criterion.name,
                f"{decision.comparison}: {with_ends(decision.verdict.difference)}",
                "–" if decision.verdict.power is None else f"{decision.verdict.power:.0%}",
                f"**{decision.verdict.word}**: {decision.verdict.reason}",
            )
            for decision in analysis.decisions
        ),
    )


def _episodes(sweep: Sweep, run: SweepRun) -> Iterator[tuple[str, str, str]]:
    """Yield the run's own episodes: on the server that shows them, and in the run's record."""
    path = run.train_folder / RECORD
    if not path.is_file():
        return
    with closing(Recorder.reading(path)) as recorder:
        summaries, _ = recorder.summaries(game=TRAINING, limit=-1)
    place = path.relative_to(sweep.folder) if path.is_relative_to(sweep.folder) else path
    on_server = published_training(run.train_folder) if run.config.watch.url else ""
    address = f"{run.config.watch.url.rstrip('/')}/episode/{on_server}" if on_server else ""
    for summary in reversed(summaries):
        newest = summary is summaries[0]
        name = f"`{summary.episode_id}`"
        yield run.id, f"[{name}]({address})" if address and newest else name, f"`{place}`"


def sweep_files(target: Path) -> list[Path]:
    """Return the files of sweeps in a folder of experiments, by name; or the file itself."""
    return sorted([*target.glob("*.yaml"), *target.glob("*.yml")]) if target.is_dir() else [target]
