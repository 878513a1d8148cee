"""The screen of a moment, and the lines that tell of events."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from rich.console import Console

from grandstand.models import Event
from grandstand.terminal.match_text import lines, plain_lines, screen, standing_line
from tests.support.play.recordings import recorded
from tests.support.spectator.logs import finished_log, short_log


def shown_at(events: Sequence[Event], width: int = 120, height: int = 40, connection: str = "") -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, height=height, color_system=None)
    console.print(screen(events, width=width, height=height, connection=connection))
    return file.getvalue()


def test_both_games_have_standing_board_and_story() -> None:
    text = shown_at(recorded("diplomacy")[:60])
    assert {"Austria", "France", "Board", "Story"} <= set(text.split())
    assert "Diplomacy" in text.splitlines()[0]
    text = shown_at(recorded("cricket")[:90])
    assert "Riverbend Otters" in text
    assert "Run rate" in text
    assert "This over" in text


@pytest.mark.parametrize(("width", "height"), [(40, 12), (80, 24), (99, 30), (200, 60)])
def test_a_screen_fits_its_terminal(width: int, height: int) -> None:
    for game in ("diplomacy", "cricket"):
        rows = shown_at(recorded(game)[:90], width, height).splitlines()
        assert len(rows) <= height
        assert all(len(row) <= width for row in rows)


def test_a_game_without_words_has_its_scores() -> None:
    assert "NORTH" in shown_at(short_log())
    assert standing_line(short_log()).strip().startswith("NORTH")
    assert list(plain_lines(finished_log(), 0))[-1].startswith("== ")


def test_a_position_that_cannot_be_read_has_a_screen() -> None:
    created = recorded("diplomacy")[0]
    broken = created.model_copy(update={"seq": 1, "type": "PhaseAdvanced", "data": {"phase": "S1901M", "state": {}}})
    assert "AUSTRIA" in shown_at([created, broken])


def test_the_connection_is_named_when_it_is_lost() -> None:
    assert "connection lost" in shown_at(short_log(), connection="connection lost, next attempt in 3 s")


def test_text_of_a_match_is_literal() -> None:
    data = {"turn": "1", "sender": "N", "recipients": ["S"], "text": "[red]a\x1b[2J\u202eb", "public": False}
    press = recorded("diplomacy")[0].model_copy(update={"seq": 5, "type": "MessageSent", "data": data})
    events = [*short_log(), press]
    (line,) = plain_lines(events, len(events) - 1)
    assert line == "N to S: [red]a\\x1b[2J\\u202eb"
    assert "[red]a\\x1b[2J" in shown_at(events)
    assert list(lines(press)) == [f"N to S: {data['text']}"]
