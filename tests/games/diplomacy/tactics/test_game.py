"""A tactic as a match: one power, one answer, one verdict."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from grandstand.games.base import IllegalAction
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.agent.reply import PRESS
from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.events import TacticSet
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.tactics.positions import tactics
from grandstand.games.match import Match
from grandstand.main import app


def begun(name: str) -> Match[DiplomacyGame]:
    return Match(GAME, {"tactic": name}, 1)


def test_solved_and_not() -> None:
    for name, item in tactics().items():
        solved = begun(name)
        solved.apply(item.seat, {"orders": list(item.best)})
        outcome = solved.game.outcome
        assert outcome is not None
        assert (outcome.reason, outcome.winners, outcome.scores[item.seat]) == ("tactic", [item.seat], 1.0)
        assert item.reason in outcome.text
        assert solved.game.scores() == outcome.scores
        for orders, _ in item.wrong:
            missed = begun(name)
            missed.apply(item.seat, {"orders": list(orders)})
            assert missed.game.outcome is not None
            assert missed.game.outcome.winners == [item.opponent]
            assert sum(missed.game.outcome.scores.values()) == 1.0


def test_the_board_shows_the_reply_that_defeats_the_orders() -> None:
    match = begun("uncut-supporter")
    orders = ["A BUR - MUN", "A RUH S A BUR - MUN", "A TYR H"]
    events = match.apply("FRANCE", {"orders": orders})
    played = next(event for event in events if type(event).__name__ == "OrdersResolved")
    assert [order["order"] for order in played.orders["GERMANY"]] == ["A HOL - RUH", "A MUN H"]  # type: ignore[attr-defined]
    assert match.game.outcome is not None
    assert match.game.outcome.text.endswith("It fails against A HOL - RUH; A MUN H.")


def test_only_its_power_plays_and_only_once() -> None:
    match = begun("fork")
    assert match.waiting == ("RUSSIA",)
    with pytest.raises(IllegalAction, match="seat: AUSTRIA does not play in this position"):
        match.apply("AUSTRIA", {"orders": []})
    assert not PRESS.speakers(match.game)
    match.apply("RUSSIA", {"orders": []})
    assert match.over


def test_the_task_is_public_from_the_start() -> None:
    position, task = begun("fork").game.opening()
    assert position.state["phase"] == "F1902M"  # type: ignore[attr-defined]
    assert task == TacticSet("fork", "Two threats, one guard", "RUSSIA", "Take Vienna or Budapest.")
    assert task.seats() is None
    assert len(Match(GAME, {}, 1).game.opening()) == 1


def test_its_power_is_told_the_aim() -> None:
    text = begun("build-coast").game.text("RUSSIA")
    assert "Your aim: Take Norway from the English fleet in the spring." in text
    assert "You then order: A FIN - NWY, STP S A FIN - NWY" in text
    assert "Your aim" not in begun("build-coast").game.text("ENGLAND")


@pytest.mark.parametrize("name", tactics())
def test_it_is_saved_copied_and_restored(name: str) -> None:
    match = begun(name)
    loaded = GAME.rules.load(json.loads(json.dumps(match.game.to_json())))
    assert loaded.digest() == match.game.digest()
    seat = match.waiting[0]
    for game in (match.fork().game, loaded):
        game.apply(seat, BOTS["dumbbot"](game, seat, match.rng(seat)))
        assert game.outcome is not None
        assert GAME.rules.load(game.to_json()).scores() == game.scores()


def test_players_are_compared_on_the_set() -> None:
    command = ["eval", "diplomacy", "--player", "defensive", "--reference", "random", "--pack", "tactics", "--json"]
    result = CliRunner().invoke(app, [*command, "--jobs", "1"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["pack"]["name"] == "tactics"
    assert report["pack"]["digest"]
    assert report["units"] == len(tactics())
    score = report["measures"]["score"]
    assert score["player"]["mean"] > score["reference"]["mean"]
    assert report["played"]["player"]["decisions"] == len(tactics())


def test_whole_matches_stay_the_default_of_an_evaluation() -> None:
    command = ["eval", "diplomacy", "--player", "hold", "--reference", "hold", "--set", "last_year=1901"]
    result = CliRunner().invoke(app, [*command, "--json", "--jobs", "1"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["pack"] == {"name": "start"}
