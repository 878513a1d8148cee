"""Writes the typefaces of the cards: those of the page, and the symbols of DejaVu Sans.

    uv run --no-project --with fonttools --with brotli scripts/typefaces.py PATH/DejaVuSans.ttf

The drawing of SVG needs TrueType files, and a Space refuses binary files: each is stored compressed, as base64. Text is
laid out by `advances.json`, the width of each character as a multiple of the size of the text.
"""

from __future__ import annotations

import json
import sys
import textwrap
from base64 import b64encode
from collections.abc import Iterable
from gzip import compress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[1]
TO = ROOT / "grandstand/server/cards/fonts"
FILES = ROOT / "frontend/node_modules/@fontsource"
FACES = {"sans": ("barlow-semi-condensed", 400), "bold": ("barlow-semi-condensed", 600), "serif": ("spectral", 500)}
FEATURES = ["ccmp", "kern", "locl", "mark", "mkmk"]
SYMBOLS = [
    *range(0x2190, 0x219A), 0x21D2, 0x221E, 0x2260, 0x2264, 0x2265, *range(0x25A0, 0x2600), 0x2605, 0x2606, 0x2620,
    *range(0x2654, 0x2670), *range(0x2680, 0x2686), 0x2691, 0x2694, 0x26A1, *range(0x26C0, 0x26C4), 0x2713, 0x2714,
    0x2717, 0x2718,
]  # fmt: skip
"""Arrows, shapes, suits of cards, pieces of chess and draughts, dice and marks."""


def main(symbols: str) -> None:
    """Write the files."""
    advances: dict[str, dict[str, float]] = {}
    for face, (family, weight) in FACES.items():
        parts = [FILES / family / f"files/{family}-{part}-{weight}-normal.woff2" for part in ("latin", "latin-ext")]
        with TemporaryDirectory() as folder:
            files = [str(Path(folder) / part.stem) for part in parts]
            for part, file in zip(parts, files, strict=True):
                _subset(TTFont(part), None).save(file)
            advances[face] = _write(f"{family}-{weight}", Merger().merge(files))
    advances["symbols"] = _write("dejavu-sans-symbols", _subset(TTFont(symbols), SYMBOLS))
    (TO / "advances.json").write_text(json.dumps(advances, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


def _subset(typeface: TTFont, characters: Iterable[int] | None) -> TTFont:
    """Return `typeface` without hints, with all of its characters or those of `characters`."""
    options = Options(hinting=False, layout_features=FEATURES)
    options.drop_tables += ["FFTM"]
    typeface.flavor = None
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=typeface.getBestCmap() if characters is None else characters)
    subsetter.subset(typeface)
    return typeface


def _write(name: str, typeface: TTFont) -> dict[str, float]:
    """Write `typeface`, and return the width of each of its characters."""
    file = BytesIO()
    typeface.save(file)
    text = b64encode(compress(file.getvalue(), mtime=0)).decode()
    (TO / f"{name}.ttf.gz.b64").write_text("\n".join(textwrap.wrap(text, 120)) + "\n", encoding="ascii")
    widths, size = typeface["hmtx"], typeface["head"].unitsPerEm
    characters = {chr(code): glyph for code, glyph in sorted(typeface.getBestCmap().items())}
    return {each: round(widths[glyph][0] / size, 4) for each, glyph in characters.items() if each.isprintable()}


if __name__ == "__main__":
    main(sys.argv[1])
