from __future__ import annotations

import pytest

from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.events import BallBowled, InningsEnded
from grandstand.games.cricket.export.statistics import Statistics
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match, spinners


@pytest.mark.long
def test_statistics_count_what_the_scorecards_say() -> None:
    stats = Statistics()
    runs = wickets = legal = wides = balls = 0
    firsts = []
    for seed in range(6):
        game, emitted = play_match(CricketOptions(), seed, neutral, neutral)
        stats.add(emitted, spinners(game))
        for innings in game.state.innings[:2]:
            runs += innings.runs
            wickets += innings.wickets
            legal += innings.legal
        firsts.append(game.state.innings[0].runs)
        bowled = [event for event in emitted if isinstance(event, BallBowled) and event.innings <= 2]
        balls += len(bowled)
        wides += sum("wides" in (event.extras or {}) for event in bowled)
        assert sum(isinstance(event, InningsEnded) for event in emitted) == len(game.state.innings)
    result = stats.headline()
    assert result["rpo"] == pytest.approx(6 * runs / legal)
    assert result["wkt_per_legal"] == pytest.approx(wickets / legal)
    assert result["wide_rate"] == pytest.approx(wides / balls)
    assert result["first_mean"] == pytest.approx(sum(firsts) / 6)
    shares = [value for name, value in result.items() if name.startswith("dismissal_share")]
    assert sum(shares) == pytest.approx(1, abs=0.05)
