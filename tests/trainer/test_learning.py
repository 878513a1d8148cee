"""It learns: a policy cloned from bots and trained against a mixed field beats its own base in matches new to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from trainer.config import TrainConfig
from trainer.config_file import make
from trainer.run import measure, train

DIPLOMACY: dict[str, Any] = {
    "clone": {"bots": ["random", "territorial", "dumbbot"], "games": 300, "epochs": 3, "learning_rate": 3e-3},
    "game": {"name": "diplomacy", "options": {"press": "none", "last_year": 1902}},
    "rollout": {
        "groups": 16,
        "samples": 8,
        "horizon": 2,
        "warmup": 0,
        "opponents": {"dumbbot": 1, "random": 1, "territorial": 1, "base": 2},
    },
    "reward": {"mode": "sparse", "weights": {"centers": 1.0}},
    "optimiser": {"learning_rate": 3e-3, "epochs": 2, "batch_tokens": 4096},
}
"""All seven powers, the first two years."""

CRICKET: dict[str, Any] = {
    "clone": {"bots": ["neutral", "cricsheet", "random", "random"], "games": 120, "epochs": 5, "learning_rate": 3e-3},
    "game": {"name": "cricket", "options": {"overs": 2}},
    "rollout": {
        "groups": 16,
        "samples": 8,
        "horizon": 1,
        "warmup": 24,
        "opponents": {"heuristic": 1, "neutral": 1, "cricsheet": 1, "fixed-plan": 1},
    },
    "reward": {"mode": "dense", "gamma": 0.95, "weights": {"choice": 1.0}},
    "advantage": {"baseline": "leave_one_out", "normalise": "none", "batch_normalise": True},
    "kl": {"beta": 0.001},
    "optimiser": {"learning_rate": 3e-3, "epochs": 2, "batch_tokens": 4096},
    "run": {"eval_whole": True, "eval_weights": {"result": 1.0, "luck": -1.0}},
}
"""Two overs a side. Measured in whole matches by the result less what came by chance, which the chances of winning
after each ball tell: luck is nobody's doing, and without it a hundred matches say what a thousand would."""


def config(game: dict[str, Any], steps: int, seed: int) -> TrainConfig:
    clone = {"batch_tokens": 4096, **game["clone"]}
    run = {**game.get("run", {}), "name": "learns", "seed": seed, "steps": steps, "checkpoint_every": steps}
    return make({**game, "clone": clone, "run": run}, "test")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_it_learns_diplomacy(tmp_path: Path, seed: int) -> None:
    torch.set_num_threads(1)
    train(config(DIPLOMACY, 8, seed), tmp_path)
    found = measure(tmp_path, label="fresh", games=420)
    assert found.sigmas >= 5, found


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_it_learns_cricket(tmp_path: Path, seed: int) -> None:
    torch.set_num_threads(1)
    train(config(CRICKET, 12, seed), tmp_path)
    found = measure(tmp_path, label="fresh", games=150)
    assert found.sigmas >= 5, found
