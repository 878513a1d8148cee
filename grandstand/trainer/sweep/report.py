"""The report of a sweep as Markdown with plots: verdicts, arms, differences, selection, versions, machine and cost."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grandstand.play.ratings.statistics import LEVEL
from grandstand.trainer.sweep.analysis import CriterionResult, SweepAnalysis
from grandstand.trainer.sweep.expansion import Sweep, SweepRun, differences, matched_size
from grandstand.trainer.sweep.layout import attempts, best_step, failure_of, machines
from grandstand.trainer.sweep.markdown import interval, number, plain, table
from grandstand.trainer.sweep.plots import arms_plot, curves_plot, effects_plot
from grandstand.trainer.sweep.references import reference_parts
from grandstand.trainer.sweep.values import RunCost, cost_of
from grandstand.trainer.sweep.verdict import GOAL

REPORT = "report.md"
_UNMATCHED = 0.05
"""Share by which the arms' numbers of learned decisions may differ before the report says so."""


def write_report(sweep: Sweep, analysis: SweepAnalysis, folder: Path) -> Path:
    """Write the report and its plots into a folder, and return the report's path."""
    folder.mkdir(parents=True, exist_ok=True)
    effects_plot(analysis.decisions).save(folder / "effects")
    arms_plot(sweep, analysis).save(folder / "arms")
    curves_plot(sweep).save(folder / "curves")
    path = folder / REPORT
    path.write_text("\n\n".join(_parts(sweep, analysis)) + "\n", "utf-8")
    return path


def _parts(sweep: Sweep, analysis: SweepAnalysis) -> Iterator[str]:
    data = sweep.file.metadata
    yield f"# {sweep.title}"
    yield f"**Hypothesis.** {data.hypothesis}"
    if data.description:
        yield data.description
    yield _state(analysis)
    yield "## Verdicts"
    yield verdict_table(analysis.decisions)
    yield "![Differences of the criteria](effects.svg)"
    yield _rules(sweep, analysis)
    yield "## Arms"
    yield from _arms(sweep, analysis)
    yield "![Values of the arms](arms.svg)"
    yield "![Curves](curves.svg)"
    if references := list(reference_parts(sweep)):
        yield "## Fixed references"
        yield from references
    yield "## Differences from the baseline"
    yield difference_table(sweep)
    if "best" in sweep.file.measure.versions:
        yield "## Selected versions"
        yield from _selected(sweep)
    yield "## Runs and cost"
    yield from _runs(sweep, analysis)
    yield "## Commands, versions and machine"
    yield from _provenance(sweep)
    if data.notes:
        yield "## Notes"
        yield "\n".join(f"- {note}" for note in data.notes)


def _state(analysis: SweepAnalysis) -> str:
    counts = dict.fromkeys(analysis.states.values(), 0)
    for state in analysis.states.values():
        counts[state] += 1
    words = ", ".join(f"{count} {state}" for state, count in counts.items())
    return f"**Runs.** {words}." + ("" if analysis.complete else " The sweep is not complete.")


def verdict_table(decisions: Sequence[CriterionResult]) -> str:
    """Return the verdict on each criterion, with the numbers that it rests on."""
    head = ("criterion", "comparison", "claim", "seeds", "difference (interval)", "over situations", "g", "p", "power")
    rows = []
    for decision in decisions:
        criterion, verdict = decision.criterion, decision.verdict
        needed = "" if verdict.needed is None else f"; {verdict.needed} seeds for {GOAL:.0%}"
        rows.append(
            (
                criterion.name,
                f"{decision.comparison} in `{criterion.metric}`",
                f"{criterion.direction.replace('_', ' ')}, least effect {criterion.least_effect:g}",
                str(verdict.difference.n),
                f"{interval(verdict.difference)} at {verdict.level:.3g}",
                "–" if decision.situations is None else interval(decision.situations),
                number(verdict.effect_size, 3),
                number(verdict.p, 2) + (" *" if decision.holm else ""),
                "–" if verdict.power is None else f"{verdict.power:.0%}{needed}",
                f"**{verdict.word}**: {verdict.reason}",
            )
        )
    return table((*head, "verdict"), rows)


RATIOS = (
    "A KL or a norm of gradients is compared by its ratio to the reference's: mean and interval are of its logarithms, "
    "and stand in the metric's unit, at the reference's geometric mean."
)


def _rules(sweep: Sweep, analysis: SweepAnalysis) -> str:
    looks = sweep.file.all_looks
    lines = [
        "A verdict rests on one difference for each seed, in which all arms share the seed, the base and the "
        "situations, and on Student's t over these. The interval has the level 1 − alpha, "
        + (f"with alpha divided by the {len(looks)} looks." if len(looks) > 1 else "as the criterion declares it."),
        "`greater` is supported if 0 lies below the interval, and refuted if the interval lies below the least effect; "
        "both ways a wrong verdict has at most the probability alpha if the differences are symmetric; if they are "
        "skewed, a true effect is refuted more often. Without all planned seeds there is no verdict.",
        RATIOS,
        "*Power* is the probability of `supported` if the claim were true by the least effect (for margins: if there "
        "were no difference), with the spread that was observed. With few seeds that spread is itself uncertain.",
        "*Over situations* is the interval for these very runs: it says nothing of other seeds, and decides nothing.",
        "*g* is Hedges' g of the differences over seeds. An asterisk marks what remains significant among all criteria "
        "together (Holm's method).",
    ]
    if len(analysis.decisions) > 1:
        lines.append(f"There are {len(analysis.decisions)} criteria, each decided at its own alpha.")
    return "\n".join(f"- {line}" for line in lines)


def _arms(sweep: Sweep, analysis: SweepAnalysis) -> Iterator[str]:
    metrics = sweep.file.analysis.metrics
    yield table(
        ("arm", "name", *(f"`{metric}`" for metric in metrics)),
        (
            (arm, sweep.file.arms[arm].name, *(_with_seeds(analysis, arm, metric) for metric in metrics))
            for arm in sweep.file.arms
        ),
    )
    yield f"Means over seeds with Student's {LEVEL:.0%} intervals; below them the values of the seeds."


def _with_seeds(analysis: SweepAnalysis, arm: str, metric: str) -> str:
    values = analysis.arms[arm][metric]
    return f"{interval(values.mean)}\n{', '.join(number(value, 3) for value in values.values.values())}"


def difference_table(sweep: Sweep) -> str:
    """Return the settings in which each arm differs from the baseline."""
    first = sweep.file.first_arm
    base = sweep.of_arm(first)[0].config
    rows = []
    for arm, definition in sweep.file.arms.items():
        changed = differences(base, sweep.of_arm(arm)[0].config)
        lines = [f"`{key}`: {plain(was)} → {plain(now)}" for key, (was, now) in changed.items()]
        if definition.starts_from:
            lines.append(f"begins with the policy of {definition.starts_from}")
        rows.append((arm, definition.name, "\n".join(lines) or ("baseline" if arm == first else "none")))
    return table(("arm", "name", f"changes from {first}"), rows)


def _selected(sweep: Sweep) -> Iterator[str]:
    measure = sweep.file.measure
    yield (
        f"`best` is the kept version with the greatest `{measure.select}` in the run's own evaluations. It is reported "
        f"by {measure.games} other situations, which the choice has not used, so the choice does not inflate it."
    )
    yield table(
        ("run", "selected", "of", f"`{measure.select}` by which it was chosen"),
        (
            (
                run.id,
                "–" if step is None else f"v{step}",
                str(len(run.config.league.keep)),
                _chosen_by(run, step, sweep),
            )
            for run in sweep.runs
            for step in [best_step(run, measure.select)]
        ),
    )


def _chosen_by(run: SweepRun, step: int | None, sweep: Sweep) -> str:
    from grandstand.trainer.metrics import read_lines

    rows = [row for row in read_lines(run.train_folder) if row["step"] == step]
    return number(rows[0].get(sweep.file.measure.select), 3) if rows else "–"


def _runs(sweep: Sweep, analysis: SweepAnalysis) -> Iterator[str]:
    costs = {run.id: cost_of(run, attempts(run)) for run in sweep.runs}
    yield table(
        (
            "run",
            "state",
            "minutes",
            "CPU, min",
            "playing, min",
            "learning, min",
            "decisions learned from",
            "processes",
            "note",
        ),
        (_run_row(run, analysis, costs[run.id]) for run in sweep.runs),
    )
    cloning = sum(attempt["ended"] - attempt["began"] for base in sweep.bases for attempt in attempts(base))
    hours = (sum(cost.seconds for cost in costs.values()) + cloning) / 3600
    yield (
        f"All processes together took {hours:.2f} hours of wall time, {cloning / 3600:.2f} of them for "
        f"{len(sweep.bases)} bases. What other sweeps in the same folder share with this one is counted here too."
    )
    if sweep.file.matched != "none":
        yield _matching(sweep, analysis, costs)


def _run_row(run: SweepRun, analysis: SweepAnalysis, cost: RunCost) -> tuple[str, ...]:
    failure = failure_of(run.folder)
    note = f"{failure.cause}: {failure.message}" if failure and analysis.states[run.id] != "completed" else ""
    times = (cost.seconds, cost.cpu, cost.playing, cost.learning)
    minutes = ("–" if seconds is None else f"{seconds / 60:.1f}" for seconds in times)
    return (run.id, analysis.states[run.id], *minutes, f"{cost.samples:,.0f}", str(cost.attempts), note)


def _matching(sweep: Sweep, analysis: SweepAnalysis, costs: Mapping[str, RunCost]) -> str:
    """Return the planned and the actual sizes of the arms that are matched."""
    lines = []
    actual = {}
    for arm in sweep.file.arms:
        runs = [run for run in sweep.of_arm(arm) if analysis.states[run.id] == "completed"]
        if runs:
            actual[arm] = sum(costs[run.id].samples for run in runs) / len(runs)
        planned = matched_size(sweep.of_arm(arm)[0], sweep.file.matched)
        measured = f"{actual[arm]:,.0f}" if arm in actual else "–"
        lines.append((arm, f"{planned:,.0f}", measured))
    unit = "simulated time" if sweep.file.matched == "compute" else "simulated time of trained seats"
    text = table(("arm", f"planned {unit} of a run", "decisions learned from, mean of the runs"), lines)
    if actual and max(actual.values()) > min(actual.values()) * (1 + _UNMATCHED):
        text += "\n\nThe arms did not learn from the same number of decisions, although they were matched by plan."
    return f"Matched by {sweep.file.matched}:\n\n{text}"


def _provenance(sweep: Sweep) -> Iterator[str]:
    scale = f" --scale {sweep.file.scale}" if sweep.file.scale else ""
    yield (
        f"`grandstand sweep {shlex.quote(sweep.path.name)}{scale} --run --out {shlex.quote(str(sweep.folder))}`; each "
        "run's complete settings are in its `settings.toml`, and its exact commands in its `attempts.jsonl`."
    )
    known: dict[str, list[str]] = {}
    for run in sweep.runs:
        for machine in machines(run):
            known.setdefault(machine_words(machine), []).append(run.id)
    yield table(
        ("runs", "machine and versions"), ((", ".join(dict.fromkeys(runs)), text) for text, runs in known.items())
    )


def machine_words(machine: Mapping[str, Any]) -> str:
    """Return a machine with its versions in a line."""
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    gpus = f", {', '.join(machine['gpus'])}" if machine["gpus"] else ""
    commit = f", commit {machine['commit']}" if machine["commit"] else ""
    where = f"{machine['cpus']} CPUs ({machine['processor']}){gpus}, {machine['platform']}"
    return f"{where}; Python {machine['python']}, {packages}{commit}"


def report_json(sweep: Sweep, analysis: SweepAnalysis) -> dict[str, Any]:
    """Return the results as data."""
    return {
        "name": sweep.file.metadata.name,
        "hypothesis": sweep.file.metadata.hypothesis,
        "states": dict(analysis.states),
        "arms": {
            arm: {
                metric: {"mean": values.mean.mean, "ci95": values.mean.ci95, "seeds": dict(values.values)}
                for metric, values in metrics.items()
            }
            for arm, metrics in analysis.arms.items()
        },
        "criteria": [_decision_json(decision) for decision in analysis.decisions],
    }


def _decision_json(decision: CriterionResult) -> dict[str, Any]:
    verdict = decision.verdict
    return {
        "name": decision.criterion.name,
        "metric": decision.criterion.metric,
        "comparison": decision.comparison,
        "verdict": verdict.word,
        "reason": verdict.reason,
        "seeds": dict(decision.values),
        "look": decision.look,
        "difference": verdict.difference.mean,
        "interval": verdict.difference.ci95,
        "level": verdict.level,
        "p": verdict.p,
        "significant_together": decision.holm,
        "effect_size": verdict.effect_size,
        "power": verdict.power,
        "seeds_needed": verdict.needed,
        "situations": None if decision.situations is None else decision.situations.ci95,
    }
