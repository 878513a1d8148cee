"""Uploads to a Space: `openenv push` sends nothing but the sources, `git push` no binary file in any commit."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.support.live_server import ROOT
from tests.support.requirements import package

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


def test_a_checkout_that_has_served_is_pushed_without_its_record(checkout: Path, tmp_path: Path) -> None:
    push = package("openenv.cli.commands.push")
    for name in LEFTOVERS:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text("secret")
    patterns = push._load_ignore_patterns(checkout, "deploy/push-ignore")
    staging = tmp_path / "staging"
    push._prepare_staging_directory(checkout, "grandstand", staging, patterns)
    staged = {str(path.relative_to(staging)) for path in staging.rglob("*") if path.is_file()}
    dotted = {name for name in tracked(checkout) if any(part.startswith(".") for part in Path(name).parts)}
    assert staged == tracked(checkout) - dotted
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
        assert (staging / name).read_bytes() == (checkout / name).read_bytes(), "openenv changes nothing in it"


def test_without_the_file_the_record_would_be_published(checkout: Path, tmp_path: Path) -> None:
    """The reason for the file: openenv alone stages what git ignores."""
    push = package("openenv.cli.commands.push")
    (checkout / "data").mkdir()
    (checkout / "data/grandstand.db").write_text("secret")
    staging = tmp_path / "staging"
    push._prepare_staging_directory(checkout, "grandstand", staging, push._load_ignore_patterns(checkout, None))
    assert (staging / "data/grandstand.db").exists()


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
    assert {Path(name).suffix for name in left_out} <= {".png", ".gz"}
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
