"""Strokes and edges: the balls that each suits, the sectors to which it sends them, and its possible results.

The odds that a ball was played with a stroke are a product of weights, by kind of bowler and length, by line, by sector
and by outcome; a weight of 0 means never. How often balls go to each sector is measured (`ball_model.json`); that the
strokes agree with length, line and sector is OURS, by the books of technique: no public data record strokes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from grandstand.games.cricket.model.ball_model import DATA, cumulative
from grandstand.games.cricket.vocab import GROUPS, OUTSIDE_LEG, SHOT_FAMILY, WIDE_OUTSIDE_OFF, ZONES

Weights = tuple[float, ...]
NEVER: Final[Weights] = (0.0,) * 7
LONG_ON, MIDWICKET, SQUARE_LEG, FINE_LEG, THIRD, POINT, COVER, LONG_OFF = range(len(ZONES))


class Stroke(NamedTuple):
    """A stroke: how often by phase, and weights by length (pace, spin), line, sector and outcome.

    Outcomes are runs off the bat, or a catch by a fielder who stands `deep`, in the `ring` or `close`.
    """

    usual: tuple[float, float, float]
    pace: Weights
    spin: Weights
    lines: Weights
    zones: dict[int, float]
    outcomes: dict[str, float]


_DEFENDED: Final[dict[str, float]] = {}
"""A block goes nowhere by itself: only its edges bring runs and catches."""
_DRIVEN: Final = {"0": 0.8, "1": 1.0, "2": 0.8, "3": 0.7, "4": 1.0, "ring": 0.5}
_AIRED: Final = {"0": 0.04, "1": 0.12, "2": 0.3, "4": 0.8, "6": 2.0, "deep": 1.5, "ring": 0.5}

# Lengths: full toss, yorker, full, good, back of a length, short, bouncer. Lines: from wide outside off to down leg.
STROKES: Final[dict[str, Stroke]] = {
    "forward_defence": Stroke(
        (1, 0.7, 0.25), (0.2, 1, 1, 1, 0.2, 0, 0), (0.2, 1, 1, 1, 0.3, 0, 0), (0, 0.3, 1, 1, 0.6, 0),
        {LONG_ON: 1, MIDWICKET: 0.6, SQUARE_LEG: 0.2, COVER: 1, LONG_OFF: 1.2}, _DEFENDED,
    ),
    "back_defence": Stroke(
        (1, 0.7, 0.25), (0, 0, 0, 0.5, 1, 0.8, 0.4), (0, 0, 0, 0.5, 1, 0.6, 0), (0, 0.3, 1, 1, 0.7, 0),
        {LONG_ON: 0.7, MIDWICKET: 0.8, SQUARE_LEG: 0.4, COVER: 1, LONG_OFF: 0.8}, _DEFENDED,
    ),
    "push": Stroke(
        (1, 1, 0.8), (0.6, 0.6, 1, 1, 0.6, 0.1, 0), (0.6, 0.6, 1, 1, 1, 0.2, 0), (0.2, 0.8, 1, 1, 0.4, 0),
        {LONG_ON: 1, MIDWICKET: 0.7, POINT: 0.2, COVER: 1, LONG_OFF: 1},
        {"0": 0.8, "1": 1.0, "2": 0.3, "3": 0.15, "4": 0.08, "ring": 0.3},
    ),
    "straight_drive": Stroke(
        (1, 0.8, 1), (1, 0.7, 1, 0.5, 0.05, 0, 0), (1, 0.7, 1, 0.6, 0.1, 0, 0), (0.2, 0.7, 1, 1, 0.3, 0),
        {LONG_ON: 0.35, LONG_OFF: 1}, _DRIVEN,
    ),
    "on_drive": Stroke(
        (1, 0.8, 1), (1, 0.7, 1, 0.6, 0.1, 0, 0), (1, 0.7, 1, 0.7, 0.2, 0, 0), (0, 0.3, 0.8, 1, 1, 0.3),
        {LONG_ON: 1, MIDWICKET: 0.2}, _DRIVEN,
    ),
    "cover_drive": Stroke(
        (1, 0.8, 0.8), (1, 0.5, 1, 0.8, 0.15, 0, 0), (1, 0.5, 1, 0.8, 0.35, 0, 0), (1, 1, 1, 0.4, 0, 0),
        {POINT: 0.1, COVER: 1, LONG_OFF: 0.35}, _DRIVEN,
    ),
    "square_drive": Stroke(
        (0.5, 0.4, 0.4), (0.8, 0.5, 1, 0.7, 0.3, 0, 0), (0.8, 0.4, 1, 0.7, 0.4, 0, 0), (1, 1, 0.4, 0, 0, 0),
        {POINT: 0.8, COVER: 0.7}, _DRIVEN,
    ),
    "flick": Stroke(
        (1, 1, 0.8), (0.8, 0.8, 1, 1, 0.8, 0.1, 0), (0.6, 0.6, 1, 1, 0.9, 0.1, 0), (0, 0, 0.45, 1, 1, 0.7),
        {LONG_ON: 0.3, MIDWICKET: 1, SQUARE_LEG: 1, FINE_LEG: 0.3},
        {"0": 0.6, "1": 1.0, "2": 0.8, "3": 0.6, "4": 0.7, "6": 0.3, "ring": 0.4, "deep": 0.35},
    ),
    "leg_glance": Stroke(
        (0.8, 0.6, 0.4), (0.4, 0.3, 0.6, 1, 1, 0.6, 0.2), (0.3, 0.3, 0.6, 1, 0.8, 0.4, 0), (0, 0, 0, 0.35, 1, 1),
        {SQUARE_LEG: 0.35, FINE_LEG: 1}, {"0": 0.3, "1": 1.0, "2": 0.7, "3": 0.4, "4": 1.0, "close": 0.3},
    ),
    "drop_and_run": Stroke(
        (0.04, 0.04, 0.04), (0, 0, 0.3, 1, 1, 0.6, 0), (0, 0, 0.3, 1, 1, 0.3, 0), (0, 0.6, 1, 1, 0.8, 0),
        {MIDWICKET: 1, SQUARE_LEG: 0.4, POINT: 0.7, COVER: 1}, {"1": 1.0},
    ),
    "cut": Stroke(
        (1, 1, 0.7), (0, 0, 0, 0.1, 1, 1, 0.3), (0, 0, 0, 0.2, 1, 1, 0), (1, 1, 0.4, 0, 0, 0),
        {THIRD: 0.3, POINT: 1, COVER: 0.45},
        {"0": 0.8, "1": 1.0, "2": 0.6, "3": 0.5, "4": 1.0, "6": 0.06, "ring": 0.6, "deep": 0.4},
    ),
    "late_cut": Stroke(
        (0.3, 0.5, 0.2), (0, 0, 0, 0.1, 0.4, 0.3, 0), (0, 0, 0, 0.3, 1, 1, 0), (0.6, 1, 0.8, 0, 0, 0),
        {THIRD: 1, POINT: 0.1}, {"0": 0.3, "1": 1.0, "2": 0.5, "4": 0.8},
    ),
    "dab": Stroke(
        (0.6, 0.9, 0.7), (0, 0.2, 0.3, 0.8, 1, 0.6, 0), (0, 0.1, 0.3, 0.8, 1, 0.6, 0), (0.8, 1, 1, 0.25, 0, 0),
        {THIRD: 1, POINT: 0.35}, {"0": 0.4, "1": 1.0, "2": 0.4, "3": 0.15, "4": 0.25},
    ),
    "upper_cut": Stroke(
        (0.35, 0.35, 0.4), (0, 0, 0, 0, 0.1, 1, 1), NEVER, (1, 1, 0.6, 0.1, 0, 0), {THIRD: 1, POINT: 0.5},
        {"0": 0.1, "1": 0.3, "2": 0.4, "4": 1.0, "6": 1.0, "deep": 1.0},
    ),
    "pull": Stroke(
        (1, 1, 1), (0, 0, 0, 0.04, 0.7, 1, 0.7), (0, 0, 0, 0.04, 0.6, 1, 0), (0, 0.35, 0.9, 1, 1, 0.5),
        {LONG_ON: 0.25, MIDWICKET: 1, SQUARE_LEG: 1, FINE_LEG: 0.25},
        {"0": 0.5, "1": 1.0, "2": 0.8, "3": 0.4, "4": 1.0, "6": 1.0, "ring": 0.5, "deep": 1.0},
    ),
    "hook": Stroke(
        (0.6, 0.6, 0.6), (0, 0, 0, 0, 0, 0.35, 1), NEVER, (0, 0, 0.7, 1, 1, 0.6),
        {MIDWICKET: 0.05, SQUARE_LEG: 0.7, FINE_LEG: 1},
        {"0": 0.2, "1": 0.8, "2": 0.6, "3": 0.2, "4": 1.0, "6": 1.0, "deep": 1.0},
    ),
    "sweep": Stroke(
        (0.4, 0.8, 0.6), (0.1, 0.1, 0.3, 0.2, 0, 0, 0), (0.4, 0.5, 0.9, 1, 0.15, 0, 0), (0, 0.3, 0.7, 1, 1, 0.8),
        {MIDWICKET: 0.4, SQUARE_LEG: 1, FINE_LEG: 0.6},
        {"0": 0.6, "1": 1.0, "2": 0.8, "3": 0.3, "4": 1.0, "ring": 0.2, "deep": 0.4},
    ),
    "slog_sweep": Stroke(
        (0.25, 0.4, 0.5), (0.2, 0.1, 0.5, 0.4, 0, 0, 0), (0.4, 0.2, 1, 1, 0.2, 0, 0), (0, 0.4, 0.9, 1, 0.9, 0.4),
        {LONG_ON: 0.15, MIDWICKET: 1, SQUARE_LEG: 0.5},
        {"0": 0.1, "1": 0.3, "2": 0.4, "4": 0.7, "6": 1.0, "deep": 1.0},
    ),
    "reverse_sweep": Stroke(
        (0.15, 0.35, 0.3), (0.05, 0.05, 0.2, 0.1, 0, 0, 0), (0.2, 0.3, 0.8, 1, 0.15, 0, 0),
        (0.4, 0.9, 1, 1, 0.5, 0), {THIRD: 0.7, POINT: 1},
        {"0": 0.5, "1": 1.0, "2": 0.6, "3": 0.3, "4": 1.2, "6": 0.15, "ring": 0.4, "deep": 0.3},
    ),
    "paddle": Stroke(
        (0.05, 0.15, 0.15), (0.1, 0.1, 0.2, 0, 0, 0, 0), (0.5, 0.5, 1, 0.8, 0, 0, 0), (0, 0, 0.3, 1, 1, 0.8),
        {FINE_LEG: 1}, {"0": 0.1, "1": 1.0, "2": 0.7, "4": 1.0, "ring": 0.3},
    ),
    "scoop": Stroke(
        (0.04, 0.06, 0.35), (1, 1, 1, 0.6, 0, 0, 0), (0.4, 0.3, 0.5, 0.3, 0, 0, 0), (0, 0.2, 0.8, 1, 1, 0.5),
        {SQUARE_LEG: 0.1, FINE_LEG: 1, THIRD: 0.2},
        {"0": 0.1, "1": 0.4, "2": 0.5, "4": 1.4, "6": 0.8, "ring": 0.6, "deep": 0.5},
    ),
    "ramp": Stroke(
        (0.04, 0.05, 0.2), (0.2, 0.2, 0.2, 0.2, 0.6, 1, 1), NEVER, (0.3, 0.8, 1, 1, 0.4, 0),
        {FINE_LEG: 0.5, THIRD: 1}, {"0": 0.1, "1": 0.3, "2": 0.3, "4": 1.0, "6": 0.6, "deep": 0.6},
    ),
    "switch_hit": Stroke(
        (0.0, 0.01, 0.01), (0.3, 0.2, 0.5, 0.4, 0, 0, 0), (0.5, 0.5, 1, 1, 0.3, 0, 0), (0.3, 0.8, 1, 1, 0.5, 0),
        {THIRD: 0.4, POINT: 1, COVER: 1}, {"0": 0.3, "1": 0.5, "2": 0.5, "4": 1.0, "6": 1.0, "deep": 1.0},
    ),
    "loft_straight": Stroke(
        (0.5, 0.6, 0.8), (1, 0.25, 1, 0.8, 0.25, 0, 0), (1, 0.4, 1, 1, 0.4, 0.05, 0), (0.2, 0.7, 1, 1, 0.5, 0.1),
        {LONG_ON: 1, LONG_OFF: 1}, _AIRED,
    ),
    "inside_out_loft": Stroke(
        (0.35, 0.4, 0.4), (0.6, 0.1, 0.8, 0.6, 0.1, 0, 0), (0.6, 0.2, 1, 1, 0.4, 0, 0), (1, 1, 1, 0.8, 0.3, 0),
        {COVER: 1, LONG_OFF: 0.8}, _AIRED,
    ),
    "slog": Stroke(
        (0.3, 0.4, 0.7), (1, 0.3, 1, 0.9, 0.5, 0.2, 0), (1, 0.3, 1, 1, 0.6, 0.4, 0), (0, 0.6, 1, 1, 0.8, 0.2),
        {LONG_ON: 0.8, MIDWICKET: 1, SQUARE_LEG: 0.3}, _AIRED | {"0": 0.1, "1": 0.2, "ring": 0.8},
    ),
    "helicopter": Stroke(
        (0.01, 0.02, 0.12), (0.6, 1, 0.7, 0, 0, 0, 0), (0.2, 0.3, 0.3, 0, 0, 0, 0), (0, 0.2, 1, 1, 0.6, 0),
        {LONG_ON: 0.8, MIDWICKET: 1}, {"0": 0.1, "1": 0.2, "2": 0.3, "4": 0.5, "6": 1.0, "deep": 0.8},
    ),
}  # fmt: skip


class BatEdge(NamedTuple):
    """A way to mishit the named strokes: its share of their hits, and weights by line, sector and outcome.

    `keeper` and `bowler` are catches by the wicket-keeper and by the bowler.
    """

    strokes: tuple[str, ...]
    share: float
    lines: Weights
    zones: dict[int, float]
    outcomes: dict[str, float]
    at_short_leg: dict[int, float] | None = None
    """Sectors of catches close to the bat, if they differ."""


LOFTED: Final = frozenset({"loft_straight", "inside_out_loft"})
"""Strokes that clear the ring if the bat meets the ball well."""
_STRAIGHT_BAT: Final = ("forward_defence", "back_defence", "push", "straight_drive", "cover_drive")
_CROSS_BAT: Final = ("pull", "hook", "sweep", "slog_sweep", "slog", "paddle", "scoop")
EDGES: Final[dict[str, BatEdge]] = {
    "outside_edge": BatEdge(
        (*_STRAIGHT_BAT, "square_drive", "cut", "dab"), 0.09, (1, 1, 1, 0.6, 0, 0), {THIRD: 1, POINT: 0.1},
        {"0": 0.05, "1": 0.5, "2": 0.3, "3": 0.2, "4": 0.9, "close": 3.0, "keeper": 3.0, "ring": 0.1},
    ),
    "inside_edge": BatEdge(
        (*_STRAIGHT_BAT, "flick", "leg_glance", "on_drive"), 0.06, (0, 0.5, 1, 1, 0.7, 0.5),
        {SQUARE_LEG: 0.5, FINE_LEG: 1}, {"0": 0.3, "1": 0.6, "2": 0.3, "4": 0.7, "close": 2.0, "keeper": 0.5},
        {MIDWICKET: 1, SQUARE_LEG: 1, FINE_LEG: 1, COVER: 0.4},
    ),
    "top_edge": BatEdge(
        (*_CROSS_BAT, "cut"), 0.05, (0.5, 1, 1, 1, 1, 1), {SQUARE_LEG: 0.4, FINE_LEG: 0.8, THIRD: 0.6, MIDWICKET: 0.2},
        {"1": 0.2, "2": 0.2, "4": 0.6, "6": 0.1, "deep": 1.0, "ring": 1.5, "keeper": 1.0, "bowler": 0.5},
    ),
    "leading_edge": BatEdge(
        ("flick", "leg_glance", "on_drive", "slog", "sweep"), 0.03, (0, 0.2, 0.6, 1, 1, 0.3),
        {COVER: 1, POINT: 0.6, LONG_OFF: 0.7, THIRD: 0.1},
        {"0": 0.3, "1": 0.5, "2": 0.2, "ring": 1.5, "deep": 0.2, "bowler": 1.0, "close": 0.2},
    ),
    "glove": BatEdge(
        ("hook", "pull", "back_defence", "leg_glance"), 0.02, (0, 0, 0.3, 1, 1, 1), {FINE_LEG: 1, SQUARE_LEG: 0.2},
        {"0": 0.3, "1": 0.6, "4": 0.4, "keeper": 1.5, "close": 1.0},
    ),
}  # fmt: skip
_STRAIGHT_CATCH: Final = {"push": 1.0, "straight_drive": 1.0, "on_drive": 0.5, "loft_straight": 0.6}
"""Strokes that come back to the bowler in the air."""

_RARE: Final = 0.15
"""The ratio to the most usual sector at which a sector keeps half of its measured share."""

Way = tuple[str, str, int]
"""A stroke, its contact (`hit` or a kind of edge) and the sector that the ball went to."""


def suits(stroke: str, group: int, length: int, line: int) -> float:
    """Return how well a stroke suits a ball: 0 where nobody could play it."""
    row = STROKES[stroke]
    return (row.spin if group else row.pace)[length] * row.lines[line]


_PREMEDITATED_V_PACE: Final = frozenset({"sweep", "slog_sweep", "reverse_sweep", "paddle", "switch_hit"})
_PREMEDITATED_V_SPIN: Final = frozenset({"scoop", "helicopter"})


def usual(stroke: str, group: int, phase: int) -> float:
    """Return how often a stroke is played in a phase without a captain's call."""
    if stroke in (_PREMEDITATED_V_SPIN if group else _PREMEDITATED_V_PACE):
        return 0.0
    return STROKES[stroke].usual[phase]


@lru_cache(maxsize=1024)
def attempts(group: int, phase: int, length: int, line: int, among: tuple[str, ...]) -> tuple[list[str], list[float]]:
    """Return the strokes of `among` (empty: of all) that are played at such a ball, and their running shares."""
    weights = {stroke: usual(stroke, group, phase) * suits(stroke, group, length, line) for stroke in among or STROKES}
    possible = {stroke: weight for stroke, weight in weights.items() if weight > 0}
    return list(possible), cumulative(list(possible.values())) if possible else []


@lru_cache(maxsize=1024)
def ways(
    group: int, phase: int, length: int, line: int, outcome: str, called: str | None = None
) -> tuple[list[Way], list[float]]:
    """Return the possible ways to `outcome`, and their running shares; empty if there is none.

    `outcome`: runs, or a catch (`deep`, `ring`, `close`, `keeper`, `bowler`). Sectors keep their measured shares as far
    as strokes send such a ball there. With `called` only that stroke is played.
    """
    odds: dict[Way, float] = {}
    for stroke in (called,) if called else STROKES:
        often = (1.0 if called else usual(stroke, group, phase)) * suits(stroke, group, length, line)
        if often > 0:
            _clean(odds, stroke, outcome, often, line)
            _edged(odds, stroke, outcome, often, line)
    shares = sector_shares(group, length, line, outcome)
    by_zone = [0.0] * len(ZONES)
    for (_, _, zone), weight in odds.items():
        by_zone[zone] += weight
    rare = _RARE * max(by_zone)
    kept = {way: weight * shares[way[2]] / (by_zone[way[2]] + rare) for way, weight in odds.items()}
    return list(kept), cumulative(list(kept.values())) if kept else []


_WORKED_ACROSS: Final = frozenset({"push", "drop_and_run"})


def _across(stroke: str, line: int, zone: int) -> bool:
    """Return whether a soft stroke would have to reach across the batter: to point off leg stump, or the other way."""
    if stroke not in _WORKED_ACROSS:
        return False
    return zone == POINT if line >= OUTSIDE_LEG else zone in (MIDWICKET, SQUARE_LEG) and line == WIDE_OUTSIDE_OFF


def _clean(odds: dict[Way, float], stroke: str, outcome: str, often: float, line: int) -> None:
    row = STROKES[stroke]
    if outcome == "bowler":
        if stroke in _STRAIGHT_CATCH:
            odds[stroke, "hit", LONG_ON if stroke == "on_drive" else LONG_OFF] = often * _STRAIGHT_CATCH[stroke]
        return
    brings = row.outcomes.get(outcome, 0.0)
    if outcome == "close" and stroke != "leg_glance":
        return
    for zone, share in row.zones.items():
        if often * brings * share > 0 and not _across(stroke, line, zone):
            odds[stroke, "hit", zone] = often * brings * share


def _edged(odds: dict[Way, float], stroke: str, outcome: str, often: float, line: int) -> None:
    for contact, edge in EDGES.items():
        brings = edge.outcomes.get(outcome, 0.0)
        if stroke not in edge.strokes or brings * edge.lines[line] <= 0:
            continue
        weight = often * edge.share * edge.lines[line] * brings
        if outcome in ("keeper", "bowler"):
            odds[stroke, contact, THIRD if outcome == "keeper" else LONG_ON] = weight
            continue
        zones = edge.at_short_leg if outcome == "close" and edge.at_short_leg else edge.zones
        for zone, share in zones.items():
            odds[stroke, contact, zone] = weight * share


@lru_cache(maxsize=4096)
def sector_shares(group: int, length: int, line: int, outcome: str) -> Weights:
    """Return the measured shares of the eight sectors of a ball by its landing and outcome."""
    where = DATA["delivery"][GROUPS[group]]
    if outcome in ("close", "keeper", "bowler"):
        return (1.0,) * len(ZONES)
    base = DATA["zones"]["by_runs"][outcome] if outcome.isdigit() else DATA["zones"]["caught"]
    raw = [b * a * c for b, a, c in zip(base, where["length_zone"][length], where["line_zone"][line], strict=True)]
    return tuple(x / sum(raw) for x in raw)


def playable(shot: str, group: int, length: int, line: int) -> bool:
    """Return whether a called shot can be played at such a ball. Otherwise the batter plays the usual stroke for it."""
    return shot in STROKES and suits(shot, group, length, line) > 0


assert set(STROKES) | {"leave"} == set(SHOT_FAMILY)
