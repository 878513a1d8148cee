"""A visitor's purse by itself: it refills, is forgotten when it is full, and pays for matches by their events."""

from __future__ import annotations

import re

import pytest

from grandstand.events import EpisodeEnded, EpisodeStarted
from grandstand.models import Draft, Event
from grandstand.server import purse as module
from grandstand.server.api.files.exports import EXPORTS
from grandstand.server.api.files.imports import IMPORTS
from grandstand.server.api.seats.completions import REPLIES
from grandstand.server.cards.studio import CARDS, CLIPS
from grandstand.server.matches.sandbox import SANDBOXES
from grandstand.server.purse import (
    CALL,
    CPU_SECOND,
    EVENT,
    MATCH,
    MEBIBYTE,
    RESET,
    SLOT_SECOND,
    SPOKEN_LINE,
    TAKE,
    CannotAfford,
    MatchCosts,
    Purse,
)
from tests.support.live_server import ROOT


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_purse_refills_steadily_and_says_when_there_is_enough() -> None:
    clock = Clock()
    purse = Purse(60, 3600, clock)
    for _ in range(6):
        purse.draw("a", 10, "a match")
    with pytest.raises(CannotAfford, match=r"for a match: it takes 10, and 0\.0 of 60 .* again in 10 min") as refused:
        purse.draw("a", 10, "a match")
    assert refused.value.seconds == 600
    purse.draw("b", 10, "a match")
    clock.now += 599
    assert purse.wait("a", 10) == 1
    clock.now += 1
    purse.draw("a", 10, "a match")
    assert purse.balance("a") == pytest.approx(0)


def test_who_owes_begins_nothing_and_a_small_purse_is_enough_for_one_thing() -> None:
    clock = Clock()
    purse = Purse(5, 3600, clock)
    purse.draw("a", 10, "a match")
    assert purse.balance("a") == -5
    assert purse.wait("a", 0.1) == pytest.approx(5.1 * 720)
    purse.charge("a", -20)
    assert (purse.balance("a"), len(purse)) == (5, 0)


def test_the_prices_of_the_docs_are_those_of_the_account() -> None:
    section = (ROOT / "docs/access.md").read_text().partition("## Credits")[2].partition("## ")[0]
    prices = [float(price) for price in re.findall(r"^\| .+ \| ([\d.]+) \|$", section, re.MULTILINE)]
    minutes = [60 * SLOT_SECOND, 60 * CPU_SECOND]
    assert prices == pytest.approx([*minutes, 1000 * EVENT, MEBIBYTE, SPOKEN_LINE, RESET, TAKE, REPLIES.cost, CALL])
    deposits = [MATCH, IMPORTS.cost, CLIPS.cost, CARDS.cost, SANDBOXES.cost]
    words = "a match takes {:g}, an import {:g}, a clip and an export {:g}, a card {:g}, a request of the sandbox {:g}."
    assert words.format(*deposits) in " ".join(section.split())
    assert EXPORTS.cost == CLIPS.cost


def test_an_operator_has_no_purse() -> None:
    purse = Purse(1)
    for _ in range(9):
        purse.draw("", 10, "a match")
    assert len(purse) == 0


def test_memory_is_bounded_and_who_has_spent_most_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 10)
    clock = Clock()
    purse = Purse(60, 3600, clock)
    for number in range(100):
        purse.charge(f"visitor {number}", 30 if number == 0 else 1)
        assert len(purse) <= 10
    assert purse.balance("visitor 0") == 30
    clock.now += 61
    for number in range(9):
        purse.charge(f"later {number}", 1)
    assert len(purse) == 10
    assert purse.balance("visitor 0") == pytest.approx(31 + 1 / 60)


def events(number: int, *drafts: object) -> list[Event]:
    made = [Draft.of(draft) for draft in drafts]  # type: ignore[arg-type]
    return [Event(episode_id="m", epoch=1, seq=number + at, at=0.0, **draft._asdict()) for at, draft in enumerate(made)]


@pytest.mark.parametrize(("apart", "slot"), [(False, (120 + 30) * SLOT_SECOND), (True, RESET)])
def test_a_match_costs_its_events_and_the_time_it_had_a_slot(apart: bool, slot: float) -> None:
    clock = Clock()
    costs = MatchCosts(Purse(60, 1e12, clock))
    costs.begin("m", "a", 30.0, apart=apart)
    assert costs.purse.balance("a") == 60 - (RESET if apart else MATCH)
    clock.now += 500  # in the queue
    costs.on_events(events(3, EpisodeStarted()))
    clock.now += 120
    costs.on_events(events(4, EpisodeEnded(status="finished")))
    costs.on_events(events(5, EpisodeStarted()))
    assert costs.purse.balance("a") == pytest.approx(60 - slot - 2 * EVENT)


def test_a_match_that_never_had_a_slot_costs_its_events() -> None:
    costs = MatchCosts(Purse(60, 1e12, Clock()))
    costs.begin("m", "a", 30.0, apart=False)
    costs.on_events(events(3, EpisodeEnded(status="stopped")))
    assert costs.purse.balance("a") == pytest.approx(60 - EVENT)
