"""Pacts: how they are offered, answered, judged and kept from others."""

from __future__ import annotations

from typing import Any

import pytest

from grandstand.games.base import GameEvent, IllegalAction
from grandstand.games.diplomacy.events import (
    PactAccepted,
    PactBroken,
    PactKept,
    PactOffered,
    PactRefused,
    PromiseBroken,
    PromiseKept,
)
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions

PLAN = ["A PAR - BUR", "A MUN - RUH", "F1901M A BUR - BEL", "F1901M A RUH S A BUR - BEL"]


def game(**options: Any) -> DiplomacyGame:
    return DiplomacyGame(DiplomacyOptions(**options))


def write(match: DiplomacyGame, sender: str, to: list[str], *lines: str) -> list[GameEvent]:
    return match.apply(sender, {"message": {"to": to, "text": "A word on our plan.", "pact": list(lines)}})


def agreed(*lines: str) -> DiplomacyGame:
    """Return a match in which Germany has accepted a pact that France offered."""
    match = game()
    write(match, "FRANCE", ["GERMANY"], *lines)
    write(match, "GERMANY", ["FRANCE"], "ACCEPT FG1")
    return match


def play(match: DiplomacyGame, **orders: list[str]) -> list[GameEvent]:
    """Play the phase; return the events of pacts and promises."""
    events: list[GameEvent] = []
    for power in match.to_act():
        events += match.apply(power, {"orders": orders.get(power, [])})
    kinds = PactKept | PactBroken | PromiseKept | PromiseBroken
    return [event for event in events if isinstance(event, kinds)]


def test_an_offer_names_its_terms_and_an_answer_its_offer() -> None:
    match = game()
    _, offer = write(match, "FRANCE", ["GERMANY"], *PLAN, "ZONE PIC", "UNTIL S1902M", "ELSE WAR")
    assert isinstance(offer, PactOffered)
    assert (offer.pact, offer.parties, offer.until, offer.penalty) == ("FG1", ["FRANCE", "GERMANY"], "S1902M", "war")
    assert [(term["turn"], term["power"], term["order"]) for term in offer.terms] == [
        ("S1901M", "FRANCE", "A PAR - BUR"),
        ("S1901M", "GERMANY", "A MUN - RUH"),
        ("F1901M", "FRANCE", "A BUR - BEL"),
        ("F1901M", "GERMANY", "A RUH S A BUR - BEL"),
    ]
    _, counter = write(match, "GERMANY", ["FRANCE"], "COUNTER FG1", "A MUN - TYR")
    assert isinstance(counter, PactOffered)
    assert (counter.pact, counter.counters) == ("FG2", "FG1")
    assert match.pacts["FG1"].state == "countered"
    assert isinstance(write(match, "FRANCE", ["GERMANY"], "REFUSE FG2")[-1], PactRefused)
    assert match.pacts["FG2"].state == "refused"


def test_a_pact_binds_all_its_parties_until_its_last_phase() -> None:
    match = agreed(*PLAN)
    assert match.pacts["FG1"].state == "accepted"
    first = play(match, FRANCE=["A PAR - BUR"], GERMANY=["A MUN - RUH"])
    assert [(type(event), getattr(event, "power", "")) for event in first] == [
        (PromiseKept, "FRANCE"),
        (PromiseKept, "GERMANY"),
    ]
    *_, last = play(match, FRANCE=["A BUR - BEL"], GERMANY=["A RUH S A BUR - BEL"])
    assert last == PactKept("FG1", "F1901M", ["FRANCE", "GERMANY"])


def test_who_breaks_a_pact_is_named_and_the_rest_is_void() -> None:
    match = agreed(*PLAN)
    *_, broken = play(match, FRANCE=["A PAR - BUR"], GERMANY=["A MUN - BUR"])
    assert broken == PactBroken("FG1", "S1901M", "GERMANY", ["FRANCE", "GERMANY"], "A MUN - RUH", "A MUN - BUR")
    assert play(match, FRANCE=["A PAR H"]) == []


def test_a_move_into_a_zone_breaks_the_pact() -> None:
    *_, broken = play(agreed("ZONE BUR", "UNTIL S1902M"), FRANCE=["A PAR - BUR"])
    assert isinstance(broken, PactBroken)
    assert (broken.power, broken.term, broken.order) == ("FRANCE", "ZONE BUR", "A PAR - BUR")


def test_an_order_lapses_whose_unit_or_whose_helped_unit_is_not_there() -> None:
    match = agreed("F1901M FRANCE A BUR H", "F1901M GERMANY A MUN S A BUR")
    assert play(match, FRANCE=["A PAR - PIC"]) == []
    assert play(match) == [PactKept("FG1", "F1901M", ["FRANCE", "GERMANY"])]


def test_an_offer_that_nobody_answers_lapses() -> None:
    match = game()
    write(match, "FRANCE", ["GERMANY"], "A PAR - BUR")
    play(match)
    assert match.pacts["FG1"].state == "lapsed"
    with pytest.raises(IllegalAction, match="no offer FG1 that waits"):
        write(match, "GERMANY", ["FRANCE"], "ACCEPT FG1")


def test_a_pact_of_three_is_in_force_once_both_others_accept() -> None:
    match = game()
    write(match, "FRANCE", ["GERMANY", "ENGLAND"], "ZONE ENG")
    (name,) = match.pacts
    assert name == "EFG1"
    assert isinstance(write(match, "GERMANY", ["FRANCE", "ENGLAND"], f"ACCEPT {name}")[-1], PactAccepted)
    assert match.pacts[name].waiting == ["ENGLAND"]
    write(match, "ENGLAND", ["FRANCE", "GERMANY"], f"ACCEPT {name}")
    assert match.pacts[name].state == "accepted"


def test_only_the_parties_know_a_pact() -> None:
    match = agreed("ZONE BUR")
    for seat in ("FRANCE", "GERMANY"):
        assert [pact["pact"] for pact in match.observation(seat)["pacts"]] == ["FG1"]
        assert "FG1 accepted, offered by FRANCE to GERMANY: nobody enters BUR" in match.text(seat)
    assert match.observation("ITALY")["pacts"] == []
    (kept,) = play(match)
    assert kept.seats() == frozenset(("FRANCE", "GERMANY"))


def test_a_match_with_pacts_is_restored() -> None:
    match = agreed(*PLAN, "ZONE PIC")
    restored = DiplomacyGame.from_json(match.to_json())
    assert restored.digest() == match.digest()
    assert restored.pacts == match.pacts
    old = match.to_json()
    del old["pacts"]
    assert DiplomacyGame.from_json(old).pacts == {}


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["A PAR - MOS"], "no chain of fleets"),
        (["F1901M GERMANY A MUN S A BUR - BEL"], "where its unit could move"),
        (["A VEN H"], "ITALY is no party"),
        (["A BUR H"], "no unit in BUR"),
        (["F1903M FRANCE A PAR H"], "may name S1901M, F1901M, S1902M"),
        (["A PAR - BUR", "A PAR H"], "second order"),
        (["UNTIL F1901M"], "at least one order"),
        (["ZONE XYZ"], "no place"),
        (["COUNTER FG9", "ZONE BUR"], "no offer FG9"),
        (["lunch"], "LUNCH"),
    ],
)
def test_a_line_that_means_nothing_is_refused(lines: list[str], reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason) as caught:
        write(game(), "FRANCE", ["GERMANY"], *lines)
    assert caught.value.field.startswith("message.pact")


def test_a_public_pact_is_refused() -> None:
    with pytest.raises(IllegalAction, match="not with all"):
        game().apply("FRANCE", {"message": {"to": "all", "text": "To you all.", "pact": ["ZONE BUR"]}})
