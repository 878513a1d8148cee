"""Offers of pacts, their answers and counter-offers, and what a seat says in one season."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from grandstand.games.base import MessageSent
from grandstand.games.diplomacy.bots import TALKS
from grandstand.games.diplomacy.bots.pacts.consistency import OPPOSED
from grandstand.games.diplomacy.bots.pacts.phrases import BARGAINS
from grandstand.games.diplomacy.bots.talking.voice import (
    apart_from_bargains,
    kinds_of,
    split,
    wordings,
)
from grandstand.games.diplomacy.events import (
    OrdersResolved,
    PactAccepted,
    PactBroken,
    PactKept,
    PactOffered,
    PactRefused,
)
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.words import order_words
from tests.support.diplomacy import talkers

SEEDS = (3, 8, 12)


@pytest.fixture(scope="module")
def played() -> list[list[object]]:
    return [list(talkers.played(seed)[1]) for seed in SEEDS]


@pytest.mark.long
def test_pacts_are_offered_countered_accepted_refused_kept_and_broken(played: list[list[object]]) -> None:
    count = Counter(type(event) for events in played for event in events)
    for kind in (PactOffered, PactAccepted, PactRefused, PactKept, PactBroken):
        assert count[kind], kind
    offers = [event for events in played for event in events if isinstance(event, PactOffered)]
    assert any(offer.counters for offer in offers)
    assert any(offer.zones for offer in offers)
    assert any(len({term["turn"] for term in offer.terms}) > 1 for offer in offers)


@pytest.mark.long
def test_a_support_that_is_agreed_binds_both_halves(played: list[list[object]]) -> None:
    offers = [event for events in played for event in events if isinstance(event, PactOffered)]
    for offer in offers:
        for term in offer.terms:
            words = order_words(term["order"])
            if words.verb == "S":
                terms = (order_words(other["order"]) for other in offer.terms if other["turn"] == term["turn"])
                assert [order.to for order in terms if order.place == words.at] == [words.to]


@pytest.mark.long
def test_most_supports_of_other_powers_count(played: list[list[object]]) -> None:
    void: Counter[bool] = Counter()
    for events in played:
        for event in events:
            if isinstance(event, OrdersResolved) and event.phase.endswith("M"):
                owner = {order["from"][:3]: power for power, listed in event.orders.items() for order in listed}
                void.update(
                    "void" in order["results"]
                    for power, listed in event.orders.items()
                    for order in listed
                    if order["kind"] == "support" and owner[order["target"][2:5]] != power
                )
    assert void.total() >= 15
    assert void[True] <= 0.25 * void.total()


@pytest.mark.long
def test_no_seat_contradicts_itself_in_a_season(played: list[list[object]]) -> None:
    said: dict[tuple[int, str, str, str], set[str]] = {}
    for number, events in enumerate(played):
        for event in events:
            if isinstance(event, MessageSent) and not event.public:
                # A sentence that may be a wording of several kinds tells none of them.
                known = [kinds for kinds in map(kinds_of, split(event.text)) if len(kinds) == 1]
                for recipient in event.recipients:
                    said.setdefault((number, event.turn, event.sender, recipient), set()).update(*known)
    for kinds in said.values():
        for one, two in OPPOSED:
            assert not (kinds & one and kinds & two), kinds


def test_the_words_of_a_pact_are_told_from_the_rest_of_a_letter() -> None:
    text = "Agreed: my army in Munich supports your army in Burgundy into Belgium. Thank you for the peace."
    assert "pact_yes" in kinds_of(text)
    assert apart_from_bargains(text) == "Thank you for the peace."
    assert apart_from_bargains("Shall we be allies?") == "Shall we be allies?"


@pytest.mark.parametrize("kind", BARGAINS)
def test_every_bargain_is_known_for_what_it_is(kind: str) -> None:
    deal = "my fleet in the North Sea supports your army in Holland into Belgium and your army in Paris goes to Picardy"
    slots = {"deal": deal, "Deal": deal[0].upper() + deal[1:], "later": deal, "place": "the North Sea", "you": "France"}
    slots |= {"season": "autumn", "year": "1904", "next": "the spring of 1905", "until": "the autumn of 1905"}
    slots |= {"reason": "my army in Munich has other orders", "power": "Turkey", "number": "twelve", "me": "Italy"}
    slots |= {"line": "Vienna, Warsaw and Moscow", "mine_at": "Venice"}
    for phrase in BARGAINS[kind]:
        for wording in wordings(phrase):
            text = " ".join(wording.format_map(slots).split())
            assert kind in kinds_of(text[0].upper() + text[1:]), text


@pytest.mark.parametrize("name", ["Cavour", "Bismarck", "Salisbury"])
def test_a_letter_that_the_page_wrote_for_a_pact_is_answered_once(name: str) -> None:
    game = DiplomacyGame(DiplomacyOptions())
    deal = "your army in Munich supports my army in Paris into Burgundy"
    lines = ["S1901M FRANCE A PAR - BUR", "S1901M GERMANY A MUN S A PAR - BUR"]
    game.apply("FRANCE", {"message": {"to": ["GERMANY"], "text": f"I offer you a pact: {deal}.", "pact": lines}})
    (answer,) = TALKS[name](game, "GERMANY", Random(1), 2, 3)
    assert answer["message"]["pact"] == ["ACCEPT FG1"]
    for event in game.apply("GERMANY", answer):
        assert not isinstance(event, PactRefused)
    assert game.pacts["FG1"].state == "accepted"
    game.apply("FRANCE", {"message": {"to": ["ITALY"], "text": f"I offer you a pact: {deal}."}})
    (reply,) = TALKS[name](game, "ITALY", Random(1), 2, 3)
    assert reply["message"]["to"] == ["FRANCE"], "words alone are answered as words"
