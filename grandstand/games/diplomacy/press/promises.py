"""Promises: those in force, and their comparison with the orders of the phase.

Only the `promises` field of a message counts; the text is not interpreted.
docs/diplomacy-rules.md defines what counts as kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grandstand.games.base import MessageSent, SeatId
from grandstand.games.diplomacy.events import OrdersResolved, PromiseBroken, PromiseKept, PromiseReplaced
from grandstand.games.diplomacy.rules.map import POWERS, PROVINCE, UNITS
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.diplomacy.rules.words import OrderWords, order_words, standard

_ORDERS_OF = {"M": {"H", "-", "S", "C"}, "R": {"R", "-", "D"}, "A": {"B", "D"}}
"""Kind of phase, the last letter of its name -> the verbs of its orders."""

Verdict = PromiseKept | PromiseBroken


class _Promise(NamedTuple):
    """A promise in force."""

    text: str
    words: OrderWords
    message: MessageSent


def replaced(messages: Sequence[MessageSent], message: MessageSent) -> list[PromiseReplaced]:
    """Return events for the promises in `messages`, of the same phase, that the later `message` replaces.

    A promise is replaced by a later one of the same power for the same unit, if all recipients of the first receive the
    second. So the event reveals no other recipient.
    """
    return _add(_standing(messages, message.turn), message)


def judged(
    messages: Sequence[MessageSent],
    played: OrdersResolved,
    before: State,
    bound: Iterable[tuple[SeatId, str, list[SeatId]]] = (),
) -> list[Verdict]:
    """Return an event for each promise in force in the resolved phase. `before` is the position at its start.

    `bound` are the orders that pacts bind powers to in the phase, with the other parties: promises too. A promise that
    is not an order of this phase, or is for a unit that its sender did not order, is not judged.
    """
    submitted = {
        power: {order_words(order["order"]).place[:3]: order["order"] for order in orders}
        for power, orders in played.orders.items()
    }
    verdicts: list[Verdict] = []
    standing = _standing(messages, played.phase)
    for power, order_, others in bound:
        _add_bound(standing, MessageSent(played.phase, power, others, ""), order_)
    for text, words, message in standing:
        order = submitted.get(message.sender, {}).get(words.place[:3])
        if order is None:
            continue
        fulfilled = keeps(words, order_words(order), message.recipients, before)
        verdict = PromiseKept if fulfilled else PromiseBroken
        meant = standard(_with_kinds(words, before))
        verdicts.append(verdict(message.sender, played.phase, text, order, message.recipients, message.public, meant))
    return verdicts


def _standing(messages: Iterable[MessageSent], turn: str) -> list[_Promise]:
    standing: list[_Promise] = []
    for message in messages:
        if message.turn == turn:
            _add(standing, message)
    return standing


def _add(standing: list[_Promise], message: MessageSent) -> list[PromiseReplaced]:
    """Add the promises of `message` to those in force; return the events of the promises that they replace."""
    events = []
    for text in message.promises:
        words = order_words(text)
        if words.verb not in _ORDERS_OF[message.turn[-1]]:
            continue
        for old in [promise for promise in standing if _covers(message, promise.message)]:
            if old.words.place[:3] == words.place[:3]:
                standing.remove(old)
                sender, turn, recipients, public = (
                    message.sender,
                    message.turn,
                    old.message.recipients,
                    old.message.public,
                )
                events.append(PromiseReplaced(sender, turn, old.text, text, recipients, public))
        standing.append(_Promise(text, words, message))
    return events


def _add_bound(standing: list[_Promise], message: MessageSent, text: str) -> None:
    """Add an order of a pact to the promises in force, unless its power has promised the same to the same."""
    words = order_words(text)
    same = (
        promise.message.sender == message.sender
        and set(message.recipients) <= set(promise.message.recipients)
        and promise.words.place[:3] == words.place[:3]
        and _meaning(promise.words) == _meaning(words)
        for promise in standing
    )
    if not any(same):
        standing.append(_Promise(text, words, message))


def _covers(later: MessageSent, earlier: MessageSent) -> bool:
    """Return whether all recipients of the earlier message of the same power receive the later one."""
    if later.sender != earlier.sender or (earlier.public and not later.public):
        return False
    return set(earlier.recipients) <= set(later.recipients)


def keeps(promise: OrderWords, order: OrderWords, recipients: Sequence[SeatId], before: State) -> bool:
    """Return whether an order keeps a promise to the recipients."""
    if promise.verb != "H":
        return _meaning(promise) == _meaning(order)
    if order.verb in ("S", "C") and order.to:
        return not _against(order, recipients, before)
    return order.verb in ("H", "S")


def _against(help_: OrderWords, recipients: Sequence[SeatId], before: State) -> bool:
    """Return whether the move that an order helps enters a province that a recipient holds with a unit or owns as a
    centre. A move of one of the recipients is against none of them."""
    mover, target = PROVINCE[help_.at[:3]], PROVINCE[help_.to[:3]]
    if mover in before.units and POWERS[before.units[mover][0]] in recipients:
        return False
    owners = {before.centers.get(target), before.units[target][0] if target in before.units else None}
    return any(owner is not None and POWERS[owner] in recipients for owner in owners)


def _meaning(words: OrderWords) -> tuple[str, ...]:
    """Return the order in a normal form: places are provinces without coasts, and a convoy is an ordinary move."""
    if words.verb == "B":
        return words.verb, words.kind
    return "-" if words.verb == "R" else words.verb, words.at[:3], words.to[:3]


def _with_kinds(words: OrderWords, state: State) -> OrderWords:
    """Return the same order with the kinds of units that it leaves out."""

    def kind(named: str, place: str) -> str:
        province = PROVINCE.get(place[:3], -1)
        units = state.dislodged if province in state.dislodged else state.units
        return named or (UNITS[units[province][1]][0] if province in units else "")

    return words._replace(kind=kind(words.kind, words.place), other=kind(words.other, words.at) if words.at else "")
