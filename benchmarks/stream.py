"""Measure the cost of sending one match to many viewers: this server and common designs, interleaved in one run.

    npm install --prefix .cache/ws ws@8.23.0
    python -m benchmarks.stream --viewers 1000 --rate 20 --rounds 3

Server and load client are pinned to one core each; the client is a small C program, compiled here, so that it is never
the bottleneck. A bare epoll loop in C shows the least that the sends cost. CPU is the scheduler's nanoseconds of all
the server's threads; latency is from the publisher's clock to recv() in the client. With `--store` and `--bus`, a
server that follows another by PostgreSQL and Redis is measured too; the database keeps its events. Linux, two cores, a
C compiler, Node.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.report import Cell, Columns, add_out, publish, table
from benchmarks.stream_servers import SERVERS
from grandstand.report import Section

HERE = Path(__file__).parent
NAMES = {
    "ours": "Grandstand",
    "naive": "FastAPI, `for ws in viewers: await ws.send_text(json.dumps(event))`",
    "queue": "FastAPI, a queue and a task for each viewer, encoded once",
    "broadcast": "`websockets`, `broadcast()`, encoded once",
    "follower": "Grandstand, a match that another server plays, by Redis",
    "ws": "Node, `ws`, encoded once",
    "c": "a bare epoll loop in C, one `send()` for each viewer",
}
KINDS = (*SERVERS, "ws", "c")
NODE_PACKAGES = HERE.parent / ".cache/ws/node_modules"


@dataclass(frozen=True)
class Programs:
    """The compiled load and the bare loop, and the addresses of PostgreSQL and Redis."""

    client: Path
    server: Path
    addresses: tuple[str, ...]

    def command(self, kind: str) -> list[str]:
        """Return the command that starts a server."""
        if kind == "c":
            return [str(self.server)]
        if kind == "ws":
            return ["env", f"NODE_PATH={NODE_PACKAGES}", "node", str(HERE / "stream_server.cjs")]
        addresses = self.addresses if kind == "follower" else ()
        return [sys.executable, "-m", "benchmarks.stream_servers", kind, *addresses]


@dataclass(frozen=True)
class Result:
    """One run of one server."""

    kind: str
    delivered: float
    cpu_us: float
    p50_ms: float
    p99_ms: float
    max_ms: float
    rss_kb: float
    connect_us: float
    faults: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=20, help="events a second")
    parser.add_argument("--seconds", type=float, default=5, help="length of one measurement")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each server, interleaved; the median counts")
    parser.add_argument("--servers", default=",".join(KINDS), help=f"of {', '.join(KINDS)}")
    parser.add_argument("--store", metavar="URL", default="", help="PostgreSQL of the follower")
    parser.add_argument("--bus", metavar="URL", default="", help="Redis of the follower")
    add_out(parser)
    options = parser.parse_args()
    addresses = tuple(filter(None, (options.store, options.bus)))
    kinds = [*options.servers.split(","), *(["follower"] if addresses else [])]
    if "ws" in kinds and not (NODE_PACKAGES / "ws").exists():
        raise SystemExit("stream: --servers: ws is not installed: `npm install --prefix .cache/ws ws@8.23.0`")
    if len(addresses) == 1:
        raise SystemExit("stream: --store and --bus belong together: the follower needs both")
    _raise_file_limit(options.viewers + 200)
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        client, server = (_compile(Path(folder), name) for name in ("stream_client", "stream_server"))
        programs = Programs(client, server, addresses)
        for round_ in range(options.rounds):
            order = kinds[:]
            random.Random(round_).shuffle(order)
            for kind in order:
                results.append(measure(kind, programs, options.viewers, options.rate, options.seconds))
                print(results[-1], file=sys.stderr)
    conditions = (
        f"{options.viewers:,} viewers × {options.rate:g} events/s of 1 KB, {options.seconds:g} s, "
        f"median of {options.rounds} interleaved rounds"
    )
    publish("The stream", conditions, [servers(results, kinds)], options.out)


def measure(kind: str, programs: Programs, viewers: int, rate: float, seconds: float) -> Result:
    """One server, one load, one measurement."""
    with ExitStack() as stack:
        server = stack.enter_context(_start(programs.command(kind), core=0))
        stack.callback(server.kill)
        port, path = _line(server).split()
        start_cpu, start_rss = _cpu_ns(server.pid), _rss(server.pid)
        load = stack.enter_context(_start([str(programs.client), port, path, str(viewers)], core=1))
        stack.callback(load.kill)
        assert _line(load).startswith("ready")
        time.sleep(1)
        connected_cpu, connected_rss = _cpu_ns(server.pid), _rss(server.pid)
        _say(server, f"{rate} 1")
        time.sleep(1)
        assert load.stdin is not None
        load.stdin.write("now\n")
        load.stdin.flush()
        warm_cpu = _cpu_ns(server.pid)
        _say(server, f"{rate} {seconds}")
        time.sleep(1)
        cpu = _cpu_ns(server.pid) - warm_cpu
        load.stdin.close()
        observed = json.loads(_line(load))
    published = int(rate * seconds)
    received = observed["messages"]
    return Result(
        kind=kind,
        delivered=received / (published * viewers),
        cpu_us=cpu / received / 1000,
        p50_ms=observed["p50_us"] / 1000,
        p99_ms=observed["p99_us"] / 1000,
        max_ms=observed["max_us"] / 1000,
        rss_kb=(connected_rss - start_rss) / viewers / 1024,
        connect_us=(connected_cpu - start_cpu) / viewers / 1000,
        faults=observed["gaps"] + observed["repeats"],
    )


def servers(results: list[Result], kinds: list[str]) -> Section:
    """Return the medians."""
    columns: Columns = [
        "server",
        ("delivered", "share"),
        "CPU µs/message",
        "× C",
        ("messages/s/core", "count"),
        "p50 / p99 / max ms",
        "KB RSS/viewer",
        "CPU µs/connect",
        "gaps or repeats",
    ]
    rows: list[list[Cell]] = []
    base = _median(results, "c", "cpu_us") if "c" in kinds else None
    for kind in kinds:
        cpu = _median(results, kind, "cpu_us")
        latency = " / ".join(f"{_median(results, kind, name):.1f}" for name in ("p50_ms", "p99_ms", "max_ms"))
        faults = sum(result.faults for result in results if result.kind == kind)
        ratio, delivered = base and cpu / base, _median(results, kind, "delivered")
        memory, connect = _median(results, kind, "rss_kb"), _median(results, kind, "connect_us")
        rows.append([NAMES[kind], delivered, cpu, ratio, 1e6 / cpu, latency, memory, connect, faults])
    return table("Servers", columns, rows)


def _median(results: list[Result], kind: str, field: str) -> float:
    return float(median(getattr(result, field) for result in results if result.kind == kind))


def _compile(folder: Path, name: str) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise SystemExit("stream: a C compiler is needed for the load and the bare loop (cc or gcc)")
    program = folder / name
    subprocess.run([compiler, "-O2", "-Wall", "-o", program, HERE / f"{name}.c"], check=True)
    return program


def _start(command: list[str], core: int) -> subprocess.Popen[str]:
    cores = sorted(os.sched_getaffinity(0))
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=HERE.parent,
        preexec_fn=lambda: os.sched_setaffinity(0, {cores[core % len(cores)]}),
    )


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise SystemExit("stream: the server or its load ended early; its reason stands above")
    return line


def _say(server: subprocess.Popen[str], text: str) -> None:
    """Have the server publish, and wait until it has."""
    assert server.stdin is not None
    server.stdin.write(text + "\n")
    server.stdin.flush()
    _line(server)


def _cpu_ns(pid: int) -> int:
    """Nanoseconds on a core, of all threads of a process."""
    return sum(int(task.read_text().split()[0]) for task in Path(f"/proc/{pid}/task").glob("*/schedstat"))


def _rss(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _raise_file_limit(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        raise SystemExit(f"stream: {count} open files are needed and {hard} allowed; raise `ulimit -n`")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count), hard))


if __name__ == "__main__":
    main()
