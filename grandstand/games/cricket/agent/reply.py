"""The prompt that asks a language model to captain, and the parser of its reply: several calls, the last one the ball.

`text.py` describes the match, its rules and the legal calls; this module defines the form of the answer. The scorer's
numbers are in the prompt, so there is no call for them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from grandstand.games.base import Action, IllegalAction, Json, SeatId
from grandstand.games.cricket.agent import actions, text
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PLACES, PRESETS
from grandstand.games.cricket.match import observation
from grandstand.games.cricket.vocab import INTENTS, SEATS, SHOTS
from grandstand.games.prompts import PromptPart, PromptSettings, ended
from grandstand.games.spec import ReplyForm
from grandstand.games.word_by_word import Layout

_SYSTEM: Final = """\
You captain the {seat} side. Answer with {{"reasoning": "...", "calls": [{{"tool": NAME, "arguments": {{...}}}}, ...]}}.
"reasoning" is a sentence or two of your own thought, which the other side does not read. "calls" are made in order: as
many free ones as you need, then the one that moves the match on, which comes last. Leave out, or give as null, the
arguments that you have no wish about."""

_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "decision": ("bat", "field"),
    "preset": ("standard", *PRESETS),
    "field": ("standard", *PRESETS),
    "length": actions.LENGTH_WORDS,
    "line": actions.LINE_WORDS,
    "variation": actions.ALL_VARIATIONS,
    "intent": tuple(INTENTS),
    "shot": SHOTS,
    "retire": ("striker", "non_striker"),
}
"""Argument -> its words, if they are the same for the whole match. Names and notes are free text."""

_ASKED_FOR: Final = "analyze_situation"


def _parts(game: CricketGame, seat: SeatId, settings: PromptSettings) -> list[PromptPart]:
    parts = text.parts(game.state, seat, settings)
    if game.state.stage != "play":
        return ended(parts)
    numbers = observation.analysis(game.state, SEATS.index(seat))
    return [*parts, PromptPart("analysis", f"The scorer's numbers: {json.dumps(numbers)}")]


def _argument(name: str) -> Json:
    if name == "take":
        return {"type": ["boolean", "null"]}
    if name == "positions":
        return {"type": ["array", "null"], "items": {"type": "string", "enum": list(PLACES)}}
    if name in _WORDS:
        return {"type": ["string", "null"], "enum": [*_WORDS[name], None]}
    return {"type": ["string", "null"]}


def _object(properties: Mapping[str, Json]) -> Json:
    required = list(properties)
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


_SCHEMA: Final = _object(
    {
        "reasoning": {"type": "string"},
        "calls": {
            "type": "array",
            "items": {
                "anyOf": [
                    _object(
                        {
                            "tool": {"type": "string", "enum": [tool]},
                            "arguments": _object({name: _argument(name) for name in arguments}),
                        }
                    )
                    for tool, arguments in actions.ARGUMENTS.items()
                    if tool != _ASKED_FOR
                ]
            },
        },
    }
)
"""The same for every ball, so that an endpoint compiles it once; the rules refuse what is not legal now."""


def _read(game: CricketGame, seat: SeatId, answer: Mapping[str, Any]) -> list[Action]:
    """Return `calls`, or a single `{"tool", "arguments"}`, as actions. Nulls are arguments left out."""
    calls = answer.get("calls", [answer])
    if not isinstance(calls, list) or not calls:
        raise IllegalAction("calls", 'must be a list of calls such as [{"tool": "play_delivery", "arguments": {}}]')
    read = [_call(call, f"calls[{index}]") for index, call in enumerate(calls)]
    read = [call for call in read if call["tool"] != _ASKED_FOR]
    if not read:
        raise IllegalAction("calls", "the scorer's numbers are in the prompt already; make the call that moves on")
    return read


def _call(call: Any, field: str) -> Action:
    if not isinstance(call, Mapping):
        raise IllegalAction(field, 'must be an object such as {"tool": "play_delivery", "arguments": {}}')
    arguments = call.get("arguments") or {}
    if not isinstance(arguments, Mapping):
        raise IllegalAction(f"{field}.arguments", "must be an object")
    return {
        "tool": call.get("tool"),
        "arguments": {name: value for name, value in arguments.items() if value is not None},
    }


REPLY: ReplyForm[CricketGame] = ReplyForm(
    keys=("calls", "tool"),
    system=lambda game, seat: _SYSTEM.format(seat=seat),
    parts=_parts,
    schema=lambda game, seat: _SCHEMA,
    read=_read,
    layout=Layout('{"calls": [{', opened=', "arguments": {'),
)
