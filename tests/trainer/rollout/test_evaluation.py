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
from grandstand.play.ratings.intervals import mean_interval
from grandstand.spectator.replay import Episode, read
from grandstand.trainer.league.matchmaking import plan_evaluation
from grandstand.trainer.rollout.evaluation import PairedResult, evaluate_pair
from tests.support.trainer.recorded_samples import RecordingSampler
from tests.support.trainer.samplers import GreedySampler, content
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup, cricket, stir

pytestmark = pytest.mark.long

FIELD = {"base": 1.0, "random": 1.0}


@pytest.fixture(params=[tiny, cricket], ids=["diplomacy", "cricket"])
def setup(request: pytest.FixtureRequest, tmp_path: Path) -> TrainingSetup:
    torch.set_num_threads(1)
    made = TrainingSetup(request.param(), tmp_path)
    stir(made.policy, 1)
    made.publish(1)
    return made


def fought(setup: TrainingSetup, version: int = 1, games: int = 4, **changes: Any) -> PairedResult:
    asked: dict[str, Any] = {"label": "test", "opponents": FIELD if setup.spec.name == "diplomacy" else {"base": 1}}
    return evaluate_pair(setup.rollouts, setup.config, setup.spec, version, games=games, **{**asked, **changes})


def episodes(setup: TrainingSetup, whose: str) -> list[Episode]:
    ids = sorted(episode_id for episode_id in setup.recorder.episode_ids() if episode_id.endswith(f"-{whose}"))
    return [read(setup.recorder, episode_id) for episode_id in ids]


@pytest.mark.long
def test_prompts_are_those_of_training(setup: TrainingSetup) -> None:
    """The same match, played to learn and to measure: the policy is sent the same tokens."""
    setup.sampler = noted = RecordingSampler(GreedySampler(setup.sampler))
    plan = setup.plans(1)[0]
    sent = []
    for record in (True, False):
        noted.answers.clear()
        setup.rollouts.play(setup.rollouts.forks(plan, 1, [f"record-{record}"], record=record))
        sent.append([(prompt, item.completion) for prompt, item in noted.answers])
    assert sent[0]
    assert sent[0] == sent[1]


@pytest.mark.long
def test_the_score_itself_has_an_interval(setup: TrainingSetup) -> None:
    own = [1.0, 0.5, 0.0, 0.7, 0.2, 0.6]

    def score(episode_id: str, seat: SeatId) -> float:
        return own[int(episode_id.split("-g")[1][:3])] if episode_id.endswith("-own") else 0.3

    result = fought(setup, games=6, score=score)
    assert (result.mean, result.mean_ci95) == pytest.approx((0.5, mean_interval(own).margin))
    assert fought(setup, games=4, label="few", score=score).mean_ci95 is None


def test_both_begin_in_the_same_situation(setup: TrainingSetup) -> None:
    fought(setup)
    for own, base in zip(episodes(setup, "own"), episodes(setup, "base"), strict=True):
        fork = next(event.seq for event in flat(own.events) if event.data.get("source") == "policy")
        assert [item[0] for item in content(own)[1:fork]] == [item[0] for item in content(base)[1:fork]]
        assert content(own)[1] == content(base)[1], "the seed"


def test_a_policy_against_itself_gains_nothing(setup: TrainingSetup) -> None:
    """To the last event: so a gain is the version's doing."""
    setup.publish(2)
    result = fought(setup, version=0)
    assert (result.gain, result.error, result.sigmas) == (0, 0, 0)
    assert (result.ci95, result.elo, result.elo_ci95) == (None, None, None), "equal games do not tell how sure that is"
    for own, base in zip(episodes(setup, "own"), episodes(setup, "base"), strict=True):
        assert content(own) == content(base)


@pytest.mark.long
def test_a_duel_can_be_fought_again(setup: TrainingSetup, tmp_path: Path) -> None:
    other = TrainingSetup(setup.config, tmp_path / "again")
    stir(other.policy, 1)
    other.publish(1)
    assert fought(setup) == fought(other)


def test_nothing_of_it_is_learned_from(setup: TrainingSetup) -> None:
    fought(setup, games=2)
    for episode in (*episodes(setup, "own"), *episodes(setup, "base")):
        assert not [event for event in flat(episode.events) if event.type == "TurnRecorded"]
        assert [event for event in flat(episode.events) if event.data.get("source") == "policy"]


def test_versions_sit_in_the_trained_seats_alone(setup: TrainingSetup) -> None:
    fought(setup, games=3, opponents={"base": 1})
    plans = plan_evaluation(setup.config, setup.spec, "test", 3, {"base": 1})
    for plan, own, base in zip(plans, episodes(setup, "own"), episodes(setup, "base"), strict=True):
        assert own.episode_id == f"tiny-{plan.id}-v000001-own"
        seated = [{info["seat"]: info["player"] for info in item.events[0].data["seats"]} for item in (own, base)]
        expected = dict.fromkeys(plan.trained_seats, "tiny@v000001")
        assert seated[0] == {**dict.fromkeys(setup.spec.seats(), "tiny@v000000"), **expected}
        assert set(seated[1].values()) == {"tiny@v000000"}


def test_the_numbers_are_those_of_the_matches(setup: TrainingSetup) -> None:
    """Scores given here: what is made of them is by hand."""
    value: dict[str, float] = {}

    def score(episode_id: str, seat: SeatId) -> float:
        number, whose = int(episode_id.split("-g")[1][:3]), episode_id.rsplit("-", 1)[1]
        value[episode_id] = {"own": [1.0, 0.5, 0.0, 0.7], "base": [0.0, 0.5, 0.5, 0.2]}[whose][number]
        return value[episode_id]

    result = fought(setup, score=score)
    assert len(value) == 8
    assert result.games == 4
    assert (result.mean, result.base) == pytest.approx((0.55, 0.3))
    assert result.pairs == ((1.0, 0.0), (0.5, 0.5), (0.0, 0.5), (0.7, 0.2))
    assert result.gain == pytest.approx(0.25)
    assert result.error == pytest.approx(stdev([1.0, 0.0, -0.5, 0.5]) / sqrt(4))
    assert result.sigmas == pytest.approx(result.gain / result.error)
    metrics = result.metrics("vs_base")
    assert metrics["eval/vs_base/gain"] == result.gain
    assert metrics["eval/vs_base/games"] == 4.0
    assert not {"eval/vs_base/ci95", "eval/vs_base/elo", "eval/vs_base/elo_ci95"} & set(metrics), "four are too few"


@pytest.mark.long
def test_the_games_own_numbers_are_compared_in_pairs(setup: TrainingSetup) -> None:
    """A number that a match does not have is left out with its pair."""

    def results(episode_id: str, seat: SeatId) -> dict[str, float]:
        number, whose = int(episode_id.split("-g")[1][:3]), episode_id.rsplit("-", 1)[1]
        centers = {"own": [5.0, 4.0, 3.0, 6.0, 4.0], "base": [3.0, 4.0, 2.0, 3.0, 3.0]}[whose][number]
        return {"centers": centers} | ({"win": 1.0} if whose == "own" or number else {})

    result = fought(setup, games=5, results=results)
    centers = result.results["centers"]
    assert (centers.mean, centers.base, centers.difference) == pytest.approx((4.4, 3.0, 1.4))
    differences = [2.0, 0.0, 1.0, 3.0, 1.0]
    assert centers.ci95 == mean_interval(differences).margin
    assert (result.results["win"].mean, result.results["win"].ci95) == (1.0, None), "the pair without it is left out"
    metrics = result.metrics("vs_base")
    assert metrics["eval/vs_base/centers"] == centers.mean
    assert metrics["eval/vs_base/centers/base"] == centers.base
    assert metrics["eval/vs_base/centers/difference"] == centers.difference
    assert metrics["eval/vs_base/centers/ci95"] == centers.ci95
    assert "eval/vs_base/win/ci95" not in metrics
    assert str(centers) == f"4.4000, base 3.0000, difference +1.4000 ± {centers.ci95:.4f}"
    assert fought(setup, games=2, label="plain").results == {}


@pytest.mark.long
def test_by_default_a_match_is_worth_its_score(setup: TrainingSetup) -> None:
    result = fought(setup)
    plans = plan_evaluation(setup.config, setup.spec, "test", 4, FIELD)
    for whose, mean in (("own", result.mean), ("base", result.base)):
        scores = []
        for plan, episode in zip(plans, episodes(setup, whose), strict=True):
            last = [event.data["scores"] for event in episode.events if event.type == "TurnStarted"][-1]
            end = episode.events[-1].data["outcome"]
            scores.append((end["scores"] if end else last)[plan.trained_seats[0]])
        assert mean == pytest.approx(fmean(scores))


@pytest.mark.long
def test_progress_is_told(setup: TrainingSetup) -> None:
    observed: list[tuple[int, int]] = []
    fought(setup, games=2, progress=lambda done, whole: observed.append((done, whole)))
    assert observed[-1] == (4, 4)


@pytest.mark.parametrize(
    ("gain", "error", "sigmas"), [(0.5, 0.1, 5.0), (0.0, 0.0, 0.0), (0.1, 0.0, inf), (-0.1, 0.0, -inf)]
)
def test_a_gain_is_told_in_standard_errors(gain: float, error: float, sigmas: float) -> None:
    assert PairedResult(9, gain, 0.0, error, None, None, None).sigmas == pytest.approx(sigmas)


def test_metrics_carry_the_intervals_that_there_are() -> None:
    report = PairedResult(30, 0.6, 0.5, 0.02, 0.041, 35.0, 14.0).metrics("vs_base")
    assert (report["eval/vs_base/ci95"], report["eval/vs_base/elo"], report["eval/vs_base/elo_ci95"]) == (
        0.041,
        35.0,
        14.0,
    )
    assert report["eval/vs_base/gain"] == pytest.approx(0.1)
    assert all(isinstance(number, float) for number in report.values())


@pytest.mark.long
def test_enough_games_have_the_interval_of_paired_differences(setup: TrainingSetup) -> None:
    def score(episode_id: str, seat: SeatId) -> float:
        number, whose = int(episode_id.split("-g")[1][:3]), episode_id.rsplit("-", 1)[1]
        return {"own": [1.0, 0.5, 0.0, 0.7, 0.9], "base": [0.0, 0.5, 0.5, 0.2, 0.8]}[whose][number]

    result = fought(setup, games=5, score=score)
    differences = [own - base for own, base in result.pairs]
    assert result.ci95 == mean_interval(differences, bounds=(-1.0, 1.0)).margin
    assert result.error == pytest.approx(stdev(differences) / sqrt(5))
    assert result.elo is None, "five games give no rating"
