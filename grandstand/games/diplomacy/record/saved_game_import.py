"""Saved games of Diplomacy, which were played elsewhere, as episodes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grandstand.games.base import GameEvent, SeatId
from grandstand.games.diplomacy.events import PhaseAdvanced
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.record.saved_game import (
    SavedPhase,
    read_saved_game,
    saved_game_events,
    saved_game_outcome,
)
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.position import PositionError
from grandstand.games.diplomacy.rules.scoring import sum_of_squares
from grandstand.games.diplomacy.rules.state import RETREATS, WINTER, State
from grandstand.games.exchange import DocumentError, DocumentForm, Imported, ImportedTurn

UNNAMED = "unnamed"
"""The name of a player whom the document does not name."""

LONGEST_NAME = 80
"""Characters of a name that are kept."""

DIFFERENCES = 20
"""The most phases whose differences are listed; of the others only the number is given."""


def import_saved_game(saved: Mapping[str, Any]) -> Imported:
    """Return the game of a document. The engine judges every phase again, and each difference is listed.

    Raises DocumentError naming the phase and the field.
    """
    try:
        phases = read_saved_game(saved)
        if not phases:
            raise PositionError("phases: no phase was played")
        events = saved_game_events(saved)
        outcome = saved_game_outcome(saved)
    except PositionError as error:
        raise DocumentError(str(error)) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DocumentError(f"phases: {error!r} is missing or has the wrong type") from error
    opening, turns = _turns(events, {phase.state.name: phase.state for phase in phases})
    name = str(saved.get("id") or "without a name")[:LONGEST_NAME]
    last_played = max(phase.state.year for phase in phases)
    limited = outcome is not None and outcome.reason == "year-limit"
    last_year = last_played if limited else max(DiplomacyOptions().last_year, last_played)
    return Imported(
        title=f"Diplomacy game {name}",
        source="a saved game of Diplomacy",
        players=_players(saved),
        options={"press": _press(phases), "last_year": last_year},
        opening=opening,
        turns=turns,
        outcome=outcome,
        differences=_listed(list(_differences(phases))),
    )


def _players(saved: Mapping[str, Any]) -> dict[SeatId, str]:
    names = saved.get("players")
    by_power = names if isinstance(names, Mapping) else {}
    return {power: str(by_power.get(power) or UNNAMED)[:LONGEST_NAME] for power in POWERS}


def _press(phases: Sequence[SavedPhase]) -> str:
    messages = [message for phase in phases for message in phase.messages]
    if any(not message.public for message in messages):
        return "full"
    return "public" if messages else "none"


def _turns(events: Sequence[GameEvent], states: Mapping[str, State]) -> tuple[list[GameEvent], list[ImportedTurn]]:
    """Return the events up to the first phase, and the turns: one for each phase."""
    starts = [number for number, event in enumerate(events) if isinstance(event, PhaseAdvanced)]
    turns = []
    for start, stop in itertools.pairwise([*starts, len(events)]):
        first = events[start]
        assert isinstance(first, PhaseAdvanced)
        state = states[first.phase]
        # A turn begins after the position of its phase, and ends with the position of the next.
        following = events[start + 1 : stop + 1]
        scores = dict(zip(POWERS, sum_of_squares(state.center_counts(), {}), strict=True))
        turns.append(ImportedTurn(first.phase, [POWERS[power] for power in state.to_act()], scores, following))
    return list(events[: starts[0] + 1]), turns


def _differences(phases: Sequence[SavedPhase]) -> Iterator[str]:
    """Yield the phases whose recorded orders lead to another position here than in the document."""
    for phase in phases:
        for unit in phase.book.void:
            yield f"{phase.state.name}: the order of {unit} is not legal here, so that the unit holds"
    # Some sites also record retreat phases in which no unit can retreat; they are skipped here.
    counted = [phase for phase in phases if phase.state.phase not in RETREATS or phase.state.to_act()]
    for phase, following in itertools.pairwise(counted):
        if phase.state.phase == WINTER and not phase.book.orders:
            continue
        ours, theirs = phase.state.resolve(phase.book.orders).after, following.state
        if differing := _differing(ours, theirs):
            yield f"{phase.state.name}: the document goes on with {differing}"


def _differing(ours: State, theirs: State) -> str:
    """Return the first field in which two positions differ, as `units of FRANCE A PAR, here A BUR`; empty if none."""
    if ours.name != theirs.name:
        return f"{theirs.name}, here {ours.name}"
    mine, other = ours.to_json(), theirs.to_json()
    for field in ("units", "centers"):
        for power in POWERS:
            here, there = sorted(mine[field].get(power, ())), sorted(other[field].get(power, ()))
            if here != there:
                lacking, extra = sorted(set(there) - set(here)), sorted(set(here) - set(there))
                return f"{field} of {power} {', '.join(lacking) or 'none'}, here {', '.join(extra) or 'none'}"
    ours_ways, their_ways = _ways(mine), _ways(other)
    return "" if ours_ways == their_ways else f"retreats {their_ways}, here {ours_ways}"


def _ways(position: Mapping[str, Any]) -> dict[str, list[str]]:
    retreats = position["retreats"].values()
    return {unit: sorted(places) for units in retreats for unit, places in units.items() if places}


def _listed(differences: list[str]) -> list[str]:
    more = len(differences) - DIFFERENCES
    return [*differences[:DIFFERENCES], f"and {more} more"] if more > 0 else differences


def _has_form(document: Mapping[str, Any]) -> bool:
    return "phases" in document


FORM = DocumentForm("a saved game of Diplomacy", _has_form, import_saved_game)
