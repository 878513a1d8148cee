"""The results of finished matches, for leaderboards and tournaments alike.

A match becomes a result once, in another thread, when it is first asked for: from the events that ended it while they
are in memory, and else from the record, as after a restart.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from grandstand.campaign_events import CAMPAIGNS
from grandstand.events import EpisodeEnded, FactNoted
from grandstand.games.base import SeatId
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.models import Event, flat
from grandstand.play.ratings.match_results import Conditions, event_types, first_of_each, recorded_match
from grandstand.play.ratings.online import OnlineRatings
from grandstand.play.ratings.option_sets import OptionSet
from grandstand.play.ratings.seat_records import COUNTED, Identity, SeatRecord, player_names, seat_records
from grandstand.server.bodies.lobby import Highlight
from grandstand.server.lobby.moments import TYPES, best_of
from grandstand.server.reference.results import ReferenceResults
from grandstand.server.results.finished_match import Deeds, FinishedMatch, by_end
from grandstand.spectator.errors import RecordError
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.record_rows import FinishedEpisode
from grandstand.spectator.store.interface import EpisodeStore

log = logging.getLogger(__name__)

KEPT = 2000
"""Number of matches that are counted, the newest of the record, and that stay in memory."""

GROUP = 10
"""Number of matches that a thread reads at a time."""

FRESH = 30.0
"""Seconds after which the record is listed again if no match has ended: matches can be deleted."""

PATIENCE = 2.0
"""Seconds that a request waits for matches that are still to be read."""


@dataclass(frozen=True, slots=True)
class KnownMatches:
    """The finished matches that spectators know and the reference matches, in the order of their ends; `unread` more
    are still to be read.

    `unread` is 1 before their number is known.
    """

    matches: Sequence[FinishedMatch]
    visitors: Sequence[FinishedMatch]
    """Matches that visitors started; they are not among `matches`."""
    repeats: Sequence[FinishedMatch]
    """Matches with the seed, options and players of an earlier one; they are in neither list."""
    apart: Mapping[Identity, str]
    """The names of players who played with several prompts: each prompt counts as a player of its own."""
    unread: int


class MatchResults:
    """The results of finished matches, and the online ratings computed from them.

    Forks and imported files do not count: a fork repeats the decisions of another match, and a file can be a match of
    this record once more, or a match that nobody played.
    """

    def __init__(self, recorder: EpisodeStore, history: History, reference: ReferenceResults | None = None) -> None:
        """Create the results. `reference` are those that came with the installation, if any; they join the record's."""
        self._recorder = recorder
        self._history = history
        self._reference = reference or ReferenceResults()
        self._listed: dict[str, float] | None = None
        """Episode -> time of creation, of all finished matches; None before the record was listed."""
        self._read: dict[str, tuple[float, FinishedMatch | None]] = {}
        """Episode -> its time of creation and its result; None where it does not count or cannot be read."""
        self._types: tuple[str, ...] = ()
        """The types of events that are read."""
        self._reading: asyncio.Task[None] | None = None
        self._listed_at: float | None = None
        """Time at which the record was listed; None if a match has ended since."""
        self._online: dict[OptionSet, OnlineRatings] = defaultdict(OnlineRatings)
        self._rated: set[str] = set()
        """The episodes that the online ratings account for."""
        self._apart: Mapping[Identity, str] = {}
        """The names of players with several prompts in the online ratings."""
        self._outdated = False
        """True if the online ratings account for a match that was deleted."""
        self._rating = asyncio.Lock()

    def on_events(self, events: Sequence[Event]) -> None:
        """List the record again, on the next request, if a match has ended."""
        if any(event.type == EpisodeEnded.__name__ for event in events):
            self._listed_at = None

    def on_released(self, episode_id: str) -> None: ...

    def forget(self, episode_id: str) -> None:
        """Forget an episode that was deleted from the record."""
        self._listed_at = None
        self._outdated |= episode_id in self._rated

    async def known(self, patience: float = PATIENCE) -> KnownMatches:
        """Return the matches that spectators know, after at most `patience` seconds of reading."""
        end = time.monotonic() + patience
        reference = await self._reference.matches()
        while self._reading or self._stale:
            self._reading = self._reading or asyncio.create_task(self._read_new())
            await asyncio.wait({self._reading}, timeout=max(0.0, end - time.monotonic()))
            if time.monotonic() >= end:
                break
        # This is asked last: a match that ended while others were read may not be released yet.
        behind = self._history.behind()
        now = time.time()
        released = [
            (episode_id, self._read.get(episode_id))
            for episode_id in self._listed or ()
            if episode_id not in behind or behind[episode_id].status == "finished"
        ]
        matches = [entry[1] for _, entry in released if entry is not None and entry[1] is not None]
        matches = [match for match in matches if not match.delay or match.ended_at + match.delay <= now]
        matches.sort(key=by_end)
        unread = int(self._listed is None) + sum(entry is None for _, entry in released)
        apart = _names_apart(matches, reference.players)
        named = _separated(matches, apart)
        first = [match for match in named if not match.visitor]
        ours, again = first_of_each(first, _conditions, reference.conditions)
        theirs, repeated = first_of_each([match for match in named if match.visitor], _conditions, reference.conditions)
        joined = sorted([*_separated(reference.matches, apart), *ours], key=by_end)
        return KnownMatches(joined, theirs, [*again, *repeated], apart, unread)

    @property
    def _stale(self) -> bool:
        return self._listed_at is None or time.monotonic() - self._listed_at >= FRESH

    async def seats(self, episode_id: str) -> list[SeatRecord]:
        """Return the records of the seats of a match that has ended in any way; the caller may change them."""
        known = self._read.get(episode_id)
        if known is None and self._history.kept(episode_id) is not None:
            await self._read_group([FinishedEpisode(episode_id, self._recorder.summary(episode_id).created_at)])
            known = self._read.get(episode_id)
        if known is not None and known[1] is not None:
            return [replace(record) for record in known[1].match.seats]
        # It was stopped, or ended before a restart.
        return seat_records(await self._recorder.load(episode_id, COUNTED))

    async def online(self) -> Mapping[OptionSet, OnlineRatings]:
        """Return the online ratings of each option set; none before all matches are read."""
        results = await self.known()
        async with self._rating:
            if results.apart != self._apart or self._outdated:
                self._apart, self._outdated = results.apart, False
                self._online.clear()
                self._rated.clear()
            if not results.unread:
                new = [match for match in results.matches if match.episode_id not in self._rated]
                await asyncio.to_thread(self._rate, new)
        return self._online

    def _rate(self, matches: Sequence[FinishedMatch]) -> None:
        for match in matches:
            self._online[match.match.options].update(match.match.scored)
            self._rated.add(match.episode_id)

    async def _read_new(self) -> None:
        """Read the matches that have ended since the last time, the newest first."""
        try:
            self._listed_at = time.monotonic()
            listed = await self._recorder.finished(KEPT)
            self._listed = current = dict(listed)
            self._read = {key: entry for key, entry in self._read.items() if current.get(key) == entry[0]}
            new = [episode for episode in listed if episode.episode_id not in self._read]
            if new and not self._types:  # which loads the games
                self._types = tuple(dict.fromkeys((*await asyncio.to_thread(event_types), *TYPES)))
            for first in range(0, len(new), GROUP):
                await self._read_group(new[first : first + GROUP])
        except (sqlite3.Error, RecordError) as error:
            log.warning("the results of finished matches cannot be read for now: %s", error)
        finally:
            self._reading = None

    async def _read_group(self, episodes: Sequence[FinishedEpisode]) -> None:
        results: dict[str, FinishedMatch | None] = {}
        for episode_id, _ in episodes:
            if (kept := self._history.kept(episode_id)) is not None:
                summary = self._recorder.summary(episode_id)
                results[episode_id] = await asyncio.to_thread(finished_match, summary, list(kept))
        names = [episode.episode_id for episode in episodes if episode.episode_id not in results]
        results |= await self._recorder.read_each(names, self._types, finished_match)
        for episode_id, created_at in episodes:
            self._read[episode_id] = (created_at, results.get(episode_id))


def _conditions(match: FinishedMatch) -> Conditions | None:
    return match.match.conditions


def _names_apart(matches: Sequence[FinishedMatch], reference: Iterable[Identity]) -> dict[Identity, str]:
    """Return the names of players who played with several prompts, in `matches` or as a player of `reference`."""
    played = {(record.player, record.prompt) for match in matches for record in match.match.seats}
    names = player_names(played.union(reference))
    return {identity: name for identity, name in names.items() if name != identity[0]}


def _separated(matches: Sequence[FinishedMatch], apart: Mapping[Identity, str]) -> Sequence[FinishedMatch]:
    """Return the matches with a name for each prompt of a player who has several."""
    return [_renamed(match, apart) for match in matches] if apart else matches


def _renamed(match: FinishedMatch, names: Mapping[Identity, str]) -> FinishedMatch:
    if not any((record.player, record.prompt) in names for record in match.match.seats):
        return match
    seats = [
        replace(record, player=names.get((record.player, record.prompt), record.player)) for record in match.match.seats
    ]
    return replace(match, match=replace(match.match, seats=seats))


def finished_match(summary: EpisodeSummary, events: Sequence[Event]) -> FinishedMatch | None:
    """Return the result of a match; None if it does not count or its events cannot be read."""
    no_match = summary.game in CAMPAIGNS or summary.origin == "imported" or summary.parent is not None
    if summary.outcome is None or no_match:
        return None
    try:
        match, moments, deeds = recorded_match(events), _moments(summary, events), _deeds(summary, events)
    except Exception as error:  # a published episode may hold anything
        log.warning("episode %s is left out of the statistics: %s", summary.episode_id, error)
        return None
    return FinishedMatch(
        summary.episode_id,
        summary.title,
        summary.ended_at or events[-1].at,
        summary.delay,
        summary.reveal != "never",
        summary.visitor,
        match,
        moments,
        deeds,
    )


def _moments(summary: EpisodeSummary, events: Sequence[Event]) -> dict[SeatId, Highlight]:
    """Return the most important moment of each seat, from the facts that name the seat first."""
    facts: dict[SeatId, list[Event]] = defaultdict(list)
    for event in events:
        if event.type == FactNoted.__name__ and event.data.get("seats"):
            facts[event.data["seats"][0]].append(event)
    turns = [event for event in events if event.type in TYPES and event.type != FactNoted.__name__]
    best = {seat: best_of(summary, [*turns, *own]) for seat, own in facts.items()}
    return {seat: moments[0] for seat, moments in best.items() if moments}


def _deeds(summary: EpisodeSummary, events: Sequence[Event]) -> list[Deeds]:
    """Return the deeds between rivals that everyone may know of after the match, from the facts that name two seats."""
    kinds = game_spec(summary.game).story.deeds if summary.game in GAMES else {}
    done: set[tuple[str, SeatId, SeatId, int]] = set()
    for event in events if summary.reveal == "never" else flat(events):
        if event.type == FactNoted.__name__ and event.data["kind"] in kinds:
            fact = FactNoted.model_validate(event.data)
            if len(fact.seats) == 2 and fact.rests_on:  # two facts may rest on the same deed
                done.add((fact.kind, fact.seats[0], fact.seats[1], max(fact.rests_on)))
    counts = Counter((kind, seat, other) for kind, seat, other, _ in sorted(done))
    return [Deeds(kind, seat, other, times) for (kind, seat, other), times in counts.items()]
