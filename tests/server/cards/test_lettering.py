"""Text on cards: measured, wrapped, shortened, and never wider than its column."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from grandstand.server.cards import lettering
from grandstand.server.cards.encoding import encoded_card
from grandstand.server.cards.lettering import FONTS, Face, advances, legible, length, text, wrapped


def words(text: str, lines: int = 2, least: float = 0.0) -> tuple[list[str], float]:
    return wrapped(text, "serif", 30, width=200, lines=lines, least=least)


def test_short_text_is_set_as_it_is() -> None:
    assert words("A win") == (["A win"], 30)


def test_long_text_is_wrapped_then_set_smaller_then_shortened() -> None:
    told = "Turkey takes Sevastopol from Russia"
    assert len(words(told, lines=4)[0]) == 3
    lines, size = words(told, lines=2, least=15)
    assert (" ".join(lines), size < 30) == (told, True)
    lines, size = words(told, lines=2)
    assert size == 30
    assert lines[-1].endswith("…")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.integers(1, 4))
def test_no_line_is_wider_than_its_column(told: str, lines: int) -> None:
    result, size = words(told, lines=lines, least=20)
    assert len(result) <= lines
    assert all(length(line, "serif", size) <= 200 for line in result)


def test_a_word_without_spaces_is_broken() -> None:
    assert "".join(words("W" * 40, lines=9)[0]) == "W" * 40


def test_a_long_word_is_measured_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = 0

    def counted(words: str, face: Face, size: float) -> float:
        nonlocal measured
        measured += 1
        return length(words, face, size)

    monkeypatch.setattr(lettering, "length", counted)
    lines, _size = words("W" * 1000, lines=2)
    assert lines[-1].endswith("…")
    assert measured < 2000, "1,000 letters on about 150 lines"


def test_letters_that_the_typefaces_lack_are_question_marks() -> None:
    assert legible("Łódź  vs\nMünchen – 5 €") == "Łódź vs München – 5 €"
    assert legible("将棋 \u202eabc\x00") == "?? abc"
    assert len(legible("x" * 5000)) == 1000


def test_symbols_of_games_are_known() -> None:
    assert legible("K♥ ♞ ⚅ → ✓") == "K♥ ♞ ⚅ → ✓"


def test_the_typefaces_have_every_character_that_is_measured() -> None:
    """Ink is as wide as the text is measured, but for the kerning: no character is missing, or of another width."""
    for face in ("sans", "bold", "serif"):
        known = [char for char, width in advances(face).items() if width > 0.2]
        for start in range(0, len(known), 40):
            told = "".join(known[start : start + 40])
            assert ink(text(told, 20, 30, 20, "#000000", face)) == pytest.approx(length(told, face, 20), rel=0.05)


def ink(element: str) -> float:
    """Return the width of what is drawn."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="60">{element}</svg>'
    box = ImageOps.invert(Image.open(io.BytesIO(encoded_card(svg))).convert("RGB")).getbbox()
    return box[2] - box[0] if box else 0.0


def test_text_is_escaped() -> None:
    assert ">&lt;b&gt; &amp; c&lt;" in text("<b> & c<", 0, 0, 20, "#000000")


def test_lines_are_set_below_each_other() -> None:
    rows = re.findall(r' y="([\d.]+)"', text("Turkey takes Sevastopol", 0, 100, 30, "#000000", width=200, lines=2))
    assert [float(each) for each in rows] == pytest.approx([110.5, 146.5])


@pytest.mark.parametrize("name", ["barlow-semi-condensed", "spectral", "dejavu-sans"])
def test_the_typefaces_come_with_their_licence(name: str) -> None:
    licence = (FONTS / f"{name}.LICENSE.txt").read_text(encoding="utf-8")
    assert "SIL Open Font License" in licence or "Bitstream Vera" in licence
    assert list(FONTS.glob(f"{name}-*.ttf.gz.b64"))
