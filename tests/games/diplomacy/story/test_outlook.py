"""Excitement and headline."""

from __future__ import annotations

from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.diplomacy.story.memory import Memory
from grandstand.games.diplomacy.story.outlook import excitement, headline, restlessness
from grandstand.games.story import Fact
from tests.support.diplomacy.scripted import owning

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
    assert headline(state, [stab], memory) == "A stab."
    assert headline(state, [secret], memory) == "Russia leads with four centres, one more than anybody else."


def test_the_headline_of_a_level_match_near_its_end() -> None:
    text = headline(late(), [], Memory(moved=True))
    assert text == "France and Germany share the lead on two centres each. The match ends with 1920."
