"""The tournaments of this server: started by an operator, steered like a match, resumed after a restart."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Sequence
from typing import Any

from grandstand.campaign_events import TOURNAMENT
from grandstand.campaigns.tournament.episode import TournamentEpisode
from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.events import ControlChanged, EpisodeCreated, EpisodeEnded, SeedSet
from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.models import MAX_NUMBER, Draft, Event
from grandstand.play.preparation import loaded_spec
from grandstand.players.llm.budget import Budget, Clock
from grandstand.players.roster import Roster
from grandstand.server.bodies.matches import StartTournament, TournamentForecast
from grandstand.server.matches.driver import Driver
from grandstand.server.matches.idempotency import earlier_result, stored_request, whole
from grandstand.server.matches.live_tournament import SLOTS, LiveTournament, next_key
from grandstand.server.matches.steering import Full, steered
from grandstand.server.results.match_results import MatchResults
from grandstand.spectator.bus import Bus, new_epoch
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import Request
from grandstand.spectator.store.batches import in_turn
from grandstand.spectator.store.interface import EpisodeStore

log = logging.getLogger(__name__)

AT_ONCE = 4
"""Tournaments at a time."""

MOST_MATCHES = 2000
"""Matches of one tournament: each is an episode of the record."""

PLAYING = frozenset({"bot", "llm"})
"""Kinds of players that can play many matches at any time."""

NOT_OF_THE_PLAN = frozenset({"pace", "slots", "paused", "reveal", "seed"})
"""Fields of a request that the plan does not have or has in another form."""


class Tournaments:
    """The tournaments that are played here, an observer of the bus."""

    def __init__(
        self,
        driver: Driver,
        bus: Bus,
        recorder: EpisodeStore,
        results: MatchResults,
        roster: Roster,
        clock: Clock = time.time,
    ) -> None:
        """`clock` says when the day of a ladder ends."""
        self._driver = driver
        self._bus = bus
        self._recorder = recorder
        self._results = results
        self._roster = roster
        self._clock = clock
        self._live: dict[str, LiveTournament] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._beginning = asyncio.Lock()
        """Held while a tournament is checked and its first events are recorded."""
        driver.budget_of = self._budget_of
        driver.elsewhere = self._live

    def begin(self) -> None:
        """Resume the tournaments from before a restart. Call it before matches are resumed."""
        unfinished, _ = self._recorder.summaries(game=TOURNAMENT, status=("live", "queued"), limit=1000)
        for summary in unfinished:
            if summary.origin != "publisher":
                self._go_on(summary, new_epoch(), list(self._recorder.events(summary.episode_id)))

    async def resume(self, summary: EpisodeSummary, epoch: int) -> None:
        """Resume an unfinished tournament of the record. Call it before its matches are resumed. Raises RecordError."""
        events = await self._recorder.load(summary.episode_id)
        await self._recorder.prefetch(key=next_key(summary.episode_id, events))
        self._go_on(summary, epoch, events)

    def _go_on(self, summary: EpisodeSummary, epoch: int, events: Sequence[Event]) -> None:
        self._bus.open(summary.episode_id, epoch, summary.last_seq + 1, summary.delay)
        try:
            plan = _plan_in(events)
        except OptionError as error:
            log.warning("tournament %s cannot go on: %s", summary.episode_id, error)
            ended = EpisodeEnded(status="interrupted", message=f"cannot go on: {error}")
            self._tasks[summary.episode_id] = asyncio.create_task(self._end(summary.episode_id, ended))
            return
        tournament = self._new(summary, plan)
        tournament.began_in(events)
        self._play(tournament, events)

    def playing(self) -> list[str]:
        """Return the matches that the tournaments play now, here or on another server."""
        return [episode_id for tournament in self._live.values() for episode_id in tournament.running]

    def drop(self, episode_id: str) -> None:
        """Stop playing a tournament, and record nothing: another server plays it."""
        if task := self._tasks.get(episode_id):
            task.cancel()

    async def close(self) -> None:
        """Stop playing at once. Unfinished tournaments go on when the server comes back."""
        tasks = list(self._tasks.values())
        self._live.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def forecast(self, request: StartTournament) -> TournamentForecast:
        """Return what the tournament of `request` would play. Raise OptionError naming the field at fault."""
        await loaded_spec(request.game)
        plan = self._plan(request, 0)
        kinds = self._kinds(plan)
        return TournamentForecast(
            matches=plan.planned,
            per_opening=plan.per_opening,
            openings=plan.last_opening,
            models=[name for name in plan.players if kinds[name] != "bot"],
        )

    async def start(self, request: StartTournament, *, key: str | None = None) -> EpisodeSummary:
        """Create a tournament's episode and play its matches. The same `key` starts only once.

        Raises OptionError naming the field at fault, or Full.
        """

        async def in_its_turn() -> EpisodeSummary:
            async with in_turn(self._beginning):
                return await self._start(request, stored_request(key, request))

        return await whole(in_its_turn())

    async def _start(self, request: StartTournament, keyed: Request | None) -> EpisodeSummary:
        """Create a tournament as `start` does."""
        if (earlier := earlier_result(self._recorder, keyed)) is not None:
            return earlier
        self._driver.route(None)
        await loaded_spec(request.game)
        plan = self._plan(request, secrets.randbits(48) if request.seed is None else request.seed)
        kinds = self._kinds(plan)
        if len(self._live) >= AT_ONCE:
            raise Full(f"{AT_ONCE} tournaments are live; let one end, or try again later")
        episode_id = f"{TOURNAMENT}-{secrets.token_hex(5)}"
        created, started = TournamentEpisode(Tournament(plan), kinds).created(origin="api", reveal=request.reveal)
        pace = self._driver.pace if request.pace is None else request.pace
        commands = [
            *steered("operator", pace=pace, pause=request.paused or None),
            Draft.of(ControlChanged(command=SLOTS, value=request.slots, by="operator")),
        ]
        first = [created, started, Draft.of(SeedSet(seed=plan.seed), "operator"), *commands]
        events = await self._bus.begin(episode_id, first, keyed)
        summary = self._recorder.summary(episode_id)
        tournament = self._new(summary, plan)
        tournament.steer_from(events)
        self._play(tournament)
        return summary

    def on_events(self, events: Sequence[Event]) -> None:
        episode_id = events[0].episode_id
        for tournament in self._live.values():
            if episode_id in tournament.running:
                tournament.on_match_events(events)

    def on_released(self, episode_id: str) -> None: ...

    def _new(self, summary: EpisodeSummary, plan: TournamentPlan) -> LiveTournament:
        within, reveal = self._roster.within, summary.reveal
        parts = self._driver, self._bus, self._recorder, self._results
        tournament = LiveTournament(summary.episode_id, plan, reveal, *parts, within, self._clock)
        self._live[summary.episode_id] = tournament
        return tournament

    def _play(self, tournament: LiveTournament, earlier: Sequence[Event] = ()) -> None:
        name = tournament.episode_id
        task = asyncio.create_task(tournament.play(earlier), name=f"tournament {name}")
        self._tasks[name] = task
        task.add_done_callback(lambda _: (self._live.pop(name, None), self._tasks.pop(name, None)))

    async def _end(self, episode_id: str, ended: EpisodeEnded) -> None:
        await self._bus.record(episode_id, [Draft.of(ended)])

    async def _budget_of(self, episode_id: str) -> Budget | None:
        """Return the budget of a match's tournament, once it includes the spending before a restart."""
        for tournament in self._live.values():
            if tournament.plays(episode_id):
                await tournament.ready.wait()
                return tournament.budget
        return None

    def _plan(self, request: StartTournament, seed: int) -> TournamentPlan:
        fields: dict[str, Any] = request.model_dump(exclude=set(NOT_OF_THE_PLAN))
        if not 0 <= seed <= MAX_NUMBER:
            raise OptionError(f"seed: must be from 0 to {MAX_NUMBER}")
        plan = TournamentPlan.of({**fields, "seed": seed})
        if plan.planned > MOST_MATCHES and not plan.endless:
            raise OptionError(
                f"matches: {plan.planned} are more than the {MOST_MATCHES} of a tournament here; set fewer, or run"
                " `grandstand tournament`"
            )
        return plan

    def _kinds(self, plan: TournamentPlan) -> dict[str, str]:
        """Return the kinds of the players. Raise OptionError if one is not available or is no bot or model."""
        known = {info.name: info for info in self._roster.players(game_spec(plan.game))}
        for name in plan.players:
            info = known.get(name)
            if info is None:
                raise OptionError(f"players: {plan.game} has no player {name!r}; there are {', '.join(known)}")
            if not info.available:
                raise OptionError(f"players: {name} is not available: {info.reason}")
            if info.kind not in PLAYING:
                raise OptionError(f"players: {name} is a {info.kind} player; name bots and language models")
        return {name: known[name].kind for name in plan.players}


def _plan_in(events: Sequence[Event]) -> TournamentPlan:
    """Return the plan of a tournament from its log. Raise OptionError if it is not readable any more."""
    created = EpisodeCreated.model_validate(events[0].data)
    seeds = [SeedSet.model_validate(event.data).seed for event in events if event.type == "SeedSet"]
    return TournamentPlan.of({**created.options, "seed": seeds[0] if seeds else 0})
