"""A policy whose adapter is added to its weights: each adapted layer computes one product instead of three."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from peft import PeftModel
from peft.tuners.lora import LoraLayer
from torch import Tensor, nn

from grandstand.trainer.model.policy import Policy, PolicyError


class _Layer(NamedTuple):
    """An adapted layer."""

    weight: Tensor
    """The weights in use; every version overwrites them."""
    original: Tensor
    """The weights without an adapter. Versions are added to these, so that rounding errors do not add up."""
    scale: float


class MergedPolicy:
    """A policy for sampling, whose adapter can be exchanged. The log-probabilities are those of the unmerged policy up
    to rounding, so it is meant for float32."""

    def __init__(self, policy: Policy) -> None:
        """Take over `policy`, which has an adapter and cannot be used by itself afterwards."""
        if not isinstance(policy.model, PeftModel):
            raise PolicyError("policy: it has no adapter to add to its weights")
        adapter = {name: tensor.clone() for name, tensor in policy.adapter().items()}
        self._layers = {name: _layer(module) for name, module in _adapted(policy.model)}
        self._shapes = {name: tensor.shape for name, tensor in adapter.items()}
        self.policy = Policy(policy.model.unload(), policy.codec)
        self.load_adapter(adapter)

    def load_adapter(self, state: Mapping[str, Tensor]) -> None:
        """Use the weights with this adapter, by the names of `Policy.adapter`. Raise PolicyError if it does not fit."""
        shapes = {name: tensor.shape for name, tensor in state.items()}
        if shapes != self._shapes:
            raise PolicyError(
                f"policy: the adapter's tensors differ: {sorted(shapes.items() ^ self._shapes.items())[:3]}"
            )
        with torch.no_grad():
            for name, layer in self._layers.items():
                down, up = (state[f"{name}.lora_{part}.weight"].to(layer.weight.device) for part in "AB")
                torch.addmm(layer.original, up, down, alpha=layer.scale, out=layer.weight)


def _adapted(model: PeftModel) -> list[tuple[str, LoraLayer]]:
    """Return the adapted layers by the names that their tensors begin with in `Policy.adapter`."""
    return [(name, module) for name, module in model.named_modules() if isinstance(module, LoraLayer)]


def _layer(module: LoraLayer) -> _Layer:
    linear = module.get_base_layer()
    assert isinstance(linear, nn.Linear)
    weight = linear.weight.data
    return _Layer(weight, weight.clone(), float(module.scaling[module.active_adapters[0]]))
