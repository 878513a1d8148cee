"""A match of Diplomacy: secret orders until all are in, press, votes, the end and the score."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Self

from grandstand.games.base import Action, GameEvent, IllegalAction, Json, MessageSent, Outcome, SeatId
from grandstand.games.choices import Chosen, Pick, Slot, picks
from grandstand.games.diplomacy.agent.text import DEFAULT, LONGEST_HISTORY, parts
from grandstand.games.diplomacy.events import (
    DrawVoted,
    LieNoted,
    NotesTaken,
    OrdersResolved,
    OrdersSubmitted,
    PowerEliminated,
)
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.press import pacts
from grandstand.games.diplomacy.press.messages import noted_lies, read_message
from grandstand.games.diplomacy.press.note_rules import read_notes
from grandstand.games.diplomacy.press.press_json import message_json, notes_json, read_verdict, verdict_json
from grandstand.games.diplomacy.press.promises import Verdict, judged, replaced
from grandstand.games.diplomacy.press.relations import Relations, read_relations
from grandstand.games.diplomacy.record.history import REMEMBERED, PlayedMovement, read_movement
from grandstand.games.diplomacy.record.report import (
    centers_changed,
    orders_resolved,
    phase_advanced,
    position,
)
from grandstand.games.diplomacy.rules.choices import chosen_orders, order_slots, orders_of
from grandstand.games.diplomacy.rules.map import POWER, POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.order_list import read_orders
from grandstand.games.diplomacy.rules.orders import WAIVE, Order, order_text
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.scoring import score
from grandstand.games.diplomacy.rules.state import FALL, FALL_RETREATS, RETREATS, WINTER, State
from grandstand.games.diplomacy.types import Observation, PlayedPhase
from grandstand.games.prompts import PromptPart, PromptSettings, joined

VOTES = ("draw", "none")


class DiplomacyGame:
    """The rules of one match. Actions are `{"orders": [...]}`, `{"message": {...}}`, `{"vote": "draw"}`,
    `{"notes": {...}}`, or several at once.

    `state` is the position, for players that think in integers; it is immutable and shared by clones.
    """

    def __init__(self, options: DiplomacyOptions, state: State | None = None) -> None:
        self.options = options
        self.state = state or options.opening()
        self.submitted: dict[int, tuple[Order, ...]] = {}
        """The orders of the powers that are ready, which are secret."""
        self.votes: frozenset[int] = frozenset()
        """The powers that vote for a draw."""
        self.messages: list[MessageSent] = []
        self.verdicts: list[Verdict] = []
        """The promises that were kept and broken so far."""
        self.pacts: dict[str, pacts.Pact] = {}
        """The pacts by name, each known to its parties alone."""
        self.lies: list[LieNoted] = []
        """The promises that their powers noted as not meant, each known to its power alone."""
        self.sent: dict[int, int] = {}
        """Messages per power in this phase."""
        self.played: tuple[OrdersResolved, ...] = ()
        """The latest phases, up to the LONGEST_HISTORY movement phases that a prompt may show."""
        self.relations = Relations()
        """The public record of attacks, supports and bounces."""
        self.movements: tuple[PlayedMovement, ...] = ()
        """The last REMEMBERED movement phases."""
        self.eliminated: dict[int, int] = {}
        """Power -> the year in which it lost its last centre."""
        self.last_capture = self.state.year - 1
        """The year in which a centre last changed hands."""
        self.notes: dict[int, NotesTaken] = {}
        """The notes of each power for itself, which are secret."""
        settled = self.state.year - (self.state.phase != WINTER)
        self.years: dict[int, list[int]] = {settled: self.state.center_counts()}
        """Supply centres per power at the end of each year, the first one being that before the match."""
        self._outcome: Outcome | None = None

    @property
    def turn(self) -> str:
        return self.state.name

    @property
    def outcome(self) -> Outcome | None:
        return self._outcome

    def to_act(self) -> Sequence[SeatId]:
        if self._outcome is not None:
            return ()
        return [POWERS[power] for power in self.state.to_act() if power not in self.submitted]

    def opening(self) -> list[GameEvent]:
        return [phase_advanced(self.state)]

    def choices(self, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
        """Return a slot for each unit, or one for builds or removals, and one for the vote if the match has votes."""
        if chosen or seat not in self.to_act():
            return ()
        slots = order_slots(self.state, POWER[seat])
        if not self.options.draw_votes:
            return slots
        return [*slots, Pick("vote", picks(*VOTES), "Whether to end the match as a draw", self._vote(seat))]

    def action(self, seat: SeatId, chosen: Chosen) -> Action:
        orders = orders_of({name: value for name, value in chosen.items() if name != "vote"})
        return {"orders": orders, "vote": chosen["vote"]} if "vote" in chosen else {"orders": orders}

    def chosen(self, seat: SeatId, action: Action) -> Chosen | None:
        orders, vote = action.get("orders"), action.get("vote", self._vote(seat))
        if not isinstance(orders, list | tuple) or vote not in VOTES:
            return None
        chosen = chosen_orders(self.state, POWER[seat], orders)
        return {**chosen, "vote": vote} if self.options.draw_votes else chosen

    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        power = self._check(seat, action)
        events: list[GameEvent] = []
        notes = read_notes(action["notes"], seat, self.turn, self.notes.get(power)) if "notes" in action else None
        message = self._read_message(power, action["message"]) if "message" in action else None
        lies = noted_lies(action["message"], message) if message is not None else []
        dealt = [] if message is None else self._read_pact(action["message"].get("pact", ()), message)
        vote = self._read_vote(action["vote"]) if "vote" in action else None
        orders = self._read_orders(power, action["orders"]) if "orders" in action else None
        if notes is not None:
            self.notes[power] = notes
            events.append(notes)
        if message is not None:
            events += [message, *lies, *replaced(self.messages, message), *dealt]
            self.messages.append(message)
            self.lies += lies
            for event in dealt:
                self.pacts = pacts.after(self.pacts, event)
            self.sent[power] = self.sent.get(power, 0) + 1
        if vote is not None and vote != (power in self.votes):
            self.votes ^= {power}
            events.append(DrawVoted(seat, VOTES[not vote], self.turn))
        if orders is not None:
            self.submitted[power] = orders
            events.append(OrdersSubmitted(seat, self.turn))
        if self._drawn_by_vote():
            self._end("draw", "The powers still in the game agreed on a draw.")
        elif orders is not None and not self.to_act():
            events += self._advance()
        return events

    def default_action(self, seat: SeatId) -> Action:
        """Return no orders: units hold, dislodged units disband, builds are waived, civil disorder removes."""
        return {"orders": []}

    def observation(self, seat: SeatId) -> Observation:
        power = _power(seat)
        return {
            "power": seat,
            "state": position(self.state),
            "turn": self.turn,
            "to_act": list(self.to_act()),
            "submitted": [order_text(order) for order in self.submitted.get(power, ())],
            "votes": sorted(POWERS[voter] for voter in self.votes),
            "messages": [message_json(message) for message in self.messages if _knows(message, seat)],
            "promises": [verdict_json(verdict) for verdict in self.verdicts if _knows(verdict, seat)],
            "pacts": [pact.seen() for pact in pacts.known(self.pacts, seat).values()],
            "notes": None if power not in self.notes else notes_json(self.notes[power]),
            "years": {str(year): dict(zip(POWERS, counts, strict=True)) for year, counts in self.years.items()},
            "recent": [{"phase": played.phase, "orders": played.orders} for played in self.recent],
            "scores": self.scores(),
            "scoring": self.options.scoring_sentence,
            "options": {name: value for name, value in asdict(self.options).items() if name != "start"},
        }

    def text(self, seat: SeatId) -> str:
        return f"{joined(self.parts(seat))}\n"

    def parts(self, seat: SeatId, settings: PromptSettings = DEFAULT) -> list[PromptPart]:
        """Return the text in named parts, by the settings of a prompt."""
        played: list[PlayedPhase] = [{"phase": phase.phase, "orders": phase.orders} for phase in self.played]
        slots = order_slots(self.state, _power(seat)) if self._outcome is None else ()
        return parts(self.observation(seat), slots, settings, played)

    def scores(self) -> dict[SeatId, float]:
        return dict(zip(POWERS, score(self.options.scoring, self.state.center_counts(), self.eliminated), strict=True))

    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()[:32]

    def reseed(self, seed: int) -> None:
        """Do nothing: the rules are deterministic."""

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.submitted = self.submitted.copy()
        copy.messages = self.messages.copy()
        copy.verdicts = self.verdicts.copy()
        copy.lies = self.lies.copy()
        copy.sent = self.sent.copy()
        copy.eliminated = self.eliminated.copy()
        copy.notes = self.notes.copy()
        copy.years = self.years.copy()
        return copy

    def public(self) -> Self:
        """Return a copy without orders that are not resolved, letters, notes and what rests on letters."""
        copy = self.clone()
        copy.submitted, copy.notes, copy.pacts, copy.sent = {}, {}, {}, {}
        copy.messages, copy.lies, copy.verdicts = [], [], []
        return copy

    def to_json(self) -> Json:
        return {
            "options": self.options.to_json(),
            "state": self.state.to_json(),
            "submitted": {
                POWERS[power]: [order_text(order) for order in orders] for power, orders in self.submitted.items()
            },
            "votes": sorted(POWERS[voter] for voter in self.votes),
            "messages": [message_json(message) for message in self.messages],
            "verdicts": [verdict_json(verdict) for verdict in self.verdicts],
            "pacts": [pact.seen() for pact in self.pacts.values()],
            "lies": [asdict(lie) for lie in self.lies],
            "sent": {POWERS[power]: count for power, count in self.sent.items()},
            "played": [{"phase": played.phase, "orders": played.orders} for played in self.played],
            "relations": self.relations.to_json(),
            "movements": [movement.to_json() for movement in self.movements],
            "eliminated": {POWERS[power]: year for power, year in self.eliminated.items()},
            "last_capture": self.last_capture,
            "notes": {POWERS[power]: notes_json(notes) for power, notes in self.notes.items()},
            "years": {str(year): counts for year, counts in self.years.items()},
            "outcome": None if self._outcome is None else asdict(self._outcome),
        }

    @classmethod
    def from_json(cls, data: Json) -> Self:
        """Restore a match from the result of `to_json`."""
        game = cls(DiplomacyOptions(**data["options"]), read_state(data["state"]))
        for name, texts in data["submitted"].items():
            game.submitted[POWER[name]] = tuple(parse_order(text, game.state, POWER[name]) for text in texts)
        game.votes = frozenset(POWER[name] for name in data["votes"])
        game.messages = [MessageSent(**message) for message in data["messages"]]
        game.verdicts = [read_verdict(**verdict) for verdict in data.get("verdicts", ())]
        game.pacts = pacts.read_pacts(data.get("pacts", ()))
        game.lies = [LieNoted(**lie) for lie in data.get("lies", ())]
        game.sent = {POWER[name]: count for name, count in data["sent"].items()}
        game.played = tuple(OrdersResolved(**played) for played in data.get("played", data.get("recent", ())))
        game.relations = read_relations(data.get("relations", {}))
        game.movements = tuple(map(read_movement, data.get("movements", ())))
        game.eliminated = {POWER[name]: year for name, year in data["eliminated"].items()}
        game.last_capture = data["last_capture"]
        game.notes = {POWER[name]: NotesTaken(name, **notes) for name, notes in data.get("notes", {}).items()}
        game.years = {int(year): counts for year, counts in data.get("years", {}).items()}
        game._outcome = None if data["outcome"] is None else Outcome(**data["outcome"])
        return game

    @property
    def recent(self) -> tuple[OrdersResolved, ...]:
        """Return the phases since the last movement phase, beginning with it."""
        begin = next((at for at in range(len(self.played) - 1, -1, -1) if self.played[at].phase.endswith("M")), 0)
        return self.played[begin:]

    def _remembered(self) -> tuple[OrdersResolved, ...]:
        """Return the phases that a prompt may still show after one more movement phase."""
        movements = [at for at, played in enumerate(self.played) if played.phase.endswith("M")]
        return self.played[movements[1 - LONGEST_HISTORY] :] if len(movements) >= LONGEST_HISTORY else self.played

    def in_play(self, power: int) -> bool:
        """Return whether the power has a unit or a centre left."""
        return self.state.in_play(power)

    def _check(self, seat: SeatId, action: Action) -> int:
        power = _power(seat)
        if self._outcome is not None:
            raise IllegalAction("action", "the match is over")
        if not isinstance(action, Mapping):
            raise IllegalAction("action", f"must be an object, not {action!r}")
        if not self.in_play(power):
            raise IllegalAction("seat", f"{seat} is eliminated")
        unknown = [name for name in action if name not in ("orders", "message", "vote", "notes")]
        if unknown or not action:
            name = unknown[0] if unknown else "action"
            raise IllegalAction(name, "an action has orders, a message, a vote or notes, or several of them")
        return power

    def _read_message(self, power: int, message: Any) -> MessageSent:
        if self.sent.get(power, 0) >= self.options.messages_per_phase:
            raise IllegalAction("message", f"{self.options.messages_per_phase} messages are all for one phase")
        return read_message(message, POWERS[power], self.turn, self.options)

    def _read_pact(self, lines: Any, message: MessageSent) -> list[GameEvent]:
        return pacts.read_lines(lines, message, self.state, self.pacts)

    def _vote(self, seat: SeatId) -> str:
        """Return what the seat has voted so far."""
        return VOTES[POWER[seat] not in self.votes]

    def _read_vote(self, vote: Any) -> bool:
        if not self.options.draw_votes:
            raise IllegalAction("vote", "this match has no draw votes")
        if vote not in VOTES:
            raise IllegalAction("vote", f"must be 'draw' or 'none', not {vote!r}")
        return bool(vote == "draw")

    def _read_orders(self, power: int, texts: Any) -> tuple[Order, ...]:
        if power in self.submitted:
            raise IllegalAction("orders", f"{POWERS[power]} has given its orders for {self.turn}")
        if power not in self.state.to_act():
            raise IllegalAction("orders", f"{POWERS[power]} has nothing to order in {self.turn}")
        return read_orders(texts, self.state, power)

    def _drawn_by_vote(self) -> bool:
        return all(power in self.votes for power in range(len(POWERS)) if self.in_play(power))

    def _advance(self) -> list[GameEvent]:
        """Resolve the phase, once all orders are in."""
        before = self.state
        orders = {
            UNIT_PROVINCE[order[1]]: order
            for listed in self.submitted.values()
            for order in listed
            if order[0] != WAIVE
        }
        waived = {power: sum(order[0] == WAIVE for order in orders) for power, orders in self.submitted.items()}
        resolution = before.resolve(orders)
        played = orders_resolved(resolution, waived)
        alive = [power for power in range(len(POWERS)) if self.in_play(power)]
        self.played = (*self.played, played) if before.phase in (*RETREATS, WINTER) else (*self._remembered(), played)
        if resolution.movement is not None:
            self.movements = (*self.movements, PlayedMovement(before, self.relations, orders))[-REMEMBERED:]
        self.relations = self.relations.after(resolution)
        self.state = after = resolution.after
        self.submitted, self.sent = {}, {}
        verdicts = judged(self.messages, played, before, pacts.bound(self.pacts, before))
        ended = pacts.judged(self.pacts, played, before) if resolution.movement is not None else []
        self.verdicts += verdicts
        for event in ended:
            self.pacts = pacts.after(self.pacts, event)
        self.pacts = pacts.lapsed(self.pacts)
        events: list[GameEvent] = [played, *verdicts, *ended]
        if before.phase >= FALL and after.phase != FALL_RETREATS:
            self.years[before.year] = after.center_counts()
        changed = centers_changed(before, after)
        if changed is not None:
            events.append(changed)
            self.last_capture = before.year
            for power, count in enumerate(after.center_counts()):
                if count == 0 and power in before.centers.values():
                    self.eliminated[power] = before.year
                elif count:
                    self.eliminated.pop(power, None)
        events += [PowerEliminated(POWERS[power], before.name) for power in alive if not self.in_play(power)]
        events.append(phase_advanced(after))
        self._judge_end(before.year)
        return events

    def _judge_end(self, year: int) -> None:
        """End the match after a fall if a condition is met. `year` is that of the resolved phase."""
        state = self.state
        if state.phase != WINTER and state.year == year:
            return
        solo = state.solo()
        if solo is not None:
            self._end("solo", f"{POWERS[solo]} owns {state.center_counts()[solo]} supply centres and wins alone.", solo)
        elif year >= self.options.last_year:
            self._end("year-limit", f"The match was set to end with {self.options.last_year}.")
        elif 0 < self.options.stalemate_years <= year - self.last_capture:
            self._end("stalemate", f"No supply centre changed hands for {self.options.stalemate_years} years.")

    def _end(self, reason: str, text: str, solo: int | None = None) -> None:
        counts = self.state.center_counts()
        if solo is not None:
            winners = [POWERS[solo]]
        elif reason in ("draw", "stalemate"):
            winners = [POWERS[power] for power in range(len(POWERS)) if self.in_play(power)]
        else:
            winners = [POWERS[power] for power, count in enumerate(counts) if count == max(counts)]
        self._outcome = Outcome(reason, winners, self.scores(), text)


def _power(seat: SeatId) -> int:
    if seat not in POWER:
        raise IllegalAction("seat", f"{seat!r} is no power; there are {', '.join(POWERS)}")
    return POWER[seat]


def _knows(event: GameEvent, seat: SeatId) -> bool:
    seats = event.seats()
    return seats is None or seat in seats
