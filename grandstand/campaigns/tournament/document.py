"""The results of a tournament as a JSON document, for programs."""

from __future__ import annotations

from typing import Any

from grandstand.campaigns.campaign import CampaignEstimate
from grandstand.campaigns.evaluation.document import known_dollars, models
from grandstand.campaigns.evaluation.plan import quoted
from grandstand.campaigns.tournament.run import TournamentEnd
from grandstand.campaigns.tournament.setup import TournamentSetup
from grandstand.campaigns.tournament.standings import Duel, PlayedMatch, Standing
from grandstand.campaigns.tournament.words import Evidence, ranges
from grandstand.play.headless import MatchResult
from grandstand.play.ratings.intervals import Interval
from grandstand.play.ratings.seat_records import Spent


def document(setup: TournamentSetup, ended: TournamentEnd) -> dict[str, Any]:
    """Return the results in full. `matches` of a figure are the numbers of the matches behind it."""
    tournament, plan = ended.tournament, setup.plan
    standings, outcome = tournament.standings(), tournament.outcome()
    played = [tournament.played[match] for match in sorted(tournament.played)]
    evidence = Evidence(plan, played)
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
        "table": [_row(row, evidence) for row in standings.table],
        "cross": [_pair(pair, evidence) for pair in standings.cross],
        "seats": [
            {
                "player": cell.player,
                "seat": cell.seat,
                "score": _rounded(cell.score),
                "matches": ranges(evidence.in_seat[cell.player, cell.seat]),
            }
            for cell in standings.seats
        ],
        "seat_effects": {seat: _rounded(effect, 1) for seat, effect in standings.seat_effects.items()},
        "results": [_match(match, ended.results[match.pairing.number]) for match in played],
    }


def _pair(pair: Duel, evidence: Evidence) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "share": _rounded(pair.share),
        "stronger": _known(pair.stronger, 4),
        "differ": pair.differ,
        "matches": ranges(evidence.together[pair.a, pair.b]),
    }


def _row(row: Standing, evidence: Evidence) -> dict[str, Any]:
    total, spent = row.total, row.total.spent
    return {
        "player": row.player,
        "matches": row.matches,
        "counted": row.counted,
        "wins": row.wins,
        "decisions": total.decisions,
        "fallbacks": total.fallbacks,
        "faults": total.faults,
        "forfeits": total.forfeits,
        "answers": spent.answers,
        "tokens": spent.tokens,
        "score": _rounded(row.score),
        "rating": _rounded(row.rating, 1),
        "dollars": _known(spent.dollars, 6),
        "seconds": round(spent.seconds, 3),
        "tokens_per_match": round(row.tokens_per_match, 1),
        "dollars_per_match": _known(row.dollars_per_match, 6),
        "score_per_dollar": _known(row.score_per_dollar, 3),
        "seconds_per_answer": _known(row.seconds_per_answer, 3),
        "counted_matches": ranges(evidence.counted[row.player]),
    }


def _known(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


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
        "tokens": spent.tokens,
        "dollars": spent.dollars,
        "seconds": result.seconds,
    }


def _estimated(estimate: CampaignEstimate) -> dict[str, Any]:
    return {
        "matches": estimate.left,
        "rests_on": estimate.measured,
        "tokens": estimate.tokens,
        "dollars": _known(estimate.dollars, 6),
        "seconds": round(estimate.seconds, 1),
    }


def _rounded(interval: Interval, digits: int = 5) -> dict[str, Any]:
    ends = interval.ci95
    return {
        "mean": _known(interval.mean, digits),
        "ci95": None if ends is None else [round(end, digits) for end in ends],
        "n": interval.n,
    }
