"""It learns Diplomacy: cloned from bots, trained against a mixed field, it beats its own base in matches new to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grandstand.trainer.run import measure, train
from tests.support.trainer.learning_run import config

pytestmark = pytest.mark.long

DIPLOMACY: dict[str, Any] = {
    "clone": {"bots": ["random", "territorial", "dumbbot"], "games": 100, "epochs": 3, "learning_rate": 3e-3},
    "game": {"name": "diplomacy", "options": {"press": "none", "last_year": 1902}},
    "rollout": {
        "groups": 16,
        "samples": 8,
        "horizon": 2,
        "warmup": 0,
        "opponents": {"dumbbot": 1, "random": 1, "territorial": 1},
    },
    "reward": {"mode": "sparse", "weights": {"centers": 1.0}},
    "optimizer": {"learning_rate": 3e-3, "epochs": 2, "batch_tokens": 4096},
}
"""All seven powers, the first two years. The other seats are bots', which answer at a fraction of the policy's cost."""


@pytest.mark.timeout(3600)
def test_it_learns_diplomacy(tmp_path: Path) -> None:
    train(config(DIPLOMACY, 8, seed=1), tmp_path)
    result = measure(tmp_path, label="fresh", opponents={"random": 1.0}, games=640)
    assert result.sigmas >= 5, result
