"""Facts of retreats, builds, votes, the year that ends, and the beginning and end of the match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.state import SOLO_CENTERS, WINTER, State
from grandstand.games.diplomacy.story.items import IMPORTANCE, Line, TurnStory
from grandstand.games.diplomacy.story.memory import Memory, Turn
from grandstand.games.diplomacy.story.words import KINDS, listed, number, place, power, season
from grandstand.games.diplomacy.types import ResolvedOrder
from grandstand.games.story import StoryEvent

SWING = 0.12
"""The change of a chance of winning in one turn that makes it a fact."""


def opening(state: State, seq: int, memory: Memory, items: TurnStory) -> None:
    """Add the line with which the match begins."""
    in_play = sum(state.in_play(power_id) for power_id in range(len(POWERS)))
    slots = {"season": season(state.name), "count": number(in_play), "solo": number(SOLO_CENTERS)}
    items.lines.append(Line("opening", slots, IMPORTANCE["opening"], (seq,)))


def retreats(resolved: StoryEvent, items: TurnStory) -> None:
    """Add the retreats of dislodged units, and the destroyed units."""
    for seat, orders in resolved.data["orders"].items():
        for order in orders:
            lost = order["kind"] != "retreat" or bool(order["results"])
            kind = "retreat_lost" if lost else "retreat"
            slots = {"v": power(seat), "unit": KINDS[order["unit"][0]], "origin": place(order["from"])}
            if not lost:
                slots["place"] = place(order["to"])
            line = Line(kind, slots, items.weight(kind, [seat]), (resolved.seq,))
            items.add(kind, line, [seat], {"from": order["from"][:3], "to": None if lost else order["to"][:3]})


def adjustments(resolved: StoryEvent, items: TurnStory) -> None:
    """Add the units that each power built and removed."""
    orders: Mapping[SeatId, Sequence[ResolvedOrder]] = resolved.data["orders"]
    places: dict[tuple[str, SeatId], list[str]] = defaultdict(list)
    for seat, listed_orders in orders.items():
        for order in listed_orders:
            if order["kind"] == "build" and not order["results"]:
                places["build", seat].append(order["from"][:3])
            elif order["kind"] == "disband":
                places["removal", seat].append(order["from"][:3])
    for (kind, seat), codes in places.items():
        names = listed([place(code) for code in codes])
        slots = {"a": power(seat), "v": power(seat), "places": names}
        line = Line(kind, slots, items.weight(kind, [seat], 0.03 * len(codes)), (resolved.seq,))
        items.add(kind, line, [seat], {"places": codes})


def votes(turn: Turn, memory: Memory, items: TurnStory) -> None:
    """Add the votes for a draw."""
    for event in turn.votes:
        seat, draw = event.data["seat"], event.data["vote"] == "draw"
        (memory.votes.add if draw else memory.votes.discard)(seat)
        form = "vote" if draw else "vote_withdrawn"
        more = 0.05 * len(memory.votes) if draw else 0.0
        line = Line(form, {"a": power(seat)}, items.weight("vote", [seat], more), (event.seq,))
        items.add(form, line, [seat], {"votes": sorted(memory.votes)})


def swings(before: Mapping[SeatId, float], after: Mapping[SeatId, float], seq: int, items: TurnStory) -> None:
    """Add the largest change of a chance of winning, if it is large."""
    seat = max(POWERS, key=lambda seat: abs(after[seat] - before[seat]))
    change = after[seat] - before[seat]
    if abs(change) < SWING:
        return
    form = "swing_up" if change > 0 else "swing_down"
    slots = {"a": power(seat), "before": percent(before[seat]), "after": percent(after[seat])}
    line = Line(form, slots, items.weight("swing", [seat], abs(change) / 2), (seq,))
    # The comment names no seat: it says that a chance changed, and not what the power did.
    items.add("swing", line, [seat], {"before": before[seat], "after": after[seat]}, spoken=False)
    items.lines.append(replace(line, kind="swing"))


def percent(chance: float) -> str:
    """Return the chance in whole percent, in digits."""
    return str(round(100 * chance))


def year_end(state: State, counts: Mapping[SeatId, int], seq: int, memory: Memory, items: TurnStory) -> None:
    """Add the summary of a completed year; `counts` are the centres at its end."""
    year = state.year if state.phase == WINTER else state.year - 1
    quiet = year - memory.last_capture
    if quiet > 0:
        slots = {"year": str(year), "count": number(quiet)}
        form = "standstill" if quiet == 1 else "standstill_long"
        weight = items.weight("standstill", [], 0.1 * quiet)
        items.add("standstill", Line(form, slots, weight, (memory.year_seq, seq)), [], {"years": quiet})
    _add_year(year, counts, seq, items)
    _add_best_and_worst(counts, memory.year_counts, (memory.year_seq, seq), items)
    memory.year_counts, memory.year_seq = dict(counts), seq


def _add_year(year: int, counts: Mapping[SeatId, int], seq: int, items: TurnStory) -> None:
    ranking = sorted(POWERS, key=lambda seat: -counts[seat])
    leaders = [seat for seat in ranking if counts[seat] == counts[ranking[0]]]
    slots = {"year": str(year), "centres": number(counts[ranking[0]])}
    if len(leaders) > 1:
        slots["powers"] = listed([power(seat) for seat in leaders])
        items.lines.append(Line("year_level", slots, IMPORTANCE["year"], (seq,), frozenset({"lead"})))
        return
    second = [seat for seat in ranking if counts[seat] == counts[ranking[1]]]
    if len(second) == 1:
        slots |= {"a": power(ranking[0]), "b": power(ranking[1]), "others": number(counts[ranking[1]])}
        items.lines.append(Line("year", slots, IMPORTANCE["year"], (seq,), frozenset({"lead"})))
    else:
        slots |= {"a": power(ranking[0])}
        items.lines.append(Line("year_alone", slots, IMPORTANCE["year"], (seq,), frozenset({"lead"})))


def _add_best_and_worst(
    counts: Mapping[SeatId, int], before: Mapping[SeatId, int], rests_on: tuple[int, ...], items: TurnStory
) -> None:
    changes = {seat: counts[seat] - before[seat] for seat in POWERS} if before else {}
    for form, sign in (("gain", 1), ("loss", -1)):
        most = max((sign * change for change in changes.values()), default=0)
        seats = [seat for seat, change in changes.items() if sign * change == most]
        if most < 2 or len(seats) != 1 or not counts[seats[0]]:
            continue
        seat = seats[0]
        slots = {
            "a": power(seat),
            "v": power(seat),
            "count": number(most),
            "centres": number(counts[seat]),
            "before": number(before[seat]),
        }
        own = (seat,) if sign > 0 else ()
        items.lines.append(Line(form, slots, items.weight("gain", [seat]), rests_on, seats=own))


def ending(turn: Turn, state: State, seq_of_end: int, memory: Memory, items: TurnStory) -> None:
    """Add the last line of the match, which rests on the event that ended it."""
    ended = turn.ended
    assert ended is not None
    counts = dict(zip(POWERS, state.center_counts(), strict=True))
    outcome = ended.data.get("outcome")
    seq = (seq_of_end,)
    if outcome is None:
        items.lines.append(Line("stopped", {"season": season(state.name)}, IMPORTANCE["end"], seq))
        return
    winners, reason = list(outcome["winners"]), outcome["reason"]
    slots = {"year": str(memory.last_year), "powers": listed([power(seat) for seat in winners]) if winners else ""}
    slots["a"] = slots["powers"]
    slots["centres"] = number(counts[winners[0]]) if winners else ""
    form = {"solo": "solo", "year-limit": "ahead" if len(winners) == 1 else "ahead_level"}.get(reason, "draw")
    if not winners:
        form, slots = "stopped", {"season": season(state.name)}
    items.add("end", Line(form, slots, IMPORTANCE["end"], seq), winners, {"reason": reason})
