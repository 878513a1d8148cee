"""Promises that were broken: an order against one that the same power promised in the same phase, word against word.

Only what stands in a message's `promises` counts; nothing is read out of prose, and no motive is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.base import MessageSent
from games.diplomacy.events import OrdersResolved, PromiseBroken
from games.diplomacy.words import OrderWords, order_words


def broken(messages: Iterable[MessageSent], played: OrdersResolved) -> list[PromiseBroken]:
    """One event for each promise made in the phase just played that the unit's order, given or by default, contradicts.

    A promise about a unit that got no order of its sender's (it was another's, or was not there) is not judged.
    """
    found = []
    for message in messages:
        if message.turn != played.phase:
            continue
        given = {order_words(told["order"]).place[:3]: told["order"] for told in played.orders.get(message.sender, ())}
        for promise in message.promises:
            words = order_words(promise)
            order = given.get(words.place[:3])
            if words.place and order is not None and _meaning(words) != _meaning(order_words(order)):
                found.append(
                    PromiseBroken(message.sender, played.phase, promise, order, message.recipients, message.public)
                )
    return found


def _meaning(words: OrderWords) -> tuple[str, str, str]:
    """What a unit is to do, whatever the spelling: places by province, without coasts and ways by sea."""
    if words.verb == "B":
        return words.verb, words.kind, ""
    return "-" if words.verb == "R" else words.verb, words.at[:3], words.to[:3]
