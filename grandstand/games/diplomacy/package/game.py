"""A match in the form of the `diplomacy` package's client: its phases, and the notifications that change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grandstand.games.base import Json
from grandstand.games.diplomacy.record.saved_game import COMPLETED, MAP, SavedGameWriter, victory_note
from grandstand.games.diplomacy.rules.map import HOMES, POWER, POWERS, PROVINCES
from grandstand.games.exchange import PublicEvent

FORMING = "FORMING"
"""The name of the phase of a game that has not begun."""
ROLE = "observer_type"
TO_WIN = 18
SEASONS = {"S": "SPRING", "F": "FALL", "W": "WINTER"}
KINDS = {"M": "MOVEMENT", "R": "RETREATS", "A": "ADJUSTMENTS"}
STATUSES = {"queued": "forming", "live": "active", "finished": "completed"}
"""Status of an episode -> that of a game; any other is `canceled`."""


@dataclass(frozen=True, slots=True)
class Notification:
    """A message that the client did not ask for."""

    name: str
    fields: Mapping[str, Json]


def long_name(phase: str) -> str:
    """Return the package's long name of a phase: `SPRING 1901 MOVEMENT` for `S1901M`."""
    if phase in (FORMING, COMPLETED):
        return phase
    return f"{SEASONS[phase[0]]} {phase[1:-1]} {KINDS[phase[-1]]}"


def microseconds(at: float) -> int:
    """Return a Unix time as the package writes it."""
    return round(at * 1_000_000)


def game_status(status: str, paused: bool) -> str:
    """Return the package's word for the status of an episode."""
    word = STATUSES.get(status, "canceled")
    return "paused" if paused and word == "active" else word


class PackageGame:
    """A game of the package, folded from a match's public events. The same record always gives the same times."""

    def __init__(self, game_id: str) -> None:
        self.status = "forming"
        self.created = 0
        self._writer = SavedGameWriter(game_id)
        self._players: dict[str, str] = {}
        self._last = 0
        self._completed: dict[str, Any] | None = None
        self._outcome: list[str] = []

    @property
    def phase(self) -> str:
        """Return the name of the current phase."""
        phases = self._phases()
        return str(phases[-1]["name"]) if phases else FORMING

    @property
    def latest(self) -> int:
        """Return the time of the last change."""
        return self._last

    def take(self, event: PublicEvent) -> list[Notification]:
        """Add the next event, and return its notifications for a client that knows all earlier events."""
        match event.type:
            case "EpisodeCreated":
                self._players = {info["seat"]: info["player"] for info in event.data["seats"]}
                self.created = self._stamp(event.at)
            case "PhaseAdvanced":
                return self._advance(event)
            case "OrdersResolved":
                self._writer.take(event.type, event.data)
            case "MessageSent":
                return self._message(event)
            case "EpisodeStarted":
                return self._status("active")
            case "ControlChanged" if event.data["command"] in ("pause", "resume"):
                return self._status("paused" if event.data["command"] == "pause" else "active")
            case "EpisodeEnded":
                return self._end(event)
        return []

    def since(self, phase: str, time: int) -> list[Notification]:
        """Return the notifications since `phase`. The client knows its messages up to `time`."""
        phases = self._phases()
        names = [item["name"] for item in phases]
        missed: list[Notification] = []
        if names and phase not in names:
            phase = names[0]
            missed.append(self._set(phases[0]))
        if names:
            first = names.index(phase)
            missed += [self._processed(*pair) for pair in zip(phases[first:], phases[first + 1 :], strict=False)]
            if first == len(names) - 1:
                late = [message for message in phases[-1]["messages"] if message["time_sent"] > time]
                missed += [Notification("game_message_received", {"message": _bare(message)}) for message in late]
        return [*missed, Notification("game_status_update", {"status": self.status})]

    def data(self) -> dict[str, Json]:
        """Return the whole game in the form of the package's model, for an observer."""
        phases = self._phases()
        past = [_past(phase) for phase in phases[:-1]]
        state = phases[-1]["state"] if phases else {}
        return {
            "game_id": self._writer.game_id,
            "map_name": MAP,
            "role": ROLE,
            "observer_level": ROLE,
            "controlled_powers": [],
            "rules": [],
            "meta_rules": [],
            "no_rules": [],
            "error": [],
            "note": state.get("note", ""),
            "outcome": self._outcome,
            "phase": long_name(self.phase),
            "phase_abbr": self.phase,
            "status": self.status,
            "timestamp_created": self.created,
            "n_controls": len(POWERS),
            "deadline": 0,
            "registration_password": None,
            "daide_port": None,
            "victory": [TO_WIN],
            "win": TO_WIN,
            "zobrist_hash": 0,
            "messages": _messages(phases[-1]) if phases else [],
            "message_history": {phase["name"]: phase["messages"] for phase in past},
            "order_history": {phase["name"]: phase["orders"] for phase in past},
            "result_history": {phase["name"]: phase["results"] for phase in past},
            "state_history": {phase["name"]: phase["state"] for phase in past},
            "powers": {power: self._power(power, state) for power in POWERS},
        }

    def _phases(self) -> list[dict[str, Any]]:
        return self._writer.phases if self._completed is None else [*self._writer.phases, self._completed]

    def _power(self, power: str, state: Mapping[str, Any]) -> dict[str, Json]:
        units = state.get("units", {}).get(power, [])
        return {
            "name": power,
            "abbrev": power[0],
            "role": ROLE,
            "controller": {str(self.created): self._players.get(power, "")},
            "units": [unit for unit in units if not unit.startswith("*")],
            "retreats": state.get("retreats", {}).get(power, {}),
            "centers": state.get("centers", {}).get(power, []),
            "homes": [PROVINCES[home] for home in HOMES[POWER[power]]],
            "influence": [unit.removeprefix("*")[2:5] for unit in units],
            "adjust": [],
            "civil_disorder": 0,
            "orders": {},
            "order_is_set": 0,
            "vote": "neutral",
            "wait": True,
            "tokens": [],
        }

    def _stamp(self, at: float) -> int:
        """Return the time of the next change, in microseconds: later than all before, as the client sorts by it."""
        self._last = max(microseconds(at), self._last + 1)
        return self._last

    def _advance(self, event: PublicEvent) -> list[Notification]:
        self._writer.take(event.type, event.data)
        *past, current = self._writer.phases
        self._begin(current, event.at)
        return [self._processed(past[-1], current) if past else self._set(current)]

    def _begin(self, phase: dict[str, Any], at: float) -> None:
        """Give a new phase its time. A past phase has the time of its end."""
        time = self._stamp(at)
        for ended in self._writer.phases[-2:]:
            if ended is not phase:
                ended["state"]["timestamp"] = time
        phase["state"].update(timestamp=time, civil_disorder=dict.fromkeys(POWERS, 0))
        phase["state"].setdefault("note", "")

    def _message(self, event: PublicEvent) -> list[Notification]:
        messages = self._writer.phases[-1]["messages"]
        before = len(messages)
        self._writer.take(event.type, event.data)
        for message in messages[before:]:
            message["time_sent"] = self._stamp(event.at)
        return [Notification("game_message_received", {"message": _bare(message)}) for message in messages[before:]]

    def _status(self, status: str) -> list[Notification]:
        if status == self.status:
            return []
        self.status = status
        return [Notification("game_status_update", {"status": status})]

    def _end(self, event: PublicEvent) -> list[Notification]:
        """Close the game. As the package does for a draw, the last phase counts as past although it was not played."""
        changed = self._status(game_status(event.data["status"], paused=False))
        if self.status != "completed" or not self._writer.phases:
            return changed
        last = self._writer.phases[-1]
        winners = list((event.data.get("outcome") or {}).get("winners", ()))
        state = {
            **last["state"],
            "name": COMPLETED,
            "note": victory_note(winners),
            "units": {
                power: [unit for unit in units if not unit.startswith("*")]
                for power, units in last["state"]["units"].items()
            },
            "retreats": {power: {} for power in POWERS},
            "builds": {power: {"count": 0, "homes": []} for power in POWERS},
        }
        self._completed = {"name": COMPLETED, "state": state, "orders": {}, "results": {}, "messages": []}
        self._outcome = [last["name"], *winners]
        last["state"]["timestamp"] = state["timestamp"] = self._stamp(event.at)
        return [self._processed(last, self._completed), *changed]

    def _processed(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> Notification:
        fields = {"previous_phase_data": _past(before), "current_phase_data": _current(after)}
        return Notification("game_processed", fields)

    def _set(self, phase: Mapping[str, Any]) -> Notification:
        return Notification("game_phase_update", {"phase_data": _current(phase), "phase_data_type": "phase"})


def _past(phase: Mapping[str, Any]) -> dict[str, Json]:
    return {**phase, "messages": _messages(phase)}


def _current(phase: Mapping[str, Any]) -> dict[str, Json]:
    """Return a phase that is not played yet, even if its orders are known already."""
    return {**phase, "orders": dict.fromkeys(POWERS), "results": {}, "messages": _messages(phase)}


def _messages(phase: Mapping[str, Any]) -> Sequence[Json]:
    return [_bare(message) for message in phase["messages"]]


def _bare(message: Mapping[str, Any]) -> dict[str, Json]:
    """Return a message without the fields that the package does not know."""
    return {name: message[name] for name in ("sender", "recipient", "time_sent", "phase", "message")}
