"""The saved-game format of the `diplomacy` package, also that of published human games: out of episodes and back in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.base import GameEvent, MessageSent
from games.diplomacy.map import HOMES, POWER, POWERS, PROVINCES
from games.diplomacy.position import OrderBook, PositionError, read_orders, read_state
from games.diplomacy.report import centers_changed, orders_resolved, phase_advanced
from games.diplomacy.state import State

MAP = "standard"
EVERYBODY = "GLOBAL"
"""The recipient of a public message."""


def export_saved_game(events: Sequence[tuple[str, Mapping[str, Any]]], header: Mapping[str, Any]) -> dict[str, Any]:
    """The saved game of an episode's events, `(type, data)` each in order; `header["episode_id"]` becomes its id.

    Times of messages are their places in the game: the format orders messages by them. Promises stand in a field of
    ours.
    """
    game_id = str(header.get("episode_id", ""))
    phases: list[dict[str, Any]] = []
    sent = 0
    for kind, data in events:
        if kind == "PhaseAdvanced":
            phases.append(_new_phase(data["state"], game_id))
        elif kind == "MessageSent":
            for recipient in [EVERYBODY] if data["public"] else data["recipients"]:
                sent += 1
                phases[-1]["messages"].append(_message(data, recipient, sent))
        elif kind == "OrdersResolved":
            for power, resolved in data["orders"].items():
                phases[-1]["orders"][power] = [order["order"] for order in resolved]
                phases[-1]["results"].update({order["unit"]: order["results"] for order in resolved if "unit" in order})
    return {"id": game_id, "map": MAP, "rules": [], "phases": phases}


def _new_phase(position: Mapping[str, Any], game_id: str) -> dict[str, Any]:
    state = read_state(position)
    retreats = {power: dict(position["retreats"].get(power, {})) for power in POWERS}
    due = [state.counts.get(power, 0) for power in range(len(POWERS))]
    return {
        "name": state.name,
        "state": {
            "name": state.name,
            "game_id": game_id,
            "map": MAP,
            "rules": [],
            "units": {
                power: [*position["units"][power], *(f"*{unit}" for unit in retreats[power])] for power in POWERS
            },
            "retreats": retreats,
            "centers": {power: list(position["centers"][power]) for power in POWERS},
            "homes": {power: [PROVINCES[home] for home in HOMES[POWER[power]]] for power in POWERS},
            "builds": {
                name: {
                    "count": due[power],
                    "homes": [PROVINCES[home] for home in state.orderable(power)] if due[power] > 0 else [],
                }
                for power, name in enumerate(POWERS)
            },
        },
        "orders": {power: [] for power in POWERS},
        "results": {},
        "messages": [],
    }


def _message(data: Mapping[str, Any], recipient: str, sent: int) -> dict[str, Any]:
    return {
        "sender": data["sender"],
        "recipient": recipient,
        "time_sent": sent,
        "phase": data["turn"],
        "message": data["text"],
        "promises": list(data["promises"]),
    }


@dataclass(frozen=True, slots=True)
class SavedPhase:
    """One phase of a saved game, read."""

    state: State
    book: OrderBook
    """The orders that the state allows, and the units whose orders it does not."""
    results: Mapping[str, Sequence[str]]
    """As recorded: per unit, what went wrong; empty where the game has no results."""
    messages: list[MessageSent]


def read_saved_game(saved: Mapping[str, Any]) -> list[SavedPhase]:
    """The phases of a saved game of the standard map. Raises PositionError naming the phase and the field."""
    if saved.get("map", MAP) != MAP:
        raise PositionError(f"map: {saved['map']!r} is not the standard map")
    phases = saved.get("phases")
    if not isinstance(phases, Sequence) or isinstance(phases, str) or not phases:
        raise PositionError("phases: a saved game has a list of phases")
    read = []
    for index, phase in enumerate(phases):
        try:
            if phase["name"] == "COMPLETED":
                break
            state = read_state({**phase["state"], "phase": phase["name"]})
            book = read_orders(state, phase)
            messages = [_read_message(message, phase["name"]) for message in _in_order(phase.get("messages"))]
            read.append(SavedPhase(state, book, phase.get("results") or {}, messages))
        except (KeyError, TypeError) as error:
            raise PositionError(f"phases[{index}]: {error!r} is missing or has the wrong type") from error
        except PositionError as error:
            raise PositionError(f"phases[{index}].{error}") from error
    return read


def _in_order(messages: Any) -> list[Mapping[str, Any]]:
    listed = list(messages.values()) if isinstance(messages, Mapping) else list(messages or ())
    return sorted(listed, key=lambda message: int(message["time_sent"]))


def _read_message(message: Mapping[str, Any], turn: str) -> MessageSent:
    public = message["recipient"] in (EVERYBODY, "ALL")
    sender = message["sender"]
    recipients = [power for power in POWERS if power != sender] if public else [message["recipient"]]
    return MessageSent(turn, sender, recipients, message["message"], public, list(message.get("promises", ())))


def saved_game_events(saved: Mapping[str, Any]) -> list[GameEvent]:
    """A saved game as the events of a match. Positions are those recorded; results are ours. Raises PositionError."""
    events: list[GameEvent] = []
    phases = read_saved_game(saved)
    for index, phase in enumerate(phases):
        events += [phase_advanced(phase.state), *phase.messages]
        if index + 1 < len(phases):
            events.append(orders_resolved(phase.state.resolve(phase.book.orders)))
            changed = centers_changed(phase.state, phases[index + 1].state)
            if changed is not None:
                events.append(changed)
    return events
