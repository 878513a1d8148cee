"""Shapes become pixels of their colour."""

from __future__ import annotations

import io

from PIL import Image

from grandstand.games.cards import Area, Disc, Shape, Trace, Words
from grandstand.server.cards.raster import gif, painted, png

SIZE = (100, 60)


def box(left: int, right: int, fill: str) -> Area:
    return Area([[(left, 0), (right, 0), (right, 60), (left, 60)]], fill)


def test_a_picture_has_the_colours_of_its_shapes() -> None:
    shapes: list[Shape] = [
        box(0, 50, "#102030"),
        Disc((75, 30), 10, "#ff0000", "#00ff00", 4),
        Trace([[(60, 5), (90, 5)]], "#0000ff", 4),
        Trace([[(60, 55), (90, 55)]], "#ff00ff", 4, dash=5),
    ]
    image = Image.open(io.BytesIO(png(shapes, SIZE)))
    assert (image.format, image.size) == ("PNG", SIZE)
    assert image.getpixel((10, 30)) == (16, 32, 48)
    assert image.getpixel((75, 30)) == (255, 0, 0)
    assert image.getpixel((66, 30)) == (0, 255, 0)
    assert image.getpixel((75, 5)) == (0, 0, 255)
    assert [image.getpixel((x, 55)) for x in (62, 67, 72)] == [(255, 0, 255), (255, 255, 255), (255, 0, 255)]


def test_a_colour_may_be_transparent() -> None:
    image = painted([box(0, 100, "#000000"), box(0, 100, "#ffffff80")], SIZE)
    assert image.getpixel((50, 30)) == (128, 128, 128)


def test_words_leave_ink_within_their_width() -> None:
    image = painted([Words("Mmmmmm mmmm mmmm", (20, 30), 20, "#000000", width=60)], SIZE)
    dark = [x for x in range(100) for y in range(60) if image.getpixel((x, y)) != (255, 255, 255)]
    assert 19 <= min(dark) < max(dark) <= 81


def test_a_clip_has_every_frame_for_its_time() -> None:
    frames = [[box(0, 100, "#ffffff"), box(0, 10 * number + 10, "#c2261c")] for number in range(5)]
    clip = Image.open(io.BytesIO(gif(frames, [0.2, 0.3, 0.4, 0.5, 2.5], SIZE, 0.5)))
    assert (clip.format, clip.size, getattr(clip, "n_frames", 1), clip.info["loop"]) == ("GIF", (50, 30), 5, 0)
    durations, edges = [], []
    for number in range(5):
        clip.seek(number)
        durations.append(clip.info["duration"])
        row = [clip.convert("RGB").getpixel((x, 15)) for x in range(50)]
        edges.append(sum(pixel == (194, 38, 28) for pixel in row))
    assert durations == [200, 300, 400, 500, 2500]
    assert edges == [5, 10, 15, 20, 25]
