"""A seat's view as one prompt for a language model: byte for byte the same in training and in play."""

from __future__ import annotations

import json
from typing import Final

from grandstand.games.cricket.agent import actions, choices, menu, over_slots
from grandstand.games.cricket.laws.field import PRESETS
from grandstand.games.cricket.laws.rules import ELEVEN
from grandstand.games.cricket.match import observation, over_plan
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.context import resembles
from grandstand.games.cricket.model.forecast import FORECASTS
from grandstand.games.cricket.types import OverPlan
from grandstand.games.cricket.vocab import INTENTS, PHASES, REVIEWED_EXTRAS, SEATS, SHOTS, STYLES
from grandstand.games.offered import listing, without
from grandstand.games.prompts import PromptPart, PromptSettings, joined

DEFAULT = PromptSettings()
THIS_OVER = 1
"""The default history of a prompt, in overs: the balls of this over."""

NEEDLESS: Final = {"analyze_situation": "the scorer's numbers are in the prompt already; make the call that moves on"}
"""Tool -> why a language model does not need it."""

_PLANNED: Final = """\
You plan the rest of the over; every argument may be left out. A theme calls the length or the variation of up to two
balls in five, a zone the line of one in three; the rest are bowled as real bowlers do. A shot is the stroke of one ball
in four, called before it is bowled; the rest are played as they come. A free hit is slogged."""
_HEAD = "You captain {team} in a {overs}-over cricket match ({era} scoring). Score more runs than {other}."


def prompt(state: ContestState, seat: str) -> str:
    """Return everything `seat` may know now, in words, ending with the tools it can call."""
    return f"{joined(parts(state, seat))}\n"


def parts(state: ContestState, seat: str, settings: PromptSettings = DEFAULT) -> list[PromptPart]:
    """Return the same text in named parts, by the settings of a prompt."""
    side = SEATS.index(seat)
    team, other = state.teams[side], state.teams[1 - side]
    head = _HEAD.format(team=team.name, other=other.name, overs=state.options.overs, era=state.options.era)
    overs = THIS_OVER if settings.history is None else settings.history
    return [
        PromptPart("rules", head),
        *(PromptPart("position", text) for text in _position(state, side, this_over=overs > 0)),
        PromptPart("history", _earlier_overs(state, overs - 1) if state.innings and overs > 1 else ""),
        PromptPart("legal", _tools(state, seat) if settings.legal else _all_tools(state)),
    ]


def _position(state: ContestState, side: int, this_over: bool) -> list[str]:
    if state.innings:
        texts = [_score(state, this_over), _batters(state), _bowlers(state, side), *_impact(state, side)]
        if (plan := state.plans[side]) is not None:
            texts.append(_plan(plan))
    else:
        texts = ["You won the toss." if state.toss_winner == side else "The other side won the toss."]
        texts.append(FORECASTS[state.forecast].words)
    if state.stage == "review" and state.appeal is not None:
        appeal = state.appeal_made(state.delivery())
        given = "OUT" if appeal.given_out else "NOT OUT"
        decision = f"Appeal for {appeal.kind} against {appeal.batter}: given {given}."
        if appeal.kind in REVIEWED_EXTRAS:
            called = "Called a" if appeal.given_out else "Not called a"
            decision = f"{called} {appeal.kind}: the ball of {appeal.bowler} to {appeal.batter}."
        texts.append(f"{decision} A reversal looks {appeal.evidence}; reviews left: {appeal.reviews_left}.")
    return texts


def _plan(plan: OverPlan) -> str:
    lines = ["Your plan: " + json.dumps({name: value for name, value in plan.items() if name != "why"})]
    if "why" in plan:
        lines.append(f"After the {plan['why']} you may change it; what you leave out stays.")
    return "\n".join(lines)


def _earlier_overs(state: ContestState, most: int) -> str:
    """Return the last completed overs of this innings, the latest last; empty before the end of the first one."""
    innings = state.now
    bowlers = state.teams[innings.bowling_side].players
    overs = innings.overs[-most:]
    first = innings.legal // 6 - len(overs) + 1
    lines = [f"{first + at}: {runs}-{wickets}, {bowlers[by].name}" for at, (by, runs, wickets) in enumerate(overs)]
    return "\n".join(["Overs before this one, runs and wickets:", *lines]) if lines else ""


def _score(state: ContestState, this_over: bool) -> str:
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
    lines.append(f"Phase {phase}; at most {innings.max_outside} fielders outside the circle.")
    if (cut_off := innings.rules.cut_off) is not None:
        lines.append(
            f"Clock of the bowling side: {innings.clock // 60} minutes. It has to begin the last over by "
            f"{cut_off // 60}, or has one fielder fewer outside the circle. New fields take time; spin is quicker."
        )
    if innings.number < 3 and (expected := observation.day_forecast(state)) is not None:
        lines.append(expected["words"])
    if innings.free_hit:
        lines.append("FREE HIT: only a run out counts.")
    balls = f"This over: {' '.join(innings.over_log) or 'nothing yet'}. " if this_over else ""
    lines.append(f"{balls}Field: {', '.join(state.field.places)}.")
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
        f"{players[i].name} ({players[i].hand}, {players[i].season['avg']}, {players[i].season['sr']})"
        for i in innings.waiting()
    )
    return "\n".join([*lines, f"To come (hand, season average, strike rate): {waiting or 'nobody'}."])


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
        turning = observation.turning(state, i)
        style = f"{STYLES[player.style or 'OB'][1]}{f' ({turning})' if turning else ''}"
        lines.append(f"- {player.name}, {style}: {done}, {left} left, {econ}")
    return "\n".join(lines)


def _impact(state: ContestState, side: int) -> list[str]:
    """Return the impact players who have come in, and the side's own bench before."""
    lines = [
        f"{replaced['player']} came in as the impact player for {replaced['replaces']}, who takes no further part."
        for replaced in observation.replacements(state).values()
    ]
    if state.now.rules.impact_player and state.impact[side] is None:
        bench = [f"- {player.name}: {over_slots.played_by(player)}" for player in state.teams[side].players[ELEVEN:]]
        lines += ["Your bench. Before an over one of them may replace one of your eleven, once in the match:", *bench]
    return ["\n".join(lines)] if lines else []


def _tools(state: ContestState, seat: str) -> str:
    grammar = without(lambda chosen: choices.choices(state, seat, chosen), NEEDLESS)
    if not grammar({}):
        return ""
    if state.options.decisions == "over":
        return f"{_PLANNED}\n{listing(grammar)}"
    must, free = menu.allowed(state, SEATS.index(seat))[0], menu.free_calls_left(state, SEATS.index(seat))
    head = f"Tools; {must} moves the match on, the others are free ({free} calls left). Every argument may be left out."
    return f"{head}\n{listing(grammar)}"


def _all_tools(state: ContestState) -> str:
    """Return every tool of the match, as the form of an answer, without the calls that are legal now."""
    by_ball = [tool for tool in actions.ARGUMENTS if tool != actions.PLAN_OVER]
    tools = _OVER_TOOLS if state.options.decisions == "over" else by_ball
    without = () if state.teams[0].players[ELEVEN:] else actions.ARGUMENTS[actions.IMPACT]
    lines = [
        f"- {tool}({'; '.join(f'{name}: {_WORDS[name]}' if name in _WORDS else name for name in arguments)})"
        for tool in tools
        for arguments in [[name for name in actions.ARGUMENTS[tool] if name not in without]]
        if tool not in NEEDLESS and (arguments or tool != actions.IMPACT)
    ]
    return "\n".join(["All tools of the match, legal now or not. Every argument may be left out:", *lines])


_OVER_TOOLS: Final = ("set_toss", actions.PLAN_OVER, "review")
_WORDS = {
    name: ", ".join(words)
    for name, words in (
        ("decision", ("bat", "field")),
        ("take", ("true", "false")),
        ("preset", ("standard", *PRESETS)),
        ("length", actions.LENGTH_WORDS),
        ("line", actions.LINE_WORDS),
        ("variation", actions.ALL_VARIATIONS),
        ("intent", INTENTS),
        ("shot", SHOTS),
        ("retire", ("striker", "non_striker")),
        *over_plan.valid_words().items(),
        ("ask", ("true", "false")),
    )
}
"""Argument -> its words, if they are the same for the whole match."""
