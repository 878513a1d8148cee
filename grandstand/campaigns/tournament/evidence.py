"""The matches behind each figure of a tournament."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import permutations

from grandstand.campaigns.numbers import few
from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.campaigns.tournament.standings import Duel, PlayedMatch, compared
from grandstand.campaigns.tournament.words import comparison, ranges, score
from grandstand.campaigns.words import called, seat_name
from grandstand.games.base import SeatId
from grandstand.play.ratings.intervals import Interval
from grandstand.report import Behind

MATCHES = "matches"
"""The table of all matches, whose rows are in the order of their numbers."""


class Evidence:
    """The numbers of the played matches behind each figure."""

    def __init__(self, plan: TournamentPlan, played: Iterable[PlayedMatch]) -> None:
        self.of: dict[str, list[int]] = defaultdict(list)
        """By player: matches in which it was compared."""
        self.counted: dict[str, list[int]] = defaultdict(list)
        """By player: matches that are part of its score."""
        self.in_seat: dict[tuple[str, SeatId], list[int]] = defaultdict(list)
        """By player and seat: matches that are part of its score."""
        self.together: dict[tuple[str, str], list[int]] = defaultdict(list)
        """By pair, in both orders: matches in which both players count."""
        self.faulty: dict[str, list[int]] = defaultdict(list)
        """By player: matches with its fault, a decision of its fallback, or its forfeit."""
        for match in sorted(played, key=lambda match: match.pairing.number):
            self._add(match, compared(plan, match))

    def _add(self, match: PlayedMatch, own: Sequence[tuple[SeatId, str]]) -> None:
        number, counted = match.pairing.number, match.counted
        for player in {name for _, name in own}:
            self.of[player].append(number)
        for player in {name for seat, name in own if seat in counted}:
            self.counted[player].append(number)
        for seat, player in own:
            if seat in counted:
                self.in_seat[player, seat].append(number)
        for pair in permutations({match.pairing.players[seat] for seat in counted}, 2):
            self.together[pair].append(number)
        for player in {
            record.player for record in match.seats if record.faults or record.fallbacks or record.forfeited
        }:
            self.faulty[player].append(number)

    def matches_of(self, player: str) -> Behind:
        return behind(f"Matches of {called(player)}", self.of[player])

    def score_of(self, player: str) -> Behind:
        note = "The matches that count: played to their end, every decision its own."
        return behind(f"The score of {called(player)}", self.counted[player], note)

    def faults_of(self, player: str) -> Behind:
        note = "The matches with a fault of this player, a decision of its fallback, or its forfeit."
        return behind(f"Faults of {called(player)}", self.faulty[player], note)

    def duel(self, pair: Duel) -> Behind:
        title = f"{called(pair.a)} against {called(pair.b)}"
        return behind(title, self.together[pair.a, pair.b], comparison(pair))

    def seat(self, player: str, seat: SeatId, own: Interval) -> Behind:
        title = f"{called(player)} as {seat_name(seat)}"
        bounds = few(own) or f"95 % interval {score(own.low)} to {score(own.high)}"
        return behind(title, self.in_seat[player, seat], f"{title}: {score(own.mean)}, {bounds}.")


def behind(title: str, numbers: Iterable[int], note: str = "") -> Behind:
    """Return matches by their numbers, in ascending order."""
    return Behind(title=title, note=note, table=MATCHES, rows=ranges(numbers))
