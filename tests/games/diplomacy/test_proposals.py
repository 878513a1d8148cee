"""The search over what a policy proposes: its seats, and its answers."""

from __future__ import annotations

from random import Random

import pytest

from grandstand.games.diplomacy import proposals
from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.bots.search import planner
from grandstand.games.diplomacy.bots.search.forecast import DOUBT, Forecast, Proposals, forecast, proposals_of
from grandstand.games.diplomacy.bots.stance import public_stance
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.map import POWER, POWERS, PROVINCE, UNIT
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.orders import HOLD, NONE
from grandstand.games.diplomacy.state import State

FALL_1901 = State.start().resolve({}).after
HOLDS = {PROVINCE[place]: (HOLD, UNIT[f"A {place}"], NONE, NONE) for place in ("PAR", "MAR")} | {
    PROVINCE["BRE"]: (HOLD, UNIT["F BRE"], NONE, NONE)
}


def game_in(start: dict[str, object]) -> DiplomacyGame:
    return DiplomacyGame(DiplomacyOptions(press="none", start=start))


def test_orders_that_were_given_already_are_not_seen() -> None:
    open_game, secret = (DiplomacyGame(DiplomacyOptions(press="none")) for _ in range(2))
    for game in (open_game, secret):  # beyond the openings, which are known by heart
        for power in POWERS:
            game.apply(power, {"orders": []})
    secret.apply("ENGLAND", {"orders": ["A LVP - WAL"]})
    assert proposals.seats(secret, "FRANCE") == ["FRANCE"]
    answers = [proposals.choose(game, "FRANCE", {}, Random(1)) for game in (open_game, secret)]
    assert answers[0] == answers[1]


def test_the_others_are_expected_to_search_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The orders that a search of Germany comes to are candidates of the forecast."""
    game = game_in(
        {
            "phase": "F1905M",
            "units": {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN", "A KIE"], "ENGLAND": ["F LON"]},
            "centers": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "KIE"], "ENGLAND": ["LON"]},
        }
    )
    asked: list[Proposals] = []

    def remembered(state: State, iterations: int, proposed: Proposals = ()) -> Forecast:
        asked.append(proposed)
        return forecast(state, iterations, proposed)

    monkeypatch.setattr(planner, "forecast", remembered)
    proposals.choose(game, "FRANCE", {}, Random(1))
    *others, own = asked
    assert others == [()] * 2 * proposals.FORESEEN
    assert {power for power, plans in zip(POWERS, own, strict=True) if plans} == {"ENGLAND", "GERMANY"}
    germany = POWER["GERMANY"]
    state = game.state
    for number, plan in enumerate(own[germany]):
        rng = Random(f"{state.digest()}/{germany}/{number}")
        alone = planner.plan(state, germany, rng, public_stance(state, germany, game.relations))
        assert dict(plan) == alone


def test_outside_movement_phases_nothing_is_proposed_and_it_answers_as_the_bot() -> None:
    game = game_in({"phase": "W1901A", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR", "MAR", "BRE"]}})
    assert proposals.seats(game, "FRANCE") == []
    answer = proposals.choose(game, "FRANCE", {}, Random(1))
    assert answer == BOTS["search"](game, "FRANCE", Random(1))
    assert len(answer["orders"]) == 2


def test_proposals_are_candidates_of_the_forecast_and_have_its_share_of_doubt() -> None:
    france = POWER["FRANCE"]
    proposed = [[HOLDS, HOLDS, HOLDS, dict(forecast(FALL_1901, 2).plans[france][0])] if power == france else []
                for power in range(len(POWERS))]  # fmt: skip
    outlook = forecast(FALL_1901, 2, proposals_of(proposed))
    chances = outlook.chances[france]
    assert sum(chances) == pytest.approx(1)
    assert chances[outlook.plans[france].index(HOLDS)] >= DOUBT * 3 / 4 - 1e-9
    assert [len(plans) for plans in outlook.plans[:france]] == [
        len(plans) for plans in forecast(FALL_1901, 2).plans[:france]
    ]


def test_without_iterations_the_forecast_is_what_was_proposed() -> None:
    france = POWER["FRANCE"]
    proposed = proposals_of([HOLDS] if power == france else [] for power in range(len(POWERS)))
    outlook = forecast(FALL_1901, 0, proposed)
    assert outlook.chances[france] == tuple(float(plan == HOLDS) for plan in outlook.plans[france])


def test_it_finds_no_worse_orders_than_those_proposed_and_the_same_ones_each_time() -> None:
    """Two undefended centres can be had; the answer takes them, though only holding is proposed."""
    game = game_in(
        {
            "phase": "F1905M",
            "units": {"FRANCE": ["A BUR", "A RUH", "A TYR"], "GERMANY": ["A MUN"]},
            "centers": {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN"]},
        }
    )
    proposed = {"FRANCE": [{"orders": ["A BUR H", "A RUH H", "A TYR H"]}], "GERMANY": [{"orders": ["A MUN H"]}] * 4}
    answer = proposals.choose(game, "FRANCE", proposed, Random(3))
    assert answer == proposals.choose(game, "FRANCE", proposed, Random(3))
    game.apply("GERMANY", {"orders": ["A MUN H"]})
    game.apply("FRANCE", answer)
    assert game.state.center_counts()[POWER["FRANCE"]] == 5


def test_orders_by_sea_can_be_proposed() -> None:
    game = game_in({"phase": "S1905M", "units": {"FRANCE": ["A BRE", "F ENG"]}, "centers": {"FRANCE": ["BRE", "PAR"]}})
    by_sea = {"orders": ["A BRE - LON VIA", "F ENG C A BRE - LON"]}
    game.apply("FRANCE", proposals.choose(game, "FRANCE", {"FRANCE": [by_sea]}, Random(2)))
    assert game.turn == "F1905M"
