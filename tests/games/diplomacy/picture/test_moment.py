"""The position that a card shows."""

from __future__ import annotations

from grandstand.games.diplomacy.picture.moment import moment
from tests.support.play.recordings import recorded, scene_until


def test_nothing_is_known_before_the_first_phase() -> None:
    now = moment([("EpisodeStarted", {})])
    assert now.state["units"] == {}
    assert now.owners["BOH"] == "AUSTRIA"
    assert "MUN" not in now.owners


def test_orders_are_those_since_the_last_moves_and_land_belongs_to_its_last_visitor() -> None:
    events = recorded("diplomacy")
    now = moment(scene_until(events, "PhaseAdvanced", 8))
    assert next(phase[-1] for phase, _ in now.season) == "M"
    assert sum(phase.endswith("M") for phase, _ in now.season) == 1
    for count in range(1, 9):
        state = moment(scene_until(events, "PhaseAdvanced", count))
        for seat, units in state.state["units"].items():
            for unit in units:
                if unit[2:5] in state.control:
                    assert state.owners[unit[2:5]] == seat
        for seat, centers in state.state["centers"].items():
            assert {state.owners[center] for center in centers} <= {seat}


def test_orders_are_shown_on_the_position_they_were_given_in() -> None:
    now = moment(scene_until(recorded("diplomacy"), "OrdersResolved"))
    assert (now.state["phase"], [phase for phase, _ in now.season]) == ("S1901M", ["S1901M"])
