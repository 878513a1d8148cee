"""A match of Werewolf in words: speeches, and roles in numbers."""

from __future__ import annotations

from grandstand.games.werewolf.text import plural, spoken
from grandstand.games.werewolf.types import Statement

SPEECH: Statement = {
    "day": 1,
    "turn": "Day 1 speech 1",
    "seat": "Ada",
    "acts": ["suspect Ben"],
    "because": "votes",
    "text": 'Ben said "no".',
}


def test_a_speech_has_its_reason_if_it_gives_one_and_its_words() -> None:
    assert spoken(SPEECH) == 'Ada [suspect Ben, because of votes]: "Ben said \\"no\\"."'
    assert spoken({**SPEECH, "because": "no reason"}) == 'Ada [suspect Ben]: "Ben said \\"no\\"."'
    assert spoken({**SPEECH, "acts": [], "because": "no reason", "text": ""}) == "Ada [no act]: (no words)"


def test_roles_are_counted_in_words() -> None:
    assert [plural("wolf", 1), plural("wolf", 2), plural("seer", 2)] == ["wolf", "wolves", "seers"]
