"""Records read back through the Laws."""

from __future__ import annotations

import pytest

from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.match.scenario_replay import cast_bowlers, replay
from grandstand.games.cricket.model.teams import invented_teams
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.packs import PackRecord, Scenario

SIDE = invented_teams(3)[0]


def played(*overs: str, bowlers: str = "ps") -> Innings:
    innings = Innings(1, 0, format_rules(20))
    replay(innings, PackRecord(bowlers, overs), SIDE)
    return innings


def test_every_kind_of_delivery() -> None:
    innings = played("0 . 1 4 wd 5wd nb 4nb 2lb 1nbb . 6")
    assert innings.runs == 1 + 4 + 1 + 5 + 1 + 5 + 2 + 2 + 6
    assert (innings.legal, innings.wides, innings.noballs, innings.legbyes, innings.byes) == (6, 6, 3, 2, 1)
    assert innings.over == 1
    assert innings.bowler is None


def test_wickets_and_who_is_left() -> None:
    innings = played("0 Wc . Wb . Wl .", "1 Ws 1Wr . 1Wn Wk Wh")
    assert innings.wickets == 8
    assert [card.out for card in innings.batters.values()].count("run out") == 2
    bowler = SIDE.players[cast_bowlers(PackRecord("ps", ()), SIDE)[0]].name
    assert innings.batters[0].out == f"caught b {bowler}"


def test_batters_who_crossed() -> None:
    assert played("0 . . . . . 1").striker == 0  # who took the single faces the next over
    assert played("0 . . . . . 1~").striker == 1


def test_bowlers_are_cast_by_group_and_front_line_first() -> None:
    cast = cast_bowlers(PackRecord("pspps", ()), SIDE)
    assert len(set(cast)) == 5
    for player, group in zip(cast[:4], "pspp", strict=True):
        assert SIDE.players[player].group[0] == group
        assert SIDE.players[player].front_line


@pytest.mark.parametrize("token", ["7x", "W", "Wz", "-1", "wdwd"])
def test_what_is_no_delivery_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match="delivery"):
        played(f"0 {token}")


def test_a_chase_begins_after_the_whole_first_innings() -> None:
    first = PackRecord("ps", tuple(f"{over % 2} 1 1 1 1 1 1" for over in range(5)))
    scenario = Scenario("x", "x", (first, PackRecord("p", ("0 6 . . . . .",))))
    game = CricketGame(CricketOptions(overs=5), 1)
    game.contest.begin(scenario)
    assert [innings.batting_side for innings in game.state.innings] == [1, 0]
    assert game.state.innings[0].closed == "overs completed"
    assert (game.state.now.target, game.state.now.runs, game.state.now.legal) == (31, 6, 6)
    assert set(game.to_act()) == {"away"}
    again = CricketGame.load(game.to_json())
    assert again.digest() == game.digest()
