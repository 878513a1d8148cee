"""Read ``anchors.txt``: the places of labels, units and supply centres, in drawing units."""

import math
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from frontend.map.geography import rows

BESIDE = 11.0  # a dislodged unit stands this far from the unit
SIZES = {"label": 2, "angle": 1, "size": 1, "spread": 1, "unit": 2, "center": 2, "dislodged": 2}
Fields = dict[str, Any]


def parse(row: str) -> tuple[str, Fields]:
    """Return the code of a row and its fields: pairs as [x, y], the rest as numbers, ``text`` as lines."""
    code, *words = row.split()
    fields: Fields = {}
    while words:
        key = words.pop(0)
        if key == "text":
            fields[key] = words.pop(0).replace("_", " ").split("|")
            continue
        count = SIZES[key.split("/")[0]]
        values = [float(words.pop(0)) for _ in range(count)]
        fields[key] = values if count == 2 else values[0]
    return code, fields


def plain(value: float) -> float:
    return int(value) if value == int(value) else round(value, 1)


def point(value: list[float]) -> list[float]:
    return [plain(value[0]), plain(value[1])]


def beside(unit: list[float], fields: Fields, area: BaseGeometry) -> list[float]:
    """Return the place for a dislodged unit: of sixteen around the unit, the one deepest in the province."""
    marks = [shapely.Point(fields[key]) for key in ("center", "label") if key in fields]

    def room(place: list[float]) -> float:
        point = shapely.Point(place)
        depth = area.boundary.distance(point) * (1 if area.contains(point) else -1)
        return min(depth, 12.0) + 0.4 * min([point.distance(mark) for mark in marks] + [20.0])

    angles = [math.tau * n / 16 for n in range(2, 18)]  # to the lower right first
    return max(([unit[0] + BESIDE * math.cos(a), unit[1] + BESIDE * math.sin(a)] for a in angles), key=room)


def spot(fields: Fields, area: BaseGeometry, coast: str = "") -> Fields:
    unit = fields["unit" + coast]
    dislodged = fields.get("dislodged" + coast) or beside(unit, fields, area)
    return {"unit": point(unit), "dislodged": point(dislodged)}


def place(name: str, has_center: bool, fields: Fields, area: BaseGeometry) -> Fields:
    """Return the anchors of one province as the drawing holds them."""
    label = {
        "at": point(fields["label"]),
        "angle": plain(fields.get("angle", 0.0)),
        "size": plain(fields.get("size", 10.5)),
        "spread": plain(fields.get("spread", 0.0)),
        "lines": fields.get("text", [name]),
    }
    if has_center != ("center" in fields):
        raise ValueError("'center' is wanted exactly for supply centres")
    coasts = sorted(key.split("/")[1] for key in fields if key.startswith("unit/"))
    return {
        "label": label,
        **spot(fields, area),
        "center": point(fields["center"]) if has_center else None,
        "coasts": {coast: spot(fields, area, f"/{coast}") for coast in coasts},
    }


def read(names: dict[str, str], centers: frozenset[str], areas: dict[str, BaseGeometry]) -> dict[str, Fields]:
    """Return the anchors by province. Raises ``ValueError`` with the line of a row that is wrong or missing."""
    anchors = {}
    for number, row in rows("anchors.txt"):
        try:
            code, fields = parse(row)
            anchors[code] = place(names[code], code in centers, fields, areas[code])
        except (KeyError, ValueError, IndexError) as error:
            raise ValueError(f"anchors.txt:{number}: {error}") from error
    if missing := sorted(set(names) - set(anchors)):
        raise ValueError(f"anchors.txt: no row for {', '.join(missing)}")
    return anchors


def misplaced(code: str, placed: Fields, area: BaseGeometry) -> list[str]:
    """Return a line for each unit and centre that stands outside its province."""
    spots = {"unit": placed["unit"], "center": placed["center"]}
    spots |= {f"unit/{coast}": where["unit"] for coast, where in placed["coasts"].items()}
    return [
        f"{name} of {code} at {where} is outside the province"
        for name, where in spots.items()
        if where is not None and not area.contains(shapely.Point(where))
    ]
