"""Besiege two servers of one record, and check that every viewer has the whole record, once.

    python -m benchmarks.siege --minutes 10 --seed 1 --record siege --watch http://127.0.0.1:8000

The servers are real processes on a real PostgreSQL and Redis. For some minutes their viewers lose their connections in
every way, while faults that are drawn from the seed happen to the servers, PostgreSQL, Redis, the disk, the clocks and
the provider of models, and floods of requests come. Then what each viewer received is compared with the record. The
report is printed. It is also an episode, with every fault at its time: `--watch` names a server on which it is shown
live, and replayed later; `--record` a folder for it, of which `grandstand report` makes a report again. The exit
status is 1 if anything was lost, doubled, wrong or leaked. A full disk needs the right to mount a file system, a jump
of a clock a C compiler.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx2

from benchmarks.report import add_out, publish
from benchmarks.siege_cluster import Cluster, besieged
from benchmarks.siege_faults import ENDING, FAULTS, Siege
from benchmarks.siege_network import Network
from benchmarks.siege_report import Result, SiegeRecord, resources, sections, verdict
from benchmarks.siege_viewers import Match, audience, compare
from grandstand.campaign_events import SERIES
from grandstand.play.record_folder import SERIES_RECORD
from grandstand.spectator.bus import Observer
from grandstand.spectator.errors import RecordError
from grandstand.terminal.console import PUBLISH_TOKEN
from grandstand.terminal.viewer import viewer
from tests.support.requirements import package
from tests.support.server.cluster import OPERATOR, TOKEN, recorded

LIVE = 5
"""Matches at the same time."""

MATCHES = (
    {"game": "cricket", "options": {"overs": 10}, "pace": 0.4},
    {"game": "diplomacy", "options": {"last_year": 1904}, "pace": 1.5},
    {"game": "diplomacy", "options": {"last_year": 1903}, "pace": 1.0, "players": {"FRANCE": "model"}},
)
LASTING = 0.6
"""Share of the time after which no server is ended any more, so that what leaks has time to show."""

PATIENCE = 120.0
"""Seconds that the matches and viewers have to end after the last fault."""

REST = 60.0
"""Seconds in which the servers close what nobody uses any more."""


@dataclass
class Strike:
    """A fault at `at` seconds. `standstill` are the longest seconds for which a match stood still meanwhile."""

    at: float
    name: str
    seed: int
    began: float = field(default=0.0, compare=False)
    ended: float = field(default=0.0, compare=False)
    standstill: float = field(default=0.0, compare=False)


def plan(seed: int, seconds: float, every: float) -> list[Strike]:
    """Return the faults of a siege: each one once in a drawn order, then by weight, about one in `every` seconds."""
    rng = Random(seed)
    first = rng.sample(sorted(FAULTS), len(FAULTS))
    strikes: list[Strike] = []
    at = 3.0
    while at < seconds:
        late = at > LASTING * seconds
        names = [name for name in sorted(FAULTS) if not (late and name in ENDING)]
        drawn = rng.choices(names, [FAULTS[name][1] for name in names])[0]
        name = first.pop() if first and first[-1] in names else drawn
        strikes.append(Strike(at, name, rng.getrandbits(32)))
        at += rng.uniform(0.4, 1.6) * every
    return strikes


@dataclass(frozen=True)
class Force:
    """How strong a siege is. `cuts` is the number of viewers' connections that are cut in a second."""

    seconds: float = 600.0
    seed: int = 1
    viewers: int = 60
    cuts: float = 25.0
    every: float = 4.0
    """Seconds from one fault to the next, on average."""


async def besiege(cluster: Cluster, force: Force, shown: Observer | None = None, logs: Path | None = None) -> Result:
    """Besiege a cluster, and return what came of it.

    The siege's own episode is told to `shown`. The servers' logs are copied into the folder `logs`.
    """
    rng = Random(force.seed)
    network = Network(cluster.addresses, Random(rng.getrandbits(32)))
    await network.begin()
    matches: list[Match] = []
    ended = asyncio.Event()
    draws = [Random(rng.getrandbits(32)) for _ in range(force.viewers)]
    watching = [asyncio.create_task(audience(matches, network.url, TOKEN, draw, ended)) for draw in draws]
    result = Result(force.seed, force.seconds, force.viewers, cluster.missing)
    record = SiegeRecord(result, shown)
    supervisor = asyncio.create_task(cluster.supervise())
    load = [_play(cluster, matches, rng.getrandbits(32)), _cut(network, force.cuts, rng)]
    going = [asyncio.create_task(task) for task in load]
    async for strike in _strikes(cluster, matches, force, result):
        _still_going([supervisor, *going])
        result.count(network, matches, cluster)
        record.add(strike.name)
    for task in going:
        task.cancel()
    ended.set()
    network.heal()
    await _finish(cluster, matches)
    await asyncio.wait(watching, timeout=PATIENCE)
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    await network.close()
    result.count(network, matches, cluster)
    await _rest(cluster)
    supervisor.cancel()
    result.nodes = resources(cluster)
    await asyncio.to_thread(_judge, cluster, matches, result, logs)
    record.end()
    return result


async def _strikes(cluster: Cluster, matches: Sequence[Match], force: Force, result: Result) -> AsyncIterator[Strike]:
    """Let every fault of the plan begin at its time, and yield it; return when all are over."""
    began = time.monotonic()

    async def strike_now(strike: Strike) -> None:
        strike.began = time.monotonic()
        await FAULTS[strike.name][0](Siege(cluster, matches, Random(strike.seed)))
        strike.ended = time.monotonic()
        result.strikes.append(strike)

    async with asyncio.TaskGroup() as striking:
        for strike in plan(force.seed, force.seconds, force.every):
            await asyncio.sleep(max(0.0, began + strike.at - time.monotonic()))
            striking.create_task(strike_now(strike))
            yield strike
        await asyncio.sleep(max(0.0, began + force.seconds - time.monotonic()))


def _still_going(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Raise what ended one of the tasks that never end."""
    for task in tasks:
        if task.done():
            task.result()


async def _cut(network: Network, cuts: float, rng: Random) -> None:
    while True:
        await asyncio.sleep(rng.expovariate(cuts))
        network.cut_some()


async def _play(cluster: Cluster, matches: list[Match], seed: int) -> None:
    """Begin a match whenever fewer than LIVE are played."""
    rng = Random(seed)
    async with httpx2.AsyncClient(timeout=15.0, verify=False, headers=OPERATOR) as client:
        while True:
            addresses = cluster.addresses()
            if addresses and sum(not match.ended.is_set() for match in matches) < LIVE:
                host, port = rng.choice(addresses)
                body = {**MATCHES[len(matches) % len(MATCHES)], "seed": rng.getrandbits(32)}
                with suppress(httpx2.HTTPError):
                    answer = await client.post(f"http://{host}:{port}/api/episodes", json=body)
                    if answer.is_success:
                        matches.append(Match(answer.json()["episode_id"]))
            await asyncio.sleep(0.5)


async def _finish(cluster: Cluster, matches: Sequence[Match]) -> None:
    """Let the matches that are not over be played to their end without pauses."""
    left = [match for match in matches if not match.ended.is_set()]
    async with httpx2.AsyncClient(timeout=15.0, verify=False, headers=OPERATOR) as client:
        end = time.monotonic() + REST
        while left and time.monotonic() < end:
            ((host, port), *_) = cluster.addresses() or [("127.0.0.1", 1)]
            for match in list(left):
                with suppress(httpx2.HTTPError):
                    address = f"http://{host}:{port}/api/episodes/{match.episode}/commands"
                    answer = await client.post(address, json={"command": "pace", "value": 0})
                    if answer.status_code != 503:
                        left.remove(match)
            await asyncio.sleep(1.0)


async def _rest(cluster: Cluster) -> None:
    """Wait until the servers have closed what nobody uses any more, at most REST seconds."""
    end = time.monotonic() + REST
    while time.monotonic() < end:
        for node in cluster.nodes:
            await cluster.measure(node)
        if not any(line.leaked for line in resources(cluster)):
            return
        await asyncio.sleep(1.0)


def _judge(cluster: Cluster, matches: Sequence[Match], result: Result, logs: Path | None) -> None:
    """Compare what viewers received with the record."""
    for match in matches:
        try:
            events = recorded(cluster.url, match.episode)
        except (KeyError, RecordError) as error:
            result.faults[f"no record ({error})"] += 1
            continue
        if [event.seq for event in events] != list(range(len(events))):
            result.faults["a gap in the record"] += 1
        if events[-1].data.get("status") != "finished":
            result.faults[f"ended by {events[-1].data}"] += 1
        result.takeovers += sum(event.type == "EpisodeStarted" and bool(event.data["resumed"]) for event in events)
        result.recorded += len(events)
        result.compared += sum(len(log.marks) for log in match.logs)
        result.faults += compare(events, match.logs)
    for strike in result.strikes:
        strike.standstill = max((match.standstill(strike.began, strike.ended) for match in matches), default=0.0)
    for node in cluster.nodes:
        if node.server is not None:
            result.read_log(node.server.log)
            if logs is not None:
                logs.mkdir(parents=True, exist_ok=True)
                shutil.copy(node.server.log, logs / f"{node.name}.log")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1, help="of all draws: what happens, when, and to whom")
    parser.add_argument("--viewers", type=int, default=60, help="viewers at the same time")
    parser.add_argument("--cuts", type=float, default=25.0, help="connections of viewers that are cut in a second")
    parser.add_argument("--every", type=float, default=4.0, help="seconds from one fault to the next, on average")
    parser.add_argument("--record", type=Path, help="folder for the siege as an episode")
    parser.add_argument("--watch", default="", help=f"server that shows it live; its token is in {PUBLISH_TOKEN}")
    parser.add_argument("--logs", type=Path, help="folder for the logs of the servers")
    add_out(parser)
    flags = parser.parse_args()
    for name in ("psycopg", "redis"):
        package(name)
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # it logs what happens to the viewers
    with tempfile.TemporaryDirectory(prefix="siege-") as folder, besieged(Path(folder)) as cluster:
        force = Force(60 * flags.minutes, flags.seed, flags.viewers, flags.cuts, flags.every)
        with viewer(flags.watch, None, flags.seed, SERIES) as shown:
            result = asyncio.run(besiege(cluster, force, shown, flags.logs))
    if flags.record is not None:
        file = flags.record / SERIES_RECORD
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(result.lines))
    for problem, count in result.problems.most_common():
        print(f"{count} × {problem}", file=sys.stderr)
    publish("A siege", result.conditions, sections(result), flags.out)
    sys.exit(verdict(result) != Counter())


if __name__ == "__main__":
    main()
