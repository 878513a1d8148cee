"""The leaderboards of the option sets. They are computed in another thread, and again when matches were added."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from grandstand.play.ratings.intervals import Interval
from grandstand.play.ratings.leaderboard import LeaderboardFigures, PlayerCosts, costs, league, rating_history, shares
from grandstand.play.ratings.option_sets import OptionSet
from grandstand.play.ratings.table import Rating
from grandstand.server.results.finished_match import FinishedMatch
from grandstand.server.results.match_results import MatchResults

T = TypeVar("T")

KEPT = 12
"""Number of option sets whose leaderboards stay in memory."""

NEW_SHARE = 0.02
"""Share of new matches at which a leaderboard is computed again at once."""

LASTS = 30.0
"""Seconds after which it is computed again for a single new match."""


@dataclass
class Board:
    """The leaderboard of one option set over `matches`, in the order of their ends. Use it in another thread."""

    matches: Sequence[FinishedMatch]

    @cached_property
    def league(self) -> LeaderboardFigures:
        """Return the ratings and totals."""
        return league([match.match for match in self.matches])

    @cached_property
    def shares(self) -> Mapping[tuple[str, str], Interval]:
        """Return the share of comparisons that the first player of each pair won."""
        return shares([match.match for match in self.matches])

    @cached_property
    def history(self) -> Sequence[tuple[int, Mapping[str, Rating]]]:
        """Return the history of the ratings."""
        return rating_history([match.match for match in self.matches])

    @cached_property
    def open_costs(self) -> Mapping[str, PlayerCosts]:
        """Return the players' costs in the matches whose private events everyone may know."""
        return costs([match.match for match in self.matches if match.revealed])

    @cached_property
    def all_costs(self) -> Mapping[str, PlayerCosts]:
        """Return the players' costs in all matches, which operators may know."""
        return costs([match.match for match in self.matches])

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """Return the kind of each player, as its newest match names it."""
        return {record.player: record.kind for match in self.matches for record in match.match.seats}

    @cached_property
    def played(self) -> Mapping[str, int]:
        """Return the number of matches of each player."""
        return Counter(player for match in self.matches for player in {record.player for record in match.match.seats})


@dataclass(frozen=True, slots=True)
class OptionSets:
    """The option sets of the record with their matches, and the number of matches that are still to be read."""

    matches: Mapping[OptionSet, Sequence[FinishedMatch]]
    unread: int
    visitors: bool = False
    """True if the matches are those that visitors started, which have tables of their own."""
    others: Mapping[str, int] = field(default_factory=dict)
    """Game -> the number of the matches that visitors started."""
    repeats: Mapping[OptionSet, int] = field(default_factory=dict)
    """The numbers of matches that are left out, as they repeat another."""


class Leaderboards:
    """Computes leaderboards, one at a time, in another thread."""

    def __init__(self, results: MatchResults, clock: Callable[[], float] = time.monotonic) -> None:
        self._results = results
        self._clock = clock
        self._boards: OrderedDict[tuple[OptionSet, bool], tuple[float, Board]] = OrderedDict()
        self._working = asyncio.Lock()

    async def sets(self, *, visitors: bool = False) -> OptionSets:
        """Return the option sets of the matches that visitors started, or of the others; those with most come first."""
        known = await self._results.known()
        counted = known.visitors if visitors else known.matches
        counts = Counter(match.match.options for match in counted)
        matches: dict[OptionSet, list[FinishedMatch]] = {options: [] for options, _ in counts.most_common()}
        for match in counted:
            matches[match.match.options].append(match)
        others = Counter(match.match.options.game for match in known.visitors)
        repeats = Counter(match.match.options for match in known.repeats if match.visitor == visitors)
        return OptionSets(matches, known.unread, visitors, others, repeats)

    async def compute(self, sets: OptionSets, options: OptionSet, work: Callable[[Board], T]) -> T:
        """Return `work(board)` of an option set, done in another thread. A board may be LASTS seconds old."""
        async with self._working:
            board = self._board((options, sets.visitors), sets.matches[options])
            return await asyncio.to_thread(work, board)

    def _board(self, key: tuple[OptionSet, bool], matches: Sequence[FinishedMatch]) -> Board:
        now = self._clock()
        if key in self._boards:
            made_at, board = self._boards[key]
            if not _due(board.matches, matches, now - made_at):
                self._boards.move_to_end(key)
                return board
        self._boards[key] = (now, Board(matches))
        self._boards.move_to_end(key)
        while len(self._boards) > KEPT:
            self._boards.popitem(last=False)
        return self._boards[key][1]


def _due(old: Sequence[FinishedMatch], new: Sequence[FinishedMatch], age: float) -> bool:
    """Return whether a board over `old` is to be computed again."""
    changed = len({match.episode_id for match in old} ^ {match.episode_id for match in new})
    return changed > NEW_SHARE * len(old) or (changed > 0 and age >= LASTS)
