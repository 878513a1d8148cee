"""What editors and type checkers see of the package in a checkout, with their default settings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jedi
import pytest

from tests.support.source import PACKAGE, ROOT

pytestmark = pytest.mark.long

IMPORTS = {
    "grandstand.games.base": "IllegalAction",
    "grandstand.models": "Event",
    "grandstand.spectator.bus": "Bus",
}
PROGRAM = "\n".join(f"from {module} import {name}\nreveal_type({name})" for module, name in IMPORTS.items()) + "\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    return file


def test_pyright_knows_every_type(program: Path) -> None:
    done = subprocess.run(
        [ROOT / "frontend/node_modules/.bin/pyright", "--pythonpath", sys.executable, "--outputjson", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    remarks = [remark["message"] for remark in json.loads(done.stdout)["generalDiagnostics"]]
    assert remarks == [f'Type of "{name}" is "type[{name}]"' for name in IMPORTS.values()]


@pytest.mark.long
def test_plain_mypy_knows_every_type(program: Path) -> None:
    """Plain: with no configuration. It gives `Any` without an error for what it does not see."""
    plain = ["--config-file", "", "--follow-imports", "silent", "--cache-dir", str(program.parent)]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *plain, program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    revealed = [line.partition("Revealed type is ")[2] for line in done.stdout.splitlines() if "Revealed" in line]
    assert len(revealed) == len(IMPORTS), done.stdout
    for text, (module, name) in zip(revealed, IMPORTS.items(), strict=True):
        assert f"{module}.{name}" in text


def test_jedi_finds_every_definition(program: Path) -> None:
    script = jedi.Script(PROGRAM, path=program, project=jedi.Project(ROOT))
    for line, (module, name) in enumerate(IMPORTS.items()):
        (definition,) = script.goto(2 * line + 1, len(f"from {module} import {name}"), follow_imports=True)
        assert definition.module_path == PACKAGE.parent / f"{module.replace('.', '/')}.py"
        assert definition.name == name
