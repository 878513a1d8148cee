"""The map's drawing against the rules' tables: what touches on the sheet is what borders in play."""

import csv
import gzip
import itertools
import json
import math
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import shapely
from shapely import Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from frontend.map import build

ROOT = Path(__file__).parents[1]
RULES = ROOT / "grandstand" / "games" / "diplomacy" / "data"
BOARD = ROOT / "frontend" / "src" / "boards" / "diplomacy"
UNIT, CENTER = 14.0, 5.6  # radii as large as the page draws them where it shows full names
Vertex = tuple[int, int]  # in tenths


@cache
def drawing() -> dict[str, Any]:
    result: dict[str, Any] = json.loads((RULES / "map.gen.json").read_text(encoding="utf-8"))
    return result


@cache
def arcs() -> list[list[Vertex]]:
    def decode(steps: list[int]) -> list[Vertex]:
        return list(zip(itertools.accumulate(steps[::2]), itertools.accumulate(steps[1::2]), strict=True))

    return [decode(steps) for steps in drawing()["arcs"]]


@cache
def regions() -> dict[str, list[list[int]]]:
    """Everything that the sheet is divided into, as rings of arcs."""
    results = {code: province["rings"] for code, province in drawing()["provinces"].items()}
    return results | {"SWI": drawing()["impassable"], "-": drawing()["neutral"]}


def walk(ring: list[int]) -> list[Vertex]:
    points: list[Vertex] = []
    for number in ring:
        points += (arcs()[number] if number >= 0 else arcs()[~number][::-1])[bool(points) :]
    assert points[0] == points[-1]
    return points


def signed_area(points: list[Vertex]) -> int:
    """Twice the area in square tenths: exact, because all vertices are whole tenths."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in itertools.pairwise(points))


@cache
def area(code: str) -> BaseGeometry:
    loops = [[(x / 10, y / 10) for x, y in walk(ring)] for ring in regions()[code]]
    shells = [Polygon(loop) for ring, loop in zip(regions()[code], loops, strict=True) if signed_area(walk(ring)) > 0]
    holes = [Polygon(loop) for ring, loop in zip(regions()[code], loops, strict=True) if signed_area(walk(ring)) < 0]
    assert all(piece.is_valid for piece in (*shells, *holes)), code
    if not shells:
        shells, holes = holes, []
    return shapely.union_all(shells) - shapely.union_all(holes)


@cache
def shared() -> dict[frozenset[str], list[int]]:
    """The arcs between each two regions that touch along a line."""
    sides = defaultdict(set)
    for code, rings in regions().items():
        for number in itertools.chain.from_iterable(rings):
            sides[max(number, ~number)].add(code)
    result = defaultdict(list)
    for number, codes in sides.items():
        if len(codes) == 2:
            result[frozenset(codes)].append(number)
    return result


def length(numbers: list[int]) -> float:
    return sum(math.dist(a, b) for n in numbers for a, b in itertools.pairwise(arcs()[n])) / 10


@cache
def borders() -> list[tuple[str, str, str]]:
    with (RULES / "borders.csv").open(encoding="utf-8") as file:
        return [(a.upper(), b.upper(), terrain) for a, b, terrain in list(csv.reader(file))[1:]]


@cache
def seas() -> frozenset[str]:
    with (RULES / "regions.csv").open(encoding="utf-8") as file:
        rows = csv.DictReader(file)
        return frozenset(row["province"].upper() for row in rows if row["terrain"] == "sea" and not row["coast"])


def test_every_border_of_the_rules_is_drawn_and_no_other() -> None:
    known = {frozenset((a[:3], b[:3])) for a, b, _ in borders()}
    drawn = {pair: length(numbers) for pair, numbers in shared().items() if not pair & {"SWI", "-"}}
    assert drawn.keys() == known
    assert min(drawn.values()) >= 4, "a border is too short to be seen"


def test_lines_are_stroked_as_what_they_part() -> None:
    lines = drawing()["lines"]
    kind = {number: name for name, numbers in lines.items() for number in numbers}
    assert len(kind) == sum(map(len, lines.values()))
    for pair, numbers in shared().items():
        wet = len(pair & seas())
        wanted = {0: {"land", "crossing"}, 1: {"coast", "mouth"}, 2: {"sea"}}[wet]
        if "-" in pair:
            wanted = {"coast"}
        assert {kind[number] for number in numbers} <= wanted, sorted(pair)
    assert set(shared()[frozenset(("DEN", "SWE"))]) == set(lines["crossing"])


def test_borders_meet_the_sea_exactly_where_fleets_may_follow_them() -> None:
    for_fleets = {frozenset((a[:3], b[:3])) for a, b, terrain in borders() if terrain != "land"}
    on_sea = {vertex for code in seas() for ring in regions()[code] for vertex in walk(ring)}
    for pair, numbers in shared().items():
        if pair & (seas() | {"SWI", "-"}):
            continue
        ends = {vertex for number in numbers for vertex in (arcs()[number][0], arcs()[number][-1])}
        assert bool(ends & on_sea) == (pair in for_fleets), sorted(pair)


def test_regions_cover_the_sheet_exactly_once() -> None:
    width, height = drawing()["viewBox"]
    uses = Counter(edge for rings in regions().values() for ring in rings for edge in itertools.pairwise(walk(ring)))
    assert set(uses.values()) == {1}
    for (ax, ay), (bx, by) in uses:
        on_frame = (ax == bx and ax in (0, width * 10)) or (ay == by and ay in (0, height * 10))
        assert (((bx, by), (ax, ay)) in uses) != on_frame
    total = sum(signed_area(walk(ring)) for rings in regions().values() for ring in rings)
    assert abs(total) == 2 * width * 10 * height * 10


def test_regions_are_sound_and_apart() -> None:
    shapes = {code: area(code) for code in regions()}
    assert all(shape.is_valid and shape.area > 300 for shape in shapes.values())
    for (a, item), (b, two) in itertools.combinations(shapes.items(), 2):
        assert (item & two).area == 0, (a, b)


def test_land_has_no_slivers() -> None:
    for code in regions():
        for piece in shapely.get_parts(area(code)):
            assert not piece.buffer(-0.5).is_empty, (code, piece.representative_point())


def spots() -> list[tuple[str, str, list[float]]]:
    results = []
    for code, province in drawing()["provinces"].items():
        places = {"": province} | province["coasts"]
        for coast, place in places.items():
            results += [(code, f"unit {coast}", place["unit"]), (code, f"dislodged {coast}", place["dislodged"])]
        results.append((code, "label", province["label"]["at"]))
        if province["center"]:
            results.append((code, "center", province["center"]))
    return results


def test_anchors_stand_well_inside_their_province() -> None:
    room = {"unit": 6.5, "dislodged": 1.0, "label": 2.5, "center": 3.0}
    for code, name, at in spots():
        depth = area(code).boundary.distance(Point(at)) if area(code).contains(Point(at)) else -1.0
        assert depth >= room[name.split()[0]], (code, name, at)


def test_two_coasts_stand_by_their_own_seas() -> None:
    reach = defaultdict(set)
    for a, b, _ in borders():
        for place, sea in ((a, b), (b, a)):
            if "(" in place and sea in seas():
                reach[place[:3], place[4:6]].add(sea)
    assert reach.keys() == {
        (code, coast) for code, province in drawing()["provinces"].items() for coast in province["coasts"]
    }
    for (code, coast), wanted in reach.items():
        point = Point(drawing()["provinces"][code]["coasts"][coast]["unit"])
        assert min(sorted(seas()), key=lambda sea: area(sea).distance(point)) in wanted, (code, coast)


def text_width(text: str, size: float, spread: float) -> float:
    """An upper estimate for the page's two faces: narrow letters, wide ones, capitals and the rest."""
    ems = {"narrow": 0.34, "wide": 0.75, "capital": 0.56, "other": 0.5}

    def sort(letter: str) -> str:
        if letter in "fijlrt .-I":
            return "narrow"
        return "wide" if letter in "mwMW" else "capital" if letter.isupper() else "other"

    return sum(ems[sort(letter)] * size + spread for letter in text) - spread


def label_box(province: dict[str, Any]) -> BaseGeometry:
    label = province["label"]
    x, y = label["at"]
    size = label["size"]
    width = max(text_width(line, size, label["spread"]) for line in label["lines"])
    height = size * (0.75 + 1.1 * (len(label["lines"]) - 1))
    box = shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    turned: BaseGeometry = affinity.rotate(box, label["angle"], origin=(x, y))
    return turned


def test_names_units_and_centers_do_not_collide() -> None:
    things: list[tuple[str, BaseGeometry]] = []
    for code, province in drawing()["provinces"].items():
        things.append((f"{code} label", label_box(province)))
        things.append((f"{code} unit", Point(province["unit"]).buffer(UNIT)))
        if province["center"]:
            things.append((f"{code} center", Point(province["center"]).buffer(CENTER)))
    collisions = [
        f"{a} and {b}" for (a, item), (b, two) in itertools.combinations(things, 2) if (item & two).area > 1.0
    ]
    assert collisions == []


def test_names_stay_on_the_sheet() -> None:
    sheet = shapely.box(0, 0, *drawing()["viewBox"]).buffer(-4)
    assert [code for code, province in drawing()["provinces"].items() if not sheet.contains(label_box(province))] == []


def test_names_and_centers_are_those_of_the_rules() -> None:
    with (RULES / "provinces.csv").open(encoding="utf-8") as file:
        rows = {row["short_name"].upper(): row for row in csv.DictReader(file)}
    provinces = drawing()["provinces"]
    assert provinces.keys() == rows.keys() - {"SWI"}
    for code, province in provinces.items():
        assert province["name"] == rows[code]["full_name"]
        assert " ".join(province["label"]["lines"]) == province["name"]
        assert (province["center"] is not None) == bool(rows[code]["supply_center_for"])


def test_the_file_is_small() -> None:
    data = (RULES / "map.gen.json").read_bytes()
    assert len(data) <= 110_000
    assert len(gzip.compress(data, 9, mtime=0)) <= 40_000


@pytest.mark.long
def test_the_file_is_what_the_build_writes() -> None:
    assert build.write(build.build()) == (RULES / "map.gen.json").read_text(encoding="utf-8")


SIGHT = {  # simulation matrices of Machado, Oliveira and Fernandes (2009) at full severity, in linear sRGB
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def linear(colour: str) -> tuple[float, ...]:
    channels = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)


def product(matrix: tuple[tuple[float, ...], ...], vector: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


# Björn Ottosson's OKLab: from linear sRGB to cones, from the cube roots of those to lightness and two hues.
TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB = (
    (0.2104542553, 0.793617785, -0.0040720468),
    (1.9779984951, -2.428592205, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.808675766),
)


def oklab(rgb: tuple[float, ...]) -> tuple[float, ...]:
    return product(TO_LAB, tuple(max(cone, 0.0) ** (1 / 3) for cone in product(TO_CONES, rgb)))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_the_washes_can_be_told_apart(theme: int, sight: str) -> None:
    text = (BOARD / "map/palette.ts").read_text(encoding="utf-8")
    result = re.findall(r"(?:wash|  land): 'light-dark\((#\w{6}), (#\w{6})\)'", text)
    assert len(result) == 8
    observed = [oklab(product(SIGHT[sight], linear(pair[theme]))) for pair in result]
    assert min(math.dist(a, b) for a, b in itertools.combinations(observed, 2)) >= 0.065


def test_ink_reads_on_the_light_washes() -> None:
    def luminance(colour: str) -> float:
        return sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))

    text = (BOARD / "map/palette.ts").read_text(encoding="utf-8")
    (ink,) = re.findall(r"  ink: 'light-dark\((#\w{6}),", text)
    for wash in re.findall(r"(?:wash|  land): 'light-dark\((#\w{6}),", text):
        assert (luminance(wash) + 0.05) / (luminance(ink) + 0.05) >= 4.5, wash  # WCAG 2.2, 1.4.3
