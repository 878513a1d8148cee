"""The report of a training run: what it says at each stage, and what is published of it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

import pytest

from grandstand.campaign_events import LeagueRated
from grandstand.models import Draft, Event
from grandstand.report import Chart, Figures, Notes, Report, ReportLog, Row, Table, Value
from grandstand.trainer.metrics import StepMetrics
from grandstand.trainer.run_report import RunReport
from tests.support.trainer import training_run
from tests.support.trainer.training_run import CONFIG, league, opening, steps, with_report

WELL = {"benchmark/reward_mean": 0.5, "benchmark/reward_std": 0.2, "kl/max": 2.0, "benchmark/step_time_s": 4.0}
EVALUATED = {"eval/vs_base/mean": 0.2, "eval/vs_base/base": 0.15, "eval/vs_base/gain": 0.05, "eval/vs_base/games": 70.0}


def published(run: Sequence[Draft | StepMetrics]) -> tuple[Report, list[dict[str, Any]]]:
    """Return the last report of a run, and the events that it was published with."""
    log, events = ReportLog(), [draft.data for draft in with_report(run) if draft.type == "ReportUpdated"]
    for data in events:
        log.follow(data)
    assert log.last is not None
    return log.last, events


def run_of(*metrics: dict[str, float], count: int = 30) -> tuple[Report, list[dict[str, Any]]]:
    """Return the report of a run whose steps have these metrics, and its events."""
    taken = [StepMetrics(step, values) for step, values in enumerate(metrics, 1)]
    return published([*opening(count=count), *taken])


def values(report: Report, section: str = "figures") -> dict[str, Value]:
    (body,) = (one.body for one in report.sections if one.id == section)
    assert isinstance(body, Figures)
    return {figure.label: figure.value for figure in body.figures}


def table(report: Report, section: str) -> dict[str, Row]:
    (body,) = (one.body for one in report.sections if one.id == section)
    assert isinstance(body, Table)
    return {row.id: row for row in body.rows}


def chart(report: Report, section: str) -> Chart:
    (body,) = (one.body for one in report.sections if one.id == section)
    assert isinstance(body, Chart)
    return body


def notes(report: Report, section: str) -> list[tuple[str, str]]:
    (body,) = (one.body for one in report.sections if one.id == section)
    assert isinstance(body, Notes)
    return [(note.title, note.text) for note in body.notes]


def tabs(report: Report) -> list[str]:
    return [tab for tab in dict.fromkeys(section.tab for section in report.sections) if tab]


def test_before_the_first_step_the_report_says_what_the_run_does() -> None:
    report, (event,) = published(opening())
    assert report.headline == "Before the first step"
    assert report.summary == (
        "The first step is in progress. It plays 64 matches of diplomacy, then learns from them. "
        "The run has 30 steps. The curves appear after it."
    )
    assert tabs(report) == ["Setup"]
    assert table(report, "setup")["rollout.opponents.base"].cells[1].value == "2.0"
    assert values(report)["Gain over its base"].note == "measured every 5 steps"
    assert not event["text"]


def test_the_first_step_has_figures_curves_and_its_matches() -> None:
    report, events = run_of(WELL)
    assert report.headline == "Step 1"
    assert report.summary == "All is well, about 2 min left"
    assert report.progress is not None
    assert (report.progress.done, report.progress.total, report.progress.seconds) == (1, 30, 116.0)
    reward = values(report)["Reward"]
    assert (reward.value, reward.note) == (0.5, "standard deviation of the step's matches 0.200")
    assert reward.behind is not None
    assert (reward.behind.first, reward.behind.last, reward.behind.stage) == (1, 1, "training")
    assert reward.behind.note == "grandstand replay nano-diplomacy-s000001-g000-f00 --data runs/nano-diplomacy"
    assert values(report)["Step"].note == "4.0 s each, about 2 min left"
    assert [point.y for mark in chart(report, "reward").marks for point in mark.points] == [0.5, 0.5, 0.5]
    own = table(report, "matches")["learned"].cells[0].behind
    assert own is not None
    assert own.note.startswith("Only a share of a run's matches is published. All 64 of step 1 are in the run's record")
    assert events[-1]["text"] == "Step 1: reward 0.500, KL at most 2"
    assert not events[-1]["mark"]


def test_a_late_report_has_every_tab_and_the_results_of_the_evaluations() -> None:
    report, events = published([*opening(), *steps(), training_run.ending()])
    assert tabs(report) == [
        "Learning", "League", "Rewards", "Matches", "Opponents", "Game", "Time", "Health", "Numbers", "Setup",
    ]  # fmt: skip
    gain = values(report)["Gain over its base"]
    assert gain.note == "better, beyond chance, +68 ± 38 Elo, among copies of its base"
    assert [gain.value, gain.low, gain.high] == pytest.approx([0.0759, 0.0549, 0.0969], abs=1e-3)
    assert (gain.n, gain.tone) == (70, "good")
    assert gain.behind is not None
    assert (gain.behind.first, gain.behind.last, gain.behind.stage) == (30, 30, "evaluation")
    assert "Gain in the field it trains in" in values(report)
    assert values(report)["Step"].note == "took 2 min"
    assert [mark.name for mark in chart(report, "gain").marks] == [
        "among copies of its base",
        "in the field it trains in",
    ]
    assert [point.x for point in chart(report, "gain").marks[0].points] == [5, 10, 15, 20, 25, 30]
    assert notes(report, "unrated")[0][0] == "Nobody was rated"
    assert table(report, "numbers").keys() == training_run.metrics(30, random.Random(1)).keys()
    drawn = [one.body for one in report.sections if isinstance(one.body, Chart)]
    assert all(re.fullmatch(r"[A-Z].{20,}\.", each.describe) for each in drawn)
    texts = [event["text"] for event in events if event["text"]]
    assert texts[4] == (
        "Step 5: reward 0.531, KL at most 2.706, +0.047 ± 0.021 over its base, "
        "+0.028 ± 0.024 over its base, in the field it trains in"
    )
    assert [number for number, event in enumerate(events) if event["mark"]] == [5, 10, 15, 20, 25, 30]


def test_a_gain_from_few_games_has_no_interval_and_says_so() -> None:
    report, _ = run_of(WELL | EVALUATED | {"eval/vs_base/games": 3.0, "eval/vs_base/ci95": 0.1})
    gain = values(report)["Gain over its base"]
    assert (gain.value, gain.low, gain.high, gain.tone) == (0.05, None, None, "")
    assert gain.note == "too few games to say, among copies of its base, 3 games"


def test_a_gain_within_its_interval_shows_no_difference() -> None:
    report, _ = run_of(WELL | EVALUATED | {"eval/vs_base/ci95": 0.06}, WELL)
    gain = values(report)["Gain over its base"]
    assert gain.note == "no difference shown yet, among copies of its base, as of step 1"
    assert gain.tone == ""
    assert gain.high == pytest.approx(0.11)


def test_a_loss_beyond_its_interval_is_bad() -> None:
    lost = {"eval/vs_base/mean": 0.1, "eval/vs_base/gain": -0.05, "eval/vs_base/ci95": 0.02}
    report, _ = run_of(WELL | EVALUATED | lost)
    gain = values(report)["Gain over its base"]
    assert (gain.value, gain.tone, gain.note.split(", among")[0]) == (-0.05, "bad", "worse, beyond chance")


def test_a_value_beyond_its_bound_is_told_once_with_its_remedy() -> None:
    wild = WELL | {"kl/max": 41.5, "ppo/clip_fraction": 0.7}
    report, events = run_of(WELL, wild, wild | {"kl/max": 12.0})
    assert report.tone == "warning"
    assert report.summary == (
        "The policy moves away from its reference: the largest KL of a token is 12. "
        "Raise kl.beta, give kl.target a value, or lower optimizer.learning_rate."
    )
    assert [title for title, _ in notes(report, "health")] == [
        "The policy moves away from its reference: the largest KL of a token is 12.",
        "70 % of the tokens are clipped, so they do not contribute to learning.",
    ]
    assert values(report)["KL, largest"].tone == "bad"
    assert events[2]["text"] == (
        "Step 2: reward 0.500, KL at most 41.5. "
        "The policy moves away from its reference: the largest KL of a token is 41.5. "
        "70 % of the tokens are clipped, so they do not contribute to learning"
    )
    assert [event["mark"] for event in events] == [False, False, True, False]
    assert run_of(WELL, wild, WELL)[0].summary.startswith("All is well")
    assert [cell.value for cell in table(report, "checks")["kl_max"].cells] == [
        "KL, largest", "at most 10", "41.5", 2, "2 steps",
    ]  # fmt: skip
    assert chart(report, "learning kl").y == chart(report, "learning kl").y.model_copy(update={"log": True})  # type: ignore[union-attr]


def test_before_the_first_checkpoint_the_report_says_when_players_are_rated() -> None:
    config = {**CONFIG, "run": {**CONFIG["run"], "checkpoint_every": 4}}
    run = RunReport(config)
    run.begin()
    log = ReportLog()
    for draft in run.step(StepMetrics(1, WELL)):
        log.follow({**draft.data, "order": [one["id"] for one in draft.data["report"]["sections"]]})
    assert log.last is not None
    assert notes(log.last, "unrated") == [
        ("Nobody is rated yet", "Ratings and results appear at the next checkpoint, after step 4.")
    ]


@pytest.fixture(scope="module")
def rated() -> tuple[Report, list[dict[str, Any]], LeagueRated]:
    run: list[Draft | StepMetrics] = [*opening(count=60), *league(60)]
    ratings = [part for part in run if isinstance(part, Draft) and part.type == "LeagueRated"]
    return *published(run), LeagueRated.model_validate(ratings[-1].data)


def test_the_league_has_its_players_with_their_matches(rated: tuple[Report, list[Any], LeagueRated]) -> None:
    report, events, last = rated
    rows = table(report, "players")
    player = next(one for one in last.players if one.label == "dumbbot")
    name, rating, games, *_ = rows["dumbbot"].cells
    assert (name.value, name.note, rows["dumbbot"].owner) == ("dumbbot", "bot", "dumbbot")
    assert (rating.value, rating.low, rating.high) == (player.rating.mean, player.rating.low, player.rating.high)
    assert name.behind is not None
    assert (name.behind.first, name.behind.last, name.behind.players) == (0, 60, ["dumbbot"])
    assert "grandstand replay" in name.behind.note
    assert games.value == player.rating.n
    base = rows["v0"].cells
    assert (base[0].value, base[1].note, base[1].low) == ("Base", "the reference", None)
    assert rows["policy"].cells[0].behind.players == []  # type: ignore[union-attr]
    assert report.owners == ["Policy", "dumbbot", "random", "territorial"]
    assert ". Ratings: " in events[-1]["text"]
    assert events[-1]["text"].endswith(f", of {len(last.players)} players")


def test_a_large_league_folds_old_versions_away(rated: tuple[Report, list[Any], LeagueRated]) -> None:
    report, _, last = rated
    (body,) = (one.body for one in report.sections if one.id == "players")
    assert isinstance(body, Table)
    first = [row.id for row in body.rows[: body.shown]]
    assert len(body.rows) == len(last.players) == 16
    assert set(first) == {"policy", "v0", "dumbbot", "territorial", "random", "v20", "v40", "v45", "v50", "v55"}
    assert {row.id for row in body.rows} == {player.label for player in last.players}


def test_pairs_are_told_with_what_they_show(rated: tuple[Report, list[Any], LeagueRated]) -> None:
    report, _, last = rated
    (body,) = (one.body for one in report.sections if one.id == "payoffs")
    assert isinstance(body, Table)
    places = {column.id: place for place, column in enumerate(body.columns)}
    rows = {row.id: row for row in body.rows}
    pair = next(one for one in last.payoffs if {one.player, one.opponent} <= set(rows) and one.differ)
    cell, other = rows[pair.player].cells[places[pair.opponent]], rows[pair.opponent].cells[places[pair.player]]
    assert (cell.value, cell.low, cell.strong, cell.tone) == (pair.share.mean, pair.share.low, True, "")
    assert other.value == pytest.approx(1 - (pair.share.mean or 0), abs=1e-4)
    assert f"{pair.wins} won, {pair.draws} drawn, {pair.losses} lost" in cell.note
    assert f"{pair.losses} won, {pair.draws} drawn, {pair.wins} lost" in other.note
    assert cell.behind is not None
    names = {player.label: player.name for player in last.players if player.label != "policy"}
    assert cell.behind.players == [names[label] for label in (pair.player, pair.opponent) if label in names]
    few = next(one for one in last.payoffs if {one.player, one.opponent} <= set(rows) and one.share.low is None)
    cell = rows[few.player].cells[places[few.opponent]]
    assert (cell.low, cell.tone, cell.note.split(";")[0]) == (None, "faint", "too few situations to say")
    assert rows["policy"].cells[places["policy"]] == Value()


def test_the_league_says_what_is_won_forgotten_and_met(rated: tuple[Report, list[Any], LeagueRated]) -> None:
    report, _, _ = rated
    assert table(report, "forgetting")["v20"].cells[1].value == pytest.approx(4.0)
    assert table(report, "forgetting")["v20"].cells[2].value == "undecided"
    assert table(report, "exploitation")["random"].cells[2].value == "ahead"
    assert {mark.id for mark in chart(report, "chance").marks} == {
        "dumbbot", "random", "territorial", "self", "v0", "past versions",
    }  # fmt: skip
    assert table(report, "meetings")["self"].cells[0].value == "Itself"


@pytest.mark.long
def test_a_chart_of_a_long_run_is_never_sent_again_but_for_its_axis() -> None:
    run, sent, luck = RunReport({**CONFIG, "run": {"name": "long", "steps": 1000}}), list[int](), random.Random(1)
    run.begin()
    for step in range(1, 451):
        metrics = training_run.metrics(step, luck) | {"buffer/depth": 1.0, "advantage/clipped_count": 1.0}
        (draft,) = run.step(StepMetrics(step, metrics))
        if any(section["id"] == "reward" for section in draft.data["report"]["sections"]):
            sent.append(step)
        assert draft.data["text"].startswith(f"Step {step}: ")
        assert draft.data["report"]["headline"] == f"Step {step}"
    assert sent == [1, 51, 101, 202, 404]


def test_later_steps_of_a_long_run_share_points() -> None:
    report, _ = run_of(*({"benchmark/reward_mean": float(step)} for step in range(1, 211)), count=1000)
    points = chart(report, "reward").marks[1].points
    assert [point.x for point in points[-6:]] == [200, 202, 204, 206, 208, 210]
    assert [point.y for point in points[-2:]] == [207.5, 209.5]
    assert points[-1].behind is not None
    assert (points[-1].behind.first, points[-1].behind.last) == (209, 210)


def events_of(drafts: Sequence[Draft]) -> list[Event]:
    return [
        Event(episode_id="run", epoch=1, seq=seq, at=float(seq), **draft._asdict()) for seq, draft in enumerate(drafts)
    ]


def steps_of(run: Sequence[Draft | StepMetrics]) -> list[StepMetrics]:
    return [part for part in run if isinstance(part, StepMetrics)]


@pytest.mark.long
def test_a_resumed_run_goes_on_from_what_was_published() -> None:
    run: list[Draft | StepMetrics] = [*opening(count=60), *league(60)]
    whole = list(with_report(run))
    (cut,) = (n for n, draft in enumerate(whole) if draft.type == "TurnStarted" and draft.data["index"] == 44)
    resumed = RunReport(whole[0].data["options"])
    resumed.resume(events_of(whole[:cut]), steps_of(run)[:40])
    log, ratings = ReportLog(), None
    for draft in whole[:cut]:
        if draft.type == "ReportUpdated":
            log.follow(draft.data)
    sizes = []
    for part in run:
        if isinstance(part, Draft):
            rated = part.type == "LeagueRated" and part.data["step"] > 40
            ratings = LeagueRated.model_validate(part.data) if rated else None
            continue
        if part.step <= 40:
            continue
        for update in resumed.step(part, ratings):
            log.follow(update.data)
            sizes.append([section["id"] for section in update.data["report"]["sections"]])
        ratings = None
    assert log.last == published(run)[0]
    assert "setup" not in sizes[0]
    assert "reward" in sizes[0], "the steps after the checkpoint are taken again"
    assert not any("reward" in changed for changed in sizes[1:10])


def test_a_resumed_run_whose_last_step_is_kept_repeats_no_chart() -> None:
    run: list[Draft | StepMetrics] = [*opening(), *steps(20)]
    whole = list(with_report(run))
    resumed = RunReport(whole[0].data["options"])
    resumed.resume(events_of(whole), steps_of(run))
    (next_step,) = list(steps(21))[20:]
    (update,) = resumed.step(next_step)
    sections = {section["id"]: section["body"]["kind"] for section in update.data["report"]["sections"]}
    assert "chart" not in sections.values()
    assert {piece["mark"] for piece in update.data["added"] if piece["section"] == "reward"} == {
        "reward band", "benchmark/reward_mean", "reward trend",
    }  # fmt: skip


def test_ratings_that_were_published_before_the_kill_are_shown_at_their_step() -> None:
    run: list[Draft | StepMetrics] = [*opening(count=10), *league(10)]
    whole = list(with_report(run))
    resumed = RunReport(whole[0].data["options"])
    *earlier, last = steps_of(run)
    resumed.resume(events_of(whole), earlier)
    log = ReportLog()
    for draft in whole:
        if draft.type == "ReportUpdated":
            log.follow(draft.data)
    for update in resumed.step(last):
        log.follow(update.data)
    assert log.last is not None
    assert log.last == published(run)[0]
