"""Rewards of one captain from the events of a match: runs, wickets, the chance of winning, the worth of its own calls.

Amounts are positive where the captain is better off, so that ordinary weights are positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from grandstand.games.base import SeatId
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.training import Component, Entry, Rewards

COMPONENTS: Final[Mapping[str, Component]] = {
    "runs": Component("runs made, less runs conceded"),
    "wickets": Component("wickets taken, less wickets lost"),
    "win_chance": Component("change of the chance of winning, between average captains from here on"),
    "luck": Component("the part of that change that came by chance: with a negative weight, noise that is taken out"),
    "choice": Component(
        "what the captain's own choices were worth beside natural ones: calls, fields, bowlers, batters, the impact "
        "player, reviews, toss"
    ),
    "result": Component(
        "1 for a win, 0.5 for a tie or no result, 0 for a defeat; the chance of winning where play stopped before",
        final=True,
    ),
}
"""All but `runs`, `wickets` and the result of a finished match need the match option `win_probability`."""

_UNKNOWN: Final = 0.5
_INNINGS: Final = 2
"""The number of innings of a match; later ones are Super Overs."""


def ledger(
    events: Iterable[tuple[int, str, Mapping[str, Any]]], seat: SeatId, settings: Mapping[str, float]
) -> list[Entry]:
    """Return every entry of `seat`."""
    entries: list[Entry] = []
    batting: dict[int, SeatId] = {}
    chance: float | None = None
    result: float | None = None
    seq = 0
    for seq, kind, data in events:
        if kind == "MatchStarted":
            batting = {innings["innings"]: innings["batting"] for innings in data["state"]["innings"]}
        elif kind == "InningsStarted":
            batting[data["innings"]] = data["batting"]
        elif kind == "BallBowled":
            sign = 1.0 if batting[data["innings"]] == seat else -1.0
            entries += _entries(seq, {"runs": sign * data["total"], "wickets": -sign * (data["wicket"] is not None)})
        elif kind == "BatterRetired" and data["kind"] == "retired out":
            entries.append(Entry(seq, "wickets", -1.0 if batting[data["innings"]] == seat else 1.0))
        elif kind == "ChanceChanged":
            now = data["home"] if seat == SEATS[0] else 1.0 - data["home"]
            luck = data["luck"] if seat == SEATS[0] else -data["luck"]
            own = sum(call["delta"] for call in data["decisions"] if call["seat"] == seat)
            gained = 0.0 if chance is None else now - chance
            entries += _entries(seq, {"win_chance": gained, "luck": luck, "choice": own})
            chance = now
        elif kind == "MatchDecided":
            result = _result(data, seat)
    standing = result if result is not None else chance if chance is not None else _UNKNOWN
    return entries + _entries(seq, {"result": standing})


def results(events: Iterable[tuple[int, str, Mapping[str, Any]]], seat: SeatId) -> dict[str, float]:
    """Return the side's runs without Super Overs and, if decided, `win`: 1, 0.5 for a tie or no result, or 0."""
    batting: dict[int, SeatId] = {}
    runs: dict[int, int] = {}
    win: dict[str, float] = {}
    for _, kind, data in events:
        if kind == "MatchStarted":
            cards = data["state"]["innings"]
            batting = {card["innings"]: card["batting"] for card in cards}
            runs = {card["innings"]: card["runs"] for card in cards}
        elif kind == "InningsStarted":
            batting[data["innings"]] = data["batting"]
        elif kind == "BallBowled":
            runs[data["innings"]] = data["score"][0]
        elif kind == "MatchDecided":
            win = {"win": _result(data, seat)}
    own = sum(runs[innings] for innings in runs if innings <= _INNINGS and batting[innings] == seat)
    return {"runs": float(own), **win}


def _result(decided: Mapping[str, Any], seat: SeatId) -> float:
    return 0.5 if decided["winner"] is None else float(decided["winner"] == seat)


def _entries(seq: int, amounts: Mapping[str, float]) -> list[Entry]:
    return [Entry(seq, name, amount) for name, amount in amounts.items() if amount]


REWARDS: Final = Rewards(COMPONENTS, {}, ledger, results)
