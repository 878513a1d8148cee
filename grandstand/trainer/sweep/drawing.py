"""A picture of lines, dots and words, written as SVG and as PNG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from PIL import Image, ImageDraw, ImageFont

Anchor = Literal["start", "middle", "end"]
INK, FAINT, PAPER, BAND = "#222222", "#8a8577", "#fdfcf8", "#efe9d9"
COLOURS = ("#1f5f8b", "#b3541e", "#2e7d4f", "#7b4b94", "#a88b00", "#c2185b", "#00838f", "#5d4037")
"""Colours of arms, told apart by people who see few colours too."""
_SIZE = 12
_SAMPLES = 3
"""Pixels of the drawing for each of the picture, in each direction, which smooths the edges."""
_PLAIN = str.maketrans({"−": "-", "→": "to"})
"""Characters that the font of PNG pictures lacks."""
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


@dataclass(frozen=True)
class Polyline:
    """A line through points, dashed or not."""

    points: Sequence[tuple[float, float]]
    colour: str
    width: float
    dashed: bool


@dataclass(frozen=True)
class Dot:
    """A filled circle."""

    x: float
    y: float
    radius: float
    colour: str


@dataclass(frozen=True)
class Rectangle:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True)
class Caption:
    """A line of text, whose baseline is at `y`."""

    x: float
    y: float
    text: str
    colour: str
    anchor: Anchor


Shape = Polyline | Dot | Rectangle | Caption


@dataclass
class Plot:
    """Shapes in the order in which they are drawn, and a description for those who cannot see it."""

    width: int
    height: int
    description: str
    shapes: list[Shape] = field(default_factory=list)

    def line(
        self, points: Sequence[tuple[float, float]], colour: str = INK, width: float = 1.5, dashed: bool = False
    ) -> None:
        self.shapes.append(Polyline(points, colour, width, dashed))

    def dot(self, x: float, y: float, radius: float = 3, colour: str = INK) -> None:
        self.shapes.append(Dot(x, y, radius, colour))

    def rectangle(self, x: float, y: float, width: float, height: float, colour: str = BAND) -> None:
        self.shapes.append(Rectangle(x, y, width, height, colour))

    def words(self, x: float, y: float, text: str, colour: str = INK, anchor: Anchor = "start") -> None:
        self.shapes.append(Caption(x, y, text, colour, anchor))

    def save(self, path: Path) -> None:
        """Write the picture as `path` with the endings .svg and .png."""
        path.with_suffix(".svg").write_text(self.svg(), "utf-8")
        self.image().save(path.with_suffix(".png"), optimize=True)

    def svg(self) -> str:
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" role="img"'
                f' aria-label={quoteattr(self.description)} font-family="sans-serif" font-size="{_SIZE}">',
                f'<rect width="{self.width}" height="{self.height}" fill="{PAPER}"/>',
                *(_svg(shape) for shape in self.shapes),
                "</svg>\n",
            ]
        )

    def image(self) -> Image.Image:
        image = Image.new("RGB", (self.width * _SAMPLES, self.height * _SAMPLES), PAPER)
        draw = ImageDraw.Draw(image)
        font = ImageFont.load_default(_SIZE * _SAMPLES)
        for shape in self.shapes:
            _paint(draw, shape, font)
        return image.resize((self.width, self.height), Image.Resampling.LANCZOS)


def _svg(shape: Shape) -> str:
    match shape:
        case Polyline():
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)
            dashes = ' stroke-dasharray="3 3"' if shape.dashed else ""
            style = f'fill="none" stroke="{shape.colour}" stroke-width="{shape.width:g}"{dashes}'
            return f'<polyline points="{points}" {style}/>'
        case Dot():
            return f'<circle cx="{shape.x:.1f}" cy="{shape.y:.1f}" r="{shape.radius:g}" fill="{shape.colour}"/>'
        case Rectangle():
            place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
            return f'<rect {place} fill="{shape.colour}"/>'
        case Caption():
            place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" text-anchor="{shape.anchor}"'
            return f'<text {place} fill="{shape.colour}">{escape(shape.text)}</text>'


def _paint(draw: ImageDraw.ImageDraw, shape: Shape, font: ImageFont.ImageFont | ImageFont.FreeTypeFont) -> None:
    match shape:
        case Polyline():
            width = max(1, round(shape.width * _SAMPLES))
            for points in _dashes(shape) if shape.dashed else [shape.points]:
                draw.line([(x * _SAMPLES, y * _SAMPLES) for x, y in points], shape.colour, width, joint="curve")
        case Dot():
            x, y, radius = (value * _SAMPLES for value in (shape.x, shape.y, shape.radius))
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), shape.colour)
        case Rectangle():
            corner = shape.x + shape.width, shape.y + shape.height
            ends = [(across * _SAMPLES, down * _SAMPLES) for across, down in ((shape.x, shape.y), corner)]
            draw.rectangle(ends, shape.colour)
        case Caption():
            place = (shape.x * _SAMPLES, shape.y * _SAMPLES)
            draw.text(place, shape.text.translate(_PLAIN), shape.colour, font, anchor=_ANCHORS[shape.anchor])


def _dashes(line: Polyline) -> list[list[tuple[float, float]]]:
    """Return the pieces of a straight dashed line."""
    (x, y), (end_x, end_y) = line.points[0], line.points[-1]
    count = max(1, round(((end_x - x) ** 2 + (end_y - y) ** 2) ** 0.5 / 6))
    across, down = (end_x - x) / count, (end_y - y) / count
    return [
        [(x + number * across, y + number * down), (x + (number + 0.5) * across, y + (number + 0.5) * down)]
        for number in range(count)
    ]
