"""One tournament: its matches are ordinary episodes, and its own episode reports on them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Sequence

from grandstand.campaign_events import Pairing, PairingPlayed, PairingsDrawn
from grandstand.campaigns.tournament.episode import TournamentEpisode
from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.events import ControlChanged, EpisodeEnded, EpisodeStarted, Reveal
from grandstand.games.base import OptionError
from grandstand.models import Draft, Event, flat
from grandstand.play.ratings.seat_records import SeatRecord
from grandstand.players.llm.budget import DAY, Budget, Clock, day_of
from grandstand.server.bodies.matches import Command, StartEpisode
from grandstand.server.matches.driver import Driver
from grandstand.server.matches.steering import CommandError, Full, Steering
from grandstand.server.results.match_results import MatchResults
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import StorageError, UnknownEpisode
from grandstand.spectator.record_rows import Request
from grandstand.spectator.store.interface import EpisodeStore

log = logging.getLogger(__name__)

TOMORROW = "The budget of today is spent; the ladder goes on at midnight UTC."

SLOTS = "slots"
"""The command that sets how many matches are played at a time."""

RETRY = 0.5
"""Seconds until a match that could not begin or be stopped is tried again: all slots are taken, or a match is being
resumed after a restart."""

BY = "tournament"
"""The user of the commands of a tournament to its matches."""


class LiveTournament:
    """A tournament in progress. It takes no slot itself; its matches take slots like any other match."""

    def __init__(
        self,
        episode_id: str,
        plan: TournamentPlan,
        reveal: Reveal,
        driver: Driver,
        bus: Bus,
        recorder: EpisodeStore,
        results: MatchResults,
        within: Budget | None,
        clock: Clock = time.time,
    ) -> None:
        """`reveal` is that of the matches; `within` is the budget of all that the server plays."""
        self.episode_id = episode_id
        self.plan = plan
        self.budget = plan.budget(within, clock)
        """The budget that all matches share."""
        self.ready = asyncio.Event()
        """Set when the budget contains the spending of all matches that ended before a restart."""
        self._reveal = reveal
        self._driver = driver
        self._bus = bus
        self._recorder = recorder
        self._results = results
        self._tournament = Tournament(plan)
        self.episode = TournamentEpisode(self._tournament, clock=time.time)
        self._steering = Steering(driver.pace)
        self._slots = 1
        self._waiting: deque[Pairing] = deque()
        self.running: dict[str, int] = {}
        """The numbers of the matches that have begun and have no recorded result, by episode."""
        self._unannounced = ""
        """The match that had begun before a restart, when its beginning was not published yet."""
        self._ended: list[str] = []
        self._stopping: set[str] = set()
        """Matches that were told to stop."""
        self._reasons: dict[str, str] = {}
        """Why matches were stopped, by episode."""
        self._wake = asyncio.Event()
        self.turn = asyncio.Lock()
        """Held while a command is recorded and applied."""
        self._clock = clock
        self._tomorrow: asyncio.TimerHandle | None = None
        self._spent_on = -1
        """The last day on which the log said that the budget is spent."""

    async def play(self, earlier: Sequence[Event] = ()) -> None:
        """Play to the end. `earlier` are the events of an earlier server, after which the tournament continues."""
        try:
            if earlier:
                await self._take_up(earlier)
            else:
                await self._publish(await asyncio.to_thread(self.episode.report))
            self.ready.set()
            await self._play()
        except Exception as error:
            log.exception("tournament %s broke", self.episode_id)
            ended = EpisodeEnded(status="error", message=f"a bug of ours: {type(error).__name__}: {error}")
            await self._bus.record(self.episode_id, [Draft.of(ended)])
        finally:
            self.ready.set()

    async def steer(self, command: Command, by: str, request: Request | None) -> bool:
        """Pause, resume, pace or stop; return whether it is recorded, with its `request`. The caller holds `turn`.

        Raise CommandError for any other command, OptionError for a wrong pace.
        """
        name, value = command.command, command.value if command.command == "pace" else None
        match name:
            case "pause" | "resume":
                changes = self._steering.paused != (name == "pause")
            case "pace":
                if value is None or value > 60:
                    raise OptionError("value: the pace is the number of seconds between turns, from 0 to 60")
                changes = True
            case "stop":
                changes = not self._steering.stopped
            case other:
                raise CommandError(
                    f"command: a tournament cannot {other.replace('_', ' ')}; pause, resume, pace or stop it, or steer"
                    " one of its matches"
                )
        if changes:
            drafts = [Draft.of(ControlChanged(command=name, value=value, by=by))]
            await self._bus.record_now(self.episode_id, drafts, request)
            self._steering.apply(name, value)
            if name == "stop":
                self._steering.stopped_by = by
            for episode_id in [*self.running] if name != "stop" else ():
                await self._steer(episode_id, command)
        self._wake.set()
        return changes

    def on_match_events(self, events: Sequence[Event]) -> None:
        """Take note of events of one of its matches."""
        for event in flat(events):
            if event.type == "EpisodeEnded":
                self._ended.append(event.episode_id)
                self._wake.set()
            elif event.type == "PlayerFault":
                if self.plan.on_fault == "stop":
                    fault = f"the player of {event.data['seat']} failed ({event.data['boundary']})"
                    self._reasons.setdefault(event.episode_id, f"{fault}: {event.data['message']}")
                self._wake.set()

    async def _play(self) -> None:
        while True:
            self._wake.clear()
            while self._ended:
                await self._account(self._ended.pop(0))
            if reason := self._reason_to_end():
                for episode_id in list(self.running):
                    await self._stop(episode_id, reason)
                if self._is_ladder and self._steering.stopped_by is None:
                    await self._wait_for_tomorrow()
                elif not self.running:
                    await self._publish(await asyncio.to_thread(self.episode.over, reason))
                    return
            else:
                for episode_id in [episode_id for episode_id in self.running if episode_id in self._reasons]:
                    await self._stop(episode_id, self._reasons[episode_id])
                if await asyncio.to_thread(lambda: self._tournament.over):
                    await self._publish(await asyncio.to_thread(self.episode.over))
                    return
                await self._begin_due()
            await self._wake.wait()

    @property
    def _is_ladder(self) -> bool:
        return self.plan.format == "ladder"

    def _reason_to_end(self) -> str:
        """Return why the tournament ends before its last match, or ''."""
        if self._steering.stopped_by is not None:
            return f"stopped by {self._steering.stopped_by}"
        budget = self.budget
        budget.roll()
        tokens, dollars = self.plan.max_tokens, self.plan.max_dollars
        spent = (tokens is not None and budget.tokens_spent >= tokens) or (
            dollars is not None and dollars > 0 and budget.dollars_spent >= dollars
        )
        left = len(self._tournament.played) < self.plan.planned and not self._tournament.over
        if left and (spent or budget.spent_up):
            limits = [
                f"{budget.tokens_spent} of {tokens} tokens" if tokens is not None else "",
                f"${budget.dollars_spent:.4f} of ${dollars:g}" if dollars is not None else "",
            ]
            limit = "max_tokens" if dollars is None else "max_tokens or max_dollars" if tokens else "max_dollars"
            remedy = "the ladder goes on at midnight UTC" if self._is_ladder else f"raise {limit} to play the rest"
            return f"budget: {' and '.join(filter(None, limits))} are spent; {remedy}"
        return ""

    async def _wait_for_tomorrow(self) -> None:
        """Go on at midnight UTC, when a ladder's budget begins anew; say so once a day."""
        if self._tomorrow is None:
            self._tomorrow = asyncio.get_running_loop().call_later(DAY - self._clock() % DAY, self._begin_day)
        if self._spent_on != (today := day_of(self._clock())):
            self._spent_on = today
            await self._publish(await asyncio.to_thread(self.episode.report, TOMORROW))

    def _begin_day(self) -> None:
        self._tomorrow = None
        self._wake.set()

    async def _begin_due(self) -> None:
        """Draw the pairings that are due, and begin matches while slots of the tournament are free."""
        if self._steering.paused:
            return
        if not self._waiting and (drawn := await asyncio.to_thread(self._tournament.draw)):
            await self._publish(await asyncio.to_thread(self.episode.drawn, drawn))
            self._waiting.extend(drawn)
        while self._waiting and len(self.running) < self._slots:
            pairing = self._waiting[0]
            try:
                await self._recorder.prefetch(key=_key(self.episode_id, pairing.number))
                episode_id = await self._start(pairing)
            except (Full, StorageError) as error:
                log.info("tournament %s waits to begin match %d: %s", self.episode_id, pairing.number, error)
                self._retry()
                return
            except OptionError as error:
                self._waiting.popleft()
                self._tournament.add(pairing.number, "", "error", f"it could not begin: {error}", [])
                await self._publish(await asyncio.to_thread(self.episode.ended, pairing.number))
                self._wake.set()
                continue
            self._waiting.popleft()
            await self._run(episode_id, pairing.number)
            await self._publish(await asyncio.to_thread(self.episode.began, pairing.number, episode_id))

    async def _start(self, pairing: Pairing) -> str:
        """Begin a match and return its episode id; a match from before a restart is not begun again."""
        key = _key(self.episode_id, pairing.number)
        if known := self._recorder.answered(key):
            return known[1]
        setup = self._tournament.match_of(pairing)
        request = StartEpisode(
            game=self.plan.game,
            players=pairing.players,
            options=dict(setup.options),
            seed=setup.seed,
            pace=self._steering.pace,
            title=f"Match {pairing.number + 1}: {' – '.join(dict.fromkeys(pairing.players.values()))}"[:120],
            reveal=self._reveal,
        )
        return (
            await self._driver.start(
                request,
                key=key,
                origin="tournament",
                within=self.budget,
                prepare=lambda match: self.running.update({match.episode_id: pairing.number}),
            )
        ).episode_id

    async def _run(self, episode_id: str, number: int) -> None:
        """Wait for the end of a match that has begun."""
        self.running[episode_id] = number
        await self._recorder.prefetch(episode_id)
        if self._recorder.summary(episode_id).ended_at is not None:
            self._ended.append(episode_id)
            self._wake.set()

    async def _account(self, episode_id: str) -> None:
        """Record the result of a match that has ended."""
        number = self.running.get(episode_id)
        if number is None:
            return
        await self._recorder.prefetch(episode_id)
        summary = self._recorder.summary(episode_id)
        message = self._reasons.pop(episode_id, summary.message)
        self._tournament.add(number, episode_id, summary.status, message, await self._records(episode_id))
        drafts = await asyncio.to_thread(self.episode.ended, number)
        await self._publish(drafts)
        self.running.pop(episode_id, None)
        self._stopping.discard(episode_id)

    async def _records(self, episode_id: str) -> list[SeatRecord]:
        records = await self._results.seats(episode_id)
        if self.plan.on_fault == "forfeit":
            for record in records:
                record.forfeit()
        return records

    async def _take_up(self, events: Sequence[Event]) -> None:
        """Continue after `events`; the results come from the records of the matches."""
        self.steer_from(events)
        turn, turns, played = "", 0, 0
        reports = []
        for event in events:
            match event.type:
                case "PairingsDrawn":
                    self._draw_again(PairingsDrawn.model_validate(event.data))
                case "PairingPlayed":
                    await self._add_again(PairingPlayed.model_validate(event.data), event.at)
                case "TurnStarted":
                    turn, turns, played = event.data["turn"], turns + 1, len(self._tournament.played)
                case "ReportUpdated":
                    reports.append(event.data)
        for episode_id, number in list(self.running.items()):
            try:
                await self._run(episode_id, number)
            except UnknownEpisode:
                del self.running[episode_id]
        for episode_id in filter(None, (*self.running, self._unannounced)):
            await self._recorder.prefetch(episode_id)
            ended_at = self._recorder.summary(episode_id).ended_at
            if ended_at is not None:  # a match that goes on brings its own spending
                self._book_earlier(await self._records(episode_id), ended_at)
        busy = {*self._tournament.played, *self.running.values()}
        self._waiting.extend(pairing for pairing in self._tournament.pairings if pairing.number not in busy)
        live = {number: episode_id for episode_id, number in self.running.items()}
        await asyncio.to_thread(self.episode.continue_after, reports, live, turns, played, events[0].at)
        await self._publish([Draft.of(EpisodeStarted(resumed=turn or "the beginning"))])

    def _draw_again(self, drawn: PairingsDrawn) -> None:
        if drawn.pairings[-1].number >= len(self._tournament.pairings):
            self._tournament.draw()
        for pairing in drawn.pairings:
            if self._tournament.pairings[pairing.number] != pairing:
                raise ValueError(f"the plan now draws another match {pairing.number + 1} than before the restart")

    async def _add_again(self, played: PairingPlayed, at: float) -> None:
        records = await self._records(played.episode_id) if played.episode_id else []
        self._book_earlier(records, at)
        self._tournament.add(played.number, played.episode_id, played.status, played.message, records)

    def _book_earlier(self, records: Sequence[SeatRecord], at: float) -> None:
        """Count the spending of a match that ended before the restart, at the Unix time `at`."""
        for record in records:
            tokens, dollars = record.spent.tokens_in + record.spent.tokens_out, record.spent.dollars or 0.0
            self.budget.book_earlier(tokens, dollars, at, until=self.budget.within)

    def began_in(self, events: Sequence[Event]) -> None:
        """Take note of the matches that have begun and have no result in the tournament's log."""
        for event in events:
            match event.type, event.data:
                case "PairingBegan", {"episode_id": episode_id, "number": number}:
                    self.running[episode_id] = number
                case "PairingPlayed", {"episode_id": episode_id}:
                    self.running.pop(episode_id, None)
        if (key := next_key(self.episode_id, events)) and (answered := self._recorder.answered(key)):
            self._unannounced = answered[1]

    def plays(self, episode_id: str) -> bool:
        """Return whether this is a match of the tournament that has no result."""
        return episode_id in self.running or episode_id == self._unannounced

    def steer_from(self, events: Sequence[Event]) -> None:
        """Apply the commands in `events`, the episode's log or its beginning."""
        self._steering = Steering.from_log(events, self._driver.pace)
        for event in events:
            if event.type == "ControlChanged" and event.data["command"] == SLOTS:
                self._slots = int(event.data["value"])

    async def _stop(self, episode_id: str, reason: str) -> None:
        if episode_id not in self._stopping:
            self._reasons.setdefault(episode_id, reason)
            if await self._steer(episode_id, Command(command="stop")):
                self._stopping.add(episode_id)
            else:
                self._retry()

    async def _steer(self, episode_id: str, command: Command) -> bool:
        """Steer a match. Return False if it cannot be steered now: it is being resumed, or has just ended."""
        try:
            await self._driver.command(episode_id, command, key=None, by=BY)
        except (CommandError, StorageError) as error:
            log.info("tournament %s: %s", self.episode_id, error)
            return False
        return True

    def _retry(self) -> None:
        asyncio.get_running_loop().call_later(RETRY, self._wake.set)

    async def _publish(self, drafts: Sequence[Draft]) -> None:
        await self._bus.record(self.episode_id, drafts)


def next_key(episode_id: str, events: Sequence[Event]) -> str:
    """Return the key of the first match of a tournament that is drawn and not announced; '' if there is none."""
    due: dict[int, None] = {}
    for event in events:
        match event.type, event.data:
            case "PairingsDrawn", {"pairings": pairings}:
                due |= dict.fromkeys(each["number"] for each in pairings)
            case (("PairingBegan" | "PairingPlayed"), {"number": number}):
                due.pop(number, None)
    return _key(episode_id, next(iter(due))) if due else ""


def _key(episode_id: str, number: int) -> str:
    """Return the key of the request that begins a match."""
    return f"tournament {episode_id} {number}"
