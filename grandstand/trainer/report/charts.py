"""Charts over the steps of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from grandstand.report import Axis, Chart, Mark, Point, Section, Tone, Unit
from grandstand.trainer.report.state import RunState

ROOM, SHORT = 50, 100
"""An axis reaches to the end of a run of at most SHORT steps; of a longer one to ROOM, or twice as far as often as
needed."""


def span(state: RunState) -> tuple[int, int]:
    """Return the first and the last step of all charts. They change seldom, because a chart is then sent again."""
    first, now = min(1, state.first_step), max(state.step, state.first_step)
    room = ROOM
    while room < now - first + 1:
        room *= 2
    whole = state.planned if state.planned >= now else first - 1 + room
    return first, max(first + 1, whole if whole <= SHORT else min(whole, first - 1 + room))


def steps(state: RunState) -> Axis:
    """Return the axis of all charts."""
    first, last = span(state)
    return Axis(title="Step", low=first, high=last)


def line(
    state: RunState,
    curve: str,
    name: str,
    *,
    owner: str = "",
    tone: Tone = "",
    strong: bool = False,
) -> Mark:
    """Return a line through the points of a curve."""
    return Mark(
        id=curve, kind="line", name=name, owner=owner, tone=tone, strong=strong, points=state.curves.points(curve)
    )


def band(state: RunState, curve: str, name: str = "", *, owner: str = "", strong: bool = False) -> Mark:
    return Mark(id=curve, kind="band", name=name, owner=owner, strong=strong, points=state.curves.points(curve))


def rule(name: str, y: float, tone: Tone = "warning") -> Mark:
    return Mark(id=name, kind="rule", name=name, tone=tone, points=[Point(x=0, y=y)])


def small(
    state: RunState,
    tab: str,
    name: str,
    marks: Sequence[Mark],
    describe: str,
    *,
    unit: Unit = "",
    low: float | None = None,
    high: float | None = None,
    log: bool = False,
    note: str = "",
    width: Literal["half", "third"] = "third",
) -> Iterator[Section]:
    """Yield the section of a chart of a half or a third of the width, if any of it is measured."""
    marks = [mark for mark in marks if mark.points]
    if all(mark.kind == "rule" for mark in marks):
        return
    body = Chart(
        x=steps(state),
        y=Axis(unit=unit, low=low, high=high, log=log),
        marks=marks,
        describe=describe,
        size="small" if width == "third" else "large",
    )
    yield Section(id=f"{tab} {name}".lower(), title=name, tab=tab, note=note, width=width, body=body)
