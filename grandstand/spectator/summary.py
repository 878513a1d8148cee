"""Summaries of episodes for the lobby, folded from their public events."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.events import (
    ControlChanged,
    EpisodeCreated,
    EpisodeEnded,
    EpisodeStarted,
    Moment,
    OutlookUpdated,
    TurnStarted,
)
from grandstand.models import Event
from grandstand.spectator.frames import EpisodeSummary


def fold(summary: EpisodeSummary | None, event: Event) -> EpisodeSummary:
    """Return `summary` updated by `event`. The first event of an episode must be EpisodeCreated."""
    if summary is None:
        return _created(event)
    changes: dict[str, object] = {"epoch": event.epoch, "last_seq": event.seq}
    match event.type if event.audience == "public" else None:
        case "EpisodeStarted":
            resumed = EpisodeStarted.model_validate(event.data).resumed is not None
            changes |= {"status": "live"} | ({} if resumed else {"started_at": event.at})
        case "ControlChanged":
            changes |= _steered(summary, ControlChanged.model_validate(event.data))
        case "TurnStarted":
            turn = TurnStarted.model_validate(event.data)
            changes |= {"turn": turn.turn, "scores": turn.scores}
        case "ReportUpdated":
            changes |= {"headline": event.data["report"]["headline"]}
        case "OutlookUpdated":
            changes |= {"outlook": OutlookUpdated.model_validate(event.data)}
        case "EpisodeEnded":
            ended = EpisodeEnded.model_validate(event.data)
            changes |= {
                "status": ended.status,
                "ended_at": event.at,
                "outcome": ended.outcome,
                "message": ended.message,
            }
            if ended.outcome:
                changes["scores"] = ended.outcome.scores
    return summary.model_copy(update=changes)


def _steered(summary: EpisodeSummary, change: ControlChanged) -> dict[str, object]:
    """Return the fields that a command changes. A fork waits for a slot like any other match, so it is queued."""
    seat = next((info.seat for info in summary.seats if info.seat == change.value), None)
    match change.command:
        case "pause" | "resume":
            return {"paused": change.command == "pause"}
        case "take_over" if seat in summary.left:
            return {"left": [other for other in summary.left if other != seat]}
        case "take_over" if seat is not None and seat not in summary.taken:
            return {"taken": [*summary.taken, seat]}
        case "leave" if seat is not None and seat not in (*summary.taken, *summary.left):
            return {"left": [*summary.left, seat]}
        case "hand_back" | "leave":
            return {"taken": [other for other in summary.taken if other != seat]}
        case "fork":
            return {"status": "queued", "parent": summary.parent or _moment(change.value)}
    return {}


def _moment(address: object) -> Moment | None:
    """Return the moment that `episode/seq` names; None if the address is invalid."""
    episode_id, _, seq = str(address).rpartition("/")
    return Moment(episode_id=episode_id, seq=int(seq)) if episode_id and seq.isdecimal() else None


FEW = frozenset({"EpisodeStarted", "ControlChanged", "EpisodeEnded"})
MANY = frozenset({"TurnStarted", "ReportUpdated", "OutlookUpdated"})
"""Types of the events that change a summary. Of each type in `MANY` only the last event matters."""


def summary_of(events: Sequence[Event]) -> EpisodeSummary:
    """Return the fold of `events`, which must start at seq 0; irrelevant events are skipped, as records are long."""
    few = [event for event in events if event.type in FEW]
    last = {event.type: event for event in events if event.type in MANY and event.audience == "public"}
    summary = fold(None, events[0])
    for event in sorted([*few, *last.values()], key=lambda event: event.seq):
        summary = fold(summary, event)
    return summary.model_copy(update={"epoch": events[-1].epoch, "last_seq": events[-1].seq})


STORY_TYPES = frozenset({"FactNoted", "CommentAdded", "OutlookUpdated", "CommentatorFault", "TurnStarted"})
"""Types of the events between the last event of a turn and its outlook."""


def outlook_at(events: Sequence[Event], seq: int) -> Event | None:
    """Return the last outlook computed from events up to `seq`; None if there is none.

    Its own number may be later: a story follows its events.
    """
    kind = OutlookUpdated.__name__
    for event in reversed(events):
        if event.type == kind and event.audience == "public" and _rests_on(event, events) <= seq:
            return event
    return None


def _rests_on(outlook: Event, events: Sequence[Event]) -> int:
    """Return the number of the last event that an outlook was computed from: the last that it names, or the last public
    one before its story."""
    if named := outlook.data.get("rests_on"):
        return max(int(seq) for seq in named)
    before = (event for event in reversed(events[: outlook.seq]) if event.audience == "public")
    return next((event.seq for event in before if event.type not in STORY_TYPES), 0)


def summary_at(events: Sequence[Event], seq: int) -> EpisodeSummary:
    """Return the summary at number `seq`. `events` start at seq 0 and may go on after `seq`."""
    outlook = outlook_at(events, seq)
    stated = None if outlook is None else OutlookUpdated.model_validate(outlook.data)
    return summary_of(events[: seq + 1]).model_copy(update={"outlook": stated})


def _created(event: Event) -> EpisodeSummary:
    if event.type != "EpisodeCreated":
        raise ValueError(f"episode {event.episode_id}: starts with {event.type}, not EpisodeCreated")
    created = EpisodeCreated.model_validate(event.data)
    return EpisodeSummary(
        episode_id=event.episode_id,
        epoch=event.epoch,
        status="queued",
        created_at=event.at,
        last_seq=event.seq,
        **created.model_dump(exclude={"rules"}),
    )
