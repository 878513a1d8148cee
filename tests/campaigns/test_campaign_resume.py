"""Campaigns of every kind, killed in the middle: each goes on with the same command to the result of one that was not,
and does nothing twice."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import grandstand
from tests.support.live_server import ROOT
from tests.support.trainer.fake_sweep import fake_data
from tests.support.trainer.tiny_sweep import written
from tests.support.waiting import until

CLOCKS = ("seconds", "matches_per_second", "file", "record", "ended_at", "estimate", "cpu", "folder")
"""Fields that differ between two runs of the same campaign."""
CRICKET = ("cricket", "--set", "overs=2")
TEMPLATE = f"{sys.executable} -m grandstand {{arguments}}"


@dataclass(frozen=True)
class Kind:
    """A kind of campaign: its command without the folder, the option of the folder, and the files of units done."""

    command: Sequence[str]
    folder: str
    resume: Sequence[str]
    done: str
    jobs: str = "2"


KINDS = {
    "matches": Kind(
        ("play", *CRICKET, "--players", "random", "--matches", "30"), "--out", ["--resume"], "cricket-*.jsonl"
    ),
    "commands": Kind(
        ("play", *CRICKET, "--players", "random", "--matches", "8", "--command", TEMPLATE),
        "--out",
        ["--resume"],
        "cricket-*.jsonl",
    ),
    "evaluation": Kind(
        ("eval", *CRICKET, "--player", "random", "--pack", "start", "--repeats", "15"),
        "--records",
        ["--resume"],
        "*-player-*.jsonl",
    ),
    "tournament": Kind(
        ("tournament", *CRICKET, "--players", "random,neutral,fixed-plan", "--matches", "36"),
        "--records",
        ["--resume"],
        "*[0-9].jsonl",
    ),
    "ladder": Kind(
        ("tournament", *CRICKET, "--players", "random,neutral,fixed-plan", "--format", "ladder", "--matches", "24"),
        "--records",
        ["--resume"],
        "*[0-9].jsonl",
        "1",
    ),
    "sweep": Kind(
        ("sweep", "{sweep}", "--run", "--no-pilot"), "--out", [], "../store/runs/*/run/checkpoints/step-000004"
    ),
}


def words(kind: Kind, home: Path, *more: str) -> list[str]:
    """Return the arguments of the command with its results in `home`."""
    sweep = written(home, fake_data({"A": 0.0, "B": 0.1}))
    command = [word.format(sweep=sweep) if word == "{sweep}" else word for word in kind.command]
    return [*command, kind.folder, str(home / "out"), "--jobs", kind.jobs, "--json", *more]


def units(kind: Kind, home: Path) -> Mapping[Path, int]:
    """Return the files of the units that are done, with their times of change."""
    return {file: file.stat().st_mtime_ns for file in (home / "out").glob(kind.done)}


def lasting(data: Any) -> Any:
    """Return a result without clocks and paths."""
    if isinstance(data, dict):
        return {name: lasting(value) for name, value in data.items() if name not in CLOCKS}
    return [lasting(value) for value in data] if isinstance(data, list) else data


@pytest.mark.long
@pytest.mark.parametrize("name", KINDS)
def test_a_killed_campaign_goes_on_to_the_result_of_one_that_was_not(name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, killed):
        folder.mkdir()
    expected = json.loads(grandstand(*words(kind, whole)).stdout)
    process = subprocess.Popen(
        [sys.executable, "-m", "grandstand", *words(kind, killed)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert until(lambda: len(units(kind, killed)) >= 3, 120)
    process.kill()
    process.wait()
    before = units(kind, killed)
    assert len(before) < len(units(kind, whole)), "it was killed in the middle"
    resumed = json.loads(grandstand(*words(kind, killed, *kind.resume)).stdout)
    assert lasting(resumed) == lasting(expected)
    after = units(kind, killed)
    assert {file.name for file in after} == {file.name for file in units(kind, whole)}
    assert {file: after[file] for file in before} == before, "a unit that was done was done again"
