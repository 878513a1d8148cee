"""The lines on the captains: their record, their habits, and a field that breaks with a habit.

Everything is counted from the calls of this match; what is usual (`habits.py`) decides what is worth a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from grandstand.games.base import SeatId
from grandstand.games.cricket.laws.field import POSITIONS
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.story.habits import (
    ATTACKS,
    CARES,
    MATTERS,
    UNUSUAL,
    Captaincy,
    Habit,
    has_slip,
    phase_of,
)
from grandstand.games.cricket.story.memory import Data, InningsSoFar, Memory
from grandstand.games.cricket.story.plans import RING, ROPE, planned
from grandstand.games.cricket.story.wording import Insight, Wording, count_text, plural
from grandstand.games.story import Comment

SETTLED = 4
"""Plans that made a difference from which a record is told."""
LOPSIDED = 2
"""How many times as many of one kind make a record news."""
WITHOUT, WITH = 6, 4
"""Overs without a slip, and with one, after which the other is news."""
AFTER = 18
"""Legal balls after the powerplay from which a field may be the first of its kind."""
JUDGED = 3
"""Plans of each captain that made a difference from which they are compared at the end."""
WORDS = 7
"""The highest number that is written in words."""
IMPORTANCE = 0.36


def _powerplay(memory: Memory, innings: InningsSoFar) -> int:
    return format_rules(innings.overs, memory.conditions).powerplay_balls


def count_ball(memory: Memory, innings: InningsSoFar, data: Data, seq: int) -> None:
    """Count the field and the intent of a delivery, before the ball itself is counted."""
    if innings.super_over:
        return
    phase = phase_of(innings.balls, innings.overs, _powerplay(memory, innings))
    over = data["ball"].partition(".")[0]
    if innings.begun != over and innings.fielders is not None:
        places, moved = innings.fielders
        memory.captaincies[innings.bowling].slips.note(phase, has_slip(places), moved)
    innings.begun = over
    if data["intent"] is not None and not data["free_hit"]:
        own = memory.captaincies[innings.batting]
        own.attacks.note(phase, data["intent"] in ATTACKS, seq)
        own.cares.note(phase, data["intent"] in CARES, seq)


def count_plan(memory: Memory, data: Data, seq: int) -> None:
    """Count a captain's plan at the end of its over."""
    captaincy = memory.captaincies[data["seat"]]
    if not captaincy.plans:
        captaincy.plans, captaincy.worked, captaincy.failed, captaincy.worth = True, [], [], 0.0
    if data["delta"] is not None and planned(data["plan"]) and not memory.super_over:
        captaincy.judge(data["delta"], seq)


def count_calls(memory: Memory, innings: InningsSoFar, seq: int) -> None:
    """Count the calls of an over that has ended, of captains that do not plan overs."""
    for seat in sorted(innings.called):
        if not memory.captaincies[seat].plans and not innings.super_over:
            memory.captaincies[seat].judge(innings.worth.get(seat, 0.0), seq)
    innings.called = set()


def field_break(memory: Memory, wording: Wording, data: Data, seq: int) -> Iterator[Comment]:
    """Yield the line on a field that breaks with the captain's fields so far."""
    innings = memory.innings
    if innings is None or innings.super_over:
        return
    captaincy = memory.captaincies[innings.bowling]
    kinds = _kinds(memory, innings, data)
    fresh, captain = kinds - captaincy.fields, memory.captain(innings.bowling)
    captaincy.fields |= kinds
    slips, between = captaincy.slips, len(innings.over_totals) == captaincy.slips.chances
    slots = {"captain": captain, "overs": plural(slips.chances, "over"), "count": count_text(data["outside"])}
    late = innings.balls >= _powerplay(memory, innings) + AFTER
    kind = ""
    if between and "slip" in fresh and slips.chances >= WITHOUT:
        kind = "first_slip"
    elif between and "slip" not in kinds and slips.times == slips.chances >= WITH:
        kind = "no_slip"
    elif late and "ring" in fresh and innings.need != 1:
        kind = "first_ring"
    elif late and "rope" in fresh:
        kind = "first_rope"
    if kind and captain and (kind, innings.number) not in captaincy.said:
        captaincy.said.add((kind, innings.number))
        text = wording.line(kind, **slots)
        yield Comment(text, 0.4, [seq], "captain", seats=[innings.bowling], kind=kind)


def _kinds(memory: Memory, innings: InningsSoFar, data: Data) -> set[str]:
    outside = sum(POSITIONS[name].outside_circle for name in data["places"])
    kinds = {"slip"} if has_slip(data["places"]) else set[str]()
    if innings.balls >= _powerplay(memory, innings):
        kinds |= {"rope"} if outside >= ROPE else {"ring"} if outside <= RING else set()
    return kinds


def habits(memory: Memory, innings: InningsSoFar) -> Iterator[Insight]:
    """Yield what a captain's record or habit is after the powerplay, if it is news and this innings has not had it."""
    if innings.balls < _powerplay(memory, innings):
        return
    for seat in filter(memory.captain, (innings.bowling, innings.batting)):
        own = memory.captaincies[seat]
        known = chain(_record(memory, seat, own), _habit(memory, innings, seat, own))
        yield from (insight for insight in known if (insight.kind, innings.number) not in own.said)


def told(memory: Memory, innings: InningsSoFar, insight: Insight) -> None:
    """Note that a line of `habits` has been told."""
    if insight.seat is not None:
        memory.captaincies[insight.seat].said.add((insight.kind, innings.number))


def _record(memory: Memory, seat: SeatId, own: Captaincy) -> Iterator[Insight]:
    good, poor = len(own.worked), len(own.failed)
    more, fewer = max(good, poor), min(good, poor)
    if good + poor < SETTLED or more < LOPSIDED * fewer or (good > poor) != (own.worth > 0):
        return
    kind = f"{'plans' if own.plans else 'calls'}_{'good' if good > poor else 'poor'}"
    slots = {"captain": memory.captain(seat), "side": memory.names[seat], **_counts(own)}
    yield Insight(kind, slots | {"worth": f"{abs(own.worth):.1%}"}, IMPORTANCE, own.judged, seat)


def _counts(own: Captaincy) -> dict[str, str]:
    """Return the numbers of a record, all in words or all in digits."""
    good, poor = len(own.worked), len(own.failed)
    text = count_text if good + poor <= WORDS else str
    return {
        "worked": text(good) if good else "none",
        "failed": text(poor) if poor else "none",
        "mattered": text(good + poor),
        "share": text(max(good, poor)) if good and poor else "all",
    }


def _of(innings: InningsSoFar, seat: SeatId, own: Captaincy) -> Habit:
    """Return the habit of a side's captain in an innings that is the less usual one."""
    return own.slips if seat == innings.bowling else own.batting()


def _habit(memory: Memory, innings: InningsSoFar, seat: SeatId, own: Captaincy) -> Iterator[Insight]:
    habit = _of(innings, seat, own)
    if habit.apart >= UNUSUAL[habit.name]:
        slots = {"captain": memory.captain(seat), **_shares(habit)}
        yield Insight(f"habit_{habit.name}", slots, IMPORTANCE, _ends(habit), seat)


def _shares(habit: Habit) -> dict[str, str]:
    noun = "over" if habit.name == "slip" else "ball"
    return {"count": str(habit.times), "chances": str(habit.chances), f"{noun}s": plural(habit.chances, noun)}


def _ends(habit: Habit) -> list[int]:
    """Return the first and the last event in which a habit shows."""
    return sorted({*habit.rests_on[:1], *habit.rests_on[-1:]})


def innings_habit(memory: Memory, wording: Wording, innings: InningsSoFar, seq: int) -> Iterator[Comment]:
    """Yield the line on the captain whose habit was the least usual one of the innings, with the record."""
    seats = [seat for seat in (innings.bowling, innings.batting) if memory.captain(seat)]
    of = [(_of(innings, seat, memory.captaincies[seat]), seat) for seat in seats]
    habit, seat = max(of, key=lambda each: each[0].apart / UNUSUAL[each[0].name], default=(None, ""))
    if habit is None or habit.apart < UNUSUAL[habit.name]:
        return
    own = memory.captaincies[seat]
    tail = ""
    if len(own.worked) + len(own.failed) >= JUDGED and own.worked:
        tail = wording.phrase("tail_plans" if own.plans else "tail_calls", **_counts(own))
    slots = {"captain": memory.captain(seat), "tail": tail, **_shares(habit)}
    rests_on = sorted({*_ends(habit), *(own.judged if tail else ()), seq})
    kind = f"innings_{habit.name}"
    yield Comment(wording.line(kind, **slots), 0.45, rests_on, "innings", seats=[seat], kind=kind)


def captains_compared(memory: Memory, wording: Wording, seq: int) -> Iterator[Comment]:
    """Yield the line on what the calls of both captains were worth in the match."""
    seats = sorted(memory.captaincies, key=lambda seat: -memory.captaincies[seat].worth)
    both = [memory.captaincies[seat] for seat in seats]
    if len(seats) < len(memory.names) or not all(map(memory.captain, seats)):
        return
    if min(len(own.judged) for own in both) < JUDGED or min(abs(own.worth) for own in both) < MATTERS:
        return
    gain, loss = (own.worth for own in both)
    kind = "captains_apart" if loss < 0 < gain else "captains_gained" if loss > 0 else "captains_lost"
    better, worse = map(memory.captain, seats)
    slots = {"better": better, "worse": worse, "gain": f"{abs(gain):.1%}", "loss": f"{abs(loss):.1%}"}
    slots["calls"] = "plans" if all(own.plans for own in both) else "calls"
    rests_on = sorted({*chain.from_iterable(own.judged for own in both), seq})
    yield Comment(wording.line(kind, **slots), 0.55, rests_on, "summary", seats=seats, kind=kind)
