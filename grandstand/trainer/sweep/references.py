"""Tables of a sweep's fixed references: the base and the bots, which never change, and the arms' gaps over them.

Scores are measured after the training, in new situations. Ratings and exploitation are of the training matches: the
base's rating is fixed, and everybody else's is relative to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grandstand.play.ratings.statistics import Interval, student_interval
from grandstand.trainer.metrics import read_lines
from grandstand.trainer.sweep.expansion import Sweep, SweepRun
from grandstand.trainer.sweep.layout import measured, measurement, state_of
from grandstand.trainer.sweep.markdown import interval, table
from grandstand.trainer.sweep.metric import Version

_POLICY, _RATING, _EXPLOITATION = "league/rating/policy", "league/rating/", "exploitation/"


def reference_parts(sweep: Sweep) -> Iterator[str]:
    """Yield the tables of the completed runs, with what their columns are."""
    runs = {arm: [run for run in sweep.of_arm(arm) if state_of(sweep, run) == "completed"] for arm in sweep.file.arms}
    if rows := list(_scores(sweep, runs)):
        yield table(
            ("arm", "version", "against", "the base's score", "score", "gap over the base", "in Elo points"), rows
        )
        yield (
            "Means over seeds with Student's 95 % intervals, in the same situations for all arms of a seed. *Score* is "
            "that of the version in a seat, against these players in all others; *the base's score* is that of the "
            "policy before the first step in the same place."
        )
    ends = {arm: [_last(run) for run in arm_runs] for arm, arm_runs in runs.items()}
    if rows := list(_ratings(ends)):
        yield table(("arm", "player", "rating", "exploitation", "exploitation less what the ratings expect"), rows)
        yield (
            "From the training matches up to the last checkpoint; the base has 1500 by definition. *Exploitation* is "
            "the number of Elo points that the policy is ahead of a bot by their own comparisons; where it is above "
            "the difference of their ratings, the policy has learned to beat this bot in particular."
        )


def _scores(sweep: Sweep, runs: Mapping[str, Sequence[SweepRun]]) -> Iterator[tuple[str, ...]]:
    measure = sweep.file.measure
    for arm, arm_runs in runs.items():
        for version in measure.versions:
            for against in measure.against:
                results = [_measured(sweep, run, version, against) for run in arm_runs]
                if results:
                    columns = ("base", "mean", "gain", "elo")
                    yield (arm, version, against, *(interval(_over_seeds(results, name)) for name in columns))


def _measured(sweep: Sweep, run: SweepRun, version: Version, against: str) -> Mapping[str, float | None]:
    item = measurement(sweep, run, version, against)
    return (None if item is None else measured(item)) or {}


def _last(run: SweepRun) -> dict[str, float]:
    """Return the last value of each metric of a run."""
    values: dict[str, float] = {}
    for row in read_lines(run.train_folder):
        values |= row
    return values


def _ratings(ends: Mapping[str, Sequence[Mapping[str, float]]]) -> Iterator[tuple[str, ...]]:
    """Yield a line for the policy of each arm, and for each bot that it met often enough."""
    for arm, rows in ends.items():
        if not any(_POLICY in row for row in rows):
            continue
        yield arm, "policy", interval(_over_seeds(rows, _POLICY)), "–", "–"
        names = {name.removeprefix(_EXPLOITATION) for row in rows for name in row if name.startswith(_EXPLOITATION)}
        for bot in sorted(name for name in names if "/" not in name):
            more = [
                {"more": row[_EXPLOITATION + bot] - (row[_POLICY] - row[_RATING + bot])}
                for row in rows
                if {_EXPLOITATION + bot, _RATING + bot, _POLICY} <= row.keys()
            ]
            columns = ((rows, _RATING + bot), (rows, _EXPLOITATION + bot), (more, "more"))
            yield arm, bot, *(interval(_over_seeds(values, name)) for values, name in columns)


def _over_seeds(rows: Sequence[Mapping[str, float | None]], name: str) -> Interval:
    """Return the mean over the seeds that have the value."""
    return student_interval([value for row in rows if (value := row.get(name)) is not None])
