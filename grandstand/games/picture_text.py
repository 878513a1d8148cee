"""A picture as lines of text, for a terminal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from grandstand.games.picture import Picture, Place, Point, Thing

WAYS = ("arrow", "line", "text")
"""The kinds of things that are listed after the others."""
LONGEST_MARK = 6
EMPTY = "."
"""A square with nothing on it."""
HIDDEN = "?"
"""A thing that is face down, without a name."""


def text_lines(picture: Picture) -> Iterator[str]:
    """Yield the picture as text: the moment in a sentence, squares as rows of characters, things elsewhere, the
    arrows, lines and texts that have a name, and the figures. Muted text, as on axes, is left out."""
    yield picture.describe
    at: dict[str | Point, list[Thing]] = defaultdict(list)
    ways: list[Thing] = []
    for thing in picture.things:
        if thing.kind in WAYS:
            ways.append(thing)
        else:
            at[thing.at].append(thing)
    rows = _grid(picture.places)
    if rows:
        yield ""
        yield from _board(rows, at)
    squares = {place.id for row in rows for place in row}
    places = {place.id: place for place in picture.places}
    yield from _block([thing for place, things in at.items() if place not in squares for thing in things], places)
    yield from _block([thing for thing in ways if thing.kind != "text" or thing.state != "muted"], places)
    if picture.figures:
        yield ""
    width = max((len(figure.label) for figure in picture.figures), default=0)
    for figure in picture.figures:
        yield f"{figure.label:<{width}}  {figure.value}"


def _grid(places: Sequence[Place]) -> list[list[Place]]:
    """Return the squares or cells of a board by rows: those of the usual size, if they have two rows and columns."""
    cells = [place for place in places if place.outline in ("box", "hex")]
    sizes = Counter((place.width, place.height) for place in cells).most_common(1)
    rows: dict[float, list[Place]] = defaultdict(list)
    for place in cells:
        if (place.width, place.height) == sizes[0][0]:
            rows[round(place.y, 3)].append(place)
    board = [sorted(rows[y], key=lambda place: place.x) for y in sorted(rows)]
    return board if len(board) > 1 and any(len(row) > 1 for row in board) else []


def _board(rows: Sequence[Sequence[Place]], at: Mapping[str | Point, Sequence[Thing]]) -> Iterator[str]:
    """Yield the rows, with the names of squares as on a chess board at the edges."""
    top = {place.id: at[place.id][-1] for row in rows for place in row if at.get(place.id)}
    owners = defaultdict(set)
    for thing in top.values():
        owners[thing.label].add(thing.owner)
    marks = {place.id: EMPTY for row in rows for place in row}
    marks.update({place: _mark(thing, len(owners[thing.label]) > 1) for place, thing in top.items()})
    width = max(map(len, marks.values()))
    left = min(place.x for row in rows for place in row)
    named = all(place.id[:1].isalpha() and place.id[1:].isdecimal() for row in rows for place in row)
    for row in rows:
        indent = " " * round((row[0].x - left) / max(row[0].width, 1e-3) * (width + 1))
        name = f"{row[0].id[1:]:>2} " if named else ""
        yield name + indent + " ".join(marks[place.id].ljust(width) for place in row).rstrip()
    if named:
        yield "   " + " ".join(place.id[0].ljust(width) for place in max(rows, key=len)).rstrip()


def _mark(thing: Thing, owned: bool) -> str:
    """Return a thing on a square in a few characters, with the initial of its owner where it is `owned`."""
    label = _text(thing.label)[:LONGEST_MARK]
    if label:
        return thing.owner[:1] + label if owned else label
    return HIDDEN if thing.state == "hidden" else (thing.owner or thing.name or thing.kind)[:1]


def _block(things: Sequence[Thing], places: Mapping[str, Place]) -> Iterator[str]:
    """Yield things, a line for each owner, or place where there is no owner, after an empty line."""
    groups: dict[str, list[str]] = defaultdict(list)
    for thing in things:
        place = places.get(thing.at) if isinstance(thing.at, str) else None
        name = _text(thing.name or thing.label) or (HIDDEN if thing.state == "hidden" else "")
        where = "" if place is None else place.label or place.name or place.id
        if place and thing.owner and thing.kind not in WAYS and (name or place.outline != "none"):
            known = place.id in name or place.owner == thing.owner
            name = name if known and name else f"{name} at {where}".strip()
        if name:
            groups[thing.owner or where].append(name)
    if groups:
        yield ""
    width = max(map(len, groups), default=0)
    for group, words in groups.items():
        yield f"{group:<{width}}  {', '.join(words)}".strip()


def _text(words: str) -> str:
    return " ".join(words.split())
