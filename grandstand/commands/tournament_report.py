"""The report of a tournament: a JSON document, and the same as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table as Grid

from grandstand.commands.console import harmless
from grandstand.commands.evaluation_plan import quoted
from grandstand.commands.evaluation_report import known_dollars, models, spent_words, variant
from grandstand.commands.play import number
from grandstand.commands.tournament_plan import TournamentSetup
from grandstand.commands.tournament_run import TournamentEnd, TournamentEstimate
from grandstand.models import Estimate, Standing
from grandstand.play.headless import MatchResult
from grandstand.play.ratings.statistics import Spent
from grandstand.play.tournament.standings import PlayedMatch

WIDEST = 12
"""The most players of a cross table."""


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


def tables(report: dict[str, Any]) -> list[Grid]:
    """Return the report as tables: the players, who beat whom, and the seats."""
    grids = [_players(report)]
    if len(report["players"]) <= WIDEST:
        grids.append(_cross(report))
    grids.append(_seats(report))
    return grids


def _players(report: dict[str, Any]) -> Grid:
    title = report["title"] or f"{report['game']}: {report['format']}"
    title = f"{title}, {report['played']} matches"
    if not report["complete"]:
        title += f" – INCOMPLETE, {report['planned']} planned"
    grid = Grid(title=escape(harmless(title)))
    rows = report["table"]
    paid = any(row["tokens"] for row in rows)
    grid.add_column("player")
    columns = ("counted", "score, 95 %", "rating, 95 %", "wins", "fallback", "faults", "forfeits")
    for column in (*columns, *(("tokens/match", "$/match", "score/$", "s each") if paid else ())):
        grid.add_column(column, justify="right")
    for row in rows:
        cells = [f"{row['counted']}/{row['matches']}", _cell(row["score"], 3), _cell(row["rating"], 0)]
        cells += [str(row["wins"]), f"{row['fallbacks']}/{row['decisions']}"]
        cells += [str(row["faults"]), str(row["forfeits"])]
        if paid:
            cells += [f"{row['tokens_per_match']:,.0f}", number(row["dollars_per_match"], 4)]
            cells += [number(row["score_per_dollar"], 2), number(row["seconds_per_answer"], 2)]
        grid.add_row(escape(harmless(row["player"])), *cells)
    return grid


def _cross(report: dict[str, Any]) -> Grid:
    """Return the shares of comparisons that the player of the row won against that of the column."""
    names = [row["player"] for row in report["table"]]
    pairs = {(pair["a"], pair["b"]): pair for pair in report["cross"]}
    grid = Grid(title="share won against")
    grid.add_column("")
    for name in names:
        grid.add_column(escape(harmless(name)), justify="right")
    for name in names:
        cells = []
        for other in names:
            pair = pairs.get((name, other)) or pairs.get((other, name))
            mean = None if pair is None else pair["share"]["mean"]
            share = mean if pair is None or mean is None or pair["a"] == name else 1 - mean
            cells.append(f"[bold]{share:.3f}[/bold]" if pair and pair["differ"] and share else number(share, 3))
        grid.add_row(escape(harmless(name)), *cells)
    return grid


def _seats(report: dict[str, Any]) -> Grid:
    grid = Grid(title="score by seat")
    grid.add_column("")
    seats = list(dict.fromkeys(cell["seat"] for cell in report["seats"]))
    for seat in seats:
        grid.add_column(seat, justify="right")
    cells = {(cell["player"], cell["seat"]): cell["score"]["mean"] for cell in report["seats"]}
    for row in report["table"]:
        name = row["player"]
        grid.add_row(escape(harmless(name)), *(number(cells[name, seat], 3) for seat in seats))
    effects = report["seat_effects"]
    if effects:
        grid.add_section()
        grid.add_row("seat, Elo", *(_cell(effects[seat], 0) if seat in effects else "–" for seat in seats))
    return grid


def _cell(interval: dict[str, Any], digits: int) -> str:
    ends = interval["ci95"]
    below = "" if ends is None else f"\n{ends[0]:.{digits}f} to {ends[1]:.{digits}f}"
    return number(interval["mean"], digits) + below


def notes(report: dict[str, Any]) -> list[str]:
    """Return notes that explain the tables, one per line."""
    out = [
        report["outcome"],
        "counted: matches in which the player made every decision itself; only they are part of score and rating",
        "below each mean: its 95 % interval over openings, whose matches share their luck"
        + (", true at every look at the results" if report["until"] else ""),
        "bold: the two differ, at 5 % for all pairs together",
        *(f"{name}: {variant(of)}" for name, of in report["models"].items()),
    ]
    if report["stopped"]:
        out.append(f"stopped: {report['stopped']}; what is here is what was played until then")
    if report["spent"]["tokens"]:
        out.append(spent_words(report["spent"]))
    failed = [match for match in report["results"] if match["status"] != "finished"]
    out += [f"match {match['number']} {match['status']}: {harmless(match['message'])}" for match in failed[:5]]
    if len(failed) > 5:
        out.append(f"and {len(failed) - 5} more matches were not played to their end")
    return out
