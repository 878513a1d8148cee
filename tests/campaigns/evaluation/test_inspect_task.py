"""The task of Inspect AI, run by Inspect itself in an environment of its own."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.docs.commands import commands
from tests.support.live_server import ROOT
from tests.support.requirements import file

PYTHON = ROOT / ".cache/inspect/bin/python"
PROGRAM = ROOT / "tests/support/campaigns/inspect_match.py"
OFFLINE = ROOT / "tests/support/campaigns/offline"

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


@pytest.fixture(autouse=True)
def _installed() -> None:
    file(PYTHON, remedy="run scripts/setup/inspect")


def run(*words: str | Path, folder: Path, path: str = f"{ROOT}:{OFFLINE}") -> str:
    environment = {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def evaluated(folder: Path, limit: int = 1, **task: Any) -> dict[str, Any]:
    """An evaluation of a model that answers with the first words that the schema allows."""
    asked = json.dumps({"task": task, "limit": limit, "logs": str(folder / "logs")})
    result: dict[str, Any] = json.loads(run(PYTHON, PROGRAM, asked, folder=folder).splitlines()[-1])
    assert (result["status"], [sample["error"] for sample in result["samples"]]) == ("success", [None] * limit)
    return result


@pytest.mark.parametrize(
    ("game", "options"),
    [("werewolf", {}), ("cricket", {"overs": 1}), ("diplomacy", {"press": "none", "last_year": 1901})],
)
def test_any_game_is_played_by_its_choices(game: str, options: dict[str, Any], tmp_path: Path) -> None:
    result = evaluated(tmp_path, game=game, options=options, pack="start", keep=str(tmp_path / "kept"))
    (sample,) = result["samples"]
    shown = sample["shown"]
    assert (shown["status"], shown["scored"], shown["fallbacks"], shown["faults"]) == ("finished", True, 0, {})
    assert sample["scores"] == {"match_score": shown["score"], "own_decisions": 1}
    assert sample["messages"][:3] == ["system", "user", "assistant"]
    assert result["metrics"]["match_score"]["n"] == 1
    assert Path(shown["record"]).is_file()


def test_the_documented_commands(tmp_path: Path) -> None:
    """A model that cannot play: no match counts for it, and nothing hides that."""
    documented = [item for item in commands() if item.page.name == "other-programs.md"]
    for number, command in enumerate(documented):
        words = command.words
        if words[0] == "inspect":
            logs = tmp_path / str(number)
            small = ["--limit", "1", "--display", "plain", "--log-format", "json", "--log-dir", str(logs)]
            run(PYTHON.with_name("inspect"), *words[1:], *small, folder=tmp_path)
            (log,) = logs.glob("*.json")
            check_nothing_counts(json.loads(log.read_text()), differs="records=chases" in words)
        elif "chases" in words:
            run(sys.executable, "-m", *words, folder=tmp_path, path=str(ROOT))


def check_nothing_counts(log: dict[str, Any], differs: bool) -> None:
    assert log["status"] == "success"
    scores = {score["name"]: score for score in log["results"]["scores"]}
    assert list(scores) == ["match_score", "own_decisions", *(["difference"] if differs else [])]
    assert len(log["samples"]) == 1
    for sample in log["samples"]:
        assert math.isnan(sample["scores"]["match_score"]["value"])
        assert sample["scores"]["match_score"]["reason"] == "invalid_response_format"
        assert sample["scores"]["own_decisions"]["value"] == 0
        assert not differs or math.isnan(sample["scores"]["difference"]["value"])


def test_a_model_is_compared_with_the_recorded_reference(tmp_path: Path) -> None:
    asked = ["cricket", "--player", "heuristic", "--pack", "start", "--set", "overs=1", "--records", "chases"]
    run(sys.executable, "-m", "grandstand", "eval", *asked, folder=tmp_path, path=str(ROOT))
    result = evaluated(tmp_path, limit=2, records=str(tmp_path / "chases"))
    for sample in result["samples"]:
        score = sample["shown"]["score"]
        assert score - sample["scores"]["difference"] in (0, 0.5, 1)
    assert result["metrics"]["difference"]["n"] == 2


def test_a_folder_without_an_evaluation_is_refused(tmp_path: Path) -> None:
    words = ["eval", "grandstand/match", "--model", "mockllm/model", "-T", f"records={tmp_path}"]
    with pytest.raises(AssertionError, match=r"has no plan\.json of an evaluation"):
        run(PYTHON.with_name("inspect"), *words, folder=tmp_path)
