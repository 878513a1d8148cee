"""The tactics set: positions in which a power can force an aim, whatever the others order, and the judge of an answer.

`data/tactics.json` holds them. Its `replies` are a sufficient set: orders that reach the aim against each of them reach
it against every legal reply (`tactic_search.py` finds them, tests check it).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from grandstand.games.base import OptionError, SeatId, Task
from grandstand.games.diplomacy.rules.map import POWER, PROVINCE, UNIT, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import Order
from grandstand.games.diplomacy.rules.position import read_orders, read_start
from grandstand.games.diplomacy.rules.state import RETREATS, State

PACK = "tactics"
FILE = Path(__file__).parents[1] / "data" / "tactics.json"
LAST_YEAR = 1999
"""Positions of the set are in earlier years."""

Reply = tuple[Mapping[SeatId, Sequence[str]], ...]
"""The orders of the other powers, phase by phase."""


@dataclass(frozen=True)
class Aim:
    """The conditions to be met, all of them, after the phases of the tactic and the retreats that follow."""

    stand: tuple[str, ...] = ()
    """Units of the power that stand on the board."""
    own: tuple[str, ...] = ()
    """Supply centres that the power owns."""
    own_one: tuple[str, ...] = ()
    """Supply centres of which the power owns at least one."""
    keep_out: tuple[str, ...] = ()
    """Provinces in which no other power has a unit."""
    dislodge: tuple[str, ...] = ()
    """Provinces whose unit, of another power, was dislodged."""
    destroy: tuple[str, ...] = ()
    """Provinces whose unit, of another power, was dislodged without a retreat."""
    deny: tuple[str, ...] = ()
    """Supply centres that the opponent does not own."""
    units: int = 0
    """The least number of units that the power has."""


@dataclass(frozen=True)
class Tactic:
    """A position, the power that is to play, its aim, and the orders that force it."""

    id: str
    title: str
    theme: str
    seat: SeatId
    opponent: SeatId
    """The power that has the score if the aim is missed."""
    task: str
    reason: str
    state: State
    aim: Aim
    best: tuple[str, ...]
    wrong: tuple[tuple[tuple[str, ...], str], ...]
    """Plausible orders that do not force the aim, each with the reason."""
    known: Mapping[SeatId, Sequence[str]]
    """Orders of other powers that the power knows; its task tells them."""
    then: tuple[tuple[str, ...], ...]
    """The power's orders in the phases after the first, which complete the tactic."""
    replies: tuple[Reply, ...]
    sets: int
    """The number of the power's legal sets of orders."""
    solving: int
    """The number of those sets that force the aim."""


def refutation(tactic: Tactic, orders: Mapping[int, Order]) -> Reply | None:
    """Return the first of the tactic's replies against which the orders miss the aim; None if they force it."""
    return next((reply for reply in tactic.replies if not reached(tactic, orders, reply)), None)


def reached(tactic: Tactic, orders: Mapping[int, Order], reply: Reply) -> bool:
    """Return whether the orders, by province, reach the aim against one reply."""
    state = tactic.state
    dislodged: set[int] = set()
    destroyed: set[int] = set()
    for phase in range(1 + len(tactic.then)):
        theirs = dict(reply[phase]) if phase < len(reply) else {}
        if phase:
            book = read_orders(state, {"orders": {**theirs, tactic.seat: list(tactic.then[phase - 1])}}).orders
        else:
            book = {**_parsed(tactic.state, theirs), **orders}
        resolution = state.resolve(book)
        if resolution.movement is not None:
            power = POWER[tactic.seat]
            dislodged |= {at for at in resolution.movement.dislodged_by if state.units[at][0] != power}
            retreating = {at for at, (_, _, options) in resolution.after.dislodged.items() if options}
            destroyed |= dislodged - retreating
        state = settled(resolution.after)
    return _fulfilled(tactic, state, dislodged, destroyed)


def settled(state: State) -> State:
    """Return the position after the retreats, in which every dislodged unit is disbanded."""
    while state.phase in RETREATS:
        state = state.resolve({}).after
    return state


def _parsed(state: State, orders: Mapping[SeatId, Sequence[str]]) -> Mapping[int, Order]:
    key = tuple((power, tuple(texts)) for power, texts in orders.items())
    return _read_book(state, key)


@cache
def _read_book(state: State, orders: tuple[tuple[SeatId, tuple[str, ...]], ...]) -> Mapping[int, Order]:
    return read_orders(state, {"orders": {power: list(texts) for power, texts in orders}}).orders


def _fulfilled(tactic: Tactic, state: State, dislodged: set[int], destroyed: set[int]) -> bool:
    power, opponent, aim = POWER[tactic.seat], POWER[tactic.opponent], tactic.aim
    return (
        all(state.units.get(UNIT_PROVINCE[UNIT[name]]) == (power, UNIT[name]) for name in aim.stand)
        and all(state.centers.get(PROVINCE[name]) == power for name in aim.own)
        and (not aim.own_one or any(state.centers.get(PROVINCE[name]) == power for name in aim.own_one))
        and all(state.units.get(PROVINCE[name], (power,))[0] == power for name in aim.keep_out)
        and all(PROVINCE[name] in dislodged for name in aim.dislodge)
        and all(PROVINCE[name] in destroyed for name in aim.destroy)
        and all(state.centers.get(PROVINCE[name]) != opponent for name in aim.deny)
        and sum(owner == power for owner, _ in state.units.values()) >= aim.units
    )


def read_tactic(data: Mapping[str, Any]) -> Tactic:
    """Return a tactic of the file."""
    return Tactic(
        id=data["id"],
        title=data["title"],
        theme=data["theme"],
        seat=data["seat"],
        opponent=data["opponent"],
        task=data["task"],
        reason=data["reason"],
        state=read_start(data["position"], LAST_YEAR),
        aim=_read_aim(**data["aim"]),
        best=tuple(data["best"]),
        wrong=tuple((tuple(wrong["orders"]), wrong["why"]) for wrong in data["wrong"]),
        known=data.get("known", {}),
        then=tuple(tuple(orders) for orders in data.get("then", ())),
        replies=tuple(tuple(reply) for reply in data.get("replies", ())),
        sets=data.get("sets", 0),
        solving=data.get("solving", 0),
    )


def _read_aim(units: int = 0, **names: Sequence[str]) -> Aim:
    return Aim(units=units, **{name: tuple(listed) for name, listed in names.items()})


@cache
def tactics() -> Mapping[str, Tactic]:
    """Return the tactics of the set by id, in order."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return {entry["id"]: read_tactic(entry) for entry in data["tactics"]}


def tactic(name: str) -> Tactic:
    """Return the tactic of this id. Raises OptionError naming the valid ids."""
    if name not in tactics():
        raise OptionError(f"tactic: there is no {name!r}; there are {', '.join(tactics())}")
    return tactics()[name]


def tasks() -> list[Task]:
    """Return the set as tasks of an evaluation."""
    options = {"press": "none", "draw_votes": False}
    return [Task(item.id, item.seat, {"tactic": item.id, **options}) for item in tactics().values()]


def quoted(pack: str) -> dict[str, Any]:
    """Return the version and the digest of the only set."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {"version": data["version"], "digest": blake2b(text.encode(), digest_size=8).hexdigest()}
