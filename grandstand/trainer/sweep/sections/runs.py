"""The runs of a sweep: the state of each, the causes of failures, the versions that were selected, and the work."""

from __future__ import annotations

from collections.abc import Iterator

from grandstand.campaigns.words import many
from grandstand.report import Column, Figure, Figures, Link, Note, Notes, Row, Section, Table, Tone, Value
from grandstand.trainer.sweep.expansion import matched_size
from grandstand.trainer.sweep.layout import State
from grandstand.trainer.sweep.sections.state import RunRecord, SweepState, cause_words, state_word, step_words

TAB = "Runs"
_TONES: dict[State, Tone] = {
    "completed": "good",
    "running": "",
    "failed": "bad",
    "blocked": "warning",
    "interrupted": "warning",
    "planned": "faint",
}
_SHARED = "What other sweeps in the same folder share with this one is counted here too."
_UNMATCHED = 0.05
"""Share by which the arms' numbers of learned decisions may differ before the report says so."""


def run_sections(state: SweepState) -> Iterator[Section]:
    """Yield the grid of all runs, the failures, the versions that were selected, and the work of each run."""
    shown = any(record.episode_id for record in state.records.values())
    note = "One run for each arm and seed. " + (
        "A run leads to its training run, with its league and matches."
        if shown
        else "The training runs are not published, so that only their states are here."
    )
    yield Section(id="runs", title="Runs", note=note, tab=TAB, body=_grid(state))
    if failures := list(_failures(state)):
        note = "The same command tries them again; the other runs are not affected."
        yield Section(id="failures", title="Failures", note=note, tab=TAB, body=Notes(notes=failures))
    if rows := list(_selected(state)):
        yield Section(
            id="selected", title="Selected versions", note=_how(state), tab=TAB, body=_selected_table(state, rows)
        )
    if rows := list(_work(state)):
        yield Section(id="cost", title="Work", note=_SHARED, tab=TAB, body=_cost(state))
        yield Section(id="work", title="Work of each run", tab=TAB, body=_work_table(rows))
    yield from _matching(state)


def _grid(state: SweepState) -> Table:
    file = state.sweep.file
    columns = [Column(id="arm", title="Arm"), *(Column(id=f"s{seed}", title=f"Seed {seed}") for seed in file.seeds)]
    rows = [
        Row(
            id=arm,
            owner=arm,
            cells=[Value(value=arm, note=definition.name), *(_cell(state, f"{arm}-s{seed}") for seed in file.seeds)],
        )
        for arm, definition in file.arms.items()
    ]
    return Table(columns=columns, rows=rows)


def _cell(state: SweepState, run: str) -> Value:
    record = state.records[run]
    note = record.failure.cause if record.failure else step_words(state.sweep, run, record)
    word, tone = state_word(state, run), _TONES[record.state]
    return Value(value=word, note=note, tone=tone, strong=record.state == "running", link=_link(record))


def _link(record: RunRecord) -> Link | None:
    return Link(text="Training run", episode_id=record.episode_id) if record.episode_id else None


def _failures(state: SweepState) -> Iterator[Note]:
    for run, record in state.records.items():
        if record.state not in ("failed", "blocked"):
            continue
        step = step_words(state.sweep, run, record)
        message = f": {record.failure.message}" if record.failure else ""
        text = f"{cause_words(record)}{f' at {step}' if step else ''}{message}"
        yield Note(text=text, tone="bad" if record.state == "failed" else "warning", title=run, link=_link(record))


def _how(state: SweepState) -> str:
    measure = state.sweep.file.measure
    return (
        f"The best version is the kept one with the greatest {measure.select} in the run's own evaluations. It is "
        f"reported by {measure.games} other situations, which the choice has not used, so that the choice does not "
        "inflate it."
    )


def _selected(state: SweepState) -> Iterator[Row]:
    for run in state.sweep.runs:
        if chosen := state.records[run.id].selected:
            step, value = chosen
            kept = len(run.config.league.keep)
            cells = [Value(value=run.id), Value(value=f"v{step}"), Value(value=kept), Value(value=value)]
            yield Row(id=run.id, owner=run.arm, cells=cells)


def _selected_table(state: SweepState, rows: list[Row]) -> Table:
    """Return the table of the versions that were selected."""
    columns = [
        Column(id="run", title="Run"),
        Column(id="version", title="Selected"),
        Column(id="kept", title="Of", unit="count", drop=1),
        Column(id="value", title=state.sweep.file.measure.select, shape="number"),
    ]
    return Table(columns=columns, rows=rows)


def _work(state: SweepState) -> Iterator[Row]:
    for run in state.sweep.runs:
        record = state.records[run.id]
        cost = record.cost
        if cost is None or not cost.attempts:
            continue
        times = (cost.seconds, cost.cpu, cost.playing, cost.learning)
        cells = [
            Value(value=run.id, link=_link(record)),
            Value(value=record.state, tone=_TONES[record.state]),
            *(Value(value=seconds) for seconds in times),
            Value(value=cost.samples),
            Value(value=cost.attempts),
        ]
        yield Row(id=run.id, owner=run.arm, cells=cells)


def _work_table(rows: list[Row]) -> Table:
    columns = [
        Column(id="run", title="Run"),
        Column(id="state", title="State"),
        Column(id="time", title="Time", unit="seconds"),
        Column(id="cpu", title="CPU time", unit="seconds", drop=2),
        Column(id="playing", title="Playing", unit="seconds", drop=3),
        Column(id="learning", title="Learning", unit="seconds", drop=4),
        Column(id="decisions", title="Decisions learned from", unit="count", drop=1),
        Column(id="processes", title="Processes", unit="count", drop=5),
    ]
    return Table(columns=columns, rows=rows)


def _cost(state: SweepState) -> Figures:
    """Return the time of all processes, and how much of it the bases took."""
    seconds = sum(record.cost.seconds for record in state.records.values() if record.cost)
    bases = f"{many(len(state.sweep.bases), 'base')} cloned"
    return Figures(
        figures=[
            Figure(label="Time of all processes", unit="seconds", value=Value(value=seconds + state.cloning)),
            Figure(label="Of it for bases", unit="seconds", value=Value(value=state.cloning, note=bases)),
        ]
    )


def _matching(state: SweepState) -> Iterator[Section]:
    """Yield the planned and the actual sizes of the arms, if they are matched."""
    matched, rows, actual = state.sweep.file.matched, [], {}
    if matched == "none":
        return
    for arm in state.sweep.file.arms:
        samples = [record.cost.samples for record in state.of_arm(arm) if record.cost]
        if samples:
            actual[arm] = sum(samples) / len(samples)
        planned = Value(value=matched_size(state.sweep.of_arm(arm)[0], matched))
        rows.append(Row(id=arm, owner=arm, cells=[Value(value=arm), planned, Value(value=actual.get(arm))]))
    unit = "simulated time" if matched == "compute" else "simulated time of trained seats"
    columns = [
        Column(id="arm", title="Arm"),
        Column(id="planned", title=f"Planned {unit} of a run", unit="count"),
        Column(id="actual", title="Decisions learned from, mean of the runs", unit="count"),
    ]
    apart = actual and max(actual.values()) > min(actual.values()) * (1 + _UNMATCHED)
    note = "The arms did not learn from the same number of decisions, although they were matched by plan."
    body = Table(columns=columns, rows=rows)
    yield Section(id="matching", title=f"Matched by {matched}", note=note if apart else "", tab=TAB, body=body)
