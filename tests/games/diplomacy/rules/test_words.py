from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.games.diplomacy.rules.map import PROVINCE_NAMES, PROVINCES
from grandstand.games.diplomacy.rules.words import NotAnOrder, OrderWords, order_words


@pytest.mark.parametrize(
    ("text", "standard"),
    [
        ("a par -> bur", "A PAR - BUR"),
        ("A PAR --> BUR", "A PAR - BUR"),
        ("A PAR=>BUR", "A PAR - BUR"),
        ("A PAR-BUR", "A PAR - BUR"),
        ("Army Paris moves to Burgundy", "A PAR - BUR"),
        ("A Paris move to Burgundy.", "A PAR - BUR"),
        ("army in paris to burgundy", "A PAR - BUR"),
        ("A PAR holds", "A PAR H"),
        ("A PAR", "A PAR H"),
        ("F STP(SC) - BOT", "F STP/SC - BOT"),
        ("f stp sc - gulf of bothnia", "F STP/SC - BOT"),
        ("F St. Petersburg (south coast) - BOT", "F STP/SC - BOT"),
        ("Fleet St Petersburg South Coast -> Gulf of Bothnia", "F STP/SC - BOT"),
        ("F STP/S - BOT", "F STP/SC - BOT"),
        ("F STP S A MOS - LVN", "F STP S A MOS - LVN"),
        ("F MAO - SPA-NC", "F MAO - SPA/NC"),
        ("F Mid-Atlantic Ocean supports F Gascony to Spain (nc)", "F MAO S F GAS - SPA/NC"),
        ("F mid - ech", "F MAO - ENG"),
        ("A MAR supports A PAR", "A MAR S A PAR"),
        ("A MAR S A PAR H", "A MAR S A PAR"),
        ("A MAR supports A PAR to hold", "A MAR S A PAR"),
        ("A MAR supports French army Paris -> Burgundy", "A MAR S A PAR - BUR"),
        ("F NTH convoys A YOR - BEL", "F NTH C A YOR - BEL"),
        ("F North Sea convoys English army Yorkshire to Belgium", "F NTH C A YOR - BEL"),
        ("A LON - BEL via convoy", "A LON - BEL VIA"),
        ("A LON - BEL by convoy", "A LON - BEL VIA"),
        ("A BUR retreats to GAS", "A BUR R GAS"),
        ("build A PAR", "A PAR B"),
        ("Build fleet St Petersburg (nc)", "F STP/NC B"),
        ("remove F LON", "F LON D"),
        ("A PAR disbands", "A PAR D"),
        ("waive", "WAIVE"),
    ],
)
def test_variants_of_one_order(text: str, standard: str) -> None:
    assert order_words(text) == order_words(standard)


def test_the_parts() -> None:
    assert order_words("F STP/SC S A MOS - LVN") == OrderWords("S", "F", "STP/SC", "A", "MOS", "LVN")
    assert order_words("A LON - BEL VIA") == OrderWords("-", "A", "LON", to="BEL", via=True)


def test_every_full_name_is_understood() -> None:
    for code, name in zip(PROVINCES, PROVINCE_NAMES, strict=True):
        assert order_words(f"F {name} H").place == code


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a unit such as"),
        ("A PAR - XYZ", "'XYZ' is neither"),
        ("A PAR -", "a destination is missing"),
        ("A PAR - BUR MUN", "left over"),
        ("A PAR S", "a unit such as"),
        ("F NTH C A YOR", "a destination is missing"),
        ("A PAR VIA BUR", "after the unit comes"),
        ("- PAR", "a unit such as"),
    ],
)
def test_what_is_no_order(text: str, reason: str) -> None:
    with pytest.raises(NotAnOrder, match=reason):
        order_words(text)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(NotAnOrder):
        assert order_words(text).verb
