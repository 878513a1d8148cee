"""A picture as SVG. Anybody may publish a picture: its text is inert, and its numbers and outlines are bounded."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import hypot
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.picture import Picture, Place, Point, SeatColours, Thing
from grandstand.server.cards import lettering

Colours = Mapping[SeatId, SeatColours]

INK, SOFT, LINE = "#1b252e", "#55606a", "#cdc2a8"
BRIGHT, MARK, BAD = "#fdf8ea", "#ffd75e", "#b8321b"
GROUND: Final = "#faf6ec"
PLACES: Final = {
    "paper": "#f1ebdd", "table": "#6a9a58", "land": "#f7f1e3", "water": "#c0d2d4", "dark": "#c9b28a",
    "light": "#efe4c8", "accent": "#7fb3c4", "good": "#9cc59f", "bad": "#e0a091", "muted": "#e9e2d1",
}  # fmt: skip
"""The colours of places by their tone. The background shows through a place without a tone."""
THINGS: Final = {
    "paper": GROUND, "table": "#2f5c3f", "land": "#8a6f45", "water": "#3c6471", "dark": "#27313a", "light": BRIGHT,
    "accent": "#1d5c74", "good": "#2f6b3c", "bad": BAD, "muted": "#8b8f8b",
}  # fmt: skip
"""The colours of things and of text by their tone."""
WAYS = frozenset(("arrow", "line"))
RED_SUITS = frozenset("♥♦♡♢")
RIM = "#54794a"
"""The edge of a table."""
LIGHTER, WASH = 0.6, 0.85
"""The colour of a place with an owner: between the two of the owner, with some of the ground."""
BEND = 0.11
"""The bend of an arrow, twice as a share of its length, so that opposite arrows do not overlap."""
FAILED = 0.78
"""The share of its way that a failed arrow covers."""
LABEL = 100
"""Characters of a label that are read."""
LARGEST_UNIT = 28.0
"""Pixels of the unit of a thing, which is a tenth of its place."""
HIGHEST = 12
"""Things of a stack that are drawn above each other."""
PATH = re.compile(r"(?:[MLHVCSQTAZmlhvcsqtaz0-9.,+\s-]|e-)*")
FAR = re.compile(r"(?<![.\d])\d{7}")
"""The largest number in an outline."""


def drawn(picture: Picture, colours: Colours, width: float, height: float) -> str:
    """Return `picture` as SVG elements, in the middle of an area of `width` by `height` from (0, 0)."""
    return "".join(_Board(picture, colours, width, height).elements())


def tag(name: str, /, **attributes: str | float) -> str:
    """Return an element. The attributes are numbers and texts without markup; empty ones are left out."""
    texts = (
        f'{key.replace("_", "-")}="{value if isinstance(value, str) else f"{value:.2f}"}"'
        for key, value in attributes.items()
        if value != ""
    )
    return f"<{name} {' '.join(texts)}/>"


@lru_cache
def _is_bounded(path: str) -> bool:
    """Return whether a path can be drawn. The outlines of a map are long, and the same at every moment."""
    return bool(PATH.fullmatch(path)) and not FAR.search(path)


def mixed(one: str, other: str, share: float) -> str:
    """Return the colour that is `other` by `share` and `one` for the rest; both are `#rrggbb`."""
    parts = (
        round((1 - share) * int(one[at : at + 2], 16) + share * int(other[at : at + 2], 16)) for at in range(1, 7, 2)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


def ink_on(fill: str) -> str:
    """Return the colour of text on `fill`."""
    red, green, blue = (int(fill[at : at + 2], 16) for at in range(1, 7, 2))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else BRIGHT


def _clamped(value: float, low: float, high: float) -> float:
    """Return the number from `low` to `high` that is nearest to `value`; `low` for what is no number."""
    return max(low, min(value, high))


class _Board:
    """A picture in an area of pixels. Its proportions are those of the page, in `frontend/src/boards/picture/`."""

    def __init__(self, picture: Picture, colours: Colours, width: float, height: float) -> None:
        self._picture, self._colours, self._width, self._height = picture, colours, width, height
        self._scale = min(width / max(picture.width, 1e-3), height / max(picture.height, 1e-3), 1e4)
        self._left = (width - self._scale * picture.width) / 2
        self._top = (height - self._scale * picture.height) / 2
        self._places = {place.id: place for place in picture.places}
        self._at: dict[str, list[str]] = defaultdict(list)
        for thing in picture.things:
            if isinstance(thing.at, str) and thing.kind not in WAYS:
                self._at[thing.at].append(thing.id)

    def elements(self) -> Iterator[str]:
        for place in self._picture.places:
            yield self._place(place)
        for thing in self._picture.things:
            if isinstance(thing.at, str) and thing.at not in self._places:
                continue
            element = self._way(thing) if thing.kind in WAYS else self._thing(thing)
            yield f'<g opacity="0.45">{element}</g>' if thing.state == "muted" else element

    def _bounded(self, x: float, y: float) -> Point:
        """Return the point clamped to the surroundings of the area: distant points are invisible and slow to draw."""
        return (_clamped(x, -self._width, 2 * self._width), _clamped(y, -self._height, 2 * self._height))

    def _point(self, at: str | Point) -> Point:
        """Return the pixels of a place, or of a point."""
        if isinstance(at, str):
            at = (self._places[at].x, self._places[at].y)
        return self._bounded(self._left + self._scale * at[0], self._top + self._scale * at[1])

    def _size(self, place: Place) -> Point:
        width, height = self._scale * place.width, self._scale * place.height
        return (_clamped(width, 1.0, 2 * self._width), _clamped(height, 1.0, 2 * self._height))

    def _unit(self, thing: Thing) -> float:
        """Return the unit of a thing: a tenth of its place; at a point and for an arrow, a hundredth of the picture."""
        whole = self._scale * min(self._picture.width, self._picture.height) / 10
        if isinstance(thing.at, str) and thing.kind not in WAYS:
            whole = min(self._size(self._places[thing.at]))
        return _clamped(whole / 10 * thing.size, 0.05, LARGEST_UNIT)

    # --- places -------------------------------------------------------------------------------------------------------

    def _place(self, place: Place) -> str:
        fill = PLACES.get(place.tone, "")
        if owner := self._colours.get(place.owner):
            fill = owner.wash or mixed(fill or GROUND, mixed(owner.light, owner.dark, LIGHTER), WASH)
        edge = mixed(fill or GROUND, INK, 0.2 if place.tone == "water" else 0.4)
        below = ""
        if place.tone == "table":
            edge = BRIGHT
            below = self._outline(place, {"fill": RIM}, RIM, 18)
        return (
            below
            + self._outline(place, {"fill": fill or "none"}, edge, 2.2 if below else 1.0)
            + self._label(place, fill)
        )

    def _outline(self, place: Place, style: dict[str, str | float], edge: str, line: float) -> str:
        style |= {"stroke": edge, "stroke_width": line}
        (x, y), (width, height) = self._point((place.x, place.y)), self._size(place)
        match place.outline:
            case "none":
                return ""
            case "disc":
                return tag("ellipse", cx=x, cy=y, rx=width / 2, ry=height / 2, **style)
            case "hex":
                corners = ((0, -2), (2, -1), (2, 1), (0, 2), (-2, 1), (-2, -1))
                points = " ".join(f"{x + width * a / 4:.2f},{y + height * b / 4:.2f}" for a, b in corners)
                return tag("polygon", points=points, **style)
            case path if path != "box" and _is_bounded(path):
                change = f"matrix({self._scale:.5f} 0 0 {self._scale:.5f} {self._left:.2f} {self._top:.2f})"
                style["stroke_width"] = f"{line / self._scale:.5f}"
                return tag("path", d=path, transform=change, **style)
        return tag("rect", x=x - width / 2, y=y - height / 2, width=width, height=height, **style)

    def _label(self, place: Place, fill: str) -> str:
        """Return the name at a place: in it, at its lower edge or below it if something is there, or above a row."""
        if not place.label:
            return ""
        (x, y), (width, height) = self._point((place.x, place.y)), self._size(place)
        size = _clamped(0.26 * min(width, height), 11, 22)
        inside = place.outline != "none"
        if place.holds == "row":
            y, inside = y - height / 2 - 0.6 * size, False
        elif self._at[place.id]:
            inside = inside and place.outline != "disc"
            y += height / 2 + (-0.8 if inside else 0.7) * size
        y = _clamped(y, 0.7 * size, self._height - 0.7 * size)
        ink = ink_on(fill or GROUND) if inside else INK
        words = _words(place.label, x, y, size, ink, max(0.94 * width, 60), 9)
        # A label may lie on any colour, so it gets an outline.
        return words if inside else f'<g stroke="{GROUND}" stroke-width="3" paint-order="stroke">{words}</g>'

    # --- things at a place --------------------------------------------------------------------------------------------

    def _thing(self, thing: Thing) -> str:
        x, y = self._spot(thing)
        unit = self._unit(thing)
        match thing.kind:
            case "card":
                return self._card(thing, x, y, unit)
            case "bar":
                return self._bar(thing, x, y, unit)
            case "text":
                place = self._places[thing.at] if isinstance(thing.at, str) else None
                face: lettering.Face = "bold" if thing.state == "strong" else "sans"
                width = self._size(place)[0] if place else 0.0
                size = min(4 * unit, self._height)
                return _words(thing.label, x, y, size, self._fill(thing, INK), width, size / 2, face)
        return self._body(thing, x, y, unit)

    def _spot(self, thing: Thing) -> Point:
        """Return the pixels of a thing: those of its place, beside or above the others there."""
        x, y = self._point(thing.at)
        if not isinstance(thing.at, str):
            return x, y
        place, others = self._places[thing.at], self._at[thing.at]
        number, unit = others.index(thing.id), self._unit(thing)
        if place.holds == "row":
            step = min(7.2 * unit, self._size(place)[0] / len(others))
            x += step * (number - (len(others) - 1) / 2)
        elif place.holds == "stack":
            y -= 0.8 * unit * min(number, HIGHEST)
        return x, y

    def _fill(self, thing: Thing, usual: str) -> str:
        if owner := self._colours.get(thing.owner):
            return owner.light
        return THINGS.get(thing.tone, usual)

    def _body(self, thing: Thing, x: float, y: float, unit: float) -> str:
        """Return a piece or a token."""
        fill = "#8b8f8b" if thing.state == "hidden" else self._fill(thing, MARK if thing.kind == "token" else "#3c4850")
        edge, line = (MARK, 0.9) if thing.state == "strong" else (BRIGHT if ink_on(fill) == BRIGHT else INK, 0.55)
        below = ""
        if thing.state == "failed":
            ring = (6.4 if thing.symbol else 4.6) * unit
            below = tag("circle", cx=x, cy=y, r=ring, fill=BRIGHT, stroke=BAD, stroke_width=0.8 * unit)
        radius = 3.6 * unit
        if thing.symbol and _is_bounded(thing.symbol):
            style: dict[str, str | float] = {"fill": fill, "stroke": edge, "stroke_width": 2 * line}
            place = f"matrix({unit:.4f} 0 0 {unit:.4f} {x:.2f} {y:.2f})"
            shape = tag("path", d=thing.symbol, transform=place, stroke_linejoin="round", paint_order="stroke", **style)
        elif thing.kind == "token":
            radius = 2.3 * unit
            shape = tag("circle", cx=x, cy=y, r=radius, fill=fill, stroke=edge, stroke_width=line * unit)
            shape += tag("circle", cx=x, cy=y, r=0.8 * radius, fill="none", stroke=edge, stroke_width=0.2 * unit)
        else:
            shape = tag("circle", cx=x, cy=y, r=radius, fill=fill, stroke=edge, stroke_width=line * unit)
        label = "?" if thing.state == "hidden" and not thing.label else thing.label
        size = (1.5 if len(label) < 2 else 1.1) * radius
        words = _words(label, x, y, size, ink_on(fill), 1.7 * radius, 0.6 * radius)
        return below + shape + words

    def _card(self, thing: Thing, x: float, y: float, unit: float) -> str:
        back = self._fill(thing, "#1d5c74")
        strong = thing.state == "strong"
        size: dict[str, str | float] = {"width": 6.2 * unit, "height": 8.6 * unit, "rx": 0.8 * unit}
        face = tag(
            "rect", x=x - 3.1 * unit, y=y - 4.3 * unit, fill="#ffffff", stroke=MARK if strong else SOFT,
            stroke_width=(0.8 if strong else 0.2) * unit, **size,
        )  # fmt: skip
        if thing.state == "hidden":
            inner = {"x": x - 2.6 * unit, "y": y - 3.8 * unit, "width": 5.2 * unit, "height": 7.6 * unit}
            return face + tag("rect", fill=back, rx=0.5 * unit, **inner)
        ink = BAD if RED_SUITS & set(thing.label) else INK
        lines = 3 if " " in thing.label.strip() else 1
        return face + _words(thing.label, x, y, 3.8 * unit, ink, 5.6 * unit, 1.4 * unit, lines=lines)

    def _bar(self, thing: Thing, x: float, y: float, unit: float) -> str:
        box: dict[str, str | float] = {"x": x - 4 * unit, "y": y - unit, "height": 2 * unit, "rx": 0.4 * unit}
        full = 8 * unit * _clamped(thing.value, 0.0, 1.0)
        words = _words(thing.label, x, y - 2.4 * unit, 2.6 * unit, INK, 10 * unit, face="sans")
        return (
            tag("rect", width=8 * unit, fill="#dfd6c0", **box)
            + tag("rect", width=full, fill=self._fill(thing, "#1d5c74"), **box)
            + (words if thing.label else "")
        )

    # --- arrows and lines ---------------------------------------------------------------------------------------------

    def _way(self, thing: Thing) -> str:
        if isinstance(thing.to, str) and thing.to not in self._places:
            return ""
        start, end, unit = self._point(thing.at), self._point(thing.to), self._unit(thing)
        if hypot(end[0] - start[0], end[1] - start[1]) < 1:
            return ""
        colour = self._fill(thing, INK)
        if thing.kind == "line":
            dash = f"{unit:.2f}" if thing.state == "support" else ""
            ends = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}
            return tag(
                "line", stroke=colour, stroke_width=0.6 * unit, stroke_linecap="round", stroke_dasharray=dash, **ends
            )
        return self._arrow(thing, _bent(start, end), unit, colour)

    def _arrow(self, thing: Thing, curve: Sequence[Point], unit: float, colour: str) -> str:
        failed, support = thing.state == "failed", thing.state == "support"
        length = hypot(curve[2][0] - curve[0][0], curve[2][1] - curve[0][1])
        before = self._clear(thing.at, unit) / length
        after = (1 - FAILED) if failed else self._clear(thing.to, unit) / length
        if before + after > 0.9:
            return ""
        curve = _first(_first(curve, 1 - after)[::-1], 1 - before / (1 - after))[::-1]
        tip = 0.0 if support else min(4.0 * unit, 0.4 * length)
        shaft = _first(curve, max(0.1, 1 - 0.7 * tip / length / (1 - before - after)))
        path = "M{:.2f} {:.2f}Q{:.2f} {:.2f} {:.2f} {:.2f}".format(*(each for point in shaft for each in point))
        width = (0.6 if support else 1.1) * unit
        dash = f"{1.6 * unit:.2f}" if support or failed else ""
        head = _head(curve, tip)
        halo: dict[str, str | float] = {"fill": "none", "stroke": BRIGHT, "stroke_width": width + 0.7 * unit}
        parts = [tag("path", d=path, **halo)]
        if head:
            edge: dict[str, str | float] = {"stroke": BRIGHT, "stroke_width": 0.7 * unit, "paint_order": "stroke"}
            parts.append(tag("path", d=head, fill=colour, **edge))
        parts.append(tag("path", d=path, fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dash))
        if failed:
            parts.append(_cross(*curve[2], unit))
        return "".join(parts)

    def _clear(self, at: str | Point, unit: float) -> float:
        """Return the length of an arrow that is left out at a place, where something may stand."""
        return 0.32 * min(self._size(self._places[at])) if isinstance(at, str) else 0.3 * unit


def _words(
    label: str, x: float, y: float, size: float, ink: str, width: float,
    least: float = 0.0, face: lettering.Face = "bold", lines: int = 1,
) -> str:  # fmt: skip
    """Return a label around (x, y)."""
    return lettering.text(label[:LABEL], x, y, size, ink, face, "middle", width=width, least=least, lines=lines)


def _bent(start: Point, end: Point) -> list[Point]:
    """Return a quadratic curve from `start` to `end`, bent to the left."""
    x = (start[0] + end[0]) / 2 + (end[1] - start[1]) * BEND
    y = (start[1] + end[1]) / 2 - (end[0] - start[0]) * BEND
    return [start, (x, y), end]


def _first(curve: Sequence[Point], share: float) -> list[Point]:
    """Return the first part of a quadratic curve."""

    def between(a: Point, b: Point) -> Point:
        return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))

    middle = between(curve[0], curve[1])
    return [curve[0], middle, between(middle, between(curve[1], curve[2]))]


def _head(curve: Sequence[Point], tip: float) -> str:
    """Return the head of an arrow at the end of a curve, `tip` long."""
    (cx, cy), (x, y) = curve[1], curve[2]
    length = hypot(x - cx, y - cy)
    if not tip or not length:
        return ""
    dx, dy = tip * (x - cx) / length, tip * (y - cy) / length
    aside = 0.6
    left, right = (x - dx - aside * dy, y - dy + aside * dx), (x - dx + aside * dy, y - dy - aside * dx)
    return f"M{x:.2f} {y:.2f}L{left[0]:.2f} {left[1]:.2f}L{right[0]:.2f} {right[1]:.2f}Z"


def _cross(x: float, y: float, unit: float) -> str:
    arm = 1.05 * unit
    low, left, high, right = (f"{each:.2f}" for each in (y - arm, x - arm, y + arm, x + arm))
    lines = f"M{left} {low}L{right} {high}M{left} {high}L{right} {low}"
    ground = tag("circle", cx=x, cy=y, r=1.6 * unit, fill=BRIGHT)
    return ground + tag("path", d=lines, stroke=BAD, stroke_width=0.75 * unit)
