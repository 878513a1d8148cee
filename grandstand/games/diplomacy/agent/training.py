"""The interface to the trainer: the orders, a compact text of the board, features and the clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from grandstand.games.base import SeatId
from grandstand.games.choices import Chosen, Slot
from grandstand.games.diplomacy.agent import proposals
from grandstand.games.diplomacy.agent.rewards import REWARDS
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.rules.choices import order_slots
from grandstand.games.diplomacy.rules.map import HOMES, POWER, POWERS, PROVINCES, START_YEAR, UNITS
from grandstand.games.diplomacy.rules.state import PHASE_CODES
from grandstand.games.training import Search, Training

_YEARS = 20
"""The largest number of years, since the start or to the end, that has a word of its own."""
_MOST_DUE = 9


def menu(game: DiplomacyGame, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
    """Return the orders; a policy does not vote."""
    return () if chosen else order_slots(game.state, POWER[seat])


@cache
def vocabulary() -> tuple[str, ...]:
    """Return every word of the shorthand and of orders."""
    places = dict.fromkeys((*PROVINCES, *(unit[2:] for unit in UNITS)))
    marks = ("-", "S", "C", "VIA", "H", "R", "D", "B", "WAIVE", "gained", "lost", "dislodged", "play")
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
        menu=menu,
        vocabulary=vocabulary(),
        shorthand=shorthand,
        features=features,
        clock=clock,
        unit="year",
        rewards=REWARDS,
        search=Search(proposals.choose, slow=True),
    )
