"""Rollouts: siblings with the same luck, played by the rules and recorded exactly."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from grandstand.events import TurnRecorded
from grandstand.games.base import SeatId
from grandstand.games.match import Match
from grandstand.models import Event, flat
from grandstand.play.verification import verify
from grandstand.spectator.replay import Episode, to_lines
from grandstand.spectator.viewpoint import Viewpoint, redact
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import GroupPlan
from grandstand.trainer.rollout.rollouts import PolicyPlayer
from tests.support.trainer.samplers import GreedySampler, SamplerWrapper, content
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup, cricket, stir

CONFIGS = {"cricket": cricket(), "diplomacy": tiny()}


@pytest.fixture(params=list(CONFIGS))
def setup(request: pytest.FixtureRequest, tmp_path: Path) -> TrainingSetup:
    torch.set_num_threads(1)
    return TrainingSetup(CONFIGS[request.param], tmp_path)


def plan(setup: TrainingSetup, number: int = 0, **changes: Any) -> GroupPlan:
    return replace(setup.plans(1)[number], **changes)


def played(setup: TrainingSetup, plan: GroupPlan, version: int = 0, samples: int | None = None) -> list[Episode]:
    forks = setup.forks(plan, version, samples)
    setup.rollouts.play(forks)
    return setup.read(forks)


def of(episode: Episode, kind: str) -> list[Event]:
    return [event for event in flat(episode.events) if event.type == kind]


# --- siblings ---------------------------------------------------------------------------------------------------------


def test_siblings_begin_in_the_same_position_and_go_their_own_ways(setup: TrainingSetup) -> None:
    first, other, third = setup.forks(plan(setup, warmup=3), 0)
    digests = {fork.runner.match.game.digest() for fork in (first, other, third)}
    assert len(digests) == 1
    assert len({fork.runner.match.seed for fork in (first, other, third)}) == 1
    setup.rollouts.play([first])
    assert {fork.runner.match.game.digest() for fork in (other, third)} == digests


def test_siblings_have_the_role_that_their_deal_gave_the_seat(tmp_path: Path) -> None:
    """So the baseline of a group is one of the role; other groups have other deals."""
    config = tiny(
        clone={"bots": ["mouse"]},
        game={"name": "werewolf", "options": {}},
        rollout={"groups": 6, "warmup": 0, "opponents": {"mouse": 1}},
        reward={"mode": "sparse", "weights": {"score": 1.0}},
    )
    setup, trained = TrainingSetup(config, tmp_path), set[str]()
    for group in setup.plans(1):
        dealt = [fork.runner.match.game.to_json()["roles"] for fork in setup.forks(group, 0)]
        (roles,) = {tuple(each[seat] for seat in group.trained_seats) for each in dealt}
        trained.update(roles)
    assert len(trained) > 1


@pytest.mark.few(1)
def test_siblings_that_choose_the_same_have_the_same_luck(setup: TrainingSetup) -> None:
    """The game's chances and the bots' draws are common: what differs between siblings is what the policy chose."""
    setup.sampler = GreedySampler(setup.sampler)
    first, *others = played(setup, plan(setup, warmup=2))
    assert len(of(first, "TurnRecorded")) > 1
    for other in others:
        assert content(other) == content(first)


@pytest.mark.few(1)
def test_siblings_draw_their_own_choices(setup: TrainingSetup) -> None:
    turns = [[event.data["completion"] for event in of(turn, "TurnRecorded")] for turn in played(setup, plan(setup))]
    assert len({str(turn) for turn in turns}) == len(turns)


def test_policies_in_other_seats_draw_alike_in_siblings(setup: TrainingSetup) -> None:
    """Or their luck would pass for the hero's merit. Where the position is the same, they choose the same."""
    hero = setup.spec.seats()[0]
    others = dict.fromkeys(setup.spec.seats()[1:], "@0")
    episodes = played(setup, plan(setup, trained_seats=(hero,), opponents=others, warmup=0), samples=4)
    first = [
        {event.data["seat"]: event.data["action"] for event in of(episode, "ActionChosen") if event.data["index"] == 0}
        for episode in episodes
    ]
    for chosen in first:
        chosen.pop(hero, None)
    assert all(chosen == first[0] for chosen in first)
    firsts = [[event.data["completion"] for event in of(episode, "TurnRecorded")][:1] for episode in episodes]
    assert len({str(episode) for episode in firsts}) > 1


@pytest.mark.few(1)
def test_a_step_can_be_played_again(setup: TrainingSetup, tmp_path: Path) -> None:
    again = TrainingSetup(setup.config, tmp_path / "again")
    for item, other in zip(setup.play().values(), again.play().values(), strict=True):
        assert [content(episode) for episode in item] == [content(episode) for episode in other]


# --- the record -------------------------------------------------------------------------------------------------------


@pytest.mark.few(1)
def test_the_rules_give_every_recorded_event(setup: TrainingSetup) -> None:
    for episodes in setup.play().values():
        for episode in episodes:
            verify(episode.events)


def test_prompts_are_those_of_the_moment_and_choices_were_legal_there(setup: TrainingSetup) -> None:
    """The record alone, played again, gives the codec the same positions; those who choose at the same time choose
    before any of it is played."""
    training, codec = setup.spec.training, setup.policy.codec
    for episode, *_ in setup.play().values():
        match = Match(setup.spec, setup.config.game.options, of(episode, "SeedSet")[0].data["seed"])
        index, positions = 0, [match.game.clone()]
        for event in flat(episode.events):
            if event.type == "TurnRecorded":
                turn = TurnRecorded.model_validate(event.data)
                observed = [game for game in positions if codec.prompt(game, turn.seat) == turn.prompt]
                assert dict(training.features(observed[0], turn.seat)) == turn.features
                assert turn.index == match.index
                for token, logprob, ids in zip(turn.completion, turn.logprobs, turn.allowed, strict=True):
                    assert (token in ids and logprob <= 0) if ids else logprob == 0
            elif event.type == "ActionChosen":
                match.apply(event.data["seat"], event.data["action"])
                positions = [*(positions if match.index == index else []), match.game.clone()]
                index = match.index


def test_a_turn_stands_right_before_the_action_that_it_came_to(setup: TrainingSetup) -> None:
    for episode, *_ in setup.play().values():
        for event in of(episode, "TurnRecorded"):
            recorded, following = flat([episode.events[event.seq]])
            assert (recorded.type, following.type) == ("TurnRecorded", "ActionChosen")
            assert (following.data["seat"], following.data["source"]) == (event.data["seat"], "policy")
            assert following.data["index"] == event.data["index"]


def test_nobody_who_watches_learns_how_the_policy_came_to_a_choice(setup: TrainingSetup) -> None:
    (episode,) = played(setup, plan(setup), samples=1)
    turns = of(episode, "TurnRecorded")
    assert turns
    for name in ("spectator", "analyst", "operator", f"seat:{turns[0].data['seat']}"):
        looking = Viewpoint.parse(name)
        for event in turns:
            assert redact(event, looking).model_dump() == {"frame": "withheld", "seq": event.seq}
        if name != "operator":  # whose download is the whole record
            exported = "".join(to_lines(episode.events, looking))
            assert not any(word in exported for word in ("TurnRecorded", "logprobs", "completion"))


# --- where play begins and ends ---------------------------------------------------------------------------------------


@pytest.mark.few(1)
def test_bots_play_the_turns_before_the_fork(setup: TrainingSetup) -> None:
    for warmup in (0, 1, 4):
        chosen = plan(setup, warmup=warmup)
        fork, *_ = setup.forks(chosen, 0)
        assert fork.runner.match.index == warmup
        setup.rollouts.play([fork])
        (episode,) = setup.read([fork])
        before = [event.data["source"] for event in of(episode, "ActionChosen") if event.data["index"] < warmup]
        assert set(before) <= {"heuristic"}
        assert all(event.data["index"] >= warmup for event in of(episode, "TurnRecorded"))


@pytest.mark.few(1)
def test_a_fork_is_stopped_at_its_horizon(setup: TrainingSetup) -> None:
    training = setup.spec.training
    for horizon in (0.3, 0.9):
        chosen = plan(setup, warmup=1, horizon=horizon)
        fork, *_ = setup.forks(chosen, 0)
        until = training.time(fork.runner.match.game, 0) + horizon
        assert fork.horizon == until
        setup.rollouts.play([fork])
        assert fork.over
        (episode,) = setup.read([fork])
        end = episode.events[-1].data
        assert end["status"] == "stopped"
        assert end["message"] == f"stopped at the horizon: {training.unit} {until:g}"
        match = verify(episode.events)
        assert training.time(match.game, 0) >= until
        last = max(event.seq for event in of(episode, "ActionChosen"))
        earlier = verify(episode.events[:last])
        assert training.time(earlier.game, 0) < until, "it was played beyond its horizon"


def test_a_match_that_ends_first_is_finished(tmp_path: Path) -> None:
    setup = TrainingSetup(tiny(game={"options": {"press": "none", "last_year": 1901}}), tmp_path)
    (episode, *_) = played(setup, plan(setup, warmup=1, horizon=50.0), samples=1)
    assert episode.events[-1].data["status"] == "finished"
    assert episode.events[-1].data["outcome"]["scores"]


def test_a_match_that_bots_end_before_the_fork_has_no_turns(setup: TrainingSetup) -> None:
    small = {"cricket": {"overs": 1}, "diplomacy": {"press": "none", "last_year": 1901}}[setup.spec.name]
    setup.config = setup.config.model_copy(update={"game": setup.config.game.model_copy(update={"options": small})})
    for episode in played(setup, plan(setup, warmup=10_000)):
        verify(episode.events)
        assert episode.events[-1].data["status"] == "finished"
        assert not of(episode, "TurnRecorded")


def test_what_is_not_over_in_time_is_interrupted(setup: TrainingSetup) -> None:
    forks = setup.forks(plan(setup), 0)
    setup.rollouts.play(forks, seconds=-1.0)
    for episode in setup.read(forks):
        end = episode.events[-1].data
        assert (end["status"], end["message"]) == ("interrupted", "not over in the time that the step had")
        verify(episode.events)


# --- who plays --------------------------------------------------------------------------------------------------------


def test_each_seat_has_the_player_that_was_planned(tmp_path: Path) -> None:
    setup = TrainingSetup(tiny(), tmp_path)
    for version in (7, 12):
        stir(setup.policy, version)
        setup.publish(version)
    seats = dict.fromkeys(setup.spec.seats()[3:], "random")
    opponents = {**seats, "ENGLAND": "self", "FRANCE": "@7"}
    chosen = plan(setup, trained_seats=("AUSTRIA",), opponents=opponents, warmup=1)
    (episode, *_) = played(setup, chosen, version=12)
    seated = {info["seat"]: (info["player"], info["kind"]) for info in episode.events[0].data["seats"]}
    assert seated == {
        "AUSTRIA": ("tiny@v000012", "trained"),
        "ENGLAND": ("tiny@v000012", "trained"),
        "FRANCE": ("tiny@v000007", "trained"),
        **dict.fromkeys(seats, ("random", "bot")),
    }
    assert {event.data["seat"] for event in of(episode, "TurnRecorded")} == {"AUSTRIA"}
    assert {event.data["version"] for event in of(episode, "TurnRecorded")} == {12}
    sources = {event.data["seat"]: event.data["source"] for event in of(episode, "ActionChosen")}
    assert {seat for seat, source in sources.items() if source == "policy"} == {"AUSTRIA", "ENGLAND", "FRANCE"}
    created = episode.events[0].data
    assert (created["origin"], created["title"]) == ("trainer", f"{chosen.title}, fork 1")


@pytest.mark.long
def test_several_trained_seats_are_all_learned_from(tmp_path: Path) -> None:
    config: TrainConfig = tiny(game={"trained_seats": 3})
    setup = TrainingSetup(config, tmp_path)
    chosen = plan(setup)
    assert len(chosen.trained_seats) == 3
    for episode in played(setup, chosen):
        turns: dict[SeatId, int] = {}
        for event in of(episode, "TurnRecorded"):
            turns[event.data["seat"]] = turns.get(event.data["seat"], 0) + 1
        assert set(turns) == set(chosen.trained_seats)
    batch = setup.batch()
    assert {group.id.split("/")[-1] for group in batch.groups} >= set(chosen.trained_seats)


def test_what_is_played_to_measure_is_not_recorded_to_learn_from(setup: TrainingSetup) -> None:
    (fork,) = setup.rollouts.forks(plan(setup), 0, ["measured"], record=False)
    setup.rollouts.play([fork])
    (episode,) = setup.read([fork])
    assert any(event.data["source"] == "policy" for event in of(episode, "ActionChosen"))
    assert not of(episode, "TurnRecorded")


def test_a_policy_player_is_answered_for(setup: TrainingSetup) -> None:
    player = PolicyPlayer("tiny", 3, recorded=True)
    assert player.name == "tiny@v000003"
    match = Match(setup.spec, setup.config.game.options, 1)
    with pytest.raises(NotImplementedError, match="samples its decisions in batches"):
        asyncio.run(player.choose(match, setup.spec.seats()[0]))


def test_progress_is_told(setup: TrainingSetup) -> None:
    forks = setup.forks(plan(setup), 0)
    observed: list[tuple[int, int]] = []
    setup.rollouts.play(forks, lambda done, whole: observed.append((done, whole)))
    assert observed[-1] == (3, 3)
    assert observed == sorted(observed)


def test_one_batch_serves_all_matches_of_a_version(setup: TrainingSetup) -> None:
    setup.sampler = counted = SamplerWrapper(setup.sampler)
    own = setup.spec.seats()
    forks = setup.forks(plan(setup, trained_seats=own, opponents={}, warmup=0), 0)
    rounds = 0

    def count_round(done: int, whole: int) -> None:
        nonlocal rounds
        rounds += 1

    setup.rollouts.play(forks, count_round)
    assert counted.calls <= rounds
