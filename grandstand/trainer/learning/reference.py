"""The reference policy of the KL: `base`, `frozen` or `ema`, as the settings say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from grandstand.trainer.config.objective_settings import KLSettings
from grandstand.trainer.model.policy import Policy


class Reference:
    """`base` is the policy without its adapter; `frozen` its adapter as the run began; `ema` the moving average of it.

    The average after each step is tau * average + (1 - tau) * adapter, factor by factor.
    """

    def __init__(self, settings: KLSettings, policy: Policy) -> None:
        self.name = settings.reference
        self._tau = settings.ema_tau
        self._policy = policy
        self._state: dict[str, Tensor] = {}
        if self.name != "base":
            self._state = {name: tensor.detach().clone() for name, tensor in policy.adapter().items()}

    @contextmanager
    def active(self) -> Iterator[None]:
        """Make the policy the reference, without gradients, inside the block."""
        with torch.no_grad():
            if self.name == "base":
                with self._policy.without_adapter():
                    yield
                return
            own = {name: tensor.detach().clone() for name, tensor in self._policy.adapter().items()}
            self._policy.load_adapter(self._state)
            try:
                yield
            finally:
                self._policy.load_adapter(own)

    def follow(self) -> None:
        """Move the average towards the adapter, after a step. The other references do not change."""
        if self.name == "ema":
            for name, tensor in self._policy.adapter().items():
                self._state[name].lerp_(tensor.detach(), 1.0 - self._tau)

    def state_dict(self) -> dict[str, Any]:
        return {"name": self.name, "state": self._state}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Raise ValueError if it is the state of another reference."""
        if state["name"] != self.name:
            raise ValueError(f"kl.reference: the checkpoint has {state['name']!r}, the settings {self.name!r}")
        for name, tensor in self._state.items():
            tensor.copy_(state["state"][name])
