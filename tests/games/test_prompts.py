"""The parts of a prompt, put together."""

from __future__ import annotations

from grandstand.games.prompts import PLACED, PromptPart, ended, joined


def test_empty_parts_leave_no_trace() -> None:
    parts = [PromptPart("rules", "Rules."), PromptPart("history", ""), PromptPart("position", "Board.")]
    assert joined(parts) == "Rules.\n\nBoard."
    assert joined([]) == ""


def test_a_prompt_can_end_with_a_newline() -> None:
    parts = [PromptPart("rules", "Rules."), PromptPart("position", "Board."), PromptPart("notes", "")]
    assert joined(ended(parts)) == "Rules.\n\nBoard.\n"
    assert parts[1].text == "Board.", "the parts themselves are unchanged"


def test_every_part_but_the_task_can_be_placed() -> None:
    assert PLACED == ("rules", "position", "history", "analysis", "legal", "notes")
