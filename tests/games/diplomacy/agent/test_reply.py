"""The request for a model's orders and messages, and the reading of its answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grandstand.games.base import IllegalAction
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.agent.reply import PRESS, REPLY
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.match import Match


def match(**options: Any) -> Match[DiplomacyGame]:
    return Match(GAME, options, 1)


@pytest.mark.parametrize(
    "orders",
    [
        ["A PAR - BUR", "F BRE H"],
        "A PAR - BUR\nF BRE H",
        "* A PAR - BUR; F BRE H;",
        {"A PAR": "- BUR", "F BRE": "F BRE H"},
    ],
    ids=["list", "lines", "one line", "by unit"],
)
def test_orders_in_several_shapes(orders: Any) -> None:
    game = match().game
    for answer in ({"reasoning": "hm", "orders": orders}, {"action": {"orders": orders}}):
        (action,) = REPLY.read(game, "FRANCE", answer)
        assert action == {"orders": ["A PAR - BUR", "F BRE H"]}
    game.apply("FRANCE", action)


@pytest.mark.parametrize(
    "answer",
    [
        {"A PAR": "A PAR - BUR", "F BRE": "H"},
        {"reasoning": "hm", "move": {"a par": "- bur"}},
        ["A PAR - BUR"],
        "A PAR → BUR",
        {"answer": "A PAR-BUR"},
    ],
)
def test_orders_without_their_key(answer: Any) -> None:
    game = match().game
    (action,) = REPLY.read(game, "FRANCE", answer)
    assert {"A PAR - BUR", "F BRE H"} <= set(action["orders"])
    game.apply("FRANCE", action)


@pytest.mark.parametrize("orders", [None, 5, True])
def test_orders_that_are_none(orders: Any) -> None:
    with pytest.raises(IllegalAction, match="orders: must be a list"):
        REPLY.read(match().game, "FRANCE", {"orders": orders})


def test_a_vote_where_there_are_votes() -> None:
    answer = {"orders": [], "vote": "draw"}
    assert REPLY.read(match().game, "FRANCE", answer) == [answer]
    game = match(draw_votes=False).game
    assert REPLY.read(game, "FRANCE", answer) == [{"orders": []}]
    assert REPLY.read(match().game, "FRANCE", {"orders": [], "vote": "perhaps"}) == [{"orders": []}]
    assert "vote" not in REPLY.system(game, "FRANCE")
    assert "vote" not in json.dumps(REPLY.schema(game, "FRANCE"))
    assert "vote" in json.dumps(REPLY.schema(match().game, "FRANCE"))


def test_the_prompt_is_the_games_text() -> None:
    game = match().game
    assert REPLY.prompt(game, "FRANCE") == game.text("FRANCE")
    assert "You are FRANCE" in REPLY.system(game, "FRANCE")


def test_schemas_are_strict() -> None:
    def check(schema: Any) -> None:
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])
            for inner in schema["properties"].values():
                check(inner)
        elif schema.get("type") == "array":
            check(schema["items"])

    check(REPLY.schema(match().game, "FRANCE"))
    check(PRESS.form.schema(match().game, "FRANCE"))


def test_messages_in_several_shapes() -> None:
    game = match().game
    messages = [
        {"to": ["Italy "], "text": "a", "promises": ["A MAR H"], "tone": "warm"},
        {"to": "germany", "text": "b", "promises": None},
        {"to": ["ALL"], "text": "c"},
    ]
    actions = PRESS.form.read(game, "FRANCE", {"messages": messages})
    assert actions == [
        {"message": {"to": ["ITALY"], "text": "a", "promises": ["A MAR H"]}},
        {"message": {"to": ["GERMANY"], "text": "b", "promises": []}},
        {"message": {"to": "all", "text": "c", "promises": []}},
    ]
    for action in actions:
        game.apply("FRANCE", action)
    with pytest.raises(IllegalAction, match=r"messages\[0\]\.to\[0\]: 'everyone' is not possible"):
        PRESS.form.read(game, "FRANCE", {"messages": [{"to": "everyone", "text": "d"}]})


def test_a_promise_may_be_an_order_of_any_phase_in_any_notation() -> None:
    game = match().game
    promises = ["Paris -> Burgundy", "F BRE H", "A MUN S A PAR - BUR"]
    message = {"to": ["ITALY"], "text": "soon", "promises": promises}
    assert PRESS.form.read(game, "FRANCE", {"messages": [message]}) == [{"message": message}]
    with pytest.raises(IllegalAction, match=r"messages\[0\]\.message\.promises\[0\]"):
        PRESS.form.read(game, "FRANCE", {"messages": [{**message, "promises": ["peace"]}]})


@pytest.mark.parametrize("messages", [None, "hello", {"to": "all"}])
def test_messages_that_are_none(messages: Any) -> None:
    with pytest.raises(IllegalAction, match="messages: must be a list of objects"):
        PRESS.form.read(match().game, "FRANCE", {"messages": messages})


def test_no_more_messages_than_are_left() -> None:
    game = match(messages_per_phase=2).game
    game.apply("FRANCE", {"message": {"to": "all", "text": "one"}})
    assert "1 more messages" in PRESS.form.prompt(game, "FRANCE")
    with pytest.raises(IllegalAction, match=r"messages\[1\]\.message: 2 messages are all for one phase"):
        PRESS.form.read(game, "FRANCE", {"messages": [{"to": "all", "text": "x"}] * 2})


def test_public_press_says_so() -> None:
    game = match(press="public").game
    assert "press is public" in PRESS.form.system(game, "FRANCE")
    to = PRESS.form.schema(game, "FRANCE")["properties"]["messages"]["items"]["properties"]["to"]
    assert to["items"]["enum"] == ["all"]


def test_who_speaks_and_when() -> None:
    game = match(negotiation_rounds=3).game
    assert PRESS.rounds(game) == 3
    assert len(PRESS.speakers(game)) == 7
    assert PRESS.speakers(match(press="none").game) == ()
    game.apply("FRANCE", {"orders": []})
    assert PRESS.speakers(game) == ()  # the phase's orders have begun to come in
