"""The captains' tool calls: each checks its arguments, makes the step in the contest, and returns its events.

Every function raises IllegalAction, naming the argument and the remedy, before anything has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias, cast

from grandstand.games.base import Action, GameEvent, IllegalAction, SeatId
from grandstand.games.cricket import events
from grandstand.games.cricket.agent import actions, menu
from grandstand.games.cricket.agent.actions import KEEP
from grandstand.games.cricket.match import observation, over_plan
from grandstand.games.cricket.match.contest import Contest
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.types import CalledPlan, OverPlan
from grandstand.games.cricket.vocab import SEATS


def call(contest: Contest, seat: SeatId, action: Action) -> list[GameEvent]:
    """Make the tool call `action` for `seat`. Raise IllegalAction where the match or the rules do not allow it."""
    state = contest.state
    if seat not in menu.to_act(state):
        waiting = ", ".join(menu.to_act(state)) or "nobody"
        raise IllegalAction("seat", f"the match does not wait for {seat} now but for {waiting}")
    side = SEATS.index(seat)
    tool, arguments = actions.parse(action)
    allowed = menu.allowed(state, side)
    if tool not in allowed:
        raise IllegalAction("tool", f"{tool} cannot be called now; there are {', '.join(allowed)}")
    if tool in menu.MOVES:
        return _HANDLERS[tool](contest, side, arguments)
    if menu.free_calls_left(state, side) <= 0:
        raise IllegalAction(
            "tool", f"all {menu.FREE_CALLS} free calls before this ball are used; call {allowed[0]} now"
        )
    out = _HANDLERS[tool](contest, side, arguments)
    state.calls[side] += 1
    return out


def _set_toss(contest: Contest, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
    decision = actions.word(arguments, "decision", ("bat", "field")) or "field"
    batting = side if decision == "bat" else 1 - side
    toss = events.TossMade(SEATS[side], decision)
    return [toss, *contest.with_chance(lambda: contest.start_innings(batting), "toss")]


def _analyze_situation(contest: Contest, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
    return [events.SituationAnalyzed(SEATS[side], observation.analysis(contest.state, side))]


def _choose_next_over_plan(contest: Contest, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
    innings = contest.state.now
    batting = side == innings.batting_side
    foreign = ("bowler", "field", "length", "line", "variation") if batting else ("intent", "shot")
    for name in foreign:
        if name in arguments:
            other = "bowling" if batting else "batting"
            raise IllegalAction(f"arguments.{name}", f"belongs to the {other} side's plan; leave it out")
    delivery = actions.batting_choice(arguments) if batting else actions.bowling_choice(arguments, None)
    plan = cast(CalledPlan, delivery)
    if "bowler" in arguments:
        bowler = _player(contest.state, side, arguments["bowler"], "bowler")
        plan["bowler"] = contest.state.teams[side].players[bowler].name
    if "field" in arguments:
        choice = actions.field_choice(arguments["field"], "arguments.field")
        plan["field"] = choice if isinstance(choice, str) else list(choice)
    if (words := actions.note(arguments)) is not None:
        plan["note"] = words
    begun = bool(innings.over_log) if batting else innings.bowler is not None
    over = innings.over + begun
    contest.state.plans[side] = cast(OverPlan, {**plan, "over": over})
    return [events.OverPlanned(SEATS[side], innings.number, over, plan)]


def _choose_bowler(contest: Contest, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
    player = _player(contest.state, side, arguments.get("bowler"), "bowler")
    team, innings = contest.state.teams[side], contest.state.now
    if (why := innings.may_bowl(player, team.keeper)) is not None:
        free = [p.name for i, p in enumerate(team.players) if innings.may_bowl(i, team.keeper) is None]
        raise IllegalAction("arguments.bowler", f"{team.players[player].name} {why}; there are {', '.join(free)}")
    return contest.give_ball(player)


def _set_field(contest: Contest, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
    if contest.state.field_locked and contest.state.breached is None:
        raise IllegalAction("tool", "the field may not change for this free hit; call bowl_delivery")
    choice = actions.set_field_choice(arguments)
    if (refused := contest.state.refused_field(choice)) is not None:
        raise IllegalAction("arguments", refused)
    contest.state.field_choice = choice
    return contest.show_field()


def _choose_batter(contest: Contest, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
    innings = contest.state.now
    leaves = actions.word(arguments, "retire", ("striker", "non_striker"))
    player = None
    if "batter" in arguments or leaves is None:
        player = _player(contest.state, side, arguments.get("batter"), "batter")
        if player not in innings.waiting():
            free = ", ".join(contest.state.teams[side].players[i].name for i in innings.waiting()) or "nobody"
            raise IllegalAction("arguments.batter", f"cannot come in now; there are {free}")
    out: list[GameEvent] = []
    if leaves is not None:
        out += contest.retire(_leaving(contest.state, side, leaves), "retired out")
    if innings.closed is not None:
        return out + contest.end_innings()
    contest.state.next_in[side] = player
    if player is not None and None in (innings.striker, innings.non_striker):
        out += contest.send_in()
    return out


def _leaving(state: ContestState, side: int, end: str) -> int:
    innings = state.now
    leaving = innings.striker if end == "striker" else innings.non_striker
    if leaving is None:
        raise IllegalAction("arguments.retire", f"there is no {end} yet; name only the batter to send in")
    if not innings.waiting():
        raise IllegalAction("arguments.retire", "nobody is left to come in")
    if state.choices[1 - side] is not None:
        raise IllegalAction("arguments.retire", "the bowler is running in; call play_delivery, retire after the ball")
    return leaving


def _use_impact_player(contest: Contest, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
    return contest.bring_in(side, *_impact(contest.state, side, arguments))


def _impact(state: ContestState, side: int, arguments: Mapping[str, Any]) -> tuple[int, int]:
    """Return who comes in as the impact player, and for whom."""
    free = {"impact": state.substitutes(side), "replaces": state.replaceable(side)}
    if not free["impact"]:
        used = state.impact[side] is not None
        when = "a second time" if used else "after the first ball of an over"
        when = when if state.now.rules.impact_player else "under these conditions"
        raise IllegalAction("arguments.impact", f"no impact player comes in {when}; leave it and `replaces` out")
    team, chosen = state.teams[side], []
    for name, players in free.items():
        given = arguments.get(name)
        player = team.index(given) if isinstance(given, str) else None
        if player not in players:
            names = ", ".join(team.players[i].name for i in players)
            why = "is missing" if given is None else f"{given} cannot {_COMES[name]}"
            raise IllegalAction(f"arguments.{name}", f"{why}; there are {names}")
        chosen.append(player)
    return chosen[0], chosen[1]


_COMES: Final = {"impact": "come in as the impact player", "replaces": "be replaced now"}


def _bowl_delivery(contest: Contest, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
    innings = contest.state.now
    bowler = innings.bowler if innings.bowler is not None else contest.state.next_bowler()
    group = contest.state.teams[side].players[bowler].group
    choice = {**_planned(contest.state, side, group), **actions.bowling_choice(arguments, group)}
    if choice.get("length") == "bouncer" and "bouncer" in innings.fouls:
        if "length" in arguments:
            reason = "called no-ball once this over for one bouncer too many; aim at another length"
            raise IllegalAction("arguments.length", reason)
        choice["length"] = "short"
    out = contest.give_ball(bowler) if innings.bowler is None else []
    out += contest.show_field()
    contest.state.choices[side] = choice
    return out + (contest.deliver() if None not in contest.state.choices else [])


def _play_delivery(contest: Contest, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
    innings = contest.state.now
    choice = actions.batting_choice(arguments)
    out: list[GameEvent] = []
    while innings.striker is None or innings.non_striker is None:
        out += contest.send_in()
    contest.state.choices[side] = {**_planned(contest.state, side, None), **choice}
    return out + (contest.deliver() if None not in contest.state.choices else [])


def _review(contest: Contest, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
    return contest.complete(contest.state.delivery(), reviewed=actions.flag(arguments, "take", True))


def _player(state: ContestState, side: int, name: Any, argument: str) -> int:
    return actions.player(state.teams[side], name, argument)


def _planned(state: ContestState, side: int, group: str | None) -> dict[str, str]:
    """Return the side's planned calls for this ball, without those that this bowler cannot bowl."""
    plan = state.plans[side]
    if plan is None or plan["over"] != state.now.over:
        return {}
    if over_plan.in_force(state, side) is not None:
        return over_plan.calls(state, side, plan)
    wanted = {k: str(v) for k, v in plan.items() if k in ("length", "line", "variation", "intent", "shot")}
    return wanted if group is None else actions.within_reach(wanted, group)


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
    pair = _impact(contest.state, side, arguments) if {"impact", "replaces"} & arguments.keys() else None
    return _bat(contest, side, arguments, pair) if batting else _bowl(contest, side, arguments, pair)


_Pair: TypeAlias = tuple[int, int] | None
"""Who comes in as the impact player, and for whom."""


def _bowl(contest: Contest, side: int, arguments: Mapping[str, Any], pair: _Pair) -> list[GameEvent]:
    state, innings = contest.state, contest.state.now
    called = _bowling(state.after(side, *pair) if pair else state, side, arguments)
    out = contest.bring_in(side, *pair) if pair else []
    out.append(_keep(state, side, called.plan))
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


def _bat(contest: Contest, side: int, arguments: Mapping[str, Any], pair: _Pair) -> list[GameEvent]:
    state, innings, team = contest.state, contest.state.now, contest.state.teams[side]
    words, before = over_plan.valid_words(), over_plan.in_force(state, side)
    called = {end: actions.word(arguments, end, words[end]) for end in ("striker", "non_striker")}
    note = actions.note(arguments)
    shot = actions.word(arguments, "shot", words["shot"]) or over_plan.shot_of(before)
    if "batter" in arguments:
        player = actions.player(team, arguments["batter"], "batter")
        waiting = (state.after(side, *pair) if pair else state).now.waiting()
        if player not in waiting or None not in (innings.striker, innings.non_striker):
            vacant = None in (innings.striker, innings.non_striker)
            free = ", ".join(team.players[i].name for i in waiting) if vacant else ""
            raise IllegalAction("arguments.batter", f"cannot come in now; there are {free or 'no vacant ends'}")
        state.next_in[side] = player
    arrived = contest.bring_in(side, *pair) if pair else []
    known = over_plan.intents_of(before)
    _keep(state, side, {"intents": known, "ask": False})
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


_HANDLERS: Final[Mapping[str, Callable[[Contest, int, dict[str, Any]], list[GameEvent]]]] = {
    "analyze_situation": _analyze_situation,
    actions.PLAN_OVER: plan_over,
    "set_toss": _set_toss,
    "choose_bowler": _choose_bowler,
    "set_field": _set_field,
    "bowl_delivery": _bowl_delivery,
    "play_delivery": _play_delivery,
    "review": _review,
    "choose_batter": _choose_batter,
    actions.IMPACT: _use_impact_player,
    "choose_next_over_plan": _choose_next_over_plan,
}
