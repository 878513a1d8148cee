"""The state of the server: its health, the spending of today, and the queue as the public may know it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from math import ceil

from fastapi import APIRouter, Request

from grandstand.models import EpisodeSummary, QueuePlace
from grandstand.server.bodies import DaySpending, Health, VoiceHealth
from grandstand.server.http import problems
from grandstand.server.matches.driver import Driver
from grandstand.server.parts import Parts

MINUTE = 60.0
"""The seconds that a match will wait in the queue are rounded up to a multiple of this: they are an estimate."""


router = APIRouter(tags=["server"])


@router.get("/health")
async def health(parts: Parts) -> Health:
    """Return whether the server is serving, and how many matches and viewers it has."""
    faults = parts.driver.storage_faults
    behind = parts.history.behind()
    spoken = parts.voice.state
    playing = [episode_id for episode_id in parts.driver.playing if episode_id not in behind]
    unseen = [summary for summary in behind.values() if summary.origin != "publisher" and summary.status == "live"]
    return Health(
        status="waiting" if faults else "ok",
        storage=next(iter(faults.values()), None),
        version=version("grandstand"),
        live=len(playing) + len(unseen),
        queued=len(public_queue(parts.driver, behind)),
        viewers=parts.hub.audience(),
        voice=VoiceHealth(provider=spoken.provider, kind=spoken.kind, reason=spoken.reason),
    )


@router.get("/spending", responses=problems(403))
async def today(parts: Parts, connection: Request) -> DaySpending:
    """Return the tokens and dollars of today (UTC), in sum and by player, and the limits. For operators."""
    parts.access.operator(connection)
    return parts.spending.today()


def public_queue(driver: Driver, behind: Mapping[str, EpisodeSummary]) -> dict[str, QueuePlace]:
    """Return the queue as spectators may know it, next first. A delayed match stays in it until its start is released.

    `behind` are the delayed episodes, as far as spectators have seen them.
    """
    waits = driver.waits
    left = [summary.episode_id for summary in behind.values() if summary.status == "queued"]
    queue = {**dict.fromkeys(episode_id for episode_id in left if episode_id not in waits), **waits}
    return {
        episode_id: QueuePlace(place=place, seconds=None if seconds is None else MINUTE * ceil(seconds / MINUTE))
        for place, (episode_id, seconds) in enumerate(queue.items(), start=1)
    }


def placed(summary: EpisodeSummary, queue: Mapping[str, QueuePlace]) -> EpisodeSummary:
    """Return `summary` with its place in the queue, if it waits."""
    place = queue.get(summary.episode_id)
    return summary if place is None else summary.model_copy(update={"queue": place})
