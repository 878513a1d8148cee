"""Reading of rows of the record in PostgreSQL, and the conditions by which episodes are listed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

from grandstand.models import Event
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import (
    FinishedEpisode,
    T,
    TrainingSteps,
    each_episode,
    event_of,
)
from grandstand.spectator.store.connection import Db, connected

CHUNK = 500
"""Number of rows that a cursor of the server sends at a time."""


def read_events(
    db: Db, episode_id: str, first: int = 0, stop: int | None = None, types: Sequence[str] = ()
) -> list[Event]:
    """Return the events of some types, or of all, with `first <= seq < stop` in order. Raises RecordError."""
    rows = db.execute(
        "SELECT seq, epoch, at, type, audience::text, data::text FROM events WHERE episode_id=%s"
        " AND seq>=%s AND seq<%s AND (%s OR type = ANY(%s)) ORDER BY seq",
        (episode_id, first, stop if stop is not None else 2**31 - 1, not types, list(types)),
    )
    return [event_of(episode_id, *row) for row in rows]


def load_events(url: str, episode_id: str, types: Sequence[str]) -> list[Event]:
    """Return events of an episode, read by a connection of their own."""
    with closing(connected(url)) as db:
        return read_events(db, episode_id, types=types)


def read_finished(db: Db, limit: int) -> list[FinishedEpisode]:
    """Return the newest finished episodes."""
    rows = db.execute(
        "SELECT episode_id, created_at FROM episodes WHERE status='finished'"
        " ORDER BY created_at DESC, episode_id DESC LIMIT %s",
        (limit,),
    )
    return [FinishedEpisode(*row) for row in rows]


def read_each_episode(
    db: Db, episode_ids: Sequence[str], types: Sequence[str], read: Callable[[EpisodeSummary, list[Event]], T]
) -> dict[str, T]:
    """Return `read(summary, events of some types)` of each episode that can be read."""

    def summary_text(episode_id: str) -> str | None:
        row = db.execute("SELECT summary::text FROM episodes WHERE episode_id=%s", (episode_id,)).fetchone()
        return None if row is None else str(row[0])

    return each_episode(episode_ids, summary_text, lambda episode_id: read_events(db, episode_id, types=types), read)


def condition(
    game: str | None,
    player: str | None,
    status: Sequence[str],
    behind: Mapping[str, EpisodeSummary],
    without: Sequence[str],
    training: TrainingSteps | None,
) -> tuple[str, list[Any]]:
    """Return the condition of a list of episodes, and its values."""
    parts = list(_parts(game, player, status, behind, without, training))
    return " AND ".join(["true", *(clause for clause, _ in parts)]), [value for _, values in parts for value in values]


def _parts(
    game: str | None,
    player: str | None,
    status: Sequence[str],
    behind: Mapping[str, EpisodeSummary],
    without: Sequence[str],
    training: TrainingSteps | None,
) -> Iterator[tuple[str, list[Any]]]:
    if game:
        yield "game=%s", [game]
    if player:
        yield "EXISTS (SELECT FROM json_array_elements(summary->'seats') s WHERE s->>'player' = %s)", [player]
    if training:
        step = "(summary->'training'->>'step')::bigint BETWEEN %s AND %s"
        yield f"summary->'training'->>'run' = %s AND {step}", [*training]
    if without:
        yield "coalesce(summary->>'origin', '') <> ALL(%s)", [list(without)]
    if status:
        matches = {episode_id: summary.status in status for episode_id, summary in behind.items()}
        yield "coalesce((%s::jsonb->>episode_id)::boolean, status = ANY(%s))", [json.dumps(matches), list(status)]
