"""Cards and clips as files.

The functions run in a process of their own. Only there are resvg and Pillow imported: the process that serves never
needs them.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from grandstand.server.cards.layout import WIDTH
from grandstand.server.cards.lettering import typefaces

if TYPE_CHECKING:
    from PIL.Image import Image

LARGEST_CLIP = 3_000_000
"""Bytes of a clip: chat programs show a larger one as a file to download, if at all."""
SCALES = (0.6, 0.5, 0.42)
"""The sizes in which a clip is tried, as multiples of a card's."""
COLOURS = 255
"""Colours of a clip; one more is kept for what does not change between two frames."""


def encoded_card(card: str) -> bytes:
    """Return a card, which is SVG, as PNG."""
    with typefaces() as files:
        return _png(card, WIDTH, files)


def encoded_clip(cards: Sequence[str], seconds: Sequence[float]) -> bytes:
    """Return cards as an animated GIF of at most LARGEST_CLIP bytes: if need be smaller, or with fewer frames."""
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

    with typefaces() as files:

        def frame(card: str) -> Image.Image:
            return Image.open(io.BytesIO(_png(card, round(WIDTH * scale), files))).convert("RGB")

        palette = _palette([frame(card) for card in cards[:: max(1, len(cards) // 4)][:5]])
        # One frame at a time: with its palette, a frame takes a third of the memory.
        flat = [frame(card).quantize(palette=palette, dither=Image.Dither.NONE) for card in cards]
    file = io.BytesIO()
    times = [round(1000 * each) for each in seconds]
    flat[0].save(file, "GIF", save_all=True, append_images=flat[1:], duration=times, loop=0, optimize=False, disposal=1)
    return file.getvalue()


def _png(card: str, width: int, files: list[str]) -> bytes:
    from resvg_py import svg_to_bytes

    return svg_to_bytes(svg_string=card, width=width, background="#ffffff", skip_system_fonts=True, font_files=files)


def _palette(images: Sequence[Image]) -> Image:
    """Return an image with the palette of `images`."""
    from PIL import Image

    width, height = images[0].size
    montage = Image.new("RGB", (width, height * len(images)))
    for number, image in enumerate(images):
        montage.paste(image, (0, number * height))
    return montage.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def halved(frames: Sequence[str], seconds: Sequence[float]) -> tuple[Sequence[str], Sequence[float]]:
    """Return every second frame, the last one among them, with the time of those that are left out."""
    start = (len(frames) - 1) % 2
    kept = range(start, len(frames), 2)
    times = [seconds[number] + (seconds[number - 1] if number else 0.0) for number in kept]
    return [frames[number] for number in kept], [*times[:-1], seconds[-1]]
