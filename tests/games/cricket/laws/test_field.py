from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.games.cricket.laws.field import (
    PLACES,
    POSITIONS,
    PRESETS,
    field_of,
    parse_places,
    restrictions,
    standard_preset,
)
from grandstand.games.cricket.laws.rules import format_rules


def test_every_preset_is_nine_places_and_breaks_no_leg_side_rule() -> None:
    for name, places in PRESETS.items():
        assert parse_places(places) == places, name
        assert field_of(places).leg_side_breach is None, name


def test_a_place_is_outside_the_circle_exactly_where_it_is_called_deep() -> None:
    for position in POSITIONS.values():
        assert position.outside_circle == (position.depth == "deep"), position.name


@pytest.mark.parametrize("overs", [5, 20, 50])
@pytest.mark.parametrize("group", ["pace", "spin"])
def test_standard_fields_are_always_legal(overs: int, group: str) -> None:
    rules = format_rules(overs)
    for legal in range(rules.balls):
        for death in (False, True):
            field = field_of(PRESETS[standard_preset(rules, legal, death, group)])
            assert field.breach(rules.max_outside(legal)) is None


def test_too_many_outside_is_a_breach() -> None:
    field = field_of(PRESETS["middle_pace"])
    assert field.breach(5) is None
    assert "5 fielders outside" in (field.breach(2) or "")


def test_three_behind_square_on_the_leg_side_is_a_breach() -> None:
    places = [
        "leg slip",
        "fine leg",
        "backward square leg",
        "point",
        "cover",
        "mid-off",
        "mid-on",
        "short third",
        "gully",
    ]
    assert "behind square leg" in (field_of(parse_places(places)).breach(5) or "")


def test_six_on_the_leg_side_is_a_breach() -> None:
    places = ["mid-on", "midwicket", "square leg", "short leg", "fine leg", "silly mid-on", "cover", "mid-off", "point"]
    assert "leg side" in (field_of(parse_places(places)).breach(5) or "")


def test_aliases_are_understood() -> None:
    places = [*PRESETS["pp_attack"][:-2], "third man", "Fine Leg"]
    assert parse_places(places)[-2:] == ("deep third", "fine leg")


@pytest.mark.parametrize(
    ("places", "says"),
    [(["cover"] * 9, "twice"), (list(PLACES[:8]), "name nine"), (["nowhere", *PLACES[:8]], "unknown position")],
)
def test_bad_fields_are_told_why(places: list[str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_places(places)


@given(st.permutations(PLACES).map(lambda places: tuple(places[:9])), st.integers(2, 5))
def test_a_field_is_legal_exactly_where_no_restriction_is_overfull(places: tuple[str, ...], most: int) -> None:
    overfull = [rule.where for rule in restrictions(most) if sum(place in rule.places for place in places) > rule.most]
    breach = field_of(places).breach(most)
    assert (breach is None) == (overfull == [])
    assert breach is None or overfull[0] in breach
