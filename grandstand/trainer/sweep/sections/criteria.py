"""The criteria of a sweep: each claim with its difference, the region in which it holds, and the verdict in words."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, log10

from grandstand.campaigns.numbers import estimate, finite, interval, written
from grandstand.play.ratings.intervals import LEVEL
from grandstand.report import (
    Axis,
    Chart,
    Column,
    Figure,
    Mark,
    Note,
    Notes,
    Point,
    Row,
    Section,
    Table,
    Tone,
    Value,
)
from grandstand.trainer.sweep.analysis import CriterionResult
from grandstand.trainer.sweep.sections.state import (
    MISSING,
    TONES,
    SweepState,
    claim,
    reason,
    seeds_needed,
    truth,
    verdict_word,
)
from grandstand.trainer.sweep.sweep_file import Criterion
from grandstand.trainer.sweep.verdict import GOAL

TAB = "Results"
_ROOM = 1.5
"""The axis goes beyond the least effect by this factor, so that there is room on both sides of it."""
_STEPS = 5
"""The approximate number of steps of an axis."""
_GOAL = written(GOAL, "share")
_HOW = (
    "The mean difference over seeds with its interval; small dots are single seeds. The rules are at 0, and at the "
    "least effect that would matter; in the shaded region the claim holds and matters. A criterion whose runs are "
    "missing claims nothing, whatever its interval is."
)
_FURTHER = (
    "Over situations: the interval for these very runs, which says nothing of other seeds and decides nothing. g is "
    "Hedges' g of the differences over seeds."
)


def criteria_sections(state: SweepState) -> Iterator[Section]:
    """Yield how the charts are read, a chart for each criterion, and their further figures."""
    yield Section(id="reading", tab=TAB, body=Notes(notes=[Note(text=_HOW)]))
    for number, decision in enumerate(state.analysis.decisions):
        yield Section(
            id=f"criterion-{number}",
            title=decision.criterion.name,
            note=f"{claim(decision)}.",
            tab=TAB,
            body=_chart(state, decision),
        )
    yield Section(id="further", title="Further figures", note=_FURTHER, tab=TAB, body=_further(state))


def _chart(state: SweepState, decision: CriterionResult) -> Chart:
    word, criterion = verdict_word(state, decision), decision.criterion
    difference = estimate(decision.verdict.difference, level=decision.verdict.level)
    values = {seed: value for seed, value in decision.values.items() if finite(value) is not None}
    low, high = _ends([*values.values(), *_numbers(difference), *(_ROOM * least for least in bounds(criterion))])
    first, last = region(criterion, low, high)
    tone: Tone = TONES[word]
    marks = [
        Mark(id="region", kind="band", tone="good", points=[Point(x=(first + last) / 2, low=first, high=last)]),
        Mark(id="zero", kind="rule", strong=True, points=[Point(x=0)]),
        *(
            Mark(
                id=f"least-{number}",
                kind="rule",
                name="least effect",
                tone="warning",
                points=[Point(x=least)],
            )
            for number, least in enumerate(bounds(criterion))
        ),
        Mark(id="seeds", kind="dots", tone=tone, points=[Point(x=v, label=f"seed {s}") for s, v in values.items()]),
        Mark(id="difference", kind="dots", tone=tone, strong=True, points=_point(difference)),
    ]
    return Chart(
        x=Axis(title=f"{decision.comparison} in {criterion.metric}", low=low, high=high),
        marks=marks,
        figures=list(_figures(state, decision, word, difference)),
        describe=f"{_said(difference)}. The claim holds, and matters, from {written(first)} to {written(last)} of an "
        f"axis from {written(low)} to {written(high)}.",
        size="small",
    )


def _said(difference: Value) -> str:
    if difference.value is None:
        return "No difference is known yet"
    ends = interval(difference, "signed")
    return f"The mean difference is {written(difference.value, 'signed')}, " + (ends or "without an interval")


def _numbers(value: Value) -> list[float]:
    return [number for number in (value.value, value.low, value.high) if isinstance(number, float)]


def _point(value: Value) -> list[Point]:
    return [Point(x=value.value, low=value.low, high=value.high)] if isinstance(value.value, float) else []


def bounds(criterion: Criterion) -> list[float]:
    """Return where the least effect of a criterion lies: on the side, or the sides, on which it counts."""
    least = criterion.least_effect
    if criterion.direction == "equivalent":
        return [-least, least]
    return [least if criterion.direction in ("greater", "not_greater") else -least]


def region(criterion: Criterion, low: float, high: float) -> tuple[float, float]:
    """Return the part of an axis of differences, from `low` to `high`, in which the claim holds by the least effect."""
    least = criterion.least_effect
    match criterion.direction:
        case "greater":
            return least, high
        case "less":
            return low, -least
        case "not_less":
            return -least, high
        case "not_greater":
            return low, least
        case "equivalent":
            return -least, least


def _ends(values: list[float]) -> tuple[float, float]:
    """Return round ends of an axis that contains 0 and all values."""
    low, high = min(0.0, *values), max(0.0, *values)
    rough = (high - low) / _STEPS
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    return round(floor(low / step + 1e-9) * step, 12), round(ceil(high / step - 1e-9) * step, 12)


def _figures(state: SweepState, decision: CriterionResult, word: str, difference: Value) -> Iterator[Figure]:
    verdict = decision.verdict
    yield Figure(label="Verdict", value=Value(value=word, tone=TONES[word], strong=True, note=reason(state, decision)))
    yield Figure(label="Difference", unit="signed", value=difference)
    if word == MISSING:
        return
    if (p := finite(verdict.p)) is not None:
        note = "significant among all criteria together" if decision.holm else ""
        yield Figure(label="p", value=Value(value=p, note=note))
    if (power := finite(verdict.power)) is not None:
        note = f"the chance of “supported” if {truth(decision.criterion)}; {seeds_needed(decision)} would give {_GOAL}"
        yield Figure(label="Power", unit="share", value=Value(value=power, note=note))


def level_words(level: float) -> str:
    """Return a level like `95 %` or `97.5 %`."""
    return f"{round(100 * level, 1):g} %"


def _further(state: SweepState) -> Table:
    columns = [
        Column(id="criterion", title="Criterion"),
        Column(id="claim", title="Claim", drop=3),
        Column(id="seeds", title="Seeds"),
        Column(id="level", title="Level of the interval", drop=2),
        Column(id="g", title="g", unit="signed"),
        Column(id="situations", title="Over situations", unit="signed", drop=4),
        Column(id="needed", title=f"For a power of {_GOAL}", drop=1),
    ]
    return Table(columns=columns, rows=[_row(n, item) for n, item in enumerate(state.analysis.decisions)])


def _row(number: int, decision: CriterionResult) -> Row:
    verdict, situations = decision.verdict, decision.situations
    cells = [
        Value(value=decision.criterion.name),
        Value(
            value=f"{decision.criterion.direction.replace('_', ' ')}, least effect {decision.criterion.least_effect:g}"
        ),
        Value(value=f"{verdict.difference.n} of {decision.look}"),
        Value(value=level_words(verdict.level), note="" if verdict.level == LEVEL else "alpha is divided by the looks"),
        Value(value=finite(verdict.effect_size)),
        Value() if situations is None else estimate(situations, level=verdict.level),
        Value(value=seeds_needed(decision)),
    ]
    return Row(id=f"criterion-{number}", cells=cells)
