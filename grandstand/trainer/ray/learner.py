"""The learner on a node of the cluster: the same learner in an actor that reserves resources of its own.

After each step its whole state comes back, so if it is lost, only the current step is taken again.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ray
import torch
from ray.actor import ActorHandle
from torch import Tensor

from grandstand.games.registry import game_spec
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.learning.learner import AdapterOf, Learner
from grandstand.trainer.model.batch import TrainingSample
from grandstand.trainer.model.policy import Policy, load, with_adapter
from grandstand.trainer.ray.cluster import ClusterConnection, Reservation, same_code, wait_for
from grandstand.trainer.ray.parcel import Parcel, ProcessInfo, pack, process_info, unpack
from grandstand.trainer.ray.pool import Pool

State = dict[str, Any]
"""As `Learner.state_dict` returns it."""


class LearnerWorker:
    """The actor."""

    def info(self) -> ProcessInfo:
        return process_info()

    def start(self, config: TrainConfig, base: Sequence[ray.ObjectRef[Parcel]], state: bytes) -> None:
        """Load the policy, with the adapter and the state of a learner. Raises PolicyError."""
        torch.set_num_threads(config.policy.threads)
        with TemporaryDirectory(prefix="grandstand-learner-") as folder:
            source = unpack(ray.get(base[0]), Path(folder)) if base else None
            policy = load(config.policy, game_spec(config.game.name), source)
        self._learner = Learner(config, with_adapter(policy, config.policy, config.run.seed))
        self.load(state)

    def load(self, state: bytes) -> None:
        """Take over the state of a learner."""
        self._learner.load_state_dict(_state(state))

    def step(
        self, samples: Sequence[TrainingSample], step: int, adapters: Mapping[int, Mapping[str, Tensor]]
    ) -> tuple[dict[str, float], bytes]:
        """Take a step, and return its metrics and the state after it. Raises Mismatch or Diverged."""
        metrics = self._learner.step(samples, step, adapters.__getitem__)
        return metrics, _bytes(self._learner.state_dict())


class RayLearner:
    """The learner of a run, whose steps are taken by an actor. It starts with the first step."""

    def __init__(self, config: TrainConfig, policy: Policy, base: Path | None) -> None:
        """`policy` is given the adapter of every step."""
        self._config, self._policy, self._base_folder = config, policy, base
        self._state = _bytes(Learner(config, policy).state_dict())
        self._connection: ClusterConnection | None = None
        self._pool: Pool | None = None

    def step(self, samples: Sequence[TrainingSample], step: int, adapter_of: AdapterOf) -> dict[str, float]:
        """Take a step as `Learner.step` does, again if the actor is lost. Raises BackendError if none can be had."""
        pool = self._pool or self._open()
        older = {sample.version for sample in samples if sample.choices} - {step - 1}
        adapters = {version: adapter_of(version) for version in older}

        def call(actor: ActorHandle[Any]) -> ray.ObjectRef[tuple[dict[str, float], bytes]]:
            result: ray.ObjectRef[tuple[dict[str, float], bytes]] = actor.step.remote(samples, step, adapters)
            return result

        metrics, self._state = pool.result(pool.submit(call, weight=0))
        self._policy.load_adapter(self.state_dict()["adapter"])
        return {**metrics, "workers/learner_restarted": float(pool.restarted)}

    def state_dict(self) -> State:
        return _state(self._state)

    def load_state_dict(self, state: State) -> None:
        learner = Learner(self._config, self._policy)
        learner.load_state_dict(state)
        self._load(learner)

    def reset(self, adapter: Mapping[str, Tensor]) -> None:
        """Begin anew from these weights, as `Learner.reset` does."""
        self._policy.load_adapter(adapter)
        self._load(Learner(self._config, self._policy))

    def _load(self, learner: Learner) -> None:
        """Take over the state of a learner, and send it to the actor if there is one."""
        self._state = state = _bytes(learner.state_dict())
        if self._pool is None:
            return

        def call(actor: ActorHandle[Any]) -> ray.ObjectRef[None]:
            result: ray.ObjectRef[None] = actor.load.remote(state)
            return result

        self._pool.result(self._pool.submit(call, weight=0))

    def close(self) -> None:
        if self._pool is not None:
            self._pool.close()
        if self._connection is not None:
            self._connection.close()

    def _open(self) -> Pool:
        settings = self._config.backend
        self._connection = ClusterConnection(settings.address)
        self._base = [ray.put(pack(self._base_folder))] if self._base_folder else []
        place = Reservation(settings.learner_cpus, settings.learner_gpus, settings.learner_resources)
        self._pool = Pool("learner", LearnerWorker, place, 1, self._prepare)
        return self._pool

    def _prepare(self, actor: ActorHandle[Any], check: Callable[[], None]) -> str:
        name = same_code(wait_for(actor.info.remote(), check))
        wait_for(actor.start.remote(self._config, self._base, self._state), check)
        return name


def _bytes(state: State) -> bytes:
    """Return a state as bytes, which any machine reads, whatever device its tensors were on."""
    stream = io.BytesIO()
    torch.save(state, stream)
    return stream.getvalue()


def _state(data: bytes) -> State:
    state: State = torch.load(io.BytesIO(data), weights_only=True, map_location="cpu")
    return state
