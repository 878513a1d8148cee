"""A page of the results of several experiments: each claim, its verdict, and the seeds that would decide it."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from grandstand.campaigns.markdown import rows as table
from grandstand.campaigns.words import many
from grandstand.trainer.config.sections import NANO
from grandstand.trainer.sweep.analysis import CriterionResult, SweepAnalysis, analyse
from grandstand.trainer.sweep.expansion import Sweep, SweepBase, SweepRun
from grandstand.trainer.sweep.layout import attempts, machines, state_of
from grandstand.trainer.sweep.sections.method import RATIOS
from grandstand.trainer.sweep.sections.state import machine_words, with_ends
from grandstand.trainer.sweep.tracker import results_table, status_of
from grandstand.trainer.sweep.values import cost_of
from grandstand.trainer.sweep.verdict import GOAL, MOST_SEEDS

_PARAMETERS = {NANO: ", the built-in policy of 0.18 million parameters,"}
_HEAD = ("claim", "compared", "here", "difference (interval)", "least effect", "seeds", "power", "what would decide it")


def claims_page(sweeps: Sequence[Sweep]) -> str:
    """Return the page as Markdown, from the results so far; an experiment without results claims nothing."""
    analyses = [analyse(sweep) for sweep in sweeps]
    pairs = list(zip(sweeps, analyses, strict=True))
    parts = ["# Experiments: results", _size(sweeps), _counts(pairs), _how_to_read()]
    for sweep, analysis in pairs:
        parts += _experiment(sweep, analysis)
    parts += ["## Runs, machine and cost", *_cost(sweeps)]
    return "\n\n".join(parts) + "\n"


def _size(sweeps: Sequence[Sweep]) -> str:
    """Return a sentence on the size of a run, by its settings."""
    configs = [run.config for sweep in sweeps for run in sweep.runs]
    models = ", ".join(
        dict.fromkeys(f"`{config.policy.model}`{_PARAMETERS.get(config.policy.model, '')}" for config in configs)
    )
    steps = _range(config.run.steps for config in configs)
    forks = _range(config.rollout.groups * config.rollout.samples for config in configs)
    seeds = _range(len(sweep.file.seeds) for sweep in sweeps)
    return (
        f"A run trains {models} for {steps} steps of {forks} forks; each arm has {seeds} seeds. "
        "[docs/experiments.md](../experiments.md) says what runs of this size can show, and what not."
    )


def _range(numbers: Iterable[int]) -> str:
    """Return `10`, or `10 to 20`."""
    known = sorted(set(numbers))
    return str(known[0]) if len(known) == 1 else f"{known[0]} to {known[-1]}"


def _counts(pairs: Sequence[tuple[Sweep, SweepAnalysis]]) -> str:
    words: Counter[str] = Counter()
    for _, analysis in pairs:
        for decision in analysis.decisions:
            words["not run" if not decision.values else decision.verdict.word] += 1
    scales = sorted({sweep.file.scale for sweep, _ in pairs if sweep.file.scale})
    at = f" at the scale {' and '.join(f'`{scale}`' for scale in scales)}" if scales else ""
    counts = ", ".join(f"{count} {word}" for word, count in words.most_common())
    states = Counter(status_of(analysis) for _, analysis in pairs)
    status = ", ".join(f"{count} {word}" for word, count in states.most_common())
    return f"{many(len(pairs), 'experiment')}{at} ({status}) with {many(sum(words.values()), 'claim')}: {counts}."


def _how_to_read() -> str:
    return "\n".join(
        f"- {line}"
        for line in (
            "The claims, their metrics and their least effects are in the files of the experiments, and stood there "
            "before anything ran. *Compared* names the arms, whose settings `grandstand sweep FILE --dry-run` lists.",
            "A verdict rests on one difference for each seed, with the same base and situations in both arms, and on "
            "Student's interval over these. *Undecided* is no sign that there is no difference.",
            RATIOS,
            "*Power* is the probability with which these seeds would have supported the claim if it were true by the "
            "least effect (for margins: if there were no difference), given their spread.",
            f"*What would decide it* is the number of seeds for a power of {GOAL:.0%} with that spread, which few "
            "seeds tell only roughly. A language model has another spread: its first seeds tell it, and how many it "
            "needs.",
        )
    )


def _experiment(sweep: Sweep, analysis: SweepAnalysis) -> Iterator[str]:
    yield f"## {sweep.title}"
    done = sum(state == "completed" for state in analysis.states.values())
    yield f"{sweep.file.metadata.hypothesis} ({status_of(analysis)}, {done} of {len(analysis.states)} runs)"
    yield table(_HEAD, (_row(sweep, decision) for decision in analysis.decisions))
    if status_of(analysis) != "planned":
        yield results_table(sweep, analysis)


def _row(sweep: Sweep, decision: CriterionResult) -> tuple[str, ...]:
    criterion, verdict = decision.criterion, decision.verdict
    direction = criterion.direction.replace("_", " ")
    compared = f"{decision.comparison} in `{criterion.metric}`, {direction}"
    least = f"{criterion.least_effect:g}"
    if not decision.values:
        return criterion.name, compared, "not run", "–", least, "0", "–", "the runs"
    planned = sweep.file.seeds[: decision.look]
    seeds = [seed for seed in planned if seed in decision.values]
    return (
        criterion.name,
        compared,
        f"**{verdict.word}**",
        f"{with_ends(verdict.difference)} at {verdict.level:.3g}",
        least,
        str(len(seeds)) if len(seeds) == len(planned) else f"{len(seeds)} of {len(planned)}",
        "–" if verdict.power is None else f"{verdict.power:.0%}",
        _decides(decision, len(planned) - len(seeds)),
    )


def _decides(decision: CriterionResult, missing: int) -> str:
    verdict = decision.verdict
    if missing:
        return f"the runs of {many(missing, 'more seed')}"
    if verdict.word != "undecided":
        return f"decided: {verdict.reason}"
    if verdict.needed is None:
        return f"more than {MOST_SEEDS} seeds, or longer runs with larger differences"
    return f"{verdict.needed} seeds"


def _cost(sweeps: Sequence[Sweep]) -> Iterator[str]:
    runs = {run.folder: run for sweep in sweeps for run in sweep.runs if state_of(sweep, run) == "completed"}
    bases = {run.base.folder: run.base for run in runs.values() if run.base is not None}
    costs = [cost_of(run, attempts(run)) for run in runs.values()]
    items: list[SweepRun | SweepBase] = [*runs.values(), *bases.values()]
    work = [attempt for item in items for attempt in attempts(item)]
    hours = sum(attempt["ended"] - attempt["began"] for attempt in work) / 3600
    cpu = [attempt.get("cpu") for attempt in work]
    known = [seconds for seconds in cpu if seconds is not None]
    words = f", {sum(known) / 60:.0f} CPU minutes" if known and len(known) == len(cpu) else ""
    arms = sum(state_of(sweep, run) == "completed" for sweep in sweeps for run in sweep.runs)
    yield (
        f"{len(runs)} completed runs of {sum(run.config.run.steps for run in runs.values()):,} steps from {len(bases)} "
        f"cloned bases stand for {arms} runs of the experiments, because arms with the same settings and seed are the "
        f"same run. They learned from {sum(cost.samples for cost in costs):,.0f} decisions, and their "
        f"processes took {hours:.1f} hours of wall time, added up{words}."
    )
    known_machines: Counter[str] = Counter()
    for run in runs.values():
        known_machines.update({machine_words(machine) for machine in machines(run)})
    yield table(("runs", "machine and versions"), ((str(count), text) for text, count in known_machines.most_common()))
    yield "All are run, or continued, and reported by"
    yield "```sh\n" + "\n".join(_commands(sweeps)) + "\n```"


def _commands(sweeps: Sequence[Sweep]) -> Iterator[str]:
    by_scale: dict[str, list[str]] = {}
    for sweep in sweeps:
        by_scale.setdefault(sweep.file.scale, []).append(shlex.quote(sweep.path.name))
    for scale, names in by_scale.items():
        option = f" --scale {scale}" if scale else ""
        yield f"for file in {' '.join(names)}; do grandstand sweep experiments/$file{option} --run; done"
        yield f"grandstand report --claims{option} experiments --out claims.md"
