"""Turn coastline, border lines and places into one coverage of the frame: every point in exactly one region.

All geometry is in drawing units. Neighbours share their vertices exactly, before and after generalisation, so a
border can show neither sliver nor overlap.
"""

from collections import Counter

import shapely
from shapely import MultiLineString, MultiPoint, Point, Polygon
from shapely.geometry.base import BaseGeometry

from frontend.map.geography import Geography, Line, Place
from frontend.map.projection import HEIGHT, WIDTH, project, unproject
from frontend.map.strokes import draw

GRID = 0.01  # noding precision
TENTH = 0.1  # precision of the result
INLET, SPIT = 0.8, 0.6  # inlets and spits narrower than twice this are closed and cut
CHANNEL = 0.7  # half the width of a channel kept open
TOLERANCE = 0.9  # generalisation: triangles smaller than the square of this are cut off
CRUMB = 3.0  # faces smaller than this (square units) and without a place join a neighbour

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


def build_faces(land: BaseGeometry, lines: list[Line]) -> list[BaseGeometry]:
    """Return the faces that coast, frame and lines cut the frame into."""
    borders = [line for line in lines if line.kind == "land"]
    uses = Counter(point for line in borders if not line.natural for point in line.points)
    junctions = {project(*point) for point, count in uses.items() if count > 1}
    by_land = [draw(line, junctions) & land for line in borders]
    by_sea = [draw(line) - land for line in lines if line.kind == "sea"]
    network = shapely.union_all([land.boundary, FRAME.boundary, *by_land, *by_sea], grid_size=GRID)
    return parts(shapely.polygonize([network]))


def where(geometry: BaseGeometry) -> str:
    lon, lat = unproject(*geometry.representative_point().coords[0])
    return f"{lon:.2f} {lat:.2f}"


def settle(faces: list[BaseGeometry], places: list[Place], solid: list[bool]) -> dict[int, str]:
    """Return the owner of each face in which a place stands."""
    owners: dict[int, str] = {}
    for place in places:
        point = Point(project(place.lon, place.lat))
        if not FRAME.contains(point):
            raise ValueError(f"{place} is outside the frame")
        number = next((n for n, face in enumerate(faces) if face.contains(point)), None)
        if number is None or solid[number] != place.on_land:
            raise ValueError(f"{place} stands on a line or on the wrong side of the coast")
        if owners.setdefault(number, place.face) != place.face:
            raise ValueError(f"{place} stands in a face of {owners[number]}: a border is missing or open")
    return owners


def assign(faces: list[BaseGeometry], places: list[Place], land: BaseGeometry) -> list[str]:
    """Return the owner of each face; crumbs between lines go to the neighbour with the longest common edge."""
    solid = [land.contains(face.representative_point()) for face in faces]
    owners = settle(faces, places, solid)
    settled = dict(owners)
    for number, face in enumerate(faces):
        if number in settled:
            continue
        kind = "land" if solid[number] else "sea"
        if face.area > CRUMB:
            raise ValueError(f"no place stands in the {kind} around {where(face)} ({face.area:.1f} square units)")
        edges = {n: face.intersection(faces[n]).length for n in settled if solid[n] == solid[number]}
        best = max(sorted(edges), key=edges.__getitem__)
        if edges[best] == 0:
            raise ValueError(f"a crumb of {kind} around {where(face)} has no neighbour to join")
        owners[number] = settled[best]
    return [owners[number] for number in range(len(faces))]


def build(geography: Geography) -> dict[str, BaseGeometry]:
    """Return the regions of the frame by owner, straits as ``CODE~``: together they cover it exactly once.

    Raises ``ValueError`` where lines leave a gap or a place has no face.
    """
    land = build_land(geography)
    faces = build_faces(land, geography.lines)
    owners = assign(faces, geography.places, land)
    names = sorted(set(owners))
    merged = [
        shapely.union_all([face for face, owner in zip(faces, owners, strict=True) if owner == name]) for name in names
    ]
    simple = shapely.coverage_simplify(merged, TOLERANCE, simplify_boundary=False)
    snapped = [shapely.transform(geometry, lambda xy: (xy / TENTH).round() * TENTH) for geometry in simple]
    if not shapely.coverage_is_valid(snapped) or not all(isinstance(parts(area)[0], Polygon) for area in snapped):
        raise ValueError("generalisation broke the coverage: neighbours no longer share their border")
    return dict(zip(names, snapped, strict=True))
