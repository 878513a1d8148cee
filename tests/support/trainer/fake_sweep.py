"""A sweep of runs that tests/support/trainer/fake_training.py imitates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from grandstand.trainer.sweep.expansion import Sweep, load_sweep
from tests.support.live_server import ROOT
from tests.support.trainer.tiny_sweep import TINY, tiny_sweep, written

COMMAND = f"{sys.executable} {ROOT / 'tests/support/trainer/fake_training.py'} {{arguments}}"


def fake_data(betas: dict[str, float], **sections: Any) -> dict[str, Any]:
    """Return the data of a sweep with an arm for each penalty, compared with the first one."""
    first, *others = betas
    runs = {name: {"name": f"penalty {beta}", "config": {"kl": {"beta": beta}}} for name, beta in betas.items()}
    criteria = [
        {
            "name": f"{name} gains more",
            "metric": "last/base/gain",
            "arm": name,
            "against": first,
            "direction": "greater",
            "least_effect": 0.01,
        }
        for name in others
    ]
    usual: dict[str, Any] = {
        "runs": runs,
        "seeds": [1, 2, 3],
        "measure": {"games": 20, "against": ["base"], "versions": ["last", "best"]},
        "analysis": {
            "primary_metric": "last/base/gain",
            "secondary_metrics": ["kl/mean:mean"],
            "success_criteria": criteria,
        },
        "runner": {"command": COMMAND},
        "defaults": {**TINY["defaults"], "run": {**TINY["defaults"]["run"], "steps": 4}},
    }
    return tiny_sweep(**{**usual, **sections})


def fake_sweep(folder: Path, betas: dict[str, float], **sections: Any) -> Sweep:
    """Return that sweep, whose results are in `folder / "results"`."""
    return load_sweep(written(folder, fake_data(betas, **sections)), folder / "results")
