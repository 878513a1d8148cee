"""It learns cricket: cloned from bots, trained against a mixed field, it beats its own base in matches new to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grandstand.trainer.run import measure, train
from tests.support.trainer.learning_run import config

pytestmark = pytest.mark.long

CRICKET: dict[str, Any] = {
    "clone": {"bots": ["neutral", "cricsheet", "random", "random"], "games": 60, "epochs": 5, "learning_rate": 3e-3},
    "game": {"name": "cricket", "options": {"overs": 2}},
    "rollout": {
        "groups": 16,
        "samples": 8,
        "horizon": 1,
        "warmup": 24,
        "opponents": {"heuristic": 1, "neutral": 1, "cricsheet": 1, "fixed-plan": 1},
    },
    "reward": {"mode": "dense", "gamma": 0.95, "weights": {"choice": 1.0}},
    "advantage": {"baseline": "leave_one_out", "normalize": "none", "batch_normalize": True},
    "kl": {"beta": 0.001},
    "optimizer": {"learning_rate": 3e-3, "epochs": 2, "batch_tokens": 4096},
    "run": {"eval_whole": True, "eval_weights": {"result": 1.0, "luck": -1.0}},
}
"""Two overs a side. Measured in whole matches by the result less what came by chance, which the chances of winning
after each ball tell: luck is nobody's doing, and without it a few hundred matches tell as much as thousands."""


@pytest.mark.timeout(3600)
def test_it_learns_cricket(tmp_path: Path) -> None:
    train(config(CRICKET, 6, seed=1), tmp_path)
    result = measure(tmp_path, label="fresh", games=150)
    assert result.sigmas >= 5, result
