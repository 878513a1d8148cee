"""The results of a match are those of players who decided for themselves."""

from __future__ import annotations

from typing import Any

import pytest

from grandstand.models import (
    ActionChosen,
    ControlChanged,
    Draft,
    EpisodeCreated,
    EpisodeEnded,
    Event,
    OutcomeData,
    SeatInfo,
    TurnStarted,
)
from grandstand.trainer.league.results import own_scores

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
