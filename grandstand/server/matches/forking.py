"""Forks: new matches that continue from a moment of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grandstand.events import ActionChosen, EpisodeCreated, Moment, SeedSet
from grandstand.games.base import OptionError, SeatId
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import Draft, Event, PrivateBatch, flat, flat_drafts
from grandstand.play.drafts import private_batch
from grandstand.play.runner import MatchRunner
from grandstand.play.verification import ReplayMismatch, taken_up
from grandstand.players.base import Choice
from grandstand.players.commentary import CommentaryModel
from grandstand.players.own_models import FORKED, OwnModels
from grandstand.players.roster import Roster, Seating
from grandstand.server.bodies.matches import ForkEpisode
from grandstand.server.matches.steering import steered


@dataclass(frozen=True)
class ForkedMatch:
    """A match that continues from a moment of another: its runner, log, spectators' delay, the model that words its
    commentary, if one does, and the models that callers pay for."""

    runner: MatchRunner
    log: Sequence[Draft]
    delay: float
    model: CommentaryModel | None
    own: OwnModels


def forked(
    events: Sequence[Event], public: int, request: ForkEpisode, roster: Roster, pace: float, by: str
) -> ForkedMatch:
    """Return the match that continues from event `request.seq`.

    `events` are the parent's whole log, `public` the number of events that spectators have seen; `pace` is for a
    request that names none. Raise OptionError.
    """
    seq = len(events) - 1 if request.seq is None else request.seq
    if seq >= len(events):
        parent_id = events[0].episode_id
        raise OptionError(f"seq: {seq} has not happened in {parent_id}; its last event is {len(events) - 1}")
    events = events[: seq + 1]
    parent_id, parent = events[0].episode_id, EpisodeCreated.model_validate(events[0].data)
    seating = roster.episode(game_spec(parent.game), no_key=FORKED)
    runner = _runner_of(parent, events, request.players, seating)
    # EpisodeCreated is never held back: it must not tell how far a delayed parent is. `ControlChanged` tells it.
    created = runner.created(
        parent.options,
        title=request.title or f"{parent.title}, forked",
        origin="fork",
        parent=Moment(episode_id=parent_id, seq=seq) if seq < public else None,
        **parent.model_dump(include={"reveal", "delay", "clock", "approve", "voice", "commentator"}),
    )
    log = [*created, *runner.started(), *replayed_drafts(runner, events)]
    if request.seed is not None:
        runner.match.reseed(request.seed)
        log.append(Draft.of(SeedSet(seed=request.seed), "operator"))
    if runner.match.over:
        raise OptionError(f"seq: the match was decided by event {seq} of {parent_id}; fork from an earlier moment")
    if request.pace is not None:
        pace = request.pace
    log += steered(by, pace=pace, pause=request.paused or None, fork=f"{parent_id}/{seq}")
    return ForkedMatch(runner, log, parent.delay, seating.same_commentator(parent.commentator), seating.own)


def _runner_of(
    parent: EpisodeCreated, events: Sequence[Event], players: Mapping[SeatId, str], seating: Seating
) -> MatchRunner:
    """Return a runner at the start of the parent's match, with `players` in their seats. Raise OptionError."""
    spec = game_spec(parent.game)
    seed = next((SeedSet.model_validate(event.data).seed for event in events if event.type == "SeedSet"), None)
    if seed is None:
        first = f"{events[0].episode_id} has no seed up to event {events[-1].seq}"
        raise OptionError(f"seq: {first}; fork from a later moment")
    _check_rules(parent, spec, events)
    names = {info.seat: info.player for info in parent.seats} | dict(players)
    return MatchRunner(Match(spec, parent.options, seed), seating.players(names, parent.options))


def _check_rules(parent: EpisodeCreated, spec: GameSpec, events: Sequence[Event]) -> None:
    """Raise OptionError if the rules have changed since the parent was played, so that its decisions now give other
    events.
    """
    if parent.rules == spec.rules.version:
        return
    try:
        taken_up(events)
    except ReplayMismatch as error:
        raise OptionError(f"seq: {error}") from error


def replayed_drafts(runner: MatchRunner, events: Sequence[Event]) -> list[Draft]:
    """Return the drafts of the decisions in `events`, played again by `runner`."""
    drafts: list[Draft] = []
    first = True
    for event in flat(events):
        if event.type == "SeedSet" and not first:
            seed = SeedSet.model_validate(event.data)
            runner.match.reseed(seed.seed)
            drafts.append(Draft.of(seed, "operator"))
        elif event.type == "SeedSet":
            first = False
        elif event.type == "ActionChosen":
            chosen = ActionChosen.model_validate(event.data)
            drafts += runner.play(chosen.seat, Choice(chosen.action, chosen.source))
    return _merged(drafts)


def _merged(drafts: Sequence[Draft]) -> list[Draft]:
    """Return `drafts` with adjacent private batches merged: their number would reveal how much was said in private."""
    merged: list[Draft] = []
    for draft in drafts:
        if draft.type == PrivateBatch.__name__ and merged and merged[-1].type == draft.type:
            merged[-1] = private_batch(flat_drafts((merged[-1], draft)))
        else:
            merged.append(draft)
    return merged
