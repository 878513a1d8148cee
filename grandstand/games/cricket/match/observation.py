"""Views of a match: the public position, a seat's own view, and the numbers behind `analyze_situation`."""

from __future__ import annotations

from typing import cast

from grandstand.games.base import SeatId, Shared
from grandstand.games.cricket.laws.duckworth_lewis import par_score, resources
from grandstand.games.cricket.laws.field import restrictions
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.average import worth
from grandstand.games.cricket.model.ball_model import Array
from grandstand.games.cricket.model.context import resembles, standard_field
from grandstand.games.cricket.model.engine import (
    RUN_OUT,
    WICKET,
    BallChoice,
)
from grandstand.games.cricket.model.forecast import FORECASTS
from grandstand.games.cricket.model.matchups import turns
from grandstand.games.cricket.model.public_ball import PublicBall
from grandstand.games.cricket.model.public_ball import class_shares as public_shares
from grandstand.games.cricket.model.reading import read
from grandstand.games.cricket.model.teams import Team
from grandstand.games.cricket.types import (
    Analysis,
    BallAhead,
    DayForecast,
    Format,
    InningsCard,
    NextBall,
    Observation,
    PublicState,
    Replacement,
)
from grandstand.games.cricket.vocab import INTENTS, LENGTHS, PHASES, SEATS, STYLES


def public_state(state: ContestState) -> PublicState:
    """Return the whole position that every viewer may see."""
    result = state.result
    public: PublicState = {
        "format": _format(state),
        "turn": turn(state),
        "stage": state.stage,
        "teams": {seat: team.sheet for seat, team in zip(SEATS, state.teams, strict=True)},
        "toss_winner": SEATS[state.toss_winner],
        "innings": [card(state, innings) for innings in state.innings],
        "now": position(state) if state.stage in ("play", "review") else None,
        "result": None if result is None else {"winners": result.winners, "text": result.text, "reason": result.reason},
    }
    if replaced := replacements(state):
        public["replaced"] = replaced
    return public


def replacements(state: ContestState) -> dict[SeatId, Replacement]:
    """Return the impact players so far, by seat."""
    out: dict[SeatId, Replacement] = {}
    for seat, team, replaced in zip(SEATS, state.teams, state.impact, strict=True):
        if replaced is not None:
            number, came, left = replaced
            out[seat] = {"innings": number, "player": team.players[came].name, "replaces": team.players[left].name}
    return out


def _format(state: ContestState) -> Format:
    options = state.options
    scenario = options.start(state.seed)
    out: Format = {
        "overs": options.overs,
        "era": options.era,
        "conditions": options.conditions,
        "method": state.method,
        "situation": None if scenario is None else {"pack": options.pack, "title": scenario.title},
    }
    if (expected := day_forecast(state)) is not None:
        out["forecast"] = expected
    return out


def day_forecast(state: ContestState) -> DayForecast | None:
    """Return what the second innings is expected to be like; None where it is like the first."""
    expected = FORECASTS[state.forecast]
    return {"kind": state.forecast, "words": expected.words} if expected.drift else None


def turn(state: ContestState) -> str:
    """Return the short public name of the moment: `1st innings 4.3`."""
    if not state.innings:
        return "Toss"
    innings = state.now
    ordinal = ("1st", "2nd")[(innings.number - 1) % 2]
    if innings.rules.super_over:
        return f"Super Over {(innings.number - 1) // 2}, {ordinal} innings {innings.name}"
    return f"{ordinal} innings {innings.name}"


def event_state(state: ContestState) -> PublicState | None:
    """Return the public position for an event; None in rollouts."""
    return None if state.headless else public_state(state)


def card(state: ContestState, innings: Innings) -> InningsCard:
    """Return the scorecard of an innings; that of a past one is built once."""
    if innings is state.now and state.stage != "over":
        return scorecard(state, innings)
    result = state.cards.get(innings.number)
    if result is None:
        result = state.cards[innings.number] = cast("InningsCard", Shared(scorecard(state, innings)))
    return result


def scorecard(state: ContestState, innings: Innings) -> InningsCard:
    """Return the card of one innings as data.

    Batters r, b, 4s (f), 6s (s) in batting order; bowlers balls, maidens, r, w, wides, no-balls; fall of wickets
    [score, name, legal balls]; completed overs [runs, wickets]. `powerplay` is in balls, `quota` in overs a bowler.
    """
    batting, bowling = state.teams[innings.batting_side].players, state.teams[innings.bowling_side].players
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


def position(state: ContestState) -> BallAhead:
    """Return the situation of the ball about to be bowled."""
    innings = state.now
    batting, bowling = state.teams[innings.batting_side], state.teams[innings.bowling_side]

    def name(side: Team, player: int | None) -> str | None:
        return None if player is None else side.players[player].name

    rules = innings.rules
    rate = innings.required_rate()
    out: BallAhead = {
        "ball": innings.name,
        "batting": SEATS[innings.batting_side],
        "bowling": SEATS[innings.bowling_side],
        "striker": name(batting, innings.striker),
        "non_striker": name(batting, innings.non_striker),
        "bowler": name(bowling, innings.bowler),
        "last_bowler": name(bowling, innings.last_bowler),
        "free_hit": innings.free_hit,
        "powerplay": rules.in_powerplay(innings.legal),
        "max_outside": innings.max_outside,
        "phase": PHASES[resembles(rules, min(innings.legal, rules.balls - 1))[1]],
        "field": list(state.field.places),
        "this_over": innings.over_log[:],
        "balls_left": innings.balls_left,
        "need": innings.need,
        "required_rate": None if rate is None else round(rate, 2),
        "run_rate": round(6 * innings.runs / innings.legal, 2) if innings.legal else 0.0,
        "partnership": [innings.partner_runs, innings.partner_balls],
        "reviews": {"batting": innings.bat_reviews, "bowling": innings.field_reviews},
        "overs_left": {bowling.players[i].name: left for i, left in overs_left(state).items()},
    }
    if (cut_off := innings.rules.cut_off) is not None:
        out["clock"] = {"elapsed": innings.clock, "cut_off": cut_off}
    return out


def turns_from(state: ContestState, bowler: int) -> dict[str, str]:
    """Return batter -> `away` or `in`, for those at the wicket to whom the turn of this bowler tells something."""
    innings = state.now
    style = state.teams[innings.bowling_side].players[bowler].style
    players = [state.teams[innings.batting_side].players[i] for i in innings.at_the_wicket]
    return {player.name: turn for player in players if (turn := turns(style, player.hand)) is not None}


def turning(state: ContestState, bowler: int) -> str:
    """Return `turns away from A and B`, or an empty text."""
    names: dict[str, list[str]] = {}
    for batter, turn in turns_from(state, bowler).items():
        names.setdefault(turn, []).append(batter)
    parts = [f"{'away from' if turn == 'away' else 'in to'} {' and '.join(names[turn])}" for turn in sorted(names)]
    return f"turns {', '.join(parts)}" if parts else ""


def overs_left(state: ContestState) -> dict[int, int]:
    """Return the remaining quota of each front-line bowler, and of each part-timer who has bowled."""
    innings = state.now
    side = state.teams[innings.bowling_side]
    most = innings.rules.bowler_max_overs
    return {
        i: most - (innings.bowlers[i].overs if i in innings.bowlers else 0)
        for i in innings.elevens[innings.bowling_side]
        if i != side.keeper and (side.players[i].front_line or i in innings.bowlers)
    }


def observation(state: ContestState, seat: SeatId) -> Observation:
    """Return the public position with the seat's own plan and its hidden choice of this ball, if made."""
    side = SEATS.index(seat)
    own = {"seat": seat, "plan": state.plans[side], "choice": state.choices[side]}
    view = cast(Observation, {**public_state(state), **own})
    if state.stage == "review" and state.appeal is not None:
        appeal = state.appeal_made(state.delivery())
        view["appeal"] = {
            "kind": appeal.kind,
            "given_out": appeal.given_out,
            "evidence": appeal.evidence,
            "may_review": appeal.may_review,
            "reviews_left": appeal.reviews_left,
        }
    if state.stage == "play" and side == state.now.bowling_side:
        most = state.now.max_outside
        view["restrictions"] = [
            {"where": rule.where, "most": rule.most, "places": list(rule.places)} for rule in restrictions(most)
        ]
    return view


# --- analysis ---------------------------------------------------------------------------------------------------------


def analysis(state: ContestState, side: int) -> Analysis:
    """Return a scorer's numbers: rates, par, and a typical player's odds, without hidden abilities and draws."""
    if not state.innings:
        usual = f"sides that win the toss field first {round(100 * state.model.draws['field_first'])}% of the time"
        return {"toss": f"{usual}. {FORECASTS[state.forecast].words}"}
    innings = state.now
    left = innings.balls_left
    rate = 6 * innings.runs / innings.legal if innings.legal else 0.0
    out: Analysis = {
        "run_rate": round(rate, 2),
        "balls_left": left,
        "wickets_left": innings.rules.wickets - innings.wickets,
        "projected": {str(r): round(innings.runs + r * left / 6) for r in (round(rate, 1), 8, 10, 12)},
    }
    if innings.target is not None and not innings.rules.super_over:
        used = state.resources[1] - resources(left, innings.wickets)
        out["need"], out["required_rate"] = innings.need, round(innings.required_rate() or 0.0, 2)
        out["par_now"] = par_score(state.innings[0].runs, state.resources[0], used)
    if side == innings.batting_side:
        out["by_intent"] = {intent: _outlook(state, BallChoice(intent=intent)) for intent in INTENTS}
    else:
        aims = [(tactics.NATURAL, "natural"), *enumerate(LENGTHS)]
        out["by_length"] = {
            name: _outlook(state, BallChoice(aim=(length, tactics.NATURAL), read=_read(state, length)))
            for length, name in aims
            if not (name == "bouncer" and state.attack == 1)
        }
        team = state.teams[side]
        phase = resembles(innings.rules, min(innings.legal, innings.rules.balls - 1))[1]
        out["bowlers"] = {
            team.players[i].name: {
                "style": STYLES[team.players[i].style or "OB"][1],
                "overs_left": spare,
                "season_economy_in_phase": team.players[i].season["econ"][phase],
                "turns": turns_from(state, i),
            }
            for i, spare in overs_left(state).items()
        }
    return out


def _read(state: ContestState, length: int) -> float:
    innings = state.now
    return 0.0 if innings.bowler is None else read(state.aims[state.attack], (length, tactics.NATURAL, "natural"))


def _outlook(state: ContestState, choice: BallChoice) -> NextBall:
    """Return the expected runs and chance of a wicket of the next ball, for typical players in the present field."""
    p = class_shares(state, choice)
    runs = float(p @ worth(state.model, state.moment().phase))
    return {"runs": round(runs, 2), "wicket": round(float(p[WICKET] + p[RUN_OUT]), 3)}


def class_shares(state: ContestState, choice: BallChoice) -> Array:
    """Return the public odds of the eleven classes on the next ball, averaged over where it may land."""
    return public_shares(ball_ahead(state, choice))


def ball_ahead(state: ContestState, choice: BallChoice) -> PublicBall:
    """Return the next ball with these calls in the present field."""
    innings, moment = state.now, state.moment()
    striker = innings.striker if innings.striker is not None else min(innings.wickets, 10)
    place = state.teams[innings.batting_side].players[striker].place
    standard = standard_field(innings.rules, innings.legal, moment.group)
    left = innings.bouncers < innings.rules.bouncers_per_over
    return PublicBall(
        state.options.era, innings.rules, moment, place, choice, state.field, standard, left, state.breach() is not None
    )
