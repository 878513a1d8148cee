"""The vocabulary of captains, in the order in which the model indexes them."""

from __future__ import annotations

from typing import Final

SEATS: Final = ("home", "away")

CLASSES: Final = ("0", "1", "2", "3", "4", "6", "W", "RO", "wide", "noball", "lb")
"""Classes of a delivery: runs off the bat, a wicket to the bowler, a run out, or an extra (`lb`: bye or leg-bye)."""

PHASES: Final = ("powerplay", "middle", "death")
GROUPS: Final = ("pace", "spin")

LENGTHS: Final = ("full_toss", "yorker", "full", "good", "back_of_length", "short", "bouncer")
LINES: Final = ("wide_outside_off", "outside_off", "off_channel", "stumps", "leg", "down_leg")
FULL_TOSS: Final = LENGTHS.index("full_toss")
BOUNCER: Final = LENGTHS.index("bouncer")
WIDE_OUTSIDE_OFF: Final = LINES.index("wide_outside_off")
STUMPS: Final = LINES.index("stumps")
OUTSIDE_LEG: Final = LINES.index("leg")
"""Lines from here on pitch outside the line of leg stump."""

VARIATIONS: Final = {
    "pace": ("stock", "slower_ball", "cutter", "quick", "swing"),
    "spin": ("stock", "wrong_un", "arm_ball", "quicker"),
}

INTENTS: Final = {"block": -0.8, "rotate": -0.4, "build": -0.2, "normal": 0.0, "attack": 0.5, "slog": 1.0}
"""Intent -> its place on the risk axis; 0 is what real batters do in the same state."""

SHOT_FAMILIES: Final = {
    "leave": ("leave",),
    "defend": ("forward_defence", "back_defence"),
    "drive": ("push", "straight_drive", "cover_drive", "on_drive", "square_drive"),
    "leg_side": ("flick", "leg_glance", "drop_and_run"),
    "cut": ("cut", "late_cut", "dab", "upper_cut"),
    "pull": ("pull", "hook"),
    "sweep": ("sweep", "slog_sweep", "reverse_sweep", "paddle"),
    "ramp": ("scoop", "ramp", "switch_hit"),
    "loft": ("loft_straight", "inside_out_loft", "slog", "helicopter"),
}
SHOT_FAMILY: Final = {shot: family for family, shots in SHOT_FAMILIES.items() for shot in shots}
LEAVE: Final = "leave"
SHOTS: Final = ("natural", *SHOT_FAMILY)

CONTACTS: Final = (
    "hit", "defended", "outside_edge", "inside_edge", "top_edge", "leading_edge", "glove",
    "beaten", "pad", "body", "left", "ducked",
)  # fmt: skip
"""The kinds of contact of bat and ball; without contact: a miss, the pad, or no stroke."""

ZONES: Final = ("long_on", "midwicket", "square_leg", "fine_leg", "third", "point", "cover", "long_off")
"""Eight sectors of 45 degrees from straight past the bowler, the leg side first."""

STYLES: Final = {
    "RF": ("pace", "right-arm fast"),
    "RFM": ("pace", "right-arm fast-medium"),
    "RM": ("pace", "right-arm medium"),
    "LF": ("pace", "left-arm fast"),
    "LFM": ("pace", "left-arm fast-medium"),
    "OB": ("spin", "right-arm off-break"),
    "LB": ("spin", "right-arm leg-break"),
    "SLA": ("spin", "slow left-arm orthodox"),
    "LWS": ("spin", "left-arm wrist spin"),
}
"""Bowling style -> (group, in words)."""

MEDIUM: Final = frozenset({"RM"})
"""The styles of pace to which a wicket-keeper can stand up."""

BOWLER_KINDS: Final = frozenset({"bowled", "caught", "caught and bowled", "lbw", "stumped", "hit wicket"})
"""Dismissals credited to the bowler (Laws 32-35, 39)."""

RUN_OUT_KINDS: Final = frozenset({"run out", "obstructing the field", "hit the ball twice"})
"""All that may happen off a no-ball or a free hit (Law 21.18)."""

WIDE_KINDS: Final = frozenset({"stumped", "run out", "hit wicket", "obstructing the field"})
"""All that may happen off a wide (Law 22.9)."""

DISMISSALS: Final = (
    "bowled", "caught", "caught and bowled", "lbw", "stumped", "hit wicket", "run out",
    "obstructing the field", "hit the ball twice", "timed out", "retired out",
)  # fmt: skip
IMPACT_PLAYER: Final = "impact_player"
"""The reason of a replacement in Cricsheet's documents."""
REVIEWED_EXTRAS: Final = ("wide", "no-ball")
"""The extras about which there are reviews, as kinds of appeal."""
NOT_OUT_EXITS: Final = ("retired hurt", "retired not out")

LENGTH_EDGES: Final = {
    "pace": (-2.0, 1.0, 3.0, 6.0, 8.0, 10.0, 12.0, 14.0),
    "spin": (-1.0, 1.0, 2.0, 4.0, 6.0, 7.0, 9.0, 9.0),
}
LINE_EDGES: Final = (1.3, 0.75, 0.35, 0.114, -0.114, -0.35, -0.9)
"""The bounds of each length, in metres from the striker's stumps, and of each line, in metres from middle stump."""
