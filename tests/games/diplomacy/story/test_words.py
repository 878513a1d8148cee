"""Names, numbers and orders in words."""

from __future__ import annotations

import pytest

from grandstand.games.diplomacy.story.words import listed, number, ordinal, place, promised, season, sentence


def test_names_and_numbers() -> None:
    assert [place(code) for code in ("TRI", "NTH", "STP/SC", "RUH")] == [
        *("Trieste", "the North Sea", "St Petersburg", "the Ruhr"),
    ]
    assert [number(count) for count in (0, 1, 18, 34, 40)] == ["no", "one", "eighteen", "thirty-four", "40"]
    assert [ordinal(count) for count in (3, 12, 13, 21, 22, 111)] == [
        "third",
        "twelfth",
        "13th",
        "21st",
        "22nd",
        "111th",
    ]
    assert season("F1904R") == "fall 1904"
    assert listed(["A"]) == "A"
    assert listed(["A", "B", "C"]) == "A, B and C"
    assert sentence("the end. it is.") == "The end. It is."


@pytest.mark.parametrize(
    ("order", "clause"),
    [
        ("A VEN H", "the army in Venice stays where it is"),
        ("VEN H", "the unit in Venice stays where it is"),
        ("A TYR - TRI", "the army in Tyrolia goes to Trieste"),
        ("A VEN S A TYR - TRI", "the army in Venice supports the army in Tyrolia into Trieste"),
        ("A VEN S A TYR", "the army in Venice supports the army in Tyrolia"),
        ("F NTH C A LON - HOL", "the fleet in the North Sea carries the army in London to Holland"),
        ("A BUR R GAS", "the army in Burgundy retreats to Gascony"),
        ("F LON B", "a new fleet appears in London"),
        ("A BUR D", "the army in Burgundy is disbanded"),
        ("WAIVE", None),
        ("peace for all", None),
    ],
)
def test_a_promised_order(order: str, clause: str | None) -> None:
    assert promised(order) == clause
