"""Recorded matches of Diplomacy with a story, for tests of the pages that show it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from grandstand.events import EpisodeEnded, FactNoted, OutlookUpdated
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event, OutcomeData
from grandstand.play.runner import MatchRunner
from grandstand.players.roster import Roster
from grandstand.spectator.recorder import Recorder


@dataclass(frozen=True, slots=True)
class StoryMatch:
    """A match of random players in 1901, with a fact and the prospects after every phase.

    An `origin` of `publisher` and no `outcome` leave it live, and no server plays it on.
    """

    episode_id: str
    headline: str
    excitement: float = 0.5
    fact: str = "Something happened."
    importance: float = 0.6
    origin: str = "publisher"
    outcome: str | None = None
    seed: int = 1

    def events(self) -> list[Event]:
        """Return the events, as if they had just been recorded."""
        with ThreadPoolExecutor(1) as thread:  # a test with a browser runs in an event loop of its own
            drafts = [*thread.submit(asyncio.run, self._played()).result(), *self._ending()]
        start = time.time() - len(drafts) / 10
        return [
            Event(episode_id=self.episode_id, epoch=1, seq=seq, at=start + seq / 10, **draft._asdict())
            for seq, draft in enumerate(drafts)
        ]

    async def _played(self) -> list[Draft]:
        spec = game_spec("diplomacy")
        options = {"last_year": 1901, "press": "none"}
        seating = Roster.load().episode(spec)
        players = {seat: seating.player("random", seat) for seat in spec.seats()}
        runner = MatchRunner(Match(spec, options, self.seed), players)
        drafts = [*runner.created(options, title=self.headline, origin=self.origin), *runner.started()]
        while not runner.match.over:
            async for piece in runner.play_round():
                for draft in piece:
                    if draft.type != EpisodeEnded.__name__:
                        drafts.append(draft)
                    if draft.type == "OrdersResolved":
                        drafts += self._story(len(drafts) - 1)
        return drafts

    def _story(self, seq: int) -> list[Draft]:
        chances = {"TURKEY": 0.62, "FRANCE": 0.2, "ENGLAND": 0.18}
        fact = FactNoted(kind="capture", text=self.fact, importance=self.importance, rests_on=[seq], seats=["TURKEY"])
        outlook = OutlookUpdated(chances=chances, excitement=self.excitement, headline=self.headline)
        return [Draft.of(fact), Draft.of(outlook)]

    def _ending(self) -> list[Draft]:
        if self.outcome is None:
            return []
        outcome = OutcomeData(reason="solo", winners=["TURKEY"], scores={"TURKEY": 1.0}, text=self.outcome)
        return [Draft.of(EpisodeEnded(status="finished", outcome=outcome))]


def record(folder: Path, matches: Sequence[StoryMatch]) -> None:
    """Write `matches` into the record of a server that is started on `folder` afterwards."""
    recorder = Recorder(folder / "grandstand.db")
    try:
        for match in matches:
            recorder.on_events(match.events())
    finally:
        recorder.close()
