"""The client's own distribution: built from the checkout, found by OpenEnv, and able to play without the server."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.support.live_server import ROOT, live_server

pytestmark = pytest.mark.long

SOURCES = ("grandstand/client.py", "grandstand/models.py", "openenv.yaml")
EARLY = "from openenv.auto._discovery import get_discovery; assert not get_discovery().discover()"
"""A look for environments before the client is installed: OpenEnv keeps the empty list."""

PROGRAM = """
import sys
from openenv import AutoEnv
from openenv.auto._discovery import get_discovery

try:
    AutoEnv.from_env("grandstand", base_url=sys.argv[1])
    raise SystemExit("the empty list of a call before the installation is not kept any more")
except ValueError:
    get_discovery().discover(use_cache=False)
env = AutoEnv.from_env("grandstand", base_url=sys.argv[1])
with env.sync() as session:
    seen = session.reset(seat="FRANCE", opponents="hold", max_turns=2, seed=1)
    assert seen.observation.seat_token
    while not seen.done:
        from grandstand_env import MatchAction
        seen = session.step(MatchAction(reply='{"orders": []}'))
        assert not seen.observation.error
print(type(env).__module__, seen.reward, [name for name in ("models", "games", "server") if name in sys.modules])
"""


def run(*command: object, cwd: Path, **env: str) -> str:
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As much of the checkout as the build reads: what it leaves behind stays out of the real one."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "grandstand").mkdir()
    for name in SOURCES:
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "deploy" / "client", folder / "deploy" / "client")
    return folder


def wheel(project: Path, out: Path) -> Path:
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", out, project, cwd=out)
    (built,) = out.glob("*.whl")
    return built


def contents(built: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(built) as archive:
        return {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}


def test_the_wheel_has_the_checkouts_own_files_and_one_name(checkout: Path, tmp_path: Path) -> None:
    files = contents(wheel(checkout / "deploy" / "client", tmp_path))
    assert {name.partition("/")[0] for name in files} == {"grandstand_env"}
    for name in SOURCES:
        assert files[f"grandstand_env/{Path(name).name}"] == (ROOT / name).read_bytes()


@pytest.mark.long
def test_a_source_distribution_builds_the_same_wheel(checkout: Path, tmp_path: Path) -> None:
    project = checkout / "deploy" / "client"
    run(sys.executable, "setup.py", "-q", "sdist", "-d", tmp_path / "sdist", cwd=project)
    (archive,) = (tmp_path / "sdist").glob("*.tar.gz")
    shutil.unpack_archive(archive, tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    for out in ("one", "two"):
        (tmp_path / out).mkdir()
    assert contents(wheel(unpacked, tmp_path / "one")) == contents(wheel(project, tmp_path / "two"))


@pytest.mark.long
def test_openenv_finds_it_and_it_plays(checkout: Path, tmp_path: Path) -> None:
    built = wheel(checkout / "deploy" / "client", tmp_path)
    site = tmp_path / "site"
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", site, built, cwd=tmp_path)
    with live_server(tmp_path / "data") as server:
        words = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONSAFEPATH": "1"}
        run(sys.executable, "-c", EARLY, cwd=tmp_path, **words)
        words["PYTHONPATH"] = str(site)
        module, reward, others = run(sys.executable, "-c", PROGRAM, server.url, cwd=tmp_path, **words).split(" ", 2)
    assert module == "grandstand_env.client"
    assert 0 < float(reward) <= 1
    assert others.strip() == "[]"


def test_it_has_the_version_of_the_server() -> None:
    versions = [
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]["version"]
        for folder in (".", "deploy/client")
    ]
    assert versions[0] == versions[1]
