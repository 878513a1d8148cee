"""Promises broken: word against word, and nothing guessed."""

from __future__ import annotations

from typing import Any

import pytest

from games.base import GameEvent
from games.diplomacy.events import PromiseBroken
from games.match import Match

SEATS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def played(promises: list[str], orders: list[str], *, by: str = "FRANCE", to: Any = ("ITALY",)) -> list[PromiseBroken]:
    """The promises that are broken when `by` promises and then orders these in spring 1901."""
    match = Match.create("diplomacy", {}, 1)
    said = {"to": to if to == "all" else list(to), "text": "My word!", "promises": promises}
    match.apply(by, {"message": said})
    events: list[GameEvent] = []
    for seat in SEATS:
        events += match.apply(seat, {"orders": orders if seat == by else []})
    return [event for event in events if isinstance(event, PromiseBroken)]


@pytest.mark.parametrize(
    ("promise", "order"),
    [
        ("A PAR - BUR", "A PAR - BUR"),
        ("army paris to burgundy", "A PAR - BUR"),
        ("PAR - BUR", "A PAR - BUR"),
        ("A PAR H", "A PAR H"),
        ("A PAR S A MAR - BUR", "A PAR S A MAR - BUR"),
        ("PAR supports MAR to BUR", "A PAR S A MAR - BUR"),
    ],
)
def test_kept_in_any_notation(promise: str, order: str) -> None:
    assert played([promise], [order, "A MAR - BUR"]) == []


@pytest.mark.parametrize(
    ("promise", "order", "given"),
    [
        ("A PAR - BUR", "A PAR - PIC", "A PAR - PIC"),
        ("A PAR H", "A PAR - PIC", "A PAR - PIC"),
        ("A PAR S A MAR - BUR", "A PAR - BUR", "A PAR - BUR"),
        ("A PAR S A MAR", "A PAR S A MAR - BUR", "A PAR S A MAR - BUR"),
        ("A PAR S A MUN - BUR", "A PAR S A MAR - BUR", "A PAR S A MAR - BUR"),
        ("A PAR - BUR", "F BRE - MAO", "A PAR H"),  # no order is an order to hold
    ],
)
def test_broken(promise: str, order: str, given: str) -> None:
    assert played([promise], [order]) == [PromiseBroken("FRANCE", "S1901M", promise, given, ["ITALY"], False)]


@pytest.mark.parametrize("promise", ["A LON H", "A BUR - MUN", "WAIVE", "A PAR B", "A PAR D"])
def test_what_the_power_cannot_order_now_is_not_judged(promise: str) -> None:
    assert played([promise], ["A PAR - BUR"]) == []


def test_a_word_is_only_for_its_phase() -> None:
    match = Match.create("diplomacy", {}, 1)
    match.apply("FRANCE", {"message": {"to": ["ITALY"], "text": "", "promises": ["A PAR H"]} | {"text": "I hold."}})
    for _ in range(2):
        for seat in match.waiting:
            orders = ["A PAR - BUR"] if seat == "FRANCE" and match.game.turn == "F1901M" else []
            events = match.apply(seat, {"orders": orders})
    assert not [event for event in events if isinstance(event, PromiseBroken)]


def test_every_recipient_of_each_promise_is_told_and_nobody_else() -> None:
    (secret,) = played(["A PAR H"], ["A PAR - BUR"], to=("ITALY", "GERMANY"))
    assert secret.seats() == frozenset({"FRANCE", "ITALY", "GERMANY"})
    (public,) = played(["A PAR H"], ["A PAR - BUR"], to="all")
    assert public.seats() is None


def test_prose_is_never_read() -> None:
    match = Match.create("diplomacy", {}, 1)
    match.apply("FRANCE", {"message": {"to": "all", "text": "I promise A PAR H, on my honour."}})
    events: list[GameEvent] = []
    for seat in SEATS:
        events += match.apply(seat, {"orders": ["A PAR - BUR"] if seat == "FRANCE" else []})
    assert not [event for event in events if isinstance(event, PromiseBroken)]
