"""The results of a match are those of players who decided for themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from grandstand.events import ActionChosen, ControlChanged, EpisodeCreated, EpisodeEnded, SeatInfo, TurnStarted
from grandstand.models import Draft, Event, OutcomeData, flat
from grandstand.trainer.league.results import earned, own_scores
from grandstand.trainer.rollout.trajectories import game_events
from tests.support.trainer.training_setup import TrainingSetup, cricket

SEATS = {"a": "r@v000001", "b": "dumbbot"}


def events(status: Any, *, source: str = "policy", take_over: bool = False) -> list[Event]:
    """Return a match of two seats and one turn; seat `a` decides by `source`."""
    finished = OutcomeData(winners=["a"], scores={"a": 7.0, "b": 1.0}, reason="points", text="")
    bodies: list[Any] = [
        EpisodeCreated(
            game="diplomacy",
            title="test",
            options={},
            seats=[
                SeatInfo(seat="a", player=SEATS["a"], kind="trained"),
                SeatInfo(seat="b", player="dumbbot", kind="bot"),
            ],
            origin="trainer",
        ),
        TurnStarted(index=0, turn="first", to_act=["a", "b"], scores={"a": 0.0, "b": 0.0}),
        *([ControlChanged(command="take_over", value="a", by="somebody")] if take_over else []),
        ActionChosen(seat="a", index=0, action={}, source=source),  # type: ignore[arg-type]
        ActionChosen(seat="b", index=0, action={}, source="heuristic"),
        TurnStarted(index=1, turn="second", to_act=["a", "b"], scores={"a": 2.0, "b": 5.0}),
        EpisodeEnded(status=status, outcome=finished if status == "finished" else None),
    ]
    drafts = [Draft.of(body) for body in bodies]
    return [
        Event(episode_id="m", epoch=1, seq=seq, at=0.0, type=draft.type, data=draft.data, audience=draft.audience)
        for seq, draft in enumerate(drafts)
    ]


def test_a_match_played_to_its_end_has_the_scores_of_its_outcome() -> None:
    assert own_scores(events("finished")) == (SEATS, {"a": 7.0, "b": 1.0})


def test_a_match_stopped_at_its_horizon_has_the_scores_of_that_time() -> None:
    assert own_scores(events("stopped")) == (SEATS, {"a": 2.0, "b": 5.0})


@pytest.mark.parametrize("status", ["interrupted", "error"])
def test_a_match_that_broke_off_has_none(status: str) -> None:
    assert own_scores(events(status)) == (SEATS, {})
    assert own_scores(events("finished")[:-1]) == (SEATS, {})


@pytest.mark.parametrize("status", ["finished", "stopped"])
def test_a_seat_in_which_somebody_else_decided_has_none(status: str) -> None:
    scores = {"finished": 1.0, "stopped": 5.0}
    for other in (
        events(status, source="fallback"),
        events(status, source="human"),
        events(status, source="human", take_over=True),
    ):
        assert own_scores(other) == (SEATS, {"b": scores[status]})


def test_rewards_are_those_of_each_seat_since_the_fork(tmp_path: Path) -> None:
    """Bots play some turns before it; the standing of an unfinished cricket match is even."""
    torch.set_num_threads(1)
    config = cricket(rollout={"groups": 4, "samples": 2, "warmup": 12, "warmup_none_chance": 0.0, "horizon": 1})
    setup = TrainingSetup(config, tmp_path)
    rewards = setup.spec.training.rewards
    amounts = set()
    for episode in (episode for group in setup.play().values() for episode in group):
        _, scores = own_scores(episode.events)
        assert len(set(scores.values())) <= 1
        events = list(flat(episode.events))
        decided = [e.seq for e in events if e.type == "ActionChosen" and e.data["source"] == "policy"]
        fork = max(event.seq for event in events if event.type == "TurnStarted" and event.seq < decided[0])
        for seat, amount in earned(episode, setup.spec, setup.spec.seats(), config.reward).items():
            entries = rewards.ledger(game_events(episode, setup.spec.reward_events), seat, rewards.settings)
            weights = {"runs": 1.0, "win_chance": 5.0}
            late = [entry for entry in entries if entry.seq >= fork]
            assert amount == pytest.approx(sum(weights.get(item.component, 0.0) * item.amount for item in late))
            amounts.add((amount, len(late) < len(entries)))
    assert len({amount for amount, _ in amounts}) > 4
    assert any(earlier for _, earlier in amounts), "the bots' turns earned something too"
