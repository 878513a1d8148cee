"""The look of one delivery: the stroke, the contact, the path of the ball and the fielder.

Parts are drawn in order, each conditional on the earlier ones: outcome and landing are the engine's; then stroke,
contact and sector together; then direction, length and fielder. It never changes the outcome.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from grandstand.games.cricket.laws.cards import Ball
from grandstand.games.cricket.laws.field import Field
from grandstand.games.cricket.model.picture import path
from grandstand.games.cricket.model.picture.path import Hit, Start
from grandstand.games.cricket.model.picture.strokes import EDGES, LOFTED, STROKES, Way, attempts, playable, suits, ways
from grandstand.games.cricket.vocab import BOUNCER, FULL_TOSS, LEAVE, LENGTHS, LINES, SHOT_FAMILY, STUMPS

GOOD: Final = LENGTHS.index("good")
BACK: Final = LENGTHS.index("back_of_length")
SHORT: Final = LENGTHS.index("short")
OFF_CHANNEL: Final = LINES.index("off_channel")
OUTSIDE_OFF: Final = LINES.index("outside_off")
_TRIES: Final = 30


class Facts(NamedTuple):
    """The parts of a delivery that the engine has determined. `behind`: a catch is the wicket-keeper's."""

    ball: Ball
    group: int
    phase: int
    length: int
    line: int
    shot: str
    intent: str
    appeal: str | None
    behind: bool
    field: Field


class BallStory(NamedTuple):
    """The picture of a delivery. `stroke` is the one played or tried, or None; `contact` is one of `vocab.CONTACTS`;
    `hit` is None if the ball did not leave the bat."""

    stroke: str | None
    contact: str
    hit: Hit | None


def story(facts: Facts, rng: Random) -> BallStory:
    """Return the picture of a delivery that agrees with its outcome."""
    ball, how = facts.ball, None if facts.ball.dismissal is None else facts.ball.dismissal.kind
    if how == "caught":
        return _behind(facts, rng) if facts.behind else _caught(facts, rng)
    if how == "caught and bowled":
        return _way(facts, "bowler", rng, lambda way, _: path.back_to_the_bowler(way[2], rng))
    if how in _MISSED:
        return _MISSED[how](facts, rng)
    if ball.wide:
        return _wide(facts, rng)
    if facts.shot == LEAVE:
        return _left(facts, rng)
    if ball.runs_from == "legbyes":
        return BallStory(_tried(facts, rng, _PADDED), "body" if facts.length >= SHORT else "pad", None)
    if ball.runs_from == "byes":
        return _beaten(facts, rng)
    if ball.bat_runs == 0 and how is None:
        return _dot(facts, rng)
    return _scored(facts, rng)


# --- off the bat ------------------------------------------------------------------------------------------------------


def _scored(facts: Facts, rng: Random) -> BallStory:
    """Return a ball that brought runs off the bat, or on which a batter was run out."""
    ball = facts.ball
    runs = ball.bat_runs
    if ball.dismissal is not None:
        runs = min(runs + 1, 2)  # the run out happened in the run after those that count
    if ball.boundary:
        if runs >= 6:
            return _way(facts, "6", rng, lambda way, _: path.over_the_rope(*way, rng))
        return _way(facts, "4", rng, lambda way, sure: path.to_the_rope(*way, facts.field, rng, sure))
    return _run(facts, min(runs, 3), rng)


def _run(facts: Facts, runs: int, rng: Random) -> BallStory:
    return _way(facts, str(runs), rng, lambda way, sure: path.fielded(runs, *way, facts.field, rng, sure))


def _way(facts: Facts, outcome: str, rng: Random, went: Callable[[Way, bool], Hit | None]) -> BallStory:
    """Draw stroke, contact and sector together until the ball can go that way in this field. A called stroke without a
    way through the field is not played: the batter then plays the usual stroke for the ball. If none has a way, in a
    field that leaves half of the ground empty, the nearest fielder runs as far as necessary."""
    where = (facts.group, facts.phase, facts.length, facts.line, outcome)
    for called in dict.fromkeys((_called(facts), None)):
        options, running = ways(*where, called)
        for _ in range(_TRIES if options else 0):
            way = options[bisect_right(running, rng.random())]
            if (hit := went(way, False)) is not None:
                return BallStory(way[0], way[1], hit)
    way = options[bisect_right(running, rng.random())]
    return BallStory(way[0], way[1], went(way, True))


def _called(facts: Facts) -> str | None:
    """Return the called stroke where the ball allows it."""
    return facts.shot if playable(facts.shot, facts.group, facts.length, facts.line) else None


def _caught(facts: Facts, rng: Random) -> BallStory:
    """Return a catch by one of the nine: a stroke that goes in the air, and a fielder in that sector."""
    called = _called(facts)
    by_depth: dict[str, tuple[list[Way], list[float]]] = {}
    catchers: list[tuple[float, Start, list[tuple[Way, float]]]] = []
    for start in path.starts(facts.field)[:-1]:
        if start.depth not in by_depth:
            where = (facts.group, facts.phase, facts.length, facts.line, start.depth)
            options, running = ways(*where, called)
            by_depth[start.depth] = (options, running) if options else ways(*where)
        options, running = by_depth[start.depth]
        zone = int(start.angle % 360 // 45)
        steps = [b - a for a, b in zip([0.0, *running], running, strict=False)]
        here = [(way, step) for way, step in zip(options, steps, strict=True) if way[2] == zone and step > 0]
        share = sum(step for _, step in here) * _CATCHES[start.depth]
        if share > 0:
            catchers.append((share, start, here))
    if not catchers:
        return _anyone(facts, rng)
    _, start, here = rng.choices(catchers, [share for share, _, _ in catchers])[0]
    (stroke, contact, _), _ = rng.choices(here, [step for _, step in here])[0]
    return BallStory(stroke, contact, path.catch_by(start, rng))


_CATCHES: Final = {"deep": 1.5, "ring": 0.8, "close": 0.6}
"""OURS: the probability that a fielder in the way of the ball takes a catch, by depth."""


def _anyone(facts: Facts, rng: Random) -> BallStory:
    """Return a skied mishit, for a field without a man where such a ball is caught: any of the ring runs under it."""
    runners = [start for start in path.starts(facts.field)[:-1] if start.depth != "close"] or path.starts(facts.field)
    stroke = _tried(facts, rng, ())
    return BallStory(stroke, "top_edge", path.catch_by(rng.choice(runners), rng))


def _behind(facts: Facts, rng: Random) -> BallStory:
    """Return a catch by the wicket-keeper: an edge or a glove."""
    hit = Hit(-180, 3 if facts.group or facts.field.keeper_up else 15, "third", "wicketkeeper")
    return _way(facts, "keeper", rng, lambda way, _: hit)


# --- nothing off the bat ----------------------------------------------------------------------------------------------

_PADDED: Final = ("flick", "leg_glance", "forward_defence", "back_defence", "sweep", "on_drive", "push", "pull", "hook")
_CHARGED: Final = ("straight_drive", "on_drive", "cover_drive", "loft_straight", "inside_out_loft", "flick", "slog")
_BACK: Final = ("back_defence", "pull", "hook", "cut", "late_cut")


def _tried(facts: Facts, rng: Random, among: tuple[str, ...]) -> str | None:
    """Return the stroke that was tried: the one called where the ball allows it, else one of `among` or of all."""
    if (called := _called(facts)) is not None:
        return called
    where = (facts.group, facts.phase, facts.length, facts.line)
    strokes, running = attempts(*where, among)
    if not strokes:
        strokes, running = attempts(*where, ())
    return strokes[bisect_right(running, rng.random())] if strokes else None


def _beaten(facts: Facts, rng: Random) -> BallStory:
    if facts.length == BOUNCER and facts.line >= OFF_CHANNEL and rng.random() < 0.5 and facts.shot == "natural":
        return BallStory(None, "ducked", None)
    return BallStory(_tried(facts, rng, ()), "beaten", None)


def _left(facts: Facts, rng: Random) -> BallStory:
    """Return a ball at which the batter did not play."""
    if facts.appeal == "lbw":
        return BallStory(LEAVE, "pad", None)
    return BallStory(LEAVE, "left", None)


def _wide(facts: Facts, rng: Random) -> BallStory:
    if facts.shot == LEAVE:
        return BallStory(LEAVE, "left", None)
    if rng.random() < 0.7:
        return BallStory(None, "ducked" if facts.length == BOUNCER and facts.line >= OFF_CHANNEL else "left", None)
    stroke = _tried(facts, rng, ())
    return BallStory(stroke, "beaten" if stroke else "left", None)


def _bowled(facts: Facts, rng: Random) -> BallStory:
    if facts.shot == LEAVE:
        return BallStory(LEAVE, "left", None)
    dragged = 1.0 if facts.line <= OUTSIDE_OFF else 0.5 if facts.length >= BACK else 0.12
    edged = (*EDGES["inside_edge"].strokes, "pull", "cut", "slog")
    if rng.random() < dragged:
        fitting = tuple(stroke for stroke in edged if suits(stroke, facts.group, facts.length, facts.line))
        if fitting and (facts.shot == "natural" or facts.shot in fitting):
            return BallStory(_tried(facts, rng, fitting), "inside_edge", None)
    return BallStory(_tried(facts, rng, ()), "beaten", None)


def _lbw(facts: Facts, rng: Random) -> BallStory:
    return BallStory(LEAVE if facts.shot == LEAVE else _tried(facts, rng, _PADDED), "pad", None)


def _stumped(facts: Facts, rng: Random) -> BallStory:
    if facts.shot == LEAVE:
        return BallStory(LEAVE, "left", None)
    return BallStory(_tried(facts, rng, _CHARGED), "beaten", None)


def _hit_wicket(facts: Facts, rng: Random) -> BallStory:
    return BallStory(_tried(facts, rng, _BACK), "beaten", None)


_MISSED: Final[dict[str | None, Callable[[Facts, Random], BallStory]]] = {
    "bowled": _bowled, "lbw": _lbw, "stumped": _stumped, "hit wicket": _hit_wicket,
}  # fmt: skip


# --- a dot ball -------------------------------------------------------------------------------------------------------
# OURS: nobody records what a dot ball was. Two thirds are hit to a fielder or blocked, a sixth beat the bat.
_CARE: Final = {"block": 2.0, "rotate": 1.0, "build": 1.2, "normal": 1.0, "attack": 0.35, "slog": 0.1}
_CARE_BY_PHASE: Final = (1.0, 0.7, 0.3)
_LEAVES: Final = (0.5, 0.25, 0.05, 0.0, 0.0, 0.35)
_BEATEN: Final = (0.35, 0.32, 0.28, 0.05, 0.12, 0.3)
_ON_THE_PAD: Final = (0.0, 0.0, 0.06, 0.16, 0.25, 0.35)
_BLOCKED: Final = 0.45
_TO_FIELDER: Final = 0.8


def _dot(facts: Facts, rng: Random) -> BallStory:
    """Return a dot ball: left, blocked, missed, on the pad, or hit to a fielder."""
    if facts.appeal == "wide":
        return _wide(facts, rng)
    if facts.appeal == "lbw":
        return BallStory(_tried(facts, rng, _PADDED), "pad", None)
    if facts.appeal == "caught":
        edged = tuple(s for s in EDGES["outside_edge"].strokes if suits(s, facts.group, facts.length, facts.line))
        return BallStory(_tried(facts, rng, edged), "beaten", None)
    what = rng.choices(_DOTS, _dot_weights(facts))[0]
    if what == "hit":
        return _run(facts, 0, rng)
    if what == "defended":
        return _blocked(facts, rng)
    if what in ("left", "ducked"):
        return BallStory(LEAVE if what == "left" else None, what, None)
    return BallStory(_tried(facts, rng, _PADDED if what in ("pad", "body") else ()), what, None)


_DOTS: Final = ("left", "ducked", "beaten", "pad", "body", "defended", "hit")


def _dot_weights(facts: Facts) -> list[float]:
    """Return the weight of each of `_DOTS`."""
    length, line, pace = facts.length, facts.line, facts.group == 0
    care = _CARE[facts.intent] * _CARE_BY_PHASE[facts.phase]
    natural = facts.shot == "natural"
    family = SHOT_FAMILY.get(facts.shot)
    left = _LEAVES[line] * care * (1.0 if length >= GOOD else 0.2) * (1.0 if pace else 0.4) if natural else 0.0
    ducked = 0.6 * min(1.0, care + 0.3) if natural and length == BOUNCER and line >= OFF_CHANNEL else 0.0
    beaten = _BEATEN[line]
    if line == STUMPS and length >= BACK and pace:
        beaten = 0.15  # it goes over the top
    if length == FULL_TOSS:
        beaten *= 0.15
    pad = _ON_THE_PAD[line] if FULL_TOSS < length <= BACK else 0.0
    body = 0.15 if pace and length >= SHORT and line >= OFF_CHANNEL else 0.0
    blocked = _BLOCKED * care if natural or family == "defend" else 0.0
    if not _defences(facts):
        blocked = 0.0
    lofted = facts.shot in LOFTED and _called(facts) is not None  # a dot is a miss: anybody near would catch it
    hit = 0.0 if lofted or (family == "defend" and blocked) else _TO_FIELDER
    return [left, ducked, beaten, pad, body, blocked, hit]


def _defences(facts: Facts) -> tuple[str, ...]:
    options = (facts.shot,) if SHOT_FAMILY.get(facts.shot) == "defend" else ("forward_defence", "back_defence")
    return tuple(s for s in options if suits(s, facts.group, facts.length, facts.line))


def _blocked(facts: Facts, rng: Random) -> BallStory:
    strokes, running = attempts(facts.group, facts.phase, facts.length, facts.line, _defences(facts))
    stroke = strokes[bisect_right(running, rng.random())]
    zones = STROKES[stroke].zones
    zone = rng.choices(list(zones), list(zones.values()))[0]
    return BallStory(stroke, "defended", path.at_the_bat(zone, rng))
