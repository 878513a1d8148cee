"""A seat's view as one prompt for a language model: byte for byte the same in training and in play."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from grandstand.games.cricket.laws.field import PRESETS
from grandstand.games.cricket.match import observation
from grandstand.games.cricket.model.context import resembles
from grandstand.games.cricket.vocab import INTENTS, LENGTHS, LINES, PHASES, SEATS, SHOTS, STYLES, VARIATIONS

if TYPE_CHECKING:
    from grandstand.games.cricket.game import CricketGame

_HEAD = "You captain {team} in a {overs}-over cricket match ({era} scoring). Score more runs than {other}."


def prompt(game: CricketGame, seat: str) -> str:
    """Everything `seat` may know now, in words, ending with the tools it can call."""
    side = SEATS.index(seat)
    team, other = game.teams[side], game.teams[1 - side]
    parts = [_HEAD.format(team=team.name, other=other.name, overs=game.options.overs, era=game.options.era)]
    if game.innings:
        parts += [_score(game), _batters(game), _bowlers(game, side)]
        if (plan := game.plans[side]) is not None:
            parts.append("Your plan: " + json.dumps(plan))
    else:
        parts.append("You won the toss." if game.toss_winner == side else "The other side won the toss.")
    if game.stage == "review" and game.appeal is not None:
        made = game.appeal_made(game.delivery())
        given = "OUT" if made.given_out else "NOT OUT"
        parts.append(
            f"Appeal for {made.kind} against {made.batter}: given {given}. A reversal looks {made.evidence}; "
            f"reviews left: {made.reviews_left}."
        )
    parts.append(_tools(game, side))
    return "\n\n".join(parts) + "\n"


def _score(game: CricketGame) -> str:
    innings = game.now
    team = game.teams[innings.batting_side].name
    lines = [
        f"{game.turn}. {team} {innings.runs}/{innings.wickets} after {innings.legal // 6}.{innings.legal % 6} "
        f"of {innings.rules.overs} overs."
    ]
    if innings.target is not None:
        method = f" ({game.method})" if game.method else ""
        lines.append(
            f"Target {innings.target}{method}: need {innings.need} off {innings.balls_left}, "
            f"{innings.required_rate():.1f} an over."
        )
    phase = PHASES[resembles(innings.rules, min(innings.legal, innings.rules.balls - 1))[1]]
    lines.append(f"Phase {phase}; at most {innings.rules.max_outside(innings.legal)} fielders outside the circle.")
    if innings.free_hit:
        lines.append("FREE HIT: only a run out counts.")
    lines.append(f"This over: {' '.join(innings.over_log) or 'nothing yet'}. Field: {', '.join(game.field.places)}.")
    lines.append(f"Reviews left: batting {innings.bat_reviews}, bowling {innings.field_reviews}.")
    return "\n".join(lines)


def _batters(game: CricketGame) -> str:
    innings = game.now
    players = game.teams[innings.batting_side].players
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


def _bowlers(game: CricketGame, side: int) -> str:
    innings = game.now
    team = game.teams[innings.bowling_side]
    now = "nobody yet" if innings.bowler is None else team.players[innings.bowler].name
    last = "" if innings.last_bowler is None else f" {team.players[innings.last_bowler].name} bowled the last over."
    lines = [f"Bowling: {now}.{last} Figures, overs left, season runs an over in powerplay/middle/death:"]
    for i, left in observation.overs_left(game).items():
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


def _tools(game: CricketGame, side: int) -> str:
    lines = []
    for tool in game.allowed(side):
        words = _ARGUMENTS.get(tool)
        if tool == "choose_next_over_plan":
            words = (
                "intent, shot, note"
                if side == game.now.batting_side
                else "bowler, field, length, line, variation, note"
            )
        elif tool == "bowl_delivery":
            bowler = game.now.bowler
            groups = VARIATIONS if bowler is None else {game.teams[side].players[bowler].group: ()}
            variations = dict.fromkeys(v for g in groups for v in VARIATIONS[g])
            words = (
                f"length: natural | {' | '.join(LENGTHS)}; line: natural | {' | '.join(LINES)}; "
                f"variation: natural | {' | '.join(variations)}"
            )
        lines.append(f"- {tool}({words})")
    must = game.allowed(side)[0]
    free = f"the others are free ({game.free_calls_left(side)} calls left)"
    head = f"Tools; {must} moves the match on, {free}. Every argument may be left out:"
    return "\n".join([head, *lines])
