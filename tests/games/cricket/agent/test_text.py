from __future__ import annotations

from grandstand.games.cricket.agent import actions, menu, text
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.prompts import PromptSettings, joined


def test_the_prompt_says_what_the_seat_may_know_and_do() -> None:
    game = CricketGame(CricketOptions(overs=5), 3)
    observed = set()
    while game.outcome is None:
        for seat in game.to_act():
            prompt = game.text(seat)
            assert prompt == game.text(seat)
            assert len(prompt) < 6_000
            side = ("home", "away").index(seat)
            assert all(f"- {tool}(" in prompt for tool in menu.allowed(game.state, side)[:1])
            if game.state.innings and game.state.stage == "play":
                innings = game.state.now
                assert f"{innings.runs}/{innings.wickets}" in prompt
                assert ("FREE HIT" in prompt) == innings.free_hit
                assert ("need" in prompt) == (innings.target is not None)
            observed.add(game.state.stage)
        seat = game.to_act()[0]
        game.apply(seat, game.default_action(seat))
    assert {"toss", "play"} <= observed


def played(balls: int) -> CricketGame:
    """Return a match after so many decisions, in its first innings."""
    game = CricketGame(CricketOptions(overs=20), 3)
    for _ in range(2 * balls + 1):
        seat = game.to_act()[0]
        game.apply(seat, game.default_action(seat))
    return game


def prompt_of(game: CricketGame, legal: bool = True, history: int | None = None) -> str:
    return joined(text.parts(game.state, game.to_act()[0], PromptSettings(legal, history)))


def test_the_past_is_as_long_as_it_is_set() -> None:
    game = played(26)
    innings = game.state.now
    assert len(innings.overs) >= 3
    assert "This over:" not in prompt_of(game, history=0)
    assert prompt_of(game, history=1) == prompt_of(game) == game.text(game.to_act()[0]).rstrip()
    listed = prompt_of(game, history=3).partition("Overs before this one, runs and wickets:\n")[2].split("\n\n")[0]
    bowlers = game.state.teams[innings.bowling_side].players
    last = [f"{runs}-{wickets}, {bowlers[by].name}" for by, runs, wickets in innings.overs[-2:]]
    number = innings.legal // 6
    assert listed.splitlines() == [f"{number - 1}: {last[0]}", f"{number}: {last[1]}"]
    everything = prompt_of(game, history=50).partition("runs and wickets:\n")[2].split("\n\n")[0].splitlines()
    assert len(everything) == len(innings.overs)
    assert everything[0].startswith("1: ")
    assert "Overs before" not in prompt_of(played(1), history=5), "there are none before the end of the first"


def test_hidden_tools_leave_the_form_of_an_answer() -> None:
    game = played(3)
    for seat in game.to_act():
        hidden = joined(text.parts(game.state, seat, PromptSettings(legal=False)))
        assert "moves the match on" not in hidden
        assert "calls left" not in hidden
        assert all(
            (f"- {tool}(" in hidden) is (tool not in ("analyze_situation", "plan_over", "use_impact_player"))
            for tool in actions.ARGUMENTS
        )
    for decisions, line in (
        ("ball", "- use_impact_player(impact; replaces)"),
        ("over", "- plan_over(impact; replaces;"),
    ):
        later = CricketGame(CricketOptions(overs=5, conditions="ipl-2023", decisions=decisions), 3)
        assert line in prompt_of(later, legal=False)
    toss = CricketGame(CricketOptions(overs=5), 3)
    assert hidden.rpartition("All tools")[2] == prompt_of(toss, legal=False).rpartition("All tools")[2]
