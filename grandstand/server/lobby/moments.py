"""The best moments of recent matches, and after them of the reference matches, from the facts of their stories."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Collection, Sequence
from itertools import chain

from grandstand.events import FactNoted, TurnStarted
from grandstand.models import Event
from grandstand.server.bodies.lobby import Highlight
from grandstand.server.bodies.matches import Excerpt
from grandstand.server.lobby.glances import LONGEST, excerpt
from grandstand.server.lobby.in_turn import in_turn
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.store.interface import EpisodeStore
from grandstand.spectator.viewpoint import SPECTATOR

RECENT = 24 * 3600.0
"""Seconds since the creation of the matches that are searched."""

EPISODES = 20
"""Number of matches of each game that are searched, the newest first."""

EACH = 2
"""Number of moments of one match."""

LEAST = 0.5
"""The importance from which on a fact is a moment: a match that has just begun has nothing better yet."""

LISTED = 24
"""Number of moments in the list."""

KEPT = 10.0
"""Seconds for which the list is cached."""

READ_KEPT = 12 * EPISODES
"""Number of matches whose moments stay in memory."""

EXCERPTS_KEPT = 4 * LISTED
"""Number of moments whose excerpts stay in memory."""

TYPES = (FactNoted.__name__, TurnStarted.__name__)


class BestMoments:
    """The most important facts of recent matches. Each record is read again only after it has grown."""

    def __init__(self, history: History, recorder: EpisodeStore, games: Collection[str]) -> None:
        """`games` are those whose matches are searched, in the order in which their moments are listed."""
        self._history = history
        self._recorder = recorder
        self._games = tuple(games)
        self._read: OrderedDict[tuple[str, int, int], list[Highlight]] = OrderedDict()
        self._list: list[Highlight] = []
        self._made_at: float | None = None
        self._making = asyncio.Lock()
        self._excerpts: OrderedDict[tuple[str, int, int], Excerpt] = OrderedDict()

    async def highlights(self) -> list[Highlight]:
        """Return the list, the games in turn and reference matches last, at most KEPT seconds old."""
        async with self._making:
            if self._made_at is None or time.monotonic() - self._made_at >= KEPT:
                self._list = await self._make()
                self._made_at = time.monotonic()
        return self._list

    async def excerpted(self, highlight: Highlight) -> Highlight:
        """Return a moment with its excerpt. The events up to it are released, so all viewers may know them."""
        key = (highlight.episode_id, highlight.first, highlight.last)
        if key not in self._excerpts:
            await self._history.prefetch(highlight.episode_id)
            summary = self._history.summary(highlight.episode_id, SPECTATOR)
            events = await self._recorder.load(highlight.episode_id)
            self._excerpts[key] = await asyncio.to_thread(excerpt, summary, events, highlight.first, highlight.last)
            while len(self._excerpts) > EXCERPTS_KEPT:
                self._excerpts.popitem(last=False)
        return highlight.model_copy(update={"excerpt": self._excerpts[key]})

    async def _make(self) -> list[Highlight]:
        behind, read = self._history.behind(), self._recorder.summaries
        pages = await self._recorder.apart(
            lambda: [read(game=game, limit=EPISODES, behind=behind, without=("tournament",)) for game in self._games]
        )
        since = time.time() - RECENT
        highlights: list[Highlight] = []
        for summary in chain.from_iterable(page for page, _ in pages):
            # A fork begins with its parent's events, whose moments are listed already. So may an imported file.
            own = summary.parent is None and summary.origin != "imported"
            new = summary.created_at >= since and summary.status != "queued" and own
            if new or summary.reference:
                highlights += await self._of(summary)
        highlights.sort(key=lambda each: (self._games.index(each.game), -each.importance, -each.at))
        turns = in_turn(highlights, lambda each: (each.game, each.reference))
        return sorted(turns, key=lambda each: each.reference)[:LISTED]

    async def _of(self, summary: EpisodeSummary) -> list[Highlight]:
        key = (summary.episode_id, summary.epoch, summary.last_seq)
        if key not in self._read:
            self._read[key] = best_of(summary, await self._events(summary))
            while len(self._read) > READ_KEPT:
                self._read.popitem(last=False)
        return self._read[key]

    async def _events(self, summary: EpisodeSummary) -> Sequence[Event]:
        """Return the events of `TYPES` that are released to spectators."""
        if not summary.delay:
            return await self._recorder.load(summary.episode_id, TYPES)
        await self._history.load(summary.episode_id)
        released = self._history.events(summary.episode_id, SPECTATOR)
        return [event for event in released if event.type in TYPES]


def best_of(summary: EpisodeSummary, events: Sequence[Event]) -> list[Highlight]:
    """Return the most important public facts among `events`, if any matters, one of a turn, most important first."""
    turns = [(event.seq, TurnStarted.model_validate(event.data).turn) for event in events if _is(event, TurnStarted)]
    best: dict[int, Highlight] = {}
    for event in events:
        if not _is(event, FactNoted):
            continue
        fact = FactNoted.model_validate(event.data)
        if fact.importance < LEAST:
            continue
        last = max(fact.rests_on, default=event.seq)
        start, turn = next(((seq, turn) for seq, turn in reversed(turns) if seq < last), (0, ""))
        if start not in best or fact.importance > best[start].importance:
            best[start] = Highlight(
                episode_id=summary.episode_id,
                game=summary.game,
                title=summary.title,
                first=max(start, last - LONGEST),
                last=last,
                at=event.at,
                turn=turn,
                kind=fact.kind,
                text=fact.text,
                importance=fact.importance,
                seats=fact.seats,
                reference=summary.reference,
            )
    return sorted(best.values(), key=lambda each: (-each.importance, -each.at))[:EACH]


def _is(event: Event, kind: type[FactNoted] | type[TurnStarted]) -> bool:
    return event.type == kind.__name__ and event.audience == "public"
