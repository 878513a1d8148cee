"""The interface to the trainer: orders piece by piece, a compact text of the board, features and the clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from grandstand.games.base import Action, SeatId
from grandstand.games.diplomacy.agent import proposals
from grandstand.games.diplomacy.agent.rewards import REWARDS
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.rules.map import HOMES, POWER, POWERS, PROVINCES, START_YEAR, UNITS
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.diplomacy.rules.state import PHASE_CODES, RETREATS, WINTER
from grandstand.games.training import Option, Search, Slot, Training

_LEAD = '{"orders": ["'
_AND, _END = '", "', '"]}'
_NOTHING = '{"orders": []}'
_WAIVE = "WAIVE"
_YEARS = 20
"""The largest number of years, since the start or to the end, that has a word of its own."""
_MOST_DUE = 9


def lead(game: DiplomacyGame, seat: SeatId) -> str:
    return _LEAD if slots(game, seat, ()) else _NOTHING


def slots(game: DiplomacyGame, seat: SeatId, chosen: Sequence[str]) -> list[Slot]:
    """Return a slot of legal orders for every unit. In winter one for every build or removal that is due, each only
    with what stands after the last one chosen, so that no two answers are the same action."""
    if game.state.phase == WINTER:
        return _winter_slots(game, POWER[seat], chosen)
    if chosen:
        return []
    texts = _texts(game, POWER[seat])
    return [_slot(orders, _AND if number < len(texts) else _END) for number, orders in enumerate(texts, 1)]


def _texts(game: DiplomacyGame, power: int) -> list[list[str]]:
    """Return the legal orders of each unit, or building site, of the power."""
    legal = game.state.legal_orders()
    return [[order_text(order) for order in legal[province]] for province in game.state.orderable(power)]


def _slot(words: Sequence[str], after: str) -> Slot:
    return [Option(word, word + after) for word in words]


def _winter_slots(game: DiplomacyGame, power: int, words: Sequence[str]) -> list[Slot]:
    texts = _texts(game, power)
    count = game.state.counts.get(power, 0)
    due = min(abs(count), len(texts))
    if len(words) == due:
        return []
    after = _AND if len(words) + 1 < due else _END
    if words and words[-1] == _WAIVE:
        return [_slot([_WAIVE], after)]
    first = next((at for at, orders in enumerate(texts, 1) if words and words[-1] in orders), 0)
    if count > 0:
        return [_slot([*(word for orders in texts[first:] for word in orders), _WAIVE], after)]
    last = len(texts) - (due - len(words)) + 1
    return [_slot([word for orders in texts[first:last] for word in orders], after)]


def words(game: DiplomacyGame, seat: SeatId, action: Action) -> list[str] | None:
    """Return the words of an action with orders; units that it omits have their default orders."""
    if "orders" not in action:
        return None
    state, power = game.state, POWER[seat]
    orders_of_action = set(action["orders"])
    texts = _texts(game, power)
    if state.phase != WINTER:
        default = " D" if state.phase in RETREATS else " H"
        return [
            next((word for word in orders if word in orders_of_action), next(w for w in orders if w.endswith(default)))
            for orders in texts
        ]
    words = [word for orders in texts for word in orders if word in orders_of_action]
    due = min(abs(state.counts.get(power, 0)), len(texts))
    if state.counts.get(power, 0) < 0:
        return words if len(words) == due else None
    return words + [_WAIVE] * (due - len(words))


@cache
def vocabulary() -> tuple[str, ...]:
    """Return every word of the shorthand and of orders."""
    places = dict.fromkeys((*PROVINCES, *(unit[2:] for unit in UNITS)))
    marks = ("-", "S", "C", "VIA", "H", "R", "D", "B", _WAIVE, "gained", "lost", "dislodged", "play")
    years = (*(f"year{n}" for n in range(_YEARS + 1)), *(f"left{n}" for n in range(_YEARS + 1)))
    due = tuple(f"{sign}{n}" for sign in ("build", "remove") for n in range(1, _MOST_DUE + 1))
    return (*POWERS, *(f"{code[0]}.{code[1]}" for code in PHASE_CODES), *years, *due, *marks, *UNITS, *places)


def shorthand(game: DiplomacyGame, seat: SeatId) -> str:
    """Return the board, one power after the other, and then the asked power: `S.M year0 left2 AUSTRIA A BUD F TRI ...
    play FRANCE`.

    Only changes of centres are listed: those that a power gained, and the home centres that it lost.
    """
    state = game.state
    code = PHASE_CODES[state.phase]
    year, years_left = state.year - START_YEAR, game.options.last_year - state.year
    words = [f"{code[0]}.{code[1]}", f"year{min(year, _YEARS)}", f"left{min(max(years_left, 0), _YEARS)}"]
    units: list[list[str]] = [[] for _ in POWERS]
    gained: list[list[str]] = [[] for _ in POWERS]
    for power, unit in state.units.values():
        units[power].append(UNITS[unit])
    for center, power in state.centers.items():
        if center not in HOMES[power]:
            gained[power].append(PROVINCES[center])
    for power, name in enumerate(POWERS):
        lost = [PROVINCES[home] for home in HOMES[power] if state.centers.get(home) != power]
        gone = [UNITS[unit] for owner, unit, _ in state.dislodged.values() if owner == power]
        words.append(name)
        for mark, items in (("", units[power]), ("gained", gained[power]), ("lost", lost), ("dislodged", gone)):
            if items:
                words += [mark, *items] if mark else items
    words += ["play", seat]
    if count := state.counts.get(POWER[seat], 0):
        words.append(f"{'build' if count > 0 else 'remove'}{min(abs(count), _MOST_DUE)}")
    return " ".join(words)


def features(game: DiplomacyGame, seat: SeatId) -> Mapping[str, float]:
    """Return the power's centres and units, the year, and the season as 0 (spring) to 4 (winter)."""
    state, power = game.state, POWER[seat]
    centers = sum(owner == power for owner in state.centers.values())
    units = sum(owner == power for owner, _ in state.units.values())
    return {"centers": centers, "units": units, "year": state.year, "phase": state.phase}


def clock(game: DiplomacyGame) -> float:
    """Return the years since the start; a phase is a fifth of one."""
    return game.state.year - START_YEAR + game.state.phase / len(PHASE_CODES)


@cache
def training() -> Training[DiplomacyGame]:
    return Training(
        lead=lead,
        slots=slots,
        words=words,
        vocabulary=vocabulary(),
        shorthand=shorthand,
        features=features,
        clock=clock,
        unit="year",
        rewards=REWARDS,
        search=Search(proposals.choose, slow=True),
    )
