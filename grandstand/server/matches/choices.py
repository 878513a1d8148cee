"""The choices of a seat as stages of slots, from which the page builds the form of any game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from grandstand.games.answers import value_of
from grandstand.games.base import IllegalAction, OptionError
from grandstand.games.choices import Chosen, Grammar, Many, Number, Pick, Slot, Text, Value
from grandstand.games.match import Match
from grandstand.server.bodies.seats import AskChoices, ManySlot, NumberSlot, PickSlot, SeatChoices, SlotForm, TextSlot

_FORMS: Final[Mapping[type, type[PickSlot | ManySlot | NumberSlot | TextSlot]]] = {
    Pick: PickSlot,
    Many: ManySlot,
    Number: NumberSlot,
    Text: TextSlot,
}


def seat_choices(match: Match, seat: str, asked: AskChoices) -> SeatChoices:
    """Return what the seat may choose next, and the action that its choices so far make.

    Raise OptionError for a request with both an action and choices, IllegalAction for a value that is not offered.
    """
    if asked.number not in (None, match.number(seat)):
        return _answer(match, seat, {})
    if asked.action is None:
        return _answer(match, seat, asked.chosen)
    if asked.chosen:
        raise OptionError("action: send either an action or what is chosen")
    try:
        return _answer(match, seat, match.game.chosen(seat, asked.action) or {})
    except IllegalAction:
        return _answer(match, seat, {})


def edit_choices(match: Match, asked: AskChoices) -> SeatChoices:
    """Return the choices of a change of the position by hand; none where nothing can be changed."""
    editing = match.spec.rules.editing

    def grammar(chosen: Chosen) -> Sequence[Slot]:
        return editing.choices(match.game, chosen) if editing else ()

    return _stages(asked.number or 0, grammar, dict, asked.chosen)


def _answer(match: Match, seat: str, given: Mapping[str, Any]) -> SeatChoices:
    game = match.game
    grammar, action = partial(game.choices, seat), partial(game.action, seat)
    return _stages(match.number(seat), grammar, action, given)


def _stages(
    number: int, grammar: Grammar, action: Callable[[Chosen], Mapping[str, Any]], given: Mapping[str, Any]
) -> SeatChoices:
    """Return the stages along `given`, up to the first with a slot that has no value."""
    stages: list[list[SlotForm]] = []
    chosen: dict[str, Value] = {}
    whole = False
    while slots := grammar(dict(chosen)):
        stages.append([slot_form(slot) for slot in slots])
        values = {slot.name: value for slot in slots if (value := _value(slot, given)) is not None}
        chosen |= values
        if not (whole := len(values) == len(slots)):
            break
    return SeatChoices(
        number=number,
        stages=stages,
        chosen={name: list(value) if isinstance(value, tuple) else value for name, value in chosen.items()},
        action=dict(action(chosen)) if whole else None,
    )


def slot_form(slot: Slot) -> SlotForm:
    """Return the wire form of a slot."""
    return _FORMS[type(slot)].model_validate(slot, from_attributes=True)


def _value(slot: Slot, given: Mapping[str, Any]) -> Value | None:
    """Return the value given for the slot, or its default.

    Raise IllegalAction naming the slot if it does not offer the value.
    """
    if slot.name in given:
        return value_of(slot, given[slot.name])
    return "" if isinstance(slot, Text) else slot.default
