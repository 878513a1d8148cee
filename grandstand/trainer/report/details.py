"""The further tabs of a run: rewards, matches, opponents, game, time, numbers and setup."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from grandstand.campaigns.numbers import written
from grandstand.campaigns.words import many
from grandstand.report import Axis, Behind, Chart, Column, Note, Notes, Row, Section, Table, Value
from grandstand.trainer.report.charts import band, line, small, steps
from grandstand.trainer.report.curves import components
from grandstand.trainer.report.state import RunState
from grandstand.trainer.report.words import plain, title

COUNTS = (
    ("rollout/masked_turns", "Choices not its own", "left out"),
    ("buffer/staleness", "Staleness", "versions behind"),
    ("buffer/dropped_stale", "Too old", "dropped"),
    ("rollout/straggler_count", "Stragglers", "not waited for"),
    ("rollout/failed_count", "Broken off", "matches"),
    ("buffer/depth", "Played ahead", "steps"),
    ("advantage/clipped_count", "Advantages clipped", "advantages"),
)
"""(metric, title, unit of the count); metrics that are always 0 are only named in a sentence."""

MEASURES = {"score_mean": "Score", "reward_mean": "Reward"}
"""Measures of the matches with an opponent; the first one that exists is shown."""


# --- rewards ----------------------------------------------------------------------------------------------------------


def rewards(state: RunState) -> Iterator[Section]:
    """Yield the components of the reward, which show whether a dense reward is in effect the outcome."""
    marks = [band(state, f"component/{name}", title(name), strong=True) for name in state.curves.names("component/")]
    if marks:
        body = Chart(
            x=steps(state),
            y=Axis(unit="share", low=0, high=1),
            marks=marks,
            describe="The share of each component in the variance of the reward, as layers over the steps.",
        )
        yield Section(id="components", title="Share of its variance", tab="Rewards", width="half", body=body)


def shares(state: RunState) -> Iterator[Section]:
    """Yield the shares of the components in a step."""
    metrics = state.snapshot.metrics
    shares = components(metrics)
    if not shares:
        return
    rows = [
        Row(id=name, cells=[Value(value=title(name)), Value(value=shares[name], strong=True)])
        for name in sorted(shares, key=lambda name: -shares[name])
    ]
    columns = [Column(id="component", title="Component"), Column(id="share", title="Share", shape="bar", unit="share")]
    final = metrics.get("reward/final_share")
    note = ""
    if final is not None:
        note = f"{written(final, 'share')} is judged where play stops, "
        note += f"{written(1 - final, 'share')} by what each choice brought."
    name = f"Components in step {state.snapshot.step}"
    body = Table(columns=columns, rows=rows)
    yield Section(id="shares", title=name, tab="Rewards", note=note, width="half", body=body)


# --- matches ----------------------------------------------------------------------------------------------------------


def matches(state: RunState) -> Iterator[Section]:
    """Yield the matches that the newest step learned from, those of later ones, and those of the last evaluation."""
    if not state.step:
        return
    step, depth = state.step, int(state.number("rollout", "buffer_depth") or 0)
    own = state.learned_from(step).model_copy(update={"note": state.recorded(step)})
    rows = [_match_row("learned", f"Step {step} learned from", own, state.matches or None)]
    if not state.status:
        later = Behind(title="Matches of later steps", first=step + 1, last=step + 1 + depth, stage="training")
        rows.append(_match_row("later", "For later steps", later, None))
    standing = state.standing()
    if standing:
        newest = max(one.step for one in standing)
        games = sum(one.games or 0 for one in standing if one.step == newest)
        evaluation = Behind(title=f"Evaluation of step {newest}", first=newest, last=newest, stage="evaluation")
        rows.append(_match_row("evaluation", f"Evaluation of step {newest}", evaluation, games or None))
    columns = [
        Column(id="what", title="Matches"),
        Column(id="count", title="Number", shape="number", unit="count"),
    ]
    note = "Choose a row for those that were published. The run's own record has the others."
    yield Section(id="matches", title="Matches", tab="Matches", note=note, body=Table(columns=columns, rows=rows))


def _match_row(name: str, text: str, behind: Behind, count: int | None) -> Row:
    return Row(id=name, cells=[Value(value=text, behind=behind), Value(value=count)])


# --- opponents and game -----------------------------------------------------------------------------------------------


def opponent_curves(state: RunState) -> Iterator[Section]:
    """Yield the results of the policy against each kind of opponent."""
    measure, kinds = _measured(state)
    if kinds:
        marks = [line(state, f"opponent/{kind}/{measure}", title(kind)) for kind in kinds]
        name = MEASURES[measure]
        describe = f"The policy's mean {name.lower()} in the matches with each kind of opponent, over the steps."
        body = Chart(x=steps(state), y=Axis(), marks=marks, describe=describe)
        note = "Mean of a step's matches."
        yield Section(id="opponents", title=name, tab="Opponents", note=note, width="half", body=body)


def opponent_table(state: RunState) -> Iterator[Section]:
    """Yield the results against each kind of opponent in a step."""
    measure, kinds = _measured(state)
    metrics, step = state.snapshot.metrics, state.snapshot.step
    columns = [
        Column(id="opponent", title="Matches with"),
        Column(id="mean", title=MEASURES[measure], shape="number"),
        Column(id="matches", title="Matches", shape="number", unit="count"),
    ]
    rows = [
        Row(
            id=kind,
            cells=[
                Value(value=title(kind), behind=state.learned_from(step)),
                Value(value=metrics.get(f"opponent/{kind}/{measure}"), strong=True),
                Value(value=metrics.get(f"opponent/{kind}/game_count")),
            ],
        )
        for kind in kinds
    ]
    if rows:
        body = Table(columns=columns, rows=rows)
        name = f"Opponents in step {step}"
        yield Section(id="opponent table", title=name, tab="Opponents", width="half", body=body)


def _measured(state: RunState) -> tuple[str, list[str]]:
    """Return the measure of the matches with an opponent that is shown, and the kinds of opponents that have it."""
    measured = [(measure, state.curves.names("opponent/", f"/{measure}")) for measure in MEASURES]
    return next((pair for pair in measured if pair[1]), measured[0])


def game(state: RunState) -> Iterator[Section]:
    """Yield the results of the matches by step: the game's counts, the value of a decision, and the score."""
    for name in state.curves.names("game/"):
        marks = [line(state, f"game/{name}", "mean", owner="Policy")]
        yield from small(state, "Game", title(name), marks, f"The mean of {plain(name)} in the matches of each step.")


# --- time -------------------------------------------------------------------------------------------------------------


def time(state: RunState) -> Iterator[Section]:
    """Yield the time of the parts of a step, and the decisions that were not used."""
    tab = "Time"
    marks = [band(state, f"time/{name}", name, strong=True) for name in ("playing", "learning")]
    describe = "The seconds that a step's playing and learning take, one on the other, over the steps."
    yield from small(state, tab, "A step's seconds", marks, describe, unit="seconds", low=0, width="half")
    yield from small(
        state, tab, "Learner idle", [line(state, "idle", "idle", owner="Policy")],
        "The share of a step's time in which its learner did not learn: it waited for matches or an evaluation.",
        unit="share", low=0, high=1, note="Share of a step's time.", width="half",
    )  # fmt: skip
    never = []
    for metric, name, what in COUNTS:
        points = state.curves.points(metric)
        if points and not any(point.y for point in points):
            never.append(f"{name[0].lower()}{name[1:]} ({what})")
        else:
            marks = [line(state, metric, what, owner="Policy")]
            yield from small(state, tab, name, marks, f"{name}: {what}, over the steps.", low=0, high=1)
    if never:
        note = Note(text=f"Never yet: {', '.join(never)}.", tone="faint")
        yield Section(id="never", tab=tab, body=Notes(notes=[note]))


# --- numbers and setup ------------------------------------------------------------------------------------------------


def numbers(state: RunState) -> Iterator[Section]:
    """Yield all metrics of a step, and of the first."""
    now = state.snapshot
    rows = [
        Row(id=name, cells=[Value(value=name), Value(value=value, strong=True), Value(value=state.first.get(name))])
        for name, value in sorted(now.metrics.items())
    ]
    columns = [
        Column(id="metric", title="Metric"),
        Column(id="now", title=f"Step {now.step}", shape="number"),
        Column(id="first", title="First step", shape="number", drop=1),
    ]
    note = f"All {many(len(rows), 'metric')} of step {now.step}."
    if rows:
        body = Table(columns=columns, rows=rows)
        yield Section(id="numbers", title="Numbers", tab="Numbers", note=note, body=body)


def setup(state: RunState) -> Iterator[Section]:
    """Yield the run's settings, as in its file."""
    rows = [
        Row(id=name, cells=[Value(value=name), Value(value=value)])
        for section, values in state.config.items()
        for name, value in _settings(section, values)
    ]
    columns = [Column(id="setting", title="Setting"), Column(id="value", title="Value")]
    if rows:
        yield Section(id="setup", title="Setup", tab="Setup", body=Table(columns=columns, rows=rows))


def _settings(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield (`rollout.opponents.base`, value as JSON) of a setting and those in it."""
    if isinstance(value, Mapping) and value:
        for key, part in value.items():
            yield from _settings(f"{name}.{key}", part)
    else:
        yield name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
