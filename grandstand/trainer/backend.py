"""The backend of a run, which plays its matches: in this process, or on the machines of a Ray cluster.

Groups are played in parts of a fixed size (`rollout.batch_groups`), and each part is one batch of the sampler, wherever
it is played: the machines do not change the result.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any, Protocol

from torch import Tensor

from grandstand.games.base import SeatId
from grandstand.games.spec import GameSpec
from grandstand.spectator.bus import Bus
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.learning.learner import AdapterOf
from grandstand.trainer.model.batch import TrainingSample
from grandstand.trainer.model.codec import Codec
from grandstand.trainer.model.policy import load, with_adapter
from grandstand.trainer.model.sampler import Sampler, SamplerError
from grandstand.trainer.model.torch_sampler import TorchSampler
from grandstand.trainer.rollout.rollouts import Group, GroupPlayer, OnProgress, Rollouts, Scores, ignore_progress
from grandstand.trainer.vllm.launch import VllmOptions
from grandstand.trainer.vllm.sampler import VllmSampler
from grandstand.trainer.vllm.server import VllmServer


class MatchStore(Protocol):
    """A store from which matches that have to be played again are deleted."""

    def delete(self, episode_ids: Sequence[str]) -> None: ...


@dataclass(frozen=True)
class Destination:
    """The bus that matches are published to, and its record."""

    bus: Bus
    store: MatchStore
    peers: Mapping[str, int] = field(default_factory=dict)
    """Numbers at the sampler of other runs' versions, by name."""


class Backend(Protocol):
    """The samplers of a run, with the published versions."""

    def publish(self, version: int, folder: Path) -> None:
        """Load the version saved in `folder`; it replaces an earlier one with its number."""

    def retire(self, version: int) -> None:
        """Forget a version. Matches that are being played with it are finished first."""

    def player(self, into: Destination) -> GroupPlayer:
        """Return a player that publishes to a record; several may play at the same time."""

    def metrics(self) -> dict[str, float]:
        """Return the state of the workers as metrics; none without workers."""

    def close(self) -> None: ...


class RunLearner(Protocol):
    """The learner of a run, in this process or on a node of a cluster. See `Learner`."""

    def step(self, samples: Sequence[TrainingSample], step: int, adapter_of: AdapterOf) -> dict[str, float]: ...

    def reset(self, adapter: Mapping[str, Tensor]) -> None: ...

    def state_dict(self) -> dict[str, Any]: ...

    def load_state_dict(self, state: dict[str, Any]) -> None: ...

    def close(self) -> None: ...


class LocalBackend:
    """One sampler in this process."""

    def __init__(self, config: TrainConfig, spec: GameSpec, codec: Codec, base: Path | None, folder: Path) -> None:
        """Open the sampler, which keeps its files in `folder`. Raises SamplerError or PolicyError."""
        self._config, self._spec, self._codec = config, spec, codec
        self._sampler = open_sampler(config, spec, base, folder)

    def publish(self, version: int, folder: Path) -> None:
        self._sampler.publish(version, folder)

    def retire(self, version: int) -> None:
        self._sampler.retire(version)

    def player(self, into: Destination) -> GroupPlayer:
        rollouts = Rollouts(self._config, self._spec, self._codec, self._sampler, into.bus, into.peers)
        return _LocalPlayer(self._config, rollouts, into.store)

    def metrics(self) -> dict[str, float]:
        return {}

    def close(self) -> None:
        self._sampler.close()


@dataclass(frozen=True)
class _LocalPlayer:
    """Plays the parts of a step one after the other."""

    config: TrainConfig
    rollouts: Rollouts
    store: MatchStore

    def play_groups(
        self, groups: Sequence[Group], progress: OnProgress = ignore_progress, seconds: float = inf
    ) -> Scores:
        scores: dict[str, Mapping[SeatId, float]] = {}
        whole = match_count(groups)

        def tell(over: int, _: int) -> None:
            progress(len(scores) + over, whole)

        for part in parts(self.config, groups):
            scores |= self._played(part, tell, seconds)
        return scores

    def _played(self, part: Sequence[Group], progress: OnProgress, seconds: float) -> Scores:
        """Play a part, and again if the sampler fails. Raises SamplerError when it has failed too often."""
        for attempt in range(self.config.rollout.retries + 1):
            try:
                return self.rollouts.play_groups(part, progress, seconds)
            except SamplerError:
                self.store.delete([episode_id for group in part for episode_id in group.episode_ids])
                if attempt == self.config.rollout.retries:
                    raise
        raise AssertionError("there is at least one attempt")


def parts(config: TrainConfig, groups: Sequence[Group]) -> list[list[Group]]:
    """Return the groups in parts; the groups of a part are played together, on whatever machine.

    A part has as many matches as `rollout.batch_groups` training groups.
    """
    most = config.rollout.batch_groups * config.rollout.samples or match_count(groups)
    result: list[list[Group]] = []
    for group in groups:
        if not result or match_count([*result[-1], group]) > most:
            result.append([])
        result[-1].append(group)
    return result


def match_count(groups: Sequence[Group]) -> int:
    """Return the number of matches of groups."""
    return sum(len(group.episode_ids) for group in groups)


def open_sampler(config: TrainConfig, spec: GameSpec, base: Path | None, folder: Path) -> Sampler:
    """Return a sampler of the run in `folder`, over the policy in `base` (or the model as it comes), without versions.

    Raises SamplerError if its engine does not start.
    """
    if config.sampler.engine == "torch":
        policy = with_adapter(load(config.policy, spec, base), config.policy, config.run.seed)
        return TorchSampler(policy, config.sampler.batch, merge=config.policy.dtype == "float32")
    options = config.sampler.vllm.model_dump()
    server = VllmServer(
        VllmOptions(
            **{**options, "python": options["python"] or sys.executable},
            model=str(base or config.policy.model),
            folder=folder / "vllm",
            name=config.run.name,
            max_lora_rank=config.policy.lora_rank,
        )
    )
    return VllmSampler([server], concurrency=config.sampler.batch)
