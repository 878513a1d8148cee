"""Reading the state of a match changes nothing, and copies are independent."""

from __future__ import annotations

from random import Random

from grandstand.games.cricket.agent import choices, menu, text
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.match import observation, results
from grandstand.games.cricket.match.ball_event import before_ball
from grandstand.games.cricket.match.chances import expect, home_chance
from grandstand.games.cricket.match.serialization import digest, load, to_json
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import SEATS


def ask_everything(state: ContestState) -> None:
    for side, seat in enumerate(SEATS):
        observation.observation(state, seat)
        text.prompt(state, seat)
        choices.choices(state, seat, {})
        observation.analysis(state, side)
    home_chance(state)
    results.lead_on_par(state)
    if not state.innings or state.stage == "over":
        return
    innings = state.now
    results.interruption(state)
    results.target(state)
    if None not in (innings.striker, innings.non_striker, innings.bowler):
        delivery = state.delivery()
        before_ball(state, delivery)
        expect(state, delivery.setting)


def test_no_question_changes_the_state() -> None:
    game, rng = CricketGame(CricketOptions(overs=3, rain="2@1->2"), 6), Random(6)
    asked = 0
    while game.outcome is None:
        seat = game.to_act()[0]
        before = digest(game.state)
        ask_everything(game.state)
        assert digest(game.state) == before
        asked += 1
        game.apply(seat, BOTS["random"](game, seat, rng))
    ask_everything(game.state)
    assert asked > 40


def test_describing_a_ball_leaves_its_dismissal_to_the_contest() -> None:
    """The fielders of a catch are named in the description; the ball itself gets them when it is counted."""
    catches = 0
    for seed in range(12):
        game = CricketGame(CricketOptions(overs=3, win_probability=False), seed)
        while game.outcome is None:
            innings = game.state.now if game.state.stage == "play" else None
            if innings and None not in (innings.striker, innings.non_striker, innings.bowler):
                delivery = game.state.delivery()
                if delivery.ball.dismissal is not None and delivery.ball.dismissal.kind == "caught":
                    assert len(before_ball(game.state, delivery).fielders) == 1
                    assert delivery.ball.dismissal.fielders == ()
                    catches += 1
            seat = game.to_act()[0]
            game.apply(seat, game.default_action(seat))
    assert catches > 0


def test_a_copy_and_a_saved_state_go_their_own_way() -> None:
    game = CricketGame(CricketOptions(overs=2), 3)
    for _ in range(12):
        seat = game.to_act()[0]
        game.apply(seat, game.default_action(seat))
    before = digest(game.state)
    copies = [CricketGame.load(to_json(game.state)), game.clone()]
    assert digest(load(to_json(game.state))) == before
    for copy in copies:
        assert copy.contest.state is copy.state
        while copy.outcome is None:
            seat = copy.to_act()[0]
            copy.apply(seat, copy.default_action(seat))
    assert digest(game.state) == before
    assert copies[0].digest() == copies[1].digest() != before
    assert menu.to_act(game.state) == game.to_act()
