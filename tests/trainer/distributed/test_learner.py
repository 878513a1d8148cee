"""Two processes learn what one learns, and an error in any of them ends the step."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path
from typing import Any, NoReturn

import pytest
import torch
from torch import Tensor

from grandstand.trainer import checkpoint
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.distributed.learner import DistributedLearner, open_local_learner
from grandstand.trainer.learning.learner import Learner, LearnerLost, Mismatch
from grandstand.trainer.loop import CHECKPOINTS
from grandstand.trainer.model.batch import TrainingSample, pack
from grandstand.trainer.model.policy import PolicyError, load, with_adapter
from grandstand.trainer.model.versions import VERSIONS, versions_in
from grandstand.trainer.run import train
from tests.support.live_server import ROOT
from tests.support.trainer.forked import forking
from tests.support.trainer.learning import ANY_GAP, Changes, Played, another_temperature, never
from tests.support.trainer.records import measured
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup
from tests.support.waiting import until

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

MOST = 1e-6
"""Greatest difference in a metric, relative, or in the gradient's norm, between one process and several."""
MOST_OF_WEIGHT = 1e-5
"""Greatest difference in a weight. Adam divides each gradient by its own size, which enlarges the rounding of those
near 0, and the rounding depends on the processor. A weight that misses a process's gradients is off by some 1e-3."""


class Distributed:
    """A step that a policy has played, and learners of that policy with any number of processes."""

    def __init__(self, folder: Path) -> None:
        self.played = Played(tiny, folder)
        self.base = folder / "base"
        TrainingSetup.base(self.played.setup.spec).save(self.base)

    def config(self, **changes: dict[str, Any]) -> TrainConfig:
        optimizer = {"batch_tokens": 256, **ANY_GAP, **changes.get("optimizer", {})}
        return self.played.config(**{**changes, "optimizer": optimizer})

    def learner(self, **changes: dict[str, Any]) -> Learner:
        config = self.config(**changes)
        policy = with_adapter(load(config.policy, self.played.setup.spec, self.base), config.policy, 2)
        policy.load_adapter(self.played.second)
        return open_local_learner(config, policy, self.base)

    def adapters(self, version: int) -> Mapping[str, Tensor]:
        return {1: self.played.second}[version]

    @contextmanager
    def pair(self, **changes: dict[str, Any]) -> Iterator[Learner]:
        """Open a learner of two processes."""
        optimizer = {"processes": 2, **changes.get("optimizer", {})}
        with closing(self.learner(**{**changes, "optimizer": optimizer})) as learner:
            assert isinstance(learner, DistributedLearner)
            yield learner
        assert not active_children()


@pytest.fixture(scope="module")
def step(tmp_path_factory: pytest.TempPathFactory) -> Distributed:
    torch.set_num_threads(1)
    return Distributed(tmp_path_factory.mktemp("run"))


@pytest.fixture
def distributed(step: Distributed, monkeypatch: pytest.MonkeyPatch) -> Distributed:
    """The played step, and learners whose other processes are forked from one that has imported their code.

    The imports take most of the start of a process. Those of a whole run, below, are started as a user's are.
    """
    context = forking()
    monkeypatch.setattr(multiprocessing, "get_context", lambda method: context)
    return step


def gap(first: Mapping[str, Tensor], second: Mapping[str, Tensor]) -> float:
    assert first.keys() == second.keys()
    return max(float((first[name] - second[name]).detach().abs().max()) for name in first)


EVERYTHING: Changes = {
    "policy": {"lora_dropout": 0.1, "gradient_checkpointing": True},
    "loss": {"entropy": 0.01},
    "kl": {"reference": "ema", "ema_tau": 0.5, "beta": 0.02, "target": 0.001},
}


@pytest.mark.parametrize("shard", [False, True], ids=["whole", "sharded"])
@pytest.mark.parametrize("changes", [{}, EVERYTHING], ids=["plain", "everything"])
def test_two_processes_learn_what_one_learns(distributed: Distributed, changes: Changes, shard: bool) -> None:
    every = distributed.played.samples
    samples = next(some for n in range(len(every), 0, -1) if len(pack(some := every[:n], 256)) % 2)
    assert len(pack(samples, 256)) > 1, "of which one process has more than the other"
    optimizer = {"epochs": 2 if changes else 1}
    alone = distributed.learner(**changes, optimizer=optimizer)
    with distributed.pair(**changes, optimizer={**optimizer, "shard": shard}) as pair:
        for step in (2, 3, 4):
            expected = alone.step(samples, step, distributed.adapters)
            metrics = pair.step(samples, step, distributed.adapters)
            assert metrics == pytest.approx(expected, rel=MOST, abs=MOST)
            assert gap(pair.policy.adapter(), alone.policy.adapter()) < MOST_OF_WEIGHT
        assert expected["benchmark/grad_norm"] > 1e-3
        state = pair.state_dict()
    assert gap(alone.policy.adapter(), distributed.played.second) > 1e-3
    assert state["kl"] == pytest.approx(alone.state_dict()["kl"], rel=MOST)
    again = distributed.learner(**changes, optimizer=optimizer)
    again.load_state_dict(state)
    assert gap(again.policy.adapter(), alone.policy.adapter()) < MOST_OF_WEIGHT


@pytest.mark.parametrize("shard", [False, True], ids=["whole", "sharded"])
def test_a_process_without_a_micro_batch_waits_for_no_one(distributed: Distributed, shard: bool) -> None:
    samples = distributed.played.samples
    assert len(pack(samples, 10**6)) == 1
    alone = distributed.learner(optimizer={"batch_tokens": 10**6})
    with distributed.pair(optimizer={"batch_tokens": 10**6, "shard": shard}) as pair:
        assert pair.step([], 2, never) == alone.step([], 2, never)
        assert pair.step(samples, 2, never) == pytest.approx(alone.step(samples, 2, never), rel=MOST, abs=MOST)
        assert gap(pair.policy.adapter(), alone.policy.adapter()) < MOST_OF_WEIGHT


def test_a_checkpoint_is_loaded_into_all_processes(distributed: Distributed) -> None:
    samples = distributed.played.samples
    alone = distributed.learner()
    with distributed.pair() as pair:
        pair.step(samples, 2, never)
        pair.load_state_dict(alone.state_dict())
        expected = alone.step(samples, 2, never)
        assert pair.step(samples, 2, never) == pytest.approx(expected, rel=MOST, abs=MOST)
        assert gap(pair.policy.adapter(), alone.policy.adapter()) < MOST_OF_WEIGHT


def test_all_processes_begin_anew_together(distributed: Distributed) -> None:
    samples, changes = distributed.played.samples, EVERYTHING
    alone = distributed.learner(**changes)
    with distributed.pair(**changes) as pair:
        for learner in (alone, pair):
            learner.step(samples, 2, distributed.adapters)
            learner.reset(distributed.played.second)
        expected = alone.step(samples, 2, distributed.adapters)
        assert pair.step(samples, 2, distributed.adapters) == pytest.approx(expected, rel=MOST, abs=MOST)
        assert gap(pair.policy.adapter(), alone.policy.adapter()) < MOST_OF_WEIGHT


# --- failures ---------------------------------------------------------------------------------------------------------


def kill() -> None:
    """Kill the other process of the learner."""
    (child,) = active_children()
    os.kill(child.pid or 0, signal.SIGKILL)
    child.join()


def test_a_killed_process_ends_the_step(distributed: Distributed) -> None:
    samples = distributed.played.samples
    with distributed.pair(optimizer={"epochs": 2}) as pair:
        pair.step(samples, 2, never)
        pair.optimizer.register_step_pre_hook(lambda *arguments: kill())
        with pytest.raises(LearnerLost, match=r"step 3: process 1 of the learner's 2 \(0 to 1\) failed: .*SIGKILL"):
            pair.step(samples, 3, distributed.adapters)
        with pytest.raises(LearnerLost, match="have ended"):
            pair.step(samples, 4, distributed.adapters)


def poisoned(samples: Sequence[TrainingSample]) -> Iterator[list[TrainingSample]]:
    """Yield samples with a token that the policy does not have, in a micro-batch of process 1 alone."""
    for number, sample in enumerate(samples):
        bad = replace(sample, prompt=(*sample.prompt[:-1], 10**6))
        changed = [*samples[:number], bad, *samples[number + 1 :]]
        if any(bad in batch.samples for batch in pack(changed, 256)[1::2]):
            yield changed


def test_an_error_in_another_process_is_reported(distributed: Distributed) -> None:
    samples = next(poisoned(distributed.played.samples))
    with distributed.pair() as pair, pytest.raises(LearnerLost, match=r"(?s)process 1 .*IndexError"):
        pair.step(samples, 2, never)


def test_a_process_that_cannot_load_the_policy_is_reported(distributed: Distributed, tmp_path: Path) -> None:
    config = distributed.config(optimizer={"processes": 2})
    policy = with_adapter(load(config.policy, distributed.played.setup.spec, distributed.base), config.policy, 2)
    reason = pytest.raises(LearnerLost, match=r"(?s)process 1 .*policy\.model: cannot load")
    with closing(open_local_learner(config, policy, tmp_path / "nothing")) as learner, reason:
        learner.step(distributed.played.samples, 2, never)


def test_samples_of_another_policy_are_refused_by_all(distributed: Distributed) -> None:
    samples = [another_temperature(sample) for sample in distributed.played.samples]
    with distributed.pair(optimizer={"max_logprob_gap": 1e-4}) as pair:
        with pytest.raises(Mismatch, match="nats a token"):
            pair.step(samples, 2, never)
        assert not active_children()


def test_an_error_of_the_first_process_is_raised_as_it_is(
    distributed: Distributed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*arguments: object) -> NoReturn:
        raise MemoryError("no memory left")

    monkeypatch.setattr("grandstand.trainer.distributed.learner.GRACE", 0.1)
    with distributed.pair() as pair:
        pair.step(distributed.played.samples, 2, never)
        monkeypatch.setattr("grandstand.trainer.learning.learner.policy_loss", fails)
        with pytest.raises(MemoryError, match="no memory left"):
            pair.step(distributed.played.samples, 3, distributed.adapters)


def test_more_processes_than_gpus_are_refused(distributed: Distributed, monkeypatch: pytest.MonkeyPatch) -> None:
    config = distributed.config(optimizer={"processes": 2})
    policy = with_adapter(load(config.policy, distributed.played.setup.spec, distributed.base), config.policy, 2)
    monkeypatch.setattr(type(policy), "device", torch.device("cuda"))
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    with pytest.raises(PolicyError, match="each of the 2 needs a GPU, and there are 1"):
        open_local_learner(config, policy, distributed.base)


def test_one_process_shares_nothing() -> None:
    with pytest.raises(ValueError, match=r"optimizer\.shard: one process shares nothing"):
        tiny(optimizer={"shard": True})
    on_node = {"engine": "ray", "learner": "actor"}
    with pytest.raises(ValueError, match=r"optimizer\.processes: a learner on a node of the cluster is one process"):
        tiny(optimizer={"processes": 2}, backend=on_node, rollout={"batch_groups": 1})


# --- a run ------------------------------------------------------------------------------------------------------------


def killing(step: int) -> Any:
    """Report steps by killing the learner's other process after `step`."""
    return lambda stepped: kill() if stepped.step == step else None


def test_a_run_whose_learner_is_killed_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    settings: Sequence[TrainConfig] = [tiny(optimizer={"processes": count, "batch_tokens": 256}) for count in (1, 2)]
    train(settings[0], tmp_path / "alone")
    with pytest.raises(LearnerLost, match="step 3: process 1"):
        train(settings[1], tmp_path / "pair", report=killing(2))
    assert checkpoint.steps(tmp_path / "pair" / CHECKPOINTS) == [1, 2]
    assert list(versions_in(tmp_path / "pair" / VERSIONS)) == [0, 1, 2]
    train(settings[1], tmp_path / "pair", resume=True)
    alone, pair = (checkpoint.latest(tmp_path / name / CHECKPOINTS) for name in ("alone", "pair"))
    assert alone is not None
    assert pair is not None
    assert gap(alone["learner"]["adapter"], pair["learner"]["adapter"]) < MOST_OF_WEIGHT
    for expected, metrics in zip(measured(tmp_path / "alone"), measured(tmp_path / "pair"), strict=True):
        assert metrics == pytest.approx(expected, rel=MOST, abs=MOST)
    train(tiny(run={"steps": 4}, optimizer={"batch_tokens": 256}), tmp_path / "pair", resume=True)


PROGRAM = """
import sys
from multiprocessing import active_children
from pathlib import Path
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.run import train
tell = lambda stepped: print(*(child.pid for child in active_children()), flush=True)
train(TrainConfig.model_validate_json(sys.argv[1]), Path(sys.argv[2]), report=tell)
"""


def has_ended(process: int) -> bool:
    """Return whether a process is gone, or only waits to be noticed as ended."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True).stdout.strip()
    return not state or state.startswith("Z")


def test_the_other_processes_end_when_the_run_is_killed(tmp_path: Path) -> None:
    config = tiny(run={"steps": 50}, optimizer={"processes": 2})
    values = [sys.executable, "-W", "ignore", "-c", PROGRAM, config.model_dump_json(), str(tmp_path)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(values, stdout=subprocess.PIPE, text=True, env=env) as run:
        assert run.stdout is not None
        (other,) = map(int, run.stdout.readline().split())
        assert not has_ended(other)
        run.kill()
    assert until(lambda: has_ended(other))
