"""The analyst of cricket: after each over, what a computation says of it that the scorer's lines do not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from grandstand.games.cricket.laws.duckworth_lewis import par_score, resources
from grandstand.games.cricket.laws.field import POSITIONS
from grandstand.games.cricket.story.captaincy import habits, told
from grandstand.games.cricket.story.memory import Data, InningsSoFar, Memory
from grandstand.games.cricket.story.plans import judged
from grandstand.games.cricket.story.wording import Insight, Wording, plural
from grandstand.games.story import ANALYST, Comment

WORTH = 0.015
"""The share of the chance of winning from which the calls of an over are worth a word."""
LUCK = 0.04
"""The share of the chance from which the luck of an over is."""
FACED = 6
"""Balls on either side of a comparison between bowlers."""
APART = 0.4
"""The difference in runs a ball that makes a match-up."""
OPEN = 75
"""Degrees of the rope without a fielder that make a gap."""
LATE = 3
"""Overs that are looked at by themselves."""
SPACED = 2
"""A kind of insight comes again after so many others."""
FEWEST_ON_ROPE = 3


def insights(memory: Memory, wording: Wording, data: Data, seq: int) -> Iterator[Comment]:
    """Yield the lines on an over that has ended: on a captain's plan, or on calls that mattered, and one on something
    else."""
    innings = memory.innings
    if innings is None:
        return
    planned = bool(innings.plans)
    chosen = list(judged(memory, wording, data) if planned else _calls(memory, innings))
    innings.over_totals.append(innings.over_runs)
    known = [] if innings.super_over else [*_known(memory, innings, data), *habits(memory, innings)]
    fresh = [insight for insight in known if insight.kind not in memory.insights[-SPACED:]] or known
    if fresh:
        best = max(fresh, key=lambda insight: insight.importance)
        memory.insights.append(best.kind)
        chosen.append(best)
        told(memory, innings, best)
        if best.kind == "gap":
            innings.gap = (best.slots["first"], best.slots["second"])
    for insight in chosen:
        text = wording.line(insight.kind, **insight.slots)
        rests_on = [*insight.rests_on, *([] if seq in insight.rests_on else [seq])]
        seats = [] if insight.seat is None else [insight.seat]
        yield Comment(text, insight.importance, rests_on, "captain", seats=seats, kind=insight.kind, speaker=ANALYST)
    innings.worth, innings.luck, innings.over_began = {}, 0.0, seq


def _calls(memory: Memory, innings: InningsSoFar) -> Iterator[Insight]:
    """Yield whether the calls of a captain worked in the over, luck apart."""
    for seat, value in sorted(innings.worth.items(), key=lambda item: -abs(item[1]))[:1]:
        captain = memory.captain(seat)
        if captain and abs(value) >= WORTH:
            slots = {"captain": captain, "side": memory.names[seat], "worth": f"{abs(value):.1%}"}
            kind = "calls_gained" if value > 0 else "calls_cost"
            yield Insight(kind, slots, round(min(0.6, 0.25 + 5 * abs(value)), 3))


def _known(memory: Memory, innings: InningsSoFar, data: Data) -> Iterator[Insight]:
    side = memory.names[innings.batting]
    if abs(innings.luck) >= LUCK:
        lucky = memory.names["home" if innings.luck > 0 else "away"]
        slots = {"side": lucky, "worth": f"{abs(innings.luck):.1%}"}
        yield Insight("luck", slots, round(min(0.6, 0.3 + 2 * abs(innings.luck)), 3))
    yield from _duels(memory, innings, data["bowler"], side)
    yield from _gap(innings)
    if innings.need is None:
        yield _pace(innings, side)
    elif innings.left and innings.need:
        rates = {"rate": f"{6 * innings.runs / innings.balls:.1f}", "asking": f"{6 * innings.need / innings.left:.1f}"}
        yield Insight("required", {"side": side, **rates}, 0.26)
        if not memory.cut:
            yield _par(innings, side)


def _duels(memory: Memory, innings: InningsSoFar, bowler: str, side: str) -> Iterator[Insight]:
    """Yield how a batter does against the over's bowler beside the others."""
    for (batter, name), (runs, balls) in innings.duels.items():
        if name != bowler:
            continue
        other = sum(entry[0] for pair, entry in innings.duels.items() if pair[0] == batter) - runs
        rest = sum(entry[1] for pair, entry in innings.duels.items() if pair[0] == batter) - balls
        if min(rest, balls) < FACED or abs(runs / balls - other / rest) < APART:
            continue
        slots = {
            "batter": memory.player(batter), "bowler": memory.player(bowler), "side": side, "runs": str(runs),
            "balls": plural(balls, "ball"), "other": str(other), "rest": str(rest),
        }  # fmt: skip
        yield Insight("duel_won" if runs / balls > other / rest else "duel_lost", slots, 0.34)


def _gap(innings: InningsSoFar) -> Iterator[Insight]:
    """Yield the widest part of the rope without a fielder, if it is not the one named last."""
    if innings.fielders is None:
        return
    places, seq = innings.fielders
    rope = sorted((POSITIONS[name].angle, name) for name in places if POSITIONS[name].outside_circle)
    if len(rope) < FEWEST_ON_ROPE:
        return
    # Behind the wicket-keeper is no gap that anybody hits to: the circle is cut there.
    degrees, first, second = max((b[0] - a[0], a[1], b[1]) for a, b in pairwise(rope))
    if degrees >= OPEN and (first, second) != innings.gap:
        slots = {"first": first, "second": second, "degrees": f"{degrees:.0f}"}
        yield Insight("gap", slots, 0.32, (seq,))


def _par(innings: InningsSoFar, side: str) -> Insight:
    assert innings.target is not None
    full = resources(6 * innings.overs, 0)
    par = par_score(innings.target - 1, full, full - resources(innings.left, innings.wickets))
    ahead = innings.runs - par
    slots = {"side": side, "par": str(par), "runs": str(innings.runs), "count": str(abs(ahead))}
    return Insight("ahead" if ahead > 0 else "behind" if ahead < 0 else "level", slots, 0.28)


def _pace(innings: InningsSoFar, side: str) -> Insight:
    balls, overs = innings.balls, 6 * innings.overs
    total = round(innings.runs * overs / balls) if balls else 0
    slots = {"side": side, "total": str(total), "rate": f"{6 * innings.runs / max(1, balls):.1f}"}
    if len(innings.over_totals) <= LATE:
        return Insight("pace_early", slots, 0.26)
    late = innings.runs + sum(innings.over_totals[-LATE:]) * innings.left / (6 * LATE)
    return Insight("pace", slots | {"late": str(round(late))}, 0.27)
