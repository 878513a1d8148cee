"""The tool call that plans an over: it checks the arguments, keeps the plan, and calls the first ball by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast

from grandstand.games.base import GameEvent, IllegalAction
from grandstand.games.cricket import events
from grandstand.games.cricket.agent import actions
from grandstand.games.cricket.agent.actions import KEEP
from grandstand.games.cricket.match import over_plan
from grandstand.games.cricket.match.contest import Contest
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.types import CalledPlan, OverPlan
from grandstand.games.cricket.vocab import SEATS

_BOWLING: Final = ("bowler", "field", "theme", "zone", "ask")
_BATTING: Final = ("batter", "striker", "non_striker", "shot")


class _Bowling(NamedTuple):
    """The checked arguments of the bowling side: bowler and field, which everybody sees, and the rest."""

    bowler: int
    field: str | tuple[str, ...] | None
    plan: CalledPlan


def plan_over(contest: Contest, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
    """Plan the rest of this over. What is left out stays as planned, or is natural."""
    batting = side == contest.state.now.batting_side
    for name in _BOWLING if batting else _BATTING:
        if name in arguments:
            other = "bowling" if batting else "batting"
            raise IllegalAction(f"arguments.{name}", f"belongs to the {other} side's plan; leave it out")
    return _bat(contest, side, arguments) if batting else _bowl(contest, side, arguments)


def _bowl(contest: Contest, side: int, arguments: Mapping[str, Any]) -> list[GameEvent]:
    state, innings = contest.state, contest.state.now
    called = _bowling(state, side, arguments)
    event = _keep(state, side, called.plan)
    out: list[GameEvent] = [event]
    if innings.bowler is None:
        out += contest.give_ball(called.bowler)
    if called.field is not None:
        state.field_choice = called.field
    out += contest.show_field()
    plan = state.plans[side]
    assert plan is not None
    state.choices[side] = over_plan.calls(state, side, plan)
    return out + (contest.deliver() if None not in state.choices else [])


def _bowling(state: ContestState, side: int, arguments: Mapping[str, Any]) -> _Bowling:
    innings, team, before = state.now, state.teams[side], over_plan.in_force(state, side)
    bowler = innings.bowler if innings.bowler is not None else state.next_bowler()
    if "bowler" in arguments:
        player = actions.player(team, arguments["bowler"], "bowler")
        if innings.bowler is not None and player != innings.bowler:
            has = team.players[innings.bowler].name
            raise IllegalAction("arguments.bowler", f"{has} bowls this over; leave it out")
        if innings.bowler is None and (why := innings.may_bowl(player, team.keeper)) is not None:
            free = [p.name for i, p in enumerate(team.players) if innings.may_bowl(i, team.keeper) is None]
            raise IllegalAction("arguments.bowler", f"{team.players[player].name} {why}; there are {', '.join(free)}")
        bowler = player
    field = None
    if arguments.get("field", KEEP) != KEEP:
        field = actions.field_choice(arguments["field"], "arguments.field")
        if (refused := state.refused_field(field)) is not None:
            raise IllegalAction("arguments.field", refused)
    words = over_plan.valid_words()
    plan: CalledPlan = {
        "theme": actions.word(arguments, "theme", words["theme"]) or over_plan.theme_of(before),
        "zone": actions.word(arguments, "zone", words["zone"]) or over_plan.zone_of(before),
        "ask": actions.flag(arguments, "ask", before is None),
    }
    if (note := actions.note(arguments)) is not None:
        plan["note"] = note
    return _Bowling(bowler, field, plan)


def _bat(contest: Contest, side: int, arguments: Mapping[str, Any]) -> list[GameEvent]:
    state, innings, team = contest.state, contest.state.now, contest.state.teams[side]
    words, before = over_plan.valid_words(), over_plan.in_force(state, side)
    called = {end: actions.word(arguments, end, words[end]) for end in ("striker", "non_striker")}
    note = actions.note(arguments)
    shot = actions.word(arguments, "shot", words["shot"]) or over_plan.shot_of(before)
    if "batter" in arguments:
        player = actions.player(team, arguments["batter"], "batter")
        if player not in innings.waiting() or None not in (innings.striker, innings.non_striker):
            vacant = None in (innings.striker, innings.non_striker)
            free = ", ".join(team.players[i].name for i in innings.waiting()) if vacant else ""
            raise IllegalAction("arguments.batter", f"cannot come in now; there are {free or 'no vacant ends'}")
        state.next_in[side] = player
    known = over_plan.intents_of(before)
    _keep(state, side, {"intents": known, "ask": False})
    arrived: list[GameEvent] = []
    while innings.striker is None or innings.non_striker is None:
        arrived += contest.send_in()
    ends = {"striker": innings.striker, "non_striker": innings.non_striker}
    names = {end: team.players[batter].name for end, batter in ends.items() if batter is not None}
    plan: CalledPlan = {
        "intents": {name: called[end] or known.get(name, "normal") for end, name in names.items()},
        "ask": False,
    }
    if shot != over_plan.NATURAL:
        plan["shot"] = shot
    if note is not None:
        plan["note"] = note
    event = _keep(state, side, plan)
    whole = state.plans[side]
    assert whole is not None
    state.choices[side] = over_plan.calls(state, side, whole)
    return [*arrived, event, *(contest.deliver() if None not in state.choices else [])]


def _keep(state: ContestState, side: int, plan: CalledPlan) -> events.OverPlanned:
    """Make `plan` that of the side for this over, with what an earlier one of the over was worth."""
    innings, before = state.now, over_plan.in_force(state, side)
    kept = cast(OverPlan, {**plan, "over": innings.over})
    if before is not None and "worth" in before:
        kept["worth"] = before["worth"]
    state.plans[side] = kept
    return events.OverPlanned(SEATS[side], innings.number, innings.over, plan)
