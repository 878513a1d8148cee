"""Words about a tournament, for its report and its log, and the matches behind each figure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import permutations

from grandstand.campaign_events import Pairing
from grandstand.campaigns.numbers import DASH, MINUS, few, written
from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.campaigns.tournament.standings import Duel, PlayedMatch, Standing, Standings, compared
from grandstand.campaigns.words import called, cut, listed, many, seat_name
from grandstand.games.base import SeatId
from grandstand.play.ratings.intervals import Interval
from grandstand.play.ratings.seat_records import PlayerTotals
from grandstand.report import Behind

LONGEST_MESSAGE = 200
MOST_NAMES = 3


def score(value: float | None) -> str:
    """Return a score with three decimals, or fewer for large ones: `0.143`, `182`."""
    if value is None:
        return DASH
    places = 3 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:.{places}f}".replace("-", MINUS)


def rank(standings: Standings, player: str) -> str:
    """Return the possible rank of a player: `1`, or `1–3` where players are not separated."""
    best, worst = standings.ranks(player)
    return str(best) if best == worst else f"{best}–{worst}"


def leader(standings: Standings) -> Standing | None:
    """Return the first player of the standings; None before the first result."""
    first = standings.table[0]
    return None if first.score.mean is None else first


def lead(standings: Standings, *, over: bool) -> str:
    """Return how far the first player is ahead: `not separated from beta yet`."""
    equals = standings.equals(standings.table[0].player)
    if not equals:
        return "ahead of all others, beyond chance"
    yet = "" if over else " yet"
    if len(equals) == len(standings.table) - 1 and len(equals) > 2:
        return f"not separated from anybody{yet}"
    names = f"{len(equals)} others" if len(equals) > MOST_NAMES else listed([called(player) for player in equals])
    return f"not separated from {names}{yet}"


def comparison(pair: Duel) -> str:
    """Return the share of a player against another, with its interval, and whether they are separated."""
    a, b, share = called(pair.a), called(pair.b), pair.share
    if share.mean is None:
        return f"{a} against {b}: no comparison yet"
    parts = [
        written(share.mean, "share"),
        few(share) or f"95 % interval {written(share.low, 'share')} to {written(share.high, 'share')}",
    ]
    parts.append(many(share.n, "comparison"))
    if pair.stronger is not None:
        parts.append(f"the stronger with probability {written(pair.stronger, 'share')} by the ratings")
    return f"{a} against {b}: {', '.join(parts)}; {separated(pair)}."


def separated(pair: Duel) -> str:
    if pair.ahead:
        return f"{called(pair.a)} is ahead"
    return f"{called(pair.b)} is ahead" if pair.turned.ahead else "not separated"


def troubles(total: PlayerTotals) -> str:
    """Return `12 faults, 24 fallbacks`; '' if there was none."""
    counts = ((total.faults, "fault"), (total.fallbacks, "fallback"), (total.forfeits, "forfeit"))
    return ", ".join(many(count, one) for count, one in counts if count)


def named(number: int) -> str:
    """Return the name of a match: `Match 1` for the first, whose number is 0."""
    return f"Match {number + 1}"


def versus(pairing: Pairing) -> str:
    """Return the players of a match: `alpha, beta`."""
    return ", ".join(called(player) for player in dict.fromkeys(pairing.players.values()))


def points(match: PlayedMatch) -> dict[str, float]:
    """Return the sum of the scores of each player's seats, the greatest first."""
    sums: dict[str, float] = {}
    for seat, value in match.scores.items():
        player = match.pairing.players[seat]
        sums[player] = sums.get(player, 0.0) + value
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


def result(match: PlayedMatch) -> str:
    """Return the result of a match: `alpha 0.620, beta 0.380`; or why it has none."""
    if match.failed:
        return cut(match.message or "it was not played to its end", LONGEST_MESSAGE)
    return scored(points(match)) or versus(match.pairing)


def scored(sums: dict[str, float]) -> str:
    """Return points in words: `alpha 3, beta 0.125`."""
    return ", ".join(f"{called(player)} {_points(value)}" for player, value in sums.items())


def _points(value: float) -> str:
    return f"{value:,.0f}".replace("-", MINUS) if value == round(value) else score(value)


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers in ascending order as `0-11,14`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


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
