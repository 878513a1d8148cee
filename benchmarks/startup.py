"""Server start to first page served, warm: `python benchmarks/startup.py [--runs N]`.

Starts `grandstand serve` in a process of its own and asks for the page until it is served. The first run, which warms
the disk cache, is not counted.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent


def serve_once(data: str) -> float:
    """Seconds from the start of the process to the whole first page."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "grandstand", "serve", "--port", "0", "--data", data],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        result = re.search(r"http://\S+", process.stdout.readline())
        assert result, "the server did not start"
        with urllib.request.urlopen(result.group()) as page:
            page.read()
        return time.perf_counter() - began
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as data:
        serve_once(data)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = [serve_once(data) for _ in range(runs)]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / runs
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {runs} runs")
    print(f"first page after {statistics.median(seconds):.2f} s (median), {max(seconds):.2f} s (worst)")
    print(f"CPU per start and stop {cpu:.2f} s")


if __name__ == "__main__":
    main()
