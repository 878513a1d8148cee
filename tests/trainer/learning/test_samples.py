"""From the record to samples: only what was recorded, only what counts, and everything that does not is counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NoReturn

import pytest
import torch

from grandstand.models import Event, flat
from grandstand.spectator.replay import Episode
from grandstand.trainer.config.objective_settings import ELO
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.roles import PeerRoles
from grandstand.trainer.learning.advantages import peer_sets
from grandstand.trainer.learning.samples import make_batch
from grandstand.trainer.rollout.trajectories import game_events, trajectories
from tests.support.server.private_batches import including_parts
from tests.support.trainer.recorded_samples import RecordingSampler, with_events
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup, cricket, stir

Played = dict[str, list[Episode]]


class Case:
    def __init__(self, config: TrainConfig, folder: Path) -> None:
        torch.set_num_threads(1)
        self.config = config
        self.setup = TrainingSetup(config, folder)
        stir(self.setup.policy, 1)
        self.setup.publish(3)
        self.setup.sampler = self.noted = RecordingSampler(self.setup.sampler)
        self.spec = self.setup.spec
        self.played = self.setup.play(step=4, version=3)

    def batch(self, played: Mapping[str, Sequence[Episode]] | None = None, version: int = 3) -> Any:
        return make_batch(self.config, self.spec, self.played if played is None else played, version)


@pytest.fixture(scope="module", params=[tiny, cricket], ids=["diplomacy", "cricket"])
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    return Case(request.param(), tmp_path_factory.mktemp("run"))


def ended(episode: Episode, status: str) -> Episode:
    def change(event: Event) -> Event:
        data = {**event.data, "status": status} if event.type == "EpisodeEnded" else event.data
        return event.model_copy(update={"data": data})

    return with_events(episode, change)


# --- tokens -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_samples_are_token_for_token_what_was_sampled(case: Case) -> None:
    values = {
        (tuple(prompt), tuple(item.completion), tuple(item.logprobs), str(item.allowed))
        for prompt, item in case.noted.answers
    }
    samples = case.batch().samples
    assert len(samples) > 5
    for sample in samples:
        content = (sample.prompt, tuple(sample.completion), tuple(sample.logprobs), str(sample.allowed))
        assert content in values
        assert (sample.version, sample.temperature) == (3, 1.0)


@pytest.mark.few(1)
def test_nothing_is_tokenised_again(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    def explode(*args: object) -> NoReturn:
        raise AssertionError("something was tokenised again")

    expected = case.batch()
    for name in ("encode", "decode", "prompt", "lead", "options"):
        monkeypatch.setattr(f"grandstand.trainer.model.codec.WordCodec.{name}", explode)
    assert case.batch() == expected


# --- what is left out -------------------------------------------------------------------------------------------------


@pytest.mark.few(1)
def test_what_broke_off_is_left_out_and_counted(case: Case) -> None:
    name, (first, other, third) = next(iter(case.played.items()))
    played = {**case.played, name: [ended(first, "interrupted"), other, third]}
    batch = case.batch(played)
    metrics = batch.metrics
    assert (metrics["rollout/straggler_count"], metrics["rollout/failed_count"]) == (1, 0)
    assert metrics["buffer/consumed"] == 6
    assert first.episode_id not in {t.episode_id for group in batch.groups for t in group.trajectories}
    played = {**case.played, name: [ended(first, "error"), ended(other, "interrupted"), third]}
    metrics = case.batch(played).metrics
    assert (metrics["rollout/straggler_count"], metrics["rollout/failed_count"]) == (1, 1)
    assert metrics["rollout/failed_share"] == pytest.approx(2 / 6)
    assert case.batch().metrics["rollout/failed_share"] == 0


def test_what_is_too_old_is_left_out_and_counted(case: Case) -> None:
    staleness = case.config.rollout.max_staleness
    fresh, stale = case.batch(version=3 + staleness), case.batch(version=4 + staleness)
    assert fresh.metrics["buffer/dropped_stale"] == 0
    assert fresh.metrics["buffer/staleness"] == staleness
    assert len(fresh.samples) > 5
    assert stale.metrics["buffer/dropped_stale"] == 6
    assert stale.samples == []
    assert stale.groups == []


def test_what_it_played_before_it_began_anew_is_left_out_and_counted(case: Case) -> None:
    for since, dropped in ((3, 0), (4, 6)):
        batch = make_batch(case.config, case.spec, case.played, 4, since=since)
        assert batch.metrics["buffer/dropped_stale"] == dropped
        assert bool(batch.samples) == (not dropped)


def test_what_the_policy_did_not_choose_is_left_out_and_counted(case: Case) -> None:
    name, (first, *others) = next(iter(case.played.items()))
    decision = next(event for event in flat(first.events) if event.type == "TurnRecorded")

    def change(event: Event) -> Event:
        if event.seq != decision.seq or event.type != "ActionChosen":
            return event
        return event.model_copy(update={"data": {**event.data, "source": "fallback"}})

    batch = case.batch({**case.played, name: [with_events(first, including_parts(change)), *others]})
    assert batch.metrics["rollout/masked_turns"] == 1
    decisions = [decision for group in case.batch().groups for t in group.trajectories for decision in t.decisions]
    assert batch.metrics["rollout/valid_share"] == pytest.approx(1 - 1 / len(decisions))
    assert case.batch().metrics["rollout/valid_share"] == 1
    (changed,) = [t for group in batch.groups for t in group.trajectories if t.episode_id == first.episode_id]
    assert decision.seq not in {decision.seq for decision in changed.decisions}
    assert case.batch().metrics["rollout/masked_turns"] == 0


def test_siblings_without_a_difference_teach_nothing(case: Case) -> None:
    played = {name: [episodes[0]] * 3 for name, episodes in case.played.items()}
    batch = case.batch(played)
    assert batch.samples == []
    assert batch.metrics["processing/skip_rate"] == 1.0


def test_nothing_played_is_nothing_learned(case: Case) -> None:
    batch = case.batch({})
    assert (batch.samples, batch.groups) == ([], [])
    assert batch.metrics["buffer/consumed"] == 0
    assert {"rollout/valid_share", "rollout/failed_share"}.isdisjoint(batch.metrics)


# --- what it is worth -------------------------------------------------------------------------------------------------


def test_each_sample_has_its_turns_advantage_in_its_group(case: Case) -> None:
    batch = case.batch()
    flat = [
        (decision, value)
        for group, by_trajectory in zip(batch.groups, batch.advantages, strict=True)
        for trajectory, by_decision in zip(group.trajectories, by_trajectory, strict=True)
        for decision, value in zip(trajectory.decisions, by_decision, strict=True)
        if value is not None
    ]
    assert [(sample.completion, sample.advantage) for sample in batch.samples] == [
        (decision.completion, value) for decision, value in flat
    ]
    seats = {
        trajectory.seat for episodes in case.played.values() for e in episodes for trajectory in trajectories(e, "tiny")
    }
    assert {group.id for group in batch.groups} <= {f"{name}/{seat}" for name in case.played for seat in seats}
    assert all(len({trajectory.seat for trajectory in group.trajectories}) == 1 for group in batch.groups)


def test_rewards_are_what_the_games_ledger_says(case: Case) -> None:
    """Summed over a trajectory: every entry from its first decision on, by its weight."""
    rewards = case.spec.training.rewards
    earned = []
    for episodes in case.played.values():
        for episode in episodes:
            (trajectory,) = trajectories(episode, "tiny")
            entries = rewards.ledger(
                game_events(episode, case.spec.reward_events), trajectory.seat, dict(rewards.settings)
            )
            earned.append(
                sum(
                    case.config.reward.weights.get(entry.component, 0.0) * entry.amount
                    for entry in entries
                    if entry.seq > trajectory.decisions[0].seq or rewards.components[entry.component].final
                )
            )
    assert any(earned)
    assert case.batch().metrics["benchmark/reward_mean"] == pytest.approx(fmean(earned))


def test_results_are_the_games_own_of_the_trained_seats(case: Case) -> None:
    results = case.spec.training.rewards.results
    values = []
    for episodes in case.played.values():
        for episode in episodes:
            (trajectory,) = trajectories(episode, "tiny")
            values.append(results(game_events(episode, case.spec.reward_events), trajectory.seat))
    metrics = {name: value for name, value in case.batch().metrics.items() if name.startswith("result/")}
    names = {name for value in values for name in value}
    assert (
        set(metrics)
        == {f"result/{name}" for name in names}
        >= {
            "diplomacy": {"result/centers", "result/top3", "result/first"},
            "cricket": {"result/runs"},
        }[case.spec.name]
    )
    for name in names:
        assert metrics[f"result/{name}"] == pytest.approx(fmean(value[name] for value in values if name in value))


def test_opponents_are_told_by_what_they_are(tmp_path: Path) -> None:
    setup = TrainingSetup(tiny(rollout={"groups": 3, "opponents": {"random": 1, "base": 1, "self": 1}}), tmp_path)
    setup.publish(5)
    metrics = make_batch(setup.config, setup.spec, setup.play(6, 5), 5).metrics
    assert {name.split("/")[1] for name in metrics if name.startswith("opponent/")} == {"random", "base", "past"}
    assert all(metrics[f"opponent/{name}/game_count"] <= 9 for name in ("random", "base", "past"))


def test_ratings_are_found_for_bots_and_for_versions(tmp_path: Path) -> None:
    ratings = {"policy": 1200.0, "base": 1000.0, "past": 1100.0, "random": 800.0}
    reward = {"mode": "dense", "weights": {"centers": 1.0}, "elo_scale": 2.0, "ratings": ratings}
    setup = TrainingSetup(tiny(reward=reward, rollout={"opponents": {"random": 1, "base": 1, "self": 1}}), tmp_path)
    setup.publish(5)
    batch = make_batch(setup.config, setup.spec, setup.play(6, 5), 5)
    finals = [trajectory.final[ELO] for group in batch.groups for trajectory in group.trajectories]
    assert len(finals) == 6
    assert all(-1 <= final <= 1 for final in finals)
    assert f"game/{ELO}" in batch.metrics


def test_versions_of_other_runs_are_told_by_the_roles_of_these(tmp_path: Path) -> None:
    """They have the names of the categories in `rollout.opponents`, and in the table of ratings."""
    ratings = {"policy": 1500.0, "base": 1500.0, "peer": 1100.0, "exploiter": 1900.0, "random": 1500.0}
    reward = {"mode": "dense", "weights": {"centers": 1.0}, "elo_scale": 2.0, "ratings": ratings}
    setup = TrainingSetup(tiny(reward=reward, rollout={"groups": 1, "opponents": {"random": 1}}), tmp_path)
    setup.publish(0)
    played = setup.play(1, 0)
    metrics, surprises = [], []
    roles: tuple[PeerRoles, ...] = ({}, {"a@v000005": "main"}, {"x@v000005": "main_exploiter"})
    for name, peers in zip(("a@v000005", "a@v000005", "x@v000005"), roles, strict=True):
        for (episode,) in zip(*played.values(), strict=True):
            for info in episode.events[0].data["seats"]:
                if "tiny" not in info["player"]:
                    info["player"] = name
        batch = make_batch(setup.config, setup.spec, played, 0, peers=peers)
        metrics.append({key.split("/")[1] for key in batch.metrics if key.startswith("opponent/")})
        surprises.append([t.final[ELO] for group in batch.groups for t in group.trajectories])
    assert metrics == [{"peer"}, {"peer"}, {"exploiter"}]
    assert surprises[0] == surprises[1]
    gap = 10 / 11 - 1 / 11
    assert surprises[2] == pytest.approx([surprise + gap for surprise in surprises[0]])


def test_ratings_of_the_league_condition_the_reward(tmp_path: Path) -> None:
    """The policy's and a bot's are those of the league; a version without one counts as the policy."""
    reward = {"mode": "dense", "weights": {"centers": 1.0}, "elo_scale": 2.0, "ratings": "league"}
    setup = TrainingSetup(tiny(reward=reward, rollout={"opponents": {"random": 1, "self": 1}}), tmp_path)
    setup.publish(5)
    episodes = setup.play(6, 5)

    def finals(ratings: dict[str, float]) -> dict[str, float]:
        groups = make_batch(setup.config, setup.spec, episodes, 5, ratings).groups
        return {item.episode_id: item.final[ELO] for group in groups for item in group.trajectories}

    def bots(episode_id: str) -> float:
        (item,) = (item for of_group in episodes.values() for item in of_group if item.episode_id == episode_id)
        names = [info["player"] for info in item.events[0].data["seats"]]
        return names.count("random") / 6

    even, strong = finals({}), finals({"policy": 1700.0, "random": 1300.0})
    expected = 1 / 11
    for episode_id, surprise in strong.items():
        higher = bots(episode_id) * (1 - expected - 0.5)
        assert even[episode_id] - surprise == pytest.approx(higher)
    assert even != strong
    assert finals({"random": 9000.0}) == finals({"random": 5000.0}), "never outside the range of Elo ratings"


# --- strata by the opponents' strength --------------------------------------------------------------------------------

RATED = {"policy": 1500.0, "random": 1300.0, "tiny@v000000": 1600.0}


def by_strength(**strata: list[float]) -> TrainConfig:
    advantage = {"baseline": "stratified", "strata": strata}
    return tiny(advantage=advantage, rollout={"groups": 4, "opponents": {"random": 1, "base": 1}})


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return Case(by_strength(opponent_rating=[1400.0, 1500.0], expected_score=[0.5]), tmp_path_factory.mktemp("run"))


def strata_of(case: Case, played: Played, ratings: Mapping[str, float] = RATED) -> tuple[Any, ...]:
    """Return the strata of all decisions, and their returns."""
    batch = make_batch(case.config, case.spec, played, 3, ratings)
    return peer_sets(batch.groups, case.config.advantage, "sparse"), batch.returns


@pytest.mark.long
def test_the_strength_of_opponents_is_their_mean_rating_before_the_match(rated: Case) -> None:
    batch = make_batch(rated.config, rated.spec, rated.played, 3, RATED)
    strengths = set()
    for trajectory in (trajectory for group in batch.groups for trajectory in group.trajectories):
        points = [RATED[name] for name in trajectory.opponents.values()]
        for decision in trajectory.decisions:
            assert decision.features["opponent_rating"] == pytest.approx(fmean(points))
            expected = fmean(1 / (1 + 10 ** ((other - 1500) / 400)) for other in points)
            assert decision.features["expected_score"] == pytest.approx(expected)
            assert {"centers", "units", "year", "phase"} <= set(decision.features), "the game's stay"
        strengths.add(fmean(points))
    assert len(strengths) > 1
    strata, _ = strata_of(rated, rated.played)
    assert len({peers.stratum for peers in strata}) > 1
    unrated, _ = strata_of(rated, rated.played, {})
    assert len({peers.stratum for peers in unrated}) == 1, "before there are ratings, all are equal"


def with_other_outcome(episode: Episode, seats: Mapping[str, str]) -> Episode:
    """Give the seats each other's scores and centres after the policy's first decision."""
    first = next(event.seq for event in flat(episode.events) if event.type == "TurnRecorded")

    def swapped(values: Mapping[str, Any]) -> dict[str, Any]:
        return {seat: values[seats[seat]] for seat in values}

    def change(event: Event) -> Event:
        data = dict(event.data)
        if event.seq <= first:
            return event
        if data.get("scores"):
            data["scores"] = swapped(data["scores"])
        if data.get("outcome"):
            data["outcome"] = {**data["outcome"], "scores": swapped(data["outcome"]["scores"])}
        if event.type == "PhaseAdvanced":
            data["state"] = {**data["state"], "centers": swapped(data["state"]["centers"])}
        return event.model_copy(update={"data": data})

    return with_events(episode, change)


def test_no_outcome_enters_the_strata(rated: Case) -> None:
    """Whatever happens after a decision: the strata stay, and the returns do not."""
    before, returned = strata_of(rated, rated.played)
    changed = 0
    for seed in range(12):
        seats = list(rated.spec.seats())
        others = dict(zip(seats, Random(seed).sample(seats, len(seats)), strict=True))
        played = {
            name: [with_other_outcome(episode, others) for episode in episodes]
            for name, episodes in rated.played.items()
        }
        after, other_returns = strata_of(rated, played)
        assert after == before
        changed += other_returns != returned
    assert changed == 12


def test_all_trained_seats_of_a_match_are_learned_from_each_in_its_group(tmp_path: Path) -> None:
    setup = TrainingSetup(tiny(game={"trained_seats": 2}), tmp_path)
    batch = setup.batch()
    assert len(batch.groups) == 4
    for group in batch.groups:
        assert [trajectory.seat for trajectory in group.trajectories] == [group.id.rsplit("/", 1)[1]] * 3
        assert len({trajectory.episode_id for trajectory in group.trajectories}) == 3


def test_metrics_are_told_in_the_same_order_every_time(case: Case) -> None:
    names = list(case.batch().metrics)
    games = [name for name in names if name.startswith("game/") and not name.endswith("_mean")]
    rewards = case.spec.training.rewards.components
    finals = sorted(f"game/{name}" for name, item in rewards.items() if item.final)
    assert games == [*finals, *sorted(set(games) - set(finals))]
