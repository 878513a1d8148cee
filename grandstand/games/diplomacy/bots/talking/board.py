"""The board in plain words, and queries of it for negotiators."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from grandstand.games.diplomacy.rules.map import (
    IS_FLEET,
    NEIGHBOURS,
    POWERS,
    PROVINCE,
    PROVINCE_NAMES,
    REACH_PROVINCES,
    SEAS,
    UNIT_PROVINCE,
)
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.orders import CONVOY, HOLD, MOVE, SUPPORT, SUPPORT_MOVE, VIA, Order
from grandstand.games.diplomacy.rules.state import FALL, State
from grandstand.games.diplomacy.rules.words import OrderError, order_words

_ARTICLE = {"Clyde", "Ruhr"}
_SHORT = {"Mid-Atlantic Ocean": "Mid-Atlantic", "North Atlantic Ocean": "North Atlantic"}
_NUMBERS = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)


def place_words(province: int) -> str:
    """Return `Paris`, `the North Sea`."""
    name = _SHORT.get(PROVINCE_NAMES[province], PROVINCE_NAMES[province])
    return f"the {name}" if province in SEAS or name in _ARTICLE else name


def kind_words(unit: int) -> str:
    """Return `army` or `fleet`."""
    return "fleet" if IS_FLEET[unit] else "army"


def unit_words(unit: int) -> str:
    """Return `army in Paris`."""
    return f"{kind_words(unit)} in {place_words(UNIT_PROVINCE[unit])}"


def power_words(power: int) -> str:
    """Return `France`."""
    return POWERS[power].capitalize()


def listed(words: Sequence[str]) -> str:
    """Return `Paris, Brest and Marseilles`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def number_words(number: int) -> str:
    """Return `three`; digits from 18 on."""
    words = _NUMBERS.split()
    return words[number] if number < len(words) else str(number)


def season_words(state: State) -> str:
    """Return `spring` or `autumn`."""
    return "autumn" if state.phase >= FALL else "spring"


def deed_words(order: Order, state: State, speaker: int, listener: int) -> str:
    """Return an order of the speaker as a clause: `my army in Paris goes to Burgundy`."""
    kind, unit, a, b = order
    subject = f"my {unit_words(unit)}"
    if kind == MOVE:
        return f"{subject} goes to {place_words(UNIT_PROVINCE[a])}"
    if kind == VIA:
        return f"{subject} sails to {place_words(UNIT_PROVINCE[a])}"
    if kind == HOLD:
        return f"{subject} stays where it is"
    helped = f"{whose(state.units[UNIT_PROVINCE[a]][0], speaker, listener)} {unit_words(a)}"
    if kind == SUPPORT:
        return f"{subject} supports {helped}"
    verb = "supports" if kind == SUPPORT_MOVE else "carries"
    return f"{subject} {verb} {helped} into {place_words(UNIT_PROVINCE[b])}"


def whose(owner: int, speaker: int, listener: int) -> str:
    """Return `my`, `your` or `the Russian` as the speaker says it to the listener."""
    if owner == speaker:
        return "my"
    return "your" if owner == listener else f"the {ADJECTIVES[owner]}"


ADJECTIVES = ("Austrian", "English", "French", "German", "Italian", "Russian", "Turkish")


def target_of(order: Order) -> int | None:
    """Return the province that a move, or the support or convoy of a move, goes into."""
    kind, _, a, b = order
    if kind in (MOVE, VIA):
        return UNIT_PROVINCE[a]
    return UNIT_PROVINCE[b] if kind in (SUPPORT_MOVE, CONVOY) else None


def is_against(order: Order, state: State, power: int, victim: int) -> bool:
    """Return whether an order of `power` is directed against a unit or a centre of `victim`."""
    target = target_of(order)
    if target is None:
        return False
    if order[0] in (SUPPORT_MOVE, CONVOY) and state.units[UNIT_PROVINCE[order[2]]][0] == victim:
        return False
    holder = state.units.get(target)
    return state.centers.get(target) == victim or (holder is not None and holder[0] == victim)


def units_of(state: State, power: int) -> list[tuple[int, int]]:
    """Return (province, unit) of every unit of the power."""
    return [(province, unit) for province, (owner, unit) in state.units.items() if owner == power]


def strength_at(state: State, power: int, province: int) -> int:
    """Return the number of the power's units that stand in the province or can move there."""
    return sum(
        at == province or province in REACH_PROVINCES[unit]
        for at, (owner, unit) in state.units.items()
        if owner == power
    )


def within_reach(state: State, power: int, other: int) -> list[int]:
    """Return the centres of `other` that a unit of `power` can move into now."""
    reach = {there for _, unit in units_of(state, power) for there in REACH_PROVINCES[unit]}
    return [center for center, owner in state.centers.items() if owner == other and center in reach]


@lru_cache(maxsize=64)
def contact(state: State, power: int, other: int) -> int:
    """Return the closeness of two powers: 2 for each centre or unit of one within reach of a unit of the other, and 1
    for each such unit that could come within reach in one move."""
    total = 0
    for actor, owner in ((power, other), (other, power)):
        places = {province for province, holder in state.centers.items() if holder == owner}
        places.update(province for province, _ in units_of(state, owner))
        for _, unit in units_of(state, actor):
            near = REACH_PROVINCES[unit]
            total += 2 * len(near & places)
            total += any(not places.isdisjoint(NEIGHBOURS[there]) for there in near)
    return total


def promise_words(meant: str) -> str:
    """Return a promise in standard notation as its recipient quotes it: `your army in Venice would stay in Venice`."""
    words = order_words(meant)
    subject = f"your {_UNIT_NAMES.get(words.kind, 'unit')} in {place_words(PROVINCE[words.place[:3]])}"
    if words.verb == "-":
        return f"{subject} would go to {place_words(PROVINCE[words.to[:3]])}"
    if words.verb in ("S", "C"):
        helped = f"the {_UNIT_NAMES.get(words.other, 'unit')} in {place_words(PROVINCE[words.at[:3]])}"
        into = f" into {place_words(PROVINCE[words.to[:3]])}" if words.to else ""
        return f"{subject} would {'support' if words.verb == 'S' else 'carry'} {helped}{into}"
    return f"{subject} would stay there"


_UNIT_NAMES = {"A": "army", "F": "fleet"}


def read_order(text: str, state: State, power: int) -> Order | None:
    """Return the legal order of a power that a text gives; None if it gives none."""
    try:
        order = parse_order(text, state, power)
    except OrderError:
        return None
    return order if order in state.legal_orders().get(UNIT_PROVINCE[order[1]], ()) else None
