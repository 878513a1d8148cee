"""The analyst: threats, the question and its answer, the better order, and what not everybody knows."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

from grandstand.games.diplomacy.rules.map import POWER, POWERS, PROVINCE
from grandstand.games.diplomacy.rules.position import read_orders, read_state
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.diplomacy.story import DiplomacyStory
from grandstand.games.diplomacy.story.analyst.fronts import fronts, wall
from grandstand.games.diplomacy.story.commentary import Commentary
from grandstand.games.diplomacy.story.items import Line
from grandstand.games.story import Comment, StoryEvent

PARTIES = frozenset({"GERMANY", "ENGLAND"})


def position(units: dict[str, list[str]], centers: dict[str, list[str]], phase: str = "F1902M") -> State:
    return read_state({"phase": phase, "units": units, "retreats": {}, "centers": centers})


HOLLAND = position(
    {"ENGLAND": ["F NTH"], "GERMANY": ["A MUN", "A KIE"]},
    {"ENGLAND": ["LON", "EDI"], "GERMANY": ["HOL", "MUN", "KIE"]},
)


def told(events: list[tuple[str, dict[str, Any], frozenset[str] | None]], start: State) -> list[Comment]:
    """Return what the analyst says of a match that begins with a position."""
    story = DiplomacyStory("match")
    opening = [
        StoryEvent(0, "EpisodeCreated", {"options": {"last_year": 1910}}),
        StoryEvent(1, "PhaseAdvanced", {"phase": start.name, "state": start.to_json()}),
        StoryEvent(2, "TurnStarted", {"turn": start.name}),
    ]
    batch = [StoryEvent(seq, kind, data, audience) for seq, (kind, data, audience) in enumerate(events, 3)]
    return [item for item in story.tell([*opening, *batch]) if isinstance(item, Comment) and item.speaker]


def test_an_empty_centre_that_its_owner_can_cover_is_a_question() -> None:
    (front,) = fronts(HOLLAND)
    assert (front.center, front.strength, front.defence, front.forced) == (PROVINCE["HOL"], 1, 1, False)
    (question,) = told([], HOLLAND)
    assert question.kind == "question"
    assert "Holland" in question.text
    assert question.rests_on == (1, 2)
    assert question.seats == ("ENGLAND", "GERMANY")


def test_a_centre_that_no_unit_of_its_owner_can_reach_is_a_threat() -> None:
    far = position({"ENGLAND": ["F NTH"], "GERMANY": ["A MUN"]}, {"ENGLAND": ["LON"], "GERMANY": ["HOL", "MUN"]})
    (front,) = fronts(far)
    assert front.forced
    (threat,) = told([], far)
    assert threat.kind == "threat"


def test_the_owner_s_convoys_count_in_its_defence() -> None:
    units = {"ENGLAND": ["F NTH"], "FRANCE": ["A GAS", "F MAO", "F ENG"]}
    centers = {"ENGLAND": ["LON"], "FRANCE": ["BEL", "BRE"]}
    (front,) = [front for front in fronts(position(units, centers)) if front.center == PROVINCE["BEL"]]
    # The fleet in the Channel and the army, which it can carry together with the one in the Mid-Atlantic.
    assert (front.strength, front.defence, front.beside) == (1, 2, 1)


def test_the_question_is_answered_by_the_orders() -> None:
    orders: dict[str, list[dict[str, Any]]] = {
        "ENGLAND": [
            {"order": "F NTH - HOL", "kind": "move", "unit": "F NTH", "from": "NTH", "to": "HOL", "results": []}
        ],
        "GERMANY": [
            {"order": f"A {at} H", "kind": "hold", "unit": f"A {at}", "from": at, "results": []}
            for at in ("MUN", "KIE")
        ],
    }
    texts = {seat: [order["order"] for order in given] for seat, given in orders.items()}
    after = HOLLAND.resolve(read_orders(HOLLAND, {"orders": texts}).orders).after
    events: list[tuple[str, dict[str, Any], frozenset[str] | None]] = [
        ("OrdersResolved", {"phase": "F1902M", "orders": orders}, None),
        ("PhaseAdvanced", {"phase": after.name, "state": after.to_json()}, None),
        ("TurnStarted", {"turn": after.name}, None),
    ]
    lines = {line.kind: line for line in told(events, HOLLAND)}
    assert lines["answer"].rests_on == (1, 2, 3)
    assert "England" in lines["answer"].text
    # The army in Kiel stood still: to take Denmark, which nobody owned, was worth more.
    assert lines["alternative"].seats == ("GERMANY",)
    assert "Kiel" in lines["alternative"].text
    assert "Denmark" in lines["alternative"].text


def test_a_line_of_the_others_that_support_each_other_holds_against_a_leader() -> None:
    strong = position(
        {"TURKEY": ["A GAL"], "GERMANY": ["A BOH", "A SIL"], "RUSSIA": ["A WAR", "A UKR"]},
        {"TURKEY": ["BUD", "VIE"], "GERMANY": ["MUN"], "RUSSIA": ["WAR"]},
    )
    assert wall(strong, POWER["TURKEY"]) is not None
    thin = position({"TURKEY": ["A GAL", "A LVN"], "RUSSIA": ["A WAR"]}, {"TURKEY": ["BUD"], "RUSSIA": ["WAR"]})
    assert wall(thin, POWER["TURKEY"]) is None


def test_a_lie_is_told_while_letters_are_written_and_to_the_liar_alone() -> None:
    lie = {"power": "GERMANY", "phase": "F1902M", "promise": "A KIE - DEN", "recipients": ["ENGLAND"], "public": False}
    lines = told(
        [("LieNoted", lie, frozenset({"GERMANY"})), ("NegotiationHeld", {"index": 0, "round": 1}, None)], HOLLAND
    )
    (line,) = [line for line in lines if line.kind == "lie"]
    assert line.audience == frozenset({"GERMANY"})
    assert line.rests_on == (3,)
    assert "the army in Kiel goes to Denmark" in line.text


def test_letters_are_told_beside_orders_and_broken_words_are_counted() -> None:
    verdict = {
        "power": "GERMANY", "phase": "F1902M", "promise": "A KIE - DEN", "meant": "A KIE - DEN", "order": "A KIE - HOL",
        "recipients": ["ENGLAND"], "public": False,
    }  # fmt: skip
    broken = ("PromiseBroken", verdict, PARTIES)
    lines = told([broken, ("TurnStarted", {"turn": "S1903M"}, None), broken, ("TurnStarted", {}, None)], HOLLAND)
    deeds = [line for line in lines if line.kind == "promise_broken"]
    assert len(deeds) == 2
    assert all({"Denmark", "Holland", "England"} <= set(re.findall(r"\w+", line.text)) for line in deeds)
    (ledger,) = [line for line in lines if line.kind == "ledger"]
    assert ledger.audience == PARTIES
    assert ledger.rests_on == (3, 5)
    assert "Denmark" in ledger.text


def test_the_notes_of_seven_powers_have_seven_constructions() -> None:
    """The audience reads them all in one turn, though each is chosen without the others."""
    commentary = Commentary("match")
    for turn in range(8):
        lines = [
            Line("plan", {"a": power, "text": "Peace."}, 0.5, (turn,), audience=frozenset({power})) for power in POWERS
        ]
        said = commentary.comment(lines, "S1901M")
        assert len({comment.text.replace(power, "X") for comment in said for power in comment.audience or ()}) == 7


def test_the_pacts_of_all_pairs_have_a_construction_each() -> None:
    commentary = Commentary("match")
    for turn in range(3):
        lines = [
            Line("pact_bound", {"powers": " and ".join(pair), "count": "two"}, 0.5, (turn,), audience=frozenset(pair))
            for pair in combinations(POWERS, 2)
        ]
        said = [comment.text for comment in commentary.comment(lines, "S1901M")]
        assert len({re.sub("[A-Z]{5,} and [A-Z]{5,}", "X", text) for text in said}) == len(lines) == 21


def test_the_lines_of_one_audience_in_a_turn_have_different_constructions() -> None:
    commentary = Commentary("match")
    for turn in range(8):
        notes = [
            Line("plan", {"a": "ITALY", "text": text}, 0.5, (turn,), audience=frozenset({"ITALY"}))
            for text in ("Peace.", "War.", "Neither.")
        ]
        votes = [Line("vote", {"a": power}, 0.5, (turn,)) for power in POWERS[:5]]
        said = [comment.text for comment in commentary.comment([*notes, *votes], f"S{1901 + turn}M")]
        bare = [re.sub("[A-Z]{5,}|“.*”", "X", text) for text in said]
        assert len(set(bare)) == len(said) == 8
