"""What spectators may know of the queue, and of the people whom matches wait for."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, inf

from grandstand.players.external import ExternalPlayer
from grandstand.server.bodies.matches import Awaited
from grandstand.server.matches.driver import Driver
from grandstand.spectator.frames import EpisodeSummary, QueuePlace

MINUTE = 60.0
"""The seconds that a match will wait in the queue are rounded up to a multiple of this: they are an estimate."""


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


def awaited_person(driver: Driver, summary: EpisodeSummary) -> list[Awaited]:
    """Return the person with the least time whom the match of `summary` waits for, if any.

    Nobody is named in a delayed match, whose spectators see an earlier moment, nor in one that is paused.
    """
    if summary.delay or summary.paused or summary.episode_id not in driver.playing:
        return []
    people = [
        Awaited(episode_id=summary.episode_id, seat=seat, deadline=player.deadline)
        for seat, player in driver.match(summary.episode_id).runner.players.items()
        if isinstance(player, ExternalPlayer) and player.kind == "human" and player.awaited.is_set()
    ]
    return sorted(people, key=lambda person: inf if person.deadline is None else person.deadline)[:1]
