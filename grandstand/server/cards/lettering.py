"""Text in the page's typefaces: measured, wrapped, shortened, and written as SVG.

`scripts/typefaces.py` makes the typefaces. They have the letters of the Latin alphabets and symbols of games; any other
character is a question mark.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cache
from gzip import decompress
from pathlib import Path
from typing import Final, Literal, TypeAlias
from xml.sax.saxutils import escape

Face: TypeAlias = Literal["sans", "bold", "serif"]
Align: TypeAlias = Literal["start", "middle", "end"]

FONTS = Path(__file__).parent / "fonts"
"""The typefaces as compressed TrueType files in text (base64), because a Space refuses binary files."""
FACES: Final[Mapping[Face, str]] = {
    "sans": 'font-family="Barlow Semi Condensed, DejaVu Sans"',
    "bold": 'font-family="Barlow Semi Condensed SemiBold, DejaVu Sans" font-weight="600"',
    "serif": 'font-family="Spectral Medium, DejaVu Sans" font-weight="500"',
}
LEADING = 1.2
"""Distance of two lines of text, as a multiple of the size."""
BASELINE = 0.35
"""The part of the size by which the baseline is below the middle of a line."""
SMALLER = 0.92
"""The step by which text is set smaller until it fits."""
ELLIPSIS = "…"
UNKNOWN = "?"
VARIANTS = re.compile("[\ufe0e\ufe0f]")
"""Characters that ask for one of two forms of a symbol."""
LONGEST = 1000
"""Characters of a text that are read."""


@cache
def advances(face: Face) -> Mapping[str, float]:
    """Return the width of each character of a typeface, as a multiple of the size."""
    tables = json.loads((FONTS / "advances.json").read_text(encoding="utf-8"))
    return {**tables["symbols"], **tables[face]}


def typefaces() -> list[bytes]:
    """Return the TrueType files for the drawing of SVG."""
    return [decompress(b64decode(file.read_bytes())) for file in sorted(FONTS.glob("*.ttf.gz.b64"))]


def text(
    words: str, x: float, y: float, size: float, colour: str, face: Face = "sans", align: Align = "start",
    *, width: float = 0.0, lines: int = 1, least: float = 0.0,
) -> str:  # fmt: skip
    """Return text as SVG, wrapped to at most `lines` lines of `width` pixels, if it is not 0. Text that does not fit is
    set smaller, down to the size `least`, then ends with an ellipsis.

    (x, y) is on the middle of the first line, at its start, centre or end by `align`.
    """
    rows, size = wrapped(words, face, size, width=width, lines=lines, least=least)
    common = f'{FACES[face]} font-size="{size:.2f}" fill="{colour}" text-anchor="{align}"'
    return "".join(
        f'<text x="{x:.2f}" y="{y + (LEADING * number + BASELINE) * size:.2f}" {common}>{escape(line)}</text>'
        for number, line in enumerate(rows)
        if line
    )


def legible(words: str, face: Face = "sans") -> str:
    """Return `words` on one line, in characters that the typeface has."""
    known = advances(face)
    shown = VARIANTS.sub("", " ".join(words[:LONGEST].split()))
    return "".join(char if char in known else UNKNOWN for char in shown if char.isprintable())


def length(words: str, face: Face, size: float) -> float:
    """Return the width of one line of text, without its kerning."""
    return size * sum(map(advances(face).__getitem__, words))


def wrapped(
    words: str, face: Face, size: float, *, width: float = 0.0, lines: int = 1, least: float = 0.0
) -> tuple[list[str], float]:
    """Return the lines of `words`, and the size in which they are set."""
    words = legible(words, face)
    if not width:
        return [words], size
    least = least or size
    while True:
        rows = list(_lines(words, face, size, width))
        if len(rows) <= lines:
            return rows, size
        if size <= least:
            last = _shortened(" ".join(rows[lines - 1 :]), face, size, width)
            return [*rows[: lines - 1], last], size
        size = max(least, size * SMALLER)


def _lines(words: str, face: Face, size: float, width: float) -> Iterator[str]:
    line = ""
    for word in words.split(" "):
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


def _fitting(words: str, face: Face, size: float, width: float, end: str = "") -> int:
    """Return how many of the first characters of `words` fit with `end`: few are measured, however long it is."""
    counts = range(1, len(words) + 1)
    return bisect_right(counts, width, key=lambda count: length(words[:count] + end, face, size))


def _shortened(words: str, face: Face, size: float, width: float) -> str:
    """Return as much of `words` as fits with an ellipsis."""
    words = words[: _fitting(words, face, size, width, ELLIPSIS)]
    return words.rstrip(" ,.;:–-") + ELLIPSIS
