from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from grandstand.games.base import OptionError
from grandstand.games.diplomacy.options import DiplomacyOptions


def test_every_option_has_a_default_and_a_help() -> None:
    DiplomacyOptions()
    assert all(field.metadata["help"] for field in fields(DiplomacyOptions))


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("press", "loud", "choose one of none, public, full"),
        ("scoring", "chess", "choose one of sum-of-squares, draw-size, c-diplo, carnage"),
        ("last_year", 1900, "a whole number from 1901"),
        ("last_year", "1910", "a whole number"),
        ("stalemate_years", -1, "a whole number from 0"),
        ("messages_per_phase", 0, "a whole number from 1"),
        ("message_length", True, "a whole number from 1"),
        ("draw_votes", 1, "true or false"),
    ],
)
def test_a_bad_value_is_named_with_the_remedy(name: str, value: Any, remedy: str) -> None:
    with pytest.raises(OptionError, match=f"^{name}: .*{remedy}"):
        DiplomacyOptions(**{name: value})
