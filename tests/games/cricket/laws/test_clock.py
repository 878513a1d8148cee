"""The over rate: a fielding side that is late has one fielder fewer outside the circle."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from grandstand.games.base import Action, GameEvent, SeatId
from grandstand.games.cricket.bots.heuristic import best_field
from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.events import BallBowled, ChanceChanged, FieldSet, OverRatePenalized
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules, super_over_rules
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.match import event_data
from grandstand.games.story import StoryEvent
from tests.support.cricket.story_scorebook import Scorebook
from tests.support.cricket.story_truths import reading
from tests.support.cricket.telling import comments, tell


def restless(game: CricketGame, seat: SeatId, rng: Random) -> Action:
    """Move the field before every ball of the first four overs, and leave it to the standard after that."""
    state, side = game.state, SEATS.index(seat)
    bowls = state.stage == "play" and side == state.now.bowling_side and state.now.bowler is not None
    if bowls and not state.calls[side] and not state.field_locked:
        wanted = "standard" if state.now.over > 3 else "pp_spin" if state.field_choice == "pp_ring" else "pp_ring"
        if state.field_choice != wanted:
            return {"tool": "set_field", "arguments": {"preset": wanted}}
    return neutral(game, seat, rng)


@cache
def played() -> list[GameEvent]:
    """Return a match of five overs in which home moves its field incessantly."""
    return play_match(CricketOptions(overs=5, conditions="ipl-2023"), 1, restless, neutral)[1]


def test_a_captain_who_moves_the_field_incessantly_pays_for_it() -> None:
    emitted = played()
    (late,) = (event for event in emitted if isinstance(event, OverRatePenalized))
    assert (late.seat, late.over, late.outside) == ("home", 4, 4)
    assert late.late > 0
    after = emitted[emitted.index(late) :]
    announced = next(event for event in after if isinstance(event, FieldSet))
    assert announced.preset is not None
    assert announced.preset.startswith("four_out")
    assert announced.breach is None
    first = next(number for number, event in enumerate(after) if isinstance(event, BallBowled))
    changed = after[first + 1]
    assert isinstance(changed, ChanceChanged)
    (field,) = (call for call in changed.decisions if "field" in call["choice"])
    assert field["seat"] == "home"
    assert field["delta"] < 0, "the field that is left costs, and the captain's account has it"


@pytest.mark.parametrize("conditions", ["icc", "ipl"])
def test_other_conditions_take_nobody_in(conditions: str) -> None:
    options = CricketOptions(overs=5, conditions=conditions, win_probability=False)
    _, emitted = play_match(options, 1, restless, neutral)
    assert not any(isinstance(event, OverRatePenalized) for event in emitted)


def test_the_clock_stands_for_nothing_that_is_not_the_fielders() -> None:
    rules = format_rules(20, "ipl-2023")
    assert rules.cut_off == 85 * 60
    assert super_over_rules("ipl-2023").cut_off is format_rules(50, "ipl-2023").cut_off is None
    innings, field = Innings(1, 0, rules), ("point",) * 9
    innings.tick("pace", field, wicket=False)
    pace = innings.clock
    innings.wickets = 1
    innings.tick("spin", field, wicket=True)
    assert innings.clock - pace > pace
    before, innings.wickets = innings.clock, 7
    innings.tick("spin", ("cover",) * 9, wicket=True)
    assert pace < innings.clock - before < 2 * pace, "a new field counts; a late wicket is allowed for"
    innings.slow, innings.legal = True, 0
    assert innings.max_outside == 2, "not in the powerplay"
    innings.legal = 60
    assert innings.max_outside == 4


def test_heuristic_leaves_its_field_while_it_is_behind() -> None:
    game = CricketGame(CricketOptions(overs=5, conditions="ipl-2023", win_probability=False), 3)
    rngs = {seat: Random(seat) for seat in SEATS}
    kept = moved = 0
    while game.outcome is None:
        seat = game.to_act()[0]
        bowls = game.state.stage == "play" and game.state.now.bowler is not None and game.state.now.number == 1
        if bowls and game.state.now.striker is not None:
            usual = best_field(game.state)
            copy = game.clone()
            copy.state.now.clock = 10**6
            assert copy.state.now.behind
            late = best_field(copy.state)
            kept += usual is not None and late is None
            moved += usual is not None
        game.apply(seat, neutral(game, seat, rngs[seat]))
    assert 0 < kept <= moved


def test_it_is_told_and_the_record_supports_it() -> None:
    public = [event for event in played() if event.seats() is None]
    events = [StoryEvent(seq, type(event).__name__, event_data(event)) for seq, event in enumerate(public)]
    pages = Scorebook().pages(events)
    (line,) = (line for line in comments(tell(events)) if events[line.rests_on[-1]].type == "OverRatePenalized")
    assert reading("comment", line.text, [pages[line.rests_on[-1]]]) == "over-rate"
