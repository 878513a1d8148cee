"""Ray is needed, imported and asked for its settings only where a run uses it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grandstand.trainer import backends
from grandstand.trainer.backends import open_backend, open_learner
from grandstand.trainer.learning.learner import Learner
from grandstand.trainer.model.sampler import BackendError
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup


def test_without_ray_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    config = tiny(rollout={"batch_groups": 1}, backend={"engine": "ray", "learner": "actor"})
    setup = TrainingSetup(config, tmp_path)
    with pytest.raises(BackendError, match=r"pip install \"grandstand\[train,ray\]\".*backend.engine = local"):
        open_backend(config, setup.spec, setup.policy.codec, None, tmp_path)
    with pytest.raises(BackendError, match="Ray is not installed"):
        open_learner(config, setup.policy, None)
    assert isinstance(open_learner(tiny(), setup.policy, None), Learner)


@pytest.mark.long
def test_ray_is_imported_only_where_it_is_used() -> None:
    program = "import sys, grandstand.trainer.run, grandstand.commands.train.app; print('ray' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


def test_ray_wants_to_know_what_a_worker_plays_at_a_time() -> None:
    with pytest.raises(ValueError, match=r"rollout.batch_groups: with backend.engine = ray, set the number of groups"):
        tiny(backend={"engine": "ray"})
