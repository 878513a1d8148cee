"""The measures of matches with press."""

from __future__ import annotations

from benchmarks.diplomacy_press import Alliance, Result, alliances, leaders
from grandstand.games.diplomacy.rules.map import POWER, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.state import Resolution, State

FRIENDS = [
    {"GERMANY": ["A MUN S A PAR - BUR"], "FRANCE": ["A PAR - BUR"]},
    {"GERMANY": ["A MUN S A BUR"], "FRANCE": []},
]
"""The orders of a year in which Germany supports France twice; the rest hold."""


def phases(*seasons: dict[str, list[str]]) -> list[Resolution]:
    """Return the movement phases of a match with these orders."""
    played, state = [], State.start()
    for texts in seasons:
        while not state.name.endswith("M"):
            state = state.resolve({}).after
        orders = [parse_order(text, state, POWER[power]) for power, listed in texts.items() for text in listed]
        played.append(state.resolve({UNIT_PROVINCE[order[1]]: order for order in orders}))
        state = played[-1].after
    return played


def test_two_supports_are_an_alliance_until_an_attack() -> None:
    assert alliances(phases(*FRIENDS)) == [Alliance(2, broken=False)]
    assert alliances(phases(*FRIENDS, {})) == [Alliance(3, broken=False)]
    assert alliances(phases(*FRIENDS, {}, {"GERMANY": ["A MUN - BUR"]})) == [Alliance(3, broken=True)]


def test_one_support_or_an_attack_in_between_is_none() -> None:
    attack = {"FRANCE": ["A BUR - MUN"]}
    assert alliances(phases(FRIENDS[0], {})) == []
    assert alliances(phases(FRIENDS[0], attack, FRIENDS[1])) == []


def test_leaders_are_counted_once_and_told_from_winners() -> None:
    counts = [dict.fromkeys(POWER, 3) | {"FRANCE": 12}, dict.fromkeys(POWER, 3) | {"FRANCE": 13, "TURKEY": 9}]
    result = Result(events=[("CentersChanged", {"counts": count}) for count in counts])
    assert leaders(result, 9) == [False, False]
    assert leaders(result, 12) == [False]
    assert leaders(result, 15) == []
