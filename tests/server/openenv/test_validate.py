"""OpenEnv's own judgement: of the package, of a running server, by its graders, and by its older check."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from openenv.cli._validation import validate_multi_mode_deployment
from openenv.validation.graders.runtime.basic import (
    ObservationSchemaGrader,
    RewardWellFormedGrader,
    StateContractGrader,
)
from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser
from openenv.validation.runtime.collector import collect_runtime_evidence
from openenv.validation.runtime.contracts import load_runtime_plan
from typer.testing import CliRunner

from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.server.openenv.environment import DESCRIPTION
from tests.support.live_server import ROOT, LiveServer

OURS = ("openenv.yaml", "client.py", "models.py", "pyproject.toml", "uv.lock", "README.md", "Dockerfile")
"""Files that the validator reads, of a clean checkout: it accepts no links, of which node_modules is full."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("package")
    for name in OURS:
        shutil.copy(ROOT / name, folder / name)
    for name in ("server", "validation"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def validate(*arguments: str) -> str:
    """Output of `openenv validate` on success."""
    from openenv.cli.__main__ import app  # takes half a second, and every test process imports this module

    result = CliRunner().invoke(app, ["validate", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_package_passes_the_static_validator(package: Path) -> None:
    assert "Verdict: PASS" in validate(str(package), "--level", "static", "--skip-build")


def test_a_running_server_passes(server: LiveServer) -> None:
    report = validate("--url", server.url, "--timeout", "60")
    assert "Verdict: PASS" in report
    assert "FAIL" not in report


@pytest.mark.filterwarnings("ignore:connect\\(\\) must be used:DeprecationWarning")  # their collector's call
def test_the_runtime_graders_pass(package: Path, server: LiveServer) -> None:
    """Run the validator's steps for a container, without the container."""
    manifest = OpenEnvYamlParser().parse(package)
    plan = load_runtime_plan(package, manifest.execution)
    evidence = collect_runtime_evidence(server.url, plan, episode_timeout_s=manifest.resources.episode_timeout_s)
    assert evidence.failure_reason is None
    assert sum(exchange.operation == "step" for exchange in evidence.exchanges) == len(plan.actions)
    assert json.loads(evidence.exchanges[-2].response_json)["data"]["done"]
    subject = SimpleNamespace(manifest=manifest, runtime_evidence=evidence)
    for grader in (RewardWellFormedGrader(), ObservationSchemaGrader(), StateContractGrader()):
        result = grader.run(subject)
        assert result.status.value == "pass", (result.check_id, result.evidence)


def test_the_older_multi_mode_check_passes(package: Path) -> None:
    assert validate_multi_mode_deployment(package) == (True, [])


@pytest.mark.parametrize("name", GAMES)
def test_the_description_names_the_game(name: str) -> None:
    assert game_spec(name).rules.title in DESCRIPTION
