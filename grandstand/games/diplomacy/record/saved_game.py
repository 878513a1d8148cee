"""Export and import of the saved-game format of the `diplomacy` package, which published human games also use.

An imported file is exported unchanged: `SavedPartRead` events carry the parts that have no other event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grandstand.games.base import GameEvent, MessageSent, Outcome
from grandstand.games.diplomacy.events import PowerEliminated, SavedPartRead
from grandstand.games.diplomacy.press.promises import judged, replaced
from grandstand.games.diplomacy.record.report import centers_changed, orders_resolved, phase_advanced
from grandstand.games.diplomacy.rules.map import HOMES, POWER, POWERS, PROVINCES
from grandstand.games.diplomacy.rules.position import OrderBook, PositionError, read_orders, read_state
from grandstand.games.diplomacy.rules.scoring import sum_of_squares
from grandstand.games.diplomacy.rules.state import WINTER, Resolution, State

MAP = "standard"
MOST_PHASES = 500
"""The most phases of one game: a hundred years. A document with more is invalid."""
COMPLETED = "COMPLETED"
"""The name of the phase with which the package ends a game."""
EVERYBODY = "GLOBAL"
"""The recipient of a public message."""
_VICTORY = "Victory by: "
"""The beginning of the package's note on the end; the winners' first three letters follow."""


def export_saved_game(events: Sequence[tuple[str, Mapping[str, Any]]], header: Mapping[str, Any]) -> dict[str, Any]:
    """Return the saved game of an episode's events, `(type, data)` each in order; `header["episode_id"]` is its id.

    Times of messages are their places in the game: the format orders messages by them. Fields of ours are a message's
    `promises` and, where it went to several powers, `recipients`, and the game's `outcome` once the header has one.
    """
    writer = SavedGameWriter(str(header.get("episode_id", "")))
    for kind, data in events:
        writer.take(kind, data)
    outcome = header.get("outcome")
    if writer.top is not None:
        return {**writer.top, "phases": writer.phases}
    top = {"id": writer.game_id, "map": MAP, "rules": [], "phases": writer.phases}
    return {**top, "outcome": outcome} if outcome else top


class SavedGameWriter:
    """Builds a saved game from events."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.top: Mapping[str, Any] | None = None
        """The fields of the file that was read, if one was."""
        self.phases: list[dict[str, Any]] = []
        self._sent = 0
        self._open: list[dict[str, Any]] = []
        """Messages that were just written, and that may still be replaced by their original form in the file."""
        self._places: list[str] = []
        """The places of the phase's messages in the file."""
        self._closed = False
        """True if the last phase was written in its original form."""

    def take(self, kind: str, data: Mapping[str, Any]) -> None:
        if kind == "PhaseAdvanced":
            self._begin(_new_phase(data["state"], self.game_id))
        elif self._closed and (kind == "MessageSent" or data.get("part") == "phase"):
            self._begin({"messages": []})  # messages after the last phase that was played
        if kind == "MessageSent":
            recipients = [EVERYBODY] if data["public"] else data["recipients"]
            self._open = [_message(data, to, self._sent + at) for at, to in enumerate(recipients, 1)]
            self._sent += len(recipients)
            self.phases[-1]["messages"] += self._open
        elif kind == "OrdersResolved":
            for power, resolved in data["orders"].items():
                self.phases[-1]["orders"][power] = [order["order"] for order in resolved]
                self.phases[-1]["results"].update(
                    {order["unit"]: order["results"] for order in resolved if "unit" in order}
                )
        elif kind == "SavedPartRead":
            self._restore(data["part"], data["original"], data["place"])

    def _begin(self, phase: dict[str, Any]) -> None:
        self.phases.append(phase)
        self._places = []
        self._closed = False

    def _restore(self, part: str, original: Mapping[str, Any], place: str) -> None:
        if part == "game":
            self.top = original
        elif part == "message":
            message = self._open.pop(0)
            text = message["message"]
            message.clear()
            message.update({**original, "message": text})
            self._places.append(place)
        else:
            messages = dict(zip(self._places, self.phases[-1]["messages"], strict=True))
            self.phases[-1].clear()
            self.phases[-1].update(original)
            self._closed = True
            if isinstance(original.get("messages"), Mapping):
                self.phases[-1]["messages"] = messages
            elif "messages" in original:
                self.phases[-1]["messages"] = [messages[place] for place in sorted(messages, key=int)]


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
    message = {
        "sender": data["sender"],
        "recipient": recipient,
        "time_sent": sent,
        "phase": data["turn"],
        "message": data["text"],
        "promises": list(data["promises"]),
    }
    several = not data["public"] and len(data["recipients"]) > 1
    return {**message, "recipients": list(data["recipients"])} if several else message


@dataclass(frozen=True, slots=True)
class SavedMessage:
    """A parsed message of a saved game, with the parts of the file that describe it."""

    sent: MessageSent
    written: Mapping[str, Mapping[str, Any]]
    """The original message by its place; several if our export wrote one copy for each recipient."""


@dataclass(frozen=True, slots=True)
class SavedPhase:
    """A parsed phase of a saved game."""

    state: State
    book: OrderBook
    """The orders that the state allows, and the units whose orders it does not."""
    results: Mapping[str, Sequence[str]]
    """The recorded results by unit; empty if the game has none."""
    written: list[SavedMessage]
    original: Mapping[str, Any]
    """The phase as it stands in the file."""

    @property
    def messages(self) -> list[MessageSent]:
        return [message.sent for message in self.written]


def read_saved_game(saved: Mapping[str, Any]) -> list[SavedPhase]:
    """Return the phases of a saved game of the standard map. Raises PositionError naming the phase and the field."""
    if saved.get("map", MAP) != MAP:
        raise PositionError(f"map: {saved['map']!r} is not the standard map")
    phases = saved.get("phases")
    if not isinstance(phases, Sequence) or isinstance(phases, str) or not phases:
        raise PositionError("phases: a saved game has a list of phases")
    if len(phases) > MOST_PHASES:
        raise PositionError(f"phases: has {len(phases)}; a game has at most {MOST_PHASES}")
    read = []
    for index, phase in enumerate(phases):
        try:
            if phase["name"] == COMPLETED:
                break
            state = read_state({**phase["state"], "phase": phase["name"]})
            book = read_orders(state, phase)
            written = _read_messages(phase)
            read.append(SavedPhase(state, book, phase.get("results") or {}, written, phase))
        except (KeyError, TypeError) as error:
            raise PositionError(f"phases[{index}]: {error!r} is missing or has the wrong type") from error
        except PositionError as error:
            raise PositionError(f"phases[{index}].{error}") from error
    return read


def _read_messages(phase: Mapping[str, Any]) -> list[SavedMessage]:
    messages = phase.get("messages") or ()
    placed = (
        messages.items() if isinstance(messages, Mapping) else [(str(at), item) for at, item in enumerate(messages)]
    )
    read: list[SavedMessage] = []
    for place, message in sorted(placed, key=lambda item: int(item[1]["time_sent"])):
        sent = _read_message(message, phase["name"])
        if read and _is_copy(read[-1], sent, message):
            read[-1] = SavedMessage(sent, {**read[-1].written, place: message})
        else:
            read.append(SavedMessage(sent, {place: message}))
    return read


def _is_copy(last: SavedMessage, sent: MessageSent, message: Mapping[str, Any]) -> bool:
    """Return whether our export wrote `message` for a further recipient of the last one."""
    recipients = {written["recipient"] for written in last.written.values()}
    return "recipients" in message and last.sent == sent and message["recipient"] not in recipients


def _read_message(message: Mapping[str, Any], turn: str) -> MessageSent:
    public = message["recipient"] in (EVERYBODY, "ALL")
    sender = message["sender"]
    recipients = message.get("recipients") or [message["recipient"]]
    if public:
        recipients = [power for power in POWERS if power != sender]
    return MessageSent(turn, sender, list(recipients), message["message"], public, list(message.get("promises", ())))


def saved_game_events(saved: Mapping[str, Any]) -> list[GameEvent]:
    """Return a saved game as events of a match, with recorded positions and our results. Raises PositionError.

    The end is no event of the game: `saved_game_outcome` returns it.
    """
    phases = read_saved_game(saved)
    events: list[GameEvent] = [SavedPartRead("game", {name: saved[name] for name in saved if name != "phases"})]
    for index, phase in enumerate(phases):
        following = phases[index + 1] if index + 1 < len(phases) else None
        events += [phase_advanced(phase.state), *_said(phase.written), *_played(phase, following)]
        events.append(_phase_part(phase.original))
    for rest in saved["phases"][len(phases) :]:
        events += [*_said(_read_messages(rest)), _phase_part(rest)]
    return events


def _said(written: Sequence[SavedMessage]) -> list[GameEvent]:
    events: list[GameEvent] = []
    sent = [message.sent for message in written]
    for at, message in enumerate(written):
        events += [
            message.sent,
            *(replaced(sent[:at], message.sent) if message.sent.promises else ()),
            *_parts(message),
        ]
    return events


def _parts(message: SavedMessage) -> list[GameEvent]:
    parties = message.sent.seats()
    return [
        SavedPartRead(
            "message",
            {name: value for name, value in written.items() if name != "message"},
            place,
            None if parties is None else sorted(parties),
        )
        for place, written in message.written.items()
    ]


def _phase_part(original: Mapping[str, Any]) -> SavedPartRead:
    """Return the phase without its messages, which are not all public."""
    if "messages" not in original:
        return SavedPartRead("phase", dict(original))
    listed = original["messages"]
    empty: Any = {} if isinstance(listed, Mapping) else None if listed is None else []
    return SavedPartRead("phase", {**original, "messages": empty})


def _played(phase: SavedPhase, following: SavedPhase | None) -> list[GameEvent]:
    """Return the events of the resolved phase: its orders as far as they were played, and the next position."""
    before, after = phase.state, None if following is None else following.state
    events: list[GameEvent] = []
    resolution = before.resolve(phase.book.orders)
    if _was_played(phase, resolution, after):
        waived = {
            POWER[power]: sum(text.strip().upper() == "WAIVE" for text in texts or ())
            for power, texts in (phase.original.get("orders") or {}).items()
        }
        played = orders_resolved(resolution, waived, after)
        events += [played, *judged(phase.messages, played, before)]
    if after is None:
        return events
    changed = centers_changed(before, after)
    events += [changed] if changed is not None else []
    lost = [power for power in range(len(POWERS)) if before.in_play(power) and not after.in_play(power)]
    return [*events, *(PowerEliminated(POWERS[power], before.name) for power in lost)]


def _was_played(phase: SavedPhase, resolution: Resolution, after: State | None) -> bool:
    """Return whether the phase was played: some games break off before it, or in a winter without orders
    continue without adjustments."""
    if any((phase.original.get("orders") or {}).values()):
        return True
    return after is not None and (phase.state.phase != WINTER or resolution.after == after)


def saved_game_outcome(saved: Mapping[str, Any]) -> Outcome | None:
    """Return the outcome of a saved game; None if it was broken off. Raises PositionError.

    Our own exports state the outcome. The package ends a game with a phase `COMPLETED` and a note of the winners: one
    for a solo, several for a draw. Otherwise 18 centres in the last position are a solo.
    """
    if isinstance(saved.get("outcome"), Mapping):
        try:
            return Outcome(**saved["outcome"])
        except TypeError as error:
            raise PositionError(f"outcome: must have reason, winners, scores and text ({error})") from error
    state = read_saved_game(saved)[-1].state
    last = saved["phases"][-1]
    note = str((last.get("state") or {}).get("note") or "") if last["name"] == COMPLETED else ""
    named = note.removeprefix(_VICTORY).split(", ") if note.startswith(_VICTORY) else []
    winners = [power for power in POWERS if power in named or power[:3] in named]
    solo = state.solo()
    if solo is not None and not winners:
        winners = [POWERS[solo]]
    if len(winners) == 1:
        return _outcome("solo", winners, f"{winners[0].title()} wins alone.")
    if last["name"] != COMPLETED:
        return None
    scores = dict(zip(POWERS, sum_of_squares(state.center_counts(), {}), strict=True))
    return Outcome("draw", winners, scores, "The game ended in a draw.")


def victory_note(winners: Sequence[str]) -> str:
    """Return the package's note on the end of a game."""
    return _VICTORY + ", ".join(power[:3] for power in winners)


def _outcome(reason: str, winners: list[str], text: str) -> Outcome:
    return Outcome(reason, winners, {power: float(power in winners) for power in POWERS}, text)
