"""The backend and the learner that a run's settings ask for."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from grandstand.games.spec import GameSpec
from grandstand.trainer.backend import Backend, LocalBackend, RunLearner
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.distributed.learner import open_local_learner
from grandstand.trainer.model.codec import Codec
from grandstand.trainer.model.policy import Policy
from grandstand.trainer.model.sampler import BackendError


def open_backend(config: TrainConfig, spec: GameSpec, codec: Codec, base: Path | None, folder: Path) -> Backend:
    """Open the backend of the run in `folder`, on the policy in `base` or else the unchanged model, without versions.

    Raises SamplerError, PolicyError or BackendError.
    """
    if config.backend.engine == "local":
        return LocalBackend(config, spec, codec, base, folder)
    _check_ray()
    from grandstand.trainer.ray.backend import RayBackend

    return RayBackend(config, base)


def open_learner(config: TrainConfig, policy: Policy, base: Path | None) -> RunLearner:
    """Return the learner of a run, which keeps the newest version's adapter in `policy`.

    One on a node of a cluster, or of several processes, starts with its first step. Raises BackendError or PolicyError.
    """
    if config.backend.engine == "local" or config.backend.learner == "driver":
        return open_local_learner(config, policy, base)
    _check_ray()
    from grandstand.trainer.ray.learner import RayLearner

    return RayLearner(config, policy, base)


def _check_ray() -> None:
    if find_spec("ray") is None:
        raise BackendError(
            'backend.engine: Ray is not installed: pip install "grandstand[train,ray]", or in a checkout '
            "scripts/setup/ray; or take backend.engine = local"
        )
