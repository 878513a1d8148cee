"""Control the weight of the KL penalty: warm-up, and steering towards a target. No tensors."""

from __future__ import annotations

import math
from typing import Any

from grandstand.trainer.config.objective_settings import BETA_MAX, BETA_MIN, KLSettings

_LOW, _HIGH = 0.5, 1.5
"""Multiples of the target between which beta stays unchanged."""
_FACTOR = 1.5
"""Factor by which beta is multiplied or divided otherwise."""
HORIZON = 10
"""Steps over which the KL is averaged, with the weight 2 / (HORIZON + 1): single steps are too noisy to steer by."""


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
