"""The grammar of a captain's choices: all that is offered is legal, and all that is legal can be chosen."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from grandstand.games.base import Action, IllegalAction, SeatId
from grandstand.games.choices import Chosen, Many, Pick, Slot, drawn
from grandstand.games.cricket.agent.actions import (
    ALL_VARIATIONS,
    ARGUMENTS,
    IMPACT,
    LENGTH_WORDS,
    LINE_WORDS,
    MAX_NOTE,
    PLAN_OVER,
)
from grandstand.games.cricket.agent.choices import AS_PLANNED, LATER, bowlers
from grandstand.games.cricket.agent.menu import FREE_CALLS, allowed
from grandstand.games.cricket.agent.over_slots import NOBODY, OWN
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PLACES, PRESETS
from grandstand.games.cricket.match.over_plan import THEMES, ZONES
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import INTENTS, SEATS, SHOTS

OPTIONS: tuple[dict[str, Any], ...] = (
    {"overs": 2, "conditions": "ipl-2023"},
    {"overs": 5, "rain": "random"},
    {"overs": 22, "rain": "1@1->20", "era": "classic"},
    {"overs": 3, "decisions": "over", "conditions": "ipl-2023"},
)


def new(seed: int, **options: Any) -> CricketGame:
    return CricketGame(CricketOptions(**(options or OPTIONS[seed % 4]), win_probability=False), seed)


def answer(game: CricketGame, seat: SeatId, rng: Random) -> Chosen:
    return drawn(lambda before: game.choices(seat, before), rng)


def stages(game: CricketGame, seat: SeatId, chosen: Chosen) -> list[list[Slot]]:
    """The slots of every stage on the way to the whole answer."""
    before: dict[str, Any] = {}
    way: list[list[Slot]] = []
    while slots := game.choices(seat, before):
        way.append(list(slots))
        before |= {slot.name: chosen[slot.name] for slot in slots}
    return way


def seen(game: CricketGame, chosen: Chosen) -> set[str]:
    kinds = {str(chosen["tool"])}
    kinds |= {"as planned"} if AS_PLANNED in chosen.values() else set()
    kinds |= {"impact player in a plan"} if chosen["tool"] == PLAN_OVER and "replaces" in chosen else set()
    kinds |= {"retired"} if chosen.get("retire", NOBODY) != NOBODY else set()
    kinds |= {"own field"} if chosen.get("preset") == "own" else set()
    if "position_9" in chosen:
        kinds |= {"corrected field" if game.state.field_locked else "legal field"}
    return kinds | ({"later"} if chosen.get("batter") == LATER else set())


@pytest.mark.long
def test_whole_matches_are_played_by_choices_alone() -> None:
    met: Counter[str] = Counter()
    for seed in range(12):
        game, rng = new(seed), Random(seed)
        while game.outcome is None:
            seat = rng.choice(game.to_act())
            chosen = answer(game, seat, rng)
            action = game.action(seat, chosen)
            assert game.chosen(seat, action) == chosen
            if rng.random() < 0.1:
                way = stages(game, seat, chosen)
                assert (
                    stages(game.clone(), seat, chosen) == stages(CricketGame.load(game.to_json()), seat, chosen) == way
                )
            met.update(seen(game, chosen))
            game.apply(seat, action)
        assert [game.choices(seat, {}) for seat in SEATS] == [(), ()]
    assert met.keys() >= ARGUMENTS.keys() | {
        "as planned", "retired", "impact player in a plan", "later", "own field", "corrected field", "legal field"
    }  # fmt: skip


def test_a_plan_with_a_field_of_the_captains_own_asks_for_nine_positions() -> None:
    game = CricketGame(CricketOptions(overs=3, decisions="over", win_probability=False), 3)
    rng = Random(3)
    while (chosen := answer(game, seat := game.to_act()[0], rng)).get("field") is None:
        game.apply(seat, game.action(seat, chosen))
    chosen = {name: value for name, value in chosen.items() if name != "positions"} | {"field": OWN}
    (positions,) = game.choices(seat, chosen)
    assert isinstance(positions, Many)
    assert (positions.name, positions.least, positions.most) == ("positions", 9, 9)
    nine = tuple(option.word for option in positions.options[:9])
    assert game.choices(seat, chosen | {"positions": nine}) == ()


def call(game: CricketGame, side: int, rng: Random) -> dict[str, Any]:
    """A call of any tool with any arguments, some of which are wrong."""
    names = [player.name for player in game.state.teams[side].players]
    nine = sorted(rng.sample(PLACES, 9), key=PLACES.index)
    if game.state.breached is not None:  # nearly the field of the no-ball
        stay = rng.sample(game.state.breached, rng.randint(6, 9))
        others = rng.sample([place for place in PLACES if place not in stay], 9 - len(stay))
        nine = [*stay, *others]
    values: dict[str, list[Any]] = {
        "decision": ["bat", "Field", "toss"],
        "take": [True, False, "yes"],
        "bowler": [*names, names[3].upper(), "Nobody"],
        "batter": [*names, "Nobody"],
        "impact": [*names[11:], *names[11:], *names[:2]],
        "replaces": [*names, "Nobody"],
        "theme": [*THEMES, "natural?"],
        "zone": [*ZONES],
        "striker": [*INTENTS],
        "non_striker": [*INTENTS, "hope"],
        "ask": [True, False],
        "retire": ["striker", "non-striker", NOBODY],
        "preset": ["standard", *PRESETS, "own"],
        "field": ["standard", *PRESETS, nine, nine[:8]],
        "positions": [nine, nine, nine, nine[1:], "slip"],
        "length": [*LENGTH_WORDS, "Back of length", "beamer"],
        "line": [*LINE_WORDS, AS_PLANNED],
        "variation": [*ALL_VARIATIONS],
        "intent": [*INTENTS, "Slog", 1],
        "shot": [*SHOTS, None],
        "note": ["a thought", "x" * (MAX_NOTE + 1)],
    }
    tool = rng.choice(allowed(game.state, side))
    often = {PLAN_OVER: 0.15, IMPACT: 0.9}.get(tool, 0.5)
    some = [name for name in (*ARGUMENTS[tool], "shot") if rng.random() < (often if name in ARGUMENTS[tool] else 0.02)]
    return {"tool": tool, "arguments": {name: rng.choice(values[name]) for name in some}}


def left_to_apply(game: CricketGame, side: int, action: Action) -> bool:
    """Whether the call is one of those that the grammar leaves out though the rules accept them."""
    if PLAN_OVER in allowed(game.state, side) and action["tool"] != PLAN_OVER:
        return True
    if action["tool"] == "bowl_delivery":
        return game.state.now.bowler is None
    return (
        action["tool"] == "choose_next_over_plan"
        and action["arguments"]["bowler"] not in bowlers(game.state, side, next_over=True)
    )  # fmt: skip


@pytest.mark.long
def test_what_the_rules_accept_can_be_chosen_and_what_they_refuse_cannot() -> None:
    count: Counter[str] = Counter()
    for seed in range(18):
        decisions = "over" if seed % 3 == 2 else "ball"
        game, rng = new(seed, overs=3, conditions="ipl-2023" if seed % 2 else "icc", decisions=decisions), Random(seed)
        while game.outcome is None:
            seat = rng.choice(game.to_act())
            action: Action = call(game, SEATS.index(seat), rng)
            chosen = game.chosen(seat, action)
            try:
                events = game.clone().apply(seat, action)
            except IllegalAction:
                assert chosen is None, action
                count["refused"] += 1
                action = BOTS["random"](game, seat, rng)
            else:
                if chosen is None:
                    assert left_to_apply(game, SEATS.index(seat), action), action
                else:
                    assert game.clone().apply(seat, game.action(seat, chosen)) == events, action
                    count[action["tool"]] += 1
            game.apply(seat, action)
    assert count.keys() == ARGUMENTS.keys() | {"refused"}


def test_the_tool_that_moves_on_is_first_and_the_only_one_without_free_calls() -> None:
    game = new(3, overs=5)
    game.apply(game.to_act()[0], {"tool": "set_toss"})
    seat = game.to_act()[0]
    for left in range(FREE_CALLS, -1, -1):
        (tools,) = game.choices(seat, {})
        assert isinstance(tools, Pick)
        assert tools.default == tools.options[0].word == "play_delivery"
        assert all(option.help for option in tools.options)
        assert len(tools.options) == (4 if left else 1)
        if left:
            game.apply(seat, {"tool": "analyze_situation"})
    assert game.choices("home" if seat == "away" else "away", {}) == ()


def test_a_call_that_is_left_out_is_the_usual_one_or_that_of_the_plan() -> None:
    game = new(3, overs=5)
    game.apply(game.to_act()[0], {"tool": "set_toss"})
    seat, whole = game.to_act()[0], {"tool": "play_delivery"}
    assert game.chosen(seat, whole) == {**whole, "intent": "normal", "shot": "natural"}
    game.apply(seat, {"tool": "choose_next_over_plan", "arguments": {"intent": "slog"}})
    assert game.chosen(seat, whole) == {**whole, "intent": AS_PLANNED, "shot": "natural"}
    (intent, _) = game.choices(seat, whole)
    assert isinstance(intent, Pick)
    assert intent.options[0].text == "slog"
    assert game.action(seat, {**whole, "intent": AS_PLANNED, "shot": "natural"}) == {
        **whole, "arguments": {"shot": "natural"}
    }  # fmt: skip


@pytest.mark.parametrize("seat", SEATS)
def test_only_the_winner_of_the_toss_is_asked(seat: SeatId) -> None:
    game = new(3, overs=5)
    assert bool(game.choices(seat, {})) == (seat in game.to_act())
    assert game.chosen(seat, {"tool": "bowl_delivery", "arguments": {"length": "good"}}) is None
