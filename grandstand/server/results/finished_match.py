"""A finished match as the leaderboard and the players' pages know it."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grandstand.campaign_events import CAMPAIGNS
from grandstand.games.base import SeatId
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.models import EpisodeSummary, Event, FactNoted, flat
from grandstand.play.ratings.match_results import RecordedMatch, recorded_match
from grandstand.server.bodies.lobby import Highlight
from grandstand.server.lobby.moments import TYPES, best_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Deeds:
    """How often a seat did to another what its game counts between rivals, such as a stab; `kind` is that of the
    facts."""

    kind: str
    seat: SeatId
    other: SeatId
    times: int


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match of this record, or a reference match, and who may know its private figures."""

    episode_id: str
    title: str
    ended_at: float
    delay: float
    revealed: bool
    """True if everyone may know of private events after the match."""
    visitor: bool
    """True if a visitor started it, who chose the players and the seed."""
    match: RecordedMatch
    moments: Mapping[SeatId, Highlight]
    """The most important public moment of each seat that has any."""
    deeds: Sequence[Deeds] = ()
    """What the seats did to each other, as far as everyone may know of it after the match."""
    reference: bool = False
    """True if it came with the installation."""
    recorded: bool = True
    """False for a reference match whose record did not come with it."""


def by_end(match: FinishedMatch) -> tuple[float, str]:
    """Return what matches are sorted by: the time of the end, and the id."""
    return match.ended_at, match.episode_id


def finished_match(summary: EpisodeSummary, events: Sequence[Event]) -> FinishedMatch | None:
    """Return the result of a match; None if it does not count or its events cannot be read."""
    no_match = summary.game in CAMPAIGNS or summary.origin == "imported" or summary.parent is not None
    if summary.outcome is None or no_match:
        return None
    try:
        match, moments, deeds = recorded_match(events), _moments(summary, events), _deeds(summary, events)
    except Exception as error:  # a published episode may hold anything
        log.warning("episode %s is left out of the statistics: %s", summary.episode_id, error)
        return None
    return FinishedMatch(
        summary.episode_id,
        summary.title,
        summary.ended_at or events[-1].at,
        summary.delay,
        summary.reveal != "never",
        summary.visitor,
        match,
        moments,
        deeds,
    )


def _moments(summary: EpisodeSummary, events: Sequence[Event]) -> dict[SeatId, Highlight]:
    """Return the most important moment of each seat, from the facts that name the seat first."""
    facts: dict[SeatId, list[Event]] = defaultdict(list)
    for event in events:
        if event.type == FactNoted.__name__ and event.data.get("seats"):
            facts[event.data["seats"][0]].append(event)
    turns = [event for event in events if event.type in TYPES and event.type != FactNoted.__name__]
    best = {seat: best_of(summary, [*turns, *own]) for seat, own in facts.items()}
    return {seat: moments[0] for seat, moments in best.items() if moments}


def _deeds(summary: EpisodeSummary, events: Sequence[Event]) -> list[Deeds]:
    """Return the deeds between rivals that everyone may know of after the match, from the facts that name two seats."""
    kinds = game_spec(summary.game).story.deeds if summary.game in GAMES else {}
    done: set[tuple[str, SeatId, SeatId, int]] = set()
    for event in events if summary.reveal == "never" else flat(events):
        if event.type == FactNoted.__name__ and event.data["kind"] in kinds:
            fact = FactNoted.model_validate(event.data)
            if len(fact.seats) == 2 and fact.rests_on:  # two facts may rest on the same deed
                done.add((fact.kind, fact.seats[0], fact.seats[1], max(fact.rests_on)))
    counts = Counter((kind, seat, other) for kind, seat, other, _ in sorted(done))
    return [Deeds(kind, seat, other, times) for (kind, seat, other), times in counts.items()]
