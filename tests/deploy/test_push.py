"""Uploads to a Space: `openenv push` sends nothing but the sources, `git push` no binary file in any commit."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.support.live_server import ROOT
from tests.support.play.hub_server import GOOD_TOKEN, HubServer, hub_server
from tests.support.requirements import installed

pytestmark = pytest.mark.long

LEFTOVERS = (
    "data/grandstand.db",
    "data/grandstand.db-wal",
    "data/server.lock",
    "diplomacy-cc423e3599.jsonl",
    "diplomacy-cc423e3599.jsonl.gz",
    "records/diplomacy-0.jsonl",
    "runs/nano-diplomacy/record.db",
    "runs/nano-diplomacy/config.toml",
    "copy.db",
    ".env",
    ".cache/openenv/x",
    ".venv/bin/python",
    "frontend/node_modules/svelte/package.json",
    "frontend/dist/index.html",
    "frontend/playwright-report/index.html",
    "dist/grandstand-0.1.0-py3-none-any.whl",
    "build/lib/models.py",
    "grandstand.egg-info/PKG-INFO",
    "grandstand/games/__pycache__/base.cpython-311.pyc",
    "test-results/trace.zip",
)
"""Files of a checkout that has served, trained, been tested and been packaged."""

HOOK = """#!/bin/sh
# Refuses a push whose history holds a plain binary file, as the Hub does.
while read -r old new ref; do
    for commit in $(git rev-list "$new" --not --all); do
        if git diff-tree --root -r --numstat "$commit" | grep -q '^-'; then
            echo "your push was rejected because it contains binary files" >&2
            exit 1
        fi
    done
done
"""
WHO = {f"GIT_{role}_{field}": "test@example.org" for role in ("AUTHOR", "COMMITTER") for field in ("NAME", "EMAIL")}


def git(folder: Path, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    command = ["git", "-c", "safe.directory=*", *arguments]
    return subprocess.run(command, cwd=folder, check=check, capture_output=True, text=True, env={**os.environ, **WHO})


def tracked(folder: Path, *revision: str) -> set[str]:
    names = ("ls-tree", "-r", "-z", "--name-only", *revision) if revision else ("ls-files", "-z")
    return set(filter(None, git(folder, *names).stdout.split("\0")))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clone of this checkout, uncommitted changes included, in one commit."""
    folder = tmp_path / "checkout"
    for name in tracked(ROOT) | set(
        filter(None, git(ROOT, "ls-files", "-zo", "--exclude-standard").stdout.split("\0"))
    ):
        if (ROOT / name).is_file() and not (ROOT / name).is_symlink():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "All of it")
    return folder


@pytest.fixture
def hub() -> Iterator[HubServer]:
    installed("openenv")
    with hub_server() as server:
        yield server


def documented_push() -> list[str]:
    """The commands of docs/deploy.md that push by OpenEnv."""
    (line,) = re.findall(r"`([^`\n]*openenv push /tmp/clean [^`\n]*)`", (ROOT / "docs/deploy.md").read_text())
    return str(line).split(" && ")


def pushed(hub: HubServer, checkout: Path, *, without: str = "") -> tuple[Path, dict[str, bytes]]:
    """Run those commands in a checkout, in whose worktree somebody serves and trains before the last.

    Return the worktree and the files that arrive at the Hub. `without` are words of the commands to leave out.
    """
    clean = checkout.parent / "clean"
    environment = {
        **os.environ, **WHO, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "200",
        "HF_ENDPOINT": hub.url, "HF_TOKEN": GOOD_TOKEN, "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HOME": str(clean.parent),
    }  # fmt: skip
    for command in documented_push():
        if command.startswith("openenv"):
            for name in LEFTOVERS:
                (clean / name).parent.mkdir(parents=True, exist_ok=True)
                (clean / name).write_text("secret")
        done = subprocess.run(
            shlex.split(command.replace("/tmp/clean", str(clean)).replace(without, "")),
            cwd=checkout, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    space = hub.repositories["OWNER/NAME"]
    assert space.kind == "space"
    return clean, space.files


@pytest.mark.long
def test_the_documented_push_uploads_the_sources_and_no_record(checkout: Path, hub: HubServer) -> None:
    clean, files = pushed(hub, checkout)
    dotted = {name for name in tracked(checkout) if any(part.startswith(".") for part in Path(name).parts)}
    assert files.keys() == tracked(checkout) - dotted | {"__init__.py"}
    assert dotted == {
        ".ci/run",
        ".dockerignore",
        ".github/workflows/check.yml",
        ".github/workflows/release.yml",
        ".gitignore",
        "frontend/.prettierignore",
        "frontend/.prettierrc.json",
    }, "openenv leaves out what begins with a dot; nothing that the image needs may"
    for name in ("Dockerfile", "README.md"):
        assert files[name] == (clean / name).read_bytes(), "openenv changes nothing in it"
    front = yaml.safe_load(files["README.md"].decode().split("---\n", 2)[1])
    assert (front["sdk"], front["app_port"], front["base_path"]) == ("docker", 8000, "/")


@pytest.mark.long
def test_without_the_file_the_record_would_be_published(checkout: Path, hub: HubServer) -> None:
    """The reason for the file: openenv alone uploads what git ignores."""
    _, files = pushed(hub, checkout, without="--exclude deploy/push-ignore")
    assert files["data/grandstand.db"] == b"secret"


@pytest.fixture
def space(tmp_path: Path) -> Path:
    """A bare repository that takes no binary files."""
    folder = tmp_path / "space.git"
    folder.mkdir()
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main")
    hook = folder / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK)
    hook.chmod(0o755)
    return folder


@pytest.mark.long
def test_the_branch_for_a_space_is_taken_where_the_history_is_refused(checkout: Path, space: Path) -> None:
    refused = git(checkout, "push", str(space), "main:main", check=False)
    assert refused.returncode != 0
    assert "binary files" in refused.stderr
    git(checkout, "rm", "-r", "--quiet", "docs/images")
    git(checkout, "commit", "--quiet", "--message", "Without pictures")
    assert git(checkout, "push", str(space), "main:main", check=False).returncode != 0, "they are still in the history"
    git(checkout, "reset", "--quiet", "--hard", "HEAD~1")

    before = git(checkout, "status", "--porcelain").stdout, git(checkout, "rev-parse", "HEAD").stdout
    made = subprocess.run(
        ["deploy/space-branch"], cwd=checkout, check=True, capture_output=True, text=True, env={**os.environ, **WHO}
    )
    assert "binary files left out" in made.stdout
    assert (git(checkout, "status", "--porcelain").stdout, git(checkout, "rev-parse", "HEAD").stdout) == before
    git(checkout, "push", "--force", str(space), "space:main")

    assert git(space, "rev-list", "--count", "main").stdout.strip() == "1"
    left_out = tracked(checkout) - tracked(space, "main")
    assert left_out
    assert {Path(name).suffix for name in left_out} <= {".png", ".jpg", ".gz"}
    assert tracked(space, "main") <= tracked(checkout)
    subprocess.run(["deploy/space-branch"], cwd=checkout, check=True, capture_output=True, env={**os.environ, **WHO})
    git(checkout, "push", "--force", str(space), "space:main")


def test_a_binary_file_that_the_image_needs_is_refused_by_name(checkout: Path) -> None:
    (checkout / "grandstand/games/model.npz").write_bytes(bytes(range(256)))
    git(checkout, "add", "grandstand/games/model.npz")
    git(checkout, "commit", "--quiet", "--message", "A binary file")
    refused = subprocess.run(["deploy/space-branch"], cwd=checkout, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "grandstand/games/model.npz is binary" in refused.stderr
    assert git(checkout, "branch", "--list", "space").stdout == ""


def test_the_branch_that_is_checked_out_is_left_alone(checkout: Path) -> None:
    refused = subprocess.run(["deploy/space-branch", "main"], cwd=checkout, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "'main' is checked out" in refused.stderr


@pytest.mark.long
def test_a_branch_may_ask_for_signing_in_and_has_the_same_files(checkout: Path) -> None:
    command = ["deploy/space-branch", "--sign-in", "signing"]
    subprocess.run(command, cwd=checkout, check=True, capture_output=True, env={**os.environ, **WHO})
    readme, usual = git(checkout, "show", "signing:README.md").stdout, git(checkout, "show", "HEAD:README.md").stdout
    front, text = readme.split("---\n", 2)[1:]
    settings = yaml.safe_load(front)
    assert settings.pop("hf_oauth") is True
    assert settings.pop("hf_oauth_scopes") == ["inference-api"]
    assert settings == yaml.safe_load(usual.split("---\n", 2)[1])
    assert text == usual.split("---\n", 2)[2]
    assert git(checkout, "status", "--porcelain").stdout == ""
