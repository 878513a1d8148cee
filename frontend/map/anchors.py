"""Read ``anchors.txt``: where labels, units and supply centres stand, in drawing units."""

from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from frontend.map.geography import rows

DISLODGED = (9.0, 9.0)  # a dislodged unit stands this far right of and below the unit, unless the file says otherwise
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


def spot(fields: Fields, coast: str = "") -> Fields:
    unit = fields["unit" + coast]
    beside = fields.get("dislodged" + coast, [unit[0] + DISLODGED[0], unit[1] + DISLODGED[1]])
    return {"unit": point(unit), "dislodged": point(beside)}


def shape(name: str, has_center: bool, fields: Fields) -> Fields:
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
        **spot(fields),
        "center": point(fields["center"]) if has_center else None,
        "coasts": {coast: spot(fields, f"/{coast}") for coast in coasts},
    }


def read(names: dict[str, str], centers: frozenset[str]) -> dict[str, Fields]:
    """Return the anchors by province. Raises ``ValueError`` with the line of a row that is wrong or missing."""
    found = {}
    for number, row in rows("anchors.txt"):
        try:
            code, fields = parse(row)
            found[code] = shape(names[code], code in centers, fields)
        except (KeyError, ValueError, IndexError) as error:
            raise ValueError(f"anchors.txt:{number}: {error}") from error
    if missing := sorted(set(names) - set(found)):
        raise ValueError(f"anchors.txt: no row for {', '.join(missing)}")
    return found


def check(code: str, placed: Fields, area: BaseGeometry) -> None:
    """Raise ``ValueError`` if a unit or the supply centre stands outside its province."""
    spots = {"unit": placed["unit"], "center": placed["center"]}
    spots |= {f"unit/{coast}": where["unit"] for coast, where in placed["coasts"].items()}
    for name, where in spots.items():
        if where is not None and not area.contains(shapely.Point(where)):
            raise ValueError(f"anchors.txt: {name} of {code} at {where} is outside the province")
