"""A seat's view as one prompt for a language model: byte for byte the same in training and in play."""

from __future__ import annotations

import json

from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.laws.field import PRESETS
from grandstand.games.cricket.match import observation
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.context import resembles
from grandstand.games.cricket.vocab import INTENTS, LENGTHS, LINES, PHASES, SEATS, SHOTS, STYLES, VARIATIONS

_HEAD = "You captain {team} in a {overs}-over cricket match ({era} scoring). Score more runs than {other}."


def prompt(state: ContestState, seat: str) -> str:
    """Return everything `seat` may know now, in words, ending with the tools it can call."""
    side = SEATS.index(seat)
    team, other = state.teams[side], state.teams[1 - side]
    parts = [_HEAD.format(team=team.name, other=other.name, overs=state.options.overs, era=state.options.era)]
    if state.innings:
        parts += [_score(state), _batters(state), _bowlers(state, side)]
        if (plan := state.plans[side]) is not None:
            parts.append("Your plan: " + json.dumps(plan))
    else:
        parts.append("You won the toss." if state.toss_winner == side else "The other side won the toss.")
    if state.stage == "review" and state.appeal is not None:
        appeal = state.appeal_made(state.delivery())
        decision = "OUT" if appeal.given_out else "NOT OUT"
        parts.append(
            f"Appeal for {appeal.kind} against {appeal.batter}: given {decision}. A reversal looks {appeal.evidence}; "
            f"reviews left: {appeal.reviews_left}."
        )
    parts.append(_tools(state, side))
    return "\n\n".join(parts) + "\n"


def _score(state: ContestState) -> str:
    innings = state.now
    team = state.teams[innings.batting_side].name
    lines = [
        f"{observation.turn(state)}. {team} {innings.runs}/{innings.wickets} after "
        f"{innings.legal // 6}.{innings.legal % 6} of {innings.rules.overs} overs."
    ]
    if innings.target is not None:
        method = f" ({state.method})" if state.method else ""
        lines.append(
            f"Target {innings.target}{method}: need {innings.need} off {innings.balls_left}, "
            f"{innings.required_rate():.1f} an over."
        )
    phase = PHASES[resembles(innings.rules, min(innings.legal, innings.rules.balls - 1))[1]]
    lines.append(f"Phase {phase}; at most {innings.rules.max_outside(innings.legal)} fielders outside the circle.")
    if innings.free_hit:
        lines.append("FREE HIT: only a run out counts.")
    lines.append(f"This over: {' '.join(innings.over_log) or 'nothing yet'}. Field: {', '.join(state.field.places)}.")
    lines.append(f"Reviews left: batting {innings.bat_reviews}, bowling {innings.field_reviews}.")
    return "\n".join(lines)


def _batters(state: ContestState) -> str:
    innings = state.now
    players = state.teams[innings.batting_side].players
    lines = ["At the wicket:"]
    for i, mark in ((innings.striker, "*"), (innings.non_striker, "")):
        if i is None:
            lines.append("- a new batter is to come")
            continue
        card, season = innings.batters[i], players[i].season
        lines.append(
            f"- {players[i].name}{mark} {card.runs} ({card.balls}), {players[i].hand}-hand, "
            f"season average {season['avg']}, strike rate {season['sr']}"
        )
    waiting = ", ".join(
        f"{players[i].name} ({players[i].season['avg']}, {players[i].season['sr']})" for i in innings.waiting()
    )
    return "\n".join([*lines, f"To come (season average, strike rate): {waiting or 'nobody'}."])


def _bowlers(state: ContestState, side: int) -> str:
    innings = state.now
    team = state.teams[innings.bowling_side]
    now = "nobody yet" if innings.bowler is None else team.players[innings.bowler].name
    last = "" if innings.last_bowler is None else f" {team.players[innings.last_bowler].name} bowled the last over."
    lines = [f"Bowling: {now}.{last} Figures, overs left, season runs an over in powerplay/middle/death:"]
    for i, left in observation.overs_left(state).items():
        player, card = team.players[i], innings.bowlers.get(i)
        done = f"{card.balls // 6}.{card.balls % 6}-{card.maidens}-{card.runs}-{card.wickets}" if card else "0-0-0-0"
        econ = "/".join(str(figure) for figure in player.season["econ"])
        lines.append(f"- {player.name}, {STYLES[player.style or 'OB'][1]}: {done}, {left} left, {econ}")
    return "\n".join(lines)


_ARGUMENTS = {
    "set_toss": "decision: bat | field",
    "review": "take: true | false",
    "choose_bowler": "bowler: a name",
    "set_field": f"preset: standard | {' | '.join(PRESETS)}; or positions: nine names",
    "play_delivery": f"intent: {' | '.join(INTENTS)}; shot: {' | '.join(SHOTS)}",
    "choose_batter": "batter: a name; retire: striker | non_striker",
    "analyze_situation": "no arguments",
}


def _tools(state: ContestState, side: int) -> str:
    lines = []
    for tool in menu.allowed(state, side):
        words = _ARGUMENTS.get(tool)
        if tool == "choose_next_over_plan":
            words = (
                "intent, shot, note"
                if side == state.now.batting_side
                else "bowler, field, length, line, variation, note"
            )
        elif tool == "bowl_delivery":
            bowler = state.now.bowler
            groups = VARIATIONS if bowler is None else {state.teams[side].players[bowler].group: ()}
            variations = dict.fromkeys(v for g in groups for v in VARIATIONS[g])
            words = (
                f"length: natural | {' | '.join(LENGTHS)}; line: natural | {' | '.join(LINES)}; "
                f"variation: natural | {' | '.join(variations)}"
            )
        lines.append(f"- {tool}({words})")
    must = menu.allowed(state, side)[0]
    free = f"the others are free ({menu.free_calls_left(state, side)} calls left)"
    head = f"Tools; {must} moves the match on, {free}. Every argument may be left out:"
    return "\n".join([head, *lines])
