"""Parser of the messages between powers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grandstand.games.base import IllegalAction, MessageSent, SeatId
from grandstand.games.diplomacy.events import LieNoted
from grandstand.games.diplomacy.rules.map import POWER, POWERS
from grandstand.games.diplomacy.rules.words import NotAnOrder, order_words

MAX_PROMISES = 40
MAX_PROMISE_LENGTH = 300


def read_message(message: Any, sender: SeatId, turn: str, press: str, longest: int) -> MessageSent:
    """Return the message of `{"to": ["ITALY"], "text": "...", "promises": ["A VEN H"], "lies": [], "pact": []}`; `to`
    may be `"all"`, a single power, or several.

    Promises are present or future orders in any notation. They are not binding. `lies` is read by `noted_lies`, `pact`
    by `pacts.read_lines`. `press` is the option of the match, `longest` the characters that a text may have. Raises
    IllegalAction.
    """
    if press == "none":
        raise IllegalAction("message", "this match is played without press")
    if not isinstance(message, Mapping):
        raise IllegalAction("message", "must be an object with to and text")
    unknown = [name for name in message if name not in ("to", "text", "promises", "lies", "pact")]
    if unknown:
        raise IllegalAction(f"message.{unknown[0]}", "a message has to, text, promises, lies and pact")
    public, recipients = _recipients(message.get("to"), sender)
    if press == "public" and not public:
        raise IllegalAction("message.to", "press is public in this match: write to 'all'")
    text = message.get("text")
    if not isinstance(text, str) or not text.strip():
        raise IllegalAction("message.text", "must be a text that is not empty")
    if len(text) > longest:
        raise IllegalAction("message.text", f"has {len(text)} characters; {longest} are all it may have")
    return MessageSent(turn, sender, recipients, text, public, _promises(message.get("promises", ())))


def noted_lies(message: Mapping[str, Any], sent: MessageSent) -> list[LieNoted]:
    """Return the promises of `message` that its sender noted, for itself alone, as not meant.

    Raises IllegalAction.
    """
    lies = message.get("lies", ())
    if not isinstance(lies, Sequence) or isinstance(lies, str):
        raise IllegalAction("message.lies", "must be a list of promises of the same message")
    for index, lie in enumerate(lies):
        if lie not in sent.promises:
            raise IllegalAction(f"message.lies[{index}]", "is none of the message's promises; repeat one as it stands")
    return [LieNoted(sent.sender, sent.turn, lie, sent.recipients, sent.public) for lie in lies]


def _recipients(to: Any, sender: SeatId) -> tuple[bool, list[SeatId]]:
    if to == "all" or to == ["all"]:
        return True, [power for power in POWERS if power != sender]
    named = [to] if isinstance(to, str) else to
    if not isinstance(named, Sequence) or not 0 < len(named) <= len(POWERS):
        raise IllegalAction("message.to", f"must be 'all' or a list of up to {len(POWERS)} powers")
    for name in named:
        if not isinstance(name, str) or name not in POWER or name == sender:
            others = ", ".join(power for power in POWERS if power != sender)
            raise IllegalAction("message.to", f"{name!r} cannot be written to; write to 'all' or some of {others}")
    return False, sorted(set(named))


def _promises(promises: Any) -> list[str]:
    if not isinstance(promises, Sequence) or isinstance(promises, str) or len(promises) > MAX_PROMISES:
        raise IllegalAction("message.promises", f"must be a list of up to {MAX_PROMISES} orders")
    for index, promise in enumerate(promises):
        if isinstance(promise, str) and len(promise) > MAX_PROMISE_LENGTH:
            length = f"has {len(promise)} characters; {MAX_PROMISE_LENGTH} are all that an order may have"
            raise IllegalAction(f"message.promises[{index}]", length)
        try:
            order_words(promise if isinstance(promise, str) else "")
        except NotAnOrder as error:
            raise IllegalAction(f"message.promises[{index}]", str(error)) from error
    return list(promises)
