"""The folder of records: one process at a time uses it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grandstand.atomic import lock_folder
from grandstand.campaigns import match_folder
from grandstand.main import app

EVAL = ("eval", "cricket", "--player", "neutral", "--pack", "five-over", "--limit", "1", "--jobs", "1", "--json")


def test_a_folder_that_another_process_uses_is_refused_and_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_folder, "ENDING_SECONDS", 0.0)
    records = tmp_path / "records"
    command = [*EVAL, "--records", str(records)]
    assert CliRunner().invoke(app, command).exit_code == 0
    part = records / "0000-player-00001.jsonl.part"
    part.write_text("unfinished")
    with lock_folder(records):
        refused = CliRunner().invoke(app, [*command, "--resume"])
    assert refused.exit_code == 2
    assert "another process plays the evaluation" in " ".join(refused.output.split())
    assert part.read_text() == "unfinished"
    part.unlink()
    assert CliRunner().invoke(app, [*command, "--resume"]).exit_code == 0
