"""Tournaments for tests of their page: the events of a real tournament, whose matches are drawn from strengths."""

from __future__ import annotations

import random
from collections.abc import Iterator

from grandstand.campaign_events import Pairing
from grandstand.campaigns.tournament.episode import TournamentEpisode
from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.models import Draft
from grandstand.play.ratings.seat_records import SeatRecord, Spent

STRENGTH = {"heron-2": 9.0, "dumbbot": 3.0, "kite-mini": 2.6, "heuristic": 1.4, "random": 0.15}
"""Strengths of the players: the odds of a win are in proportion to them."""
MODELS = {"heron-2": (0.9, 6.2), "kite-mini": (0.4, 2.8)}
"""Dollars per match and seconds per answer of the language models."""
ANSWERS = 40
"""Answers of a language model in a match."""
ROUNDS = 6
PLANNED = ROUNDS * len(STRENGTH) * (len(STRENGTH) - 1)
FAILED = 13
"""The number of the match that fails."""


class MadeUpTournament:
    """A tournament of five players in cricket. Its events are published in order: `opening`, `matches`, `ending`."""

    def __init__(self, title: str = "The autumn cup", *, format: str = "round-robin", seed: int = 1) -> None:
        plan = {"game": "cricket", "players": list(STRENGTH), "format": format, "matches": PLANNED, "title": title}
        self.tournament = Tournament(TournamentPlan.of(plan))
        self._episode = TournamentEpisode(self.tournament, dict.fromkeys(MODELS, "llm"))
        self._luck = random.Random(seed)
        self._waiting: list[Pairing] = []

    def opening(self, origin: str = "cli") -> list[Draft]:
        """Return the events before the first match."""
        return [*self._episode.created(origin=origin), *self._draw()]

    def matches(self, count: int = PLANNED, *, live: int = 0) -> Iterator[Draft]:
        """Yield the events of the next `count` matches, and of the beginning of `live` more."""
        for _ in range(count):
            if not self._waiting:
                yield from self._draw()
            if not self._waiting:
                return
            pairing = self._waiting.pop(0)
            yield from self._episode.began(pairing.number, f"cricket-cup-{pairing.number}")
            self._play(pairing)
            yield from self._episode.ended(pairing.number)
        for pairing in self._waiting[:live]:
            yield from self._episode.began(pairing.number, f"cricket-cup-{pairing.number}")

    def ending(self, message: str = "") -> list[Draft]:
        """Return the last events: a result, or the end by `message`."""
        return self._episode.over(message)

    def _draw(self) -> list[Draft]:
        drawn = self.tournament.draw()
        self._waiting += drawn
        return self._episode.drawn(drawn) if drawn else []

    def _play(self, pairing: Pairing) -> None:
        failed = pairing.number == FAILED
        powers = {seat: STRENGTH[player] * self._luck.expovariate(1) ** -1 for seat, player in pairing.players.items()}
        best = max(powers, key=lambda seat: powers[seat])
        records = []
        for seat, player in pairing.players.items():
            faulty = player == "kite-mini" and self._luck.random() < 0.2
            score = None if failed else float(seat == best)
            record = SeatRecord(
                seat, player, "llm" if player in MODELS else "bot", ANSWERS, 2 * faulty, 0, int(faulty), score=score
            )
            if player in MODELS:
                dollars, seconds = MODELS[player]
                tokens = self._luck.randrange(900, 1100) * ANSWERS
                record.spent = Spent(
                    calls=ANSWERS,
                    tokens_in=tokens,
                    tokens_out=tokens // 10,
                    dollars=dollars,
                    answers=ANSWERS,
                    seconds=seconds * ANSWERS,
                )
            records.append(record)
        where = f"cricket-cup-{pairing.number}"
        message = "the provider of kite-mini did not answer (HTTP 529, after 6 attempts)" if failed else ""
        self.tournament.add(pairing.number, where, "stopped" if failed else "finished", message, records)
