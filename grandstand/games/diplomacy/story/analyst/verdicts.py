"""After the orders: the answer to the question, and the best other order of a power whose chance fell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import CENTERS, POWER, POWERS, PROVINCE, PROVINCES, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, NONE, SUPPORT, SUPPORT_MOVE, VIA, Order
from grandstand.games.diplomacy.rules.position import read_orders
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.diplomacy.story.battles import Battles, Ordered
from grandstand.games.diplomacy.story.chances import chances
from grandstand.games.diplomacy.story.items import TurnStory
from grandstand.games.diplomacy.story.memory import Memory, OpenQuestion, Turn
from grandstand.games.diplomacy.story.words import KINDS, listed, place, power

FALL = 0.01
"""The loss of a chance from which a power's other orders are tried."""
WORTH = 0.03
"""What another order has to be worth."""
LOST = 0.15
"""What an answer gains in importance if the centre is lost."""
MOST_TRIED = 36
"""The most other orders that are tried in a phase."""


def verdicts(
    turn: Turn,
    battles: Battles,
    before: State,
    after: State,
    outlook: Mapping[SeatId, float],
    memory: Memory,
    items: TurnStory,
) -> None:
    """Add what the orders of a movement phase show."""
    assert turn.resolved is not None
    _answer(battles, turn.resolved.seq, memory, after, items)
    if turn.advanced is not None and turn.ended is None:
        _alternative(turn, before, after, outlook, memory, items)


def _answer(battles: Battles, seq: int, memory: Memory, after: State, items: TurnStory) -> None:
    """Add the answer of the orders to the question."""
    question, memory.question = memory.question, None
    if question is None:
        return
    form, slots = (_support if question.held else _cover)(question, battles, after)
    slots |= {"v": power(question.owner), "place": place(question.center)}
    seats = [question.owner, question.attacker]
    more = LOST if form in ("answer_lost", "answer_late", "answer_alone_lost", "answer_backed_lost") else 0.0
    items.claim("answer", form, slots, (*question.rests_on, seq), seats, more=more)


def _cover(question: OpenQuestion, battles: Battles, after: State) -> tuple[str, dict[str, str]]:
    moves = [move for move in battles.moves if move.power == question.owner and move.to == question.center]
    there = after.units.get(PROVINCE[question.center])
    came = [move for move in moves if move.moved]
    slots = {} if there is None else {"a": power(POWERS[there[0]])}
    if came:
        return "answer_moved", slots | {"origin": place(came[0].at), "unit": KINDS[came[0].unit]}
    if moves:
        slots["origin"] = place(moves[0].at)
        return ("answer_stopped" if there is None else "answer_late"), slots
    return ("answer_lucky" if there is None else "answer_lost"), slots


def _support(question: OpenQuestion, battles: Battles, after: State) -> tuple[str, dict[str, str]]:
    unit: Ordered = battles.orders[question.center]
    there = after.units.get(PROVINCE[question.center])
    stays = there is not None and POWERS[there[0]] == question.owner
    slots = {"unit": KINDS[unit.unit]}
    if unit.moved:
        return "answer_left", slots
    helpers = [
        other.at
        for other in battles.orders.values()
        if other.power == question.owner and other.kind == "support" and other.target == unit.at and not other.to
    ]
    if helpers:
        slots["helpers"] = listed([place(code) for code in helpers])
        return ("answer_backed" if stays else "answer_backed_lost"), slots
    return ("answer_alone_held" if stays else "answer_alone_lost"), slots


class Alternative(NamedTuple):
    """Another order, and the chance of its power with it."""

    order: Order
    chance: float


def _alternative(
    turn: Turn, before: State, after: State, outlook: Mapping[SeatId, float], memory: Memory, items: TurnStory
) -> None:
    """Add the best other order of the power whose chance fell most, if it is worth a word."""
    assert turn.resolved is not None
    assert turn.advanced is not None
    seat = min(POWERS, key=lambda seat: outlook[seat] - memory.chances[seat])
    if memory.chances[seat] - outlook[seat] < FALL:
        return
    texts = {
        name: [order["order"] for order in orders if "unit" in order]
        for name, orders in turn.resolved.data["orders"].items()
    }
    book = read_orders(before, {"orders": texts})
    if before.resolve(book.orders).after != after:
        return  # A saved game by the rules of another judge.
    best = _best(before, book.orders, POWER[seat], memory.last_year)
    if best is None or best.chance - outlook[seat] < WORTH:
        return
    kind, unit, a, b = best.order
    slots = {
        "a": power(seat),
        "origin": place(PROVINCES[UNIT_PROVINCE[unit]]),
        "place": place(PROVINCES[UNIT_PROVINCE[b if kind == SUPPORT_MOVE else a]]) if kind != HOLD else "",
        "after": str(round(100 * best.chance)),
        "before": str(round(100 * outlook[seat])),
    }
    form = {HOLD: "better_hold", MOVE: "better_move"}.get(kind, "better_support")
    items.claim("alternative", form, slots, (turn.resolved.seq, turn.advanced.seq), [seat])


def _best(before: State, orders: Mapping[int, Order], seat: int, last_year: int) -> Alternative | None:
    """Return the order of one unit that would have served a power best, all other orders the same.

    It gains or saves a centre: the estimate of a chance is no argument for a move that changes nothing else.
    """
    held = _held(before.resolve(orders).after, seat)
    tried = list(_others(before, orders, seat))
    # With more than can be tried, every second, third ... is: they are spread over the units.
    step = 1 + len(tried) // (MOST_TRIED + 1)
    best: Alternative | None = None
    for at, order in tried[::step]:
        after = before.resolve({**orders, at: order}).after
        if _held(after, seat) <= held:
            continue
        chance = chances(after, last_year)[POWERS[seat]]
        if best is None or chance > best.chance:
            best = Alternative(order, chance)
    return best


def _held(state: State, seat: int) -> int:
    """Return the centres that are a power's by now, or would be if they were counted."""
    units = state.units
    return sum(units[at][0] == seat if at in units else state.centers.get(at) == seat for at in CENTERS)


def _others(before: State, orders: Mapping[int, Order], seat: int) -> Iterator[tuple[int, Order]]:
    """Yield the other orders of each unit that a sentence can tell: to stay, to move, to support a unit of its own."""
    for at, (owner, _) in before.units.items():
        if owner == seat:
            yield from ((at, order) for order in before.legal_orders()[at] if _differs(before, orders, at, order))


def _differs(before: State, orders: Mapping[int, Order], at: int, order: Order) -> bool:
    """Return whether a sentence can tell an order, and it is another one than the unit has."""
    kind, _, a, b = order
    given = orders.get(at, (HOLD, 0, 0, 0))
    if order == given:
        return False
    if kind == HOLD:
        return given[0] == MOVE
    if kind not in (SUPPORT, SUPPORT_MOVE):
        return kind == MOVE
    friend = UNIT_PROVINCE[a]
    if before.units[friend][0] != before.units[at][0]:
        return False
    wanted = orders.get(friend, (HOLD, a, 0, 0))
    return wanted == (MOVE, a, b, NONE) if kind == SUPPORT_MOVE else wanted[0] not in (MOVE, VIA)
