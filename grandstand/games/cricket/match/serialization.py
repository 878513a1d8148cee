"""Converts the whole match to JSON and back without loss, secrets included."""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import blake2b
from typing import Any

from grandstand.games.base import Json, Outcome
from grandstand.games.cricket.laws.cards import BatterCard, BowlerCard
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules, super_over_rules
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.options import CricketOptions

_CONVERTED = ("rules", "batters", "bowlers", "over_start", "overs", "fall", "barred_batters")
"""Fields of an innings that must be converted to JSON."""
_PLAIN = tuple(name for name in Innings.__slots__ if name not in _CONVERTED)
_CONVERTED_MATCH = ("options", "innings", "field_choice", "field_shown", "result")
"""Fields of a match that must be converted to JSON."""
BUILT_AGAIN = (
    "attack", "cards", "forecast", "headless", "model", "pair_factors", "pitch", "rain", "teams", "toss_winner",
)  # fmt: skip
"""Fields of a match that follow from the options, the seed and the innings, its cache and the mode of a rollout."""
_PLAIN_MATCH = tuple(name for name in ContestState.__slots__ if name not in (*_CONVERTED_MATCH, *BUILT_AGAIN))


def innings_to_json(innings: Innings) -> dict[str, Any]:
    data = {name: _copy(getattr(innings, name)) for name in _PLAIN}
    data["rules"] = [innings.rules.overs, innings.rules.conditions]
    data["batters"] = [[i, *card.to_json()] for i, card in innings.batters.items()]
    data["bowlers"] = [[i, *card.to_json()] for i, card in innings.bowlers.items()]
    data["over_start"] = list(innings.over_start)
    data["overs"] = [list(row) for row in innings.overs]
    data["fall"] = [list(row) for row in innings.fall]
    data["barred_batters"] = sorted(innings.barred_batters)
    return data


def innings_of(data: dict[str, Any]) -> Innings:
    overs, conditions = data["rules"]
    rules = super_over_rules(conditions) if data["number"] > 2 else format_rules(overs, conditions)
    innings = Innings(data["number"], data["batting_side"], rules, data["target"])
    for name in _PLAIN:
        setattr(innings, name, _copy(data[name]))
    innings.batters = {row[0]: BatterCard.load(row[1:]) for row in data["batters"]}
    innings.bowlers = {row[0]: BowlerCard.load(row[1:]) for row in data["bowlers"]}
    innings.over_start = (data["over_start"][0], data["over_start"][1])
    innings.overs = [(a, b, c) for a, b, c in data["overs"]]
    innings.fall = [(a, b, c) for a, b, c in data["fall"]]
    innings.barred_batters = frozenset(data["barred_batters"])
    return innings


def to_json(state: ContestState) -> Json:
    data: dict[str, Any] = {name: _copy(getattr(state, name)) for name in _PLAIN_MATCH}
    data["options"] = asdict(state.options)
    data["innings"] = [innings_to_json(innings) for innings in state.innings]
    data["field_choice"] = _copy(state.field_choice)
    data["field_shown"] = None if state.field_shown is None else list(state.field_shown)
    data["result"] = None if state.result is None else asdict(state.result)
    return data


def load(data: Json) -> ContestState:
    """Return the match that `to_json` wrote."""
    state = ContestState(CricketOptions(**data["options"]), data["seed"])
    for name in _PLAIN_MATCH:
        setattr(state, name, _copy(data[name]))
    state.innings = [innings_of(innings) for innings in data["innings"]]
    choice, announced = data["field_choice"], data["field_shown"]
    state.field_choice = choice if isinstance(choice, str) else tuple(choice)
    state.field_shown = None if announced is None else tuple(announced)
    state.breached = None if state.breached is None else tuple(state.breached)
    pace, spin = (tuple((length, line, variation) for length, line, variation in aims) for aims in data["aims"])
    state.aims = (pace, spin)
    state.strokes = tuple((intent, shot) for intent, shot in data["strokes"])
    if state.innings:
        state.attack = state.group_of(state.now.bowler)
    state.result = None if data["result"] is None else Outcome(**data["result"])
    return state


def digest(state: ContestState) -> str:
    text = json.dumps(to_json(state), sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _copy(value: Any) -> Any:
    """Return plain data, independent of the original; tuples become lists."""
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_copy(v) for v in value]
    return value
