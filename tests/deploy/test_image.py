"""The server as its image runs it: as any user, nothing writable but /tmp, and open to the world without a setting."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.support import http
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.requirements import program
from tests.support.waiting import PATIENCE, until

DOCKERFILE = (ROOT / "Dockerfile").read_text()
ENV = dict(re.findall(r"^(?:ENV|   ) (\w+)=(\S+)", DOCKERFILE.rpartition("\nFROM ")[2], re.MULTILINE)) | {
    "PATH": os.defpath
}
FLAGS = ("--host", "0.0.0.0", "--data", ENV["GRANDSTAND_DATA"], "--showcase", "diplomacy,cricket,werewolf")


def sandbox(uid: int) -> list[str]:
    """A command that runs another as process 1 of user `uid`, who has no name, the image's environment and no other,
    and only /tmp to write to."""
    bwrap = program("bwrap", remedy="run scripts/setup/deploy")
    command = [bwrap, "--unshare-user", "--unshare-pid", "--as-pid-1", "--uid", str(uid), "--gid", str(uid)]
    command += ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    for path in (str(ROOT), sys.prefix, sys.base_prefix):
        command += ["--ro-bind", path, path]
    command += ["--clearenv", "--cap-drop", "ALL", "--chdir", str(ROOT)]
    for pair in ENV.items():
        command += ["--setenv", *pair]
    return command


@contextmanager
def boxed(folder: Path, uid: int) -> Iterator[LiveServer]:
    with live_server(folder, *FLAGS, within=sandbox(uid)) as server:
        yield server


def stop(server: LiveServer) -> int:
    """SIGTERM to process 1 of the sandbox; answers its exit status."""
    outside = server.process.pid
    os.kill(int(Path(f"/proc/{outside}/task/{outside}/children").read_text()), signal.SIGTERM)
    return server.process.wait(timeout=PATIENCE)


def test_the_sandbox_is_one(tmp_path: Path) -> None:
    command = [*sandbox(65532), "sh", "-c", f"id -u; touch /tmp/a && echo wrote; touch {ROOT}/a {tmp_path}/a /var/a"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stdout.split() == ["65532", "wrote"]
    assert result.returncode != 0


@pytest.mark.long
@pytest.mark.parametrize("uid", [1000, 65532])
def test_any_user_can_run_it_with_only_tmp_to_write_to(uid: int, tmp_path: Path) -> None:
    with boxed(tmp_path, uid) as server:
        assert until(lambda: len(server.get("/api/episodes", status="live")["episodes"]) == 3)
        live = {episode["game"] for episode in server.get("/api/episodes", status="live")["episodes"]}
        assert live == {"diplomacy", "cricket", "werewolf"}
        assert server.get("/health") == {"status": "healthy"}
        answer = http.post(server.url + "/reset", json={"seed": 1})
        assert answer.status_code == 200, answer.text
        assert "observation" in answer.json()
        assert stop(server) == 0
        assert "Traceback" not in server.log.read_text()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server that everybody can reach, with no token set, behind the proxy of a Space."""
    with live_server(tmp_path_factory.mktemp("world"), "--host", "0.0.0.0", SPACE_ID="demo/grandstand") as server:
        yield server


def test_nobody_operates_a_server_without_a_token(world: LiveServer) -> None:
    episode_id = world.start_match(game="diplomacy", seed=1, pace=30)
    refused = {
        "look": http.get(f"{world.url}/api/episodes/{episode_id}/events", params={"as": "operator"}),
        "steer": world.post(f"/api/episodes/{episode_id}/commands", {"command": "stop"}),
        "fork": world.post(f"/api/episodes/{episode_id}/fork", {}),
        "measure": http.get(f"{world.url}/metrics"),
        "publish": world.post("/api/publish/other-1", {"events": []}),
        "spend": world.post("/api/episodes", {"game": "diplomacy", "players": {"FRANCE": "llm"}}),
    }
    assert {name: answer.status_code for name, answer in refused.items()} == dict.fromkeys(refused, 403)


def test_each_visitor_behind_the_proxy_has_a_share_of_its_own(world: LiveServer) -> None:
    def starts(forwarded: str) -> int:
        return world.post("/api/episodes", {"game": "cricket"}, **{"X-Forwarded-For": forwarded}).status_code

    assert [starts("203.0.113.1") for _ in range(7)] == [201] * 6 + [429]
    assert starts("203.0.113.2, 10.0.0.7") == 201, "another visitor, through a proxy more"
    assert starts("203.0.113.9, 203.0.113.1") == 429, "the same visitor, claiming to be another"


def test_huggingface_may_frame_it_and_no_cookie_is_set(world: LiveServer) -> None:
    for path in ("/", "/cockpit", "/api/health", "/api/episodes", "/health"):
        headers = http.get(world.url + path, headers={"Accept": "text/html"}).headers
        assert "x-frame-options" not in headers
        assert headers["content-security-policy"].endswith("frame-ancestors 'self' https://huggingface.co")
        assert "set-cookie" not in headers


def test_a_socket_from_the_frame_is_let_in(world: LiveServer) -> None:
    episode_id = world.start_match(game="diplomacy", seed=2, pace=30)
    url = world.url.replace("http", "ws") + f"/api/episodes/{episode_id}/watch"
    with connect(url, origin=Origin("https://demo.hf.space")) as watching:
        assert '"snapshot"' in str(watching.recv(timeout=PATIENCE))


def test_the_readme_tells_the_space_what_the_image_does() -> None:
    readme = (ROOT / "README.md").read_text()
    front = dict(re.findall(r"^(\w+): (.+)$", readme.split("---\n")[1], re.MULTILINE))
    assert front["sdk"] == "docker"
    assert f"EXPOSE {front['app_port']}\n" in DOCKERFILE
    assert f'"--port", "{front["app_port"]}"]' in DOCKERFILE
    assert ENV["ENABLE_WEB_INTERFACE"] == "false", "or else OpenEnv's tools turn their own page on"
    assert "VOLUME" not in DOCKERFILE, "OpenEnv's validator refuses it"
