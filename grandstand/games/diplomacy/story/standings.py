"""Facts of the count: captures, the lead, solo threats and who can stop them, eliminations, years without change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import (
    HOMES,
    POWER,
    POWERS,
    PROVINCE,
    PROVINCES,
    REACH_PROVINCES,
    UNIT_PROVINCE,
)
from grandstand.games.diplomacy.rules.state import SOLO_CENTERS, State
from grandstand.games.diplomacy.story.items import Line, TurnStory
from grandstand.games.diplomacy.story.memory import Memory, Turn
from grandstand.games.diplomacy.story.stoppers import stoppers
from grandstand.games.diplomacy.story.words import listed, number, place, power
from grandstand.games.story import StoryEvent

THREATS = (12, 15, 17)
"""Centres at which a power threatens to win alone."""
CIRCLE = 3
"""The number of powers in reach of all home centres of another that encircle it."""
_THREAT_WEIGHT = {12: 0.0, 15: 0.15, 17: 0.25}


def captures(turn: Turn, memory: Memory, items: TurnStory) -> None:
    """Add the captures of the year and their effects on the powers."""
    captured = turn.captured
    if captured is None:
        return
    memory.last_capture = int(captured.data["phase"][1:5])
    groups: dict[tuple[str, SeatId, SeatId | None], list[str]] = defaultdict(list)
    for capture in captured.data["captured"]:
        center, loser, winner = capture["center"], capture["from"], capture["to"]
        groups[_form(center, loser, winner), winner, loser].append(center)
        _add_capture(center, loser, winner, captured, items)
    for (form, winner, loser), centers in groups.items():
        seats = [winner] if loser is None else [winner, loser]
        more = _more(form) + 0.06 * (len(centers) - 1)
        slots = {"a": power(winner), "v": power(loser or ""), "places": listed([place(center) for center in centers])}
        line = Line(form, slots, items.weight("capture", seats, more), (captured.seq,), frozenset(centers))
        items.lines.append(replace(line, seats=tuple(seats), kind="capture"))


def _form(center: str, loser: SeatId | None, winner: SeatId) -> str:
    if loser is None:
        return "capture_free"
    if PROVINCE[center] in HOMES[POWER[winner]]:
        return "regained"
    return "capture_home" if PROVINCE[center] in HOMES[POWER[loser]] else "capture"


def _more(form: str) -> float:
    return {"capture_free": -0.15, "capture_home": 0.15}.get(form, 0.05)


def _add_capture(center: str, loser: SeatId | None, winner: SeatId, captured: StoryEvent, items: TurnStory) -> None:
    form = _form(center, loser, winner)
    seats = [winner] if loser is None else [winner, loser]
    slots = {"a": power(winner), "v": power(loser or ""), "places": place(center)}
    line = Line(form, slots, items.weight("capture", seats, _more(form)), (captured.seq,))
    data = {"center": center, "from": loser, "home": form == "capture_home", "regained": form == "regained"}
    items.add("capture", line, seats, data, spoken=False)


def losses(turn: Turn, before: State, after: State, items: TurnStory) -> None:
    """Add the powers that lost their last home centre, and those that are out of the match."""
    captured = turn.captured
    gone = {event.data["power"] for event in turn.eliminated}
    takers: dict[SeatId, set[SeatId]] = defaultdict(set)
    for capture in captured.data["captured"] if captured else ():
        if capture["from"] is not None:
            takers[capture["from"]].add(capture["to"])
    for power_id, seat in enumerate(POWERS):
        had = [home for home in HOMES[power_id] if before.centers.get(home) == power_id]
        has = [home for home in HOMES[power_id] if after.centers.get(home) == power_id]
        if captured and had and not has and seat not in gone and seat in takers:
            slots = {"v": power(seat), "places": listed([place(PROVINCES[home]) for home in had])}
            line = Line("last_home", slots, items.weight("last_home", [seat]), (captured.seq,))
            items.add("last_home", line, [seat], {"places": [PROVINCES[home] for home in had]}, spoken=len(had) == 1)
    for event in turn.eliminated:
        seat = event.data["power"]
        others = sorted(takers[seat])
        slots = {"v": power(seat), "others": listed([power(other) for other in others]) if others else ""}
        rests_on = (event.seq,) if captured is None or not others else tuple(sorted((captured.seq, event.seq)))
        form = "elimination_by" if others else "elimination"
        items.add("elimination", Line(form, slots, items.weight("elimination", [seat]), rests_on), (seat, *others))


def first_lead(counts: Mapping[SeatId, int], memory: Memory) -> None:
    """Store the leader at the start of the match."""
    most = max(counts.values())
    leaders = [seat for seat in POWERS if counts[seat] == most]
    memory.leader, memory.shared_lead = (leaders[0], False) if len(leaders) == 1 else (None, True)


def lead(counts: Mapping[SeatId, int], seq: int, memory: Memory, items: TurnStory) -> None:
    """Add a change of the lead after a count."""
    most = max(counts.values())
    leaders = [seat for seat in POWERS if counts[seat] == most]
    centres = number(most)
    if len(leaders) > 1:
        if not memory.shared_lead:
            slots = {"powers": listed([power(seat) for seat in leaders]), "centres": centres}
            line = Line("lead_shared", slots, items.weight("lead", leaders, -0.25), (seq,), frozenset({"lead"}))
            items.add("lead_shared", line, leaders, {"centers": most})
        memory.shared_lead = True
        return
    leader, former = leaders[0], memory.leader
    if former is not None and former != leader:
        slots = {"a": power(leader), "b": power(former), "centres": centres, "others": number(counts[former])}
        line = Line("lead_change", slots, items.weight("lead", [leader, former]), (seq,), frozenset({"lead"}))
        items.add("lead_change", line, [leader, former], {"centers": most})
    elif memory.shared_lead:
        line = Line(
            "lead_alone",
            {"a": power(leader), "centres": centres},
            items.weight("lead", [leader], -0.2),
            (seq,),
            frozenset({"lead"}),
        )
        items.add("lead_alone", line, [leader], {"centers": most})
    memory.leader, memory.shared_lead = leader, False


def threats(counts: Mapping[SeatId, int], after: State, turn: Turn, memory: Memory, items: TurnStory) -> None:
    """Add each power that reached a new threshold of winning alone, and the powers that can stop it."""
    assert turn.captured is not None
    assert turn.advanced is not None
    for seat in POWERS:
        level = max((step for step in THREATS if counts[seat] >= step), default=0)
        if level > memory.warned.get(seat, 0) and counts[seat] < SOLO_CENTERS:
            names = stoppers(after, POWER[seat])
            slots = {
                "a": power(seat),
                "centres": number(counts[seat]),
                "needed": number(SOLO_CENTERS - counts[seat]),
                "powers": listed([power(name) for name in names]) if names else "",
            }
            form = "threat_open" if not names else "threat_one" if len(names) == 1 else "threat"
            weight = items.weight("solo_threat", [seat], _THREAT_WEIGHT[level])
            rests_on = (turn.captured.seq, turn.advanced.seq)
            line = Line(form, slots, weight, rests_on, frozenset({"lead"}))
            items.add("solo_threat", line, [seat, *names], {"centers": counts[seat], "level": level})
        memory.warned[seat] = level


def _reach(unit: int) -> frozenset[int]:
    return REACH_PROVINCES[unit] | {UNIT_PROVINCE[unit]}


def encirclements(state: State, seq: int, memory: Memory, items: TurnStory) -> None:
    """Add the powers whose own home centres have all come within reach of foreign units, of three powers or more."""
    for seat, homes in zip(POWERS, HOMES, strict=True):
        power_id = POWER[seat]
        owned = [home for home in homes if state.centers.get(home) == power_id]
        rivals = {
            home: {owner for owner, unit in state.units.values() if owner != power_id and home in _reach(unit)}
            for home in owned
        }
        powers = sorted(set[int]().union(*rivals.values()))
        if len(owned) < 2 or not all(rivals.values()) or len(powers) < CIRCLE:
            memory.encircled.discard(seat)
        elif seat not in memory.encircled:
            memory.encircled.add(seat)
            names = [POWERS[rival] for rival in powers]
            slots = {"v": power(seat), "powers": listed([power(name) for name in names])}
            line = Line("encirclement", slots, items.weight("encirclement", [seat]), (seq,))
            items.add("encirclement", line, [seat, *names])
