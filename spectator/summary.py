"""The lobby's view of an episode, folded from its public events."""

from __future__ import annotations

from models import (
    ControlChanged,
    EpisodeCreated,
    EpisodeEnded,
    EpisodeSummary,
    Event,
    Moment,
    TrainStepped,
    TurnStarted,
)


def fold(summary: EpisodeSummary | None, event: Event) -> EpisodeSummary:
    """`summary` after `event`. The first event of an episode must be EpisodeCreated."""
    if summary is None:
        return _created(event)
    changes: dict[str, object] = {"epoch": event.epoch, "last_seq": event.seq}
    match event.type if event.audience == "public" else None:
        case "EpisodeStarted":
            changes |= {"status": "live", "started_at": event.at}
        case "EpisodeResumed":
            changes |= {"status": "live"}
        case "ControlChanged":
            changes |= _steered(summary, ControlChanged.model_validate(event.data))
        case "TurnStarted":
            turn = TurnStarted.model_validate(event.data)
            changes |= {"turn": turn.turn, "scores": turn.scores}
        case "TrainStepped":
            changes |= {"turn": str(TrainStepped.model_validate(event.data).step)}
        case "ControlChanged" if event.data["command"] == "fork" and summary.parent is None:
            changes |= {"parent": _moment(event.data["value"])}
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
    """A fork has a past but waits for a slot like any other match: it is live when it goes on."""
    seat = next((info.seat for info in summary.seats if info.seat == change.value), None)
    match change.command:
        case "pause" | "resume":
            return {"paused": change.command == "pause"}
        case "take_over" if seat is not None and seat not in summary.taken:
            return {"taken": [*summary.taken, seat]}
        case "hand_back":
            return {"taken": [taken for taken in summary.taken if taken != seat]}
        case "fork":
            return {"status": "queued"}
    return {}


def _moment(address: object) -> Moment | None:
    """Return what `episode/seq` names, None where it names nothing."""
    episode_id, _, seq = str(address).rpartition("/")
    return Moment(episode_id=episode_id, seq=int(seq)) if episode_id and seq.isdecimal() else None


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
