from __future__ import annotations

from typing import Any

import pytest

from grandstand.games.base import IllegalAction, MessageSent
from grandstand.games.diplomacy.map import POWERS
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.press import read_message


def read(message: Any, **options: Any) -> MessageSent:
    return read_message(message, "FRANCE", "S1901M", DiplomacyOptions(**options))


def test_private_to_several_and_to_all() -> None:
    private = read({"to": ["ITALY", "ENGLAND", "ITALY"], "text": "hello", "promises": ["A MAR holds"]})
    assert private.recipients == ["ENGLAND", "ITALY"]
    assert private.promises == ["A MAR holds"]
    assert private.seats() == frozenset({"FRANCE", "ENGLAND", "ITALY"})
    single = read({"to": "ITALY", "text": "hello"})
    assert single.recipients == ["ITALY"]
    public = read({"to": "all", "text": "hello"}, press="public")
    assert public.public
    assert public.recipients == [power for power in POWERS if power != "FRANCE"]
    assert public.seats() is None


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ("hello", "message"),
        ({"to": "all", "text": "hello", "loud": True}, "message.loud"),
        ({"text": "hello"}, "message.to"),
        ({"to": [], "text": "hello"}, "message.to"),
        ({"to": ["FRANCE"], "text": "hello"}, "message.to"),
        ({"to": ["PERU"], "text": "hello"}, "message.to"),
        ({"to": [["ITALY"]], "text": "hello"}, "message.to"),
        ({"to": ["all", "ITALY"], "text": "hello"}, "message.to"),
        ({"to": ["ITALY"] * 8, "text": "hello"}, "message.to"),
        ({"to": "all"}, "message.text"),
        ({"to": "all", "text": " "}, "message.text"),
        ({"to": "all", "text": "x" * 1001}, "message.text"),
        ({"to": "all", "text": "hello", "promises": "A PAR H"}, "message.promises"),
        ({"to": "all", "text": "hello", "promises": ["A PAR H", "peace"]}, r"message.promises\[1\]"),
        ({"to": "all", "text": "hello", "promises": [3]}, r"message.promises\[0\]"),
    ],
)
def test_a_bad_message_names_the_field(message: Any, field: str) -> None:
    with pytest.raises(IllegalAction, match=f"^{field}: "):
        read(message)


def test_press_can_be_off_or_public_only() -> None:
    with pytest.raises(IllegalAction, match="without press"):
        read({"to": "all", "text": "hello"}, press="none")
    with pytest.raises(IllegalAction, match="write to 'all'"):
        read({"to": ["ITALY"], "text": "hello"}, press="public")
