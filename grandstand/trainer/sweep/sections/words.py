"""An experiment in words: for its report, and for the log of its episode."""

from __future__ import annotations

from grandstand.campaigns.numbers import MINUS, estimate, with_interval
from grandstand.campaigns.words import capital, many
from grandstand.play.ratings.intervals import Interval
from grandstand.report import Notes, Report, Tone
from grandstand.trainer.sweep.analysis import CriterionResult
from grandstand.trainer.sweep.expansion import Sweep, compared_arms
from grandstand.trainer.sweep.layout import State
from grandstand.trainer.sweep.sections.state import RunRecord, SweepState
from grandstand.trainer.sweep.sweep_file import Criterion
from grandstand.trainer.sweep.verdict import MOST_SEEDS

MISSING = "Not decided yet"
"""The verdict on a criterion that waits for runs."""
VERDICTS = "verdicts"
"""The section with a note for each criterion: its name as text, and its verdict as title."""
TONES: dict[str, Tone] = {"Supported": "good", "Refuted": "bad", "Undecided": "", MISSING: "faint"}
STATES: tuple[State, ...] = ("completed", "running", "failed", "blocked", "interrupted", "planned")
SOME = 4
"""The most runs that a sentence names."""
_CAUSES = {
    "settings": "Its settings were refused",
    "base": "The base could not be cloned",
    "training": "The training broke off",
    "measurement": "A measurement failed",
    "killed": "It was killed",
    "command": "The command template failed",
    "parent": "The run that it begins with has no result",
}


def with_ends(interval: Interval) -> str:
    """Return a mean with its interval in a line; a dash where there is none."""
    value = estimate(interval)
    bounds = "" if value.low is not None or value.value is None else " (no interval)"
    return f"{with_interval(value)}{bounds}"


def claim(decision: CriterionResult) -> str:
    """Return the claim of a criterion, with the least effect that would matter."""
    criterion = decision.criterion
    least = f"{criterion.least_effect:g}".replace("-", MINUS)
    words = {
        "greater": f"is above 0; {least} would matter",
        "less": f"is below 0; {MINUS}{least} would matter",
        "not_less": f"is not below {MINUS}{least}",
        "not_greater": f"is not above {least}",
        "equivalent": f"is within ±{least}",
    }
    return f"{capital(decision.comparison)} in {criterion.metric} {words[criterion.direction]}"


def missing_runs(state: SweepState, decision: CriterionResult) -> list[str]:
    """Return the runs without which a criterion is not decided."""
    arms, states = compared_arms(state.sweep.file, decision.criterion), state.analysis.states
    runs = state.sweep.until_look(decision.look)
    return [run.id for run in runs if run.arm in arms and states[run.id] != "completed"]


def verdict_word(state: SweepState, decision: CriterionResult) -> str:
    """Return a verdict in a word. Only a verdict of all planned runs is a claim."""
    return MISSING if missing_runs(state, decision) else capital(decision.verdict.word)


def reason(state: SweepState, decision: CriterionResult) -> str:
    """Return the reason of a verdict, or the runs that it waits for."""
    missing = missing_runs(state, decision)
    if not missing:
        return f"{capital(decision.verdict.reason)}."
    rest = f" and {len(missing) - SOME} more" if len(missing) > SOME else ""
    return f"It waits for {many(len(missing), 'run')}: {', '.join(missing[:SOME])}{rest}."


def truth(criterion: Criterion) -> str:
    """Return the assumption under which the power of a verdict is computed."""
    effect = criterion.direction in ("greater", "less")
    return "the least effect were true" if effect else "there were no difference"


def seeds_needed(decision: CriterionResult) -> str | None:
    """Return the seeds for a power of GOAL in words; None if the spread is unknown."""
    if decision.verdict.power is None:
        return None
    needed = decision.verdict.needed
    return f"more than {MOST_SEEDS} seeds" if needed is None else many(needed, "seed")


def cause_words(record: RunRecord) -> str:
    """Return the cause of a failure in words that name the boundary."""
    if record.state == "blocked":
        return "It waits for a run that failed"
    cause = record.failure.cause if record.failure else "unknown cause"
    return _CAUSES.get(cause, capital(cause))


def state_word(state: SweepState, run_id: str) -> str:
    """Return the state of a run in a word."""
    run, record, file = state.sweep.by_id[run_id], state.records[run_id], state.sweep.file
    if record.state == "running":
        return record.stage or "running"
    spare = file.seeds.index(run.seed) >= file.all_looks[0]
    return "if undecided" if record.state == "planned" and spare else record.state


def step_words(sweep: Sweep, run_id: str, record: RunRecord) -> str:
    """Return the current step of a run in words; '' for one that has ended or was never begun."""
    at_work = record.state not in ("completed", "planned", "blocked")
    return f"step {record.step} of {sweep.by_id[run_id].config.run.steps}" if at_work else ""


def run_words(state: SweepState, run_id: str) -> str:
    """Return the state of a run in a sentence."""
    record = state.records[run_id]
    parts = [f"{run_id}: {state_word(state, run_id)}"]
    if step := step_words(state.sweep, run_id, record):
        parts.append(step)
    if record.failure:
        parts.append(f"{record.failure.cause}: {record.failure.message}")
    return ", ".join(parts)


def progress_words(state: SweepState) -> str:
    """Return the runs by state: `4 completed, 2 running`."""
    return ", ".join(f"{count} {name}" for name in STATES if (count := state.count(name)))


def tally(state: SweepState) -> str:
    """Return the number of criteria with each verdict: `2 supported, 1 refuted`; '' before the first one."""
    words = [verdict_word(state, decision) for decision in state.analysis.decisions]
    if set(words) == {MISSING}:
        return ""
    if len(words) == 1:
        return words[0]
    names = {word: word.lower() for word in TONES} | {MISSING: "waiting for runs"}
    return ", ".join(f"{words.count(word)} {name}" for word, name in names.items() if word in words)


def verdict_changes(before: Report | None, after: Report) -> str:
    """Return the verdicts that are new in `after`, in sentences; '' for none."""
    known = _verdicts(before) if before else {}
    changed = [(name, word) for name, word in _verdicts(after).items() if word != MISSING and known.get(name) != word]
    return ". ".join(f"{name}: {word.lower()}" for name, word in changed)


def _verdicts(report: Report) -> dict[str, str]:
    bodies = [section.body for section in report.sections if section.id == VERDICTS]
    return {note.text: note.title for body in bodies if isinstance(body, Notes) for note in body.notes}
