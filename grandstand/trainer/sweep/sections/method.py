"""How a sweep is run and decided: its command, its rules, its machines, and its notes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from grandstand.campaigns.numbers import written
from grandstand.campaigns.words import many
from grandstand.report import Column, Note, Notes, Row, Section, Table, Value
from grandstand.trainer.sweep.sections.state import SweepState

TAB = "Method"
RATIOS = (
    "A KL or a norm of gradients is compared by its ratio to the reference's: mean and interval are of its logarithms, "
    "and stand in the metric's unit, at the reference's geometric mean."
)
_DIFFERENCES = (
    "For each seed there is one difference, with the same seed, base and situations on both sides. The verdict rests "
    "on their mean and its Student's t interval of level 1 − alpha, "
)
_ERRORS = (
    "Both ways a wrong verdict has at most the probability alpha if the differences are symmetric; if they are skewed, "
    "a true effect is refuted more often."
)
_POWER = (
    "The power is the probability of “supported” if the claim were true by the least effect (for margins: if there "
    "were no difference), with the spread that was observed. With few seeds that spread is itself uncertain."
)
_TOGETHER = "A difference is significant among all criteria together by Holm's method."


def method_sections(state: SweepState) -> Iterator[Section]:
    """Yield how the sweep is repeated, how it is decided, and where it ran."""
    yield Section(id="command", title="Reproduce it", tab=TAB, body=Notes(notes=list(_reproduce(state))))
    yield Section(id="rules", title="How a verdict is made", tab=TAB, body=Notes(notes=list(_rules(state))))
    known: dict[str, list[str]] = {}
    for run in state.sweep.runs:
        for words in state.records[run.id].machines:
            known.setdefault(words, []).append(run.id)
    if known:
        columns = [Column(id="machine", title="Machine and versions"), Column(id="runs", title="Runs")]
        rows = [
            Row(id=str(number), cells=[Value(value=words), Value(value=", ".join(runs))])
            for number, (words, runs) in enumerate(known.items())
        ]
        yield Section(id="machines", title="Machines", tab=TAB, body=Table(columns=columns, rows=rows))
    if notes := [Note(text=text) for text in state.sweep.file.metadata.notes]:
        yield Section(id="notes", title="Notes", tab=TAB, body=Notes(notes=notes))


def _reproduce(state: SweepState) -> Iterator[Note]:
    file, estimated = state.sweep.file, state.estimated
    scale = f" --scale {file.scale}" if file.scale else ""
    yield Note(title="Command", text=f"grandstand sweep {shlex.quote(_shown(state.sweep.path))}{scale} --run")
    size = f"{many(len(file.arms), 'arm')} with {many(len(file.seeds), 'seed')} each"
    if estimated is not None and not state.over:
        size += f", about {written(estimated.seconds, 'seconds')} by {estimated.source}"
    yield Note(text=f"{size}.")
    yield Note(
        text="Each run's complete settings are in its settings.toml, and its exact commands in its attempts.jsonl. "
        f"The name of the experiment is {file.metadata.name}."
    )


def _rules(state: SweepState) -> Iterator[Note]:
    looks, criteria = state.sweep.file.all_looks, state.analysis.decisions
    several = len(looks) > 1
    level = f"with alpha divided by the {len(looks)} looks." if several else "as the criterion declares it."
    yield Note(text=_DIFFERENCES + level)
    if several:
        after = " or ".join(map(str, looks))
        yield Note(text=f"The experiment may end after {after} seeds, if every criterion is decided.")
    for title, text in {
        "Supported": "the interval excludes the opposite of the claim.",
        "Refuted": "the interval excludes every difference that would matter.",
        "Undecided": "both are possible.",
        "Not decided yet": "planned runs are missing, however clear the others are.",
    }.items():
        yield Note(title=title, text=text)
    for text in (_ERRORS, RATIOS, _POWER, _TOGETHER):
        yield Note(text=text)
    if len(criteria) > 1:
        yield Note(text=f"There are {len(criteria)} criteria, each decided at its own alpha.")


def _shown(path: Path) -> str:
    """Return a path as it can be repeated: relative to this folder if it lies in it, or its name alone."""
    path = path.resolve()
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else path.name
