"""Draw the map: from the hand-drawn geography to the file that the page loads.

Usage, from the repository root::

    python -m frontend.map.build            writes games/diplomacy/data/map.gen.json
    python -m frontend.map.build --check    exits with 1 if that file is not what would be written
"""

import csv
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from frontend.map import anchors, coverage, geography, topology
from frontend.map.projection import HEIGHT, WIDTH, project

ROOT = Path(__file__).parents[2]
RULES = ROOT / "grandstand" / "games" / "diplomacy" / "data"
OUTPUT = RULES / "map.gen.json"
MERIDIANS, PARALLELS = range(-40, 71, 10), range(30, 81, 10)


def read_rules() -> tuple[dict[str, str], frozenset[str], frozenset[str]]:
    """Return the names of the provinces by code, the supply centres and the seas, from the tables of the rules."""
    with (RULES / "provinces.csv").open(encoding="utf-8") as file:
        provinces = {row["short_name"].upper(): row for row in csv.DictReader(file)}
    with (RULES / "regions.csv").open(encoding="utf-8") as file:
        regions = list(csv.DictReader(file))
    seas = frozenset(row["province"].upper() for row in regions if row["terrain"] == "sea" and not row["coast"])
    names = {code: row["full_name"] for code, row in provinces.items() if code != "SWI"}
    return names, frozenset(code for code in names if provinces[code]["supply_center_for"]), seas


def encode(arc: list[topology.Vertex]) -> list[int]:
    """Return x, y of the first vertex, then the steps to the others, in tenths of a drawing unit."""
    flat = [*arc[0]]
    for (x0, y0), (x1, y1) in pairwise(arc):
        flat += [x1 - x0, y1 - y0]
    return flat


def kind_of(sides: tuple[str, ...], seas: frozenset[str]) -> str | None:
    """Return the kind of an arc: coast, land border, sea border, crossing (land border in a strait) or None."""
    if len(sides) == 1:
        return None
    wet = [name.endswith("~") or name in seas for name in sides]
    straits = [name for name in sides if name.endswith("~")]
    if wet[0] != wet[1]:
        return "coast"
    if not wet[0]:
        return "land"
    return {0: "sea", 1: "mouth", 2: "crossing"}[len(straits)]


def graticule() -> list[list[int]]:
    """Return meridians and parallels every ten degrees, clipped to the frame and encoded like arcs."""
    lines = [[project(lon, lat) for lat in range(20, 86, 2)] for lon in MERIDIANS]
    lines += [[project(lon, lat) for lon in range(-60, 91, 2)] for lat in PARALLELS]
    clipped = shapely.intersection(shapely.MultiLineString(lines), coverage.FRAME)
    return [encode([(round(x * 10), round(y * 10)) for x, y in part.coords]) for part in coverage.parts(clipped)]


def build() -> dict[str, Any]:
    """Return the whole drawing as ``docs/map.md`` describes it."""
    names, centers, seas = read_rules()
    regions = coverage.build(geography.read(seas))
    arcs = topology.cut(regions)

    def rings(*parts: str) -> list[list[int]]:
        shape: BaseGeometry = shapely.union_all([regions[part] for part in parts])
        return [arcs.ring(walk) for walk in topology.walks(shape)]

    own = {code: [part for part in (code, f"{code}~") if part in regions] for code in sorted(names)}
    areas = {code: shapely.union_all([regions[part] for part in parts]) for code, parts in own.items()}
    placed = anchors.read(names, centers, areas)
    problems = [line for code, area in areas.items() for line in anchors.misplaced(code, placed[code], area)]
    if problems:
        raise ValueError("anchors.txt: " + "; ".join(problems))
    by_sea = {name for sides in arcs.sides if seas & set(sides) for name in sides}
    provinces = {
        code: {
            "name": names[code],
            "kind": "sea" if code in seas else "coast" if code in by_sea else "land",
            "rings": rings(*own[code]),
            **placed[code],
        }
        for code in areas
    }
    kinds = [kind_of(sides, seas) for sides in arcs.sides]
    return {
        "viewBox": [int(WIDTH), int(HEIGHT)],
        "arcs": [encode(arc) for arc in arcs.arcs],
        "lines": {
            name: [number for number, kind in enumerate(kinds) if kind == name]
            for name in ("coast", "land", "sea", "mouth", "crossing")
        },
        "provinces": provinces,
        "impassable": rings("SWI"),
        "neutral": rings("-"),
        "straits": rings(*sorted(name for name in regions if name.endswith("~"))),
        "graticule": graticule(),
    }


def write(drawing: dict[str, Any]) -> str:
    """Return the drawing as JSON, one province and one arc to a line so that changes can be read."""

    def block(items: list[str], brackets: str) -> str:
        return brackets[0] + "\n" + ",\n".join(items) + "\n" + brackets[1]

    def dump(value: object) -> str:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    fields = []
    for key, value in drawing.items():
        if key == "provinces":
            text = block([f"{dump(code)}:{dump(province)}" for code, province in value.items()], "{}")
        else:
            text = block([dump(item) for item in value], "[]") if key == "arcs" else dump(value)
        fields.append(f"{dump(key)}:{text}")
    return block(fields, "{}") + "\n"


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    text = write(build())
    if arguments:
        if OUTPUT.exists() and OUTPUT.read_text(encoding="utf-8") == text:
            return 0
        print(f"{OUTPUT.relative_to(ROOT)} is not up to date; run: python -m frontend.map.build", file=sys.stderr)
        return 1
    OUTPUT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
