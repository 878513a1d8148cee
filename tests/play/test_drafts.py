"""What a log lacks of its last turn is known from its decisions."""

from __future__ import annotations

import pytest

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Event
from grandstand.play.drafts import paced, untold
from grandstand.play.runner import MatchRunner
from grandstand.play.verification import replay_steps
from grandstand.players.base import Choice
from tests.support.players.press_player import PressPlayer

GAMES = {"diplomacy": {"last_year": 1902, "negotiation_rounds": 1}, "werewolf": {}}


@pytest.mark.parametrize("game", GAMES)
def test_a_log_that_ends_within_the_end_of_a_turn_is_completed_exactly(game: str) -> None:
    spec = game_spec(game)
    runner = MatchRunner(Match(spec, GAMES[game], 3), {seat: PressPlayer() for seat in spec.seats()})
    drafts = [*runner.created(GAMES[game], title="", origin="api"), *runner.started()]
    cuts = 0
    while not runner.match.over and cuts < 12:
        seat = runner.match.waiting[0]
        answer = runner.play(seat, Choice(runner.match.game.default_action(seat), "policy"))
        published = list(drafts)
        for part, _ in paced(answer, spec.story.rest):
            published += part
            if len(published) == len(drafts) + len(answer):
                break
            events = [
                Event(episode_id="e", epoch=1, seq=n, at=0.0, type=kind, audience=audience, data=data)
                for n, (kind, data, audience) in enumerate(published)
            ]
            steps = list(replay_steps(events))
            chosen = next(step for step in reversed(steps) if step.event.type == "ActionChosen")
            match = steps[-1].match
            assert match is not None
            assert [*published, *untold(match, events, chosen.event, chosen.played)] == [*drafts, *answer]
            cuts += 1
        drafts += answer
    assert cuts >= 4
