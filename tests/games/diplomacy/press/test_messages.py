from __future__ import annotations

from typing import Any

import pytest

from grandstand.games.base import IllegalAction, MessageSent
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.press.messages import noted_lies, read_message
from grandstand.games.diplomacy.rules.map import POWERS


def read(message: Any, **options: Any) -> MessageSent:
    rules = DiplomacyOptions(**options)
    return read_message(message, "FRANCE", "S1901M", rules.press, rules.message_length)


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


def test_a_sender_notes_the_promises_that_it_does_not_mean() -> None:
    message = {"to": ["ITALY"], "text": "hello", "promises": ["A MAR H", "A PAR - BUR"], "lies": ["A MAR H"]}
    sent = read(message)
    assert sent.promises == ["A MAR H", "A PAR - BUR"]
    (lie,) = noted_lies(message, sent)
    assert (lie.promise, lie.recipients, lie.seats()) == ("A MAR H", ["ITALY"], frozenset({"FRANCE"}))
    assert noted_lies({"to": "all", "text": "hello"}, sent) == []


@pytest.mark.parametrize(
    ("lies", "field"), [("A MAR H", "lies"), (3, "lies"), (["A BRE H"], r"lies\[0\]"), ([{}], r"lies\[0\]")]
)
def test_bad_lies_name_the_field(lies: Any, field: str) -> None:
    message = {"to": ["ITALY"], "text": "hello", "promises": ["A MAR H"], "lies": lies}
    with pytest.raises(IllegalAction, match=rf"^message\.{field}: "):
        noted_lies(message, read(message))


def test_a_refused_note_sends_nothing() -> None:
    game = DiplomacyGame(DiplomacyOptions())
    before = game.digest()
    with pytest.raises(IllegalAction, match="lies"):
        game.apply("ITALY", {"message": {"to": ["AUSTRIA"], "text": "hello", "lies": ["A VEN H"]}})
    assert game.digest() == before


def test_a_match_saved_before_there_were_notes_can_be_loaded() -> None:
    game = DiplomacyGame(DiplomacyOptions())
    message = {"to": ["AUSTRIA"], "text": "hello", "promises": ["A VEN H"], "lies": ["A VEN H"]}
    game.apply("ITALY", {"message": message})
    saved = game.to_json()
    assert GAME.rules.load(saved).lies == game.lies
    del saved["lies"]
    assert GAME.rules.load(saved).lies == []
    assert GAME.rules.load(saved).messages == game.messages
