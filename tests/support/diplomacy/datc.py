"""The DATC's cases as played by the engine, and the table of those that turn out otherwise, each with its reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from grandstand.games.diplomacy.rules.map import HOMES, POWERS, PROVINCES
from grandstand.games.diplomacy.rules.position import adjudicate_line
from grandstand.games.diplomacy.rules.words import NotAnOrder, order_words
from tests.support.source import ROOT

CASES: list[dict[str, Any]] = json.loads((ROOT / "tests/games/diplomacy/data/datc.json").read_text())["cases"]
POWER_OF = {power[:3]: power for power in POWERS}

EDITION = "the case is for the rules of 1971, where any fleet's convoy order shows intent; we follow 2023 (4.A.3)"
INCOMPLETE = "ignored by the source, whose case is incomplete; played in full in test_retreats.py"
DECLARED = {
    "6.A.5": "the source counts the support as given; the move it supports is impossible, and so it is void here",
    "6.B.2": "the only coast in reach is filled in, as the DATC's text prefers (4.B.2); the source does not",
    "6.B.10": "the ordered unit's coast is ignored, as the DATC's text prefers (4.B.5); the source does not",
    "6.B.12": "an army's coast is ignored, as the DATC's text prefers (4.B.6); the source does not",
    "6.B.15": "ignored by the source, whose expectation contradicts the DATC's text: equal strengths bounce",
    "6.G.2 (1971)": EDITION,
    "6.G.7 (1971)": EDITION,
    "6.G.19 (1971)": EDITION,
    "6.H.1": "ignored by the source, whose expectation contradicts the DATC's text: both fleets are disbanded",
    "6.H.2": INCOMPLETE,
    "6.H.3": INCOMPLETE,
    "6.J.9 second (2023)": "the source's removal contradicts the DATC's text: the army is farther away than the fleet",
    "6.J.11 (1971)": "the case is for distances to home centres; we follow 2023, distances to owned ones",
}
"""Case -> why its outcome here is not the one expected there."""


def case_name(case: Mapping[str, Any]) -> str:
    """`6.G.7 (1971)`, `6.G.11 variant`."""
    url_part: str = case["url"].partition("#")[2]
    name = (
        url_part + (" variant" if "variant" in case["name"] else "") + (" second" if "second" in case["name"] else "")
    )
    return f"{name} ({case['edition']})" if "edition" in case else name


def surprises(case: Mapping[str, Any]) -> list[str]:
    """The orders whose outcome is not the expected one."""
    if case["phase"] == "Main":
        return _movement(case)
    return _retreat(case) if case["phase"] == "Retreat" else _winter(case)


def _split(order: str) -> tuple[str, str]:
    power, text = order.split(": ", 1)
    return POWER_OF[power], text


def _notation(unit: str) -> str:
    return unit.upper().replace("(", "/").replace(")", "")


def _units(starting: list[str], orders: Mapping[str, Any]) -> dict[str, list[str]]:
    """The units named, and those of the orders where none stands yet."""
    units: dict[str, list[str]] = {power: [] for power in POWERS}
    taken = set()
    for power, unit in map(_split, starting):
        units[power].append(_notation(unit))
        taken.add(_notation(unit)[2:5])
    for power, text in map(_split, orders):
        words = order_words(text)
        if words.place[:3] not in taken:
            units[power].append(f"{words.kind} {words.place}")
            taken.add(words.place[:3])
    return units


def _by_power(orders: Mapping[str, Any]) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {power: [] for power in POWERS}
    for power, text in map(_split, orders):
        texts[power].append(text)
    return texts


def _unexpected(
    orders: Mapping[str, Any], results: Mapping[str, list[str]], units: Mapping[str, list[str]]
) -> list[str]:
    """Orders that did not do as expected. An order to another power's unit, or to none in the phase, has failed."""
    result = {unit[2:5]: words for unit, words in results.items()}
    owner = {unit[2:5]: power for power, held in units.items() for unit in held}
    surprising = []
    for order, expected in orders.items():
        power, text = _split(order)
        place = order_words(text).place[:3]
        succeeded = owner.get(place, power) == power and result.get(place) == []
        if expected is not None and succeeded != (expected == "Succeeds"):
            surprising.append(f"{order}: {result.get(place)}")
    return surprising


def _play_movement(case: Mapping[str, Any]) -> tuple[dict[str, list[str]], dict[str, Any]]:
    units = _units(case.get("starting_state", []), case["orders"])
    line = {"phase": "S1901M", "units": units, "centers": {}, "orders": _by_power(case["orders"])}
    return units, adjudicate_line(line)


def _movement(case: Mapping[str, Any]) -> list[str]:
    units, answer = _play_movement(case)
    return _unexpected(case["orders"], answer["results"], units)


def _retreat(case: Mapping[str, Any]) -> list[str]:
    try:
        units, after = _play_movement(case["preceding_main_phase"])
    except NotAnOrder as error:
        return [str(error)]
    surprising = _unexpected(case["preceding_main_phase"]["orders"], after["results"], units)
    answer = adjudicate_line({**after, "orders": _by_power(case["orders"])}) if after["phase"].endswith("R") else after
    dislodged = {power: list(held) for power, held in after["retreats"].items()}
    return surprising + _unexpected(case["orders"], answer["results"] if answer is not after else {}, dislodged)


def _winter(case: Mapping[str, Any]) -> list[str]:
    """Powers own their homes, what they occupy, and what the case says."""
    units = _units(case.get("starting_state", []), {})
    owner = {PROVINCES[home]: POWERS[power] for power, homes in enumerate(HOMES) for home in homes}
    owner |= {unit[2:5]: power for power, held in units.items() for unit in held if unit[2:5] in CENTER_NAMES}
    owner |= {center.upper(): POWER_OF[power] for center, power in case.get("occupiers", {}).items()}
    centers = {power: [center for center, holder in owner.items() if holder == power] for power in POWERS}
    line = {"phase": "W1901A", "units": units, "centers": centers, "orders": _by_power(case["orders"])}
    answer = adjudicate_line(line)
    surprising = _unexpected(case["orders"], answer["results"], {})
    for power, unit in map(_split, case.get("civil_disorder", [])):
        if _notation(unit) in answer["units"][power]:
            surprising.append(f"{power} {unit} was not removed")
    return surprising


CENTER_NAMES = {"BEL", "BUL", "DEN", "GRE", "HOL", "NWY", "POR", "RUM", "SER", "SPA", "SWE", "TUN"} | {
    PROVINCES[home] for homes in HOMES for home in homes
}
