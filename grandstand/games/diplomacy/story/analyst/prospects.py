"""Before the orders: what the position threatens, whether a line can stop the leader, and one question."""

from __future__ import annotations

from collections.abc import Mapping

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import HOMES, POWERS, PROVINCES, UNITS
from grandstand.games.diplomacy.rules.state import FALL, State
from grandstand.games.diplomacy.story.analyst.fronts import Front, fronts, wall
from grandstand.games.diplomacy.story.items import TurnStory
from grandstand.games.diplomacy.story.memory import YEAR, Memory, OpenQuestion, season_number
from grandstand.games.diplomacy.story.words import KINDS, listed, number, place, power

LEADS = 10
"""Centres from which a line against a power is looked for."""
LONGEST = 8
"""Places of a line that are named."""


def prospects(state: State, rests_on: tuple[int, ...], memory: Memory, items: TurnStory) -> None:
    """Add what the position threatens, and remember the question that is asked."""
    season = season_number(state.name)
    found = sorted(fronts(state), key=lambda front: -_interest(front, season, memory))
    memory.question = None
    for front in found:
        if front.forced:
            _add_threat(front, state, rests_on, items)
            memory.asked[PROVINCES[front.center]] = season
            break
    for front in found:
        if not front.forced and front.beside:
            memory.question = _ask(front, state, rests_on, items)
            memory.asked[PROVINCES[front.center]] = season
            break
    if not found:
        items.claim("calm_front", "calm_front", {}, rests_on, [])
    _add_line(state, rests_on, memory, items)


def _interest(front: Front, season: int, memory: Memory) -> float:
    """Return how much a front matters: to whom, for what, and whether it is news."""
    seats = (POWERS[front.attacker], POWERS[front.owner])
    interest = sum(memory.chances[seat] for seat in seats) + 0.1 * front.strength
    interest += 0.2 * (front.center in HOMES[front.owner])
    if seats in memory.attacked and season - memory.attacked[seats] <= YEAR:
        interest += 0.3
    if frozenset(seats) in memory.allies:
        interest -= 0.3
    if season - memory.asked.get(PROVINCES[front.center], -YEAR - 1) <= YEAR:
        interest -= 0.6
    return interest


def _slots(front: Front, state: State) -> dict[str, str]:
    unit = UNITS[state.units[front.center][1]] if front.held else " "
    return {
        "a": power(POWERS[front.attacker]),
        "v": power(POWERS[front.owner]),
        "place": place(PROVINCES[front.center]),
        "strength": number(front.strength),
        "defence": number(front.defence),
        "unit": KINDS[unit[0].strip()],
    }


def _add_threat(front: Front, state: State, rests_on: tuple[int, ...], items: TurnStory) -> None:
    seats = (POWERS[front.attacker], POWERS[front.owner])
    form = "danger_forced" if front.defence else "danger_open"
    more = 0.1 * (state.phase == FALL) + 0.05 * (front.center in HOMES[front.owner])
    items.claim("threat", form, _slots(front, state), rests_on, seats, more=more)


def _ask(front: Front, state: State, rests_on: tuple[int, ...], items: TurnStory) -> OpenQuestion:
    seats = (POWERS[front.attacker], POWERS[front.owner])
    items.claim("question", "ask_support" if front.held else "ask_cover", _slots(front, state), rests_on, seats)
    return OpenQuestion(*seats, PROVINCES[front.center], front.held, rests_on)


def _add_line(state: State, rests_on: tuple[int, ...], memory: Memory, items: TurnStory) -> None:
    """Add the line that can stop a leader, if it has changed."""
    counts = _counts(state)
    leader = max(POWERS, key=lambda seat: counts[seat])
    places = wall(state, POWERS.index(leader)) if counts[leader] >= LEADS else None
    codes = tuple(PROVINCES[at] for at in places or ())
    if codes and codes != memory.walls and len(codes) <= LONGEST:
        slots = {"a": power(leader), "places": listed([place(code) for code in codes])}
        items.claim("line", "line_holds", slots, rests_on, [leader])
    memory.walls = codes


def _counts(state: State) -> Mapping[SeatId, int]:
    return dict(zip(POWERS, state.center_counts(), strict=True))
