"""Cut a coverage into arcs: each stretch of line between two regions once, and every region as a list of arcs."""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from frontend.map.coverage import TENTH, parts

Vertex = tuple[int, int]  # in tenths of a drawing unit
Edge = tuple[Vertex, Vertex]


@dataclass
class Topology:
    """``arcs`` are open or closed lines of vertices; ``sides`` the owners on both sides of each, in order.

    A ring is a list of arc numbers, ``~n`` standing for arc n walked backwards, as in TopoJSON.
    """

    arcs: list[list[Vertex]] = field(default_factory=list)
    sides: list[tuple[str, ...]] = field(default_factory=list)
    starts: dict[Edge, int] = field(default_factory=dict)  # first edge of an arc, in either direction

    def ring(self, walk: list[Vertex]) -> list[int]:
        """Return the arcs that a closed walk over their vertices consists of."""
        edges = list(pairwise(walk))
        first = next(n for n, edge in enumerate(edges) if edge in self.starts)
        numbers, place = [], 0
        while place < len(edges):
            number = self.starts[edges[(first + place) % len(edges)]]
            numbers.append(number)
            place += len(self.arcs[max(number, ~number)]) - 1
        return numbers


def walks(geometry: BaseGeometry) -> list[list[Vertex]]:
    """Return the rings of a (multi)polygon as closed lists of vertices, with the area always on the same side."""
    rings = []
    for part in parts(shapely.orient_polygons(geometry)):
        assert isinstance(part, Polygon)
        for ring in (part.exterior, *part.interiors):
            walk = [(round(x / TENTH), round(y / TENTH)) for x, y in ring.coords]
            rings.append([v for n, v in enumerate(walk) if n == 0 or v != walk[n - 1]])
    return sorted(rings)


def owners(regions: dict[str, BaseGeometry]) -> dict[Edge, tuple[str, ...]]:
    """Return the regions on both sides of every edge; edges of the frame have one."""
    sides: dict[Edge, list[str]] = defaultdict(list)
    for name, geometry in sorted(regions.items()):
        for walk in walks(geometry):
            for a, b in pairwise(walk):
                sides[min(a, b), max(a, b)].append(name)
    return {edge: tuple(names) for edge, names in sides.items()}


def cut(regions: dict[str, BaseGeometry]) -> Topology:
    """Return the arcs of a coverage whose regions share their vertices exactly."""
    sides = owners(regions)
    star: dict[Vertex, list[Edge]] = defaultdict(list)
    for edge in sides:
        for vertex in edge:
            star[vertex].append(edge)

    def is_node(vertex: Vertex) -> bool:
        around = star[vertex]
        return len(around) != 2 or sides[around[0]] != sides[around[1]]

    topology = Topology()
    used: set[Edge] = set()

    def trace(start: Vertex, edge: Edge) -> None:
        arc, here = [start], start
        while edge not in used:
            used.add(edge)
            here = edge[1] if edge[0] == here else edge[0]
            arc.append(here)
            if is_node(here):
                break
            edge = next((e for e in star[here] if e not in used), edge)
        number = len(topology.arcs)
        topology.arcs.append(arc)
        topology.sides.append(sides[min(arc[0], arc[1]), max(arc[0], arc[1])])
        topology.starts[arc[0], arc[1]] = number
        topology.starts[arc[-1], arc[-2]] = ~number

    for vertex in sorted(star):
        if is_node(vertex):
            for edge in sorted(star[vertex]):
                if edge not in used:
                    trace(vertex, edge)
    for edge in sorted(sides):
        if edge not in used:  # islands: closed arcs without a node
            trace(edge[0], edge)
    return topology
