"""The match between two captains, as the seam of every game wants it: seats, tools, and what each may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Self, cast

from grandstand.games.base import Action, GameEvent, IllegalAction, Json, Outcome, SeatId
from grandstand.games.cricket import events
from grandstand.games.cricket.agent import actions, text
from grandstand.games.cricket.agent.tools import tools
from grandstand.games.cricket.match import observation, results
from grandstand.games.cricket.match import serialization as saved
from grandstand.games.cricket.match import win_probability_added as decisions
from grandstand.games.cricket.match.contest import Contest
from grandstand.games.cricket.types import CalledPlan, Legal, Observation, OverPlan
from grandstand.games.cricket.vocab import SEATS

FREE_CALLS: Final = 6
"""Tool calls a captain has before each ball beside the one that moves the match on."""


class CricketGame(Contest):
    """One match. Both captains choose a ball without seeing the other's choice."""

    __slots__ = ()

    # --- the seam -----------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> str:
        return observation.turn(self)

    @property
    def outcome(self) -> Outcome | None:
        return self.result

    def to_act(self) -> Sequence[SeatId]:
        if self.stage == "play":
            innings = self.now
            if innings.striker is None or innings.non_striker is None:
                return (SEATS[innings.batting_side],)
            if innings.bowler is None:
                return (SEATS[innings.bowling_side],)
            order = (innings.bowling_side, innings.batting_side)
            return tuple(SEATS[side] for side in order if self.choices[side] is None)
        if self.stage == "toss":
            return (SEATS[self.toss_winner],)
        if self.stage == "review" and self.appeal is not None:
            return (SEATS[self.appeal],)
        return ()

    def opening(self) -> list[GameEvent]:
        started = events.MatchStarted(SEATS[self.toss_winner], observation.public_state(self))
        if not self.options.win_probability:
            return [started]
        return [started, decisions.chance_between(self, decisions.home_chance(self), "luck")]

    def legal(self, seat: SeatId) -> Legal:
        return tools(self, seat)

    def observation(self, seat: SeatId) -> Observation:
        return observation.observation(self, seat)

    def text(self, seat: SeatId) -> str:
        return text.prompt(self, seat)

    def default_action(self, seat: SeatId) -> Action:
        if self.stage == "toss":
            return {"tool": "set_toss", "arguments": {"decision": "field"}}
        if self.stage == "review":
            return {"tool": "review", "arguments": {"take": False}}
        return {"tool": self.allowed(SEATS.index(seat))[0], "arguments": {}}

    def scores(self) -> dict[SeatId, float]:
        """Share of the match: the result, or who leads on D/L Standard where play could be abandoned now."""
        if self.result is not None:
            return dict(self.result.scores)
        lead = results.lead_on_par(self)
        if lead is None:
            return dict.fromkeys(SEATS, 0.5)
        return {seat: float(side == lead) for side, seat in enumerate(SEATS)}

    def digest(self) -> str:
        return saved.digest(self)

    def to_json(self) -> Json:
        return saved.to_json(self)

    @classmethod
    def load(cls, data: Json) -> Self:
        return saved.load(cls, data)

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        for name in Contest.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.innings = [*self.innings[:-1], self.innings[-1].clone()] if self.innings else []
        twin._cards = dict(self._cards)
        twin.choices, twin.plans = self.choices[:], self.plans[:]
        twin.calls, twin.next_in, twin.resources = self.calls[:], self.next_in[:], self.resources[:]
        return twin

    def reseed(self, seed: int) -> None:
        """Give what is still to come another luck; sides, pitch and abilities stay."""
        self.luck = seed

    # --- actions ------------------------------------------------------------------------------------------------------

    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        if seat not in self.to_act():
            waiting = ", ".join(self.to_act()) or "nobody"
            raise IllegalAction("seat", f"the match does not wait for {seat} now but for {waiting}")
        side = SEATS.index(seat)
        tool, arguments = actions.parse(action)
        allowed = self.allowed(side)
        if tool not in allowed:
            raise IllegalAction("tool", f"{tool} cannot be called now; there are {', '.join(allowed)}")
        if tool == allowed[0]:
            return _HANDLERS[tool](self, side, arguments)
        if self.calls[side] >= FREE_CALLS:
            raise IllegalAction("tool", f"all {FREE_CALLS} free calls before this ball are used; call {allowed[0]} now")
        out = _HANDLERS[tool](self, side, arguments)
        self.calls[side] += 1
        return out

    def free_calls_left(self, side: int) -> int:
        return FREE_CALLS - self.calls[side]

    def allowed(self, side: int) -> tuple[str, ...]:
        """The tools that `side` may call now; the first moves the match on, the others are free but counted."""
        if self.stage == "toss":
            return ("set_toss", "analyze_situation")
        if self.stage == "review":
            return ("review", "analyze_situation")
        if side == self.now.batting_side:
            return ("play_delivery", "choose_batter", "choose_next_over_plan", "analyze_situation")
        if self.now.bowler is None:
            return ("bowl_delivery", "choose_bowler", "set_field", "choose_next_over_plan", "analyze_situation")
        return ("bowl_delivery", "set_field", "choose_next_over_plan", "analyze_situation")

    def _set_toss(self, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
        decision = actions.word(arguments, "decision", ("bat", "field")) or "field"
        batting = side if decision == "bat" else 1 - side
        made = events.TossMade(SEATS[side], decision)
        return [made, *self.telling_chance(lambda: self.start_innings(batting), "toss")]

    def _analyze_situation(self, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
        return [events.SituationAnalyzed(SEATS[side], observation.analysis(self, side))]

    def _choose_next_over_plan(self, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
        innings = self.now
        batting = side == innings.batting_side
        foreign = ("bowler", "field", "length", "line", "variation") if batting else ("intent", "shot")
        for name in foreign:
            if name in arguments:
                other = "bowling" if batting else "batting"
                raise IllegalAction(f"arguments.{name}", f"belongs to the {other} side's plan; leave it out")
        choice_of_balls = actions.batting_choice(arguments) if batting else actions.bowling_choice(arguments, None)
        plan = cast(CalledPlan, choice_of_balls)
        if "bowler" in arguments:
            plan["bowler"] = self.teams[side].players[self._player(side, arguments["bowler"], "bowler")].name
        if "field" in arguments:
            choice = actions.field_choice(arguments["field"], "arguments.field")
            plan["field"] = choice if isinstance(choice, str) else list(choice)
        if (words := actions.note(arguments)) is not None:
            plan["note"] = words
        begun = bool(innings.over_log) if batting else innings.bowler is not None
        over = innings.over + begun
        self.plans[side] = OverPlan(**plan, over=over)
        return [events.OverPlanned(SEATS[side], innings.number, over, plan)]

    def _choose_bowler(self, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
        player = self._player(side, arguments.get("bowler"), "bowler")
        team, innings = self.teams[side], self.now
        if (why := innings.may_bowl(player, team.keeper)) is not None:
            free = [p.name for i, p in enumerate(team.players) if innings.may_bowl(i, team.keeper) is None]
            raise IllegalAction("arguments.bowler", f"{team.players[player].name} {why}; there are {', '.join(free)}")
        return self.give_ball(player)

    def _set_field(self, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
        if self.field_locked and self.breached is None:
            raise IllegalAction("tool", "the field may not change for this free hit; call bowl_delivery")
        choice = actions.set_field_choice(arguments)
        if self.field_locked and (excess := self.may_correct(choice)) is not None:
            raise IllegalAction("arguments", excess)
        if "field" in self.now.fouls and (why := self.would_breach(choice)) is not None:
            raise IllegalAction("arguments", f"called no-ball once this over for such a field ({why}); set a legal one")
        self.field_choice = choice
        return self.show_field()

    def _choose_batter(self, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
        innings = self.now
        leaves = actions.word(arguments, "retire", ("striker", "non_striker"))
        player = None
        if "batter" in arguments or leaves is None:
            player = self._player(side, arguments.get("batter"), "batter")
            if player not in innings.waiting():
                free = ", ".join(self.teams[side].players[i].name for i in innings.waiting()) or "nobody"
                raise IllegalAction("arguments.batter", f"cannot come in now; there are {free}")
        out: list[GameEvent] = []
        if leaves is not None:
            out += self.retire(self._leaving(side, leaves), "retired out")
        if innings.closed is not None:
            return out + self.end_innings()
        self.next_in[side] = player
        if player is not None and None in (innings.striker, innings.non_striker):
            out += self.send_in()
        return out

    def _leaving(self, side: int, end: str) -> int:
        innings = self.now
        leaving = innings.striker if end == "striker" else innings.non_striker
        if leaving is None:
            raise IllegalAction("arguments.retire", f"there is no {end} yet; name only the batter to send in")
        if not innings.waiting():
            raise IllegalAction("arguments.retire", "nobody is left to come in")
        if self.choices[1 - side] is not None:
            raise IllegalAction(
                "arguments.retire", "the bowler is running in; call play_delivery, retire after the ball"
            )
        return leaving

    def _bowl_delivery(self, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
        innings = self.now
        bowler = innings.bowler if innings.bowler is not None else self.next_bowler()
        group = self.teams[side].players[bowler].group
        chosen = {**self._planned(side, group), **actions.bowling_choice(arguments, group)}
        if chosen.get("length") == "bouncer" and "bouncer" in innings.fouls:
            if "length" in arguments:
                reason = "called no-ball once this over for one bouncer too many; aim at another length"
                raise IllegalAction("arguments.length", reason)
            chosen["length"] = "short"
        out = self.give_ball(bowler) if innings.bowler is None else []
        self.choices[side] = chosen
        return out + (self.deliver() if None not in self.choices else [])

    def _play_delivery(self, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
        innings = self.now
        chosen = actions.batting_choice(arguments)
        out: list[GameEvent] = []
        while innings.striker is None or innings.non_striker is None:
            out += self.send_in()
        self.choices[side] = {**self._planned(side, None), **chosen}
        return out + (self.deliver() if None not in self.choices else [])

    def _review(self, side: int, arguments: dict[str, Any]) -> list[GameEvent]:
        return self.complete(self.delivery(), reviewed=actions.flag(arguments, "take", True))

    def _player(self, side: int, name: Any, argument: str) -> int:
        found = self.teams[side].index(name) if isinstance(name, str) else None
        if found is None:
            names = ", ".join(player.name for player in self.teams[side].players)
            raise IllegalAction(f"arguments.{argument}", f"unknown player {name!r}; there are {names}")
        return found

    def _planned(self, side: int, group: str | None) -> dict[str, str]:
        """What the side's plan says of this ball, less what this bowler cannot do."""
        plan = self.plans[side]
        if plan is None or plan["over"] != self.now.over:
            return {}
        wanted = {k: str(v) for k, v in plan.items() if k in ("length", "line", "variation", "intent", "shot")}
        return wanted if group is None else actions.within_reach(wanted, group)


_HANDLERS: Final = {
    "analyze_situation": CricketGame._analyze_situation,
    "set_toss": CricketGame._set_toss,
    "choose_bowler": CricketGame._choose_bowler,
    "set_field": CricketGame._set_field,
    "bowl_delivery": CricketGame._bowl_delivery,
    "play_delivery": CricketGame._play_delivery,
    "review": CricketGame._review,
    "choose_batter": CricketGame._choose_batter,
    "choose_next_over_plan": CricketGame._choose_next_over_plan,
}
