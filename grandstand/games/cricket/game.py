"""The interface of cricket as a game: a match between two captains, with its choices, events and observations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from grandstand.games.base import Action, GameEvent, Json, Outcome, SeatId
from grandstand.games.choices import Chosen, Slot
from grandstand.games.cricket import events
from grandstand.games.cricket.agent import choices, menu, text
from grandstand.games.cricket.agent.calls import call
from grandstand.games.cricket.match import observation, over_plan, results, serialization
from grandstand.games.cricket.match import win_probability_added as wpa
from grandstand.games.cricket.match.chances import home_chance
from grandstand.games.cricket.match.contest import Contest
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.types import Observation
from grandstand.games.cricket.vocab import SEATS


class CricketGame:
    """One match. Both captains choose a ball without seeing the other's choice.

    `state` is the match at this moment, read-only; `contest` changes it.
    """

    __slots__ = ("contest", "state")

    def __init__(self, options: CricketOptions, seed: int) -> None:
        self.state = ContestState(options, seed)
        self.contest = Contest(self.state)
        if (scenario := options.start(seed)) is not None:
            self.contest.begin(scenario)

    @classmethod
    def _around(cls, state: ContestState) -> Self:
        game = object.__new__(cls)
        game.state, game.contest = state, Contest(state)
        return game

    @property
    def turn(self) -> str:
        return observation.turn(self.state)

    @property
    def outcome(self) -> Outcome | None:
        return self.state.result

    def to_act(self) -> Sequence[SeatId]:
        return menu.to_act(self.state)

    def opening(self) -> list[GameEvent]:
        state = self.state
        started = events.MatchStarted(SEATS[state.toss_winner], observation.public_state(state))
        if not state.options.win_probability:
            return [started]
        return [started, wpa.chance_between(state, home_chance(state), "luck")]

    def observation(self, seat: SeatId) -> Observation:
        return observation.observation(self.state, seat)

    def text(self, seat: SeatId) -> str:
        return text.prompt(self.state, seat)

    def choices(self, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
        return choices.choices(self.state, seat, chosen)

    def action(self, seat: SeatId, chosen: Chosen) -> Action:
        return choices.action(chosen)

    def chosen(self, seat: SeatId, action: Action) -> Chosen | None:
        return choices.chosen_call(self.state, seat, action)

    def standing(self, seat: SeatId) -> Action | None:
        """Return the call that the seat's plan for the over makes of the next ball; None if the seat has to choose."""
        if seat not in self.to_act() or not over_plan.standing(self.state, side := SEATS.index(seat)):
            return None
        batting = side == self.state.now.batting_side
        return {"tool": "play_delivery" if batting else "bowl_delivery", "arguments": {}}

    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        return call(self.contest, seat, action)

    def default_action(self, seat: SeatId) -> Action:
        if self.state.stage == "toss":
            return {"tool": "set_toss", "arguments": {"decision": "field"}}
        if self.state.stage == "review":
            return {"tool": "review", "arguments": {"take": False}}
        return {"tool": menu.allowed(self.state, SEATS.index(seat))[0], "arguments": {}}

    def scores(self) -> dict[SeatId, float]:
        """Return each seat's share of the match: the result, or the lead by D/L Standard if play could stop now."""
        if self.state.result is not None:
            return dict(self.state.result.scores)
        lead = results.lead_on_par(self.state)
        if lead is None:
            return dict.fromkeys(SEATS, 0.5)
        return {seat: float(side == lead) for side, seat in enumerate(SEATS)}

    def digest(self) -> str:
        return serialization.digest(self.state)

    def to_json(self) -> Json:
        return serialization.to_json(self.state)

    @classmethod
    def load(cls, data: Json) -> Self:
        return cls._around(serialization.load(data))

    def clone(self) -> Self:
        return self._around(self.state.clone())

    def public(self) -> Self:
        """Return a copy without the captains' plans and calls, and without rain that nobody foresees."""
        copy = self.clone()
        state = copy.state
        state.plans, state.choices, state.next_in = [None, None], [None, None], [None, None]
        if state.options.rain == "random":
            state.rain = None
        return copy

    def reseed(self, seed: int) -> None:
        """Use `seed` for all future draws; sides, pitch and abilities stay."""
        self.state.luck = seed
