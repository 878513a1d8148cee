"""Settings of runs that are long enough to learn."""

from __future__ import annotations

from typing import Any

from grandstand.trainer.config.files import make
from grandstand.trainer.config.settings import TrainConfig


def config(game: dict[str, Any], steps: int, seed: int) -> TrainConfig:
    clone = {"batch_tokens": 4096, **game["clone"]}
    run = {**game.get("run", {}), "name": "learns", "seed": seed, "steps": steps, "checkpoint_every": steps}
    return make({**game, "clone": clone, "run": run}, "test")
