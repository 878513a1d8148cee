"""Read the results of training matches and evaluations from their recorded events. No tensors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grandstand.events import EpisodeEnded
from grandstand.games.base import SeatId
from grandstand.games.spec import GameSpec
from grandstand.models import Event, flat
from grandstand.play.ratings.seat_records import seat_records
from grandstand.spectator.replay import Episode
from grandstand.trainer.config.objective_settings import RewardSettings, resolve
from grandstand.trainer.rollout.trajectories import game_events


def own_scores(events: Sequence[Event]) -> tuple[Mapping[SeatId, str], Mapping[SeatId, float]]:
    """Return the player of each seat, and the scores of the seats whose players made every decision themselves.

    A seat in which a fallback or another person decided has no score here. A match that was stopped at its horizon has
    the scores at that time; one that broke off in another way has none.
    """
    records = seat_records(events)
    players = {record.seat: record.player for record in records}
    ended = EpisodeEnded.model_validate(events[-1].data) if events[-1].type == "EpisodeEnded" else None
    if ended is None or ended.status not in ("finished", "stopped"):
        return players, {}
    if ended.status == "stopped":
        standing = _last_scores(flat(events))
        for record in records:
            record.score = standing.get(record.seat)
    scores = {record.seat: record.score for record in records if record.scored and record.score is not None}
    return players, scores


def earned(
    episode: Episode, spec: GameSpec, seats: Iterable[SeatId], settings: RewardSettings
) -> Mapping[SeatId, float]:
    """Return each seat's weighted rewards since the fork, which is the turn of the first decision of a policy."""
    rewards = spec.training.rewards
    settings = resolve(settings, rewards)
    events = game_events(episode, spec.reward_events)
    start = _fork(episode.events)
    return {
        seat: sum(
            settings.weights.get(entry.component, 0.0) * entry.amount
            for entry in rewards.ledger(events, seat, settings.settings)
            if entry.seq >= start
        )
        for seat in seats
    }


def _fork(events: Iterable[Event]) -> int:
    """Return the number of the event at which the first turn with a policy's decision starts; 0 if there is none."""
    start = 0
    for event in flat(events):
        if event.type == "TurnStarted":
            start = event.seq
        elif event.type == "ActionChosen" and event.data["source"] == "policy":
            return start
    return 0


def _last_scores(events: Iterable[Event]) -> Mapping[SeatId, float]:
    """Return the scores at the last turn that has any."""
    scores: Mapping[SeatId, float] = {}
    for event in events:
        if event.type == "TurnStarted":
            scores = event.data.get("scores") or scores
    return scores
