"""From a recorded episode to what can be learned from it: the tokens as they were sampled, the rewards as they came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grandstand.games.base import SeatId
from grandstand.games.spec import GameSpec
from grandstand.models import EpisodeCreated, TurnRecorded, flat
from grandstand.spectator.replay import Episode


@dataclass(frozen=True)
class Turn:
    """One choice of a policy, as recorded. `seq` is the number of its TurnRecorded event.

    `rewards[name]` is what component `name` brought from this choice until the seat's next one, unweighted; `final`
    parts stand with the trajectory.
    """

    seq: int
    index: int
    version: int
    temperature: float
    prompt: Sequence[int]
    completion: Sequence[int]
    logprobs: Sequence[float]
    allowed: Sequence[Sequence[int]]
    features: Mapping[str, float]
    rewards: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Trajectory:
    """All of one seat in one episode. `masked` counts choices that were not the policy's (a person, a fallback, a
    repaired answer, a fault): they are no turns here, and nothing is learned from them."""

    episode_id: str
    seat: SeatId
    policy: str
    opponents: Mapping[SeatId, str]
    turns: Sequence[Turn]
    final: Mapping[str, float]
    scores: Mapping[SeatId, float]
    masked: int = 0


@dataclass(frozen=True)
class TrajectoryGroup:
    """Siblings: forks of one state, the same seat, the same luck to come. `id` is `step/group/seat`."""

    id: str
    trajectories: Sequence[Trajectory]


def game_events(episode: Episode, spec: GameSpec) -> list[tuple[int, str, Mapping[str, Any]]]:
    """The game's own events of the record, as (seq, type, data): what rewards are read from."""
    kinds = {kind.__name__ for kind in spec.events}
    return [(event.seq, event.type, event.data) for event in flat(episode.events) if event.type in kinds]


def trajectories(episode: Episode, policy: str) -> list[Trajectory]:
    """What `policy` chose in the episode, one trajectory for each of its seats that were recorded to learn from.

    Rewards are not filled in. A recorded turn counts only where the next thing that its seat did is the action that
    the policy chose: after a fault, or where somebody else acted, it is masked.
    """
    created = EpisodeCreated.model_validate(episode.events[0].data)
    turns: dict[SeatId, list[Turn]] = {}
    masked: dict[SeatId, int] = {}
    pending: dict[SeatId, Turn] = {}
    scores: Mapping[SeatId, float] = {}
    for event in flat(episode.events):
        seat = event.data.get("seat")
        if event.type == "TurnRecorded" and event.data["policy"] == policy:
            turns.setdefault(event.data["seat"], [])
            pending[event.data["seat"]] = _turn(event.seq, TurnRecorded.model_construct(**event.data))
        elif event.type == "ActionChosen" and seat is not None:
            turn = pending.pop(seat, None)
            if turn is not None and event.data["source"] == "policy":
                turns[seat].append(turn)
            elif turn is not None or event.data["source"] in ("human", "fallback", "repair", "remote"):
                masked[seat] = masked.get(seat, 0) + 1
        elif event.type in ("TurnStarted", "EpisodeEnded"):
            outcome = event.data.get("outcome")
            scores = event.data.get("scores") or (outcome and outcome["scores"]) or scores
    seated = {info.seat: info.player for info in created.seats}
    return [
        Trajectory(
            episode_id=episode.episode_id,
            seat=seat,
            policy=policy,
            opponents={other: name for other, name in seated.items() if other != seat},
            turns=made,
            final={},
            scores=scores,
            masked=masked.get(seat, 0),
        )
        for seat, made in turns.items()
    ]


def _turn(seq: int, recorded: TurnRecorded) -> Turn:
    return Turn(
        seq=seq,
        index=recorded.index,
        version=recorded.version,
        temperature=recorded.temperature,
        prompt=recorded.prompt,
        completion=recorded.completion,
        logprobs=recorded.logprobs,
        allowed=recorded.allowed,
        features=recorded.features,
    )
