"""What may be known: the public position, a seat's own view, and the numbers behind `analyze_situation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from grandstand.games.base import SeatId
from grandstand.games.cricket.laws.duckworth_lewis import par_score, resources
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.ball_model import times
from grandstand.games.cricket.model.context import resembles, standard_field
from grandstand.games.cricket.model.engine import BAT_RUNS, NOBALL, RUN_OUT, WICKET, WIDE, Choice, Moment, odds
from grandstand.games.cricket.model.teams import Team
from grandstand.games.cricket.types import Analysis, BallAhead, InningsCard, MatchState, Observation, Outlook
from grandstand.games.cricket.vocab import INTENTS, LENGTHS, PHASES, SEATS, STYLES

if TYPE_CHECKING:
    from grandstand.games.cricket.match.contest import Contest

_ACCURACY: Final = 1.1
"""A typical bowler's scale of error: the analysis knows no hidden one."""


def public_state(game: Contest) -> MatchState:
    """The whole position that everybody may see."""
    options, result = game.options, game.result
    scenario = options.start(game.seed)
    return {
        "format": {
            "overs": options.overs,
            "era": options.era,
            "conditions": options.conditions,
            "method": game.method,
            "situation": None if scenario is None else {"pack": options.pack, "title": scenario.title},
        },
        "turn": turn(game),
        "stage": game.stage,
        "teams": {seat: team.sheet for seat, team in zip(SEATS, game.teams, strict=True)},
        "toss_winner": SEATS[game.toss_winner],
        "innings": [game.card(innings) for innings in game.innings],
        "now": position(game) if game.stage in ("play", "review") else None,
        "result": None if result is None else {"winners": result.winners, "text": result.text, "reason": result.reason},
    }


def turn(game: Contest) -> str:
    """The short public name of the moment: `1st innings 4.3`."""
    if not game.innings:
        return "Toss"
    innings = game.now
    ordinal = ("1st", "2nd")[(innings.number - 1) % 2]
    if innings.rules.super_over:
        return f"Super Over {(innings.number - 1) // 2}, {ordinal} innings {innings.name}"
    return f"{ordinal} innings {innings.name}"


def scorecard(game: Contest, innings: Innings) -> InningsCard:
    """Batters r, b, 4s (f), 6s (s) in batting order; bowlers balls, maidens, r, w, wides, no-balls; fall of wickets
    [score, name, legal balls]; completed overs [runs, wickets]. `powerplay` is in balls, `quota` in overs a bowler."""
    batting, bowling = game.teams[innings.batting_side].players, game.teams[innings.bowling_side].players
    return {
        "innings": innings.number,
        "batting": SEATS[innings.batting_side],
        "overs": innings.rules.overs,
        "super_over": innings.rules.super_over,
        "target": innings.target,
        "powerplay": innings.rules.powerplay_balls,
        "quota": innings.rules.bowler_max_overs,
        "runs": innings.runs,
        "wickets": innings.wickets,
        "balls": innings.legal,
        "extras": {
            "b": innings.byes,
            "lb": innings.legbyes,
            "w": innings.wides,
            "nb": innings.noballs,
            "p": innings.penalties,
        },
        "batters": [
            {"name": batting[i].name, "r": c.runs, "b": c.balls, "f": c.fours, "s": c.sixes, "out": c.out}
            for i, c in ((i, innings.batters[i]) for i in innings.order)
        ],
        "bowlers": [
            [bowling[i].name, c.balls, c.maidens, c.runs, c.wickets, c.wides, c.noballs]
            for i, c in innings.bowlers.items()
        ],
        "fall": [[score, batting[i].name, balls] for score, i, balls in innings.fall],
        "by_over": [[runs, wickets] for _, runs, wickets in innings.overs],
        "closed": innings.closed,
    }


def position(game: Contest) -> BallAhead:
    """The ball about to be bowled."""
    innings = game.now
    batting, bowling = game.teams[innings.batting_side], game.teams[innings.bowling_side]

    def name(side: Team, player: int | None) -> str | None:
        return None if player is None else side.players[player].name

    rules = innings.rules
    rate = innings.required_rate()
    return {
        "ball": innings.name,
        "batting": SEATS[innings.batting_side],
        "bowling": SEATS[innings.bowling_side],
        "striker": name(batting, innings.striker),
        "non_striker": name(batting, innings.non_striker),
        "bowler": name(bowling, innings.bowler),
        "last_bowler": name(bowling, innings.last_bowler),
        "free_hit": innings.free_hit,
        "powerplay": rules.in_powerplay(innings.legal),
        "max_outside": rules.max_outside(innings.legal),
        "phase": PHASES[resembles(rules, min(innings.legal, rules.balls - 1))[1]],
        "field": list(game.field.places),
        "this_over": innings.over_log[:],
        "balls_left": innings.balls_left,
        "need": innings.need,
        "required_rate": None if rate is None else round(rate, 2),
        "run_rate": round(6 * innings.runs / innings.legal, 2) if innings.legal else 0.0,
        "partnership": [innings.partner_runs, innings.partner_balls],
        "reviews": {"batting": innings.bat_reviews, "bowling": innings.field_reviews},
        "overs_left": {bowling.players[i].name: left for i, left in overs_left(game).items()},
    }


def overs_left(game: Contest) -> dict[int, int]:
    """Quota left of every bowler who has bowled or is a front-line one (a part-timer has the whole of it)."""
    innings = game.now
    side = game.teams[innings.bowling_side]
    most = innings.rules.bowler_max_overs
    return {
        i: most - (innings.bowlers[i].overs if i in innings.bowlers else 0)
        for i, player in enumerate(side.players)
        if i != side.keeper and (player.front_line or i in innings.bowlers)
    }


def observation(game: Contest, seat: SeatId) -> Observation:
    """The public position with the seat's own plan and, once made, its own hidden choice of this ball."""
    side = SEATS.index(seat)
    own = {"seat": seat, "plan": game.plans[side], "choice": game.choices[side]}
    view = cast(Observation, {**public_state(game), **own})
    if game.stage == "review" and game.appeal is not None:
        made = game.appeal_made(game.delivery())
        view["appeal"] = {
            "kind": made.kind,
            "given_out": made.given_out,
            "evidence": made.evidence,
            "may_review": made.may_review,
            "reviews_left": made.reviews_left,
        }
    return view


# --- analysis ---------------------------------------------------------------------------------------------------------


def analysis(game: Contest, side: int) -> Analysis:
    """What a scorer with tables would say: rates, par, and a typical player's odds. No hidden ability, no luck."""
    if not game.innings:
        return {
            "toss": f"sides that win the toss field first {round(100 * game.model.draws['field_first'])}% of the time"
        }
    innings = game.now
    left = innings.balls_left
    rate = 6 * innings.runs / innings.legal if innings.legal else 0.0
    out: Analysis = {
        "run_rate": round(rate, 2),
        "balls_left": left,
        "wickets_left": innings.rules.wickets - innings.wickets,
        "projected": {str(r): round(innings.runs + r * left / 6) for r in (round(rate, 1), 8, 10, 12)},
    }
    if innings.target is not None and not innings.rules.super_over:
        used = game.resources[1] - resources(left, innings.wickets)
        out["need"], out["required_rate"] = innings.need, round(innings.required_rate() or 0.0, 2)
        out["par_now"] = par_score(game.innings[0].runs, game.resources[0], used)
    if side == innings.batting_side:
        out["by_intent"] = {intent: _outlook(game, Choice(intent=intent)) for intent in INTENTS}
    else:
        aims = [(tactics.NATURAL, "natural"), *enumerate(LENGTHS)]
        out["by_length"] = {
            name: _outlook(game, Choice(aim=(length, tactics.NATURAL), repeats=_repeats(game, length)))
            for length, name in aims
            if not (name == "bouncer" and game.attack == 1)
        }
        team = game.teams[side]
        phase = resembles(innings.rules, min(innings.legal, innings.rules.balls - 1))[1]
        out["bowlers"] = {
            team.players[i].name: {
                "style": STYLES[team.players[i].style or "OB"][1],
                "overs_left": spare,
                "season_economy_in_phase": team.players[i].season["econ"][phase],
            }
            for i, spare in overs_left(game).items()
        }
    return out


def _repeats(game: Contest, length: int) -> int:
    innings = game.now
    return 0 if innings.bowler is None else tactics.repeats(innings.bowlers[innings.bowler].aims, length, "natural")


def _outlook(game: Contest, choice: Choice) -> Outlook:
    """Expected runs and chance of a wicket on the next ball, for a typical batter and bowler in the field set now."""
    p = class_shares(game, choice)
    runs = sum(p[k] * r for k, r in enumerate(BAT_RUNS)) + 1.1 * p[WIDE] + 2.4 * p[NOBALL] + 1.3 * p[10]
    return {"runs": round(runs, 2), "wicket": round(p[WICKET] + p[RUN_OUT], 3)}


def class_shares(game: Contest, choice: Choice) -> list[float]:
    """Public odds of the eleven classes on the next ball, averaged over where it may land."""
    innings = game.now
    moment: Moment = game.moment()
    group = moment.group
    place = innings.striker if innings.striker is not None else min(innings.wickets, 10)
    pair = times(tactics.batter_factor(game.model, place, 0.0), tactics.tempo(innings.rules))
    fields = (game.field, standard_field(innings.rules, innings.legal, group))
    variation = choice.variation or ("stock" if group == 1 else "natural")
    total = [0.0] * 11
    for length, line, share in tactics.landing_odds(moment.phase, group, choice.aim, _ACCURACY):
        weights = odds(game.model, moment, pair, choice, (length, line), variation, fields)
        whole = sum(weights)
        for k, weight in enumerate(weights):
            total[k] += share * weight / whole
    return total
