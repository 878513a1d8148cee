"""Texas hold'em is told with the chances of all hands to those who may know them, and to nobody else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from grandstand.play.headless import MatchPlan, play_match
from grandstand.spectator.replay import from_lines
from grandstand.spectator.summary import summary_of
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint
from tests.support.requirements import package

package("pyspiel")


def test_the_chances_of_hands_are_for_analysts_alone(tmp_path: Path) -> None:
    options = {"game": "universal_poker", "parameters": "players=3"}
    plan = MatchPlan("poker-1", "openspiel", ("random",) * 3, options, seed=5, folder=tmp_path)
    result = asyncio.run(play_match(plan))
    assert result.status == "finished"
    with (tmp_path / "poker-1.jsonl").open() as file:
        events = from_lines(file).events
    turns = [event for event in events if event.type == "TurnStarted"]
    told = [event for event in events if event.type == "OutlookUpdated" and event.data["chances"]]
    assert [event.data["rests_on"] for event in told] == [[turn.seq] for turn in turns]
    for event in told:
        assert sum(event.data["chances"].values()) == pytest.approx(1, abs=0.001)
        assert Viewpoint("analyst").known(event)
        assert not SPECTATOR.known(event)
        assert not Viewpoint("seat", "player_0").known(event)
    stated = summary_of(events).outlook
    assert stated is not None
    assert not stated.chances
