"""Notes of a power for itself, its trust in the others and its aims: written in a model's replies, read in its next
prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grandstand.games.base import Action, Json, SeatId
from grandstand.games.diplomacy.agent.text import quoted
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.press.note_rules import LONGEST_NOTES, LONGEST_REASON, MOST_LEFT_OUT, TRUST
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.reply_form import Aside

_SYSTEM = f"""\
You remember nothing between your answers but what you note. Add "notes", "trust" and "aims" to the object. "notes" are
up to {LONGEST_NOTES} characters for yourself (plans, agreements, doubts), which replace your earlier ones; "" keeps
those. "trust" is your trust in each power, from {TRUST[0]} (an enemy) to {TRUST[-1]} (an ally). "aims" are the powers
that you mean to attack or betray in this phase; [] for none. No other power reads any of it. Your next prompt has all
of it."""


def _with_notes(
    game: DiplomacyGame, seat: SeatId, answer: Mapping[str, Any], actions: Sequence[Action]
) -> Sequence[Action]:
    """Return the actions with the notes of the answer: in the orders, or as an action of their own."""
    notes = tidied(seat, answer)
    if not notes:
        return actions
    if actions and "orders" in actions[0]:
        return [{**actions[0], "notes": notes}, *actions[1:]]
    return [*actions, {"notes": notes}]


def tidied(seat: SeatId, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the notes of a model's answer as notes of an action. Invalid parts are left out and named. It never
    raises, so that invalid notes cost a model no orders."""
    left_out: list[str] = []
    kept: dict[str, Any] = {}
    text, trust = answer.get("notes"), answer.get("trust")
    if isinstance(text, str):
        kept["text"] = text.strip()[:LONGEST_NOTES]
        if len(text.strip()) > LONGEST_NOTES:
            left_out.append(f"notes: cut from {len(text.strip())} to {LONGEST_NOTES} characters")
    elif text is not None:
        left_out.append(f"notes: must be a text, not {type(text).__name__}")
    if isinstance(trust, Mapping):
        kept["trust"] = _tidied_trust(seat, trust, left_out)
    elif trust is not None:
        left_out.append(f"trust: must be an object of powers, not {type(trust).__name__}")
    aims = answer.get("aims")
    if isinstance(aims, Sequence) and not isinstance(aims, str):
        kept["aims"] = _tidied_aims(seat, aims, left_out)
    elif aims is not None:
        left_out.append(f"aims: must be a list of powers, not {type(aims).__name__}")
    if left_out:
        kept["left_out"] = [reason[:LONGEST_REASON] for reason in left_out[:MOST_LEFT_OUT]]
    return kept


def _tidied_trust(seat: SeatId, trust: Mapping[str, Any], left_out: list[str]) -> dict[SeatId, int]:
    kept: dict[SeatId, int] = {}
    for name, value in trust.items():
        power = str(name).strip().upper()
        if power not in POWERS or power == seat:
            left_out.append(f"trust.{str(name)[:20]}: is no other power")
        elif isinstance(value, bool) or not isinstance(value, int | float) or value not in TRUST:
            left_out.append(f"trust.{power}: must be a whole number from {TRUST[0]} to {TRUST[-1]}")
        else:
            kept[power] = int(value)
    return kept


def _tidied_aims(seat: SeatId, aims: Sequence[Any], left_out: list[str]) -> list[SeatId]:
    kept: list[SeatId] = []
    for name in aims:
        power = str(name).strip().upper()
        if power not in POWERS or power == seat:
            left_out.append(f"aims: {str(name)[:20]} is no other power")
        elif power not in kept:
            kept.append(power)
    return kept


def _noted(game: DiplomacyGame, seat: SeatId) -> str:
    """Return the power's notes as a part of its prompt."""
    noted = game.observation(seat)["notes"]
    if noted is None:
        return "Your notes: none yet."
    trust = ", ".join(f"{power} {value:+d}" for power, value in noted["trust"].items())
    lines = [f"Your notes of {noted['turn']}: {quoted(noted['notes'])}", f"Your trust: {trust or 'not noted'}"]
    if noted["aims"]:
        lines.append(f"Your aims of {noted['turn']}: {', '.join(noted['aims'])}")
    if noted["left_out"]:
        lines.append(f"Left out of them: {'; '.join(map(quoted, noted['left_out']))}")
    return "\n".join(lines)


def _schema(schema: Json, game: DiplomacyGame, seat: SeatId) -> Json:
    """Return the schema with the notes, the trust in every other power in play, and the aims among them."""
    others = [power for at, power in enumerate(POWERS) if power != seat and game.in_play(at)]
    grade = {"type": "integer", "enum": list(TRUST)}
    trust = {
        "type": "object",
        "properties": dict.fromkeys(others, grade),
        "required": others,
        "additionalProperties": False,
    }
    aims = {"type": "array", "items": {"type": "string", "enum": others or list(POWERS)}}
    properties = {**schema["properties"], "notes": {"type": "string"}, "trust": trust, "aims": aims}
    return {**schema, "properties": properties, "required": list(properties)}


NOTES: Aside[DiplomacyGame] = Aside(_SYSTEM, _noted, _schema, _with_notes)
