"""The metrics of a run by its league's matches, with planted results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import torch

from grandstand.games.registry import game_spec
from grandstand.trainer.league.league import League
from grandstand.trainer.league.measures import LeagueMeasures
from grandstand.trainer.league.rows import LeagueMatch, options_key, policy_name
from grandstand.trainer.metrics import read_lines
from grandstand.trainer.run import train
from tests.support.trainer.tiny import tiny

SPEC = game_spec("diplomacy")
OPTIONS = options_key(tiny().game.options)
OPPONENTS = {"opponents": {"random": 1, "past": 1, "base": 1, "self": 1, "exploitable": 1}}


class Planted:
    """A league with planted matches, and what is measured of them."""

    def __init__(self, folder: Path, **sections: dict[str, Any]) -> None:
        config = tiny(**{"rollout": OPPONENTS, **sections})
        self.folder = folder
        self.league = League(config, SPEC, folder)
        self.league.begin(0, str)
        self.measures = LeagueMeasures(config, SPEC, self.league)

    def play(self, step: int, lot: str, *scores: tuple[str, float], **changes: Any) -> None:
        """Record a match of (player, score), in the seats of the game."""
        seats = dict(zip(SPEC.seats(), scores, strict=False))
        values: dict[str, Any] = {
            "episode": f"{step}-{lot}", "stage": "training", "step": step, "game": SPEC.name, "options": OPTIONS,
            "lot": f"{step}-{lot}", "players": {seat: player for seat, (player, _) in seats.items()},
            "scores": {seat: score for seat, (_, score) in seats.items()},
        }  # fmt: skip
        self.league.store.record("tiny", [LeagueMatch(**{**values, **changes})])


@pytest.fixture
def planted(tmp_path: Path) -> Iterator[Planted]:
    made = Planted(tmp_path)
    yield made
    made.league.close()


def own(version: int) -> str:
    return policy_name("tiny", version)


def test_a_step_has_the_score_against_every_opponent_and_category(planted: Planted) -> None:
    """Version 2 plays step 3. The seats of the same version are not compared, nor those of two opponents."""
    me = own(2)
    for version in (1, 2):
        planted.league.admit(version, planted.folder / "adapter")
    planted.play(3, "a", (me, 5.0), ("random", 3.0), ("random", 5.0), (own(1), 7.0), (me, 5.0), (own(0), 0.0))
    planted.play(3, "b", (me, 1.0), ("random", 3.0))
    planted.play(2, "a", (own(1), 9.0), ("random", 0.0))
    planted.play(3, "evaluation", (me, 9.0), ("random", 0.0), stage="evaluation")
    random = (1 + 0.5 + 1 + 0.5 + 0) / 5
    assert planted.measures.step(3) == pytest.approx(
        {
            "league/score/random": random,
            "league/score/v1": 0.0,
            "league/score/v0": 1.0,
            "league/score_category/baseline": random,
            "league/score_category/past": 0.0,
            "league/score_category/base": 1.0,
            "league/score_category/league": 5 / 9,
        }
    )
    assert planted.measures.step(4) == {}


def test_an_opponent_that_the_policy_beats_is_exploitable_too(planted: Planted) -> None:
    for number in range(40):
        planted.play(1, f"g{number}", (own(0), 5.0), ("random", 3.0))
    assert "league/score_category/exploitable" not in planted.measures.step(1), "as it was known before the step"
    planted.play(2, "g", (own(1), 3.0), ("random", 5.0))
    assert planted.measures.step(2)["league/score_category/exploitable"] == 0.0


def test_steps_that_are_played_ahead_count_for_the_version_that_played_them(tmp_path: Path) -> None:
    planted = Planted(tmp_path, rollout={**OPPONENTS, "buffer_depth": 2})
    planted.play(5, "g", (own(2), 5.0), (own(4), 3.0), ("random", 9.0))
    assert planted.measures.step(5).items() >= {"league/score/random": 0.0, "league/score/v4": 1.0}.items()
    planted.league.close()


def test_a_checkpoint_has_the_tables_of_the_steps_since_the_last_one(tmp_path: Path) -> None:
    """Steps 11 to 15; those before are not in them. v5 is a landmark, v0 the base, v8 neither."""
    planted = Planted(tmp_path, run={"checkpoint_every": 5}, league={"landmark_every": 5})
    for step in range(6, 16):
        for lot in range(4):
            base = 1.0 if (step + lot) % 4 else 3.0
            rest = [("random", 1.0), (own(5), 3.0), (own(0), base), (own(8), 1.0)] if step > 10 else [("random", 9.0)]
            planted.play(step, f"g{lot}", (own(step - 1), 2.0), *rest)
    earlier, table = planted.measures.checkpoint(10), planted.measures.checkpoint(15)
    assert {name for name in table if not name.endswith(("/low", "/high"))} == {
        "exploitation/random", "forgetting/v0", "forgetting/v5",
    }  # fmt: skip
    assert table["exploitation/random"] == 800
    assert 0 < table["exploitation/random/low"] < 800
    assert (table["forgetting/v5"], table["forgetting/v5/low"]) == (-0.5, -0.5)
    assert table["forgetting/v5/high"] < 0
    assert table["forgetting/v0"] == pytest.approx(0.25)
    assert table["forgetting/v0/low"] < 0.25 < table["forgetting/v0/high"]
    assert (earlier["exploitation/random"], earlier["exploitation/random/low"]) == (-800, -800)
    assert not [name for name in earlier if name.startswith("forgetting/")]
    planted.league.close()


def test_siblings_are_no_evidence_of_their_own(tmp_path: Path) -> None:
    """Four situations with a hundred siblings each are four results, too few for a table."""
    planted = Planted(tmp_path)
    for fork in range(400):
        planted.play(1, f"g{fork % 4}", (own(0), 5.0), ("random", 3.0), episode=f"f{fork}")
    assert planted.measures.checkpoint(1) == {}
    planted.league.close()


@pytest.mark.long
def test_a_run_reports_them(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    train(tiny(rollout={"groups": 3, "opponents": {"random": 2, "base": 1}}, run={"steps": 2}), tmp_path)
    first, second = read_lines(tmp_path)
    assert 0 <= first["league/score/random"] <= 1
    assert "league/score/v0" not in first, "the policy is still the base"
    assert second["league/score_category/baseline"] == second["league/score/random"]
    assert second["league/score_category/base"] == second["league/score/v0"]


@pytest.mark.long
def test_a_run_compares_decisions_by_the_strength_of_the_opponents(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    advantage = {"baseline": "stratified", "strata": {"opponent_rating": [1500.0]}}
    train(tiny(advantage=advantage, rollout={"groups": 6}, run={"steps": 3}), tmp_path)
    features = [
        dict(row)
        for row in pq.read_table(tmp_path / "trajectories/step-000003.parquet")["features"].to_pylist()
        if row is not None
    ]
    assert {round(row["opponent_rating"]) for row in features} - {1500}, (
        "rated at the first checkpoint, before version 2 played"
    )
    assert all(0 < row["expected_score"] < 1 for row in features)
