"""Prompts for orders and messages of language models, and parsers of their answers.

The position, the rules and the legal choices are in `text.py`; this module defines only the form of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grandstand.games.base import Action, IllegalAction, Json, SeatId
from grandstand.games.diplomacy.game import VOTES, DiplomacyGame
from grandstand.games.diplomacy.rules.map import POWER, POWERS
from grandstand.games.diplomacy.rules.state import FALL, SPRING
from grandstand.games.prompts import PromptPart, PromptSettings, ended
from grandstand.games.spec import Press, ReplyForm
from grandstand.games.word_by_word import Layout

_ORDERS = """\
You are {power}. Give your orders as {{"reasoning": "...", "orders": ["A PAR - BUR", ...]{vote}}}.
"reasoning" is a few sentences of your own thought, which no other power reads. "orders" has one order for each of your
units, each written out whole: the unit, then one of its legal orders. Units without an order hold, retreating units
without one disband, builds without one are waived."""

_VOTE = ', "vote": "none"'
_VOTES = 'A "vote" of "draw" is for ending the match as a draw among all powers that remain; it takes the vote of each.'

_MESSAGES = """\
You are {power}, in the negotiations before the orders of a phase. Write to other powers as {{"reasoning": "...",
"messages": [{{"to": ["ITALY"], "text": "...", "promises": ["A VEN H"]}}, ...]}}. An empty list is silence.
"reasoning" is your own thought, which no other power reads. "to" names powers{public}. "text" has at most
{length} characters. "promises" lists the orders of your own that the text promises for this phase, none if it promises
none: they bind nobody, but everybody who got the message will be told whether you kept each. A later promise for the
same unit replaces an earlier one, if it goes to all who had that."""


def _orders_system(game: DiplomacyGame, seat: SeatId) -> str:
    votes = game.options.draw_votes
    text = _ORDERS.format(power=seat, vote=_VOTE if votes else "")
    return f"{text}\n{_VOTES}" if votes else text


def _orders_schema(game: DiplomacyGame, seat: SeatId) -> Json:
    fields: dict[str, Json] = {"reasoning": {"type": "string"}, "orders": _list({"type": "string"})}
    if game.options.draw_votes:
        fields["vote"] = {"type": "string", "enum": list(VOTES)}
    return _object(fields)


def _read_orders(game: DiplomacyGame, seat: SeatId, answer: Mapping[str, Any]) -> list[Action]:
    """Read `orders` as a list, as lines, or by unit: `{"A PAR": "- BUR"}`."""
    orders = answer.get("orders")
    if isinstance(orders, str):
        orders = [line.strip(" ,;*") for line in orders.replace(";", "\n").splitlines()]
    elif isinstance(orders, Mapping):
        orders = [_whole(unit, order) for unit, order in orders.items()]
    if not isinstance(orders, list):
        raise IllegalAction("orders", 'must be a list of orders such as ["A PAR - BUR"]')
    action: dict[str, Any] = {"orders": [order for order in orders if order != ""]}
    if game.options.draw_votes and answer.get("vote") in VOTES:
        action["vote"] = answer["vote"]
    return [action]


def _whole(unit: str, order: Any) -> Any:
    """Return `A PAR` and `- BUR` as one order; an order that names its unit is unchanged."""
    return order if not isinstance(order, str) or order.startswith(unit) else f"{unit} {order}"


def _messages_system(game: DiplomacyGame, seat: SeatId) -> str:
    public = ', or is ["all"] for a public message'
    if game.options.press == "public":
        public = ', here always ["all"]: press is public'
    return _MESSAGES.format(power=seat, public=public, length=game.options.message_length)


def _orders_parts(game: DiplomacyGame, seat: SeatId, settings: PromptSettings) -> Sequence[PromptPart]:
    return ended(game.parts(seat, settings))


def _messages_parts(game: DiplomacyGame, seat: SeatId, settings: PromptSettings) -> Sequence[PromptPart]:
    remaining = _messages_left(game, seat)
    task = f"No orders yet: the powers negotiate. You may send {remaining} more messages in this phase."
    return [*game.parts(seat, settings), PromptPart("task", task)]


def _messages_schema(game: DiplomacyGame, seat: SeatId) -> Json:
    others = ["all"] if game.options.press == "public" else ["all", *(power for power in POWERS if power != seat)]
    message = {
        "to": _list({"type": "string", "enum": others}),
        "text": {"type": "string"},
        "promises": _list({"type": "string"}),
    }
    return _object({"reasoning": {"type": "string"}, "messages": _list(_object(message))})


def _read_messages(game: DiplomacyGame, seat: SeatId, answer: Mapping[str, Any]) -> list[Action]:
    messages = answer.get("messages")
    if not isinstance(messages, list) or not all(isinstance(message, Mapping) for message in messages):
        raise IllegalAction("messages", "must be a list of objects with to, text and promises")
    remaining = _messages_left(game, seat)
    if len(messages) > remaining:
        raise IllegalAction("messages", f"has {len(messages)} messages; {remaining} are left in this phase")
    return [{"message": _message(message)} for message in messages]


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    to = message.get("to")
    recipients = [name.strip() if isinstance(name, str) else name for name in (to if isinstance(to, list) else [to])]
    upper = [name.upper() if isinstance(name, str) else name for name in recipients]
    fields = {name: value for name, value in message.items() if name in ("text", "promises") and value is not None}
    return {"to": "all" if "ALL" in upper else upper, **fields}


def _messages_left(game: DiplomacyGame, seat: SeatId) -> int:
    return game.options.messages_per_phase - game.sent.get(POWER[seat], 0)


def _speakers(game: DiplomacyGame) -> Sequence[SeatId]:
    """Return the powers still in play, before the orders of a movement phase."""
    if (
        game.options.press == "none"
        or game.options.tactic
        or game.state.phase not in (SPRING, FALL)
        or game.submitted
        or game.outcome
    ):
        return ()
    return [POWERS[power] for power in range(len(POWERS)) if game.in_play(power)]


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


def _object(properties: Mapping[str, Json]) -> Json:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


REPLY: ReplyForm[DiplomacyGame] = ReplyForm(
    keys=("orders",),
    system=_orders_system,
    parts=_orders_parts,
    schema=_orders_schema,
    read=_read_orders,
    layout=Layout('{"orders": [', keyed=False),
)

PRESS: Press[DiplomacyGame] = Press(
    speakers=_speakers,
    rounds=lambda game: game.options.negotiation_rounds,
    form=ReplyForm(
        keys=("messages",),
        system=_messages_system,
        parts=_messages_parts,
        schema=_messages_schema,
        read=_read_messages,
    ),
)
