"""Cards and clips of an episode: what is public, at the moment, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from grandstand.games.base import OptionError
from grandstand.games.match import event_data
from grandstand.games.picture import COLOURS, Picture, Thing, grid
from grandstand.models import Audience, Event
from grandstand.play.scenes import MOST_PARTS
from grandstand.server.cards.drawing import (
    LAST,
    MOST_BEATS,
    MOST_FRAMES,
    anchor,
    card_svg,
    clip_frames,
    clip_moments,
)
from grandstand.server.cards.layout import BOARD_WIDTH
from tests.support.play.recordings import recorded
from tests.support.server.cards import lines_of, texts_of

CANARY = "canary"


def event(seq: int, kind: str, data: dict[str, Any], audience: Audience = "public") -> Event:
    return Event(episode_id="x-1", epoch=1, seq=seq, at=1.0, type=kind, audience=audience, data=data)


def log(*more: tuple[str, dict[str, Any], Audience], game: str = "chess") -> list[Event]:
    seats = [{"seat": seat, "player": f"bot of {seat}", "kind": "heuristic"} for seat in ("NORTH", "SOUTH")]
    created = {"game": game, "title": "A title", "options": {}, "seats": seats, "origin": "api"}
    first = event(0, "EpisodeCreated", created)
    return [first, *(event(seq, *each) for seq, each in enumerate(more, 1))]


def turn(number: int) -> tuple[str, dict[str, Any], Audience]:
    scores = {"NORTH": number / 10, "SOUTH": 0.0}
    return "TurnStarted", {"index": number, "turn": f"turn {number}", "to_act": [], "scores": scores}, "public"


def texts(events: Sequence[Event]) -> list[str]:
    return texts_of(card_svg(events))


def has_board(card: str) -> bool:
    """Return whether no panel with the name of the game stands in place of the board."""
    return not any(line.x == BOARD_WIDTH / 2 and line.face == "serif" for line in lines_of(card))


def test_a_card_and_a_clip_have_the_headline_that_rests_on_their_moment() -> None:
    outlook = {"chances": {}, "excitement": 0.1, "headline": "North is ahead.", "rests_on": [2]}
    events = log(turn(1), turn(2), turn(3), ("OutlookUpdated", outlook, "public"), turn(4))

    def has_headline(seq: int) -> bool:
        (frame,) = clip_frames(events, [seq])
        assert frame == card_svg(events, seq)
        return "North is ahead." in texts_of(frame)

    assert [has_headline(seq) for seq in range(len(events))] == [False, False, True, True, True, True]


def test_a_game_without_a_board_has_its_standing_and_headline() -> None:
    outlook = {"chances": {"NORTH": 0.75}, "excitement": 0.1, "headline": "North is ahead."}
    words = texts(log(turn(1), ("OutlookUpdated", outlook, "public")))
    assert {"A title", "CHESS", "turn 1", "North is ahead.", "NORTH", "bot of NORTH", "0.1", "75%"} <= set(words)


def test_the_end_has_its_result_and_no_chances() -> None:
    outlook = {"chances": {"NORTH": 0.75}, "excitement": 0.1, "headline": "North is ahead."}
    outcome = {"reason": "mate", "winners": ["NORTH"], "scores": {"NORTH": 1, "SOUTH": 0}, "text": "North wins."}
    ended = ("EpisodeEnded", {"status": "finished", "outcome": outcome}, "public")
    words = texts(log(turn(1), ("OutlookUpdated", outlook, "public"), ended))  # type: ignore[arg-type]
    assert "North wins." in words
    assert "75%" not in words


@pytest.mark.parametrize("audience", [["NORTH"], "analyst", "operator", "private"])
@pytest.mark.parametrize("game", ["chess", "diplomacy", "cricket"])
def test_nothing_that_spectators_may_not_know_is_on_a_card(audience: Audience, game: str) -> None:
    secrets: list[tuple[str, dict[str, Any], Audience]] = [
        ("OutlookUpdated", {"chances": {}, "excitement": 1.0, "headline": CANARY}, audience),
        ("MessageSent", {"turn": "S1901M", "sender": "NORTH", "recipients": [], "text": CANARY}, audience),
        ("TurnStarted", {"index": 9, "turn": CANARY, "to_act": [], "scores": {CANARY: 1}}, audience),
        ("PhaseAdvanced", {"phase": "S1999M", "state": {"units": {CANARY: ["A PAR"]}}}, audience),
        ("MatchDecided", {"winner": None, "result": CANARY}, audience),
        (
            "PrivateBatch",
            {"events": [{"type": "MessageSent", "audience": ["NORTH"], "data": {"text": CANARY}}]},
            "private",
        ),
    ]
    assert card_svg(log(turn(1), *secrets, game=game)) == card_svg(log(turn(1), game=game))


def test_the_picture_of_press_is_empty() -> None:
    said_to_all = ("MessageSent", {"turn": "1", "sender": "NORTH", "recipients": [], "text": CANARY, "public": True})
    assert not any(CANARY in text for text in texts(log(turn(1), (*said_to_all, "public"), game="diplomacy")))


def test_a_position_that_cannot_be_drawn_has_a_card_without_a_board(caplog: pytest.LogCaptureFixture) -> None:
    assert not has_board(card_svg(log(turn(1))))
    broken = ("PhaseAdvanced", {"phase": "S1901M", "state": {"units": {"FRANCE": ["A NOWHERE"]}}}, "public")
    words = texts(log(turn(1), broken, game="diplomacy"))  # type: ignore[arg-type]
    assert {"A title", "NORTH", "turn 1"} <= set(words)
    assert "event 2 cannot be drawn" in caplog.text


def shown(state: dict[str, Any]) -> tuple[str, dict[str, Any], Audience]:
    return "PictureShown", {"state": state}, "public"


def test_the_last_picture_that_was_published_is_on_the_card_in_the_colours_of_the_seats() -> None:
    picture = event_data(Picture(grid(8, 8), [Thing("k", "piece", "e1", label="K", owner="NORTH")], "White."))  # type: ignore[arg-type]
    card = card_svg(log(turn(1), shown({"places": [], "things": [], "describe": "Before."}), shown(picture)))
    assert has_board(card)
    assert "K" in texts_of(card)
    assert card.count("<rect") > 64
    assert COLOURS[0][0] in card


@pytest.mark.parametrize(
    "state",
    [
        {"places": [], "things": [], "describe": "No size.", "width": 0},
        {"places": [{"id": "a", "x": "east", "y": 0}], "things": [], "describe": "No number."},
        {"places": [{"id": str(n), "x": 0, "y": 0} for n in range(MOST_PARTS + 1)], "things": [], "describe": "Many."},
        {"things": [], "describe": "No places."},
    ],
)
def test_a_published_picture_that_cannot_be_drawn_is_left_out(
    state: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    card = card_svg(log(turn(1), shown(state)))
    assert not has_board(card)
    assert "A title" in texts_of(card)
    assert "event 2 cannot be drawn" in caplog.text


def test_moments_with_the_same_card_have_one_anchor() -> None:
    thinking = ("PlayerThinking", {"seat": "NORTH"}, "public")
    events = log(turn(1), ("PrivateBatch", {"events": []}, "private"), thinking, turn(2))  # type: ignore[arg-type]
    assert [anchor(events, seq) for seq in range(5)] == [0, 1, 1, 1, 4]
    assert card_svg(events[:2]) == card_svg(events[:4])


def test_a_clip_has_a_frame_for_each_turn() -> None:
    events = log(*[turn(number) for number in range(5)])
    moments, seconds = clip_moments(events, 1, 5)
    assert moments == [1, 2, 3, 4, 5]
    assert len(seconds) == 5
    assert seconds[-1] > max(seconds[:-1])
    assert clip_frames(events, moments) == [card_svg(events, moment) for moment in moments]


def test_a_clip_begins_with_the_match() -> None:
    events = recorded("diplomacy")
    moments, _ = clip_moments(events, 0, 40)
    assert events[moments[0] + 1].type in ("OrdersResolved", "PhaseAdvanced")
    assert moments[-1] == 40


def test_the_clip_of_one_moment_is_a_still() -> None:
    events = log(turn(1), turn(2))
    assert clip_moments(events, 0, 1) == ([1], [LAST])


def test_ranges_without_a_turn_and_with_too_many_are_refused() -> None:
    events = log(*[turn(number) for number in range(MOST_BEATS + 2)])
    with pytest.raises(OptionError, match="last: no turn or ball is between 5 and 5"):
        clip_moments(events, 5, 5)
    with pytest.raises(OptionError, match=f"last: {MOST_BEATS + 1} turns or balls .* at most {MOST_BEATS}"):
        clip_moments(events, 1, MOST_BEATS + 2)
    moments, seconds = clip_moments(events, 1, MOST_BEATS)
    assert len(moments) == MOST_FRAMES == len(seconds)
    assert (moments[0], moments[-1]) == (1, MOST_BEATS)
    assert sum(seconds) < 35


def test_every_moment_of_the_recordings_has_a_board() -> None:
    for game in ("diplomacy", "cricket"):
        events = recorded(game)
        for stop in range(5, len(events), 23):
            assert has_board(card_svg(events[:stop]))
