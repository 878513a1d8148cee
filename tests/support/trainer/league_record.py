"""A record of many short matches between players whose strengths are known, without the events of a game."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from pathlib import Path
from random import Random
from typing import Any

from grandstand.events import (
    ActionChosen,
    EpisodeCreated,
    EpisodeEnded,
    EpisodeStarted,
    FactNoted,
    PlayerFault,
    PlayerReport,
    PlayerReported,
    SeatInfo,
    SeedSet,
    TurnStarted,
    Usage,
)
from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event, OutcomeData, PrivateBatch, PrivateEvent
from grandstand.spectator.recorder import Recorder

TOKEN = "let me in"
SIGNED = {"Authorization": f"Bearer {TOKEN}"}
"""The headers of the operator of a server with TOKEN."""
DAYS = 3
"""The age of a league in days, so that none of its moments is among the best of the day."""
STRENGTHS = {"strong": 2.0, "middling": 0.8, "average": 0.6, "weak": -1.5}
"""Log odds of winning, of the players of a league."""


@dataclass(frozen=True)
class ShortMatch:
    """A match of one decision a seat; the first of `players` wins."""

    episode_id: str
    players: Mapping[str, str]
    """Seat -> player, the winner first."""
    game: str = "cricket"
    options: Mapping[str, object] = field(default_factory=dict)
    rules: int = game_spec("cricket").rules.version
    kinds: Mapping[str, str] = field(default_factory=dict)
    failed: Sequence[str] = ()
    """Seats whose player failed, so that the fallback acted."""
    costs: Mapping[str, float] = field(default_factory=dict)
    """Player -> dollars."""
    delay: float = 0.0
    reveal: str = "after"
    ended_at: float | None = None
    seed: int | None = None
    """None for a record without one."""
    visitor: bool = False

    def events(self) -> list[Event]:
        """Return the events, with the times of a match that ended just now."""
        drafts = list(self._drafts())
        end = time.time() if self.ended_at is None else self.ended_at
        return [
            Event(
                episode_id=self.episode_id, epoch=1, seq=seq, at=end - (len(drafts) - 1 - seq) / 10, **draft._asdict()
            )
            for seq, draft in enumerate(drafts)
        ]

    def _drafts(self) -> Iterator[Draft]:
        seats = list(self.players)
        winner = seats[0]
        yield Draft.of(
            EpisodeCreated(
                game=self.game,
                title=f"Match {self.episode_id}",
                options=dict(self.options),
                seats=[
                    SeatInfo(seat=seat, player=player, kind=self.kinds.get(player, "bot"))
                    for seat, player in sorted(self.players.items())
                ],
                origin="api",
                reveal=self.reveal,  # type: ignore[arg-type]
                delay=self.delay,
                rules=self.rules,
                visitor=self.visitor,
            )
        )
        if self.seed is not None:
            yield Draft.of(SeedSet(seed=self.seed), "operator")
        yield Draft.of(EpisodeStarted())
        yield Draft.of(TurnStarted(index=0, turn="1", to_act=seats, scores={}))
        for seat in seats:
            yield from self._decision(seat)
        fact = f"{self.players[winner]} decides the match."
        yield Draft.of(FactNoted(kind="win", text=fact, importance=0.8, rests_on=[2], seats=[winner]))
        scores = {seat: float(seat == winner) for seat in seats}
        outcome = OutcomeData(reason="win", winners=[winner], scores=scores, text=f"{winner} wins.")
        yield Draft.of(EpisodeEnded(status="finished", outcome=outcome))

    def _decision(self, seat: str) -> Iterator[Draft]:
        failed = seat in self.failed
        if failed:
            yield Draft.of(PlayerFault(seat=seat, boundary="provider", message="the provider failed"))
        source = "fallback" if failed else "policy"
        private = [PrivateEvent(type="ActionChosen", audience=[seat], data=_chosen(seat, source))]
        dollars = self.costs.get(self.players[seat])
        if dollars is not None:
            usage = Usage(seconds=2.0, calls=1, tokens_in=900, tokens_out=100, dollars=dollars)
            report = PlayerReported(
                seat=seat, index=0, task="choose", source="policy", report=PlayerReport(usage=usage)
            )
            private.append(PrivateEvent(type="PlayerReported", audience="analyst", data=report.model_dump(mode="json")))
        yield Draft.of(PrivateBatch(events=private), "private")


def _chosen(seat: str, source: str) -> dict[str, object]:
    action = ActionChosen(seat=seat, index=0, action={"wait": True}, source=source)  # type: ignore[arg-type]
    return action.model_dump(mode="json")


def duel(number: int, winner: str, loser: str, prefix: str = "duel", **more: Any) -> ShortMatch:
    """Return a match of two players, who change sides with its number."""
    seats = ("home", "away") if number % 2 else ("away", "home")
    return ShortMatch(f"{prefix}-{number:03}", {seats[0]: winner, seats[1]: loser}, **more)


def league(
    matches: int, strengths: Mapping[str, float] = STRENGTHS, *, seed: int = 0, prefix: str = "league"
) -> list[ShortMatch]:
    """Return matches of two players chosen at random, who change sides, won by the odds of their strengths."""
    random = Random(seed)
    start = time.time() - DAYS * 86_400
    results = []
    for number in range(matches):
        a, b = random.sample(list(strengths), 2)
        won = random.random() < 1 / (1 + exp(strengths[b] - strengths[a]))
        seats = ("home", "away") if number % 2 else ("away", "home")
        order = (seats[0], seats[1]) if won else (seats[1], seats[0])
        players = {seats[0]: a, seats[1]: b}
        results.append(
            ShortMatch(
                f"{prefix}-{number:05}",
                {seat: players[seat] for seat in order},
                ended_at=start + 80_000 * number / matches,
            )
        )
    return results


def record(folder: Path, matches: Sequence[ShortMatch]) -> None:
    """Write `matches` into the record of a server that is started on `folder` afterwards."""
    recorder = Recorder(folder / "grandstand.db")
    try:
        for match in matches:
            recorder.on_events(match.events())
    finally:
        recorder.close()
