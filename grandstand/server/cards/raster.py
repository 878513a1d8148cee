"""Shapes to pixels: one picture as PNG, several as an animated GIF."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator, Sequence
from math import hypot

from PIL import Image, ImageDraw

from grandstand.games.cards import Area, Disc, Point, Shape, Trace, moved
from grandstand.server.cards import lettering

FINE = 2
"""Pixels that are drawn for one of the picture, in each direction: edges are smooth."""
COLOURS = 255
"""Colours of a clip; one more is kept for what does not change between two frames."""

Size = tuple[int, int]


def png(shapes: Sequence[Shape], size: Size) -> bytes:
    """Return the picture of `shapes` as PNG."""
    file = io.BytesIO()
    painted(shapes, size).save(file, "PNG", compress_level=6)
    return file.getvalue()


def painted(shapes: Sequence[Shape], size: Size, scale: float = 1.0) -> Image.Image:
    """Return the picture of `shapes`, which are in an area of `size`, magnified by `scale`."""
    width, height = round(size[0] * scale), round(size[1] * scale)
    image = Image.new("RGB", (width * FINE, height * FINE), "white")
    canvas = ImageDraw.Draw(image, "RGBA")
    for shape in shapes:
        _draw(canvas, moved(shape, (0.0, 0.0), scale * FINE))
    return image.resize((width, height), Image.Resampling.BOX)


def gif(frames: Sequence[Sequence[Shape]], seconds: Sequence[float], size: Size, scale: float) -> bytes:
    """Return `frames` as an endless animated GIF with one palette."""
    sample = frames[:: max(1, len(frames) // 4)][:5]
    palette = _palette([painted(shapes, size, scale) for shapes in sample])
    # One frame at a time: with its palette, a frame takes a third of the memory.
    flat = [painted(shapes, size, scale).quantize(palette=palette, dither=Image.Dither.NONE) for shapes in frames]
    file = io.BytesIO()
    flat[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=flat[1:],
        duration=[round(1000 * each) for each in seconds],
        loop=0,
        optimize=False,
        disposal=1,
    )
    return file.getvalue()


def _palette(images: Sequence[Image.Image]) -> Image.Image:
    """Return an image with the palette of `images`."""
    width, height = images[0].size
    montage = Image.new("RGB", (width, height * len(images)))
    for number, image in enumerate(images):
        montage.paste(image, (0, number * height))
    return montage.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _draw(canvas: ImageDraw.ImageDraw, shape: Shape) -> None:
    match shape:
        case Area(rings, fill):
            for ring in rings:
                canvas.polygon(list(ring), fill=fill)
        case Trace(lines, colour, width, dash):
            for line in lines:
                for piece in _dashes(line, dash) if dash else (line,):
                    canvas.line(list(piece), fill=colour, width=max(1, round(width)), joint="curve")
        case Disc((x, y), radius, fill, outline, width):
            box = (x - radius, y - radius, x + radius, y + radius)
            canvas.ellipse(box, fill=fill, outline=outline or None, width=round(width))
        case _:
            lettering.draw(canvas, shape)


def _dashes(line: Sequence[Point], dash: float) -> Iterator[list[Point]]:
    """Yield the pieces of a dashed line: each is `dash` long, as are the gaps between them."""
    piece: list[Point] = [line[0]]
    left, drawn = dash, True
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        far = hypot(bx - ax, by - ay)
        at = 0.0
        while far - at > left:
            at += left
            point = (ax + (bx - ax) * at / far, ay + (by - ay) * at / far)
            if drawn:
                yield [*piece, point]
            piece, left, drawn = [point], dash, not drawn
        left -= far - at
        if drawn:
            piece.append((bx, by))
    if drawn and len(piece) > 1:
        yield piece
