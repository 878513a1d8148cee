"""From a recorded episode to what can be learned from it: the tokens as they were sampled, the rewards as they came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.base import SeatId


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
