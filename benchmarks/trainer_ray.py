"""Playing a step of training in one process, and on a Ray cluster of two nodes on this machine.

    python -m benchmarks.trainer_ray --rounds 5

Every round plays the same groups in each way, one after the other: in one batch, in parts of one group in this process,
and in the same parts on one worker and on two, each on a node of its own. The clock depends on what else the machine
does; processor time, of this process and of the workers, hardly does. Starting workers is not part of a round.
"""

from __future__ import annotations

import argparse
import os
import pickle
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import ray
import torch
from ray._private.state import actors
from ray.cluster_utils import Cluster

from benchmarks.diplomacy_engine import cpu_name
from benchmarks.report import Cell, add_out, publish, table
from grandstand.games.registry import game_spec
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import read
from grandstand.trainer.backend import Backend, Destination, LocalBackend
from grandstand.trainer.config.files import load as load_config
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import BASE_ADDRESS, plan_step
from grandstand.trainer.model.codec import Codec
from grandstand.trainer.model.policy import nano, with_adapter
from grandstand.trainer.model.versions import ADAPTER
from grandstand.trainer.ray.backend import RayBackend
from grandstand.trainer.rollout.rollouts import Group

SPEC = game_spec("diplomacy")


class Took(NamedTuple):
    """Seconds of a step: of the clock, and of the processors of this process and of the workers."""

    wall: float
    cpu: float


def settings(groups: int, samples: int, batch_groups: int = 1, **backend: object) -> TrainConfig:
    preset = load_config("nano-diplomacy").values()
    preset["rollout"] |= {"groups": groups, "samples": samples, "batch_groups": batch_groups}
    return TrainConfig.model_validate({**preset, "backend": backend})


def groups_of(config: TrainConfig) -> list[Group]:
    """Return the groups of the first step, against the base."""
    plans = plan_step(config, SPEC, 1, {BASE_ADDRESS: 1.0})
    return [Group(plan, 0, [f"{plan.id}-f{n}" for n in range(config.rollout.samples)]) for plan in plans]


def worker_cpu() -> float:
    """Return the processor time of all workers so far."""
    if not ray.is_initialized():
        return 0.0
    pids = [actor["Pid"] for actor in actors().values() if actor["State"] == "ALIVE"]
    ticks = [Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[11:13] for pid in pids]
    return sum(int(part) for pair in ticks for part in pair) / os.sysconf("SC_CLK_TCK")


def played(backend: Backend, groups: Sequence[Group], folder: Path) -> tuple[Took, bytes]:
    """Play groups into a new record; return the cost, and the events of one group as they are sent."""
    with tempfile.TemporaryDirectory(dir=folder) as place, closing(Recorder(Path(place) / "record.db")) as recorder:
        cpu, wall = time.process_time() + worker_cpu(), time.perf_counter()
        backend.player(Destination(Bus(recorder), recorder)).play_groups(groups)
        took = Took(time.perf_counter() - wall, time.process_time() + worker_cpu() - cpu)
        return took, pickle.dumps([read(recorder, name).events for name in groups[0].episode_ids])


@contextmanager
def two_nodes() -> Iterator[str]:
    """Yield the address of a cluster whose head takes no workers, and two nodes that take two each."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    node: dict[str, Any] = {
        "object_store_memory": 100 * 2**20,
        "include_dashboard": False,
    }
    cluster = Cluster(initialize_head=True, head_node_args={**node, "num_cpus": 0})
    for _ in range(2):
        cluster.add_node(**node, num_cpus=2)
    try:
        yield cluster.address
    finally:
        cluster.shutdown()  # type: ignore[no-untyped-call]


def row(way: str, rounds: Sequence[Took], first: Sequence[Took]) -> list[Cell]:
    wall, cpu = (median(getattr(took, name) for took in rounds) for name in Took._fields)
    ratio = median(took.cpu / other.cpu for took, other in zip(rounds, first, strict=True))
    walls = sorted(took.wall for took in rounds)
    return [way, wall, f"{walls[0]:.2f}–{walls[-1]:.2f}", cpu, ratio]


def opened(
    stack: ExitStack, options: argparse.Namespace, codec: Codec, folder: Path, address: str
) -> Iterator[tuple[str, Backend]]:
    """Yield the ways of playing a step, each with a sampler or workers that are ready."""
    for name, batch_groups in (("parts of one group", 1), ("all groups in one batch", 0)):
        config = settings(options.groups, options.samples, batch_groups)
        backend = LocalBackend(config, SPEC, codec, folder / "base", folder)
        yield f"this process, {name}", stack.enter_context(closing(backend))
    for workers in (1, 2):
        config = settings(options.groups, options.samples, engine="ray", address=address, workers=workers)
        cluster = stack.enter_context(closing(RayBackend(config, folder / "base")))
        while cluster.pool.alive < workers:
            cluster.pool.check()
            time.sleep(0.1)
        yield f"Ray, {workers} worker{'s' * (workers > 1)}", cluster


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--groups", type=int, default=8)
    parser.add_argument("--samples", type=int, default=8)
    add_out(parser)
    options = parser.parse_args()
    torch.set_num_threads(1)
    config = settings(options.groups, options.samples)
    groups = groups_of(config)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        nano(SPEC, 1).save(folder / "base")
        policy = with_adapter(nano(SPEC, 1), config.policy, 0)
        policy.save(folder / "version")
        adapter = (folder / "version" / ADAPTER).stat().st_size
        address = stack.enter_context(two_nodes())
        ray.init(address, log_to_driver=False)
        stack.callback(ray.shutdown)
        ways = dict(opened(stack, options, policy.codec, folder, address))
        rounds: dict[str, list[Took]] = {way: [] for way in ways}
        size = 0
        for number in range(options.rounds + 1):
            for way, backend in ways.items():
                if not number:
                    backend.publish(0, folder / "version")
                took, sent = played(backend, groups, folder)
                size = len(sent)
                if number:  # the first round loads the version and warms up
                    rounds[way].append(took)
    conditions = (
        f"{cpu_name()}, torch {torch.__version__}, Ray {ray.__version__}, {options.rounds} rounds of steps of "
        f"{options.groups} groups of {options.samples} matches; the events of a group are {size / 1e3:.0f} kB, "
        f"an adapter {adapter / 1e3:.0f} kB"
    )
    first = next(iter(rounds.values()))
    rows = [row(way, tooks, first) for way, tooks in rounds.items()]
    section = table("Ways", ["way", "seconds of the clock", "range", "processor seconds", "ratio"], rows)
    publish("Playing on a Ray cluster", conditions, [section], options.out)


if __name__ == "__main__":
    main()
