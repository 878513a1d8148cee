"""The outlook after a turn: how exciting the match is, and its headline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import POWER, POWERS, START_YEAR
from grandstand.games.diplomacy.rules.state import SOLO_CENTERS, SPRING, State
from grandstand.games.diplomacy.story.features import years_left
from grandstand.games.diplomacy.story.forms import FORMS
from grandstand.games.diplomacy.story.items import Line
from grandstand.games.diplomacy.story.memory import Memory, season_number
from grandstand.games.diplomacy.story.standings import THREATS
from grandstand.games.diplomacy.story.stoppers import ONE_MOVE, prey, stoppers
from grandstand.games.diplomacy.story.words import listed, number, place, power, season, sentence
from grandstand.games.story import Fact

FADING = 0.7
"""The share of the restlessness that remains after a turn."""
FULL_SWING = 0.3
"""The movement of the chances, summed over recent turns with fading, at which the restlessness is 1."""
NAMED = 5
"""Centres in reach of a leader up to which the headline names them."""
MOVED = 0.015
"""The change of a chance that the headline names."""
STAKED = ("threat", "question")
"""The analyst's claims that say what is at stake, the graver first."""
NEWS = 0.7
"""The importance from which a fact is the headline of its turn."""


def restlessness(earlier: float, before: Mapping[SeatId, float], after: Mapping[SeatId, float]) -> float:
    """Return the recent movement of the chances, from 0 to 1."""
    moved = sum(abs(after[seat] - before[seat]) for seat in POWERS) / 2
    return min(1.0, FADING * earlier + moved / FULL_SWING)


def excitement(chances: Mapping[SeatId, float], state: State, memory: Memory) -> float:
    """Return closeness × lateness × swing, each from 0 to 1.

    Closeness is 1 less the distance between the two best chances. Lateness grows from 0.3 at the start to 1 at the
    latest end or at 18 centres, whichever is nearer. Swing grows from 0.4, if the chances do not move, to 1.
    """
    best, second, *_ = sorted(chances.values(), reverse=True)
    years = memory.last_year - START_YEAR + 1
    progress = 1 - min(years, years_left(state, memory.last_year)) / years
    near = max(0, max(state.center_counts()) - 4) / (SOLO_CENTERS - 4)
    lateness = 0.3 + 0.7 * min(1.0, max(progress, near))
    swing = 0.4 + 0.6 * memory.restlessness
    return round((1 - best + second) * lateness * swing, 3)


def headline(state: State, facts: Sequence[Fact], lines: Sequence[Line], memory: Memory) -> str:
    """Return the state of the match in one or two sentences that everybody may read.

    It is the leader's threat to win alone, else the news of the turn, else what is at stake in the phase that begins by
    the analyst's `lines`, else the lead.
    """
    counts = dict(zip(POWERS, state.center_counts(), strict=True))
    leader = max(POWERS, key=lambda seat: counts[seat])
    years = years_left(state, memory.last_year)
    if counts[leader] >= THREATS[0] and (years > 2 or counts[leader] >= THREATS[1]):
        return _threat(state, leader, counts[leader], lines)
    news = max((fact for fact in facts if fact.audience is None), key=lambda fact: fact.importance, default=None)
    if news is not None and news.importance >= NEWS:
        return news.text
    if not memory.moved:
        return filled("headline_start", season=season(state.name))
    now = _stake(state, lines) or _standing(counts, _moved(memory))
    return filled("headline_last", headline=now, year=str(memory.last_year)) if years <= 2 else now


def filled(form: str, **slots: str) -> str:
    """Return a headline of a form."""
    return sentence(FORMS[form][0].format_map(slots))


def _stake(state: State, lines: Sequence[Line]) -> str:
    """Return a sentence on the threat of the phase, or else on its question; empty without either."""
    claims = {line.kind: line for line in lines if line.kind in STAKED}
    stake = next((claims[kind] for kind in STAKED if kind in claims), None)
    if stake is None:
        return ""
    when = "this spring" if state.phase == SPRING else "this autumn"
    constructions = FORMS[f"headline_{stake.form}"]
    chosen = constructions[season_number(state.name) % len(constructions)]
    return sentence(chosen.format_map({**stake.slots, "when": when}))


def _threat(state: State, leader: SeatId, count: int, lines: Sequence[Line]) -> str:
    """Return a sentence on the centres that a leader needs, and on who can stop it.

    Where it needs too many to name them, it is told what is at stake for the leader in this phase, if anything is.
    """
    needed, near = SOLO_CENTERS - count, prey(state, POWER[leader])
    places = [place(code) for code in near]
    names = [power(name) for name in stoppers(state, POWER[leader])]
    slots = {"a": power(leader), "needed": number(needed), "when": _count_time(state), "prey": number(len(near))}
    if needed == 1 and len(near) == 1:
        needs, slots["place"] = "place", places[0]
    elif needed <= len(near) <= NAMED:
        needs, slots["places"] = "any" if needed == 1 else "of", listed(places)
    else:
        needs = "more" if near else "far"
        if stake := _stake(state, [line for line in lines if leader in line.seats]):
            return filled("headline_more_stake", **slots, headline=stake)
    stops = "open" if not names else "one" if len(names) == 1 else "some" if len(names) <= 3 else "many"
    return filled(f"headline_{needs}_{stops}", **slots, powers=listed(names) if names else "", count=number(len(names)))


def _count_time(state: State) -> str:
    """Return the time of the next count in words."""
    if state.phase in ONE_MOVE:
        return "this autumn"
    return "by autumn" if state.phase == SPRING else "by next autumn"


def _moved(memory: Memory) -> tuple[str, dict[str, str]]:
    """Return the direction of the largest change of a chance, '' if it is less than MOVED, and its slots."""
    chances, before = memory.chances, memory.chances_before
    seat = max(POWERS, key=lambda seat: abs(chances[seat] - before[seat]))
    change = chances[seat] - before[seat]
    way = "" if abs(change) < MOVED else "_rise" if change > 0 else "_fall"
    return way, {"b": power(seat), "after": str(round(100 * chances[seat]))}


def _standing(counts: Mapping[SeatId, int], moved: tuple[str, dict[str, str]]) -> str:
    """Return a sentence on the leader, and on the largest change of a chance if there is one."""
    way, change = moved
    best, next_best, *_ = sorted(counts.values(), reverse=True)
    leaders = [power(seat) for seat in POWERS if counts[seat] == best]
    if len(leaders) > 1:
        slots = {"powers": listed(leaders), "centres": number(best)}
        return filled(f"headline_level{way}", **slots, **change)
    slots = {"a": leaders[0], "centres": number(best), "count": number(best - next_best)}
    if way:
        return filled(f"headline_lead{way}", **slots, **change)
    followers = [power(seat) for seat in POWERS if counts[seat] == next_best]
    if len(followers) > 1:
        return filled("headline_lead_alone", **slots)
    return filled("headline_lead", **slots, b=followers[0])
