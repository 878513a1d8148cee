"""Tables of a sweep's fixed references: the base and the bots, which never change, and the arms' gaps over them.

Scores are measured after the training, in new situations. Ratings and exploitation are of the training matches: the
base's rating is fixed, and everybody else's is relative to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grandstand.campaigns.numbers import estimate
from grandstand.play.ratings.intervals import student_interval
from grandstand.report import Column, Row, Section, Table, Value
from grandstand.trainer.sweep.sections.state import SCORES, SweepState

TAB = "Arms"
_POLICY, _RATING, _EXPLOITATION = "league/rating/policy", "league/rating/", "exploitation/"
_SCORES = (
    "Means over seeds with Student's 95 % intervals, in the same situations for all arms of a seed. The score is that "
    "of the version in a seat, against these players in all others; the base's score is that of the policy before the "
    "first step in the same place."
)
_RATINGS = (
    "From the training matches up to the last checkpoint; the base has 1500 by definition. Exploitation is the number "
    "of Elo points that the policy is ahead of a bot by their own comparisons; where it is above the difference of "
    "their ratings, the policy has learned to beat this bot in particular."
)


def reference_sections(state: SweepState) -> Iterator[Section]:
    """Yield the tables of the completed runs."""
    if rows := list(_scores(state)):
        columns = [
            Column(id="arm", title="Arm"),
            Column(id="version", title="Version"),
            Column(id="against", title="Against"),
            Column(id="base", title="The base's score", shape="number", drop=1),
            Column(id="score", title="Score", shape="number"),
            Column(id="gain", title="Gap over the base", shape="number", unit="signed"),
            Column(id="elo", title="In Elo points", shape="number", unit="signed elo", drop=2),
        ]
        body = Table(columns=columns, rows=rows)
        yield Section(id="scores", title="Scores against the base and bots", note=_SCORES, tab=TAB, body=body)
    if rows := list(_ratings(state)):
        columns = [
            Column(id="arm", title="Arm"),
            Column(id="player", title="Player"),
            Column(id="rating", title="Rating", shape="number", unit="elo"),
            Column(id="exploitation", title="Exploitation", shape="number", unit="signed elo"),
            Column(id="more", title="Less what the ratings expect", shape="number", unit="signed elo"),
        ]
        body = Table(columns=columns, rows=rows)
        yield Section(id="ratings", title="Ratings and exploitation", note=_RATINGS, tab=TAB, body=body)


def _scores(state: SweepState) -> Iterator[Row]:
    measure = state.sweep.file.measure
    for arm in state.sweep.file.arms:
        records = state.of_arm(arm)
        for version in measure.versions if records else ():
            for against in measure.against:
                results = [record.measures.get((version, against), {}) for record in records]
                words = [Value(value=text) for text in (arm, version, against)]
                cells = [*words, *(_over_seeds(results, name) for name in SCORES)]
                yield Row(id=f"{arm} {version} {against}", owner=arm, cells=cells)


def _ratings(state: SweepState) -> Iterator[Row]:
    """Yield a row for the policy of each arm, and for each bot that it met often enough."""
    for arm in state.sweep.file.arms:
        rows = [record.last for record in state.of_arm(arm)]
        if not any(_POLICY in row for row in rows):
            continue
        cells = [Value(value=arm), Value(value="policy"), _over_seeds(rows, _POLICY), Value(), Value()]
        yield Row(id=f"{arm} policy", owner=arm, cells=cells)
        names = {name.removeprefix(_EXPLOITATION) for row in rows for name in row if name.startswith(_EXPLOITATION)}
        for bot in sorted(name for name in names if "/" not in name):
            more = [
                {"more": row[_EXPLOITATION + bot] - (row[_POLICY] - row[_RATING + bot])}
                for row in rows
                if {_EXPLOITATION + bot, _RATING + bot, _POLICY} <= row.keys()
            ]
            columns = ((rows, _RATING + bot), (rows, _EXPLOITATION + bot), (more, "more"))
            cells = [Value(value=arm), Value(value=bot), *(_over_seeds(values, name) for values, name in columns)]
            yield Row(id=f"{arm} {bot}", owner=arm, cells=cells)


def _over_seeds(rows: Sequence[Mapping[str, float | None]], name: str) -> Value:
    """Return the mean over the seeds that have the value."""
    return estimate(student_interval([value for row in rows if (value := row.get(name)) is not None]))
