"""Statements that carry the lines of a pact, and the words for joint plans."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from grandstand.games.base import Action
from grandstand.games.diplomacy.bots.stance import Plan
from grandstand.games.diplomacy.bots.talking.board import listed, place_words, unit_words, whose
from grandstand.games.diplomacy.bots.talking.statements import Statement
from grandstand.games.diplomacy.bots.talking.voice import kinds_of
from grandstand.games.diplomacy.press.pacts import Pact
from grandstand.games.diplomacy.rules.map import POWERS, PROVINCE, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import MOVE, SUPPORT, SUPPORT_MOVE, VIA, Order
from grandstand.games.diplomacy.rules.words import order_words


@dataclass(frozen=True, slots=True)
class PactStatement(Statement):
    """A statement with the lines of a pact, which its message carries."""

    lines: tuple[str, ...] = ()


def is_offer(statement: Statement) -> bool:
    """Return whether the statement offers a pact."""
    lines = statement.lines if isinstance(statement, PactStatement) else ()
    return any(not line.startswith(("ACCEPT", "REFUSE")) for line in lines)


def with_lines(actions: Sequence[Action], statements: Sequence[Statement]) -> list[Action]:
    """Return the messages, each with the lines of those statements to its recipient that it words."""
    out: list[Action] = []
    for action in actions:
        message = action["message"]
        lines = [
            line
            for statement in statements
            if isinstance(statement, PactStatement)
            and message["to"] == [POWERS[statement.to]]
            and statement.kind in kinds_of(message["text"])
            for line in statement.lines
        ]
        out.append({"message": {**message, "pact": lines}} if lines else action)
    return out


def goals_of(pact: Pact) -> list[int]:
    """Return the places that the supported moves of a pact go into."""
    words = (order_words(term["order"]) for term in pact.offer.terms)
    return [PROVINCE[order.to[:3]] for order in words if order.verb == "S" and order.to]


def deal_words(orders: Plan, owners: Mapping[int, int], speaker: int, listener: int) -> str:
    """Return a joint plan in words: `your army in Munich supports my army in Paris into Burgundy`."""

    def named(unit: int) -> str:
        return f"{whose(owners[UNIT_PROVINCE[unit]], speaker, listener)} {unit_words(unit)}"

    helped = {order[2] for order in orders.values() if order[0] in (SUPPORT, SUPPORT_MOVE)}
    clauses = [_clause(order, named) for order in orders.values()
               if order[0] in (SUPPORT, SUPPORT_MOVE) or order[1] not in helped]  # fmt: skip
    return listed(clauses)


def _clause(order: Order, named: Callable[[int], str]) -> str:
    kind, unit, there, moved = order
    if kind == SUPPORT_MOVE:
        return f"{named(unit)} supports {named(there)} into {place_words(UNIT_PROVINCE[moved])}"
    if kind == SUPPORT:
        return f"{named(unit)} supports {named(there)} where it stands"
    if kind in (MOVE, VIA):
        return f"{named(unit)} goes to {place_words(UNIT_PROVINCE[there])}"
    return f"{named(unit)} stays where it is"
