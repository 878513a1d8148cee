"""What can be concluded from what everybody knows."""

from __future__ import annotations

import pytest

from grandstand.games.werewolf.bots.beliefs import PublicTable, suspicion
from grandstand.games.werewolf.options import NAMES
from grandstand.games.werewolf.types import Ballot, Death, NightCheck, Statement

SEATS = NAMES[:8]
DEALT = {"wolf": 2, "seer": 1, "doctor": 1, "villager": 4}


def speech(seat: str, *acts: str) -> Statement:
    return Statement(day=1, turn="day 1 speech 1", seat=seat, acts=list(acts), because="no reason", text="")


def table(*speeches: Statement, out: tuple[Death, ...] = (), ballots: tuple[Ballot, ...] = ()) -> PublicTable:
    gone = {death["seat"] for death in out}
    return PublicTable(SEATS, DEALT, [seat for seat in SEATS if seat not in gone], out, speeches, ballots)


def death(seat: str, role: str) -> Death:
    return Death(seat=seat, role=role, day=1, how="night")


def test_nothing_is_known_at_first() -> None:
    assert suspicion(table()) == pytest.approx(dict.fromkeys(SEATS, 0.25))
    assert suspicion(table(), own="Ada") == pytest.approx({seat: 2 / 7 * (seat != "Ada") for seat in SEATS})


def test_shown_roles_are_certain() -> None:
    chances = suspicion(table(out=(death("Ben", "wolf"), death("Dan", "villager"))))
    assert (chances["Ben"], chances["Dan"]) == pytest.approx((1, 0))
    assert chances["Ada"] == pytest.approx(1 / 6)


def test_a_single_claim_is_believed_and_a_second_one_divides() -> None:
    first = speech("Ada", "claim seer", "saw Ben wolf")
    alone = suspicion(table(first))
    assert alone["Ben"] > 0.8
    assert alone["Ada"] < 0.25
    both = suspicion(table(first, speech("Ben", "claim seer", "saw Ada wolf")))
    assert both["Ada"] == pytest.approx(both["Ben"])
    assert both["Ada"] == pytest.approx(0.5, abs=0.05)


def test_the_results_of_a_seer_who_is_shown_are_certain() -> None:
    said = table(speech("Ada", "claim seer", "saw Ben wolf", "saw Cleo clear"), out=(death("Ada", "seer"),))
    assert suspicion(said)["Ben"] == pytest.approx(1)
    assert suspicion(said)["Cleo"] == pytest.approx(0)


def test_a_seer_knows_its_results() -> None:
    checks = [NightCheck(night=1, target="Ben", wolf=True), NightCheck(night=2, target="Cleo", wolf=False)]
    chances = suspicion(table(), own="Ada", role="seer", checks=checks)
    assert (chances["Ada"], chances["Ben"], chances["Cleo"]) == pytest.approx((0, 1, 0))


def test_votes_against_each_other_make_two_wolves_less_likely() -> None:
    out = (death("Ben", "wolf"),)
    ballot = Ballot(day=1, ballot=1, votes={"Ada": "Ben", "Cleo": "Ben", "Dan": "Eve"}, exiled="Ben", tied=[])
    chances = suspicion(table(out=out, ballots=(ballot,)))
    assert chances["Ada"] < chances["Dan"]


def test_names_do_not_count() -> None:
    """Turning the table by a seat turns the result."""
    turned = dict(zip(SEATS, (*SEATS[1:], SEATS[0]), strict=True))
    said = (
        ("Ada", ("claim seer", "saw Hana wolf")),
        ("Cleo", ("suspect Dan", "trust Ada")),
        ("Hana", ("claim doctor",)),
    )

    def moved(acts: tuple[str, ...]) -> list[str]:
        return [" ".join(turned.get(word, word) for word in act.split()) for act in acts]

    here = suspicion(table(*(speech(seat, *acts) for seat, acts in said)))
    there = suspicion(table(*(speech(turned[seat], *moved(acts)) for seat, acts in said)))
    assert {turned[seat]: chance for seat, chance in here.items()} == pytest.approx(there)


def test_what_cannot_be_is_no_reason_to_know_anything() -> None:
    checks = [NightCheck(night=1, target="Ada", wolf=True)]
    assert set(suspicion(table(), own="Ada", checks=checks).values()) == {0.25}
