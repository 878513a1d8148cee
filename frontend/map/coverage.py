"""Turn coastline, border lines and places into one coverage of the frame: every point in exactly one region.

All geometry is in drawing units. Neighbours share their vertices exactly, before and after generalisation, so a
border can show neither sliver nor overlap.
"""

import hashlib
import math
from collections import Counter

import shapely
from shapely import LineString, MultiLineString, MultiPoint, Point, Polygon
from shapely.geometry.base import BaseGeometry

from frontend.map.geography import Geography, Line, Place
from frontend.map.projection import HEIGHT, WIDTH, project, unproject

GRID = 0.01  # noding precision
TENTH = 0.1  # precision of the result
OVERSHOOT = 4.0  # how far a line is prolonged at both ends, to cross the one it ends on
INLET, SPIT = 0.8, 0.6  # inlets and spits narrower than twice this are closed and cut
CHANNEL = 0.7  # half the width of a channel kept open
TOLERANCE = 0.9  # generalisation: triangles smaller than the square of this are cut off
CRUMB = 3.0  # faces smaller than this (square units) and without a place join a neighbour

STEP = 2.5  # distance between the vertices of a hand-drawn border
WAVES = ((29.0, 0.8), (13.0, 0.6), (7.0, 0.4))  # lengths and heights of its unevenness
CALM = 7.0  # it fades out this close to a junction

Vertex = tuple[float, float]
FRAME = shapely.box(0, 0, WIDTH, HEIGHT)


def parts(geometry: BaseGeometry) -> list[BaseGeometry]:
    return list(shapely.get_parts(geometry))


def seats(places: list[Place]) -> MultiPoint:
    return MultiPoint([project(place.lon, place.lat) for place in places])


def build_land(geography: Geography) -> BaseGeometry:
    """Return the land of the frame, generalised; landmasses and waters in which no place stands are left out."""
    outline = MultiLineString([[project(*point) for point in ring] for ring in geography.land])
    land = shapely.build_area(shapely.union_all(outline, grid_size=GRID))
    land = land.buffer(INLET).buffer(-INLET - SPIT).buffer(SPIT)
    for line in geography.lines:
        if line.kind == "open":
            land -= draw(line).buffer(CHANNEL)
    dry = seats([place for place in geography.places if place.on_land])
    wet = seats([place for place in geography.places if not place.on_land])
    land = shapely.union_all([part for part in parts(land & FRAME) if part.intersects(dry)])
    return FRAME - shapely.union_all([part for part in parts(FRAME - land) if part.intersects(wet)])


def smooth(points: list[Vertex]) -> list[Vertex]:
    """Return a Catmull-Rom curve through the points, four vertices to a span."""
    padded = [points[0], *points, points[-1]]
    curve = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for step in range(4):
            t = step / 4
            curve.append(
                tuple(
                    0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t**2 + (3 * q - p - 3 * r + s) * t**3)
                    for p, q, r, s in zip(a, b, c, d, strict=True)
                )
            )
    return [*curve, points[-1]]


def prolong(points: list[Vertex]) -> list[Vertex]:
    def beyond(near: Vertex, end: Vertex) -> Vertex:
        dx, dy = end[0] - near[0], end[1] - near[1]
        scale = OVERSHOOT / (shapely.Point(near).distance(shapely.Point(end)) or 1.0)
        return end[0] + dx * scale, end[1] + dy * scale

    return [beyond(points[1], points[0]), *points, beyond(points[-2], points[-1])]


def roughen(points: list[Vertex], firm: set[Vertex], seed: str) -> list[Vertex]:
    """Return the curve with small deviations to either side, none at ``firm`` points or at the ends.

    A border drawn by hand has a point every 60 km; beside Natural Earth's it would look like wire. The deviations are
    those of three waves whose lengths and phases come from ``seed``.
    """
    phases = [byte / 256 for byte in hashlib.sha256(seed.encode()).digest()[:6]]
    curve = LineString(points)
    held = MultiPoint([points[0], points[-1], *(point for point in points if point in firm)])
    rough = []
    for number in range(int(curve.length / STEP) + 1):
        here = curve.interpolate(number * STEP)
        ahead, behind = curve.interpolate(number * STEP + STEP / 2), curve.interpolate(max(0.0, number * STEP - STEP / 2))
        run = ahead.distance(behind) or 1.0
        wave = sum(
            height * math.sin(2 * math.pi * (number * STEP / (length * (0.8 + 0.4 * phases[n])) + phases[n + 3]))
            for n, (length, height) in enumerate(WAVES)
        ) * min(1.0, here.distance(held) / CALM)
        rough.append((here.x - (ahead.y - behind.y) / run * wave, here.y + (ahead.x - behind.x) / run * wave))
    return [*rough, points[-1]]


def draw(line: Line, firm: set[Vertex] | None = None) -> LineString:
    points = [project(*point) for point in line.points]
    if not line.natural:
        points = smooth(points)
        if firm is not None:
            points = roughen(points, firm, line.name)
    return LineString(prolong(points))


def build_faces(land: BaseGeometry, lines: list[Line]) -> list[Polygon]:
    """Return the faces that coast, frame and lines cut the frame into."""
    drawn = [line for line in lines if line.kind == "land"]
    uses = Counter(point for line in drawn if not line.natural for point in line.points)
    firm = {project(*point) for point, count in uses.items() if count > 1}
    by_land = [draw(line, firm) & land for line in drawn]
    by_sea = [draw(line) - land for line in lines if line.kind == "sea"]
    network = shapely.union_all([land.boundary, FRAME.boundary, *by_land, *by_sea], grid_size=GRID)
    return parts(shapely.polygonize([network]))


def where(geometry: BaseGeometry) -> str:
    lon, lat = unproject(*geometry.representative_point().coords[0])
    return f"{lon:.2f} {lat:.2f}"


def assign(faces: list[Polygon], places: list[Place], land: BaseGeometry) -> list[Place]:
    """Return the owner of each face; a crumb without one takes its owner from the longest shared edge."""
    owner: dict[int, Place] = {}
    for place in places:
        point = Point(project(place.lon, place.lat))
        for number, face in enumerate(faces):
            if face.contains(point):
                if number in owner and owner[number].face != place.face:
                    raise ValueError(f"{owner[number]} and {place} stand in one face: a border is missing or open")
                owner[number] = place
                break
        else:
            if FRAME.contains(point):
                raise ValueError(f"no face holds {place}")
    solid = [land.contains(face.representative_point()) for face in faces]
    for number, place in owner.items():
        if solid[number] != place.on_land:
            raise ValueError(f"{place} stands on the wrong side of the coast")
    problems = []
    for number, face in enumerate(faces):
        if number in owner:
            continue
        if face.area > CRUMB:
            problems.append(f"{where(face)} (area {face.area:.1f}, {'land' if solid[number] else 'sea'})")
            continue
        edge = {n: face.intersection(faces[n]).length for n in owner if solid[n] == solid[number] and face.distance(faces[n]) == 0}
        if edge:
            owner[number] = owner[max(sorted(edge), key=edge.__getitem__)]
        else:
            problems.append(f"{where(face)} (crumb)")
    if problems:
        raise ValueError("faces without a place: " + "; ".join(problems))
    return [owner[number] for number in range(len(faces))]


def build(geography: Geography) -> dict[str, BaseGeometry]:
    """Return the regions of the frame by owner, straits as ``CODE~``: together they cover it exactly once.

    Raises ``ValueError`` where lines leave a gap or a place has no face.
    """
    land = build_land(geography)
    faces = build_faces(land, geography.lines)
    owners = assign(faces, geography.places, land)
    names = sorted({owner.face for owner in owners})
    merged = [shapely.union_all([f for f, o in zip(faces, owners, strict=True) if o.face == name]) for name in names]
    simple = shapely.coverage_simplify(merged, TOLERANCE, simplify_boundary=False)
    snapped = [shapely.transform(geometry, lambda xy: (xy / TENTH).round() * TENTH) for geometry in simple]
    if not shapely.coverage_is_valid(snapped):
        raise ValueError("generalisation broke the coverage: neighbours no longer share their border")
    return dict(zip(names, snapped, strict=True))
