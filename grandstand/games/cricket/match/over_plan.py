"""A captain's plan for an over, and the calls of its balls.

The bowling side plans a theme and a zone. Each ball is natural but for two draws of its own, which nobody foresees: the
theme names its length and variation on the shares of balls in `THEMES`, the zone its line on every third ball. The
batting side plans an intent for each batter, and a stroke: a draw of the ball calls it on a share of the balls, whose
other strokes are natural. A free hit is slogged.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.types import CalledPlan, OverPlan
from grandstand.games.cricket.vocab import BOUNCER, GROUPS, INTENTS, LENGTHS, LINES, SHOTS


class ThemePart(NamedTuple):
    """A share of the balls of a theme, and how they are called."""

    share: float
    length: str
    variation: str = "natural"


NATURAL: Final = "natural"
THEMES: Final[dict[str, dict[str, tuple[ThemePart, ...]]]] = {
    NATURAL: {"pace": (), "spin": ()},
    "attack": {
        "pace": (ThemePart(0.25, "full"), ThemePart(0.12, NATURAL, "swing"), ThemePart(0.08, "good")),
        "spin": (ThemePart(0.25, "good"), ThemePart(0.15, "good", "wrong_un")),
    },
    "hard_length": {
        "pace": (ThemePart(0.2, "back_of_length"), ThemePart(0.15, "good")),
        "spin": (ThemePart(0.2, "good"), ThemePart(0.15, NATURAL, "quicker")),
    },
    "short": {
        "pace": (ThemePart(0.15, "short"), ThemePart(0.1, "bouncer"), ThemePart(0.06, "bouncer", "slower_ball")),
        "spin": (ThemePart(0.25, "back_of_length"), ThemePart(0.1, "back_of_length", "wrong_un")),
    },
    "yorkers": {
        "pace": (ThemePart(0.3, "yorker"),),
        "spin": (ThemePart(0.2, "full"), ThemePart(0.1, "full", "quicker")),
    },
    "change_of_pace": {
        "pace": (
            ThemePart(0.12, NATURAL, "slower_ball"),
            ThemePart(0.12, NATURAL, "cutter"),
            ThemePart(0.08, NATURAL, "quick"),
        ),
        "spin": (ThemePart(0.15, NATURAL, "quicker"), ThemePart(0.12, NATURAL, "arm_ball")),
    },
}
"""Theme -> kind of bowling -> the parts of its balls; the rest are natural. Shares are OURS: at most as many balls of
one length or variation as mixing explains (`model/reading.py`)."""
ZONES: Final = (NATURAL, *LINES[:-1])
"""The lines that a plan may aim at."""
ZONE_SHARE: Final = 1 / 3
"""The share of balls with the line of the zone."""
SHOT_SHARE: Final = 1 / 4
"""The share of balls on which the stroke of a plan is called. Each call has the price of a called stroke
(`model/tactics.py`), and balls that suit it; what it pays depends on the balls that the other side plans."""
FREE_HIT: Final = "slog"


def in_force(state: ContestState, side: int) -> OverPlan | None:
    """Return the plan of `plan_over` by which `side` plays this over, if any."""
    plan = state.plans[side]
    return plan if plan is not None and plan["over"] == state.now.over and "ask" in plan else None


def theme_of(plan: OverPlan | None) -> str:
    return NATURAL if plan is None else plan.get("theme", NATURAL)


def zone_of(plan: OverPlan | None) -> str:
    return NATURAL if plan is None else plan.get("zone", NATURAL)


def intents_of(plan: OverPlan | None) -> dict[str, str]:
    return {} if plan is None else plan.get("intents", {})


def shot_of(plan: OverPlan | None) -> str:
    return NATURAL if plan is None else plan.get("shot", NATURAL)


def standing(state: ContestState, side: int) -> bool:
    """Return whether the plan of `side` decides the next ball, so that its captain need not be asked."""
    if state.options.decisions == "ball" or state.stage != "play":
        return False
    innings, plan = state.now, in_force(state, side)
    if plan is None or "why" in plan:
        return False
    return innings.bowler is not None if side == innings.bowling_side else None not in (
        innings.striker, innings.non_striker
    )  # fmt: skip


def calls(state: ContestState, side: int, plan: OverPlan) -> dict[str, str]:
    """Return the calls of the next ball by the plan: those of `bowl_delivery`, or of `play_delivery`."""
    innings = state.now
    key = f"{state.luck}:{innings.number}:{innings.legal}:{innings.attempt}:plan"
    if side == innings.bowling_side:
        bouncer = innings.bouncers < innings.rules.bouncers_per_over and "bouncer" not in innings.fouls
        return _ball(plan, GROUPS[state.attack], bouncer, Random(key))
    assert innings.striker is not None
    if innings.free_hit:
        return {"intent": FREE_HIT}
    striker = state.teams[side].players[innings.striker].name
    intent, shot = intents_of(plan).get(striker, "normal"), shot_of(plan)
    if shot == NATURAL or Random(f"{key}:shot").random() >= SHOT_SHARE:
        return {"intent": intent}
    return {"intent": intent, "shot": shot}


def _ball(plan: OverPlan, group: str, bouncer: bool, rng: Random) -> dict[str, str]:
    theme, line = rng.random(), rng.random()
    out = {"line": zone_of(plan) if line < ZONE_SHARE else NATURAL}
    for part in THEMES[theme_of(plan)][group]:
        if 0 <= theme < part.share:
            out |= {"length": part.length, "variation": part.variation}
        theme -= part.share
    if out.get("length") == LENGTHS[BOUNCER] and not bouncer:
        out["length"] = "short"
    return out


def shares(theme: str, zone: str, group: str) -> dict[tuple[str, str, str], float]:
    """Return (length, line, variation) -> share of the balls of a plan."""
    parts = THEMES[theme][group]
    parts = (*parts, ThemePart(1 - sum(part.share for part in parts), NATURAL))
    lines = {NATURAL: 1.0} if zone == NATURAL else {zone: ZONE_SHARE, NATURAL: 1 - ZONE_SHARE}
    return {(part.length, line, part.variation): part.share * of for part in parts for line, of in lines.items()}


def reopened(state: ContestState, boundary: bool, reviewer: int | None) -> list[OverPlan | None]:
    """Return the plans of both sides after a ball: after a boundary the bowling side may change its own, if it wants to
    be asked, and the side that asked for a review may."""
    plans, bowling = state.plans[:], state.now.bowling_side
    for side in range(2):
        plan = in_force(state, side)
        if plan is None:
            continue
        if "why" in plan:
            plans[side] = plan = {**plan}
            del plan["why"]
        if reviewer == side:
            plans[side] = {**plan, "why": "review"}
        elif side == bowling and boundary and plan["ask"]:
            plans[side] = {**plan, "why": "boundary", "ask": False}
    return plans


def told(plan: OverPlan) -> CalledPlan:
    """Return what everybody may know of a plan once its over has ended."""
    out: CalledPlan = {}
    for name in ("theme", "zone"):
        if name in plan:
            out[name] = plan[name]
    if "intents" in plan:
        out["intents"] = plan["intents"]
    if "shot" in plan:
        out["shot"] = plan["shot"]
    return out


def valid_words() -> dict[str, tuple[str, ...]]:
    """Return the words of a plan by argument."""
    intents = tuple(INTENTS)
    return {"theme": tuple(THEMES), "zone": ZONES, "striker": intents, "non_striker": intents, "shot": SHOTS}
