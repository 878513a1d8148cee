"""The spending of this server's matches in a day (UTC) with the operator's keys: its limit, and its sums by player.

The limit is the outermost budget of every seat and commentator. It counts a call once its cost is known. After a
restart it begins with the reports in the record that were made on the same day; those are at most as late as the end of
their decision. Players with keys of visitors are summed apart, and are not limited by it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Sequence

from grandstand.events import CommentatorReported, PlayerReported, Usage
from grandstand.models import Event, flat
from grandstand.players.llm.budget import DAY, Clock, DayBudget, day_of
from grandstand.players.own_models import is_own
from grandstand.players.roster import Roster
from grandstand.server.bodies.health import DaySpending, PlayerSpending
from grandstand.server.settings import PREFIX, Settings, SettingsError
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.store.interface import EpisodeStore

log = logging.getLogger(__name__)

REPORTS = ("PlayerReported", "CommentatorReported")
BATCH = "PrivateBatch"
OTHERS_EVERY, OVERLAP = 5.0, 60.0
"""Seconds between looks at what other servers have spent, and by which their clocks may differ."""

ELSEWHERE = ("publisher", "imported", "trainer")
"""Origins of matches that are played elsewhere."""


class Spending:
    """The spending of today: the budget that limits it, and the sums of the reports by player."""

    def __init__(
        self, recorder: EpisodeStore, tokens: int | None, dollars: float | None, clock: Clock = time.time
    ) -> None:
        self.budget = DayBudget("the server's daily", tokens, dollars, clock=clock)
        self._recorder = recorder
        self._clock = clock
        self._day = self.budget.day
        self._began = clock()
        self._players: dict[str, PlayerSpending] = {}
        self._counting: asyncio.Task[None] | None = None
        self._done = asyncio.Event()
        self._seen: set[tuple[str, int]] = set()
        """The events of today with reports that count already, if other servers share the record."""
        self.shared = False
        """Whether other servers share the record: then what they spend counts a few seconds later."""

    def begin(self) -> None:
        """Count what the record reports of today, in another thread."""
        self._counting = asyncio.create_task(self._count(), name="spending of today")

    async def close(self) -> None:
        """Stop counting."""
        if self._counting is not None:
            self._counting.cancel()
            await asyncio.gather(self._counting, return_exceptions=True)

    async def counted(self) -> None:
        """Wait until the record has been counted."""
        if self._counting is not None:
            await self._done.wait()

    async def _count(self) -> None:
        """Add the reports of today that an earlier process made, and then those of other servers.

        If they cannot be read, what is known counts.
        """
        at, before = float(self._day * DAY), self._began
        while True:
            try:
                await self._count_between(at, before)
            except Exception:
                log.exception("the spending of today could not be counted; it begins with what was counted so far")
            self.budget.counted = True
            self._done.set()
            if not self.shared:
                return
            await asyncio.sleep(OTHERS_EVERY)
            at, before = before - OVERLAP, self._clock() + OVERLAP

    async def _count_between(self, at: float, before: float) -> None:
        day = self._day
        async for events in self._recorder.since(at, (*REPORTS, BATCH), before=before):
            for name, usage in self._reports(self._unseen(events)):
                self._add(name, usage)
                self.budget.roll()
                if not is_own(name) and self.budget.day == day:
                    self.budget.tokens_spent += usage.tokens_in + usage.tokens_out
                    self.budget.dollars_spent += usage.dollars or 0.0

    def _unseen(self, events: Sequence[Event]) -> Sequence[Event]:
        """Return the events that do not count yet; they do from now on."""
        if not self.shared:
            return events
        new = [event for event in events if (event.episode_id, event.seq) not in self._seen]
        self._seen.update((event.episode_id, event.seq) for event in new if event.type in (*REPORTS, BATCH))
        return new

    def on_events(self, events: Sequence[Event]) -> None:
        """Add the reports among `events`, as an observer of the bus."""
        for name, usage in self._reports(self._unseen(events)):
            self._add(name, usage)

    def on_released(self, episode_id: str) -> None: ...

    def today(self) -> DaySpending:
        """Return the spending of today, with the players that spent most first."""
        self._roll()
        self.budget.roll()
        players = sorted(self._players.values(), key=lambda item: (-item.tokens, item.player))
        return DaySpending(
            begins=self.budget.day * DAY,
            ends=(self.budget.day + 1) * DAY,
            tokens=self.budget.tokens_spent,
            dollars=self.budget.dollars_spent,
            token_limit=self.budget.tokens,
            dollar_limit=self.budget.dollars,
            counted=self.budget.counted,
            players=players,
        )

    def _roll(self) -> None:
        if (today := day_of(self._clock())) != self._day:
            self._day = today
            self._players.clear()
            self._seen.clear()

    def _add(self, name: str, usage: Usage) -> None:
        sums = self._players.get(name) or PlayerSpending(player=name, own_key=is_own(name))
        dollars = sums.dollars if usage.dollars is None else (sums.dollars or 0.0) + usage.dollars
        self._players[name] = sums.model_copy(
            update={
                "answers": sums.answers + 1,
                "tokens": sums.tokens + usage.tokens_in + usage.tokens_out,
                "dollars": dollars,
            }
        )

    def _reports(self, events: Iterable[Event]) -> Iterable[tuple[str, Usage]]:
        """Yield (player, usage) of the reports of today among `events`."""
        self._roll()
        for event in flat(events):
            if event.type not in REPORTS or day_of(event.at) != self._day or not self._paid_here(event.episode_id):
                continue
            if event.type == "CommentatorReported":
                comment = CommentatorReported.model_validate(event.data)
                yield comment.commentator, comment.report.usage
            else:
                decision = PlayerReported.model_validate(event.data)
                yield self._player(event.episode_id, decision.seat), decision.report.usage

    def _paid_here(self, episode_id: str) -> bool:
        """Return whether this server's players play the match: reports of another program's were not paid for here."""
        try:
            return self._recorder.summary(episode_id).origin not in ELSEWHERE
        except (UnknownEpisode, RecordError):
            return True

    def _player(self, episode_id: str, seat: str) -> str:
        try:
            seats = self._recorder.summary(episode_id).seats
        except (UnknownEpisode, RecordError):
            return "unknown"
        return next((info.player for info in seats if info.seat == seat), "unknown")


def open_spending(settings: Settings, recorder: EpisodeStore, roster: Roster) -> Spending:
    """Return the spending of today, and make its budget that of the roster. Raises SettingsError."""
    if settings.daily_dollars is not None:
        unpriced = [
            entry.name for entry, _, available in roster.models() if available and roster.price(entry.name) is None
        ]
        if unpriced:
            raise SettingsError(
                f"{PREFIX}DAILY_DOLLARS: {', '.join(unpriced)} of the roster has no prices, so its cost is unknown; "
                f"set price_in and price_out, 0 for a free one, or limit tokens with {PREFIX}DAILY_TOKENS"
            )
    spending = Spending(recorder, settings.daily_tokens, settings.daily_dollars)
    roster.within = spending.budget
    return spending
