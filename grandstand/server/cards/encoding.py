"""Cards and clips as files.

The functions run in a process of their own. Only there is Pillow imported: the process that serves never needs it.
"""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.games.cards import Shape
from grandstand.server.cards.layout import SIZE

LARGEST_CLIP = 3_000_000
"""Bytes of a clip: chat programs show a larger one as a file to download, if at all."""
SCALES = (0.6, 0.5, 0.42)
"""The sizes in which a clip is tried, as multiples of a card's."""


def encoded_card(shapes: Sequence[Shape]) -> bytes:
    """Return a card as PNG."""
    from grandstand.server.cards.raster import png

    return png(shapes, SIZE)


def encoded_clip(frames: Sequence[Sequence[Shape]], seconds: Sequence[float]) -> bytes:
    """Return a clip as an animated GIF of at most LARGEST_CLIP bytes: if need be smaller, or with fewer frames."""
    from grandstand.server.cards.raster import gif

    while True:
        for scale in SCALES:
            clip = gif(frames, seconds, SIZE, scale)
            if len(clip) <= LARGEST_CLIP or len(frames) == 1:
                return clip
            if len(clip) > 2 * LARGEST_CLIP:
                break
        frames, seconds = halved(frames, seconds)


def halved(
    frames: Sequence[Sequence[Shape]], seconds: Sequence[float]
) -> tuple[Sequence[Sequence[Shape]], Sequence[float]]:
    """Return every second frame, the last one among them, with the time of those that are left out."""
    start = (len(frames) - 1) % 2
    kept = range(start, len(frames), 2)
    times = [seconds[number] + (seconds[number - 1] if number else 0.0) for number in kept]
    return [frames[number] for number in kept], [*times[:-1], seconds[-1]]
