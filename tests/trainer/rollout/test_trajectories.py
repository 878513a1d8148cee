"""Samples from a record: the policy's own choices as they were recorded, and nothing that others did."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from grandstand.events import EpisodeEnded, Source, TurnRecorded
from grandstand.games.base import Action
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event, flat
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Choice, Player
from grandstand.players.bot import BotPlayer
from grandstand.players.errors import PlayerError
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import Episode, read
from grandstand.trainer.rollout.rollouts import PolicyPlayer
from grandstand.trainer.rollout.trajectories import Trajectory, game_events, trajectories
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup, cricket

SPEC = game_spec("diplomacy")
HERO = "FRANCE"
HOLD: Action = {"orders": []}


@pytest.fixture(scope="module", params=[tiny, cricket], ids=["diplomacy", "cricket"])
def episode(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Episode:
    torch.set_num_threads(1)
    setup = TrainingSetup(request.param(), tmp_path_factory.mktemp("run"))
    return next(iter(setup.play().values()))[0]


def of(episode: Episode, kind: str) -> list[Event]:
    return [event for event in flat(episode.events) if event.type == kind]


def test_turns_are_what_was_recorded(episode: Episode) -> None:
    (trajectory,) = trajectories(episode, "tiny")
    recorded = of(episode, "TurnRecorded")
    assert trajectory.masked == 0
    assert [decision.seq for decision in trajectory.decisions] == [event.seq for event in recorded]
    for decision, event in zip(trajectory.decisions, recorded, strict=True):
        data = event.data
        for name in ("index", "version", "temperature", "prompt", "completion", "logprobs", "allowed", "features"):
            assert getattr(decision, name) == data[name]
        assert not decision.rewards


def test_a_trajectory_knows_its_seat_its_opponents_and_the_scores(episode: Episode) -> None:
    (trajectory,) = trajectories(episode, "tiny")
    seated = {info["seat"]: info["player"] for info in episode.events[0].data["seats"]}
    assert trajectory.episode_id == episode.episode_id
    assert trajectory.policy == "tiny"
    assert trajectory.seat == of(episode, "TurnRecorded")[0].data["seat"]
    assert trajectory.opponents == {seat: name for seat, name in seated.items() if seat != trajectory.seat}
    assert trajectory.scores == of(episode, "TurnStarted")[-1].data["scores"]


def test_another_policys_turns_are_not_this_ones(episode: Episode) -> None:
    assert trajectories(episode, "other") == []


def test_game_events_are_the_games_and_the_scores(episode: Episode) -> None:
    spec = game_spec(episode.events[0].data["game"])
    result = game_events(episode, spec.reward_events)
    kinds = {*(kind.__name__ for kind in spec.rules.events), "TurnStarted", "EpisodeEnded"}
    assert result
    assert {kind for _, kind, _ in result} <= kinds
    assert [seq for seq, _, _ in result] == [event.seq for event in episode.events if event.type in kinds]


# --- what somebody else did -------------------------------------------------------------------------------------------


def recorded(match: Match, policy: str = "tiny") -> TurnRecorded:
    return TurnRecorded(
        seat=HERO,
        index=match.index,
        policy=policy,
        version=1,
        temperature=1.0,
        prompt=[2, 3],
        completion=[4],
        logprobs=[-0.5],
        allowed=[[4, 5]],
    )


Answer = Callable[[Match], Choice | PlayerError]


def by_policy(match: Match) -> Choice:
    return Choice(HOLD, "policy", turn=recorded(match))


def illegally(match: Match) -> Choice:
    return Choice({"orders": ["A PAR - MOS"]}, "policy", turn=recorded(match))


def faulty(match: Match) -> PlayerError:
    return PlayerError("timeout", "too late")


def by(source: Source) -> Answer:
    return lambda match: Choice(HOLD, source)


def taken_over(match: Match) -> Choice:
    """A person acted after the policy had been asked."""
    return Choice(HOLD, "human", turn=recorded(match))


def played(*answers: Answer) -> Trajectory:
    """The hero's trajectory in a match in which its seat gave these answers, turn by turn."""
    match = Match(SPEC, {"press": "none", "last_year": 1902}, 1)
    players: dict[str, Player] = {seat: BotPlayer(SPEC, "hold") for seat in SPEC.seats()}
    players[HERO] = PolicyPlayer("tiny", 1, recorded=True)
    runner = MatchRunner(match, players)
    drafts = [
        *runner.created({"press": "none", "last_year": 1902}, title="crafted", origin="trainer"),
        *runner.started(),
    ]
    for answer in answers:
        for seat in match.waiting:
            drafts += runner.play(seat, answer(match) if seat == HERO else Choice(HOLD, "heuristic"))
    drafts.append(Draft.of(EpisodeEnded(status="stopped")))
    recorder = Recorder(":memory:")
    bus = Bus(recorder)
    bus.open("craft", 0)
    bus.publish("craft", drafts)
    (trajectory,) = trajectories(read(recorder, "craft"), "tiny")
    return trajectory


@pytest.mark.parametrize(
    "answer",
    [illegally, faulty, by("human"), by("remote"), by("repair"), by("fallback"), taken_over],
    ids=["illegal", "fault", "human", "remote", "repair", "fallback", "taken-over"],
)
def test_what_the_policy_did_not_choose_is_masked_and_counted(answer: Answer) -> None:
    trajectory = played(by_policy, answer, by_policy)
    assert trajectory.masked == 1
    assert len({decision.index for decision in trajectory.decisions}) == 2
    assert len(played(by_policy, by_policy, by_policy).decisions) == 3


def test_a_seat_that_begins_with_somebody_else_counts_that_too() -> None:
    trajectory = played(by("human"), by_policy)
    assert (trajectory.masked, len(trajectory.decisions)) == (1, 1)


def test_a_bots_choices_before_the_fork_are_nobodys_fault() -> None:
    trajectory = played(by("heuristic"), by("heuristic"), by_policy)
    assert (trajectory.masked, len(trajectory.decisions)) == (0, 1)


def test_what_another_policy_chose_in_the_seat_is_left_out() -> None:
    def guest(match: Match) -> Choice:
        return Choice(HOLD, "policy", turn=recorded(match, policy="guest"))

    assert [decision.index for decision in played(by_policy, guest, by_policy).decisions] == [0, 2]


def test_the_scores_are_those_of_the_end_where_there_is_one(tmp_path: Path) -> None:
    options: dict[str, Any] = {"options": {"press": "none", "last_year": 1901}}
    setup = TrainingSetup(tiny(game=options, rollout={"horizon": 9.0, "warmup": 0}), tmp_path)
    (episode, *_) = next(iter(setup.play().values()))
    (trajectory,) = trajectories(episode, "tiny")
    assert trajectory.scores == episode.events[-1].data["outcome"]["scores"]
