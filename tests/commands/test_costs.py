"""`grandstand list costs`: what recorded matches took, from files and from a server's data folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grandstand.main import app
from tests.support.command import grandstand, words
from tests.support.live_server import live_server
from tests.support.players.chat_server import ChatServer, says
from tests.support.players.models import HOLD, roster

SHORT = ("--set", "last_year=1901")


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(says(HOLD, usage=(1000, 10))) as running:
        yield running


def played(server: ChatServer, folder: Path, *, priced: bool = True, matches: int = 2) -> list[str]:
    """Play matches with a model in one seat and return their records."""
    file = roster(folder, server, "model")
    if not priced:
        lines = file.read_text().splitlines(keepends=True)
        file.write_text("".join(line for line in lines if "price" not in line))
    players = ",".join(["model", *["hold"] * 6])
    out = folder / "records"
    options = ("--players", players, *SHORT, "--matches", str(matches), "--roster", str(file), "--out", str(out))
    result = CliRunner().invoke(app, ["play", "diplomacy", *options])
    assert result.exit_code == 0, result.output
    return [str(record) for record in sorted(out.glob("*.jsonl"))]


def costs(*arguments: str) -> Any:
    return json.loads(grandstand("list", "costs", *arguments, "--json").stdout)


def test_matches_are_added_up_by_player_model_and_match(server: ChatServer, tmp_path: Path) -> None:
    records = played(server, tmp_path)
    by_player = costs(*records)
    assert costs(str(tmp_path / "records")) == by_player
    lines = Path(records[0]).read_text().splitlines(keepends=True)
    (tmp_path / "records" / "cut.jsonl.part").write_text("".join(lines[:-1]) + lines[-1][:20])
    assert costs(str(tmp_path / "records"))["total"]["matches"] == 2, "a match in progress is charged as far as it went"
    assert costs(str(tmp_path / "records"))["total"]["calls"] > by_player["total"]["calls"]
    (row,) = by_player["rows"]
    calls = len(server.requests)
    assert (row["player"], row["matches"], row["answers"], row["calls"]) == ("model", 2, calls, calls)
    assert (row["tokens_in"], row["tokens_out"]) == (1000 * calls, 10 * calls)
    assert row["dollars"] == pytest.approx(calls * (1000 * 1.0 + 10 * 10.0) / 1e6)
    assert by_player["total"] == {name: value for name, value in row.items() if name != "player"}
    assert [row["model"] for row in costs(*records, "--by", "model")["rows"]] == ["model"]
    assert [row["matches"] for row in costs(*records, "--by", "match")["rows"]] == [1, 1]
    decisions = costs(*records, "--by", "decision")["rows"]
    assert len(decisions) == calls
    assert all(row["decision"].endswith(" AUSTRIA") for row in decisions)
    assert len(costs(*records, "--by", "day")["rows"]) in (1, 2), "two where midnight came between"
    shown = words(grandstand("list", "costs", *records).stdout)
    assert "Costs by player" in shown
    assert f"{1000 * calls:,}" in shown


def test_an_unknown_price_is_named(server: ChatServer, tmp_path: Path) -> None:
    (record,) = played(server, tmp_path, priced=False, matches=1)
    report = costs(record)
    calls = len(server.requests)
    assert (report["total"]["dollars"], report["total"]["unpriced"]) == (None, calls)
    shown = words(grandstand("list", "costs", record).stdout)
    assert "unknown" in shown
    assert f"the price of {calls} of {calls} answers is unknown" in shown


def test_a_match_without_models_costs_nothing(tmp_path: Path) -> None:
    grandstand("play", "diplomacy", "--players", "hold", *SHORT, "--out", str(tmp_path))
    (record,) = tmp_path.glob("*.jsonl")
    report = costs(str(record))
    assert (report["rows"], report["total"]["answers"], report["total"]["dollars"]) == ([], 0, None)
    assert "no model was asked" in words(grandstand("list", "costs", str(record)).stdout)


def test_a_data_folder_is_read_while_its_server_runs(server: ChatServer, tmp_path: Path) -> None:
    file = roster(tmp_path, server, "model")
    with live_server(tmp_path / "data", GRANDSTAND_ROSTER=str(file)) as services:
        match = {"game": "diplomacy", "options": {"last_year": 1901}, "pace": 0, "players": {"FRANCE": "model"}}
        episode = services.start_match(**match)
        services.wait_for(episode, status="finished")
        (row,) = costs(str(tmp_path / "data"), "--by", "match")["rows"]
    assert (row["match"], row["calls"]) == (episode, len(server.requests))


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("[]")
    assert "not a Grandstand episode" in words(grandstand("list", "costs", str(tmp_path / "other"), status=2).stderr)
    assert "contains no records" in words(grandstand("list", "costs", str(tmp_path), status=2).stderr)
    assert "No such file" in words(grandstand("list", "costs", str(tmp_path / "none"), status=2).stderr)
