"""Promises that were broken: an order against one that the same power promised in the same phase, word against word.

Only what stands in a message's `promises` counts; nothing is read out of prose, and no motive is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.base import MessageSent
from games.diplomacy.events import OrdersResolved, PromiseBroken
from games.diplomacy.words import OrderWords, order_words

_ORDERS_OF = {"M": {"H", "-", "S", "C"}, "R": {"R", "-", "D"}, "A": {"B", "D"}}
"""Kind of phase, the last letter of its name -> the verbs of its orders."""


def broken(messages: Iterable[MessageSent], played: OrdersResolved) -> list[PromiseBroken]:
    """One event for each promise made in the phase just played that the unit's order, given or by default, contradicts.

    A promise of what is no order of the phase, or for a unit that its sender did not order, is not judged.
    """
    found = []
    for message in messages:
        if message.turn != played.phase:
            continue
        given = {order_words(told["order"]).place[:3]: told["order"] for told in played.orders.get(message.sender, ())}
        for promise in message.promises:
            words = order_words(promise)
            order = given.get(words.place[:3]) if words.verb in _ORDERS_OF[played.phase[-1]] else None
            if order is not None and _meaning(words) != _meaning(order_words(order)):
                found.append(
                    PromiseBroken(message.sender, played.phase, promise, order, message.recipients, message.public)
                )
    return found


def _meaning(words: OrderWords) -> tuple[str, str, str]:
    """What a unit is to do, whatever the spelling: places by province, without coasts and ways by sea."""
    if words.verb == "B":
        return words.verb, words.kind, ""
    return "-" if words.verb == "R" else words.verb, words.at[:3], words.to[:3]
