"""The parts of a server that play tournaments, without its sockets."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from grandstand.models import Event
from grandstand.players.llm.budget import Clock
from grandstand.players.roster import Roster
from grandstand.server.bodies.matches import StartTournament
from grandstand.server.matches.tournaments import Tournaments
from grandstand.server.results.match_results import MatchResults
from tests.support.server.match_services import MatchServices


class Services(MatchServices):
    """The parts of a server that play tournaments, without its sockets."""

    def __init__(
        self,
        path: Path | str = ":memory:",
        *,
        slots: int = 2,
        roster: Roster | None = None,
        clock: Clock = time.time,
    ) -> None:
        super().__init__(path, slots=slots, queue=8, roster=roster)
        self.results = MatchResults(self.recorder, self.history)
        self.bus.add(self.results)
        self.tournaments = Tournaments(self.driver, self.bus, self.recorder, self.results, self.roster, clock)
        self.bus.add(self.tournaments)

    async def start(self, **fields: Any) -> str:
        return (await self.tournaments.start(request(**fields))).episode_id

    def events(self, episode_id: str, kind: str = "") -> list[Event]:
        return [event for event in self.recorder.events(episode_id) if kind in ("", event.type)]

    def matches(self) -> list[str]:
        """Return the episodes of all matches of tournaments, oldest first."""
        summaries, _ = self.recorder.summaries(limit=1000)
        return [summary.episode_id for summary in reversed(summaries) if summary.origin == "tournament"]


def request(**fields: Any) -> StartTournament:
    usual = {"game": "cricket", "players": ["heuristic", "random"], "options": {"overs": 1}, "matches": 6, "seed": 1}
    return StartTournament.model_validate({**usual, "pace": 0, **fields})


def played(events: list[Event]) -> list[dict[str, Any]]:
    return [event.data for event in events if event.type == "PairingPlayed"]
