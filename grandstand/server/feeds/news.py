"""The news of a player, or of the whole server: matches that began, and those that ended with their best moments."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import quote

from grandstand.campaign_events import CAMPAIGNS
from grandstand.play.scenes import game_title, headline_of
from grandstand.server.bodies.lobby import Highlight
from grandstand.server.results.finished_match import FinishedMatch
from grandstand.server.results.match_results import MatchResults
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.store.interface import EpisodeStore

LISTED: Final = 40
"""Number of matches in a feed, those that began last."""
KEPT: Final = 64
"""Number of feeds that are kept; of more, those that were asked for longest ago are made anew."""
LASTS: Final = 20.0
"""Seconds for which a feed is kept."""
OVER: Final = ("finished", "stopped", "error", "interrupted")
WITHOUT: Final = ("trainer", "imported")
"""Origins of matches that are in no feed: nobody plays them for viewers, or they were played elsewhere."""


@dataclass(frozen=True, slots=True)
class News:
    """One entry of a feed. Its addresses begin at the root of the server."""

    id: str
    title: str
    address: str
    at: float
    text: str
    moment: str = ""
    """The best moment in words, and its address."""
    moment_address: str = ""


@dataclass(frozen=True, slots=True)
class Feed:
    """The news of a player, or of the whole server if `player` is empty, newest first."""

    player: str
    news: tuple[News, ...]

    @property
    def title(self) -> str:
        return f"{self.player} on Grandstand" if self.player else "Matches on Grandstand"

    @property
    def page(self) -> str:
        return f"/player/{quote(self.player, safe='')}" if self.player else "/"

    def address(self, suffix: str) -> str:
        """Return the address of the feed in the format `suffix`."""
        return feed_address(self.player, suffix)


def feed_address(player: str, suffix: str) -> str:
    """Return the address of a player's feed, or of the server's if there is no player: `/api/feed.atom`."""
    return f"/api/players/{quote(player, safe='')}/feed.{suffix}" if player else f"/api/feed.{suffix}"


class Feeds:
    """Makes feeds from the record as spectators know it, and keeps the last ones for a short time."""

    def __init__(
        self,
        recorder: EpisodeStore,
        history: History,
        results: MatchResults,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._recorder = recorder
        self._history = history
        self._results = results
        self._clock = clock
        self._made: OrderedDict[str, tuple[float, Feed | None]] = OrderedDict()

    async def of(self, player: str) -> Feed | None:
        """Return the feed of a player, or of the whole server for ''; None if no match has such a player."""
        made_at, feed = self._made.get(player, (-LASTS, None))
        if self._clock() - made_at >= LASTS:
            feed = await self._make(player)
            self._made[player] = (self._clock(), feed)
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(player)
        return feed

    async def _make(self, player: str) -> Feed | None:
        known = await self._results.known()
        matches = {match.episode_id: match for match in (*known.matches, *known.visitors, *known.repeats)}
        # The state of delayed matches is asked for last, at the same moment as the list.
        read = partial(
            self._recorder.summaries,
            player=player or None,
            status=(*OVER, "live") if player else OVER,
            limit=LISTED,
            behind=self._history.behind(),
            without=WITHOUT if player else (*WITHOUT, "tournament"),
        )
        summaries, total = await self._recorder.apart(read)
        if player and not total:
            return None
        news = [_news(each, player, matches) for each in summaries if each.game not in CAMPAIGNS]
        return Feed(player, tuple(sorted(news, key=lambda each: -each.at)))


def _news(summary: EpisodeSummary, player: str, matches: Mapping[str, FinishedMatch]) -> News:
    address = f"/episode/{quote(summary.episode_id, safe='')}"
    game = game_title(summary.game)
    title = summary.title or game
    if summary.ended_at is None:
        began = summary.started_at or summary.created_at
        return News(f"{address}#began", f"{player} plays now: {title}", address, began, headline_of(summary) or game)
    result = headline_of(summary) if summary.outcome else "The match was stopped before its end."
    match = matches.get(summary.episode_id)
    best = _best(match, player) if match else None
    return News(
        f"{address}#ended",
        f"{_ending(summary, player) if player else game}: {title}" if player or title != game else game,
        address,
        summary.ended_at,
        result,
        best.text if best else "",
        f"{address}?seq={best.first}&to={best.last}" if best else "",
    )


def _ending(summary: EpisodeSummary, player: str) -> str:
    """Return how a match ended for a player."""
    own = {seat.seat for seat in summary.seats if seat.player == player}
    if summary.outcome is None:
        return f"{player} was stopped"
    return f"{player} won" if own.intersection(summary.outcome.winners) else f"{player} did not win"


def _best(match: FinishedMatch, player: str) -> Highlight | None:
    """Return the best moment of a match for a player, or for anybody if there is no player."""
    own = {record.seat for record in match.match.seats if not player or record.player == player}
    moments = [moment for seat, moment in match.moments.items() if seat in own]
    return max(moments, key=lambda moment: (moment.importance, moment.first), default=None)
