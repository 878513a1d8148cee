"""A run that is killed in the middle of a step and goes on ends with the same bits as one that was not."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import torch

from grandstand.spectator.recorder import Recorder
from grandstand.trainer import checkpoint
from grandstand.trainer.config.files import RECORD
from grandstand.trainer.loop import CHECKPOINTS, TRAJECTORIES, RunError
from grandstand.trainer.metrics import StepMetrics, read_lines
from grandstand.trainer.model.policy import read_adapter
from grandstand.trainer.model.versions import VERSIONS, versions_in
from grandstand.trainer.run import measuring, train
from tests.support.trainer.forked import killed_at
from tests.support.trainer.records import measured, recorded, same
from tests.support.trainer.tiny import tiny

pytestmark = pytest.mark.long

CONFIG = tiny(
    run={"steps": 4, "eval_every": 2},
    rollout={
        "buffer_depth": 1,
        "max_staleness": 2,
        "opponents": {"base": 1, "past": 2, "exploitable": 1, "random": [[0, 1.0], [3, 0.0]]},
    },
    league={"pfsp": "hard", "prior": 1.0, "recent": 1, "landmark_every": 2},
    kl={"reference": "ema", "ema_tau": 0.7, "beta": 0.02, "warmup_steps": 1, "target": 0.002},
    optimizer={"schedule": "cosine", "epochs": 2},
)


@pytest.mark.long
def test_a_killed_run_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    train(CONFIG, tmp_path / "whole")
    for moment in ("playing matches to clone from 2", "playing step 2", "learning from step 4"):
        killed_at(CONFIG, tmp_path / "killed", moment)
    train(CONFIG, tmp_path / "killed", resume=True)
    whole = equal_states(tmp_path / "whole", tmp_path / "killed")
    assert whole["step"] == 4
    assert whole["learner"]["kl"]["step"] == 4


def equal_states(first: Path, second: Path) -> dict[str, Any]:
    """Return the last checkpoint of the first run, whose state, metrics and league are those of the second."""
    whole, killed = (checkpoint.latest(folder / CHECKPOINTS) for folder in (first, second))
    assert whole is not None
    assert killed is not None
    assert same(whole["learner"], killed["learner"])
    assert measured(first) == measured(second)
    assert recorded(first) == recorded(second)
    assert published(first) == published(second)
    return whole


@pytest.mark.long
def test_an_exploiter_killed_around_its_reset_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    """It is decided after step 3, done in step 4; step 5 was played before it, and teaches nothing."""
    torch.set_num_threads(1)
    main = tmp_path / "main"
    train(tiny(run={"name": "main", "steps": 1}, rollout={"samples": 2}), main)
    config = CONFIG.model_copy(
        update={
            "run": CONFIG.run.model_copy(update={"name": "x", "steps": 6, "eval_every": 0}),
            "policy": CONFIG.policy.model_copy(update={"init": str(main / VERSIONS / "main@v000000")}),
            "league": CONFIG.league.model_copy(
                update={"role": "main_exploiter", "inherit_from": str(main), "reset_after": 3}
            ),
            "rollout": CONFIG.rollout.model_copy(update={"opponents": {"main": 2.0, "past": 1.0}}),
        }
    )
    train(config, tmp_path / "whole")
    for moment in ("took step 3", "learning from step 4", "took step 4", "learning from step 5"):
        killed_at(config, tmp_path / "killed", moment)
    train(config, tmp_path / "killed", resume=True)
    whole = equal_states(tmp_path / "whole", tmp_path / "killed")
    assert whole["learner"]["kl"]["step"] == 1, "it has learned from one step since"
    rows = measured(tmp_path / "whole")
    assert [row.get("league/reset") for row in rows] == [None, None, None, 1.0, None, None]
    assert [bool(row.get("benchmark/loss")) for row in rows] == [True, True, True, False, False, True]
    assert rows[4]["buffer/dropped_stale"] == 6
    weights = {number: read_adapter(path) for number, path in versions_in(tmp_path / "killed" / VERSIONS).items()}
    assert same(weights[4], weights[0])
    assert not same(weights[3], weights[0])


def published(folder: Path) -> list[Any]:
    """Return the ratings that the run has published."""
    recorder = Recorder(folder / RECORD)
    (run,) = (name for name in recorder.episode_ids() if name.startswith("run-"))
    ratings = [event.data for event in recorder.of_type(run, "LeagueRated")]
    recorder.close()
    assert ratings
    return ratings


@pytest.mark.long
def test_a_run_can_be_repeated(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    config = tiny(run={"steps": 1})
    for name in ("one", "two"):
        train(config, tmp_path / name)
    assert measured(tmp_path / "one") == measured(tmp_path / "two")
    other = tiny(run={"steps": 1, "seed": 4})
    train(other, tmp_path / "other")
    assert measured(tmp_path / "one") != measured(tmp_path / "other")


def test_a_finished_run_goes_on_when_it_is_given_more_steps(tmp_path: Path) -> None:
    train(tiny(run={"steps": 1}), tmp_path)
    steps: list[StepMetrics] = []
    train(tiny(run={"steps": 2}), tmp_path, resume=True, report=steps.append)
    assert [stepped.step for stepped in steps] == [2]
    assert [row["step"] for row in read_lines(tmp_path)] == [1, 2]


def test_a_run_is_not_begun_over_another_nor_gone_on_with_under_other_settings(tmp_path: Path) -> None:
    train(tiny(run={"steps": 1}), tmp_path)
    with pytest.raises(RunError, match="--resume"):
        train(tiny(run={"steps": 1}), tmp_path)
    with pytest.raises(RunError, match=r"kl.beta: it was 0.01, and is 0.5"):
        train(tiny(run={"steps": 1}, kl={"beta": 0.5}), tmp_path, resume=True)


@pytest.mark.long
def test_matches_of_steps_long_over_leave_the_record(tmp_path: Path) -> None:
    train(tiny(run={"steps": 3, "keep_matches": 1}), tmp_path)
    recorder = Recorder(tmp_path / RECORD)
    steps = {episode_id.split("-g")[0] for episode_id in recorder.episode_ids() if "-s00" in episode_id}
    recorder.close()
    assert steps == {"tiny-s000003"}
    assert len(list((tmp_path / TRAJECTORIES).glob("*.parquet"))) == 3


@pytest.mark.long
@pytest.mark.parametrize("against", ["base", "tactics"])
def test_matches_of_evaluations_long_over_leave_the_record(tmp_path: Path, against: str) -> None:
    train(tiny(run={"steps": 1}), tmp_path)
    with measuring(tmp_path) as run:
        run.measure(1, against, "later", 2)
    assert evaluations(tmp_path) == {"v000001"}
    train(tiny(run={"steps": 2, "keep_matches": 1}), tmp_path, resume=True)
    assert evaluations(tmp_path) == set()


def evaluations(folder: Path) -> set[str]:
    """Return the versions whose evaluations are in the record."""
    with closing(Recorder(folder / RECORD)) as recorder:
        return {episode_id.split("-")[-2] for episode_id in recorder.episode_ids() if "-e-later-" in episode_id}


def test_a_checkpoint_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    train(tiny(run={"steps": 1}), tmp_path)
    (tmp_path / CHECKPOINTS / "step-000001" / checkpoint.STATE).write_bytes(b"no such thing")
    with pytest.raises(checkpoint.CheckpointError, match="remove this checkpoint"):
        train(tiny(run={"steps": 2}), tmp_path, resume=True)


def test_only_the_newest_checkpoints_are_kept(tmp_path: Path) -> None:
    for step in range(1, 5):
        checkpoint.save(tmp_path, step, {"step": step}, keep=2)
    assert checkpoint.steps(tmp_path) == [3, 4]
    assert json.dumps(checkpoint.latest(tmp_path)) == '{"step": 4}'
