"""The parts of a prompt, put together."""

from __future__ import annotations

from grandstand.games.prompts import PLACED, Part, ended, joined


def test_empty_parts_leave_no_trace() -> None:
    parts = [Part("rules", "Rules."), Part("history", ""), Part("position", "Board.")]
    assert joined(parts) == "Rules.\n\nBoard."
    assert joined([]) == ""


def test_a_prompt_can_end_with_a_newline() -> None:
    parts = [Part("rules", "Rules."), Part("position", "Board."), Part("notes", "")]
    assert joined(ended(parts)) == "Rules.\n\nBoard.\n"
    assert parts[1].text == "Board.", "the parts themselves are unchanged"


def test_every_part_but_the_task_can_be_placed() -> None:
    assert PLACED == ("rules", "position", "history", "analysis", "legal", "notes")
