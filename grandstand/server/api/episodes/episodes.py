"""The lobby's list of episodes, and one episode's summary."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query

from grandstand.events import TurnRecorded, TurnStarted
from grandstand.models import MAX_NUMBER, Event, Status, flat
from grandstand.server.bodies.matches import EpisodeList, RecordedDecision
from grandstand.server.http import problems
from grandstand.server.lobby.waiting import awaited_person, placed, public_queue
from grandstand.server.parts import Parts
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import TrainingSteps
from grandstand.spectator.viewpoint import SPECTATOR

router = APIRouter(tags=["episodes"])


@router.get("")
async def episodes(
    parts: Parts,
    game: str | None = None,
    player: Annotated[str | None, Query(max_length=200)] = None,
    status: Annotated[list[Status], Query()] = [],  # noqa: B006
    without: Annotated[list[str], Query(max_length=8)] = [],  # noqa: B006
    run: Annotated[str, Query(max_length=200)] = "",
    first_step: Annotated[int, Query(ge=0, le=MAX_NUMBER)] = 0,
    last_step: Annotated[int, Query(ge=0, le=MAX_NUMBER)] = MAX_NUMBER,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=MAX_NUMBER)] = 0,
) -> EpisodeList:
    """List episodes, newest first; filter by game, by a player who has a seat, and by status.

    Episodes of the origins in `without` are left out. With `run`, the episode of a training run, only the matches
    of its steps from `first_step` to `last_step` are listed.
    """
    behind = parts.history.behind()
    read = partial(
        parts.recorder.summaries,
        game=game,
        player=player,
        status=status,
        limit=limit,
        offset=offset,
        behind=behind,
        without=without,
        training=TrainingSteps(run, first_step, last_step) if run else None,
    )
    public, total = await parts.recorder.apart(read)
    watched = {summary.episode_id: parts.hub.audience(summary.episode_id) for summary in public}
    queue = public_queue(parts.driver, behind)
    return EpisodeList(
        episodes=[placed(summary, queue) for summary in public],
        total=total,
        viewers={episode_id: count for episode_id, count in watched.items() if count},
        queue=list(queue),
        lanes=parts.showcase.lanes(),
        waiting=list(parts.driver.storage_faults),
        awaited=[awaited for summary in public for awaited in awaited_person(parts.driver, summary)],
    )


@router.get("/{episode_id}", responses=problems(404, 422))
async def episode(parts: Parts, episode_id: str) -> EpisodeSummary:
    """Return the summary of one episode, with its place in the queue while it waits for a slot."""
    return placed(parts.history.summary(episode_id, SPECTATOR), public_queue(parts.driver, parts.history.behind()))


@router.get("/{episode_id}/decisions", responses=problems(404, 422))
async def decisions(parts: Parts, episode_id: str) -> list[RecordedDecision]:
    """List the decisions of a training match that were recorded to learn from, as far as spectators know the match.

    The list says only which seat decided and when, which the public events reveal already.
    """
    summary = parts.history.summary(episode_id, SPECTATOR)
    if summary.training is None:
        return []
    await parts.history.load(episode_id)
    return _decisions(parts.history.events(episode_id), summary.last_seq)


def _decisions(events: Iterable[Event], last: int) -> list[RecordedDecision]:
    turn = ""
    decisions = []
    for event in flat(events):
        if event.seq > last:
            break
        if event.type == TurnStarted.__name__:
            turn = str(event.data["turn"])
        elif event.type == TurnRecorded.__name__:
            recorded = TurnRecorded.model_validate(event.data)
            decisions.append(RecordedDecision(seq=event.seq, seat=recorded.seat, turn=turn, version=recorded.version))
    return decisions
