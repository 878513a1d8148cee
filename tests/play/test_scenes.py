"""Moments as a game's cards read them, and the words for games without any."""

from __future__ import annotations

from grandstand.events import OutlookUpdated
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.models import OutcomeData
from grandstand.play.scenes import beats_of, card_of, game_title, headline_of, public_scene, spec_of
from grandstand.spectator.summary import summary_of
from tests.support.spectator.logs import finished_log, short_log


def test_a_scene_is_public() -> None:
    events = short_log()
    assert [kind for kind, _ in public_scene(events)] == [event.type for event in events if event.audience == "public"]
    assert len(public_scene(events)) < len(events)


def test_every_game_names_turns_or_events_of_its_own_as_beats() -> None:
    for name in GAMES:
        assert set(beats_of(name)) <= {"TurnStarted", *(kind.__name__ for kind in game_spec(name).rules.events)}
        assert min(beats_of(name).values()) > 0
        assert game_title(name) == game_spec(name).rules.title


def test_a_game_that_is_not_known_has_its_turns_scores_and_name() -> None:
    assert spec_of("chess") is None
    assert (list(beats_of("chess")), game_title("chess")) == (["TurnStarted"], "chess")
    summary = summary_of(short_log())
    card = card_of(summary, [])
    assert card.turn == summary.turn
    assert [row.seat for row in card.rows] == [info.seat for info in summary.seats]


def test_the_headline_is_the_result_once_there_is_one() -> None:
    outcome = OutcomeData(reason="mate", winners=["NORTH"], scores={}, text="North wins.")
    ended = summary_of(finished_log()).model_copy(update={"outcome": outcome})
    assert headline_of(ended) == "North wins."
    ahead = OutlookUpdated(chances={}, excitement=0.2, headline="North is ahead.")
    assert headline_of(ended.model_copy(update={"outlook": ahead})) == "North wins."
    over = OutlookUpdated(chances={}, excitement=0.0, headline="North wins by a pawn.")
    assert headline_of(ended.model_copy(update={"outlook": over})) == "North wins by a pawn."
    assert headline_of(summary_of(short_log())) == ""
