"""Read the hand-drawn geography (``borders.txt``, ``places.txt``) and the Natural Earth extract beside it."""

import json
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
LonLat = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """One line of ``borders.txt``; ``natural`` if it follows a boundary of Natural Earth."""

    kind: str  # land, sea, open
    name: str
    points: list[LonLat]
    natural: bool


@dataclass(frozen=True)
class Place:
    """One point of ``places.txt``: the face around it belongs to ``code``; ``water`` if it is a strait of that land."""

    code: str
    water: bool
    on_land: bool
    lon: float
    lat: float

    @property
    def face(self) -> str:
        return self.code + "~" * self.water


@dataclass(frozen=True)
class Geography:
    land: list[list[LonLat]]
    lines: list[Line]
    places: list[Place]


def rows(name: str) -> list[tuple[int, str]]:
    text = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [(n, line.strip()) for n, line in enumerate(text, 1) if line.strip() and not line.startswith("#")]


def parse_pairs(text: str) -> list[LonLat]:
    pairs = [pair.split() for pair in text.split(",")]
    return [(float(lon), float(lat)) for lon, lat in pairs]


def nearest(points: list[LonLat], goal: LonLat) -> int:
    return min(range(len(points)), key=lambda n: (points[n][0] - goal[0]) ** 2 + (points[n][1] - goal[1]) ** 2)


def stretches(text: str, boundaries: dict[str, list[list[LonLat]]]) -> list[list[LonLat]]:
    """Return the arcs of ``A|B``, or of ``A|B from lon lat to lon lat`` the part between these two points."""
    name, _, limits = text.partition(" from ")
    arcs = boundaries[name.strip()]
    if not limits:
        return arcs
    start, end = (parse_pairs(limit)[0] for limit in limits.split(" to "))
    parts = []
    for arc in arcs:
        first, last = sorted((nearest(arc, start), nearest(arc, end)))
        if last > first:
            parts.append(arc[first : last + 1])
    return parts


def read_lines(boundaries: dict[str, list[list[LonLat]]]) -> list[Line]:
    lines = []
    for number, row in rows("borders.txt"):
        kind, name, rest = row.split(maxsplit=2)
        try:
            if kind not in ("land", "sea", "open"):
                raise ValueError("a line starts with 'land', 'sea' or 'open'")
            if rest.startswith("="):
                arcs = stretches(rest[1:].strip(), boundaries)
                lines += [Line(kind, name, arc, True) for arc in arcs]
            else:
                lines.append(Line(kind, name, parse_pairs(rest), False))
        except (ValueError, KeyError) as error:
            raise ValueError(f"borders.txt:{number}: {error}") from error
    return lines


def read_places(seas: frozenset[str]) -> list[Place]:
    places = []
    for number, row in rows("places.txt"):
        try:
            code, lon, lat = row.split()
            water = code.endswith("~")
            code = code.rstrip("~")
            places.append(Place(code, water, not water and code not in seas, float(lon), float(lat)))
        except ValueError as error:
            raise ValueError(f"places.txt:{number}: {error}") from error
    return places


def read(seas: frozenset[str]) -> Geography:
    """Return the whole geography; ``seas`` are the codes of the seas. Raises ``ValueError`` with file and line."""
    world = json.loads((HERE / "natural_earth.json").read_text(encoding="utf-8"))
    return Geography(world["land"], read_lines(world["boundaries"]), read_places(seas))
