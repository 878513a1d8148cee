"""Starts, queues, forks, steers and resumes matches, each in a task of its own."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from functools import partial
from typing import Protocol

from grandstand.campaign_events import TOURNAMENT
from grandstand.games.match import Match
from grandstand.games.spec import match_title
from grandstand.models import Draft
from grandstand.play.commentator import commentator, worded
from grandstand.play.past import Past
from grandstand.play.preparation import loaded_spec
from grandstand.play.runner import MatchRunner
from grandstand.players.commentary import CommentaryModel
from grandstand.players.llm.budget import Budget
from grandstand.players.own_models import OwnModels, own_name
from grandstand.players.roster import Roster
from grandstand.server.bodies.matches import Command, ForkEpisode, StartEpisode
from grandstand.server.matches.forking import ForkedMatch, forked
from grandstand.server.matches.idempotency import ANSWER, earlier_result, stored_request, whole
from grandstand.server.matches.live_match import LiveMatch
from grandstand.server.matches.own_keys import checked_keys
from grandstand.server.matches.queue_order import Claim
from grandstand.server.matches.resuming import BudgetOf, MatchAtEnd, Resumable, Resumer
from grandstand.server.matches.slots import USUAL, MatchSlots
from grandstand.server.matches.steering import CommandError, Full, Resuming, steered
from grandstand.server.purse import MatchCosts
from grandstand.spectator.bus import Bus, new_epoch
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.record_rows import Request
from grandstand.spectator.store.batches import in_turn
from grandstand.spectator.store.interface import EpisodeStore
from grandstand.spectator.viewpoint import SPECTATOR

log = logging.getLogger(__name__)

BEGINNING = 10.0
"""Seconds for which a match that is to begin waits for those that were asked for before it."""


class Steered(Protocol):
    """An episode other than a match that takes commands."""

    turn: asyncio.Lock

    async def steer(self, command: Command, by: str, request: Request | None) -> bool:
        """Carry out a command, and return whether it is recorded, with its `request`. The caller holds `turn`.

        Raise CommandError if that is not possible.
        """


class Driver:
    """All matches that this server plays."""

    def __init__(
        self,
        bus: Bus,
        history: History,
        recorder: EpisodeStore,
        roster: Roster,
        costs: MatchCosts,
        *,
        slots: int,
        queue: int,
        pace: float,
    ) -> None:
        self._bus = bus
        self._history = history
        self._recorder = recorder
        self._roster = roster
        self.costs = costs
        self._queue_limit = queue
        self.pace = pace
        """Seconds between turns of matches whose request names no pace; 0 plays everything at full speed."""
        self._slots: MatchSlots[LiveMatch] = MatchSlots(bus, recorder, slots)
        self._resumer = Resumer(bus, history, recorder, roster, self._live)
        self._resuming: asyncio.Task[None] | None = None
        self._beginning = asyncio.Lock()
        """Held while a match is admitted and its first events are recorded."""
        self.apart: Collection[str] = ()
        """Origins of the matches that take no slot when they are resumed."""
        self.on_resumed: Callable[[str], None] = lambda episode_id: None
        """Called with each episode that was resumed."""
        self.elsewhere: Mapping[str, Steered] = {}
        """Episodes of other parts of the server that are steered like a match."""
        self.route: Callable[[str | None], None] = lambda episode_id: None
        """Called with an unfinished episode that is not played here, or with None before a match begins. It raises
        Elsewhere if that is for another server."""
        self.away: Callable[[], bool] = lambda: False
        """Whether the matches that are played here may be another server's by now."""

    @property
    def past(self) -> Callable[[str], Past]:
        """Return the function from a game to what its players did to each other in earlier matches."""
        return self._resumer.past

    @past.setter
    def past(self, function: Callable[[str], Past]) -> None:
        self._resumer.past = function

    @property
    def budget_of(self) -> BudgetOf:
        """Return the function that gives a resumed match the budget that it shares with others."""
        return self._resumer.budget_of

    @budget_of.setter
    def budget_of(self, function: BudgetOf) -> None:
        self._resumer.budget_of = function

    @property
    def live(self) -> int:
        return len(self._slots.live)

    @property
    def playing(self) -> Sequence[str]:
        """Return the episodes that are played."""
        return list(self._slots.live)

    @property
    def queued(self) -> Sequence[str]:
        """Return the episodes that wait for a slot, next first."""
        return [*self.waits]

    @property
    def waits(self) -> Mapping[str, float | None]:
        """Return the estimated seconds until each episode that waits has a slot, next first; None without estimate."""
        return {**self._slots.waits(), **dict.fromkeys(self._resumer.pending)}

    @property
    def storage_faults(self) -> Mapping[str, str]:
        """Return the episodes that wait until the record can be written, and the reason."""
        return self._bus.waiting

    def match(self, episode_id: str) -> LiveMatch:
        """Return a match that is played or waits.

        Raise UnknownEpisode, CommandError if it has ended, Resuming if it has not been resumed yet.
        """
        if self.away():
            raise Resuming(f"episode: {episode_id} may be played by another server now; try again in a few seconds")
        if episode_id in self._resumer.pending:
            raise Resuming(f"episode: {episode_id} is being taken up from the record; try again in a few seconds")
        for match in self._slots:
            if match.episode_id == episode_id:
                if not self._bus.numbers(episode_id):
                    self.route(episode_id)
                return match
        summary = self._recorder.summary(episode_id)
        if summary.ended_at is None and summary.origin != "publisher":
            self.route(episode_id)
        raise CommandError(f"episode: {episode_id} has ended; only a match that is live or queued can be steered")

    async def start(
        self,
        request: StartEpisode,
        *,
        key: str | None = None,
        origin: str = "api",
        apart: bool = False,
        within: Budget | None = None,
        visitor: str = "",
        prepare: Callable[[LiveMatch], None] = lambda match: None,
    ) -> EpisodeSummary:
        """Create an episode and play it as soon as a slot is free. The same `key` starts only once.

        A match that is played `apart` begins at once and takes no slot: its starter limits their number.
        `visitor` starts it and pays for it, and shares the slots with other visitors; it is empty for an operator.
        `within` is a budget that several matches share. `prepare` is called with the match before it can begin.
        Raises OptionError naming the field at fault, CannotAfford, or Full.
        """
        keyed = stored_request(key, request)
        return await self._begun(keyed, lambda: self._start(request, keyed, origin, apart, within, visitor, prepare))

    async def _begun(
        self, keyed: Request | None, begin: Callable[[], Coroutine[object, object, EpisodeSummary]]
    ) -> EpisodeSummary:
        """Return the episode of an earlier request with the same key, or that of `begin()`, one after another."""

        async def in_its_turn() -> EpisodeSummary:
            async with in_turn(self._beginning, BEGINNING):
                return self._earlier(keyed) or await begin()

        return await whole(in_its_turn(), seconds=BEGINNING + ANSWER)

    async def _start(
        self,
        request: StartEpisode,
        keyed: Request | None,
        origin: str,
        apart: bool,
        within: Budget | None,
        visitor: str,
        prepare: Callable[[LiveMatch], None],
    ) -> EpisodeSummary:
        """Create an episode as `start` does."""
        self.costs.check(visitor, apart=apart)
        spec = await loaded_spec(request.game)
        seed = secrets.randbits(48) if request.seed is None else request.seed
        seating = self._roster.episode(spec, within=within)
        keys = checked_keys(request)
        own = {seat: own_name(model.endpoint, model.model) for seat, model in request.models.items()}
        seated = seating.players({**request.players, **own}, request.options)
        if not apart:
            person = any(player.kind == "human" for player in seated.values())
            self._check_capacity(Claim("", spec.name, visitor, person))
        runner = MatchRunner(Match(spec, request.options, seed), seated)
        model = seating.commentator(request.commentator)
        pace = self.pace if request.pace is None else request.pace
        created = runner.created(
            request.options,
            title=request.title or match_title(spec, request.options),
            origin=origin,
            reveal=request.reveal,
            delay=request.delay,
            clock=request.clock,
            approve=request.approve,
            voice=request.voice,
            commentator=request.commentator,
            visitor=bool(visitor),
        )
        first = [*created, *steered(origin, pace=pace, pause=request.paused or None, turns=request.turns)]
        match = await self._create(runner, first, request.delay, keyed, model, seating.own)
        prepare(match)
        seating.own.enter(keys)
        return self._admit(match, visitor, request.delay, apart=apart)

    async def fork(self, parent_id: str, request: ForkEpisode, *, key: str | None, by: str) -> EpisodeSummary:
        """Start a match from the position of `parent_id` after event `request.seq`; the parent does not change.

        The child's log is complete: the parent's choices, replayed with new numbers, then its own seed. They are
        played in another thread. Raises UnknownEpisode, OptionError, Full.
        """
        keyed = stored_request(key, request)
        if (earlier := self._earlier(keyed)) is not None:
            return earlier
        self._check_capacity(Claim("", ""))
        events = list(self._history.events(parent_id))
        public = len(self._history.events(parent_id, SPECTATOR))
        fork = await asyncio.to_thread(forked, events, public, request, self._roster, self.pace, by)
        return await self._begun(keyed, lambda: self._admit_fork(fork, keyed))

    async def _admit_fork(self, fork: ForkedMatch, keyed: Request | None) -> EpisodeSummary:
        self._check_capacity(Claim("", ""))
        match = await self._create(fork.runner, fork.log, fork.delay, keyed, fork.model, fork.own, begun=True)
        return self._admit(match, "", fork.delay, apart=False)

    async def command(self, episode_id: str, command: Command, *, key: str | None, by: str) -> EpisodeSummary:
        """Steer a match, or move it in the queue. The same `key` is obeyed once.

        Raises UnknownEpisode, CommandError, OptionError, or StorageError if it cannot be recorded soon.
        """
        return await whole(self._command(episode_id, command, stored_request(key, command), by))

    async def _command(self, episode_id: str, command: Command, keyed: Request | None, by: str) -> EpisodeSummary:
        if (earlier := earlier_result(self._recorder, keyed)) is not None:
            return earlier
        async with in_turn((self.elsewhere.get(episode_id) or self.match(episode_id)).turn):
            if (earlier := earlier_result(self._recorder, keyed)) is not None:
                return earlier
            if not await self._steer(episode_id, command, keyed, by) and keyed is not None:
                await self._recorder.remember(keyed, episode_id)
        return self._recorder.summary(episode_id)

    async def _steer(self, episode_id: str, command: Command, keyed: Request | None, by: str) -> bool:
        """Carry out a command, and return whether it is recorded, with its request."""
        if (other := self.elsewhere.get(episode_id)) is not None:
            return await other.steer(command, by, keyed)
        match = self.match(episode_id)
        if match not in self._slots.queue or command.command not in ("to_front", "stop"):
            return await match.steer(command, by, keyed)
        if command.command == "to_front":
            self._slots.move_to_front(match)
            return False
        await match.stop_waiting(by, keyed)
        if match.own is not None:
            match.own.forget()
        self._slots.drop(episode_id)
        return True

    def resume_all(self) -> list[str]:
        """Begin to resume every unfinished match of the record, and return the episode ids.

        They are resumed one by one while the server serves. Those that cannot go on end as interrupted.
        """
        unfinished, _ = self._recorder.summaries(status=("live", "queued"), limit=10_000)
        oldest_first = (
            summary for summary in reversed(unfinished) if summary.origin != "publisher" and summary.game != TOURNAMENT
        )
        self.resume([Resumable(summary, new_epoch()) for summary in oldest_first])
        return list(self._resumer.pending)

    def resume(self, matches: Sequence[Resumable]) -> None:
        """Begin to resume these matches, in their new epochs, one by one while the server serves."""
        self._resumer.pending |= {match.summary.episode_id: match for match in matches}
        if self._resuming is None or self._resuming.done():
            self._resuming = asyncio.create_task(self._resume_each(), name="resume")

    def drop(self, episode_ids: Collection[str]) -> None:
        """Stop playing these matches, and record nothing: another server plays them."""
        for episode_id in episode_ids:
            self._resumer.pending.pop(episode_id, None)
            self._slots.drop(episode_id)
            self.costs.forget(episode_id)
            self._bus.forget(episode_id)

    async def resumed(self) -> None:
        """Wait until every unfinished match was resumed or ended."""
        if self._resuming:
            await self._resuming

    async def close(self) -> None:
        """Stop playing at once. Unfinished matches stay in the record and go on when the server comes back."""
        tasks = [*self._slots.clear(), *([self._resuming] if self._resuming else [])]
        self._resumer.pending.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _earlier(self, keyed: Request | None) -> EpisodeSummary | None:
        """Return the episode that a request has begun before; None if one may begin here."""
        earlier = earlier_result(self._recorder, keyed)
        if earlier is None:
            self.route(None)
        return earlier

    def _check_capacity(self, claim: Claim) -> None:
        """Raise Full if a match with `claim` can neither begin nor wait for a slot."""
        waits = self.waits
        if len(waits) < self._queue_limit or self._slots.admits(claim):
            return
        seconds = next((seconds for seconds in waits.values() if seconds is not None), USUAL)
        others = f"{len(waits)} other matches are" if len(waits) > 1 else "another match is"
        minutes = max(1, round(seconds / 60))
        raise Full(
            f"the server plays as many matches as it can, and {others if waits else 'none can be'} waiting. Watch one "
            f"of the matches that are on, or try again in about {minutes} min",
            seconds,
        )

    async def _create(
        self,
        runner: MatchRunner,
        first: Sequence[Draft],
        delay: float,
        keyed: Request | None,
        model: CommentaryModel | None,
        own: OwnModels,
        *,
        begun: bool = False,
    ) -> LiveMatch:
        """Record the first events of a new episode, and return its match."""
        spec = runner.match.spec
        episode_id = f"{spec.name}-{secrets.token_hex(5)}"
        narrator = commentator(spec, episode_id, past=partial(self.past, spec.name))
        events = await self._bus.begin(episode_id, first, keyed, delay, narrator)
        return self._live(MatchAtEnd(runner, events, narrator, model, own, begun))

    def _admit(self, match: LiveMatch, visitor: str, delay: float, *, apart: bool) -> EpisodeSummary:
        """Queue a new match of `visitor`, or play it apart."""
        self._queue(match, visitor, apart=apart)
        self.costs.begin(match.episode_id, visitor, delay, apart=apart)
        return self._recorder.summary(match.episode_id)

    def _live(self, at: MatchAtEnd) -> LiveMatch:
        """Return the match that is played on from the end of its log."""
        match = LiveMatch.from_log(at.runner, self._bus, at.log, self.pace, begun=at.begun, untold=at.untold)
        if at.model is not None:
            match.commentary = worded(at.narrator, at.model, self._bus, match.episode_id)
        match.own = at.own
        match.keep_drafts(self._recorder, at.drafts)
        return match

    def _queue(self, match: LiveMatch, visitor: str, *, apart: bool) -> None:
        """Play `match` of `visitor` when its turn comes, or at once if it is played apart."""
        if apart:
            self._slots.add_apart(match)
        else:
            summary = self._recorder.summary(match.episode_id)
            turn = self.costs.purse.full_at(visitor)
            self._slots.add(match, Claim(match.episode_id, summary.game, visitor, match.people, summary.delay, turn))

    async def _resume_each(self) -> None:
        async for match, summary in self._resumer.matches():
            # The record has no addresses: after a restart, each match counts as a visitor of its own.
            visitor = match.episode_id if summary.visitor else ""
            self._queue(match, visitor, apart=summary.origin in self.apart)
            try:
                self.on_resumed(match.episode_id)
            except Exception:
                log.exception("episode %s goes on; a listener to resumed episodes failed", match.episode_id)
