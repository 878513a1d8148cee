"""The answers of the characters to letters."""

from __future__ import annotations

from random import Random

import pytest

from grandstand.games.base import Action, MessageSent
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots import TALKS
from grandstand.games.diplomacy.bots.talking.answers import in_rounds
from grandstand.games.match import Match
from tests.support.diplomacy.conversation import FILE, conversation, planned_by_dumbbot
from tests.support.diplomacy.talkers import TalkingMatch


def test_the_conversation_is_the_one_on_file() -> None:
    assert conversation() == FILE.read_text(encoding="utf-8"), "run the module `conversation` and read what changed"


def answered(text: str, name: str = "Bismarck", match: TalkingMatch | None = None) -> list[Action]:
    """Return the letters of Germany to France after this letter of France."""
    match = match.fork() if match is not None else Match(GAME, {}, 5)
    match.apply("FRANCE", {"message": {"to": ["GERMANY"], "text": text}})
    with planned_by_dumbbot():
        replies = TALKS[name](match.game, "GERMANY", Random(3), 2, 2)
    return [reply["message"] for reply in replies if reply["message"]["to"] == ["FRANCE"]]


@pytest.mark.parametrize(
    "text",
    [
        "Hi! Shall we be allies against England?",
        "What are your plans?",
        "what do you think of the weather",
        "you are an idiot",
        "lol",
        "Let's agree on a draw",
        "I will move my army from Paris to Burgundy",
        "You attacked me! You promised peace, liar",
        "Help me into Belgium please",
        "If you move to Burgundy I will destroy you",
        "DMZ in Burgundy?",
        "🙂",
        "¿Qué quieres?",
    ],
)
def test_every_letter_of_a_person_gets_one_answer(text: str) -> None:
    (reply,) = answered(text)
    assert reply["text"]


def test_a_support_is_granted_with_a_promise() -> None:
    for text in ("Would your army in Munich support my army from Paris into Burgundy?", "A MUN S A PAR - BUR?"):
        (reply,) = answered(text)
        promised = reply.get("promises", [])
        assert promised in ([], ["A MUN S A PAR - BUR"])
        assert "Burgundy" in reply["text"]


def test_a_place_is_kept_empty_once_it_is_agreed() -> None:
    match: TalkingMatch = Match(GAME, {}, 5)
    match.apply("FRANCE", {"message": {"to": ["GERMANY"], "text": "Please stay out of Burgundy."}})
    for action in TALKS["Bismarck"](match.game, "GERMANY", Random(3), 2, 2):
        match.apply("GERMANY", action)
    (text,) = [message for message in match.game.messages if message.sender == "GERMANY"]
    assert "Burgundy" in text.text
    orders = GAME.bots.players["Bismarck"](match.game, "GERMANY", Random(3))["orders"]
    assert "A MUN - BUR" not in orders


def test_who_did_nothing_says_so() -> None:
    (reply,) = answered("You attacked me and broke your promise, liar!")
    assert any(words in reply["text"] for words in ("nothing of the kind", "somebody else", "not true", "do me wrong"))


def test_a_letter_is_answered_once() -> None:
    match: TalkingMatch = Match(GAME, {}, 5)
    match.apply("FRANCE", {"message": {"to": ["GERMANY"], "text": "Shall we be allies?"}})
    for round in (2, 3):
        actions = TALKS["Bismarck"](match.game, "GERMANY", Random(round), round, 4)
        assert bool(actions) == (round == 2)
        for action in actions:
            match.apply("GERMANY", action)


def test_rounds_are_told_apart_by_the_order_of_seats() -> None:
    mail = [
        MessageSent(turn, sender, ["ITALY"], "Hello.")
        for turn, sender in (
            ("S1901M", "AUSTRIA"),
            ("S1901M", "FRANCE"),
            ("S1901M", "FRANCE"),
            ("S1901M", "ENGLAND"),
            ("F1901M", "TURKEY"),
            ("F1901M", "AUSTRIA"),
        )
    ]
    assert [round for _, round in in_rounds(mail)] == [1, 1, 1, 2, 1, 2]
