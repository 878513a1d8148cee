"""The smallest runs that do everything, in seconds of one processor."""

from __future__ import annotations

from typing import Any

from grandstand.trainer.config.settings import TrainConfig

DIPLOMACY: dict[str, Any] = {
    "run": {"name": "tiny", "seed": 3, "steps": 3, "checkpoint_every": 1, "eval_games": 2},
    "clone": {
        "bots": ["random", "territorial"],
        "games": 4,
        "epochs": 1,
        "learning_rate": 3e-3,
        "horizon": 1,
        "batch_tokens": 2048,
    },
    "game": {"name": "diplomacy", "options": {"press": "none", "last_year": 1902}},
    "rollout": {
        "groups": 2,
        "samples": 3,
        "horizon": 0.7,
        "warmup": 2,
        "opponents": {"random": 1, "base": 1, "past": 1},
    },
    "reward": {"mode": "sparse", "weights": {"centers": 1.0, "territory": 0.3}},
    "optimizer": {"learning_rate": 3e-3, "batch_tokens": 2048},
}


def tiny(**sections: dict[str, Any]) -> TrainConfig:
    """Return the tiny run of Diplomacy, with these settings over its own."""
    return TrainConfig.model_validate(
        {name: {**DIPLOMACY.get(name, {}), **sections.get(name, {})} for name in {**DIPLOMACY, **sections}}
    )
