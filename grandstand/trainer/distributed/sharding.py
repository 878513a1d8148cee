"""Share the frozen weights of a policy's layers among processes (FSDP2); the adapter stays whole in each of them."""

from __future__ import annotations

from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

from grandstand.trainer.model.policy import Policy, PolicyError


def shard(policy: Policy, processes: int) -> None:
    """Keep one part of each layer's frozen weights in this process; a layer is gathered while it is computed.

    Embeddings, the last norm and the output head are not shared, because the head is used outside of the model's own
    forward pass. The adapter is not either: its gradients are added up like those of any other group.
    Raises PolicyError if the model does not keep its layers in `layers`.
    """
    layers = getattr(policy.decoder, "layers", None)
    if not isinstance(layers, nn.ModuleList):
        raise PolicyError(
            f"optimizer.shard: {type(policy.decoder).__name__} has no list of layers to share; leave it out"
        )
    mesh = init_device_mesh(policy.device.type, (processes,))
    adapter = {parameter for _, parameter in policy.trainable()}
    for layer in layers:
        fully_shard(layer, mesh=mesh, ignored_params=adapter)
    # The decoder has nothing of its own to share; as their common root, it lets the layers be gathered ahead.
    fully_shard(policy.decoder, mesh=mesh, ignored_params=set(policy.decoder.parameters()) - _within(layers) | adapter)


def _within(layers: nn.ModuleList) -> set[nn.Parameter]:
    return set(layers.parameters())
