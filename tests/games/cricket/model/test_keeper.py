"""The presets with a decision of their own: the wicket-keeper up to the stumps, and the ring that saves one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from grandstand.games.base import GameEvent
from grandstand.games.cricket.bots.heuristic import best_field
from grandstand.games.cricket.events import InningsStarted
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import KEEPER_UP, PRESETS, field_of
from grandstand.games.cricket.model.ball_model import ERAS, ball_model
from grandstand.games.cricket.model.keeper import BEHIND_SHARE, behind_share
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.story.teller import CricketStory
from grandstand.games.cricket.vocab import CLASSES, MEDIUM, PHASES
from grandstand.games.match import event_data
from grandstand.games.story import StoryEvent
from tests.support.cricket.story_scorebook import Scorebook
from tests.support.cricket.story_truths import reading
from tests.support.cricket.telling import comments


def bowled_by(medium: bool) -> tuple[CricketGame, list[GameEvent]]:
    """Return a match in which a bowler of medium pace, or another, has the ball, and its public events."""
    for seed in range(50):
        game = CricketGame(CricketOptions(overs=5, win_probability=False), seed)
        emitted = [
            *game.opening(),
            *game.apply(game.to_act()[0], {"tool": "set_toss", "arguments": {"decision": "bat"}}),
        ]
        emitted += game.apply(game.to_act()[0], {"tool": "play_delivery", "arguments": {}})
        side = game.state.teams[game.state.now.bowling_side]
        for number, player in enumerate(side.players):
            if player.style is not None and (player.style in MEDIUM) is medium and number != side.keeper:
                call = {"tool": "choose_bowler", "arguments": {"bowler": player.name}}
                return game, [*emitted, *game.apply(game.to_act()[0], call)]
    raise AssertionError("no such bowler")


def told(emitted: Sequence[GameEvent]) -> list[tuple[str, str | None]]:
    """Return the lines on fields, each with the kind as which the record supports it."""
    public = [event for event in emitted if event.seats() is None]
    events = [StoryEvent(seq, type(event).__name__, event_data(event)) for seq, event in enumerate(public)]
    pages = Scorebook().pages(events)
    return [
        (line.text, reading("comment", line.text, [pages[line.rests_on[-1]]]))
        for line in comments(CricketStory("cricket-x").tell(events))
        if events[line.rests_on[-1]].type == "FieldSet"
    ]


@pytest.mark.parametrize("era", ERAS)
def test_a_keeper_who_stands_up_stumps_more_and_catches_and_stops_less(era: str) -> None:
    model = ball_model(era)
    for phase in range(len(PHASES)):
        factor = dict(zip(CLASSES, model.keeper_up(phase), strict=True))
        assert factor["4"] < 1 < factor["lb"]
        assert factor["6"] < 1
        assert 0.9 < factor["W"] < 1.05
        shares = []
        for up in (False, True):
            kinds, running = model.kinds(phase, 0, 3, 2, False, up)
            shares.append({kind: b - a for kind, a, b in zip(kinds, [0.0, *running], running, strict=False)})
        assert shares[1]["stumped"] > 3 * shares[0].get("stumped", 0.0)
        assert shares[1]["caught"] < shares[0]["caught"]
    assert behind_share(up=True) < BEHIND_SHARE / 1.8


@pytest.mark.parametrize("medium", [True, False])
def test_only_a_bowler_of_medium_pace_brings_him_up_and_it_is_told(medium: bool) -> None:
    game, emitted = bowled_by(medium)
    assert PRESETS.keys() >= KEEPER_UP
    assert game.state.field_for("pp_medium").keeper_up is medium
    assert game.state.field_for(PRESETS["pp_medium"]) is field_of(PRESETS["pp_medium"])
    emitted += game.apply(game.to_act()[0], {"tool": "set_field", "arguments": {"preset": "pp_medium"}})
    assert [kind for _, kind in told(emitted)] == (["keeper_up"] if medium else [])


def test_the_ring_comes_in_for_the_last_run_and_it_is_told() -> None:
    for medium in (True, False):
        game, emitted = bowled_by(medium)
        innings = game.state.now
        innings.target, innings.runs, innings.legal = 40, 39, 26
        emitted = [
            replace(event, target=1) if isinstance(event, InningsStarted) else event for event in emitted
        ]  # fmt: skip
        name = best_field(game.state)
        assert name is not None
        assert field_of(PRESETS[name]).outside <= 2
        emitted += game.apply(game.to_act()[0], {"tool": "set_field", "arguments": {"preset": name}})
        assert [kind for _, kind in told(emitted)] == ["field_save_one"]
