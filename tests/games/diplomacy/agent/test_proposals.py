"""The search over what a policy proposes: what it answers, and on what grounds."""

from __future__ import annotations

import re
from random import Random

import pytest

from grandstand.games.diplomacy.agent import proposals
from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.bots.search import planner
from grandstand.games.diplomacy.bots.search.forecast import Forecast
from grandstand.games.diplomacy.bots.search.opponents import expected, mixtures_after
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWER, POWERS, PROVINCE, UNIT
from grandstand.games.diplomacy.rules.orders import HOLD, NONE

DUEL: dict[str, object] = {
    "phase": "F1905M",
    "units": {"FRANCE": ["A BUR", "A RUH", "A TYR"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN"]},
}


def game_in(start: dict[str, object]) -> DiplomacyGame:
    return DiplomacyGame(DiplomacyOptions(press="none", start=start))


@pytest.mark.long
def test_orders_that_were_given_already_are_not_seen() -> None:
    open_game, secret = (DiplomacyGame(DiplomacyOptions(press="none")) for _ in range(2))
    for game in (open_game, secret):  # beyond the openings, which are known by heart
        for power in POWERS:
            game.apply(power, {"orders": []})
    secret.apply("ENGLAND", {"orders": ["A LVP - WAL"]})
    answers = [proposals.choose(game, "FRANCE", (), Random(1)) for game in (open_game, secret)]
    assert answers[0] == answers[1]


def test_it_weighs_the_proposals_against_what_the_others_are_expected_to_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The proposals are candidates of the seat, which nobody expects of it; the others are expected as they played."""
    game = game_in(DUEL)
    for seat in ("FRANCE", "GERMANY"):
        game.apply(seat, {"orders": []})
    while not game.turn.endswith("M"):
        for seat in list(game.to_act()):
            game.apply(seat, {"orders": []})
    searched = planner.searched
    asked: list[Forecast] = []

    def remembered(*arguments: object) -> object:
        assert isinstance(arguments[-1], Forecast)
        asked.append(arguments[-1])
        return searched(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(proposals, "searched", remembered)
    holds = {"orders": ["A BUR H", "A RUH H", "A TYR H"]}
    answer = proposals.choose(game, "FRANCE", [holds, holds], Random(1))
    (outlook,) = asked
    usual = expected(game.state, game.relations, mixtures_after(game.movements))
    france, germany = POWER["FRANCE"], POWER["GERMANY"]
    assert outlook.plans[germany] == usual.plans[germany]
    assert outlook.chances[germany] == usual.chances[germany]
    held = {PROVINCE[place]: (HOLD, UNIT[f"A {place}"], NONE, NONE) for place in ("BUR", "RUH", "TYR")}
    assert outlook.plans[france] == (*usual.plans[france], held, held)
    assert outlook.chances[france] == (*usual.chances[france], 0.0, 0.0)
    assert re.fullmatch(r"GERMANY plays most like (hold|defensive|search) \(\d+%\)\.", answer.thought)


def test_outside_movement_phases_it_answers_as_the_bot() -> None:
    game = game_in({"phase": "W1901A", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR", "MAR", "BRE"]}})
    answer = proposals.choose(game, "FRANCE", [{"orders": ["A PAR H"]}], Random(1)).action
    assert answer == BOTS["search"](game, "FRANCE", Random(1))
    assert len(answer["orders"]) == 2


def test_it_finds_no_worse_orders_than_those_proposed_and_the_same_ones_each_time() -> None:
    """Two undefended centres can be had; the answer takes them, though only holding is proposed."""
    game = game_in(DUEL)
    proposed = [{"orders": ["A BUR H", "A RUH H", "A TYR H"]}]
    answer = proposals.choose(game, "FRANCE", proposed, Random(3)).action
    assert answer == proposals.choose(game, "FRANCE", proposed, Random(3)).action
    game.apply("GERMANY", {"orders": ["A MUN H"]})
    game.apply("FRANCE", answer)
    assert game.state.center_counts()[POWER["FRANCE"]] == 5


def test_orders_by_sea_can_be_proposed() -> None:
    game = game_in({"phase": "S1905M", "units": {"FRANCE": ["A BRE", "F ENG"]}, "centers": {"FRANCE": ["BRE", "PAR"]}})
    by_sea = {"orders": ["A BRE - LON VIA", "F ENG C A BRE - LON"]}
    game.apply("FRANCE", proposals.choose(game, "FRANCE", [by_sea], Random(2)).action)
    assert game.turn == "F1905M"
