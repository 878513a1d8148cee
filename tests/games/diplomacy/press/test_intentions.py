"""The lies that models note of their promises."""

from __future__ import annotations

from typing import Any

import pytest

from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.agent.reply import PRESS, REPLY
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.press.intentions import INTENTIONS, marked
from grandstand.games.diplomacy.press.notes import NOTES
from grandstand.games.match import Match

ORDERS, MESSAGES = REPLY.beside(INTENTIONS), PRESS.form.beside(INTENTIONS)
LETTER = {"to": ["ITALY"], "text": "Burgundy is all I want.", "promises": ["A PAR - BUR", "A MAR H"]}
NOTED = 'Promises of this phase that you noted as not meant: "A MAR H" to ITALY'


def fresh() -> DiplomacyGame:
    return Match(GAME, {}, 1).game


def write(game: DiplomacyGame, **letter: Any) -> None:
    for action in MESSAGES.read(game, "FRANCE", {"messages": [{**LETTER, **letter}]}):
        game.apply("FRANCE", action)


def test_the_plain_forms_neither_ask_nor_listen() -> None:
    game = fresh()
    write(game, lies=["A MAR H"])
    for form in (REPLY, PRESS.form):
        assert "lies" not in str(form.schema(game, "FRANCE"))
        assert '"lies"' not in form.system_prompt(game, "FRANCE")
        assert "not meant" not in form.prompt(game, "FRANCE")
    assert "lies" not in PRESS.form.read(game, "FRANCE", {"messages": [{**LETTER, "lies": ["A MAR H"]}]})[0]["message"]


def test_lies_are_asked_for_with_messages_alone() -> None:
    game = fresh()
    assert '"lies"' in MESSAGES.system_prompt(game, "FRANCE")
    assert ORDERS.system_prompt(game, "FRANCE") == REPLY.system_prompt(game, "FRANCE")
    assert ORDERS.schema(game, "FRANCE") == REPLY.schema(game, "FRANCE")
    message = MESSAGES.schema(game, "FRANCE")["properties"]["messages"]["items"]
    assert message["required"] == list(message["properties"]) == ["to", "text", "promises", "pact", "lies"]
    plain = PRESS.form.schema(game, "FRANCE")["properties"]["messages"]["items"]
    assert plain["required"] == ["to", "text", "promises", "pact"]


def test_the_message_goes_out_and_the_lie_stays_with_its_seat() -> None:
    game = fresh()
    write(game, lies=["A MAR H"])
    (lie,) = game.lies
    assert (lie.power, lie.promise, lie.recipients, lie.seats()) == (
        "FRANCE",
        "A MAR H",
        ["ITALY"],
        frozenset(("FRANCE",)),
    )
    for form in (ORDERS, MESSAGES):
        assert form.prompt(game, "FRANCE").startswith(f"{NOTED}\n\nYou play FRANCE")
        for other in ("ITALY", "GERMANY"):
            assert "not meant" not in form.prompt(game, other)
    assert "lies" not in str(game.observation("ITALY"))


def test_the_prompts_of_the_next_phase_are_silent_of_it() -> None:
    match = Match(GAME, {}, 1)
    write(match.game, lies=["A MAR H"])
    for seat in match.waiting:
        match.apply(seat, {"orders": []})
    assert match.game.lies
    assert "not meant" not in ORDERS.prompt(match.game, "FRANCE")


def test_notes_and_lies_go_together() -> None:
    form = MESSAGES.beside(NOTES)
    game = fresh()
    answer = {"messages": [{**LETTER, "lies": ["A MAR H"]}], "notes": "Italy is next.", "trust": {"ITALY": -2}}
    message, noted = form.read(game, "FRANCE", answer)
    assert message == {"message": {**LETTER, "lies": ["A MAR H"]}}
    assert noted == {"notes": {"text": "Italy is next.", "trust": {"ITALY": -2}}}
    for action in (message, noted):
        game.apply("FRANCE", action)
    prompt = form.prompt(game, "FRANCE")
    assert NOTED in prompt
    assert "Italy is next." in prompt


@pytest.mark.parametrize(
    ("lies", "expected"),
    [
        (["A MAR H"], ["A MAR H"]),
        ("A MAR H", ["A MAR H"]),
        (["army Marseilles holds"], ["A MAR H"]),
        (["Paris -> Burgundy", "MAR H"], ["A PAR - BUR", "A MAR H"]),
        (["A MAR - SPA"], []),
        (["all of them", 3, None, {"A MAR H": True}], []),
        ({"A MAR H": True}, []),
        (True, []),
        (None, []),
        ([], []),
    ],
)
def test_what_is_none_of_the_promises_is_left_out(lies: Any, expected: list[str]) -> None:
    assert marked(LETTER["promises"], lies) == expected
    game = fresh()
    write(game, lies=lies)
    assert [lie.promise for lie in game.lies] == expected
    assert [message.promises for message in game.messages] == [LETTER["promises"]]


@pytest.mark.parametrize("promises", [None, "A MAR H", 3])
def test_lies_about_no_promises_are_none(promises: Any) -> None:
    assert marked(promises, ["A MAR H"]) == []
