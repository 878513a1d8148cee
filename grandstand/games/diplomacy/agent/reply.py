"""Prompts for orders and messages of language models, and the choices of a message.

The position, the rules and the legal choices are in `text.py`; this module defines only the form of the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.games.base import Action, Json, SeatId
from grandstand.games.choices import Chosen, Layout, Many, Option, Slot, Text, picks
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.press.messages import MAX_PROMISE_LENGTH, MAX_PROMISES
from grandstand.games.diplomacy.press.pacts import LONGEST_LINE, MOST_LINES
from grandstand.games.diplomacy.rules.map import POWER, POWERS
from grandstand.games.diplomacy.rules.state import FALL, SPRING
from grandstand.games.prompts import PromptPart, PromptSettings, ended
from grandstand.games.reply_form import ReplyForm
from grandstand.games.spec import Press

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
same unit replaces an earlier one, if it goes to all who had that.{pacts}"""

_PACTS = """
"pact", beside "promises", offers the named powers a pact, which is in force once all have accepted: a list of lines
such as "A PAR - BUR" and "A MUN S A PAR - BUR" (orders of any party, of this phase), "F1901M FRANCE A BUR - BEL" (of
one of the next two phases, with its power), "ZONE RUH" (a place that no party enters), "UNTIL F1902M", "ELSE WAR".
"ACCEPT FG1" or "REFUSE FG1" answers an offer; "COUNTER FG1" before other lines offers something else instead. [] is
none. All parties will be told whether the pact was kept, and who broke it."""


def _orders_system(game: DiplomacyGame, seat: SeatId) -> str:
    votes = game.options.draw_votes
    text = _ORDERS.format(power=seat, vote=_VOTE if votes else "")
    return f"{text}\n{_VOTES}" if votes else text


def _messages_system(game: DiplomacyGame, seat: SeatId) -> str:
    public = ', or is ["all"] for a public message'
    if game.options.press == "public":
        public = ', here always ["all"]: press is public'
    return _MESSAGES.format(
        power=seat,
        public=public,
        length=game.options.message_length,
        pacts=_PACTS if game.options.press == "full" else "",
    )


def _orders_parts(game: DiplomacyGame, seat: SeatId, settings: PromptSettings) -> Sequence[PromptPart]:
    return ended(game.parts(seat, settings))


def _messages_parts(game: DiplomacyGame, seat: SeatId, settings: PromptSettings) -> Sequence[PromptPart]:
    remaining = _messages_left(game, seat)
    task = f"No orders yet: the powers negotiate. You may send {remaining} more messages in this phase."
    return [*game.parts(seat, settings), PromptPart("task", task)]


def _message_slots(game: DiplomacyGame, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
    """Return to whom, what, the promises (orders of this phase or a later one, in any notation), and the pact."""
    if chosen:
        return ()
    others = [] if game.options.press == "public" else [power for power in POWERS if power != seat]
    slots: list[Slot] = [
        Many("to", picks("all", *others), 1, len(others) or 1),
        Text("text", game.options.message_length),
        Many("promises", (), 0, MAX_PROMISES, default=(), free=MAX_PROMISE_LENGTH),
    ]
    if others:
        slots.append(_pact_slot(game, seat))
    return slots


def _pact_slot(game: DiplomacyGame, seat: SeatId) -> Many:
    """Return the slot for the lines of a pact: the answers to open offers, and lines of its own."""
    waiting = [name for name, pact in game.pacts.items() if seat in pact.waiting]
    answers = [
        Option(f"{answer} {name}", target=name) for name in waiting for answer in ("ACCEPT", "REFUSE", "COUNTER")
    ]
    return Many("pact", answers, 0, MOST_LINES, default=(), free=LONGEST_LINE)


def _message(game: DiplomacyGame, seat: SeatId, chosen: Chosen) -> Action:
    to, text, promises = (chosen[name] for name in ("to", "text", "promises"))
    assert isinstance(to, tuple)
    assert isinstance(promises, tuple)
    message: dict[str, Json] = {"to": "all" if "all" in to else [*to], "text": text, "promises": [*promises]}
    lines = chosen.get("pact", ())
    assert isinstance(lines, tuple)
    return {"message": message | ({"pact": [*lines]} if lines else {})}


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


REPLY: ReplyForm[DiplomacyGame] = ReplyForm(
    system=_orders_system,
    parts=_orders_parts,
    layout=Layout("orders", keyed=False, beside=("vote",)),
)

PRESS: Press[DiplomacyGame] = Press(
    speakers=_speakers,
    rounds=lambda game: game.options.negotiation_rounds,
    form=ReplyForm(
        system=_messages_system,
        parts=_messages_parts,
        layout=Layout("messages"),
        choices=_message_slots,
        action=_message,
        least=0,
        strict=False,
    ),
)
