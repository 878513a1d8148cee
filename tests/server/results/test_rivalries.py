"""What two players did to each other is added up over their matches, in whatever seats they met."""

from __future__ import annotations

from dataclasses import replace

from grandstand.games.diplomacy import GAME
from grandstand.play.ratings.match_results import RecordedMatch
from grandstand.play.ratings.option_sets import OptionSet
from grandstand.play.ratings.seat_records import SeatRecord
from grandstand.server.results.finished_match import Deeds, FinishedMatch
from grandstand.server.results.rivalries import deeds_between, rivalries

SEATS = ("FRANCE", "ITALY", "TURKEY")


def match(number: int, players: tuple[str, str, str], *deeds: tuple[str, str, int]) -> FinishedMatch:
    seats = [SeatRecord(seat, player, "bot") for seat, player in zip(SEATS, players, strict=True)]
    done = [Deeds("stab", seat, other, times) for seat, other, times in deeds]
    recorded = RecordedMatch(OptionSet(GAME.name, "{}", 1), seats)
    return FinishedMatch(f"match-{number}", "", float(number), 0.0, True, False, recorded, {}, done)


def test_they_are_counted_by_player_and_not_by_seat() -> None:
    played = [
        match(1, ("Bismarck", "Andrassy", "Cavour"), ("FRANCE", "ITALY", 2), ("TURKEY", "FRANCE", 1)),
        match(2, ("Andrassy", "Bismarck", "Cavour"), ("ITALY", "FRANCE", 7), ("FRANCE", "ITALY", 1)),
    ]
    first, second = rivalries([played[0], replace(played[1], reference=True)], "Bismarck")
    assert (first.other, first.deed, first.done, first.suffered) == ("Andrassy", "stabbed", 9, 1)
    assert (first.matches, first.reference) == (2, 1)
    assert (second.other, second.done, second.suffered, second.matches) == ("Cavour", 0, 1, 2)


def test_a_player_is_no_rival_of_itself_and_deeds_of_others_do_not_count() -> None:
    played = [match(1, ("Bismarck", "Bismarck", "Cavour"), ("FRANCE", "ITALY", 2))]
    assert rivalries(played, "Bismarck") == []
    assert rivalries([match(1, ("a", "b", "c"), ("FRANCE", "ITALY", 2))], "c") == []


def test_a_game_without_deeds_has_no_rivalries() -> None:
    played = match(1, ("a", "b", "c"), ("FRANCE", "ITALY", 2))
    other = replace(played, match=replace(played.match, options=OptionSet("cricket", "{}", 1)))
    assert rivalries([other], "a") == []


def test_what_every_player_did_is_counted_for_the_story_of_the_next_match() -> None:
    played = [
        match(1, ("Bismarck", "Andrassy", "Cavour"), ("FRANCE", "ITALY", 2)),
        match(2, ("Andrassy", "Bismarck", "Bismarck"), ("ITALY", "FRANCE", 7), ("TURKEY", "ITALY", 1)),
    ]
    assert deeds_between(played) == {("Bismarck", "Andrassy", "stab"): 9}
