"""The report of a sweep: what it says of one that is planned, at work, broken and over, and what Markdown has of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grandstand.report import Chart, Figure, Figures, Mark, Notes, Report, Section, Table, Value
from grandstand.trainer.sweep.analysis import analyse
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.expansion import Sweep
from grandstand.trainer.sweep.report import report, report_json, write_report
from tests.support.trainer.experiment_record import MadeUpExperiment
from tests.support.trainer.fake_sweep import fake_sweep
from tests.support.trainer.fake_training import BREAKS_OFF


def experiment(runs: int = 0, failed: tuple[str, ...] = (), seeds: int = 3, training: str = "") -> MadeUpExperiment:
    """Return an experiment after its first runs."""
    made_up = MadeUpExperiment(seeds=seeds)
    list(made_up.runs(runs, failed, training))
    return made_up


def section(shown: Report, name: str) -> Section:
    return next(item for item in shown.sections if item.id == name)


def notes(shown: Report, name: str) -> list[tuple[str, str]]:
    body = section(shown, name).body
    assert isinstance(body, Notes)
    return [(note.title, note.text) for note in body.notes]


def rows(shown: Report, name: str) -> dict[str, list[Value]]:
    body = section(shown, name).body
    assert isinstance(body, Table)
    return {row.id: row.cells for row in body.rows}


def chart(shown: Report, name: str) -> Chart:
    body = section(shown, name).body
    assert isinstance(body, Chart)
    return body


def figures(shown: Report, name: str) -> dict[str, Figure]:
    body = section(shown, name).body
    assert isinstance(body, Figures | Chart)
    return {figure.label: figure for figure in body.figures}


def mark(drawn: Chart, name: str) -> Mark:
    return next(item for item in drawn.marks if item.id == name)


def test_a_planned_experiment_says_what_it_waits_for() -> None:
    shown = report(experiment().state)
    assert (shown.headline, shown.tone) == ("Planned", "")
    assert shown.summary.startswith("A KL penalty that begins after a warm-up")
    assert shown.progress is not None
    assert (shown.progress.done, shown.progress.total, shown.progress.seconds) == (0, 12, 7800)
    assert {title for title, _ in notes(shown, "verdicts")} == {"Not decided yet"}
    [first, *_] = figures(shown, "figures").values()
    assert (first.value.value, first.value.note) == (None, "Not decided yet: 6 runs to come")
    verdict = figures(shown, "criterion-0")["Verdict"].value
    assert (verdict.value, verdict.tone) == ("Not decided yet", "faint")
    assert verdict.note == "It waits for 6 runs: A-s1, B-s1, A-s2, B-s2 and 2 more."
    assert [cell.value for cell in rows(shown, "runs")["A"]] == ["A", "planned", "planned", "planned"]
    [mean] = [cells[1] for name, cells in rows(shown, "arms-last/base/gain").items() if name == "A"]
    assert (mean.value, mean.note) == (None, "no run is completed yet")
    assert not any(item.id.startswith("curve-") for item in shown.sections)


def test_runs_beyond_the_first_look_are_run_if_undecided() -> None:
    shown = report(experiment(seeds=6).state)
    assert [cell.value for cell in rows(shown, "runs")["A"]][3:] == ["planned", *["if undecided"] * 3]
    assert figures(shown, "figures")["Seeds"].value.note == "for each of 4 arms; it may end after 3"
    assert ("", "The experiment may end after 3 or 6 seeds, if every criterion is decided.") in notes(shown, "rules")


def test_nothing_is_claimed_while_runs_are_missing() -> None:
    """After two seeds there is an interval, and no verdict."""
    shown = report(experiment(runs=9).state)
    assert shown.headline == "9 of 12 runs completed"
    parts = figures(shown, "criterion-0")
    assert parts.keys() == {"Verdict", "Difference"}
    assert parts["Verdict"].value.note == "It waits for 1 run: B-s3."
    assert parts["Difference"].value.low is not None
    assert mark(chart(shown, "criterion-0"), "difference").tone == "faint"
    alone = figures(report(experiment(runs=4).state), "criterion-0")["Difference"].value
    assert (alone.low, alone.note) == (None, "n too small for an interval")


def test_a_run_at_work_has_its_step_and_leads_to_its_training_run() -> None:
    made_up = experiment(runs=4, training="training-1")
    made_up.change("A-s2", "running", 12, "training-1")
    shown = report(made_up.state)
    _, done, working, planned = rows(shown, "runs")["A"]
    assert (done.value, done.tone, done.note) == ("completed", "good", "")
    assert (working.value, working.note) == ("training", "step 12 of 40")
    assert [cell.link and cell.link.episode_id for cell in (done, working, planned)] == ["training-1"] * 2 + [None]
    assert "leads to its training run" in section(shown, "runs").note
    assert "not published" in section(report(experiment().state), "runs").note
    assert shown.progress is not None
    assert shown.progress.seconds == pytest.approx(7800 * 8 / 12)
    assert figures(shown, "figures")["Runs completed"].value.note == "4 completed, 1 running, 7 planned"


def test_failures_have_their_causes() -> None:
    shown = report(experiment(runs=12, failed=("C-s1", "C-s3")).state)
    words = "The training broke off at step 23 of 40: grandstand train: the run broke off: the loss is not finite"
    assert notes(shown, "failures") == [("C-s1", words), ("C-s3", words)]
    assert notes(shown, "failed") == [("Runs failed", "2 runs have no result; the same command tries again.")]
    cell = rows(shown, "runs")["C"][1]
    assert (cell.value, cell.note, cell.tone) == ("failed", "training", "bad")
    assert figures(shown, "criterion-1")["Verdict"].value.note == "It waits for 2 runs: C-s1, C-s3."
    assert shown.progress is not None
    assert (shown.progress.done, shown.progress.failed, shown.progress.seconds) == (12, 2, 0)


def test_the_verdicts_of_an_experiment_that_is_over() -> None:
    shown = report(experiment(runs=24, seeds=6).state)
    assert shown.headline == "3 supported, 1 refuted"
    assert [title for title, _ in notes(shown, "verdicts")] == ["Supported", "Supported", "Refuted", "Supported"]
    parts = figures(shown, "criterion-0")
    assert (parts["Verdict"].value.value, parts["Verdict"].value.tone) == ("Supported", "good")
    assert parts["Verdict"].value.note == "0 is outside the interval."
    difference = parts["Difference"].value
    assert (difference.level, difference.n) == (0.975, 6), "alpha is divided by the looks"
    assert parts["Power"].value.note.startswith("the chance of “supported” if the least effect were true; ")
    assert "if there were no difference" in figures(shown, "criterion-2")["Power"].value.note
    assert (figures(shown, "criterion-2")["Verdict"].value.tone) == "bad"
    assert shown.progress is not None
    assert shown.progress.seconds is None


def test_an_undecided_criterion() -> None:
    shown = report(experiment(runs=12).state)
    assert ("Undecided", "The steered penalty gains as much as the warm-up") in notes(shown, "verdicts")
    verdict = figures(shown, "criterion-3")["Verdict"].value
    assert (verdict.value, verdict.tone) == ("Undecided", "")
    assert "seeds would give 80 %" in figures(shown, "criterion-3")["Power"].value.note


def test_what_is_significant_among_all_criteria_is_said() -> None:
    state = experiment(runs=12).state
    decisions = [replace(item, holm=number == 0) for number, item in enumerate(state.analysis.decisions)]
    shown = report(replace(state, analysis=replace(state.analysis, decisions=decisions)))
    said = [figures(shown, f"criterion-{number}")["p"].value.note for number in (0, 1)]
    assert said == ["significant among all criteria together", ""]


def test_a_chart_shades_where_the_claim_holds_and_matters() -> None:
    """Of `greater`, from the least effect on; of `not_greater`, up to it; of `equivalent`, between its two ends."""
    shown = report(experiment(runs=12).state)
    for number, inner in ((0, (0.05, None)), (2, (None, 0.05)), (3, (-0.03, 0.03))):
        drawn = chart(shown, f"criterion-{number}")
        [region] = mark(drawn, "region").points
        ends = tuple(
            end if known is None else known for known, end in zip(inner, (drawn.x.low, drawn.x.high), strict=True)
        )
        assert (region.low, region.high) == ends
        assert drawn.y is None
        points = [point for item in drawn.marks for point in item.points]
        values = [value for point in points for value in (point.x, point.low, point.high) if value is not None]
        assert drawn.x.low is not None
        assert drawn.x.high is not None
        assert drawn.x.low <= min(values) <= 0 <= max(values) <= drawn.x.high
        assert len(mark(drawn, "seeds").points) == 3
        assert "mean difference is" in drawn.describe


def test_arms_have_their_seeds_and_their_changes() -> None:
    shown = report(experiment(runs=12).state)
    arm, mean, seeds = rows(shown, "arms-last/base/gain")["B"]
    assert (arm.value, arm.note, seeds.value) == ("B", "warm-up over ten steps", "3 of 3")
    assert isinstance(mean.value, float)
    assert mean.low is not None
    assert mean.low < mean.value
    assert len(mean.dots) == 3
    changed = [[cell.value for cell in cells] for cells in rows(shown, "changes").values()]
    assert changed == [
        ["A", "the baseline", None, None],
        ["B", "kl.warmup_steps", "0", "10"],
        ["C", "kl.beta", "0.04", "0.0"],
        ["D", "kl.target", "0.0", "0.1"],
    ]


def test_the_mean_of_an_arm_is_drawn_once_all_its_runs_are_there() -> None:
    """So a chart that grows keeps its points, and only new ones are sent."""
    half, whole = (chart(report(experiment(runs=count).state), "curve-kl/max") for count in (9, 12))
    assert [len(mark(half, name).points) > 0 for name in ("A", "B", "A-s3", "B-s3")] == [True, False, True, False]
    assert len(mark(whole, "B").points) == 40


@pytest.mark.long
def test_no_value_of_a_single_step_is_reported(sweep: Sweep) -> None:
    """Every metric of the report is a measurement or a statistic of many steps."""
    data = report_json(sweep, analyse(sweep))
    assert all(":" in metric or metric.startswith(("last/", "best/")) for metric in data["arms"]["A"])
    decided, undecided = data["criteria"]
    assert (decided["verdict"], undecided["verdict"]) == ("supported", "undecided")
    assert decided["interval"][0] < 0.1 < decided["interval"][1]
    assert set(decided["seeds"]) == {1, 2, 3}
    assert 0 < decided["power"] <= 1


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    sweep = fake_sweep(tmp_path_factory.mktemp("sweep"), {"A": 0.0, "B": 0.2, "C": BREAKS_OFF})
    Execution(sweep, 3).execute(sweep.runs)
    return sweep


@pytest.fixture(scope="module")
def text(sweep: Sweep) -> str:
    return write_report(sweep, analyse(sweep), sweep.folder / "report").read_text()


@pytest.mark.parametrize(
    "words",
    [
        "# tiny\n\n**1 supported, 1 waiting for runs** A KL penalty of 0.5",
        "- Runs completed: **6** of 9, 6 completed, 3 failed",
        "- Verdict: **Supported**, 0 is outside the interval.",
        "- Verdict: **Not decided yet**, It waits for 3 runs: C-s1, C-s2, C-s3.",
        "| B<br>penalty 0.2 | kl.beta | 0.0 | **0.2** |",
        "| A-s1 | v2 | 4 | 0.200 |",
        "The training broke off at step 1 of 4: grandstand train: the run broke off: the loss is not finite",
        "Python 3.11, torch 2, commit abc",
        "grandstand sweep tiny.yaml --run",
        "| A | last | base | 0.500",
        "| A | 17 | 200 |",
        "](criterion-0.",
        "](curve-kl-mean.",
    ],
)
def test_as_markdown_it_says(words: str, text: str) -> None:
    assert words in text


def test_a_sweep_that_has_not_begun_is_reported_too(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    text = write_report(sweep, analyse(sweep), tmp_path / "report").read_text()
    assert "**Planned** A KL penalty" in text
    assert "It waits for 6 runs: A-s1, B-s1, A-s2, B-s2 and 2 more." in text
