"""Control the weight of the KL penalty: warm-up, and steering towards a target. No tensors."""

from __future__ import annotations

import math
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

_LOW, _HIGH = 0.5, 1.5
"""Multiples of the target between which beta stays unchanged."""
_FACTOR = 1.5
"""Factor by which beta is multiplied or divided otherwise."""
HORIZON = 10
"""Steps over which the KL is averaged, with the weight 2 / (HORIZON + 1): single steps are too noisy to steer by."""
BETA_MIN, BETA_MAX = 0.001, 0.5
"""Bounds of beta when it is steered, so that the penalty neither vanishes nor outweighs the reward."""


class KLSettings(BaseModel):
    """The penalty beta * KL(policy, reference), per token."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    reference: Literal["base", "frozen", "ema"] = Field(
        default="base",
        description="The reference policy: base (the model without its adapter), frozen (the policy at the start "
        "of the "
        "run), ema (a moving average of the policy).",
    )
    estimator: Literal["exact", "k3"] = Field(
        default="exact",
        description="exact: the sum over the legal tokens; k3: an estimate from the sampled token alone.",
    )
    beta: float = Field(
        default=0.01, ge=0, description="Weight of the penalty; 0 for none. With a target: its initial value."
    )
    warmup_steps: int = Field(default=0, ge=0, description="Steps in which beta rises linearly from 0 to its value.")
    target: float = Field(
        default=0.0, ge=0, description="KL per token that beta is steered towards; 0 leaves beta constant."
    )
    ema_tau: float = Field(default=0.99, ge=0, lt=1, description="Decay of the ema reference at each step.")

    @model_validator(mode="after")
    def _bounds(self) -> KLSettings:
        if self.target and not BETA_MIN <= self.beta <= BETA_MAX:
            raise ValueError(
                f"beta {self.beta:g} is outside {BETA_MIN:g} .. {BETA_MAX:g}, between which target steers it: begin "
                "inside, or set target = 0"
            )
        return self


class KLController:
    """Controller of `beta`, which is updated with the measured KL of each step.

    Step n of the warm-up, from 0, has beta * n / warmup_steps. After it, where there is a target, every step whose
    average KL is above 1.5 times the target multiplies beta by 1.5, and below half of it divides by 1.5, within
    BETA_MIN and BETA_MAX.
    """

    def __init__(self, settings: KLSettings) -> None:
        self._settings = settings
        self._step = 0
        self._full = settings.beta
        self._ema: float | None = None

    @property
    def warmup_progress(self) -> float:
        """Return 0 at the first step of a warm-up, 1 after it."""
        return min(1.0, self._step / self._settings.warmup_steps) if self._settings.warmup_steps else 1.0

    @property
    def beta(self) -> float:
        """Return the beta of the next step."""
        return self._full * self.warmup_progress

    def update(self, kl: float) -> dict[str, float]:
        """End the step in which `kl` was measured, in nats per token.

        Return its metrics: `kl/beta` as it was used, `kl/warmup_progress`, `kl/ema`, and `kl/beta_adjusted` (1 up,
        -1 down, 0 left). Raises ValueError, changing nothing, if `kl` is not finite.
        """
        if not math.isfinite(kl):
            raise ValueError(f"the KL of step {self._step} is {kl}: its log-probabilities are broken")
        used, progress = self.beta, self.warmup_progress
        weight = 2 / (HORIZON + 1)
        self._ema = kl if self._ema is None else (1 - weight) * self._ema + weight * kl
        adjusted = self._steer(self._ema) if self._settings.target and progress == 1 else 0
        self._step += 1
        return {"kl/beta": used, "kl/warmup_progress": progress, "kl/ema": self._ema, "kl/beta_adjusted": adjusted}

    def _steer(self, ema: float) -> int:
        settings, before = self._settings, self._full
        if ema > _HIGH * settings.target:
            self._full = min(before * _FACTOR, BETA_MAX)
        elif ema < _LOW * settings.target:
            self._full = max(before / _FACTOR, BETA_MIN)
        return (self._full > before) - (self._full < before)

    def state_dict(self) -> dict[str, Any]:
        """Return the mutable state, which JSON represents exactly."""
        return {"step": self._step, "full": self._full, "ema": self._ema}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore a `state_dict()`. Raises KeyError if something is missing."""
        self._step, self._full, self._ema = state["step"], state["full"], state["ema"]
