"""The report of a tournament as a JSON document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from grandstand.campaign_events import Estimate, Standing
from grandstand.campaigns.evaluation.plan import quoted
from grandstand.campaigns.evaluation.report import known_dollars, models
from grandstand.campaigns.tournament.run import TournamentEnd, TournamentEstimate
from grandstand.campaigns.tournament.setup import TournamentSetup
from grandstand.campaigns.tournament.standings import PlayedMatch
from grandstand.play.headless import MatchResult
from grandstand.play.ratings.statistics import Spent


def report(setup: TournamentSetup, ended: TournamentEnd) -> dict[str, Any]:
    """Return the full report. `matches` of a figure are the numbers of the matches that it rests on."""
    tournament, plan = ended.tournament, setup.plan
    standings, outcome = tournament.standings(), tournament.outcome()
    played = [tournament.played[match] for match in sorted(tournament.played)]
    return {
        **plan.to_json(),
        "pack": {"name": plan.pack, **quoted(plan.game, plan.pack)} if plan.pack else None,
        "models": models(setup.roster, plan.game, plan.players),
        "complete": ended.stopped is None and tournament.over,
        "stopped": "" if ended.stopped is None else ended.stopped.why,
        "planned": standings.planned,
        "played": standings.played,
        "failed": standings.failed,
        "seconds": round(ended.seconds, 2),
        "spent": {
            "tokens": ended.budget.tokens_spent,
            "dollars": known_dollars(setup.roster, plan.players, ended.budget),
        },
        "estimate": None if ended.estimate is None else _estimated(ended.estimate),
        "winner": outcome.winners[0] if outcome.winners else None,
        "outcome": outcome.text,
        "table": [_row(row, played) for row in standings.table],
        "cross": [
            {
                "a": pair.a,
                "b": pair.b,
                "share": _rounded(pair.share),
                "stronger": None if pair.stronger is None else round(pair.stronger, 4),
                "differ": pair.differ,
                "matches": _ranges(played, lambda match, pair=pair: {pair.a, pair.b} <= _counted(match)),
            }
            for pair in standings.cross
        ],
        "seats": [
            {
                "player": cell.player,
                "seat": cell.seat,
                "score": _rounded(cell.score),
                "matches": _ranges(
                    played,
                    lambda match, cell=cell: (
                        cell.seat in match.counted and match.pairing.players[cell.seat] == cell.player
                    ),
                ),
            }
            for cell in standings.seats
        ],
        "seat_effects": {seat: _rounded(effect, 1) for seat, effect in standings.seat_effects.items()},
        "results": [_match(match, ended.results[match.pairing.number]) for match in played],
    }


def _row(row: Standing, played: Sequence[PlayedMatch]) -> dict[str, Any]:
    dollars = None if row.dollars is None else row.dollars / max(1, row.matches)
    return {
        **row.model_dump(exclude={"score", "rating", "dollars", "seconds"}),
        "score": _rounded(row.score),
        "rating": _rounded(row.rating, 1),
        "dollars": None if row.dollars is None else round(row.dollars, 6),
        "seconds": round(row.seconds, 3),
        "tokens_per_match": round(row.tokens / max(1, row.matches), 1),
        "dollars_per_match": None if dollars is None else round(dollars, 6),
        "score_per_dollar": round(row.score.mean / dollars, 3) if dollars and row.score.mean is not None else None,
        "seconds_per_answer": round(row.seconds / row.answers, 3) if row.answers else None,
        "counted_matches": _ranges(played, lambda match: row.player in _counted(match)),
    }


def _counted(match: PlayedMatch) -> set[str]:
    return {match.pairing.players[seat] for seat in match.counted}


def _ranges(played: Iterable[PlayedMatch], rests_on: Any) -> str:
    """Return the numbers of the matches that a figure rests on, such as "0-11,14"."""
    runs: list[list[int]] = []
    for match in played:
        if rests_on(match):
            at = match.pairing.number
            if runs and runs[-1][1] == at - 1:
                runs[-1][1] = at
            else:
                runs.append([at, at])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def _match(match: PlayedMatch, result: MatchResult) -> dict[str, Any]:
    spent = Spent()
    for record in match.seats:
        spent.add(record.spent)
    return {
        "number": match.pairing.number,
        "round": match.pairing.round,
        "opening": match.pairing.opening,
        "seed": result.seed,
        "players": match.pairing.players,
        "status": match.status,
        "message": match.message,
        "record": result.file,
        "scores": match.scores,
        "counted": list(match.counted),
        "decisions": {record.seat: record.decisions for record in match.seats},
        "fallbacks": {record.seat: record.fallbacks for record in match.seats},
        "faults": {record.seat: record.faults for record in match.seats},
        "tokens": spent.tokens_in + spent.tokens_out,
        "dollars": spent.dollars,
        "seconds": result.seconds,
    }


def _estimated(estimate: TournamentEstimate) -> dict[str, Any]:
    return {
        "matches": estimate.matches,
        "rests_on": estimate.played,
        "tokens": estimate.tokens,
        "dollars": None if estimate.dollars is None else round(estimate.dollars, 6),
        "seconds": round(estimate.seconds, 1),
    }


def _rounded(estimate: Estimate, digits: int = 5) -> dict[str, Any]:
    low, high = estimate.low, estimate.high
    return {
        "mean": None if estimate.mean is None else round(estimate.mean, digits),
        "ci95": None if low is None or high is None else [round(low, digits), round(high, digits)],
        "n": estimate.n,
    }
