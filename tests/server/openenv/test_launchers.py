"""The ways in which OpenEnv's own tools start the server: anywhere, several at once, with nothing set."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from openenv.core.containers.runtime.uv_provider import UVProvider
from openenv.core.generic_client import GenericEnvClient

from tests.support import http
from tests.support.live_server import ROOT

pytestmark = pytest.mark.long

UV = f"""#!{sys.executable}
import os, sys
if sys.argv[1:] == ["--version"]:
    print("uv 0")
else:
    options, command = sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    os.environ["PYTHONPATH"] = options[options.index("--project") + 1]
    os.execv(sys.executable, [sys.executable, "-m", *command])
"""
"""Stands in for `uv run --isolated --project DIR -- COMMAND`, which would install the project first."""

TRAINING = {"GRANDSTAND_VISITOR_PACE": "0", "GRANDSTAND_VISITOR_CREDITS": "100000", "GRANDSTAND_SHOWCASE": "none"}


@pytest.fixture
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder, which is the current one; temporary files go to `tmp` in it."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "tmp").mkdir()
    uv = tmp_path / "bin" / "uv"
    uv.write_text(UV)
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", f"{uv.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


@contextmanager
def provided(**env: str) -> Iterator[str]:
    """A server that OpenEnv's provider started, as its `from_env` and other tools do."""
    provider = UVProvider(project_path=str(ROOT), env_vars=env, context_timeout_s=60)
    url = provider.start()
    try:
        provider.wait_for_ready()
        yield url
    finally:
        provider.stop()


def play(url: str, matches: int) -> list[float]:
    rewards = []
    with GenericEnvClient(base_url=url, message_timeout_s=90) as env:
        for seed in range(matches):
            observation: Any = env.reset(seat="FRANCE", opponents="hold", max_turns=2, seed=seed)
            while not observation.done:
                observation = env.step({"orders": []})
            rewards.append(observation.reward)
    return rewards


@pytest.mark.long
def test_several_servers_run_in_one_folder_and_leave_nothing_behind(somewhere: Path) -> None:
    with ExitStack() as stack:
        urls = [stack.enter_context(provided(GRANDSTAND_SHOWCASE="none")) for _ in range(2)]
        assert len(list((somewhere / "tmp").glob("grandstand-*/grandstand.db"))) == 2
        for url in urls:
            assert all(reward > 0 for reward in play(url, 1))
    assert list((somewhere / "tmp").glob("grandstand-*")) == []
    assert list((somewhere / "project").iterdir()) == []


@pytest.mark.long
def test_the_recipe_for_training_lifts_the_bounds_of_visitors(somewhere: Path) -> None:
    with provided(**TRAINING) as url:
        assert http.get(url + "/api/session").json()["mode"] == "closed"
        assert len(play(url, 12)) == 12


def test_a_data_folder_that_is_named_is_used_and_kept(somewhere: Path) -> None:
    with provided(**TRAINING, GRANDSTAND_DATA=str(somewhere / "kept")) as url:
        assert len(play(url, 1)) == 1
    assert (somewhere / "kept" / "grandstand.db").is_file()
