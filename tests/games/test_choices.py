"""The grammar of moves: whole answers, answers read from data, and answers word by word."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.games import answers, choices, offered
from grandstand.games.base import IllegalAction
from grandstand.games.checks import grammar
from grandstand.games.choices import (
    Chosen,
    Grammar,
    Layout,
    Many,
    Number,
    Option,
    Pick,
    Slot,
    Text,
    Walk,
    picks,
    words_of,
)
from grandstand.games.match import Match
from grandstand.games.registry import game_spec

HOUSES = [Option(f"{kind} {town}", target=town) for town in ("Ayr", "Bath", "Cork") for kind in ("inn", "mill")]


def called(moves: Grammar, tool: str, arguments: dict[str, Any], taken: Sequence[str] = ()) -> Chosen:
    """Return the choices of a call of a tool."""
    return answers.read(moves, offered.called(moves, tool, arguments, taken))


def auction(chosen: Chosen) -> Sequence[Slot]:
    """Pass or bid; who bids names a price; who builds names houses, one in each town."""
    if not chosen:
        return [Pick("move", picks("pass", "bid", "build"), default="pass"), Text("note", 20)]
    if len(chosen) > 2:
        return ()
    if chosen["move"] == "bid":
        return [Number("price", 10, 30, 5), Pick("pay", picks("cash", "credit"), default="cash")]
    return [Many("houses", HOUSES, 1, 2)] if chosen["move"] == "build" else ()


def orders(chosen: Chosen) -> Sequence[Slot]:
    """Two units with an order each, in one stage."""
    if chosen:
        return ()
    return [
        Pick("A PAR", picks("A PAR H", "A PAR - BUR", "A PAR S A MAR - BUR"), default="A PAR H"),
        Pick("A MAR", picks("A MAR H", "A MAR - BUR"), default="A MAR H"),
    ]


GRAMMARS = [auction, orders]
LAYOUTS = [
    (Layout(), "}"),
    (Layout("list", keyed=False), "]}"),
    (Layout("list", nested="arguments"), "}}]}"),
]
"""Each with the end of its JSON."""


@pytest.mark.parametrize("grammar", GRAMMARS)
@given(seed=st.integers(0, 10_000))
def test_a_drawn_answer_comes_back_from_data_and_from_words(grammar: choices.Grammar, seed: int) -> None:
    chosen = choices.drawn(grammar, Random(seed))
    assert answers.read(grammar, json.loads(json.dumps(chosen))) == chosen
    words = words_of(grammar, chosen)
    walk = Walk(grammar, words)
    assert (walk.chosen, walk.steps) == (chosen, [])
    for layout, end in LAYOUTS:
        text = layout.lead
        for done in range(len(words)):
            pieces = {word.word: layout.piece(word) for word in Walk(grammar, words[:done]).steps[0]}
            text += pieces[words[done]]
            assert not any(a != b and b.startswith(a) for a in pieces.values() for b in pieces.values())
        closed = text + end if layout.keyed else text.removesuffix("]") + end
        assert answers.read(grammar, json.loads(closed), keys=("list",)) == chosen


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_every_sequence_of_words_is_another_answer(grammar: choices.Grammar) -> None:
    found: list[str] = []
    waiting: list[list[str]] = [[]]
    while waiting:
        words = waiting.pop()
        walk = Walk(grammar, words)
        if walk.steps:
            waiting += [[*words, word.word] for word in walk.steps[0]]
        else:
            found.append(json.dumps(walk.chosen))
    # Five prices paid in two ways, 6 single houses and 3 * 4 pairs, and pass; two orders of 3 and 2.
    assert len(found) == len(set(found)) == (29 if grammar is auction else 6)


def test_the_default_leaves_out_what_may_be_left_out() -> None:
    assert choices.default(auction) == {"move": "pass", "note": ""}
    assert choices.default(orders) == {"A PAR": "A PAR H", "A MAR": "A MAR H"}
    assert choices.default_value(Many("houses", HOUSES, 2, 2)) == ("inn Ayr", "inn Bath")
    assert choices.default_value(Number("price", 10, 30)) == 10


def test_a_slot_offers_its_values_and_no_others() -> None:
    houses = Many("houses", HOUSES, 1, 2)
    assert choices.offers(houses, ("inn Ayr", "mill Bath"))
    for wrong in ((), ("mill Bath", "inn Ayr"), ("inn Ayr", "mill Ayr"), ("inn Dover",), "inn Ayr"):
        assert not choices.offers(houses, wrong)
    assert choices.offers(Number("price", 10, 30, 5), 15)
    assert not choices.offers(Number("price", 10, 30, 5), 12)
    assert not choices.offers(Text("note", 3), "long")


@pytest.mark.parametrize(
    "answer",
    [
        {"move": "build", "houses": ["mill Bath", "inn Ayr"]},
        {"action": {"move": "BUILD", "houses": ["mill-bath", " inn  ayr. "]}, "reasoning": "a mill pays"},
        ["build", "inn Ayr", "mill Bath"],
        {"answer": ["build", "inn Ayr", "mill Bath"]},
        {"Move": "build", "Houses": ["inn Ayr", "mill Bath"], "note": None},
    ],
)
def test_an_answer_is_read_in_any_form(answer: Any) -> None:
    assert answers.read(auction, answer) == {"move": "build", "note": "", "houses": ("inn Ayr", "mill Bath")}


@pytest.mark.parametrize(
    "answer",
    [
        {"A PAR": "A PAR - BUR", "A MAR": "A MAR H"},
        {"a par": "- bur"},
        {"orders": ["A PAR -> BUR"]},
        {"orders": {"A PAR": "a par→bur"}},
        ["A MAR H", "A PAR – BUR"],
        "A PAR-BUR",
    ],
)
def test_orders_are_read_in_any_form(answer: Any) -> None:
    assert answers.read(orders, answer, keys=("orders",)) == {"A PAR": "A PAR - BUR", "A MAR": "A MAR H"}


def test_a_bare_word_is_an_answer() -> None:
    assert answers.read(auction, "pass") == {"move": "pass", "note": ""}
    assert answers.read(auction, {"action": "pass"}) == {"move": "pass", "note": ""}
    assert answers.read(auction, {"move": "bid", "price": "15"}) == {
        "move": "bid",
        "note": "",
        "price": 15,
        "pay": "cash",
    }


@pytest.mark.parametrize(
    ("answer", "field", "words"),
    [
        ({"move": "bit"}, "move", "'bit' is not possible; give one of 3, such as bid"),
        ({"move": "bid"}, "price", "is missing; give a whole number from 10 to 30 in steps of 5"),
        ({"move": "bid", "price": 12}, "price", "'12' is not possible"),
        ({"move": "bid", "price": True}, "price", "'True' is not possible"),
        ({"move": "build", "houses": ["inn Ayr", "mill Ayr"]}, "houses", "has 2; give 1 to 2 different ones"),
        ({"move": "build", "houses": ["inn Dover"]}, "houses[0]", "'inn Dover' is not possible"),
        ({"move": "pass", "price": 10}, "price", "there is no such choice; there are move, note"),
        ({"move": "pass", "note": "x" * 21}, "note", "at most 20 characters"),
        (["pass", "inn Ayr"], "answer", "'inn Ayr' belongs to none of move, note"),
    ],
)
def test_a_refusal_names_the_slot_and_the_remedy(answer: Any, field: str, words: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        answers.read(auction, answer)
    assert refused.value.field == field
    assert words in refused.value.reason


def test_the_schema_has_a_property_for_each_slot() -> None:
    schema = offered.schema(auction)
    assert schema["properties"]["move"] == {"type": "string", "enum": ["pass", "bid", "build"]}
    price = {"anyOf": [{"type": "integer", "minimum": 10, "maximum": 30}, {"type": "null"}]}
    assert schema["properties"]["price"] == price
    assert schema["properties"]["houses"]["anyOf"][0]["items"]["enum"] == [option.word for option in HOUSES]
    assert schema["required"] == list(schema["properties"]) == ["reasoning", "move", "note", "price", "pay", "houses"]


def test_the_listing_says_what_comes_after_what() -> None:
    assert offered.listing(auction).splitlines() == [
        "move: pass, bid, build",
        "note: give text of at most 20 characters",
        "after move bid: price: give a whole number from 10 to 30 in steps of 5",
        "after move bid: pay: cash, credit",
        "after move build: houses: 1 to 2 of inn Ayr or mill Ayr, inn Bath or mill Bath, inn Cork or mill Cork",
    ]
    assert offered.listing(orders).splitlines()[0] == "A PAR: H | - BUR | S A MAR - BUR"


def test_one_pick_of_few_names_is_a_tool_for_each_option() -> None:
    def moves(chosen: Chosen) -> Sequence[Slot]:
        if chosen:
            return [Number("price", 10, 30), Text("to whom", 9)] if chosen == {"move": "bid"} else ()
        return [Pick("move", [Option("pass", help="Do nothing."), Option("bid")])]

    first, second = offered.tools(moves)
    assert (first["name"], first["description"], first["parameters"]["properties"]) == ("pass", "Do nothing.", {})
    assert second["parameters"]["required"] == ["price"]
    assert list(second["parameters"]["properties"]) == ["price", "to_whom"]
    read = called(moves, "bid", {"price": "20", "to_whom": "me"})
    assert read == {"move": "bid", "price": 20, "to whom": "me"}
    assert called(moves, "pass", {"move": "bid"}) == {"move": "pass"}, "the tool is the choice"
    for tool, arguments, field in (("sell", {}, "sell"), ("bid", {"price": 5}, "price"), ("bid", {"x": 1}, "price")):
        with pytest.raises(IllegalAction) as refused:
            called(moves, tool, arguments)
        assert refused.value.field == field
    assert [tool["name"] for tool in offered.tools(moves, taken=["bid"])] == [offered.ACT]
    assert called(moves, offered.ACT, {"move": "bid", "price": 10}, taken=["bid"])["price"] == 10


@pytest.mark.parametrize(
    "slots",
    [
        [Pick("card", picks("2 of hearts", "pass"))],
        [Pick("cell", picks(*(f"c{number}" for number in range(offered.MOST_TOOLS + 1))))],
        [Number("bid", 1, 3)],
        [Pick("move", picks("pass", "bid")), Text("note", 20)],
    ],
    ids=["no names", "many", "no pick", "several"],
)
def test_other_choices_are_one_tool(slots: Sequence[Slot]) -> None:
    (tool,) = offered.tools(lambda chosen: () if chosen else slots)
    assert tool["name"] == offered.ACT
    assert list(tool["parameters"]["properties"]) == [slot.name for slot in slots]


def test_a_captain_has_a_tool_for_each_call() -> None:
    match = Match(game_spec("cricket"), {"overs": 1}, 1)
    arguments: dict[str, set[str]] = {}
    required: set[tuple[str, ...]] = set()
    while not match.over:
        seat = match.waiting[0]
        for tool in offered.tools(grammar(match.game, seat)):
            assert tool["description"]
            required.add((tool["name"], *tool["parameters"]["required"]))
            arguments.setdefault(tool["name"], set()).update(tool["parameters"]["properties"])
        match.apply(seat, match.game.default_action(seat))
    assert arguments.keys() - {"review"} == {
        *("set_toss", "choose_bowler", "set_field", "bowl_delivery", "play_delivery"),
        *("choose_batter", "choose_next_over_plan", "analyze_situation"),
    }
    assert {each for each in required if len(each) > 1} == {
        ("choose_bowler", "bowler"),
        ("choose_batter", "batter"),
        ("set_field", "preset"),
    }
    assert {"length", "line", "variation"} <= arguments["bowl_delivery"]
    assert arguments["play_delivery"] >= {"intent", "shot"}
    assert {"preset", "positions"} <= arguments["set_field"]


def test_a_power_has_one_tool_with_its_units() -> None:
    game = Match(game_spec("diplomacy"), {}, 1).game
    france = grammar(game, "FRANCE")
    (tool,) = offered.tools(france)
    assert tool["name"] == "act"
    assert {"A_MAR", "A_PAR", "F_BRE"} <= tool["parameters"]["properties"].keys()
    assert "A PAR - BUR" in tool["parameters"]["properties"]["A_PAR"]["enum"]
    assert called(france, "act", {"A_PAR": "A PAR - BUR", "F_BRE": "- MAO"}) == {
        **choices.default(france),
        "A PAR": "A PAR - BUR",
        "F BRE": "F BRE - MAO",
    }


def test_a_word_that_cannot_be_chosen_is_named() -> None:
    with pytest.raises(ValueError, match="'sell' is none of pass, bid, build"):
        Walk(auction, ["sell"])
    with pytest.raises(ValueError, match="whole before 'bid'"):
        Walk(auction, ["pass", "bid"])
