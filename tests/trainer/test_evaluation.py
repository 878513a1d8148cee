"""A version is compared with its base in the same situations, with the same luck, as it is asked in training."""

from __future__ import annotations

from math import inf, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
import torch

from grandstand.games.base import SeatId
from grandstand.models import flat
from grandstand.spectator.replay import Episode, read
from grandstand.trainer.evaluation import PairedResult, evaluate_pair
from grandstand.trainer.matchmaking import plan_evaluation, plan_step
from grandstand.trainer.rollouts import Fork
from tests.trainer.stage import Stage, cricket, stir
from tests.trainer.test_rollouts import Greedy, told
from tests.trainer.test_samples import Noting
from tests.trainer.tiny import tiny

FIELD = {"base": 1.0, "random": 1.0}


@pytest.fixture(params=[tiny, cricket], ids=["diplomacy", "cricket"])
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Stage:
    torch.set_num_threads(1)
    made = Stage(request.param(), tmp_path)
    stir(made.policy, 1)
    made.publish(1)
    return made


def fought(stage: Stage, version: int = 1, games: int = 4, **given: Any) -> PairedResult:
    asked: dict[str, Any] = {"label": "test", "opponents": FIELD if stage.spec.name == "diplomacy" else {"base": 1}}
    return evaluate_pair(stage.rollouts, stage.config, stage.spec, version, games=games, **{**asked, **given})


def episodes(stage: Stage, whose: str) -> list[Episode]:
    ids = sorted(one for one in stage.recorder.episode_ids() if one.endswith(f"-{whose}"))
    return [read(stage.recorder, one) for one in ids]


def test_prompts_are_those_of_training(stage: Stage) -> None:
    """The same match, played to learn and to measure: the policy is sent the same tokens."""
    stage.sampler = noted = Noting(Greedy(stage.sampler))
    plan = plan_step(stage.config, stage.spec, 1, ())[0]
    sent = []
    for record in (True, False):
        noted.given.clear()
        stage.rollouts.play(stage.rollouts.forks(plan, 1, [f"record-{record}"], record=record))
        sent.append([(prompt, one.completion) for prompt, one in noted.given])
    assert sent[0]
    assert sent[0] == sent[1]


def test_both_begin_in_the_same_situation(stage: Stage) -> None:
    fought(stage)
    for own, base in zip(episodes(stage, "own"), episodes(stage, "base"), strict=True):
        fork = next(event.seq for event in flat(own.events) if event.data.get("source") == "policy")
        assert [one[0] for one in told(own)[1:fork]] == [one[0] for one in told(base)[1:fork]]
        assert told(own)[1] == told(base)[1], "the seed"


def test_a_policy_against_itself_gains_nothing(stage: Stage) -> None:
    """To the last event: so a gain is the version's doing."""
    stage.publish(2)
    found = fought(stage, version=0)
    assert (found.gain, found.error, found.sigmas) == (0, 0, 0)
    assert (found.ci95, found.elo, found.elo_ci95) == (None, None, None), "equal games do not tell how sure that is"
    for own, base in zip(episodes(stage, "own"), episodes(stage, "base"), strict=True):
        assert told(own) == told(base)


def test_a_duel_can_be_fought_again(stage: Stage, tmp_path: Path) -> None:
    other = Stage(stage.config, tmp_path / "again")
    stir(other.policy, 1)
    other.publish(1)
    assert fought(stage) == fought(other)


def test_nothing_of_it_is_learned_from(stage: Stage) -> None:
    fought(stage, games=2)
    for episode in (*episodes(stage, "own"), *episodes(stage, "base")):
        assert not [event for event in flat(episode.events) if event.type == "TurnRecorded"]
        assert [event for event in flat(episode.events) if event.data.get("source") == "policy"]


def test_versions_sit_in_the_trained_seats_alone(stage: Stage) -> None:
    fought(stage, games=3, opponents={"base": 1})
    plans = plan_evaluation(stage.config, stage.spec, "test", 3, {"base": 1}, ())
    for plan, own, base in zip(plans, episodes(stage, "own"), episodes(stage, "base"), strict=True):
        assert own.episode_id == f"tiny-{plan.id}-v000001-own"
        seated = [{info["seat"]: info["player"] for info in one.events[0].data["seats"]} for one in (own, base)]
        expected = dict.fromkeys(plan.trained_seats, "tiny@v000001")
        assert seated[0] == {**dict.fromkeys(stage.spec.seats, "tiny@v000000"), **expected}
        assert set(seated[1].values()) == {"tiny@v000000"}


def test_the_numbers_are_those_of_the_matches(stage: Stage) -> None:
    """Scores given here: what is made of them is by hand."""
    given: dict[str, float] = {}

    def score(fork: Fork, seat: SeatId) -> float:
        number, whose = int(fork.episode_id.split("-g")[1][:3]), fork.episode_id.rsplit("-", 1)[1]
        given[fork.episode_id] = {"own": [1.0, 0.5, 0.0, 0.7], "base": [0.0, 0.5, 0.5, 0.2]}[whose][number]
        return given[fork.episode_id]

    found = fought(stage, score=score)
    assert len(given) == 8
    assert found.games == 4
    assert (found.mean, found.base) == pytest.approx((0.55, 0.3))
    assert found.gain == pytest.approx(0.25)
    assert found.error == pytest.approx(stdev([1.0, 0.0, -0.5, 0.5]) / sqrt(4))
    assert found.sigmas == pytest.approx(found.gain / found.error)
    metrics = found.metrics("vs_base")
    assert metrics["eval/vs_base/gain"] == found.gain
    assert metrics["eval/vs_base/games"] == 4.0
    assert not {"eval/vs_base/ci95", "eval/vs_base/elo", "eval/vs_base/elo_ci95"} & set(metrics), "four are too few"


def test_by_default_a_match_is_worth_its_score(stage: Stage) -> None:
    found = fought(stage)
    plans = plan_evaluation(stage.config, stage.spec, "test", 4, FIELD, ())
    for whose, mean in (("own", found.mean), ("base", found.base)):
        scores = []
        for plan, episode in zip(plans, episodes(stage, whose), strict=True):
            last = [event.data["scores"] for event in episode.events if event.type == "TurnStarted"][-1]
            end = episode.events[-1].data["outcome"]
            scores.append((end["scores"] if end else last)[plan.trained_seats[0]])
        assert mean == pytest.approx(fmean(scores))


def test_progress_is_told(stage: Stage) -> None:
    seen: list[tuple[int, int]] = []
    fought(stage, games=2, progress=lambda done, whole: seen.append((done, whole)))
    assert seen[-1] == (4, 4)


@pytest.mark.parametrize(
    ("gain", "error", "sigmas"), [(0.5, 0.1, 5.0), (0.0, 0.0, 0.0), (0.1, 0.0, inf), (-0.1, 0.0, -inf)]
)
def test_a_gain_is_told_in_standard_errors(gain: float, error: float, sigmas: float) -> None:
    assert PairedResult(9, gain, 0.0, error, None, None, None).sigmas == pytest.approx(sigmas)


def test_metrics_carry_the_intervals_that_there_are() -> None:
    told = PairedResult(30, 0.6, 0.5, 0.02, 0.041, 35.0, 14.0).metrics("vs_base")
    assert (told["eval/vs_base/ci95"], told["eval/vs_base/elo"], told["eval/vs_base/elo_ci95"]) == (0.041, 35.0, 14.0)
    assert told["eval/vs_base/gain"] == pytest.approx(0.1)
    assert all(isinstance(number, float) for number in told.values())


def test_enough_games_have_students_interval(stage: Stage) -> None:
    def score(fork: Fork, seat: SeatId) -> float:
        number, whose = int(fork.episode_id.split("-g")[1][:3]), fork.episode_id.rsplit("-", 1)[1]
        return {"own": [1.0, 0.5, 0.0, 0.7, 0.9], "base": [0.0, 0.5, 0.5, 0.2, 0.8]}[whose][number]

    found = fought(stage, games=5, score=score)
    assert found.ci95 == pytest.approx(2.77645 * found.error, rel=1e-5)
    assert found.elo is None, "five games give no rating"
