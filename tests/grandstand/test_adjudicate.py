"""`grandstand adjudicate`: JSON lines in, JSON lines out, and a bad line does not end the run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent


def adjudicate(*lines: str) -> list[Any]:
    done = subprocess.run(
        [sys.executable, "-m", "grandstand", "adjudicate"],
        cwd=ROOT,
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_bounce_and_a_bad_line() -> None:
    position = {
        "phase": "S1901M",
        "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
        "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
        "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
    }
    bounce, broken, unknown, again = adjudicate(
        json.dumps(position), "{not json", json.dumps(position | {"units": {"PERU": ["A PAR"]}}), json.dumps(position)
    )
    assert bounce["results"] == {"A PAR": ["bounce"], "A MUN": ["bounce"]}
    assert bounce["phase"] == "F1901M"
    assert bounce["units"]["FRANCE"] == ["A PAR"]
    assert "error" in broken
    assert "PERU" in unknown["error"]
    assert again == bounce
