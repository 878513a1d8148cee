"""Text in the page's typefaces: measured, wrapped, shortened and drawn.

The typefaces have the letters of the Latin alphabets. Any other letter is drawn as a question mark.
"""

from __future__ import annotations

from base64 import b64decode
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import groupby
from pathlib import Path

from PIL import ImageDraw, ImageFont

from grandstand.games.cards import LEADING, Face, Words

FONTS = Path(__file__).parent / "fonts"
"""The typefaces as text (base64), because a Space refuses binary files."""
FILES: dict[Face, str] = {
    "sans": "barlow-semi-condensed-{}-400-normal.woff2.b64",
    "bold": "barlow-semi-condensed-{}-600-normal.woff2.b64",
    "serif": "spectral-{}-500-normal.woff2.b64",
}
SMALLER = 0.92
"""The step by which text is set smaller until it fits."""
ELLIPSIS = "…"
UNKNOWN = "?"
LONGEST = 1000
"""Characters of a text that are read."""

_PUNCTUATION = frozenset("‐‑‒–—―‘’‚“”„†‡•…‰‹›⁄€™−ıŒœˆ˚˜")


@cache
def font(face: Face, subset: str, size: float) -> ImageFont.FreeTypeFont:
    """Return a typeface at `size`; `subset` is latin or latin-ext."""
    return ImageFont.truetype(BytesIO(_typeface(FILES[face].format(subset))), size)


@cache
def _typeface(name: str) -> bytes:
    return b64decode((FONTS / name).read_bytes())


def legible(text: str) -> str:
    """Return `text` on one line, in letters that the typefaces have."""
    words = " ".join(text[:LONGEST].split())
    return "".join(char if subset_of(char) else UNKNOWN for char in words if char.isprintable())


def subset_of(char: str) -> str:
    """Return the part of a typeface that has `char`; '' if none has."""
    if " " <= char <= "ÿ" or char in _PUNCTUATION:
        return "latin"
    return "latin-ext" if "Ā" <= char <= "ſ" or "Ș" <= char <= "ț" or "Ẁ" <= char <= "ẅ" else ""


def runs(text: str) -> Iterator[tuple[str, str]]:
    """Yield (subset, piece) of `text`."""
    for subset, chars in groupby(text, subset_of):
        yield subset, "".join(chars)


def length(text: str, face: Face, size: float) -> float:
    """Return the width of one line of text."""
    return sum(font(face, subset, size).getlength(piece) for subset, piece in runs(text))


def wrapped(words: Words) -> tuple[list[str], float]:
    """Return the lines of `words`, and the size in which they are set."""
    text = legible(words.text)
    if not words.width:
        return [text], words.size
    size, least = words.size, words.least or words.size
    while True:
        lines = list(_lines(text, words.face, size, words.width))
        if len(lines) <= words.lines:
            return lines, size
        if size <= least:
            last = _shortened(" ".join(lines[words.lines - 1 :]), words.face, size, words.width)
            return [*lines[: words.lines - 1], last], size
        size = max(least, size * SMALLER)


def draw(canvas: ImageDraw.ImageDraw, words: Words) -> None:
    """Draw text. The size is rounded to halves, so that few fonts are loaded."""
    lines, size = wrapped(replace(words, size=round(2 * words.size) / 2))
    for number, line in enumerate(lines):
        x = words.at[0]
        if words.align != "left":
            x -= length(line, words.face, size) / (2 if words.align == "middle" else 1)
        y = words.at[1] + number * size * LEADING
        for subset, piece in runs(line):
            typeface = font(words.face, subset, size)
            canvas.text((x, y), piece, fill=words.colour, font=typeface, anchor="lm")
            x += typeface.getlength(piece)


def _lines(text: str, face: Face, size: float, width: float) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if length(longer, face, size) <= width:
            line = longer
            continue
        if line:
            yield line
        while length(word, face, size) > width and len(word) > 1:
            count = max(1, _fitting(word, face, size, width))
            yield word[:count]
            word = word[count:]
        line = word
    yield line


def _fitting(text: str, face: Face, size: float, width: float, end: str = "") -> int:
    """Return how many of the first characters of `text` fit with `end`: few are measured, however long it is."""
    counts = range(1, len(text) + 1)
    return bisect_right(counts, width, key=lambda count: length(text[:count] + end, face, size))


def _shortened(text: str, face: Face, size: float, width: float) -> str:
    """Return as much of `text` as fits with an ellipsis."""
    text = text[: _fitting(text, face, size, width, ELLIPSIS)]
    return text.rstrip(" ,.;:–-") + ELLIPSIS
