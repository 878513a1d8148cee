"""Cards and clips as files.

The functions run in a process of their own. Only there are resvg and Pillow imported: the process that serves never
needs them.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from grandstand.server.cards.layout import HEIGHT, WIDTH
from grandstand.server.cards.lettering import typefaces

if TYPE_CHECKING:
    from PIL.Image import Image
    from resvg import usvg

LARGEST_CLIP = 3_000_000
"""Bytes of a clip: chat programs show a larger one as a file to download, if at all."""
SCALES = (0.6, 0.5, 0.42)
"""The sizes in which a clip is tried, as multiples of a card's."""
COLOURS = 255
"""Colours of a clip; one more is kept for what does not change between two frames."""


def encoded_card(card: str) -> bytes:
    """Return a card, which is SVG, as PNG."""
    return _png(card, 1.0)


def encoded_clip(cards: Sequence[str], seconds: Sequence[float]) -> bytes:
    """Return cards as an animated GIF of at most LARGEST_CLIP bytes: if need be smaller, or with fewer frames."""
    cards, seconds = merged(cards, seconds)
    while True:
        for scale in SCALES:
            clip = gif(cards, seconds, scale)
            if len(clip) <= LARGEST_CLIP or len(cards) == 1:
                return clip
            if len(clip) > 2 * LARGEST_CLIP:
                break
        cards, seconds = halved(cards, seconds)


def gif(cards: Sequence[str], seconds: Sequence[float], scale: float) -> bytes:
    """Return cards as an endless animated GIF with one palette, magnified by `scale`."""
    from PIL import Image

    # Compressed until all are drawn: the palette is that of several frames.
    drawn = [_png(card, scale) for card in cards]
    palette = _palette([_image(png) for png in drawn[:: max(1, len(drawn) // 4)][:5]])
    flat = [_image(png).quantize(palette=palette, dither=Image.Dither.NONE) for png in drawn]
    file = io.BytesIO()
    times = [round(1000 * each) for each in seconds]
    flat[0].save(file, "GIF", save_all=True, append_images=flat[1:], duration=times, loop=0, optimize=False, disposal=1)
    return file.getvalue()


def _png(card: str, scale: float) -> bytes:
    from resvg import render, usvg

    size = (round(WIDTH * scale), round(HEIGHT * scale))
    tree = usvg.Tree.from_str(card, _options())
    return render(tree, (scale, 0, 0, 0, scale, 0), bg_size=size, bg_color=(255, 255, 255, 255))


@cache
def _options() -> usvg.Options:
    """Return the options of SVG, with the typefaces of cards alone."""
    from resvg import usvg

    options = usvg.Options.default()
    for typeface in typefaces():
        options.load_font_data(typeface)
    return options


def _image(png: bytes) -> Image:
    from PIL import Image

    return Image.open(io.BytesIO(png)).convert("RGB")


def _palette(images: Sequence[Image]) -> Image:
    """Return an image with the palette of `images`."""
    from PIL import Image

    width, height = images[0].size
    montage = Image.new("RGB", (width, height * len(images)))
    for number, image in enumerate(images):
        montage.paste(image, (0, number * height))
    return montage.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def merged(frames: Sequence[str], seconds: Sequence[float]) -> tuple[Sequence[str], Sequence[float]]:
    """Return the frames without those that equal the one before them, which is shown for their time, too."""
    runs = groupby(zip(frames, seconds, strict=True), key=lambda each: each[0])
    pairs = [(frame, sum(time for _, time in run)) for frame, run in runs]
    return [frame for frame, _ in pairs], [time for _, time in pairs]


def halved(frames: Sequence[str], seconds: Sequence[float]) -> tuple[Sequence[str], Sequence[float]]:
    """Return every second frame, the last one among them, with the time of those that are left out."""
    start = (len(frames) - 1) % 2
    kept = range(start, len(frames), 2)
    times = [seconds[number] + (seconds[number - 1] if number else 0.0) for number in kept]
    return [frames[number] for number in kept], [*times[:-1], seconds[-1]]
