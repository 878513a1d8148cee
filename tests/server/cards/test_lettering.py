"""Text on cards: measured, wrapped, shortened, and never wider than its column."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.games.cards import Face, Words
from grandstand.server.cards import lettering
from grandstand.server.cards.lettering import FONTS, legible, length, wrapped


def words(text: str, width: float = 200.0, lines: int = 2, least: float = 0.0) -> Words:
    return Words(text, (0, 0), 30, "#000000", "serif", width=width, lines=lines, least=least)


def test_short_text_is_set_as_it_is() -> None:
    assert wrapped(words("A win")) == (["A win"], 30)


def test_long_text_is_wrapped_then_set_smaller_then_shortened() -> None:
    text = "Turkey takes Sevastopol from Russia"
    assert len(wrapped(words(text, lines=4))[0]) == 3
    lines, size = wrapped(words(text, lines=2, least=15))
    assert (" ".join(lines), size < 30) == (text, True)
    lines, size = wrapped(words(text, lines=2))
    assert size == 30
    assert lines[-1].endswith("…")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.integers(1, 4))
def test_no_line_is_wider_than_its_column(text: str, lines: int) -> None:
    result, size = wrapped(words(text, lines=lines, least=20))
    assert len(result) <= lines
    assert all(length(line, "serif", size) <= 200 for line in result)


def test_a_word_without_spaces_is_broken() -> None:
    assert "".join(wrapped(words("W" * 40, lines=9))[0]) == "W" * 40


def test_a_long_word_is_measured_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = 0

    def counted(text: str, face: Face, size: float) -> float:
        nonlocal measured
        measured += 1
        return length(text, face, size)

    monkeypatch.setattr(lettering, "length", counted)
    lines, _size = wrapped(words("W" * 1000, lines=2))
    assert lines[-1].endswith("…")
    assert measured < 2000, "1,000 letters on about 150 lines"


def test_letters_that_the_typefaces_lack_are_question_marks() -> None:
    assert legible("Łódź  vs\nMünchen – 5 €") == "Łódź vs München – 5 €"
    assert legible("将棋 \u202eabc\x00") == "?? abc"
    assert len(legible("x" * 5000)) == 1000


@pytest.mark.parametrize("name", ["barlow-semi-condensed", "spectral"])
def test_the_typefaces_come_with_their_licence(name: str) -> None:
    assert "SIL Open Font License" in (FONTS / f"{name}.LICENSE.txt").read_text(encoding="utf-8")
    assert list(FONTS.glob(f"{name}-latin-*.woff2.b64"))
