"""The result of each order, in the terms of the saved-game format."""

from __future__ import annotations

from grandstand.games.diplomacy.rules.adjudicate import Movement
from grandstand.games.diplomacy.rules.map import UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import CONVOY, HOLD, MOVE, SUPPORT, SUPPORT_MOVE, VIA
from grandstand.games.diplomacy.rules.state import Resolution, State

VOID = "void"
"""The order is impossible, does not match that of the supported unit, or helps against its own power to no effect."""
BOUNCE = "bounce"
CUT = "cut"
DISLODGED = "dislodged"
DISBAND = "disband"
"""A unit that is taken off the board, after a movement phase because it was dislodged and nobody had a retreat to
choose."""
NO_CONVOY = "no convoy"
"""An army whose chain of fleets was missing or broken, or a fleet that convoyed nobody."""
DISRUPTED = "disrupted"
"""A fleet that stands, but whose convoy Szykman's rule stopped."""


def result_words(resolution: Resolution, after: State | None = None) -> dict[int, list[str]]:
    """Return the results per province of a unit, dislodged unit or build; an empty list stands for success.

    `after` is the next position by a record, if it differs from that of the resolution.
    """
    if resolution.movement is not None:
        movement, retreats = resolution.movement, (after or resolution.after).dislodged
        return {
            province: [
                *_movement_words(resolution, movement, province),
                *([DISBAND] if province in movement.dislodged_by and province not in retreats else []),
            ]
            for province in resolution.before.units
        }
    if resolution.retreat is not None:
        retreat = resolution.retreat
        words = {
            province: [] if province in resolution.orders else [DISBAND] for province in resolution.before.dislodged
        }
        return words | {province: [BOUNCE, DISBAND] for province in retreat.bounced}
    assert resolution.adjustment is not None
    adjustment = resolution.adjustment
    words = {province: [VOID] if province in adjustment.void else [] for province in resolution.orders}
    return words | {province: [DISBAND] for province in adjustment.civil_disorder}


def _movement_words(resolution: Resolution, movement: Movement, province: int) -> list[str]:
    order = resolution.orders.get(province)
    kind = order[0] if order is not None else HOLD
    words = []
    if kind in (MOVE, VIA) and province not in movement.moved:
        words.append(NO_CONVOY if movement.stranded(province) else BOUNCE)
    elif province in movement.void:
        words.append(VOID)
    elif kind in (SUPPORT, SUPPORT_MOVE) and movement.is_cut(province):
        words.append(CUT)
    elif kind == SUPPORT_MOVE and order is not None and _against_own(movement, province, order[3]):
        if not _decides(resolution, movement, province):
            words.append(VOID)
    elif province in movement.idle:
        words.append(NO_CONVOY)
    if province in movement.dislodged_by:
        words.append(DISLODGED)
    elif not words and order is not None and kind == CONVOY and UNIT_PROVINCE[order[2]] in movement.paradoxical:
        words.append(DISRUPTED)
    return words


def _against_own(movement: Movement, supporter: int, there: int) -> bool:
    """Return whether the supported move meets a unit of the supporter's power, which no support can help dislodge."""
    target = UNIT_PROVINCE[there]
    occupant = movement.units.get(target)
    return occupant is not None and occupant[0] == movement.units[supporter][0] and target not in movement.moved


def _decides(resolution: Resolution, movement: Movement, supporter: int) -> bool:
    """Return whether the phase would have ended otherwise without the support: it may still keep a third unit out."""
    others = {province: order for province, order in resolution.orders.items() if province != supporter}
    without = Movement(movement.units, others)
    return (without.moved, without.dislodged_by) != (movement.moved, movement.dislodged_by)
