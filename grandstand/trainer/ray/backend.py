"""The backend on a Ray cluster: parts of a step are played by workers, and recorded here in the order of the plan.

If a worker is lost, another plays its parts again with the same draws, so
that the result of the run is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from math import inf
from pathlib import Path
from typing import Any

import ray
from ray.actor import ActorHandle

from grandstand.games.base import SeatId
from grandstand.trainer.backend import Destination, match_count, parts
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.ray.cluster import ClusterConnection, Reservation, same_code, wait_for
from grandstand.trainer.ray.parcel import pack
from grandstand.trainer.ray.pool import Pool
from grandstand.trainer.ray.worker import GroupsRequest, PlayedGroups, Publication, RolloutWorker
from grandstand.trainer.rollout.rollouts import Group, GroupPlayer, OnProgress, Scores, ignore_progress

PlayedRef = ray.ObjectRef[PlayedGroups]


class RayBackend:
    """Workers on a cluster, and the published versions as objects that they fetch."""

    def __init__(self, config: TrainConfig, base: Path | None) -> None:
        """Connect, and wait for the first worker. Raises BackendError, PolicyError or SamplerError."""
        self._config = config
        settings = config.backend
        self._connection = ClusterConnection(settings.address)
        self._base = [] if base is None else [ray.put(pack(base))]
        self._versions: dict[int, Publication] = {}
        self._serials = count(1)
        place = Reservation(settings.worker_cpus, settings.worker_gpus, settings.worker_resources)
        self.pool = Pool("worker", RolloutWorker, place, settings.workers, self._prepare)
        try:
            self.pool.wait_until_ready()
        except BaseException:
            self.close()
            raise

    def publish(self, version: int, folder: Path) -> None:
        self._versions[version] = Publication(next(self._serials), ray.put(pack(folder)))

    def retire(self, version: int) -> None:
        self._versions.pop(version, None)

    def player(self, into: Destination) -> GroupPlayer:
        return _RayPlayer(self._config, self.pool, self._versions, into)

    def metrics(self) -> dict[str, float]:
        return {
            "workers/alive": float(self.pool.alive),
            "workers/restarted": float(self.pool.restarted),
            "workers/groups_replayed": float(self.pool.replayed),
        }

    def close(self) -> None:
        self.pool.close()
        self._connection.close()

    def _prepare(self, actor: ActorHandle[Any], check: Callable[[], None]) -> str:
        """Start the sampler of a new worker, and return its name. Raises BackendError if its code differs from ours."""
        name = same_code(wait_for(actor.info.remote(), check))
        wait_for(actor.start.remote(self._config, self._base), check)
        return name


class _RayPlayer:
    """Plays the parts of a step side by side."""

    def __init__(self, config: TrainConfig, pool: Pool, versions: Mapping[int, Publication], into: Destination) -> None:
        self._config, self._pool, self._into = config, pool, into
        self._versions = dict(versions)
        """The versions published at the start: one that is retired meanwhile stays until the player is done."""

    def play_groups(
        self, groups: Sequence[Group], progress: OnProgress = ignore_progress, seconds: float = inf
    ) -> Scores:
        whole = match_count(groups)
        cut = parts(self._config, groups)
        tasks = [self._pool.submit(self._call(part, seconds), len(part)) for part in cut]

        def tell() -> None:
            over = [part for part, task in zip(cut, tasks, strict=True) if task.result.done()]
            progress(sum(map(match_count, over)), whole)

        scores: dict[str, Mapping[SeatId, float]] = {}
        try:
            for task in tasks:
                played: PlayedGroups = self._pool.result(task, tell)
                for events in played.batches:
                    self._into.bus.relay(events)
                scores |= played.scores
                tell()
        finally:
            for task in tasks:
                task.wanted = False
        return scores

    def _call(self, groups: Sequence[Group], seconds: float) -> Callable[[ActorHandle[Any]], PlayedRef]:
        request = GroupsRequest(groups, self._versions, self._into.peers, seconds)
        return lambda actor: actor.play.remote(request)
