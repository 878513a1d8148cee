"""One statement that commits a batch: it checks the epoch and the next number, inserts, and updates the summary."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from grandstand.models import Event
from grandstand.spectator.errors import Fenced, RecordError, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import REQUESTS_KEPT, Request, event_row
from grandstand.spectator.store.connection import Db
from grandstand.spectator.store.interface import LEASE, OwningServer

INSERT = """
WITH accepted AS ({accepted}), gone AS (
    DELETE FROM drafts WHERE episode_id = %(episode_id)s AND %(ended)s AND EXISTS (SELECT FROM accepted)
), old AS (
    DELETE FROM requests WHERE %(key)s::text IS NOT NULL AND at < %(forgotten)s
), keyed AS (
    INSERT INTO requests SELECT %(key)s, %(body)s, %(episode_id)s, %(now)s FROM accepted WHERE %(key)s::text IS NOT NULL
)
INSERT INTO events
SELECT %(episode_id)s, e.seq, e.epoch, e.at, e.type, e.audience::json, e.data::json
FROM accepted, unnest(%(seqs)s::int[], %(epochs)s::bigint[], %(ats)s::float8[], %(types)s::text[],
    %(audiences)s::text[], %(datas)s::text[]) AS e(seq, epoch, at, type, audience, data)
"""

FIRST = INSERT.format(
    accepted="""
    INSERT INTO episodes (episode_id, game, status, created_at, summary, epoch, next, owner, owner_url, expires)
    VALUES (%(episode_id)s, %(game)s, %(status)s, %(created_at)s, %(summary)s, %(epoch)s, %(count)s, %(owner)s, %(url)s,
        CASE WHEN %(owner)s::text IS NULL THEN 'infinity' ELSE now() + %(lease)s * interval '1 second' END)
    ON CONFLICT DO NOTHING RETURNING 1"""
)

NEXT = INSERT.format(
    accepted="""
    UPDATE episodes SET next = next + %(count)s, epoch = %(epoch)s, status = %(status)s, summary = %(summary)s,
        owner = CASE WHEN %(ended)s THEN NULL ELSE owner END,
        expires = CASE WHEN %(ended)s THEN 'infinity' ELSE expires END
    WHERE episode_id = %(episode_id)s AND epoch <= %(epoch)s AND next = %(first)s RETURNING 1"""
)
"""A server that takes an episode over raises its epoch first, so batches of the earlier owner change no row."""


def commit(
    db: Db, events: Sequence[Event], summary: EpisodeSummary, request: Request | None, owner: OwningServer | None
) -> None:
    """Commit a batch of one episode, or find that it was committed before.

    Raises Fenced if another server owns the episode, RecordError if the batch is not the next.
    """
    first, last = events[0], events[-1]
    rows = [event_row(event) for event in events]
    _, seqs, epochs, ats, types, audiences, datas = (list(column) for column in zip(*rows, strict=True))
    ended = summary.ended_at is not None
    values: dict[str, Any] = {
        "episode_id": summary.episode_id,
        "game": summary.game,
        "status": summary.status,
        "created_at": summary.created_at,
        "summary": summary.model_dump_json(),
        "epoch": last.epoch,
        "first": first.seq,
        "count": len(events),
        "ended": ended,
        "owner": None if owner is None or ended else owner.id,
        "url": None if owner is None else owner.url,
        "lease": LEASE,
        "key": None if request is None else request.key,
        "body": None if request is None else request.body,
        "now": time.time(),
        "forgotten": time.time() - REQUESTS_KEPT,
    }
    columns = {"seqs": seqs, "epochs": epochs, "ats": ats, "types": types, "audiences": audiences, "datas": datas}
    inserted = db.execute(NEXT if first.seq else FIRST, values | columns).rowcount
    if inserted != len(events):
        _check_committed(db, events)


def _check_committed(db: Db, events: Sequence[Event]) -> None:
    """Return if `events` are in the record already."""
    first, last = events[0], events[-1]
    row = db.execute("SELECT epoch, next FROM episodes WHERE episode_id=%s", (first.episode_id,)).fetchone()
    if row is None:
        raise UnknownEpisode(first.episode_id)
    epoch, following = row
    if epoch > last.epoch:
        raise Fenced(f"episode {first.episode_id}: another server owns it since epoch {epoch}")
    stored = db.execute(
        "SELECT episode_id, seq, epoch, at, type, audience::text, data::text FROM events"
        " WHERE episode_id=%s AND seq BETWEEN %s AND %s ORDER BY seq",
        (first.episode_id, first.seq, last.seq),
    ).fetchall()
    if stored != [event_row(event) for event in events]:
        raise RecordError(f"event {first.seq} is not the next of the record, which is {following}")
