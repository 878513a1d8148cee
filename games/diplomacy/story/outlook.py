"""The outlook after a turn: how exciting the match is, and its headline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.map import POWER, POWERS, START_YEAR
from grandstand.games.diplomacy.state import SOLO_CENTERS, State
from grandstand.games.diplomacy.story.features import years_left
from grandstand.games.diplomacy.story.memory import Memory
from grandstand.games.diplomacy.story.standings import THREATS, stoppers
from grandstand.games.diplomacy.story.words import listed, number, power, season, sentence
from grandstand.games.story import Fact

FADING = 0.7
"""How much of the restlessness is left after a turn."""
FULL_SWING = 0.3
"""The movement of the chances, summed over recent turns with fading, at which the restlessness is 1."""
NEWS = 0.7
"""The importance of a fact from which it is the headline of its turn."""


def restlessness(earlier: float, before: Mapping[SeatId, float], after: Mapping[SeatId, float]) -> float:
    """Return how much the chances moved lately, from 0 to 1."""
    moved = sum(abs(after[seat] - before[seat]) for seat in POWERS) / 2
    return min(1.0, FADING * earlier + moved / FULL_SWING)


def excitement(chances: Mapping[SeatId, float], state: State, memory: Memory) -> float:
    """Return closeness × lateness × swing, each from 0 to 1.

    Closeness is 1 less the distance between the two best chances. Lateness grows from 0.3 at the start to 1 at the
    latest end or at 18 centres, whichever is nearer. Swing grows from 0.4 in a match whose chances rest to 1.
    """
    best, second, *_ = sorted(chances.values(), reverse=True)
    years = memory.last_year - START_YEAR + 1
    played = 1 - min(years, years_left(state, memory.last_year)) / years
    near = max(0, max(state.center_counts()) - 4) / (SOLO_CENTERS - 4)
    lateness = 0.3 + 0.7 * min(1.0, max(played, near))
    swing = 0.4 + 0.6 * memory.restlessness
    return round((1 - best + second) * lateness * swing, 3)


def headline(state: State, facts: Sequence[Fact], memory: Memory) -> str:
    """Return the state of the match in one or two sentences that everybody may read."""
    counts = dict(zip(POWERS, state.center_counts(), strict=True))
    ranking = sorted(POWERS, key=lambda seat: -counts[seat])
    leader, second = ranking[0], ranking[1]
    left = years_left(state, memory.last_year)
    if counts[leader] >= THREATS[0] and (left > 2 or counts[leader] >= THREATS[1]):
        return _threat(state, leader, counts[leader])
    news = max((fact for fact in facts if fact.audience is None), key=lambda fact: fact.importance, default=None)
    if news is not None and news.importance >= NEWS:
        return news.text
    return _standing(state, leader, second, counts, memory)


def _threat(state: State, leader: SeatId, count: int) -> str:
    names = [power(name) for name in stoppers(state, POWER[leader])]
    needs = f"{power(leader)} needs {number(SOLO_CENTERS - count)} more."
    if not names:
        return f"{needs} Nobody is near enough to stop her."
    if len(names) > 3:
        return f"{needs} {number(len(names)).capitalize()} powers are near enough to stop her."
    return f"{needs} {'Only ' if len(names) == 1 else ''}{listed(names)} can stop her."


def _standing(state: State, leader: SeatId, second: SeatId, counts: Mapping[SeatId, int], memory: Memory) -> str:
    if not memory.moved:
        return sentence(f"{season(state.name)}: no unit has moved yet.")
    level = [power(seat) for seat in POWERS if counts[seat] == counts[leader]]
    near = years_left(state, memory.last_year) <= 2
    ending = f" The match ends with {memory.last_year}." if near else ""
    if len(level) > 1:
        return f"{listed(level)} share the lead on {number(counts[leader])} centres each.{ending}"
    gap = number(counts[leader] - counts[second])
    follower = [seat for seat in POWERS if counts[seat] == counts[second]]
    than = power(second) if len(follower) == 1 else "anybody else"
    return f"{power(leader)} leads with {number(counts[leader])} centres, {gap} more than {than}.{ending}"
