"""A delivery in words, from its picture alone: `cut past backward point`, `outside edge behind, pushing`."""

from __future__ import annotations

from typing import Final

from grandstand.games.cricket.laws.cards import Ball
from grandstand.games.cricket.laws.field import POSITIONS
from grandstand.games.cricket.model.picture.path import Hit
from grandstand.games.cricket.model.picture.story import BallStory

_PLAYED: Final = {
    "forward_defence": ("defended off the front foot", "coming forward"),
    "back_defence": ("defended off the back foot", "going back"),
    "push": ("pushed", "pushing"),
    "straight_drive": ("driven", "driving"),
    "cover_drive": ("driven", "driving"),
    "on_drive": ("driven", "driving"),
    "square_drive": ("driven square", "driving square"),
    "flick": ("flicked", "flicking"),
    "leg_glance": ("glanced", "glancing"),
    "drop_and_run": ("dropped softly", "dropping it"),
    "cut": ("cut", "cutting"),
    "late_cut": ("late cut", "late cutting"),
    "dab": ("dabbed", "dabbing"),
    "upper_cut": ("upper-cut", "upper-cutting"),
    "pull": ("pulled", "pulling"),
    "hook": ("hooked", "hooking"),
    "sweep": ("swept", "sweeping"),
    "slog_sweep": ("slog-swept", "slog-sweeping"),
    "reverse_sweep": ("reverse-swept", "reverse-sweeping"),
    "paddle": ("paddled", "paddling"),
    "scoop": ("scooped", "scooping"),
    "ramp": ("ramped", "ramping"),
    "switch_hit": ("switch-hit", "switch-hitting"),
    "loft_straight": ("lofted", "lofting"),
    "inside_out_loft": ("lofted inside out", "lofting inside out"),
    "slog": ("slogged", "slogging"),
    "helicopter": ("whipped off the toes", "whipping"),
}
_PUSHED: Final = {"midwicket": "worked", "square_leg": "worked", "point": "steered"}
"""The verb for a push to a sector."""
_EDGES: Final = {
    "outside_edge": "outside edge",
    "inside_edge": "inside edge",
    "top_edge": "top edge",
    "leading_edge": "leading edge",
    "glove": "off the glove",
}
# Sides of the ground by degrees from straight past the bowler: up to each, a four and a six go there.
_OFF: Final = (
    (8, "straight down the ground", "straight over the bowler"), (28, "past mid-off", "over long-off"),
    (50, "through extra cover", "over extra cover"), (72, "through the covers", "over cover"),
    (99, "past point", "over point"), (124, "past backward point", "over backward point"),
    (160, "fine on the off side", "over deep third"), (180, "fine past the keeper", "over the keeper"),
)  # fmt: skip
_LEG: Final = (
    (8, "straight down the ground", "straight over the bowler"), (28, "past mid-on", "over long-on"),
    (48, "wide of mid-on", "over cow corner"), (78, "through midwicket", "over midwicket"),
    (99, "through square leg", "over square leg"), (124, "behind square leg", "over backward square leg"),
    (147, "fine of square leg", "over long leg"), (180, "fine down the leg side", "over fine leg"),
)  # fmt: skip


def describe(story: BallStory, ball: Ball, bowled: str | None) -> str:
    """Return the words for a picture. `bowled` is the kind of dismissal, if the ball brought one."""
    stroke, contact, hit = story
    done, doing = _PLAYED.get(stroke or "", ("", ""))
    if contact == "left":
        return "left alone" if bowled != "bowled" else "no stroke offered"
    if contact == "ducked":
        return "ducked under"
    if contact == "pad":
        return f"hit on the pad, {doing}" if doing else "padded up"
    if contact == "body":
        return f"hit on the body, {doing}"
    if contact == "defended":
        return done
    if contact == "beaten":
        return _beaten(doing, bowled)
    if hit is None:
        return f"{_EDGES[contact]} on to the stumps, {doing}" if bowled == "bowled" else f"{_EDGES[contact]}, {doing}"
    where = _where(hit, ball, bowled)
    if contact == "hit" and stroke == "push":
        return f"{_PUSHED.get(hit.zone, done)} {where}"
    if contact == "hit":
        return f"{done} {where}"
    return f"{_EDGES[contact]} {where}, {doing}"


def _beaten(doing: str, bowled: str | None) -> str:
    if bowled == "bowled":
        return f"{doing} and missing"
    if bowled == "stumped":
        return f"down the pitch, {doing}, and beaten"
    if bowled == "hit wicket":
        return f"treads on the stumps, {doing}"
    return f"beaten, {doing}"


def _where(hit: Hit, ball: Ball, bowled: str | None) -> str:
    """Return the place to which a ball went."""
    if bowled == "caught":
        return "behind" if hit.place == "wicketkeeper" else f"in the air to {hit.place}"
    if bowled == "caught and bowled":
        return "back to the bowler"
    if ball.boundary:
        return region(hit.angle, six=ball.bat_runs == 6)
    if hit.place == "bowler":
        return "back to the bowler"
    if hit.place is None:
        return "into the ground"
    chased = ball.bat_runs >= 2 and POSITIONS[hit.place].depth == "ring"
    return f"past {hit.place}" if chased else f"to {hit.place}"


def region(angle: int, six: bool) -> str:
    """Return the part of the ground at an angle, leg side positive: `through the covers`, for a six `over cover`."""
    for up_to, four, over in _LEG if angle > 0 else _OFF:
        if abs(angle) <= up_to:
            return over if six else four
    raise ValueError(f"angle {angle}: beyond 180 degrees")
