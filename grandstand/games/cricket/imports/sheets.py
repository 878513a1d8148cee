"""The public position and the result of a recorded match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grandstand.games.base import Outcome, SeatId
from grandstand.games.cricket.imports.document import DeliveryLine, MatchRecord
from grandstand.games.cricket.imports.scorer import Scorer
from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.match.results import counted
from grandstand.games.cricket.model.context import resembles
from grandstand.games.cricket.types import BallAhead, PlayerSheet, TeamSheet
from grandstand.games.cricket.vocab import PHASES, SEATS


def sheets(record: MatchRecord) -> dict[SeatId, TeamSheet]:
    """Return the sheets of both sides, which have only recorded data such as names."""
    deliveries = (ball for innings in record.innings for _, over in innings.overs for ball in over)
    came = {(team, player) for ball in deliveries for team, player, _ in ball.replacements}
    out: dict[SeatId, TeamSheet] = {}
    for seat, team in zip(SEATS, record.teams, strict=True):
        cards: list[PlayerSheet] = [
            {"name": name, "role": None, "hand": None, "style": None} for name in record.players[team]
        ]
        bench = [card for card in cards if (team, card["name"]) in came]
        eleven = [card for card in cards if card not in bench]
        out[seat] = {"name": team, "short": _short(team), "captain": None, "keeper": None, "players": eleven}
        if bench:
            out[seat]["bench"] = bench
    return out


def _short(team: str) -> str:
    """Return the initials of a team, or the first letters of a name of one word."""
    words = team.split()
    return "".join(word[0] for word in words).upper() if len(words) > 1 else team[:3].upper()


def turn_name(scorer: Scorer) -> str:
    """Return the short public name of the moment: `1st innings 4.3`."""
    ordinal = ("1st", "2nd")[(scorer.number - 1) % 2]
    if scorer.line.super_over:
        return f"Super Over {(scorer.number - 1) // 2}, {ordinal} innings {scorer.name}"
    return f"{ordinal} innings {scorer.name}"


def ahead(scorer: Scorer, following: DeliveryLine | None, rules: FormatRules) -> BallAhead:
    """Return the situation of the ball about to be bowled; `following` is that ball."""
    need, legal = scorer.need, min(scorer.legal, rules.balls - 1)
    rate = None if need is None else round(6 * max(need, 0) / max(scorer.balls_left, 1), 2)
    return {
        "ball": scorer.name,
        "batting": scorer.batting,
        "bowling": scorer.bowling,
        "striker": following.batter if following is not None and following.batter in scorer.crease else None,
        "non_striker": (
            following.non_striker if following is not None and following.non_striker in scorer.crease else None
        ),
        "bowler": None,
        "last_bowler": None,
        "free_hit": False,
        "powerplay": scorer.powerplay is not None and scorer.legal < scorer.powerplay,
        "max_outside": rules.max_outside(legal),
        "phase": PHASES[resembles(rules, legal)[1]],
        "field": [],
        "this_over": scorer.marks[:],
        "balls_left": scorer.balls_left,
        "need": need,
        "required_rate": rate,
        "run_rate": round(6 * scorer.runs / scorer.legal, 2) if scorer.legal else 0.0,
        "partnership": list(scorer.partnership),
        "reviews": {"batting": None, "bowling": None},
        "overs_left": {},
    }


class RecordedEnding(NamedTuple):
    """The end of a match: its outcome, the margin, and contradictions to the recorded balls."""

    outcome: Outcome
    by: dict[str, int]
    differences: list[str]


def result_of(record: MatchRecord, innings: Sequence[Scorer], seats: Mapping[str, SeatId]) -> RecordedEnding | None:
    """Return the end that the document states; None if it states none."""
    outcome = record.outcome
    winner = seats.get(str(outcome.get("winner")))
    eliminator = seats.get(str(outcome.get("eliminator") or outcome.get("bowl_out")))
    if winner is not None:
        by = {name: count for name, count in _margin(outcome).items() if name in ("runs", "wickets")}
        text = ", ".join(counted(count, name[:-1]) for name, count in by.items())
        if "wickets" in by:
            by["balls"] = innings[1].balls_left if len(innings) > 1 else 0
            text += f" ({counted(by['balls'], 'ball')} left)"
        method = f" ({outcome['method']})" if outcome.get("method") else ""
        name = record.teams[SEATS.index(winner)]
        won = f"{name} won by {text}{method}" if text else f"{name} won{method}"
        return RecordedEnding(_won(winner, "win", won), by, _doubts(innings, winner, by, method))
    if eliminator is not None:
        how = "the Super Over" if outcome.get("eliminator") else "the bowl-out"
        name = record.teams[SEATS.index(eliminator)]
        return RecordedEnding(_won(eliminator, "super over", f"match tied; {name} won {how}"), {}, [])
    half = dict.fromkeys(SEATS, 0.5)
    match outcome.get("result"):
        case "tie":
            return RecordedEnding(Outcome("tie", list(SEATS), half, "match tied"), {}, [])
        case str() as result:
            return RecordedEnding(Outcome("no result", [], half, result), {}, [])
    return None


def _margin(outcome: Mapping[str, object]) -> dict[str, int]:
    by = outcome.get("by")
    return {str(name): count for name, count in by.items() if isinstance(count, int)} if isinstance(by, dict) else {}


def _won(seat: SeatId, reason: str, text: str) -> Outcome:
    return Outcome(reason, [seat], {other: float(other == seat) for other in SEATS}, text)


def _doubts(innings: Sequence[Scorer], winner: SeatId, by: Mapping[str, int], method: str) -> list[str]:
    """Return the contradictions between the margin and the recorded balls, unless a revised target explains them."""
    if method or len(innings) < 2:
        return []
    first, second = innings[0], innings[1]
    if "runs" in by and (first.batting != winner or first.runs - second.runs != by["runs"]):
        return [f"the result: {by['runs']} runs, after {first.runs} and {second.runs} by the balls recorded"]
    if "wickets" in by and (second.batting != winner or 10 - second.wickets != by["wickets"]):
        return [f"the result: {by['wickets']} wickets, after {second.wickets} had fallen by the balls recorded"]
    return []
