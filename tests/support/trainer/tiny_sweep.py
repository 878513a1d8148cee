"""A sweep of the smallest runs that do everything, as its user would write it."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

from tests.support.trainer.tiny import DIPLOMACY

TINY: dict[str, Any] = {
    "metadata": {"name": "tiny", "hypothesis": "A KL penalty of 0.5 keeps the policy nearer to its base."},
    "parameters": {"beta": 0.5},
    "defaults": {
        **{name: dict(section) for name, section in DIPLOMACY.items()},
        "run": {"steps": 2, "checkpoint_every": 1, "eval_every": 1, "eval_games": 2},
        "rollout": {**DIPLOMACY["rollout"], "opponents": {"random": 1}},
    },
    "runs": {
        "A": {"name": "no penalty", "config": {"kl": {"beta": 0.0}}},
        "B": {"name": "penalty of ${parameters.beta}", "config": {"kl": {"beta": "${parameters.beta}"}}},
    },
    "seeds": [1, 2],
    "matched": "samples",
    "measure": {"games": 20, "against": ["base", "random"], "versions": ["last", "best"]},
    "analysis": {
        "primary_metric": "best/base/gain",
        "secondary_metrics": ["last/random/score", "kl/max:max"],
        "success_criteria": [
            {
                "name": "The penalty lowers the KL",
                "metric": "kl/mean:mean",
                "arm": "B",
                "against": "A",
                "direction": "less",
                "least_effect": 0.001,
            }
        ],
    },
}


def tiny_sweep(**sections: Any) -> dict[str, Any]:
    """Return the data of the tiny sweep, with these sections instead of its own."""
    return {**deepcopy(TINY), **sections}


def written(folder: Path, data: dict[str, Any], name: str = "tiny.yaml") -> Path:
    """Write the file of a sweep."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(yaml.safe_dump(data, sort_keys=False), "utf-8")
    return path
