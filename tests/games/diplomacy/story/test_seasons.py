"""Retreats, builds, votes, the sum of a year, and the beginning and end of a match."""

from __future__ import annotations

from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.story import DiplomacyStory
from grandstand.games.diplomacy.story.items import TurnStory
from grandstand.games.diplomacy.story.seasons import SWING, swings
from grandstand.games.story import Comment, Outlook, StoryEvent
from tests.support.diplomacy.scripted import Scripted, owning

UNITS = {"ITALY": ["A TYR", "A VEN"], "AUSTRIA": ["A TRI"]}
CENTRES = owning(ITALY=["VEN", "ROM"], AUSTRIA=["TRI"])


def test_the_opening() -> None:
    match = Scripted()
    (line,) = [line for line in match.comments() if not line.speaker]
    assert "1901" in line.text
    assert "eighteen" in line.text
    assert match.outlook().headline == "Spring 1901: the opening moves."


def test_retreats_and_lost_units() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play(ITALY=["A TYR - TRI", "A VEN S A TYR - TRI"])
    match.play()  # The retreat is passed over without an order: the unit is disbanded.
    (fact,) = match.facts("retreat_lost")
    assert fact.text == "Austria's army from Trieste is disbanded."


def test_builds_and_removals() -> None:
    match = Scripted(
        {"ITALY": ["A TYR"], "AUSTRIA": ["A TRI", "A BOH"]}, owning(ITALY=["ROM", "VEN"], AUSTRIA=["TRI"]), "F1903M"
    )
    match.play()
    assert match.game.turn == "W1903A"
    match.play_phase({"ITALY": ["A ROM B"], "AUSTRIA": ["A BOH D"]})
    assert [fact.text for fact in match.facts("build")] == ["Italy builds in Rome."]
    assert [fact.text for fact in match.facts("removal")] == ["Austria disbands in Bohemia."]


def test_a_year_without_a_capture() -> None:
    match = Scripted(UNITS, CENTRES, phase="S1901M")
    for _ in range(4):
        match.play()
    first, second = match.facts("standstill")
    assert first.text == "No centre changes hands in 1901."
    assert second.text == "1902 is year number two without a capture."
    assert second.importance > first.importance


def test_every_year_ends_with_the_count() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play()
    match.play()
    last = [line for line in match.comments() if line.beat == "summary"]
    assert any("1903" in line.text and "Italy" in line.text for line in last)


def test_votes() -> None:
    match = Scripted(UNITS, CENTRES)
    match.publish(match.game.apply("ITALY", {"vote": "draw"}))
    (fact,) = match.facts("vote")
    assert fact.text == "Italy votes for a draw."
    match.publish(match.game.apply("AUSTRIA", {"vote": "draw"}))
    (end,) = match.facts("end")
    assert end.text == "The match is drawn between Austria and Italy."
    assert match.outlook().chances["ITALY"] == 0.5


def test_the_largest_change_of_a_chance_is_a_fact_of_its_seat_and_a_line_of_none() -> None:
    items = TurnStory()
    even = dict.fromkeys(POWERS, 0.1)
    swings(even, {**even, "ITALY": 0.1 + SWING / 2}, 6, items)
    assert (items.facts, items.lines) == ([], [])
    swings(even, {**even, "FRANCE": 0.05, "ITALY": 0.4}, 7, items)
    (fact,), (line,) = items.facts, items.lines
    assert (fact.kind, fact.seats, fact.rests_on) == ("swing", ("ITALY",), (7,))
    assert (line.form, line.seats, line.rests_on) == ("swing_up", (), (7,))


def test_the_end_of_the_last_year() -> None:
    match = Scripted(UNITS, CENTRES, last_year=1903)
    match.play()
    match.play()
    (end,) = match.facts("end")
    assert end.text == "1903 was the last year, and Italy ends it ahead with two centres."
    assert match.comments()[-1].importance == 1.0
    assert match.outlook().chances == {**dict.fromkeys(match.outlook().chances, 0.0), "ITALY": 1.0}
    assert match.outlook().headline == end.text


def test_a_match_that_is_stopped() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play()
    report = match.story.tell(
        [StoryEvent(match.events[-1].seq, "EpisodeEnded", {"status": "stopped", "outcome": None})]
    )
    (line, outlook) = report
    assert isinstance(line, Comment)
    assert isinstance(outlook, Outlook)
    assert line.text in ("The match is stopped in fall 1903.", "Play stops in fall 1903, without a result.")
    assert outlook.headline == "The match is stopped in fall 1903."
    assert outlook.chances == match.outlook().chances


def test_a_match_that_is_stopped_before_its_first_position() -> None:
    assert (
        list(DiplomacyStory("a").tell([StoryEvent(0, "EpisodeCreated", {}), StoryEvent(0, "EpisodeEnded", {})])) == []
    )
