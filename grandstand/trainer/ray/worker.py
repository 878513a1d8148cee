"""A rollout worker: a process of the cluster with a sampler of its own, which plays the groups that it is sent.

It is the local backend with a bus whose record is the answer. It keeps nothing that a new worker cannot be sent:
each call names the versions that it needs, and it fetches those that it does not have.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import ray
import torch

from grandstand.games.registry import game_spec
from grandstand.models import Event
from grandstand.spectator.bus import Bus
from grandstand.trainer.backend import Destination, LocalBackend
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.model.policy import PolicyError, load_codec
from grandstand.trainer.ray.parcel import Parcel, ProcessInfo, process_info, unpack
from grandstand.trainer.rollout.rollouts import Group, Scores


@dataclass(frozen=True)
class Publication:
    """One publication of a policy version: its unique number, and the files of the version."""

    serial: int
    files: ray.ObjectRef[Parcel]


@dataclass(frozen=True)
class GroupsRequest:
    """Groups that are played side by side, and the versions that play."""

    groups: Sequence[Group]
    versions: Mapping[int, Publication]
    peers: Mapping[str, int]
    seconds: float


@dataclass(frozen=True)
class PlayedGroups:
    """The events of a part in the order in which they were published, and the scores."""

    batches: Sequence[Sequence[Event]]
    scores: Scores


class EventLog:
    """A record in memory."""

    def __init__(self) -> None:
        self.batches: list[Sequence[Event]] = []

    def on_events(self, events: Sequence[Event]) -> None:
        self.batches.append(events)

    def delete(self, episode_ids: Sequence[str]) -> None:
        self.batches = [events for events in self.batches if events[0].episode_id not in episode_ids]


class RolloutWorker:
    """The actor. Its sampler starts with `start`, so that errors are told apart from a lost process."""

    def info(self) -> ProcessInfo:
        return process_info()

    def start(self, config: TrainConfig, base: Sequence[ray.ObjectRef[Parcel]]) -> None:
        """Load the model and open the sampler. Raises PolicyError or SamplerError."""
        torch.set_num_threads(config.policy.threads)
        self._folder = TemporaryDirectory(prefix="grandstand-worker-")
        self._path = Path(self._folder.name)
        source = unpack(ray.get(base[0]), self._path / "base") if base else None
        spec = game_spec(config.game.name)
        model = str(source or config.policy.model)
        try:
            codec = load_codec(model, spec)
        except (OSError, ValueError) as error:
            raise PolicyError(f"policy.model: cannot load {model!r} on {platform.node()}: {error}") from error
        self._backend = LocalBackend(config, spec, codec, source, self._path)
        self._loaded: dict[int, int] = {}
        """Version -> the publication that the sampler has."""

    def play(self, request: GroupsRequest) -> PlayedGroups:
        """Play the groups side by side. Raises SamplerError."""
        self._update(request.versions)
        log = EventLog()
        player = self._backend.player(Destination(Bus(log), log, request.peers))
        scores = player.play_groups(request.groups, seconds=request.seconds)
        return PlayedGroups(log.batches, scores)

    def _update(self, versions: Mapping[int, Publication]) -> None:
        """Publish to the sampler the versions that it does not have, and retire those that are gone."""
        for number in self._loaded.keys() - versions.keys():
            self._backend.retire(number)
            del self._loaded[number]
        for number, publication in sorted(versions.items()):
            if self._loaded.get(number) != publication.serial:
                with TemporaryDirectory(dir=self._path) as folder:  # samplers read or copy it immediately
                    self._backend.publish(number, unpack(ray.get(publication.files), Path(folder)))
                self._loaded[number] = publication.serial
