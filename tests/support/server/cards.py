"""The text of a card, read from its SVG."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from grandstand.server.cards.lettering import FACES, Align, Face, length

TEXT = "{http://www.w3.org/2000/svg}text"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text as it is set."""

    text: str
    x: float
    y: float
    size: float
    face: Face
    align: Align

    @property
    def left(self) -> float:
        width = length(self.text, self.face, self.size)
        return self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.align]

    @property
    def right(self) -> float:
        return self.left + length(self.text, self.face, self.size)


def lines_of(card: str) -> Iterator[Line]:
    """Yield the lines of text of a card, which must be XML."""
    for element in ElementTree.fromstring(card).iter(TEXT):
        weight = element.get("font-weight", "")
        face = next(face for face, style in FACES.items() if f'"{element.get("font-family")}"' in style)
        assert (weight in FACES[face]) or not weight
        align: Align = {"start": "start", "middle": "middle"}.get(element.get("text-anchor", ""), "end")  # type: ignore[assignment]
        numbers = (float(element.get(name, "")) for name in ("x", "y", "font-size"))
        x, y, size = numbers
        yield Line(element.text or "", x, y, size, face, align)


def texts_of(card: str) -> list[str]:
    """Return the lines of text of a card."""
    return [line.text for line in lines_of(card)]
