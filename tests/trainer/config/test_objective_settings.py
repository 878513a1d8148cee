"""The settings of the loss: what is refused, and that they can be had without torch."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from grandstand.trainer.config.objective_settings import LossSettings


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"variant": "ppo"}, "variant"),
        ({"epsilon": 0.2}, "epsilon"),
        ({"epsilon_low": 0}, "epsilon_low"),
        ({"epsilon_high": float("nan")}, "epsilon_high"),
        ({"importance_cap": 1.0}, "importance_cap"),
        ({"delta": 1.28}, r"delta 1\.28 must be above 1 \+ epsilon_high, 1\.28, or 0"),
        ({"delta": 3.0, "variant": "cispo"}, "set delta = 0"),
        ({"delta": 3.0, "clip": False}, "delta bounds ratios, which clip = false leaves unbounded: set delta = 0"),
    ],
)
def test_refused(fields: dict[str, Any], refusal: str) -> None:
    with pytest.raises(ValidationError, match=refusal):
        LossSettings.model_validate(fields)


def test_every_field_is_described() -> None:
    assert all(field.description for field in LossSettings.model_fields.values())


def test_settings_need_no_torch() -> None:
    names = ("config.objective_settings", "learning.kl", "learning.rewards", "learning.advantages")
    modules = ", ".join(f"grandstand.trainer.{name}" for name in names)
    subprocess.run([sys.executable, "-c", f"import {modules}, sys; assert 'torch' not in sys.modules"], check=True)
