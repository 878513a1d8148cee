"""Measures that an evaluation takes from a match."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from grandstand.games.cricket.agent.measures import MEASURES, measures
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match


def test_the_two_sides_mirror_each_other() -> None:
    game, emitted = play_match(CricketOptions(pack="chase-30"), 4, BOTS["heuristic"], BOTS["random"])
    events = [(type(event).__name__, asdict(event)) for event in emitted]
    home, away = measures(events, "home"), measures(events, "away")
    assert set(home) == set(MEASURES)
    for name in ("decisions", "luck", "matchups", "runs"):
        assert home[name] == pytest.approx(-away[name])
    start = next(data["home"] for type_, data in events if type_ == "ChanceChanged")
    assert game.state.result is not None
    for seat, sums, before in (("home", home, start), ("away", away, 1 - start)):
        gained = sums["decisions"] + sums["luck"] + sums["matchups"]
        assert game.state.result.scores[seat] - before == pytest.approx(gained, abs=0.003)
    assert home["score_less_luck"] == pytest.approx(game.state.result.scores["home"] - home["luck"])
    began = CricketOptions(pack="chase-30").start(4)
    assert began is not None
    need = int(began.title.split()[0])
    assert home["runs"] <= need + 6


def test_without_chances_only_the_runs_are_told() -> None:
    _, emitted = play_match(CricketOptions(overs=2, win_probability=False), 4, BOTS["neutral"], BOTS["neutral"])
    events = [(type(event).__name__, asdict(event)) for event in emitted]
    assert set(measures(events, "home")) == {"runs"}
