from __future__ import annotations

from typing import get_args

from grandstand.events import Boundary
from grandstand.server.reports.words import CAUSES, ago, chance, game_title, kind_title, ordinal, some


def test_words() -> None:
    assert " ".join(map(ordinal, (1, 2, 3, 4, 11, 12, 13, 21, 102))) == "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd"
    assert [some(list("abcd"), 2), some(list("abc"), 2), some(["a"])] == ["a, b and 2 more", "a, b and c", "a"]
    assert [chance(share) for share in (0.9999, 0.5, 0.0001)] == ["> 99 %", "50 %", "< 1 %"]
    assert [ago(0, seconds) for seconds in (59, 60, 7200, 86_400)] == [
        "just now",
        "1 minute ago",
        "2 hours ago",
        "1 day ago",
    ]
    assert [kind_title("llm"), kind_title("novel")] == ["language model", "novel"]
    assert [game_title("diplomacy"), game_title("chess")] == ["Diplomacy", "Chess"]


def test_every_boundary_has_words() -> None:
    assert CAUSES.keys() == set(get_args(Boundary))
