"""The weight of the KL penalty, step by step, by hand."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from grandstand.trainer.config.objective_settings import KLSettings
from grandstand.trainer.learning import kl as kl_module
from grandstand.trainer.learning.kl import KLController


def test_warm_up_rises_in_a_line_from_0() -> None:
    controller = KLController(KLSettings(beta=0.04, warmup_steps=4))
    observed = [controller.update(0.1) for _ in range(6)]
    assert [step["kl/beta"] for step in observed] == pytest.approx([0, 0.01, 0.02, 0.03, 0.04, 0.04])
    assert [step["kl/warmup_progress"] for step in observed] == [0, 0.25, 0.5, 0.75, 1, 1]
    assert {step["kl/beta_adjusted"] for step in observed} == {0}


def test_fixed_without_a_target() -> None:
    controller = KLController(KLSettings(beta=0.02))
    for kl in (0.0, 5.0, 100.0):
        assert controller.update(kl)["kl/beta"] == controller.beta == 0.02


def test_off() -> None:
    assert KLController(KLSettings(beta=0, warmup_steps=3)).update(1.0)["kl/beta"] == 0


def test_average() -> None:
    """Over 10 steps: weight 2 / (10 + 1) = 2/11."""
    controller = KLController(KLSettings())
    assert [controller.update(kl)["kl/ema"] for kl in (11.0, 22.0, 2.0)] == pytest.approx([11.0, 13.0, 11.0])


def test_steered_towards_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an average. Up above 0.15, down below 0.05, by 1.5; the last value was at the bound already."""
    monkeypatch.setattr(kl_module, "HORIZON", 1)
    controller = KLController(KLSettings(beta=0.3, target=0.1))
    steps = [controller.update(kl) for kl in (0.16, 0.15, 0.05, 0.3, 0.3, 0.04, 0.04)]
    assert [step["kl/beta_adjusted"] for step in steps] == [1, 0, 0, 1, 0, -1, -1]
    betas = [*(step["kl/beta"] for step in steps), controller.beta]
    assert betas == pytest.approx([0.3, 0.45, 0.45, 0.45, 0.5, 0.5, 0.5 / 1.5, 0.5 / 2.25])
    controller = KLController(KLSettings(beta=0.0012, target=0.1))
    assert [controller.update(0.04)["kl/beta_adjusted"] for _ in range(2)] == [-1, 0]
    assert controller.beta == 0.001


def test_not_steered_while_it_warms_up() -> None:
    controller = KLController(KLSettings(beta=0.1, target=0.01, warmup_steps=2))
    assert [controller.update(1.0)["kl/beta_adjusted"] for _ in range(3)] == [0, 0, 1]
    assert controller.beta == pytest.approx(0.15)


@given(kls=st.lists(st.floats(0, 1e6), max_size=30))
def test_within_its_bounds(kls: list[float]) -> None:
    controller = KLController(KLSettings(beta=0.01, target=0.02))
    for kl in kls:
        controller.update(kl)
        assert 0.001 <= controller.beta <= 0.5


@given(before=st.lists(st.floats(0, 10), max_size=8), after=st.lists(st.floats(0, 10), max_size=8))
def test_goes_on_exactly_from_its_state(before: list[float], after: list[float]) -> None:
    settings = KLSettings(beta=0.05, target=0.3, warmup_steps=3)
    whole, resumed = KLController(settings), KLController(settings)
    for kl in before:
        whole.update(kl)
    resumed.load_state_dict(json.loads(json.dumps(whole.state_dict())))
    assert resumed.state_dict() == whole.state_dict()
    assert [resumed.update(kl) for kl in after] == [whole.update(kl) for kl in after]


@pytest.mark.parametrize("kl", [math.nan, math.inf])
def test_a_broken_kl_is_refused_and_changes_nothing(kl: float) -> None:
    controller = KLController(KLSettings())
    controller.update(0.5)
    state = controller.state_dict()
    with pytest.raises(ValueError, match=f"the KL of step 1 is {kl}"):
        controller.update(kl)
    assert controller.state_dict() == state


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"reference": "old"}, "reference"),
        ({"beta": -1}, "beta"),
        ({"ema_tau": 1}, "ema_tau"),
        ({"temperature": 1}, "temperature"),
        ({"beta": 0, "target": 0.1}, r"beta 0 is outside 0\.001 \.\. 0\.5, .* or set target = 0"),
    ],
)
def test_settings_that_are_refused(fields: dict[str, Any], refusal: str) -> None:
    with pytest.raises(ValidationError, match=refusal):
        KLSettings.model_validate(fields)
