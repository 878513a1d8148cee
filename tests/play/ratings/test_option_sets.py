"""Option sets: what may be compared, and its name in plain words."""

from __future__ import annotations

import pytest

from grandstand.games.registry import game_spec
from grandstand.play.ratings.option_sets import OptionSet

DIPLOMACY = game_spec("diplomacy").rules.version
CRICKET = game_spec("cricket").rules.version


def test_defaults_are_the_same_written_out_or_left_out() -> None:
    assert OptionSet.of("cricket", {}, 3) == OptionSet.of("cricket", {"overs": 20, "era": "modern"}, 3)
    assert OptionSet.of("cricket", {}, 3) != OptionSet.of("cricket", {"overs": 5}, 3)
    assert OptionSet.of("cricket", {}, 3).id != OptionSet.of("cricket", {}, 2).id
    assert OptionSet.of("cricket", {}, 3).id != OptionSet.of("diplomacy", {}, 3).id


@pytest.mark.parametrize(
    ("game", "options", "rules", "label"),
    [
        ("diplomacy", {"last_year": 1910, "press": "none"}, DIPLOMACY, "Spring 1901 to 1910, no press"),
        ("diplomacy", {"scoring": "draw-size"}, DIPLOMACY, "Spring 1901 to 1920, full press, scoring=draw-size"),
        ("diplomacy", {}, DIPLOMACY - 1, f"Spring 1901 to 1920, full press, rules {DIPLOMACY - 1}"),
        ("cricket", {"overs": 1}, CRICKET, "1 over a side"),
        ("cricket", {"pack": "chase-30"}, CRICKET, "20 overs a side, situations of chase-30"),
        ("cricket", {"rain": "random"}, CRICKET, "20 overs a side, rain random"),
        ("cricket", {"gone": 3}, CRICKET, "20 overs a side, gone=3"),
        ("chess", {"clock": 5, "book": "none"}, 1, "book=none, clock=5"),
        ("chess", {}, 1, "the game's defaults"),
    ],
)
def test_a_label_is_in_plain_words(game: str, options: dict[str, object], rules: int, label: str) -> None:
    assert OptionSet.of(game, options, rules).label == label
