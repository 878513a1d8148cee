"""Removes statements that contradict another letter of the same sender and season."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.games.diplomacy.bots.pacts.statements import is_offer
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.bots.talking.statements import ALL, Statement
from grandstand.games.diplomacy.bots.talking.voice import kinds_of
from grandstand.games.diplomacy.rules.map import POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import Order

SORRY = frozenset(("own_up", "excuse", "answer_reproach_sorry", "answer_protest_sorry"))
SCORN = frozenset(
    (
        "answer_reproach_cold",
        "answer_protest_cold",
        "answer_sorry_cold",
        "answer_threat_defy",
        "threat",
        "protest_attack",
    )
)
FRIENDSHIP = frozenset(("yes_ally", "yes_attack", "propose_ally", "propose_pact", "glad_ally"))
REFUSAL = frozenset(
    ("pact_no", "pact_pity", "no_support", "no_ally", "no_peace", "cool_close", "give_notice", "threat")
)
ENDING = frozenset(("give_notice",))
PEACE = frozenset(("yes_peace", "propose_peace", "propose_truce", "plea", *FRIENDSHIP))
CALLS = frozenset(("line_all", "draw_offer", "draw_plea", "draw_yes", "draw_no"))
WARNINGS = frozenset(("warn_all",))
OPPOSED = ((SORRY, SCORN), (FRIENDSHIP, REFUSAL), (ENDING, PEACE), (CALLS, WARNINGS))
"""Pairs of kinds that exclude each other in the letters to one power in a season."""


def consistent(mind: Mind, statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements without those that contradict what the seat wrote to the same power in this season, or a
    weightier one among them, with one offer of a pact to each power, and with one order for each unit in all that is
    promised or offered."""
    said: dict[int, set[str]] = {}
    for message in mind.game.messages:
        if message.sender == mind.seat and message.turn == mind.state.name:
            for to in [ALL] if message.public else [POWERS.index(power) for power in message.recipients]:
                said.setdefault(to, set()).update(kinds_of(message.text))
    kept: list[Statement] = []
    offered: set[int] = set()
    committed: dict[int, Order] = {}
    for statement in sorted(statements, key=lambda item: -item.weight):
        spoken = said.setdefault(statement.to, set())
        orders = {UNIT_PROVINCE[order[1]]: order for order in (*statement.promises, *statement.mentioned)}
        clash = any(committed.get(at, order) != order for at, order in orders.items())
        twice = is_offer(statement) and statement.to in offered
        if clash or twice or any(_opposes(statement.kind, kind) for kind in spoken):
            kept += _owed(statement)
        else:
            spoken.add(statement.kind)
            kept.append(statement)
            committed |= orders
            if is_offer(statement):
                offered.add(statement.to)
    return kept


def _owed(statement: Statement) -> list[Statement]:
    """Return a substitute for a statement that cannot be made: an acknowledgement, if a person waits for an answer."""
    return [Statement("answer_noted", statement.to, statement.weight, owed=True)] if statement.owed else []


def _opposes(kind: str, other: str) -> bool:
    return any((kind in one and other in two) or (kind in two and other in one) for one, two in OPPOSED)
