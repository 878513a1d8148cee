"""Games of other programs among the reference: who played is named, and real T20s are the close ones."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from scripts.reference_past.documents import is_close, keep_people
from scripts.reference_past.play import RECORDS, Kept
from tests.support.source import ROOT


def kept(folder: Path) -> list[Kept]:
    return [Kept.model_validate_json(file.read_bytes()) for file in sorted((folder / RECORDS).glob("*.json"))]


def test_cicero_has_its_seat_and_no_result_is_claimed(tmp_path: Path) -> None:
    with gzip.open(ROOT / "tests/games/diplomacy/data/human_games.jsonl.gz", "rt") as lines:
        (tmp_path / "game_433762_ITALY_AEFT.json").write_text(next(lines))
    keep_people(tmp_path / "work", tmp_path)
    [game] = kept(tmp_path / "work")
    assert game.summary is not None
    assert game.summary.title == "Six people and Cicero (Italy), game 433762"
    players = {seat.seat: (seat.player, seat.kind) for seat in game.summary.seats}
    assert players.pop("ITALY") == ("Cicero", "remote")
    assert {kind for _, kind in players.values()} == {"human"}
    assert game.summary.outcome is None
    assert game.result is None
    assert "MIT licence" in game.summary.source


@pytest.mark.parametrize(
    ("outcome", "close"),
    [
        ({"result": "tie", "eliminator": "A"}, True),
        ({"winner": "A", "by": {"runs": 2}}, True),
        ({"winner": "A", "by": {"runs": 3}}, False),
        ({"winner": "A", "by": {"wickets": 1}}, True),
        ({"winner": "A", "by": {"wickets": 7}}, False),
        ({"winner": "A", "by": {"runs": 1}, "method": "D/L"}, False),
        ({"result": "no result"}, False),
    ],
)
def test_a_t20_is_close_by_its_margin(outcome: dict[str, object], close: bool) -> None:
    assert is_close({"overs": 20, "outcome": outcome}) == close
    assert not is_close({"overs": 5, "outcome": outcome})
