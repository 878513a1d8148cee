"""The results of the reference matches, which come with an installation."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from grandstand.play.ratings.match_results import Conditions
from grandstand.play.ratings.seat_records import Identity
from grandstand.server.reference.episodes import FOLDER
from grandstand.server.results.finished_match import FinishedMatch, by_end

log = logging.getLogger(__name__)

RESULTS = "results.jsonl.gz"
"""The file of the results, one a line."""

RESULT = TypeAdapter(FinishedMatch)


@dataclass(frozen=True, slots=True)
class ReferenceMatches:
    """The reference matches in the order of their ends, with their players and conditions, which take long to list."""

    matches: Sequence[FinishedMatch] = ()
    players: frozenset[Identity] = frozenset()
    conditions: frozenset[Conditions] = frozenset()

    @classmethod
    def of(cls, matches: Iterable[FinishedMatch]) -> ReferenceMatches:
        """Return the matches with what is listed of them."""
        ordered = sorted(matches, key=by_end)
        players = {(record.player, record.prompt) for match in ordered for record in match.match.seats}
        conditions = {match.match.conditions for match in ordered} - {None}
        return cls(ordered, frozenset(players), frozenset(conditions))


class ReferenceResults:
    """The results of the reference matches of some games, read in another thread when they are first asked for."""

    def __init__(self, games: Collection[str] = (), folder: Path = FOLDER) -> None:
        self._folder = folder
        self._games = games
        self._matches: ReferenceMatches | None = None
        self._reading = asyncio.Lock()

    @property
    def read(self) -> ReferenceMatches:
        """Return the results if they have been read, else none."""
        return self._matches or ReferenceMatches()

    async def matches(self) -> ReferenceMatches:
        """Return the results; none if the file cannot be read, which is logged once."""
        async with self._reading:
            if self._matches is None:
                self._matches = await asyncio.to_thread(self._read)
        return self._matches

    def _read(self) -> ReferenceMatches:
        file = self._folder / RESULTS
        if not self._games or not file.is_file():
            return ReferenceMatches()
        try:
            with gzip.open(file, "rb") as lines:
                read = [RESULT.validate_json(line) for line in lines]
        except (OSError, EOFError, ValueError) as error:
            log.warning("reference: %s cannot be read: %s. Install Grandstand again.", file, error)
            return ReferenceMatches()
        return ReferenceMatches.of(match for match in read if match.match.options.game in self._games)
