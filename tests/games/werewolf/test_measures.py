"""What a seat achieved, by its role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grandstand.games.werewolf.measures import MEASURES, measures

EVENTS: list[tuple[str, Mapping[str, Any]]] = [
    ("FalseClaimMade", {"seat": "Ben", "act": "claim seer"}),
    ("VotesShown", {"votes": {"Ada": "Ben", "Ben": "Ada", "Cleo": "Ada"}}),
    ("VotesShown", {"votes": {"Ada": "Cleo", "Ben": "Cleo", "Cleo": "abstain"}}),
    ("GameDecided", {"winner": "wolves", "roles": {"Ada": "seer", "Ben": "wolf", "Cleo": "villager"}}),
]


def test_a_seat_is_measured_by_its_role() -> None:
    assert measures(EVENTS, "Ada") == {"false claims": 0, "won in the village": 0, "votes for wolves": 0.5}
    assert measures(EVENTS, "Ben") == {"false claims": 1, "won as wolf": 1}
    assert measures(EVENTS, "Cleo") == {"false claims": 0, "won in the village": 0, "votes for wolves": 0}
    assert {name for seat in ("Ada", "Ben") for name in measures(EVENTS, seat)} == set(MEASURES)


def test_a_match_without_an_end_has_no_measures() -> None:
    assert measures(EVENTS[:3], "Ada") == {}
