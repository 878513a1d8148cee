"""The wheel: one top-level package with the page in it, and a command that runs beside packages of the same names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path

import pytest

from tests.support import http
from tests.support.docs.released import UV, build, run
from tests.support.live_server import ROOT, LiveServer

pytestmark = pytest.mark.long

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
INCLUDED: list[str] = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
FOREIGN = ("models", "trainer", "server", "games", "client")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution and the wheel that is built from it."""
    out = tmp_path_factory.mktemp("dist")
    build(out)
    return out


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (file,) = built.glob("*.whl")
    return file


def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.mark.long
def test_the_wheel_has_one_top_level_package(wheel: Path) -> None:
    top = {name.partition("/")[0] for name in names(wheel)}
    assert {name for name in top if not name.endswith(".dist-info")} == {"grandstand"}


@pytest.mark.long
def test_the_wheel_has_the_page_the_client_and_every_module(wheel: Path) -> None:
    packed = set(names(wheel))
    assert {"grandstand/py.typed", "grandstand/client.py", "grandstand/models.py"} <= packed
    assert {"grandstand/page/index.html", "grandstand/players/players.toml"} <= packed
    for name in run("git", "ls-files", "--", *INCLUDED, cwd=ROOT).split():
        assert name in packed


def test_the_metadata_says_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (file,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(file).decode())
    assert metadata["Summary"]
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])
    assert "reinforcement learning" in metadata["Keywords"].split(",")


def test_the_package_has_ranges_and_no_exact_versions() -> None:
    project = PROJECT["project"]
    requirements = [
        *project["dependencies"],
        *(item for extra in project["optional-dependencies"].values() for item in extra),
    ]
    assert requirements
    assert [item for item in requirements if "==" in item] == []


def test_the_source_distribution_has_the_sources(built: Path) -> None:
    (file,) = built.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "pyproject.toml",
        "grandstand/models.py",
        "grandstand/client.py",
        "frontend/dist/index.html",
    } <= packed
    assert not any(name.startswith(("frontend/node_modules", ".venv", ".cache", "data/")) for name in packed)


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of somebody's project, whose packages have the names of our folders and must not be imported."""
    folder = tmp_path_factory.mktemp("project")
    for name in FOREIGN:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(f"raise ImportError('the foreign {name} was imported')\n")
    return folder


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the wheel is installed; the locked dependencies are those of the tests."""
    folder = tmp_path_factory.mktemp("site")
    run(UV, "pip", "install", "--quiet", "--no-deps", "--target", folder, wheel, cwd=folder)
    return folder


@pytest.fixture
def server(site: Path, elsewhere: Path, tmp_path: Path) -> Iterator[LiveServer]:
    """`grandstand serve` of the installed wheel, run in the foreign project."""
    command = [sys.executable, "-m", "grandstand", "serve", "--port", "0", "--data", str(tmp_path / "data")]
    log = tmp_path / "server.log"
    with log.open("w") as err:
        process = subprocess.Popen(
            [*command, "--showcase", "diplomacy"],
            cwd=elsewhere,
            stdout=subprocess.PIPE,
            stderr=err,
            text=True,
            env={**os.environ, "PYTHONPATH": str(site)},
        )
    try:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address, log.read_text()
        yield LiveServer(process, address.group(), log)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@pytest.mark.long
def test_the_installed_command_serves_the_page_and_a_live_match_beside_foreign_packages(server: LiveServer) -> None:
    page = http.get(server.url + "/", headers={"Accept": "text/html"})
    assert page.status_code == 200, server.log.read_text()
    assert "<!doctype html>" in page.text
    script = re.search(r'src="\./(assets/[^"]+\.js)"', page.text)
    assert script, page.text
    assert http.get(f"{server.url}/{script.group(1)}").status_code == 200
    (episode,) = server.get("/api/episodes", status="live")["episodes"]
    assert server.wait_for(episode["episode_id"], seq=10)["status"] == "live"
    assert server.stop() == 0
    assert "foreign" not in server.log.read_text()


def test_what_is_installed_is_imported_from_there(site: Path, elsewhere: Path) -> None:
    program = "import grandstand.models as a, grandstand.trainer as b; print(a.__file__, b.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(site)}
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=elsewhere, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert all(path.startswith(str(site)) for path in result.stdout.split())


def test_the_image_copies_what_the_wheel_is_built_from() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    environment = dockerfile.split("AS environment")[1].split("\nFROM ")[0]
    copied = {
        name for line in re.findall(r"^COPY (?!--from)(.+)$", environment, re.MULTILINE) for name in line.split()[:-1]
    }
    needed = {*INCLUDED, "pyproject.toml"} - {"frontend/dist"}
    assert needed <= copied
    assert "COPY --from=page /src/frontend/dist frontend/dist" in environment
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied <= allowed, "the context leaves out what the image copies"


def test_uvx_runs_the_wheel_in_an_environment_of_its_own(wheel: Path, tmp_path: Path) -> None:
    """`uvx --from WHEEL grandstand` is `uv tool run`; its dependencies are those of the index, not the locked ones."""
    printed = run(UV, "tool", "run", "--quiet", "--from", wheel, "grandstand", "--version", cwd=tmp_path)
    assert printed == f"grandstand {PROJECT['project']['version']}\n"
