"""The whole match as JSON and back: exact, secrets included."""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

from grandstand.games.base import Json, Outcome
from grandstand.games.cricket.laws.cards import BatterCard, BowlerCard
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules, super_over_rules
from grandstand.games.cricket.options import CricketOptions

if TYPE_CHECKING:
    from grandstand.games.cricket.match.contest import Contest

_C = TypeVar("_C", bound="Contest")
_PLAIN = (
    "attempt", "bat_reviews", "batting_side", "barred_bowler", "bouncers", "bowler", "bowling_side", "byes", "closed",
    "field_reviews", "fouls", "free_hit", "last_bowler", "legal", "legbyes", "noballs", "non_striker", "number",
    "order",
    "over_bowler_runs", "over_log", "partner_balls", "partner_runs", "penalties", "relieved", "rested", "runs",
    "striker", "target", "wickets", "wides",
)  # fmt: skip
_LISTS = ("order", "over_log", "fouls", "relieved", "rested")
_PLAIN_MATCH = (
    "appeal", "belief", "breached", "calls", "choices", "lock_striker", "luck", "method", "next_in", "plans",
    "resources", "seed", "stage",
)  # fmt: skip


def innings_to_json(innings: Innings) -> dict[str, Any]:
    data = {name: getattr(innings, name) for name in _PLAIN}
    data["rules"] = [innings.rules.overs, innings.rules.conditions]
    data["batters"] = [[i, *card.to_json()] for i, card in innings.batters.items()]
    data["bowlers"] = [[i, *card.to_json()] for i, card in innings.bowlers.items()]
    data["over_start"] = list(innings.over_start)
    data["overs"] = [list(row) for row in innings.overs]
    data["fall"] = [list(row) for row in innings.fall]
    data["barred_batters"] = sorted(innings.barred_batters)
    for name in _LISTS:
        data[name] = data[name][:]
    return data


def innings_of(data: dict[str, Any]) -> Innings:
    overs, conditions = data["rules"]
    rules = super_over_rules(conditions) if data["number"] > 2 else format_rules(overs, conditions)
    innings = Innings(data["number"], data["batting_side"], rules, data["target"])
    for name in _PLAIN:
        setattr(innings, name, data[name])
    for name in _LISTS:
        setattr(innings, name, data[name][:])
    innings.batters = {row[0]: BatterCard.load(row[1:]) for row in data["batters"]}
    innings.bowlers = {row[0]: BowlerCard.load(row[1:]) for row in data["bowlers"]}
    innings.over_start = (data["over_start"][0], data["over_start"][1])
    innings.overs = [(a, b, c) for a, b, c in data["overs"]]
    innings.fall = [(a, b, c) for a, b, c in data["fall"]]
    innings.barred_batters = frozenset(data["barred_batters"])
    return innings


def to_json(game: Contest) -> Json:
    data: dict[str, Any] = {name: _copy(getattr(game, name)) for name in _PLAIN_MATCH}
    data["options"] = asdict(game.options)
    data["innings"] = [innings_to_json(innings) for innings in game.innings]
    data["field_choice"] = _copy(game.field_choice)
    data["field_shown"] = None if game.field_shown is None else list(game.field_shown)
    data["result"] = None if game.result is None else asdict(game.result)
    return data


def load(cls: type[_C], data: Json) -> _C:
    """The inverse of `to_json`."""
    game = cls(CricketOptions(**data["options"]), data["seed"])
    for name in _PLAIN_MATCH:
        setattr(game, name, _copy(data[name]))
    game.innings = [innings_of(innings) for innings in data["innings"]]
    choice, shown = data["field_choice"], data["field_shown"]
    game.field_choice = choice if isinstance(choice, str) else tuple(choice)
    game.field_shown = None if shown is None else tuple(shown)
    game.breached = None if game.breached is None else tuple(game.breached)
    if game.innings:
        game.bowls(game.now.bowler)
    game.result = None if data["result"] is None else Outcome(**data["result"])
    return game


def digest(game: Contest) -> str:
    text = json.dumps(to_json(game), sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _copy(value: Any) -> Any:
    """Plain data, independent of the original; tuples become lists."""
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_copy(v) for v in value]
    return value
