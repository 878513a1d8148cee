"""Words about a tournament, for its report and its log."""

from __future__ import annotations

from collections.abc import Iterable

from grandstand.campaign_events import Pairing
from grandstand.campaigns.numbers import DASH, MINUS, few, written
from grandstand.campaigns.tournament.standings import Duel, PlayedMatch, Standing, Standings
from grandstand.campaigns.words import called, cut, listed, many
from grandstand.play.ratings.seat_records import PlayerTotals

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
