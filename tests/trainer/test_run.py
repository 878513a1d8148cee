"""A whole run: what it keeps, what it tells, and what becomes of it when something goes wrong."""

from __future__ import annotations

import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import torch

from grandstand.games.registry import game_spec
from grandstand.spectator.recorder import LOCK_WAIT, Recorder
from grandstand.spectator.replay import read
from grandstand.trainer import backend, checkpoint, loop, run
from grandstand.trainer.backend import open_sampler
from grandstand.trainer.config.files import RECORD
from grandstand.trainer.health import METRICS
from grandstand.trainer.league.matchmaking import fixed_field, plan_evaluation
from grandstand.trainer.loop import CHECKPOINTS, CHOSEN_BY, RunError
from grandstand.trainer.metrics import StepMetrics
from grandstand.trainer.model.policy import PolicyError
from grandstand.trainer.model.sampler import Ask, Sampled, Sampler, SamplerError
from grandstand.trainer.model.versions import VERSIONS, versions_in
from grandstand.trainer.run import measure, measuring, train
from tests.support.trainer.records import measured, same
from tests.support.trainer.samplers import SamplerWrapper
from tests.support.trainer.tiny import tiny


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


class Interrupted(BaseException):
    """As if somebody had pressed Ctrl-C."""


def until(line: str) -> Callable[[str, int, int], None]:
    """Progress is listened to, and the run interrupted, in the main thread, where it says `line`."""

    def doing(what: str, done: int, whole: int) -> None:
        if what == line and threading.current_thread() is threading.main_thread():
            raise Interrupted

    return doing


def broken_off(folder: Path, line: str, **sections: dict[str, Any]) -> None:
    with pytest.raises(Interrupted):
        train(tiny(**sections), folder, resume=True, doing=until(line))


def sampled_by(monkeypatch: pytest.MonkeyPatch, wrap: Callable[[Sampler], Sampler]) -> None:
    """Have runs use another sampler around their own."""
    monkeypatch.setattr(backend, "open_sampler", lambda *arguments: wrap(open_sampler(*arguments)))


class FailingSampler(SamplerWrapper):
    """Fails in its n-th call, for each n in `fails`, or in all."""

    def __init__(self, inner: Sampler, fails: Sequence[int] = ()) -> None:
        super().__init__(inner)
        self.fails = fails

    def sample(self, asks: Sequence[Ask], version: int, greedy: bool = False) -> list[Sampled]:
        result = super().sample(asks, version, greedy)
        if not self.fails or self.calls in self.fails:
            raise SamplerError("the engine is away")
        return result


def statuses(folder: Path, kind: str) -> list[str]:
    """Return the statuses of the matches of one kind: `-s` of training, `-e` of evaluation, `-clone`."""
    recorder = Recorder(folder / RECORD)
    result: list[str] = [
        recorder.summary(episode_id).status for episode_id in recorder.episode_ids() if kind in episode_id
    ]
    recorder.close()
    return result


# --- what a run leaves behind -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[StepMetrics]]:
    torch.set_num_threads(1)
    folder, report = tmp_path_factory.mktemp("runs") / "run", list[StepMetrics]()
    config = tiny(run={"steps": 3, "eval_every": 3}, rollout={"buffer_depth": 1})
    train(config, folder, report=report.append)
    return folder, report


@pytest.mark.long
def test_every_step_is_told_with_its_measurements(finished: tuple[Path, list[StepMetrics]]) -> None:
    _, report = finished
    assert [item.step for item in report] == [1, 2, 3]
    for item in report:
        assert {
            "benchmark/loss", "benchmark/grad_norm", "benchmark/rollout_time_s", "benchmark/training_time_s",
            "benchmark/reward_mean", "kl/mean", "kl/beta", "kl/warmup_progress", "advantage/clipped_count",
            "processing/skip_rate", "ppo/ratio_mean", "logprob/diff_max", "optimizer/learning_rate", "buffer/depth",
            "buffer/consumed", "rollout/failed_count", "rollout/straggler_count", "rollout/masked_turns",
        } <= item.metrics.keys()  # fmt: skip
        assert item.metrics["logprob/diff_max"] < 1e-4
        assert item.metrics["buffer/consumed"] == 6
        checks = {f"health/{check}": item.metrics[f"health/{check}"] for check in METRICS}
        assert item.metrics["health/failed"] == sum(not passed for passed in checks.values())
    assert [item.metrics["buffer/depth"] for item in report] == [1, 1, 0]
    assert report[0].metrics["kl/mean"] == 0.0
    assert report[1].metrics["kl/mean"] > 0
    measured_last = [name for name in report[2].metrics if name.startswith("eval/vs_base/")]
    assert {"eval/vs_base/gain", "eval/vs_base/centers", "eval/vs_base/top3/difference"} <= set(measured_last)
    assert not [name for name in report[1].metrics if name.startswith("eval/")]


@pytest.mark.long
def test_the_run_is_an_episode_that_tells_its_steps(finished: tuple[Path, list[StepMetrics]]) -> None:
    folder, report = finished
    recorder = Recorder(folder / RECORD)
    (summary,), _ = recorder.summaries(game="training")
    episode = read(recorder, summary.episode_id)
    recorder.close()
    assert [event.type for event in episode.events] == [
        "EpisodeCreated", "EpisodeStarted", "ReportUpdated", *["LeagueRated", "ReportUpdated", "TurnStarted"] * 3,
        "ReportUpdated", "EpisodeEnded",
    ]  # fmt: skip
    assert [event.data["turn"] for event in episode.events[5:12:3]] == [str(taken.step) for taken in report]


def test_everything_that_was_played_is_in_the_record(finished: tuple[Path, list[StepMetrics]]) -> None:
    folder, _ = finished
    assert len(statuses(folder, "-s0000")) == 18
    assert set(statuses(folder, "-s0000")) <= {"stopped", "finished"}
    assert len(statuses(folder, "-e-vs_")) == 8
    assert set(statuses(folder, "-e-vs_")) <= {"stopped", "finished"}
    assert statuses(folder, "-clone-") == ["stopped"] * 4


@pytest.mark.long
def test_a_version_can_be_measured_later_and_again(finished: tuple[Path, list[StepMetrics]]) -> None:
    folder, _ = finished
    before = checkpoint.latest(folder / CHECKPOINTS)
    first = measure(folder, label="later", games=3)
    assert first == measure(folder, label="later", games=3)
    assert first.games == 3
    same_policy = measure(folder, label="later", games=3, version=0)
    assert (same_policy.gain, same_policy.error) == (0.0, 0.0)
    assert same(before, checkpoint.latest(folder / CHECKPOINTS))
    with pytest.raises(RunError, match=r"version 9 is not kept; there are 0, 1, 2, 3"):
        measure(folder, label="later", games=3, version=9)


@pytest.mark.long
def test_a_version_is_measured_on_the_games_tactics(finished: tuple[Path, list[StepMetrics]]) -> None:
    folder, _ = finished
    with measuring(folder) as run:
        first = run.measure(3, "tactics", "pack", 26)
        assert run.measure(3, "tactics", "pack", 26) == first
        same_policy = run.measure(0, "tactics", "pack", 26)
    assert first.games == len(first.pairs) == 26
    assert {score for pair in first.pairs for score in pair} <= {0.0, 1.0}
    assert 0 < first.base < 1
    assert (same_policy.gain, same_policy.base) == (0.0, first.base)


@pytest.mark.long
def test_the_best_version_is_kept_and_measured_where_it_was_not_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gains = {1: 0.1, 2: 0.9, 3: 0.2, 4: 0.3, 5: 0.4}
    monkeypatch.setattr(loop.Run, "evaluate", lambda self, version: {CHOSEN_BY: gains[version]})
    monkeypatch.setattr(loop, "KEPT_CHECKPOINTS", 1)
    report: list[StepMetrics] = []
    config = tiny(run={"steps": 5, "eval_every": 1}, league={"recent": 1, "landmark_every": 0})
    best = train(config, tmp_path, report=report.append).best
    assert best is not None
    assert (best.version, best.name, best.result.games) == (2, "tiny@v000002", 2)
    assert best.result.gain != 0.9, "what it was chosen by is not reported"
    assert {2, 5} <= set(versions_in(tmp_path / VERSIONS))
    assert {1, 3}.isdisjoint(versions_in(tmp_path / VERSIONS)), "neither recent nor the best"
    assert [item.metrics["league/best"] for item in report] == [1, 2, 2, 2, 2]
    seeds = [
        {plan.seed for plan in plan_evaluation(config, game_spec("diplomacy"), label, 50, {"base": 1.0})}
        for label in ("best", "vs_field")
    ]
    assert seeds[0].isdisjoint(seeds[1])
    assert measure(tmp_path, label="best", opponents=fixed_field(config), games=2, version=2) == best.result


def test_a_run_without_evaluations_has_no_best_version(tmp_path: Path) -> None:
    assert train(tiny(run={"steps": 1}), tmp_path).best is None


@pytest.mark.long
def test_the_health_of_a_run_is_that_of_all_its_steps_even_after_a_resume(tmp_path: Path) -> None:
    sections: dict[str, dict[str, Any]] = {"run": {"steps": 2}, "health": {"kl_mean": 1e-12}}
    first = {result.check: result for result in train(tiny(**sections), tmp_path).health}
    assert set(first) == set(METRICS)
    assert (first["kl_mean"].passed, first["kl_mean"].steps) == (False, 2)
    looser = tiny(**{**sections, "run": {"steps": 3}, "health": {"kl_mean": 1e9}})
    again = {result.check: result for result in train(looser, tmp_path, resume=True).health}
    assert all(result.passed and result.steps == 3 for result in again.values())


def test_what_is_no_run_cannot_be_measured(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no run in it"):
        measure(tmp_path, label="later", games=3)


# --- when the sampler fails -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_step_whose_sampler_failed_is_played_anew_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tiny(run={"steps": 2})
    train(config, tmp_path / "smooth")
    sampled_by(monkeypatch, lambda inner: FailingSampler(inner, fails=[2]))
    train(config, tmp_path / "bumpy")
    assert measured(tmp_path / "bumpy") == measured(tmp_path / "smooth")
    assert len(statuses(tmp_path / "bumpy", "-s0000")) == 12
    assert sorted(statuses(tmp_path / "bumpy", "-s0000")) == sorted(statuses(tmp_path / "smooth", "-s0000"))
    assert set(statuses(tmp_path / "bumpy", "-s0000")) <= {"stopped", "finished"}


def test_a_sampler_that_keeps_failing_ends_the_run_and_leaves_the_record_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[FailingSampler] = []
    with monkeypatch.context() as patch:
        sampled_by(patch, lambda inner: counted.append(FailingSampler(inner)) or counted[-1])  # type: ignore[func-returns-value]
        with pytest.raises(SamplerError, match="the engine is away"):
            train(tiny(run={"steps": 1}, rollout={"retries": 2}), tmp_path)
    assert counted[0].calls == 3
    assert statuses(tmp_path, "-s0000") == []
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("rollouts")]
    train(tiny(run={"steps": 1}, rollout={"retries": 2}), tmp_path, resume=True)
    assert statuses(tmp_path, "-s0000") == ["stopped"] * 6


@pytest.mark.long
def test_a_run_waits_while_another_connection_writes_its_record(tmp_path: Path) -> None:
    """The matches of old steps are deleted while those of the next are recorded, and both can take long."""
    writers: list[threading.Thread] = []

    def hold() -> None:
        with closing(sqlite3.connect(tmp_path / RECORD, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            locked.set()
            time.sleep(20 * LOCK_WAIT)
            other.execute("ROLLBACK")

    def doing(what: str, done: int, whole: int) -> None:
        if what == "playing step 1" and not writers:
            writers.append(threading.Thread(target=hold))
            writers[0].start()
            locked.wait()

    locked = threading.Event()
    assert train(tiny(run={"steps": 1}), tmp_path, doing=doing).steps == 1
    writers[0].join()


def test_matches_that_are_not_over_in_time_are_counted_and_not_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[StepMetrics] = []
    config = tiny(run={"steps": 1}, rollout={"straggler_seconds": 1e-9})
    train(config, tmp_path, report=steps.append)
    metrics = steps[0].metrics
    assert (metrics["rollout/straggler_count"], metrics["rollout/failed_count"]) == (6, 0)
    assert (metrics["benchmark/loss"], metrics["benchmark/grad_norm"]) == (0.0, 0.0)
    assert statuses(tmp_path, "-s0000") == ["interrupted"] * 6


# --- when the run is broken off ---------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_run_goes_on_though_versions_that_it_plays_with_are_older_than_its_checkpoint(tmp_path: Path) -> None:
    """Played two steps ahead and broken off long after a checkpoint: the versions before it are needed once more."""
    settings: dict[str, dict[str, Any]] = {
        "run": {"steps": 8, "checkpoint_every": 4},
        "rollout": {"buffer_depth": 2, "max_staleness": 2, "samples": 2},
        "game": {"options": {"press": "none", "last_year": 1901}},
    }
    train(tiny(**settings), tmp_path / "whole")
    broken_off(tmp_path / "broken", "learning from step 8", **settings)
    assert checkpoint.steps(tmp_path / "broken" / CHECKPOINTS) == [4]
    train(tiny(**settings), tmp_path / "broken", resume=True)
    assert measured(tmp_path / "broken") == measured(tmp_path / "whole")
    kept = list(versions_in(tmp_path / "broken" / VERSIONS))
    assert kept == list(versions_in(tmp_path / "whole" / VERSIONS)) == [0, 2, 3, 4, 6, 7, 8]


@pytest.mark.long
def test_whatever_checkpoint_it_goes_on_from_the_versions_are_there(tmp_path: Path) -> None:
    settings: dict[str, dict[str, Any]] = {
        "run": {"steps": 4, "checkpoint_every": 1},
        "rollout": {"buffer_depth": 1, "samples": 2},
    }
    train(tiny(**settings), tmp_path)
    newest = tmp_path / CHECKPOINTS / "step-000004"
    newest.rename(tmp_path / "aside")
    train(tiny(**settings), tmp_path, resume=True)
    again, before = checkpoint.latest(tmp_path / CHECKPOINTS), torch.load(tmp_path / "aside" / checkpoint.STATE)
    assert same(again, before)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let SIGINT interrupt, also where tests run in the background of a shell, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_to_break_off_does_not_wait_for_what_is_played_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samplers: list[SamplerWrapper] = []
    calls: list[int] = []
    main = threading.main_thread().ident
    assert main is not None

    def wrap(inner: Sampler) -> Sampler:
        samplers.append(SamplerWrapper(inner))
        return samplers[0]

    def doing(what: str, done: int, whole: int) -> None:
        if what == "playing step 1" and not calls:
            calls.append(samplers[0].calls)
            signal.pthread_kill(main, signal.SIGINT)

    sampled_by(monkeypatch, wrap)
    whole = tiny(
        rollout={"buffer_depth": 1, "horizon": 50.0, "samples": 2},
        game={"options": {"press": "none", "last_year": 1915}},
    )
    with pytest.raises(KeyboardInterrupt):
        train(whole, tmp_path, doing=doing)
    assert samplers[0].calls <= calls[0] + 6, "a round asks each version once"
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("rollouts")]


def test_what_was_opened_is_closed_where_a_run_cannot_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Recorder] = []

    class RecordingRecorder(Recorder):
        def __init__(self, path: Path | str, lock_wait: float = LOCK_WAIT) -> None:
            super().__init__(path, lock_wait)
            opened.append(self)

    def refuse(*arguments: object) -> None:
        raise PolicyError("policy.model: no such thing")

    monkeypatch.setattr(run, "Recorder", RecordingRecorder)
    for name in ("load", "open_backend"):
        with monkeypatch.context() as patch:
            patch.setattr(loop, name, refuse)
            with pytest.raises(PolicyError, match="no such thing"):
                train(tiny(), tmp_path, resume=True)
    assert opened
    for recorder in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            recorder.episode_ids()


@pytest.mark.long
def test_one_process_at_a_time_is_at_work_on_a_run(tmp_path: Path) -> None:
    """Another would take what the first plays just now for what an earlier one left half done, and delete it."""
    refused: list[str] = []

    def doing(what: str, done: int, whole: int) -> None:
        if what == "learning from step 1":
            for attempt in (
                lambda: train(tiny(run={"steps": 1}), tmp_path, resume=True),
                lambda: measure(tmp_path, label="meanwhile", games=2),
            ):
                with pytest.raises(RunError) as caught:
                    attempt()
                refused.append(str(caught.value))

    train(tiny(run={"steps": 1}), tmp_path, doing=doing)
    assert refused == [f"{tmp_path}: another process is at work on this run; wait until it is done"] * 2


@pytest.mark.long
def test_a_match_that_was_left_open_is_not_taken_for_the_run(tmp_path: Path) -> None:
    """Whatever the run is called: `run` makes ids that begin as the run's own does."""
    train(tiny(run={"name": "run", "steps": 1}), tmp_path)
    with pytest.raises(Interrupted):
        measure(tmp_path, label="x", games=2, doing=until("evaluating version 1"))
    assert "live" in statuses(tmp_path, "-e-x")
    train(tiny(run={"name": "run", "steps": 2}), tmp_path, resume=True)
    recorder = Recorder(tmp_path / RECORD)
    ours, _ = recorder.summaries(game="training")
    assert sorted(item.episode_id for item in ours) == ["run-run-1", "run-run-2"]
    assert {item.status for item in ours} == {"finished"}
    recorder.close()
