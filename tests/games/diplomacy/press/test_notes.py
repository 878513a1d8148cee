"""Notes in the prompts and answers of models."""

from __future__ import annotations

from typing import Any

import pytest

from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.agent.reply import PRESS, REPLY
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.press.notes import NOTES, tidied
from grandstand.games.match import Match

ORDERS, MESSAGES = REPLY.beside(NOTES), PRESS.form.beside(NOTES)


def fresh() -> DiplomacyGame:
    return Match(GAME, {}, 1).game


def test_the_plain_forms_know_nothing_of_notes() -> None:
    game = fresh()
    game.apply("FRANCE", {"notes": {"text": "Hush."}})
    for form in (REPLY, PRESS.form):
        assert "notes" not in form.schema(game, "FRANCE")["properties"]
        assert "Hush" not in form.prompt(game, "FRANCE") + form.system_prompt(game, "FRANCE")
    assert REPLY.read(game, "FRANCE", {"orders": [], "notes": "x"}) == [{"orders": []}]


def test_notes_come_back_with_the_next_prompt() -> None:
    game = fresh()
    answer = {
        "orders": ["A PAR - BUR"],
        "notes": "Watch Italy.\n",
        "trust": {"ITALY": -1, "GERMANY": 2},
        "aims": ["ITALY"],
    }
    for action in ORDERS.read(game, "FRANCE", answer):
        game.apply("FRANCE", action)
    for form in (ORDERS, MESSAGES):
        prompt = form.prompt(game, "FRANCE")
        noted = 'Your notes of S1901M: "Watch Italy."\nYour trust: GERMANY +2, ITALY -1\nYour aims of S1901M: ITALY\n\n'
        assert prompt.startswith(f"{noted}You play")
        assert "Watch Italy" not in form.prompt(game, "ITALY")
        assert form.prompt(game, "ITALY").startswith("Your notes: none yet.\n\n")


def test_messages_and_notes_are_actions_of_their_own() -> None:
    game = fresh()
    message = {"to": ["ITALY"], "text": "Peace?", "promises": []}
    answer = {"messages": [message], "notes": "Offered peace.", "trust": {}}
    assert MESSAGES.read(game, "FRANCE", answer) == [
        {"message": message},
        {"notes": {"text": "Offered peace.", "trust": {}}},
    ]
    assert MESSAGES.read(game, "FRANCE", {"messages": []}) == []


def test_schemas_ask_for_trust_and_aims_among_the_other_powers_in_play() -> None:
    start = {"phase": "S1905M", "units": {}, "centers": {"FRANCE": ["PAR"], "ITALY": ["ROM"], "TURKEY": ["CON"]}}
    start["units"] = {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}
    game = Match(GAME, {"start": start}, 1).game
    for form in (ORDERS, MESSAGES):
        schema = form.schema(game, "FRANCE")
        assert schema["required"] == list(schema["properties"])
        trust = schema["properties"]["trust"]
        assert trust["required"] == list(trust["properties"]) == ["ITALY", "TURKEY"]
        assert trust["additionalProperties"] is False
        assert schema["properties"]["aims"]["items"]["enum"] == ["ITALY", "TURKEY"]


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ({}, {}),
        ({"notes": None, "trust": None}, {}),
        (
            {"notes": "x" * 700},
            {"text": "x" * 600, "left_out": ["notes: cut from 700 to 600 characters"]},
        ),
        ({"notes": ["a"]}, {"left_out": ["notes: must be a text, not list"]}),
        ({"aims": "ITALY"}, {"left_out": ["aims: must be a list of powers, not str"]}),
        (
            {"aims": ["italy ", "ITALY", "FRANCE", 5]},
            {"aims": ["ITALY"], "left_out": ["aims: FRANCE is no other power", "aims: 5 is no other power"]},
        ),
        ({"trust": "high"}, {"left_out": ["trust: must be an object of powers, not str"]}),
        (
            {"trust": {"italy ": 1.0, "FRANCE": 1, "Spain": 0, "TURKEY": 9, "RUSSIA": "2", "GERMANY": True}},
            {
                "trust": {"ITALY": 1},
                "left_out": [
                    "trust.FRANCE: is no other power",
                    "trust.Spain: is no other power",
                    "trust.TURKEY: must be a whole number from -2 to 2",
                    "trust.RUSSIA: must be a whole number from -2 to 2",
                    "trust.GERMANY: must be a whole number from -2 to 2",
                ],
            },
        ),
    ],
    ids=["none", "null", "long", "list", "aim", "wrong aims", "word", "wrong powers"],
)
def test_what_cannot_be_kept_is_left_out_by_name(answer: dict[str, Any], kept: dict[str, Any]) -> None:
    assert tidied("FRANCE", answer) == kept
    game = fresh()
    (action,) = ORDERS.read(game, "FRANCE", {"orders": ["A PAR - BUR"], **answer})
    events = [type(event).__name__ for event in game.apply("FRANCE", action)]
    assert events[-1] == "OrdersSubmitted"
    assert ("NotesTaken" in events) == bool(kept)
    for reason in kept.get("left_out", ()):
        assert reason in ORDERS.prompt(game, "FRANCE")


def test_endless_garbage_is_bounded() -> None:
    trust = {f"{n}" * 1000: n for n in range(1000)}
    kept = tidied("FRANCE", {"notes": "\u202e" * 100_000, "trust": trust})
    assert len(kept["text"]) == 600
    assert len(kept["left_out"]) == 10
    fresh().apply("FRANCE", {"orders": [], "notes": kept})
