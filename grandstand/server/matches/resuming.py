"""Resumes the unfinished matches of the record one by one after a restart, while the server serves."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from grandstand.events import ActionChosen, EpisodeEnded
from grandstand.games.base import OptionError, SeatId
from grandstand.games.match import Match
from grandstand.models import Draft, Event, SeatDraft
from grandstand.play.commentator import Commentator, commentator
from grandstand.play.drafts import untold
from grandstand.play.past import Past
from grandstand.play.preparation import loaded_spec, prepared
from grandstand.play.runner import MatchRunner, last_answer, rounds_held
from grandstand.play.verification import OtherRules, Step, replay_steps, same_rules, taken_up, unplayed
from grandstand.players.commentary import CommentaryModel
from grandstand.players.external import ExternalPlayer
from grandstand.players.llm.budget import Budget
from grandstand.players.own_models import RESTARTED, OwnModels
from grandstand.players.roster import Roster
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import Fenced, StorageError
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.store.interface import EpisodeStore

log = logging.getLogger(__name__)

SLICE = 0.01
"""CPU seconds of replaying a record before the event loop serves others."""


AGAIN = 1.0
"""Seconds between attempts to read a record that cannot be read for now."""

BudgetOf: TypeAlias = Callable[[str], Awaitable[Budget | None]]
"""(episode) -> the budget that its match shares with others, or None."""


class Resumable(NamedTuple):
    """An unfinished match of the record, and the epoch in which it goes on."""

    summary: EpisodeSummary
    epoch: int


@dataclass(frozen=True, slots=True)
class MatchAtEnd:
    """A match as it is after the whole of its log, and what it was played with beside its players.

    `model` words its commentary, if one does; `own` are the models that callers pay for. `begun` is true if play began;
    `drafts` are what people have prepared.
    """

    runner: MatchRunner
    log: Sequence[Event]
    narrator: Commentator
    model: CommentaryModel | None
    own: OwnModels
    begun: bool
    untold: Sequence[Draft] = ()
    """What the log lacks of its last turn."""
    drafts: Mapping[SeatId, SeatDraft] = field(default_factory=dict)


M = TypeVar("M")


async def no_budget(episode_id: str) -> Budget | None:
    """Return None: the match shares no budget."""
    return None


class Resumer(Generic[M]):
    """Resumes matches from their logs. Those that cannot go on end as interrupted."""

    def __init__(
        self, bus: Bus, history: History, recorder: EpisodeStore, roster: Roster, go_on: Callable[[MatchAtEnd], M]
    ) -> None:
        """`go_on` returns the match that is played on from its log."""
        self.pending: dict[str, Resumable] = {}
        """Unfinished matches of the record that are not resumed yet, next first."""
        self.budget_of: BudgetOf = no_budget
        self.past: Callable[[str], Past] = lambda game: {}
        """(game) -> what its players did to each other in earlier matches."""
        self._bus = bus
        self._history = history
        self._recorder = recorder
        self._roster = roster
        self._go_on = go_on

    async def matches(self) -> AsyncIterator[tuple[M, EpisodeSummary]]:
        """Yield each pending match as soon as it can go on, with the summary from before.

        While the record cannot be read, they wait: another attempt is made every AGAIN seconds.
        """
        while self.pending:
            episode_id, resumable = next(iter(self.pending.items()))
            match = None
            try:
                match = await self._from_log(*resumable)
            except Fenced as error:
                log.warning("episode %s is not played here: %s", episode_id, error)
            except StorageError as error:
                log.warning("episode %s goes on later: %s", episode_id, error)
                await asyncio.sleep(AGAIN)
                continue
            except Exception as error:
                await self._end_interrupted(*resumable, error)
            self.pending.pop(episode_id, None)
            if match is not None:
                yield match, resumable.summary

    async def _from_log(self, summary: EpisodeSummary, epoch: int) -> M:
        """Return the match at the end of its record. Raise if players or log forbid it."""
        await self._history.load(summary.episode_id)
        events = list(self._history.events(summary.episode_id))
        if events[-1].seq < summary.last_seq:
            self._history.forget(summary.episode_id)
            raise StorageError(f"event {summary.last_seq} is not read yet")
        match, missing = await _replayed(events)
        within = await self.budget_of(summary.episode_id)
        seating = self._roster.episode(match.spec, events, within, no_key=RESTARTED)
        players = seating.players({info.seat: info.player for info in summary.seats}, events[0].data["options"])
        stuck = [player.name for player in players.values() if not player.resumable]
        if stuck:
            raise OptionError(f"players: {', '.join(stuck)} cannot be taken up from the log")
        begun = any(event.type == "EpisodeStarted" for event in events)
        narrator = commentator(match.spec, summary.episode_id, partial(self.past, match.spec.name))
        await narrator.catch_up(events)
        self._bus.open(summary.episode_id, epoch, events[-1].seq + 1, summary.delay, narrator)
        runner = MatchRunner(match, players, rounds_held(events))
        model = seating.same_commentator(summary.commentator)
        drafts = await self._recorder.apart(lambda: self._recorder.drafts(summary.episode_id))
        live = self._go_on(MatchAtEnd(runner, events, narrator, model, seating.own, begun, missing, drafts))
        for seat, player in runner.players.items():
            if isinstance(player, ExternalPlayer):
                player.answered = last_answer(events, seat, match.number(seat))
        return live

    async def _end_interrupted(self, summary: EpisodeSummary, epoch: int, error: Exception) -> None:
        log.warning("episode %s cannot go on: %s", summary.episode_id, error)
        try:
            self._bus.open(summary.episode_id, epoch, summary.last_seq + 1, summary.delay)
            if isinstance(error, OtherRules):
                ended = EpisodeEnded(status="stopped", message=str(error))
            else:
                ended = EpisodeEnded(status="interrupted", message=f"cannot go on: {error}")
            await self._bus.record(summary.episode_id, [Draft.of(ended)])
        except Exception:
            log.exception("episode %s: its end could not be recorded either", summary.episode_id)


async def _replayed(events: Sequence[Event]) -> tuple[Match, list[Draft]]:
    """Return the match after `events` and what they lack of their last turn, replayed in slices so that the event loop
    serves others in between.

    Raises ReplayMismatch; OtherRules where the rules have changed since and the decisions now give other events.
    """
    await loaded_spec(events[0].data["game"])
    if not same_rules(events):
        await asyncio.to_thread(taken_up, events)
    await prepared(unplayed(events))
    match: Match | None = None
    chosen: Step | None = None
    began = time.thread_time()
    for step in replay_steps(events):
        match = step.match
        if step.event.type == ActionChosen.__name__:
            chosen = step
        if match is not None:
            await prepared(match)
        if time.thread_time() - began > SLICE:
            await asyncio.sleep(0)
            began = time.thread_time()
    assert match is not None
    return match, untold(match, events, chosen.event, chosen.played) if chosen else []
