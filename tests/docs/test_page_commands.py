"""The commands that the list of campaigns shows are complete: nothing but the token of the server is missing."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.live_server import ROOT
from tests.support.requirements import installed

pytestmark = pytest.mark.long

PAGE = (ROOT / "frontend/src/campaign/Campaigns.svelte").read_text("utf-8")
COMMANDS: dict[str, str] = dict(re.findall(r"(\w+): 'grandstand ([^']+)',", PAGE))


def test_there_is_a_command_for_each_kind() -> None:
    assert COMMANDS.keys() == {"tournament", "evaluation", "series", "training", "experiment"}


@pytest.mark.parametrize("kind", COMMANDS)
def test_a_command_lacks_the_token_alone(kind: str, tmp_path: Path) -> None:
    if kind in ("training", "experiment"):
        installed("torch")
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GRANDSTAND_")}
    ended = subprocess.run(
        [sys.executable, "-m", "grandstand", *shlex.split(f"{COMMANDS[kind]}http://127.0.0.1:9")],
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert ended.returncode != 0
    assert "GRANDSTAND_PUBLISH_TOKEN" in ended.stderr
