"""The head of the report of a sweep: the numbers and verdicts that a reader wants first."""

from __future__ import annotations

from collections.abc import Iterator

from grandstand.campaigns.numbers import estimate
from grandstand.campaigns.words import many
from grandstand.report import Figure, Figures, Note, Notes, Progress, Section, Tone, Value
from grandstand.trainer.sweep.sections.state import (
    MISSING,
    TONES,
    VERDICTS,
    SweepState,
    missing_runs,
    progress_words,
    tally,
    verdict_word,
)


def headline(state: SweepState) -> str:
    """Return the verdicts in a few words; before the first one, the number of completed runs."""
    if words := tally(state):
        return words
    done = state.count("completed")
    if done:
        return f"{done} of {many(len(state.records), 'run')} completed"
    if state.count("running"):
        return "Running"
    return "Runs failed" if state.count("failed") else "Planned"


def tone(state: SweepState) -> Tone:
    """Return the tone that all verdicts share; '' if they differ or one is missing."""
    tones = {TONES[verdict_word(state, decision)] for decision in state.analysis.decisions}
    return tones.pop() if len(tones) == 1 and tones <= {"good", "bad"} else ""


def progress(state: SweepState) -> Progress:
    """Return the runs that have ended, and the estimated time of the others: their share of what was estimated."""
    estimated, seconds = state.estimated, None
    completed, failed = state.count("completed"), state.count("failed", "blocked")
    if estimated is not None and not state.over:
        each = estimated.each
        ended = ("completed", "failed", "blocked")
        rest = sum(time for run, time in each.items() if state.records[run].state not in ended)
        seconds = estimated.seconds * rest / (sum(each.values()) or 1.0)
    return Progress(done=completed + failed, total=len(state.records), unit="runs", failed=failed, seconds=seconds)


def head_sections(state: SweepState) -> Iterator[Section]:
    """Yield the figures and the verdicts."""
    yield Section(id="figures", body=Figures(figures=list(_figures(state))))
    yield Section(id=VERDICTS, title="Verdicts", body=Notes(notes=_verdicts(state)))
    if failed := state.count("failed", "blocked"):
        text = f"{many(failed, 'run')} {'has' if failed == 1 else 'have'} no result; the same command tries again."
        yield Section(id="failed", body=Notes(notes=[Note(text=text, tone="bad", title="Runs failed")]))


def _figures(state: SweepState) -> Iterator[Figure]:
    decisions, file = state.analysis.decisions, state.sweep.file
    first = decisions[0]
    word = verdict_word(state, first)
    waits = missing_runs(state, first)
    note = f"{word}: {first.criterion.name}" if word != MISSING else f"{MISSING}: {many(len(waits), 'run')} to come"
    value = estimate(first.verdict.difference, level=first.verdict.level).model_copy(
        update={"note": note, "tone": TONES[word], "strong": True}
    )
    yield Figure(label=f"{first.comparison} in {first.criterion.metric}", unit="signed", value=value)
    decided = sum(verdict_word(state, decision) != MISSING for decision in decisions)
    if len(decisions) > 1:
        yield Figure(label="Criteria decided", unit="count", value=Value(value=decided), of=len(decisions))
    done, whole = state.count("completed"), len(state.records)
    words = Value(value=done, note="" if done == whole else progress_words(state))
    yield Figure(label="Runs completed", unit="count", value=words, of=whole)
    looks = file.all_looks
    note = f"for each of {many(len(file.arms), 'arm')}"
    if len(looks) > 1:
        note += f"; it may end after {' or '.join(map(str, looks[:-1]))}"
    yield Figure(label="Seeds", unit="count", value=Value(value=len(file.seeds), note=note))


def _verdicts(state: SweepState) -> list[Note]:
    return [
        Note(text=decision.criterion.name, title=word, tone=TONES[word])
        for decision in state.analysis.decisions
        for word in [verdict_word(state, decision)]
    ]
