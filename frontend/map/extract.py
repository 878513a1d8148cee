"""Cut the part of Natural Earth that the map shows out of the npm package ``world-atlas``.

Usage, from the repository root (only needed to change the extent or the version)::

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python -m frontend.map.extract package > frontend/map/natural_earth.json
"""

import json
import sys
from pathlib import Path
from typing import Any

WEST, EAST, SOUTH, NORTH = -48.0, 72.0, 18.0, 84.0
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


def inside(points: list[Point]) -> bool:
    return any(WEST < x < EAST and SOUTH < y < NORTH for x, y in points)


def rings(geometry: dict[str, Any]) -> list[list[int]]:
    """Return the rings of a Polygon or MultiPolygon as lists of arc numbers (``~n`` is arc n backwards)."""
    polygons = [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry["arcs"]
    return [ring for polygon in polygons for ring in polygon]


def land(topology: dict[str, Any]) -> list[list[Point]]:
    """Return the rings of the land inside the extent; even-odd order, so holes are rings as well."""
    arcs = decode_arcs(topology)
    found = []
    for geometry in topology["objects"]["land"]["geometries"]:
        for ring in rings(geometry):
            points: list[Point] = []
            for number in ring:
                arc = arcs[number] if number >= 0 else arcs[~number][::-1]
                points += arc[1:] if points else arc
            if inside(points):
                found.append(points)
    return found


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
        if len(names) == 2 and inside(arcs[number]):
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
