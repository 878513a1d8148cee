"""Excitement and headline."""

from __future__ import annotations

from typing import Any

import pytest

from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.diplomacy.story.analyst.prospects import prospects
from grandstand.games.diplomacy.story.items import TurnStory
from grandstand.games.diplomacy.story.memory import Memory
from grandstand.games.diplomacy.story.outlook import excitement, headline, restlessness
from grandstand.games.story import Fact, StoryEvent
from tests.support.diplomacy.scripted import owning
from tests.support.diplomacy.story_checker import Statement, true_form
from tests.support.diplomacy.story_truths import Record

EVEN = dict.fromkeys(POWERS, 1 / 7)
DECIDED = {**dict.fromkeys(POWERS, 0.0), "FRANCE": 1.0}
CLOSE = {**dict.fromkeys(POWERS, 0.0), "FRANCE": 0.5, "GERMANY": 0.5}


def late() -> State:
    return read_state(
        {
            "phase": "S1919M",
            "units": {"FRANCE": ["A PAR"], "GERMANY": ["A BER"]},
            "centers": owning(FRANCE=["PAR", "BRE"], GERMANY=["BER", "KIE"]),
            "retreats": {},
        }
    )


def test_excitement_is_of_close_late_and_moving_matches() -> None:
    calm, moving = Memory(), Memory(restlessness=1.0)
    assert excitement(DECIDED, late(), moving) == 0
    assert excitement(CLOSE, late(), calm) < excitement(CLOSE, late(), moving) <= 1
    assert excitement(EVEN, State.start(), calm) < excitement(CLOSE, late(), calm)


def test_restlessness_grows_with_swings_and_fades() -> None:
    assert restlessness(0.0, EVEN, EVEN) == 0
    assert restlessness(0.0, EVEN, DECIDED) == 1
    assert 0 < restlessness(1.0, EVEN, EVEN) < 1


def test_the_headline_takes_great_news_but_no_secrets() -> None:
    memory = Memory(moved=True)
    stab = Fact("stab", "A stab.", 0.9, (1,), ("ITALY", "AUSTRIA"))
    secret = Fact("stab", "A secret stab.", 0.9, (1,), ("ITALY", "AUSTRIA"), audience=frozenset({"ITALY"}))
    state = State.start()
    assert headline(state, [stab], [], memory) == "A stab."
    assert headline(state, [secret], [], memory) == "Russia leads with four centres, one more than anybody else."


def test_the_headline_of_a_level_match_near_its_end() -> None:
    text = headline(late(), [], [], Memory(moved=True))
    assert text == "France and Germany share the lead on two centres each. The match ends with 1920."


LEADER = owning(
    ENGLAND=[
        *("LON", "EDI", "LVP", "NWY", "SWE", "DEN", "HOL", "BEL"),
        *("BRE", "PAR", "POR", "SPA", "STP", "MAR", "KIE", "BER"),
    ],
    GERMANY=["MUN"],
    ITALY=["VEN", "ROM", "NAP"],
)
"""Sixteen centres of England."""


def state_of(units: dict[str, list[str]], centers: dict[str, list[str]], phase: str) -> State:
    return read_state({"phase": phase, "units": units, "centers": centers, "retreats": {}})


def told(state: State) -> str:
    """Return the headline of a phase that begins with a position, which its record must bear out."""
    memory, items = Memory(moved=True), TurnStory()
    prospects(state, (1,), memory, items)
    text = headline(state, items.facts, items.lines, memory)
    data: list[tuple[str, dict[str, Any]]] = [
        ("EpisodeCreated", {"options": {"last_year": 1920}}),
        ("PhaseAdvanced", {"state": State.start().to_json()}),
        ("OrdersResolved", {"phase": "S1903M", "orders": {}}),
        ("PhaseAdvanced", {"state": state.to_json()}),
    ]
    events = [StoryEvent(seq, kind, about) for seq, (kind, about) in enumerate(data)]
    assert true_form(text, Statement(text, (3,), None, EVEN, EVEN), Record(events)) is not None, text
    return text


@pytest.mark.parametrize(
    ("phase", "more", "text"),
    [
        ("F1908M", [], "England needs two of Munich and Venice this autumn. Germany and Italy can stop her."),
        ("F1908M", ["WAR"], "England wins with any of Munich and Venice this autumn. Germany and Italy can stop her."),
        (
            "S1908M",
            [],
            "England needs two of Munich, Rome, Trieste, Venice and Vienna by autumn. Germany and Italy can stop her.",
        ),
    ],
)
def test_the_headline_of_a_leader_names_what_it_needs_and_who_can_stop_it_by_when(
    phase: str, more: list[str], text: str
) -> None:
    centers = {**LEADER, "ENGLAND": [*LEADER["ENGLAND"], *more]}
    units = {"ENGLAND": ["A BUR", "A PIE"], "GERMANY": ["A MUN"], "ITALY": ["A VEN"]}
    assert told(state_of(units, centers, phase)) == text


FRONT = owning(GERMANY=["MUN", "HOL", "KIE"], FRANCE=["PAR", "BRE", "MAR"], ENGLAND=["LON", "EDI"])


@pytest.mark.parametrize(
    ("phase", "units", "text"),
    [
        (
            "S1904M",
            {"GERMANY": ["A MUN"], "FRANCE": ["A BUR", "A TYR", "A BOH"]},
            "Germany must fear for Munich this spring: France can bring three, and Germany has one for it.",
        ),
        (
            "F1904M",
            {"GERMANY": ["A MUN"], "ENGLAND": ["F NTH"]},
            "Holland stands open to England this autumn, with nothing of Germany near enough.",
        ),
        (
            "S1905M",
            {"GERMANY": ["A KIE"], "ENGLAND": ["F NTH"]},
            "Who gets to Holland this spring, Germany to guard it or England?",
        ),
    ],
)
def test_the_headline_of_a_phase_says_who_must_fear_for_which_place_by_when(
    phase: str, units: dict[str, list[str]], text: str
) -> None:
    assert told(state_of(units, FRONT, phase)) == text


def test_the_headline_of_a_calm_phase_is_the_lead_and_great_news_comes_before_what_is_at_stake() -> None:
    calm = state_of({"GERMANY": ["A KIE"], "FRANCE": ["A PAR"]}, FRONT, "S1904M")
    assert told(calm) == "France and Germany share the lead on three centres each."
    memory, items = Memory(moved=True), TurnStory()
    state = state_of({"GERMANY": ["A MUN"], "ENGLAND": ["F NTH"]}, FRONT, "F1904M")
    prospects(state, (1,), memory, items)
    stab = Fact("stab", "A stab.", 0.9, (1,), ("ITALY", "AUSTRIA"))
    assert headline(state, [stab], items.lines, memory) == "A stab."
    assert headline(state, [], items.lines, memory).startswith("Holland")


def test_what_is_at_stake_in_the_last_years_says_that_the_match_ends() -> None:
    state = state_of({"GERMANY": ["A MUN"], "ENGLAND": ["F NTH"]}, FRONT, "F1920M")
    assert told(state).endswith(" The match ends with 1920.")
    assert "Holland" in told(state)
