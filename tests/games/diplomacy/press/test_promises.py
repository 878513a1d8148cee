"""Promises: which stand, which are kept and which are broken; nothing is guessed."""

from __future__ import annotations

from typing import Any

import pytest

from grandstand.games.base import GameEvent, IllegalAction, MessageSent
from grandstand.games.diplomacy.events import OrdersResolved, PromiseBroken, PromiseKept, PromiseReplaced
from grandstand.games.diplomacy.press.promises import judged, replaced
from grandstand.games.diplomacy.record.report import orders_resolved
from grandstand.games.diplomacy.rules.position import read_orders, read_state
from grandstand.games.match import Match
from grandstand.games.registry import game_spec

SEATS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def played(promises: list[str], orders: list[str], *, by: str = "FRANCE", to: Any = ("ITALY",)) -> list[PromiseBroken]:
    """The promises that are broken when `by` promises and then orders these in spring 1901."""
    match = Match(game_spec("diplomacy"), {}, 1)
    message = {"to": to if to == "all" else list(to), "text": "My word!", "promises": promises}
    match.apply(by, {"message": message})
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
    ("promise", "order", "standing"),
    [
        ("A PAR - BUR", "A PAR - PIC", "A PAR - PIC"),
        ("A PAR H", "A PAR - PIC", "A PAR - PIC"),
        ("A PAR S A MAR - BUR", "A PAR - BUR", "A PAR - BUR"),
        ("A PAR S A MAR", "A PAR S A MAR - BUR", "A PAR S A MAR - BUR"),
        ("A PAR S A MUN - BUR", "A PAR S A MAR - BUR", "A PAR S A MAR - BUR"),
        ("A PAR - BUR", "F BRE - MAO", "A PAR H"),  # no order is an order to hold
    ],
)
def test_broken(promise: str, order: str, standing: str) -> None:
    (broken,) = played([promise], [order])
    assert broken == PromiseBroken("FRANCE", "S1901M", promise, standing, ["ITALY"], False, promise)


@pytest.mark.parametrize("promise", ["A LON H", "A BUR - MUN", "WAIVE", "A PAR B", "A PAR D"])
def test_what_the_power_cannot_order_now_is_not_judged(promise: str) -> None:
    assert played([promise], ["A PAR - BUR"]) == []


def test_a_word_is_only_for_its_phase() -> None:
    match = Match(game_spec("diplomacy"), {}, 1)
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
    match = Match(game_spec("diplomacy"), {}, 1)
    match.apply("FRANCE", {"message": {"to": "all", "text": "I promise A PAR H, on my honour."}})
    events: list[GameEvent] = []
    for seat in SEATS:
        events += match.apply(seat, {"orders": ["A PAR - BUR"] if seat == "FRANCE" else []})
    assert not [event for event in events if isinstance(event, PromiseBroken)]


UNITS = {"ITALY": ["A VEN", "A TYR", "F ION"], "AUSTRIA": ["A TRI", "A VIE"], "TURKEY": ["F EAS"], "FRANCE": ["A PIE"]}
CENTERS = {"ITALY": ["VEN", "ROM"], "AUSTRIA": ["TRI", "VIE"], "TURKEY": ["GRE"]}


def word(*promises: str, by: str = "ITALY", to: tuple[str, ...] = ("AUSTRIA",), public: bool = False) -> MessageSent:
    return MessageSent("S1903M", by, list(to), "My word!", public, list(promises))


def verdicts(messages: list[MessageSent], **orders: list[str]) -> list[PromiseKept | PromiseBroken]:
    """Return the events about the promises of `messages` when these orders are played in spring 1903."""
    state = read_state({"phase": "S1903M", "units": UNITS, "centers": CENTERS})
    book = read_orders(state, {"orders": orders})
    assert not book.void
    report: OrdersResolved = orders_resolved(state.resolve(book.orders))
    return judged(messages, report, state)


@pytest.mark.parametrize(
    ("promise", "order", "kept"),
    [
        ("A VEN H", "A VEN H", True),
        ("A VEN H", "A VEN S A TYR", True),
        ("A VEN H", "A VEN S A TYR - TRI", False),  # against Austria, which had the promise
        ("A VEN H", "A VEN S A PIE - TUS", True),
        ("A VEN H", "A VEN S A TRI - TYR", True),  # Austria's own move
        ("A VEN H", "A VEN - TRI", False),
        ("F ION H", "F ION S A VEN - APU", True),
        ("A VEN S A TYR", "A VEN H", False),
        ("A VEN S A TYR - TRI", "A VEN S A TYR - TRI", True),
        ("A VEN S A TYR - TRI", "A VEN S A TYR", False),
        ("VEN - APU", "A VEN - APU", True),
    ],
)
def test_what_counts_as_kept(promise: str, order: str, kept: bool) -> None:
    (verdict,) = verdicts([word(promise)], ITALY=[order])
    assert isinstance(verdict, PromiseKept if kept else PromiseBroken)


def test_a_convoy_keeps_a_promise_to_hold_unless_it_lands_on_who_had_it() -> None:
    def convoy(to: str) -> list[PromiseKept | PromiseBroken]:
        state = read_state({"phase": "S1903M", "units": {"ITALY": ["F ION", "A APU"]}, "centers": CENTERS})
        book = read_orders(state, {"orders": {"ITALY": ["A APU - GRE VIA", "F ION C A APU - GRE"]}})
        assert not book.void
        return judged([word("F ION H", to=(to,))], orders_resolved(state.resolve(book.orders)), state)

    assert [type(verdict) for verdict in convoy("TURKEY")] == [PromiseBroken]
    assert [type(verdict) for verdict in convoy("AUSTRIA")] == [PromiseKept]


def test_help_against_one_power_breaks_no_promise_to_another() -> None:
    messages = [word("A VEN H", to=("FRANCE",)), word("A VEN H", to=("AUSTRIA",))]
    report = verdicts(messages, ITALY=["A VEN S A TYR - TRI", "A TYR - TRI"])
    assert [(type(item), item.recipients) for item in report] == [
        (PromiseKept, ["FRANCE"]),
        (PromiseBroken, ["AUSTRIA"]),
    ]


def test_a_renegotiated_promise_replaces_the_first() -> None:
    first, second = word("A VEN H"), word("venice to apulia")
    assert replaced([first], second) == [
        PromiseReplaced("ITALY", "S1903M", "A VEN H", "venice to apulia", ["AUSTRIA"], False)
    ]
    (kept,) = verdicts([first, second], ITALY=["A VEN - APU"])
    assert kept == PromiseKept("ITALY", "S1903M", "venice to apulia", "A VEN - APU", ["AUSTRIA"], False, "A VEN - APU")


def test_a_promise_to_another_power_or_for_another_unit_stays() -> None:
    others = [word("A VEN H", to=("FRANCE",)), word("A TYR H"), word("A TRI H", by="AUSTRIA", to=("ITALY",))]
    assert [event for other in others for event in replaced([other], word("A VEN - APU"))] == []
    report = verdicts([*others, word("A VEN - APU")], ITALY=["A VEN - APU", "A TYR H"])
    assert [(type(item), item.recipients) for item in report] == [
        (PromiseBroken, ["FRANCE"]),
        (PromiseKept, ["AUSTRIA"]),
        (PromiseKept, ["ITALY"]),
        (PromiseKept, ["AUSTRIA"]),
    ]


def test_only_a_promise_to_all_who_had_the_first_replaces_it() -> None:
    """An event about a promise does not tell its recipients whom else the sender wrote to."""
    others = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "RUSSIA", "TURKEY")
    joint, public = word("A VEN H", to=("AUSTRIA", "FRANCE")), word("A VEN H", to=others, public=True)
    assert replaced([joint], word("A VEN - APU")) == []
    assert replaced([public], word("A VEN - APU", to=others)) == []
    (of_joint,) = replaced([joint], word("A VEN - APU", to=("FRANCE", "GERMANY", "AUSTRIA")))
    assert of_joint.seats() == frozenset({"ITALY", "AUSTRIA", "FRANCE"})
    (of_public,) = replaced([public], word("A VEN - APU", to=others, public=True))
    assert of_public.seats() is None


def test_the_match_tells_of_promises_replaced_and_kept() -> None:
    match = Match(game_spec("diplomacy"), {}, 1)
    for promise in ("A PAR H", "A PAR - BUR"):
        events = match.apply("FRANCE", {"message": {"to": ["ITALY"], "text": "My word!", "promises": [promise]}})
    assert events[1:] == [PromiseReplaced("FRANCE", "S1901M", "A PAR H", "A PAR - BUR", ["ITALY"], False)]
    for seat in SEATS:
        events = match.apply(seat, {"orders": ["A PAR - BUR"] if seat == "FRANCE" else []})
    reports = [event for event in events if isinstance(event, PromiseKept | PromiseBroken)]
    assert reports == [PromiseKept("FRANCE", "S1901M", "A PAR - BUR", "A PAR - BUR", ["ITALY"], False, "A PAR - BUR")]
    assert reports[0].seats() == frozenset({"FRANCE", "ITALY"})


def test_verdicts_survive_saving_and_are_known_to_those_who_had_the_promise() -> None:
    match = Match(game_spec("diplomacy"), {}, 1)
    match.apply("FRANCE", {"message": {"to": ["ITALY"], "text": "My word!", "promises": ["A PAR H"]}})
    for seat in SEATS:
        match.apply(seat, {"orders": ["A PAR - BUR"] if seat == "FRANCE" else []})
    for game in (match.game, match.spec.rules.load(match.game.to_json()), match.game.clone()):
        for seat in SEATS:
            known = game.observation(seat)["promises"]
            assert game.text(seat) == match.game.text(seat)
            assert [(item["kept"], item["promise"]) for item in known] == (
                [(False, "A PAR H")] if seat in ("FRANCE", "ITALY") else []
            )


def test_a_promise_has_a_bounded_length() -> None:
    match = Match(game_spec("diplomacy"), {}, 1)
    promise = f"{'the ' * 100}A PAR H"
    with pytest.raises(IllegalAction, match=r"message.promises\[0\]: has 407 characters; 300"):
        match.apply("FRANCE", {"message": {"to": "all", "text": "My word!", "promises": [promise]}})
