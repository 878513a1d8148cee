"""Cut the part of Natural Earth that the map shows out of the npm package ``world-atlas``.

Usage, from the repository root (only needed to change the extent or the version)::

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python -m frontend.map.extract package > frontend/map/natural_earth.json
"""

import json
import sys
from pathlib import Path
from typing import Any

import shapely

EXTENT = shapely.segmentize(shapely.box(-52.0, 24.0, 78.0, 78.0), 1.0)  # holds the whole frame of the map
Point = tuple[float, float]


def decode_arcs(topology: dict[str, Any]) -> list[list[Point]]:
    """Return the arcs of a quantised TopoJSON topology as lists of (lon, lat)."""
    (scale_x, scale_y), (shift_x, shift_y) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for steps in topology["arcs"]:
        x = y = 0
        arc = []
        for dx, dy in steps:
            x, y = x + dx, y + dy
            arc.append((round(x * scale_x + shift_x, 3), round(y * scale_y + shift_y, 3)))
        arcs.append(arc)
    return arcs


def rings(geometry: dict[str, Any]) -> list[list[int]]:
    """Return the rings of a Polygon or MultiPolygon as lists of arc numbers (``~n`` is arc n backwards)."""
    polygons = [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry["arcs"]
    return [ring for polygon in polygons for ring in polygon]


def ring_points(ring: list[int], arcs: list[list[Point]]) -> list[Point]:
    """Return the points of a ring; where it crosses the antimeridian, longitudes go on beyond 180 degrees."""
    points: list[Point] = []
    for number in ring:
        for x, y in arcs[number] if number >= 0 else arcs[~number][::-1]:
            turns = round((points[-1][0] - x) / 360) if points else 0
            points.append((x + 360 * turns, y))
    return points


def clip(points: list[Point]) -> list[shapely.Polygon]:
    cut = shapely.get_parts(shapely.make_valid(shapely.Polygon(points)) & EXTENT)
    return [part for part in cut if isinstance(part, shapely.Polygon) and not part.is_empty]


def land(topology: dict[str, Any]) -> list[list[Point]]:
    """Return the rings of the land inside the extent; even-odd order, so holes are rings as well."""
    arcs = decode_arcs(topology)
    coastlines = []
    for geometry in topology["objects"]["land"]["geometries"]:
        for ring in rings(geometry):
            points = ring_points(ring, arcs)
            pieces = [piece for turns in (-360, 0, 360) for piece in clip([(x + turns, y) for x, y in points])]
            coastlines += [[(round(x, 3), round(y, 3)) for x, y in piece.exterior.coords] for piece in pieces]
    return coastlines


def boundaries(topology: dict[str, Any]) -> dict[str, list[list[Point]]]:
    """Return the arcs that two countries share, under the names of both in alphabetical order."""
    arcs = decode_arcs(topology)
    owners: dict[int, set[str]] = {}
    for geometry in topology["objects"]["countries"]["geometries"]:
        for ring in rings(geometry):
            for number in ring:
                owners.setdefault(max(number, ~number), set()).add(geometry["properties"]["name"])
    shared: dict[str, list[list[Point]]] = {}
    for number, names in sorted(owners.items()):
        if len(names) == 2 and EXTENT.contains(shapely.LineString(arcs[number])):
            shared.setdefault("|".join(sorted(names)), []).append(arcs[number])
    return dict(sorted(shared.items()))


def main(package: Path) -> None:
    world = {
        "source": "Natural Earth 1:50m (public domain) by way of world-atlas 2.0.2 (ISC, Michael Bostock)",
        "land": land(json.loads((package / "land-50m.json").read_text())),
        "boundaries": boundaries(json.loads((package / "countries-50m.json").read_text())),
    }
    json.dump(world, sys.stdout, separators=(",", ":"))
    print()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
