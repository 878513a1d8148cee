"""Runs an image as hosts run it, and checks its requirements.

As uid 1000 (a Space) and uid 65532 (OpenEnv's validator), without capabilities, without a network, on a read-only root
with only /tmp writable: it is up within 30 seconds, plays both games, answers OpenEnv, lets nobody operate it, can be
framed, writes nowhere else, stops by itself with status 0, and wakes with its matches where a bucket is mounted.

    scripts/image/check.py grandstand:local

ENGINE (default docker) is the engine's command, ENGINE_RUN what `run` needs besides.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ENGINE = shlex.split(os.environ.get("ENGINE", "docker"))
RUN = shlex.split(os.environ.get("ENGINE_RUN", ""))
LOCKED = ["--read-only", "--tmpfs", "/tmp:mode=1777", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
NAME = "grandstand-image-check"

PROBE = """
import json, os, urllib.error, urllib.request
from importlib.util import find_spec

def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request("http://127.0.0.1:8000" + path, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()

def can_write(folder):
    try:
        os.close(os.open(folder + "/written", os.O_CREAT | os.O_WRONLY))
        return True
    except OSError:
        return False

page = ask("/")
live = json.loads(ask("/api/episodes?status=live")[2])["episodes"]
print(json.dumps({
    "uid": os.getuid(),
    "page": page[0] == 200 and "<!doctype html>" in page[2],
    "framed": not {"x-frame-options", "set-cookie"} & {name.lower() for name in page[1]}
    and "https://huggingface.co" in page[1].get("content-security-policy", ""),
    "live": sorted({one["game"] for one in live}),
    "openenv": json.loads(ask("/health")[2])["status"],
    "reset": ask("/reset", {"seed": 1})[0],
    "operator": ask("/metrics")[0],
    "spend": ask("/api/episodes", {"game": "diplomacy", "players": {"FRANCE": "llm"}})[0],
    "writable": [folder for folder in ("/", "/app", "/app/.venv", "/home/user", "/run") if can_write(folder)],
    "tools": [name for name in ("pytest", "mypy", "ruff", "playwright", "gradio", "torch") if find_spec(name)],
    "memory_mb": round(int(open("/proc/1/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20),
}))
"""

EXPECTED = {
    "page": True,
    "framed": True,
    "live": ["cricket", "diplomacy", "werewolf"],
    "openenv": "healthy",
    "reset": 200,
    "operator": 403,
    "spend": 403,
    "writable": [],
    "tools": [],
}

PLAY = """
import json, time, urllib.request
url = "http://127.0.0.1:8000/api/episodes"
body = json.dumps({"game": "cricket", "options": {"overs": 1}}).encode()
made = json.load(urllib.request.urlopen(urllib.request.Request(url, body, {"Content-Type": "application/json"})))
while json.load(urllib.request.urlopen(url + "/" + made["episode_id"]))["status"] != "finished":
    time.sleep(0.2)
print(made["episode_id"])
"""

LOOK = """
import json, sys, time, urllib.request
for attempt in range(100):
    url = "http://127.0.0.1:8000/api/episodes?limit=100"
    listed = {one["episode_id"]: one["status"] for one in json.load(urllib.request.urlopen(url))["episodes"]}
    if listed.get(sys.argv[1]) == "finished":
        break
    time.sleep(0.1)
print(json.dumps(listed))
"""


class Container:
    """A running container of the image."""

    def __init__(self, image: str, uid: int, *options: str) -> None:
        command = [*ENGINE, "run", "--rm", "--name", NAME, "--network", "none", "--user", str(uid)]
        self._began = time.monotonic()
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115 - lives as long as the container
        self._process = subprocess.Popen(
            [*command, *LOCKED, *RUN, *options, image], stdout=self._log, stderr=subprocess.STDOUT
        )

    def wait(self) -> float:
        """Wait until it answers; the seconds it took."""
        probe = "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health', timeout=1)"
        while time.monotonic() - self._began < 30:
            if self._process.poll() is not None:
                break
            if subprocess.run([*ENGINE, "exec", NAME, "python", "-c", probe], capture_output=True).returncode == 0:
                return time.monotonic() - self._began
            time.sleep(0.1)
        self._log.seek(0)
        raise SystemExit(f"not up within 30 seconds:\n{self._log.read()}")

    def run(self, program: str, *arguments: str) -> str:
        """Return the output of `program` run in the container."""
        command = [*ENGINE, "exec", NAME, "python", "-c", program, *arguments]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def stop(self) -> tuple[int, float]:
        """SIGTERM, and SIGKILL after ten seconds; the exit status and the seconds it took."""
        began = time.monotonic()
        subprocess.run([*ENGINE, "stop", "-t", "10", NAME], check=True, capture_output=True)
        return self._process.wait(timeout=30), time.monotonic() - began

    def kill(self) -> None:
        if self._process.poll() is None:
            subprocess.run([*ENGINE, "kill", NAME], check=False, capture_output=True)
            self._process.wait(timeout=30)


@contextmanager
def running(image: str, uid: int, *options: str) -> Iterator[Container]:
    container = Container(image, uid, *options)
    try:
        yield container
    finally:
        container.kill()


def check_locked(image: str, uid: int) -> None:
    """Check that it works for a user without a name, and stops by itself."""
    with running(image, uid) as container:
        up = container.wait()
        result = json.loads(container.run(PROBE))
        memory = result.pop("memory_mb")
        expect(result, EXPECTED | {"uid": uid})
        status, seconds = container.stop()
        expect(status, 0)
    print(f"uid {uid}: up after {up:.1f} s, {memory} MB, stopped by itself within {seconds:.1f} s")


def check_wake(image: str, uid: int) -> None:
    """Check that what ended comes back on an empty disk, and what ran goes on."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        mount = ("--volume", f"{folder}:/data")
        with running(image, uid, *mount) as container:
            container.wait()
            ended = container.run(PLAY)
            listed = json.loads(container.run(LOOK, ended))
            container.stop()
        with running(image, uid, *mount) as container:
            up = container.wait()
            expect(json.loads(container.run(LOOK, ended)), listed)
    print(f"uid {uid}: {len(listed)} matches came back from the bucket, {up:.1f} s after the wake")


def expect(actual: object, expected: object) -> None:
    if actual != expected:
        raise SystemExit(f"expected {expected}\n   found {actual}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    for user in (1000, 65532):
        check_locked(sys.argv[1], user)
    check_wake(sys.argv[1], 1000)
