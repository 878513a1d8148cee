"""The observation of a seat as a prompt for a language model: compact, complete and deterministic."""

from __future__ import annotations

import json
from collections.abc import Sequence

from grandstand.games.diplomacy.map import CENTERS, POWERS, PROVINCES
from grandstand.games.diplomacy.surroundings import surroundings, years_text
from grandstand.games.diplomacy.types import JudgedPromise, Legal, Observation

RULES = """\
You play {power} in Diplomacy on the standard map. Whoever owns 18 of the 34 supply centres after a fall turn wins.
All powers give their orders in secret, and all are played at once. A unit has strength 1, and 1 more for each support;
the stronger side gets the province, equal sides bounce. A support is cut by an attack on the supporting unit, unless
that attack comes from where the support goes and does not dislodge it. Centres change hands after fall turns; then
units are built or removed until each power has as many units as centres."""

MESSAGES_SHOWN = 40
BROKEN_SHOWN = 12
KEPT_SHOWN = 6
YEARS_SHOWN = 10


def prompt(observation: Observation, legal: Legal) -> str:
    """Return the text of `DiplomacyGame.observation` and `DiplomacyGame.legal` of one seat."""
    parts = [
        RULES.format(power=observation["power"]),
        _board(observation),
        years_text(observation["years"], YEARS_SHOWN),
        _around(observation),
        _played(observation),
        _press(observation),
        _promises(observation["promises"]),
        _choices(observation, legal),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _board(observation: Observation) -> str:
    state = observation["state"]
    lines = [f"Phase {state['phase']} (the match ends after the fall of {observation['options']['last_year']})."]
    for power in POWERS:
        centers, units = state["centers"][power], state["units"][power]
        if centers or units:
            lines.append(f"{power}: {len(centers)} centres {' '.join(centers)} | units {', '.join(units) or 'none'}")
        for unit, places in state["retreats"].get(power, {}).items():
            lines.append(f"{power}: {unit} is dislodged, may retreat to {' '.join(places) or 'nowhere'}")
    owned = {center for centers in state["centers"].values() for center in centers}
    neutral = [center for center in (PROVINCES[center] for center in CENTERS) if center not in owned]
    if neutral:
        lines.append(f"Nobody's: {' '.join(neutral)}")
    if observation["votes"]:
        lines.append(f"Vote for a draw: {', '.join(observation['votes'])}")
    return "\n".join(lines)


def _around(observation: Observation) -> str:
    """Return the surroundings of the power's units where they are to be moved."""
    moving = observation["turn"].endswith("M")
    return surroundings(observation["power"], observation["state"]) if moving else ""


def _played(observation: Observation) -> str:
    blocks = []
    for played in observation["recent"]:
        lines = [f"Orders of {played['phase']}:"]
        for power, orders in played["orders"].items():
            entries = [
                order["order"] + (f" ({', '.join(order['results'])})" if order["results"] else "") for order in orders
            ]
            lines.append(f"{power}: {'; '.join(entries)}")
        blocks.append("\n".join(lines))
    return "\n".join(blocks)


def _press(observation: Observation) -> str:
    messages = observation["messages"]
    if not messages:
        return ""
    left_out = len(messages) - MESSAGES_SHOWN
    lines = ["Messages:" if left_out <= 0 else f"Messages ({left_out} older ones left out):"]
    for message in messages[-MESSAGES_SHOWN:]:
        to = "all" if message["public"] else ", ".join(message["recipients"])
        promises = f" [promises {'; '.join(map(quoted, message['promises']))}]" if message["promises"] else ""
        lines.append(f"{message['turn']} {message['sender']} to {to}: {quoted(message['text'])}{promises}")
    return "\n".join(lines)


def _promises(verdicts: Sequence[JudgedPromise]) -> str:
    """Return the latest kept and broken promises that the seat gave or received, and their number."""
    if not verdicts:
        return ""
    listed = [
        index
        for fulfilled, count in ((False, BROKEN_SHOWN), (True, KEPT_SHOWN))
        for index in [index for index, verdict in enumerate(verdicts) if verdict["kept"] == fulfilled][-count:]
    ]
    left_out = len(verdicts) - len(listed)
    lines = [f"Promises judged ({left_out} older ones left out):" if left_out else "Promises judged:"]
    lines += [_judged(verdicts[index]) for index in sorted(listed)]
    for power in POWERS:
        outcomes = [verdict["kept"] for verdict in verdicts if verdict["power"] == power]
        if outcomes:
            lines.append(f"{power} broke {outcomes.count(False)} of {len(outcomes)}")
    return "\n".join(lines)


def _judged(verdict: JudgedPromise) -> str:
    """`S1902M ITALY to AUSTRIA: A VEN H, broken: ordered A VEN - TRI`; notation of ours, never a player's words."""
    to = "all" if verdict["public"] else ", ".join(verdict["recipients"])
    outcome = "kept" if verdict["kept"] else f"broken: ordered {verdict['order']}"
    return f"{verdict['phase']} {verdict['power']} to {to}: {verdict['meant']}, {outcome}"


def quoted(text: str) -> str:
    """Return a player's text as a JSON string on one line without invisible characters, so that it is always quoted."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(mark if mark.isprintable() else f"\\u{ord(mark):04x}" for mark in quoted)


def _choices(observation: Observation, legal: Legal) -> str:
    if not legal["orders"]:
        return f"{observation['power']} has nothing to order in {legal['phase']}."
    count = legal.get("count", 0)
    if count > 0:
        head = f"You may build {count}, one in a place; WAIVE forgoes one:"
    elif count < 0:
        head = f"You must remove {-count}:"
    else:
        head = "Legal orders, per unit; places after one dash are alternatives:"
    return "\n".join([head, *(f"{name}: {_grouped(name, orders)}" for name, orders in legal["orders"].items())])


def _grouped(name: str, orders: Sequence[str]) -> str:
    """`H | - BUR GAS | S A MAR | S A MAR - BUR GAS | C A LON - BEL`; orders to the same end stand together."""
    groups: dict[str, list[str]] = {}
    for order in orders:
        tail = order.removeprefix(f"{name} ")
        act, dash, place = tail.rpartition("- ")
        place, via, _ = place.partition(" VIA")
        groups.setdefault(f"{via.strip()}{act}{dash}" if dash else tail, []).append(place if dash else "")
    return " | ".join(
        f"{act[3:]}{' '.join(f'{place} VIA' for place in places)}"
        if act.startswith("VIA")
        else f"{act}{' '.join(places)}"
        for act, places in groups.items()
    )
