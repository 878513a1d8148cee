"""The course of a match from the toss to the result: the one class that changes a `ContestState`.

The captains' choices stand in `state.choices`; `deliver` plays the ball once both have been made. Every random draw is
keyed (`keyed_random.py`), the Laws are kept by `innings.py`, and the odds come from `engine.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grandstand.games.base import GameEvent
from grandstand.games.cricket import events
from grandstand.games.cricket.laws.field import corrected
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules, super_over_rules
from grandstand.games.cricket.match import captaincy, over_plan, results
from grandstand.games.cricket.match import win_probability_added as wpa
from grandstand.games.cricket.match.ball_event import ball_event, before_ball
from grandstand.games.cricket.match.chances import Expectation, expect, home_chance
from grandstand.games.cricket.match.observation import event_state
from grandstand.games.cricket.match.scenario_replay import replay
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.context import natural_batter
from grandstand.games.cricket.model.engine import TOO_MANY_BOUNCERS, BallChoice, Delivery
from grandstand.games.cricket.model.keyed_random import DrawChannel, Row
from grandstand.games.cricket.model.reading import MEMORY, Aim
from grandstand.games.cricket.model.umpire import HIGH
from grandstand.games.cricket.packs import Scenario
from grandstand.games.cricket.types import Call
from grandstand.games.cricket.vocab import BOUNCER, GROUPS, REVIEWED_EXTRAS, SEATS

MAX_SUPER_OVERS: Final = 8
"""The number of level Super Overs after which the match is a tie, since few batters may still bat."""
BATTER_HURT: Final = 1 / 6000
BOWLER_HURT: Final = 1 / 12000
"""OURS: probabilities per ball that a batter retires hurt, and that a bowler cannot finish the over."""


class Contest:
    """The course of one match: the steps that follow from the captains' choices and the Laws, as events."""

    __slots__ = ("state",)

    def __init__(self, state: ContestState) -> None:
        self.state = state

    def begin(self, scenario: Scenario) -> None:
        """Bring a new match to the start of the scenario. Home bats in the innings that continues."""
        state = self.state
        for number, record in enumerate(scenario.innings, 1):
            side = (len(scenario.innings) - number) % 2
            self.start_innings(side, results.target(state) if number == 2 else None)
            replay(state.now, record, state.teams[1 - side])
            if state.now.closed is not None and state.now.bowler is not None:
                state.now.end_over()

    # --- between balls ------------------------------------------------------------------------------------------------

    def start_innings(self, side: int, target: int | None = None) -> list[GameEvent]:
        number = len(self.state.innings) + 1
        rules = format_rules(self.state.options.overs, self.state.options.conditions)
        if number > 2:
            rules = super_over_rules(self.state.options.conditions)
        elif number == 2:
            rules = self.state.innings[0].rules
        innings = Innings(number, side, rules, target)
        for each, replaced in enumerate(self.state.impact):
            innings.elevens[each] = self.state.teams[each].eleven(replaced and replaced[1:])
        if number > 4:
            batted = [i for i in self.state.innings[2:] if i.batting_side == side]
            out = {p for i in batted for p, card in i.batters.items() if card.out and not card.retired_hurt}
            innings.barred_batters = frozenset(out)
            innings.barred_bowler = next(i for i in reversed(self.state.innings) if i.batting_side == side).last_bowler
        self.state.innings.append(innings)
        self.state.stage = "play"
        self.state.choices, self.state.plans, self.state.next_in, self.state.calls = (
            [None, None],
            [None, None],
            [None, None],
            [0, 0],
        )
        self.state.field_choice, self.state.field_shown, self.state.lock_striker = "standard", None, None
        self.state.breached, self.state.aims, self.state.strokes = None, ((), ()), ()
        self.state.pair_factors = {}
        limits = rules.powerplay_balls, rules.bowler_max_overs, rules.reviews
        return [events.InningsStarted(number, SEATS[side], SEATS[1 - side], rules.overs, target, *limits)]

    def send_in(self) -> list[GameEvent]:
        """Fill one vacant end with the batter whom the captain named, or the next in the natural order."""
        innings = self.state.now
        side = innings.batting_side
        natural, player = natural_batter(innings, self.state.teams[side]), self.state.following_batter()
        self.state.next_in[side] = None
        valued = self._valued and player != natural
        delta = captaincy.batter_delta(self.state, player, natural) if valued else 0.0
        innings.send_in(player)
        place = innings.order.index(player) + 1
        name = self.state.teams[side].players[player].name
        arrived = events.BatterArrived(innings.number, name, place, innings.striker == player)
        return [arrived, self._chosen(side, {"batter": name}, delta)] if valued else [arrived]

    @property
    def _valued(self) -> bool:
        """Return whether the match emits chances of winning."""
        return self.state.options.win_probability and not self.state.headless

    def _chosen(self, side: int, choice: Call, delta: float) -> events.ChanceChanged:
        return self._credited(wpa.choice_made(self.state, side, choice, delta, home_chance(self.state)))

    def _credited(self, changed: events.ChanceChanged) -> events.ChanceChanged:
        """Add the worth of the decisions in `changed` to the plans of their sides."""
        plans = self.state.plans
        for decision in changed.decisions:
            side = SEATS.index(decision["seat"])
            plan = plans[side]
            if plan is not None and "ask" in plan:
                plans[side] = {**plan, "worth": round(plan.get("worth", 0.0) + decision["delta"], 5)}
        return changed

    def with_chance(self, move: Callable[[], list[GameEvent]], cause: str) -> list[GameEvent]:
        """Return the events of `move`, and after them the change of the chances, if any."""
        if not self._valued:
            return move()
        before = home_chance(self.state)
        out = move()
        return [*out, wpa.chance_between(self.state, before, cause)] if out else []

    def retire(self, player: int, kind: str) -> list[GameEvent]:
        """Take a batter off. `retired out` is the captain's choice, `retired hurt` a random event."""
        if kind == "retired hurt" or not self._valued:
            return self.with_chance(lambda: self._retire(player, kind), "matchup")
        state, side = self.state, self.state.now.batting_side
        before, gain = home_chance(state), captaincy.retiring_gain(state, player)
        out = self._retire(player, kind)
        lost = home_chance(state) - before
        choice: Call = {"retire": state.teams[side].players[player].name}
        return [*out, wpa.choice_made(state, side, choice, gain + (lost if side == 0 else -lost), before)]

    def _retire(self, player: int, kind: str) -> list[GameEvent]:
        innings = self.state.now
        innings.retire(player, kind)
        name = self.state.teams[innings.batting_side].players[player].name
        return [events.BatterRetired(innings.number, name, kind, [innings.runs, innings.wickets, innings.legal])]

    def bring_in(self, side: int, comes: int, leaves: int) -> list[GameEvent]:
        """Replace one of a side's eleven by its impact player."""
        delta = captaincy.ImpactWorth(self.state, side).gain(comes, leaves) if self._valued else 0.0
        self.state.replace(side, comes, leaves)
        came, left = (self.state.teams[side].players[i].name for i in (comes, leaves))
        replaced = events.PlayerReplaced(self.state.now.number, self.state.now.over, SEATS[side], came, left)
        choice: Call = {"impact": came, "replaces": left}
        return [replaced, self._chosen(side, choice, delta)] if self._valued else [replaced]

    def give_ball(self, player: int) -> list[GameEvent]:
        innings = self.state.now
        side = innings.bowling_side
        natural = self.state.natural_bowler() if self._valued else player
        delta = 0.0 if player == natural else captaincy.bowler_delta(self.state, player, natural)
        innings.give_ball(player)
        self.state.attack = self.state.group_of(player)
        plan = self.state.plans[side]
        if plan is not None and plan["over"] == innings.over and "field" in plan:
            self.state.field_choice = plan["field"] if isinstance(plan["field"], str) else tuple(plan["field"])
        name = self.state.teams[side].players[player].name
        given = events.BowlerChosen(innings.number, innings.over, name, places=self._standing())
        return [given] if player == natural else [given, self._chosen(side, {"bowler": name}, delta)]

    def _standing(self) -> dict[str, str]:
        """Return position -> fielder in the field last announced, after a change of the bowler."""
        shown = self.state.field_shown
        return {} if shown is None else self.state.placed_in(shown)

    def show_field(self) -> list[GameEvent]:
        """Announce the field if it differs from the one last announced."""
        if self.state.headless:
            return []
        innings, field = self.state.now, self.state.field
        if field.places == self.state.field_shown or innings.bowler is None:
            return []
        self.state.field_shown = field.places
        name: str | None = self.state.field_choice if isinstance(self.state.field_choice, str) else None
        if name == "standard":
            name = self.state.standard_name
        return [events.FieldSet(innings.number, name, self.state.placed(), field.outside, self.state.breach())]

    def deliver(self) -> list[GameEvent]:
        """Play the ball that both captains have chosen, up to the umpire's decision if a side may review it."""
        innings, delivery = self.state.now, self.state.delivery()
        appeal = delivery.appeal
        if appeal is not None:
            side = self.state.reviewer(appeal)
            won = appeal.of_batters and innings.need is not None and delivery.decided()[0].total >= innings.need
            if innings.reviews_left(side) > 0 and not won:
                self.state.stage, self.state.appeal, self.state.calls = "review", side, [0, 0]
                return [self.state.appeal_made(delivery)]
        return self.complete(delivery, reviewed=False)

    def complete(self, delivery: Delivery, reviewed: bool) -> list[GameEvent]:
        """Settle any review, count the ball by the Laws, describe it, and continue the match."""
        innings, setting = self.state.now, delivery.setting
        striker = innings.striker
        expectation = expect(self.state, setting) if self._valued else None
        review = None if expectation is None else wpa.review_of(self.state, delivery, expectation, reviewed)
        out, reviewer = self._settle(delivery, reviewed), self.state.appeal if reviewed else None
        self.state.stage, self.state.appeal = "play", None
        out += self._play(delivery, expectation, review)
        self._remember(setting.moment.group, setting.choice)
        innings.tick(GROUPS[setting.moment.group], setting.field.places, delivery.ball.dismissal is not None)
        innings.bouncers += delivery.length == BOUNCER
        self.state.breached = None
        if delivery.ball.noball:
            self.state.lock_striker = striker
            if delivery.noball_for == TOO_MANY_BOUNCERS:
                innings.fouls.append("bouncer")
            elif setting.foul is not None:
                innings.fouls.append("field")
                self.state.breached = setting.field.places
                self.state.field_choice = corrected(self.state.breached, innings.max_outside)
        self.state.choices, self.state.calls = [None, None], [0, 0]
        self.state.plans = over_plan.reopened(self.state, delivery.ball.boundary, reviewer)
        if innings.closed is None and setting.row[DrawChannel.MISHAP] < BATTER_HURT + BOWLER_HURT:
            out += self._mishaps(setting.row)
        if innings.closed is None and innings.over_complete:
            out += self.end_over()
        return out + (self.end_innings() if innings.closed is not None else [])

    def _remember(self, group: int, choice: BallChoice) -> None:
        """Add both captains' calls to the known calls of this innings."""
        aim: Aim = (*choice.aim, choice.variation or "natural")
        self.state.strokes = (*self.state.strokes[1 - MEMORY :], (choice.intent, choice.shot))
        pace, spin = self.state.aims
        if group == 0:
            self.state.aims = ((*pace[1 - MEMORY :], aim), spin)
        else:
            self.state.aims = (pace, (*spin[1 - MEMORY :], aim))

    def _play(self, delivery: Delivery, expectation: Expectation | None, review: wpa.Review | None) -> list[GameEvent]:
        """Let the innings count the ball; return its events."""
        state, innings, ball = self.state, self.state.now, delivery.ball
        if state.headless:
            innings.play(ball)
            return []
        before = before_ball(state, delivery)
        if ball.dismissal is not None:
            ball.dismissal.fielders = before.fielders
        innings.play(ball, before.how_out)
        bowled = ball_event(state, delivery, before)
        if expectation is None:
            return [bowled]
        return [bowled, self._credited(wpa.chance_changed(state, expectation, bowled.ball, review))]

    def _settle(self, delivery: Delivery, reviewed: bool) -> list[GameEvent]:
        """Set `delivery.ball` by the final decision; return the review, if a side took it."""
        appeal, innings = delivery.appeal, self.state.now
        if appeal is None:
            return []
        out = appeal.out if reviewed else appeal.given_out
        if out != appeal.out:
            delivery.ball = appeal.other
            if appeal.kind in REVIEWED_EXTRAS:
                delivery.noball_for = HIGH if delivery.ball.noball else None
        if not reviewed:
            return []
        upheld = appeal.out != appeal.given_out
        side = self.state.reviewer(appeal)
        if not upheld and not appeal.umpires_call:
            innings.lose_review(side)
        call, left = appeal.umpires_call and not upheld, innings.reviews_left(side)
        return [events.ReviewTaken(innings.number, innings.name, SEATS[side], appeal.kind, upheld, call, out, left)]

    def _mishaps(self, row: Row) -> list[GameEvent]:
        innings, u = self.state.now, row[DrawChannel.MISHAP]
        if u < BATTER_HURT and innings.striker is not None and len(innings.waiting()) > 1:
            return self.retire(innings.striker, "retired hurt")
        if u >= BATTER_HURT and innings.bowler is not None and innings.legal % 6:
            side = self.state.teams[innings.bowling_side]
            hurt = innings.bowler
            eleven = innings.elevens[innings.bowling_side]
            free = [i for i in eleven if i != hurt and innings.may_bowl(i, side.keeper) is None]
            if free:
                innings.replace_bowler(free[-1])
                self.state.attack = self.state.group_of(free[-1])
                names = side.players[free[-1]].name, side.players[hurt].name
                return [events.BowlerChosen(innings.number, innings.over, *names, self._standing())]
        return []

    # --- ends ---------------------------------------------------------------------------------------------------------

    def end_over(self) -> list[GameEvent]:
        innings = self.state.now
        over, bowler, balls = (innings.legal - 1) // 6, innings.bowler, innings.over_log
        assert bowler is not None
        maidens = innings.bowlers[bowler].maidens
        runs, wickets = innings.end_over()
        self.state.attack = self.state.group_of(None)
        judged = self._judged()
        rained = [] if innings.closed else self.with_chance(self._interrupt, "luck")
        if self.state.plans[innings.bowling_side] is not None or self.state.plans[innings.batting_side] is not None:
            self.state.plans = [p if p is not None and p["over"] >= innings.over else None for p in self.state.plans]
        ended = events.OverEnded(
            innings.number,
            over,
            self.state.teams[innings.bowling_side].players[bowler].name,
            runs,
            wickets,
            innings.bowlers[bowler].maidens > maidens,
            balls,
            [innings.runs, innings.wickets, innings.legal],
            event_state(self.state),
        )
        return [*judged, ended, *rained, *self._penalized()]

    def _penalized(self) -> list[GameEvent]:
        """Take a fielder in where the over that begins now is late. A field that is no longer legal is put right."""
        state, innings = self.state, self.state.now
        late = innings.late()
        if not late or innings.slow or innings.closed is not None:
            return []
        innings.slow = True
        if state.field_choice != "standard" and state.breach() is not None:
            state.field_choice = corrected(state.field.places, innings.max_outside)
        most = innings.max_outside
        return [events.OverRatePenalized(innings.number, innings.over, SEATS[innings.bowling_side], late, most)]

    def _judged(self) -> list[GameEvent]:
        """Return what the plans of the over that has ended were worth, the bowling side's first."""
        state, innings = self.state, self.state.now
        if state.headless:
            return []
        return [
            events.PlanJudged(
                SEATS[side], innings.number, plan["over"], over_plan.told(plan),
                plan.get("worth", 0.0) if state.options.win_probability else None,
            )
            for side in (innings.bowling_side, innings.batting_side)
            if (plan := state.plans[side]) is not None and "ask" in plan
        ]  # fmt: skip

    def _interrupt(self) -> list[GameEvent]:
        """Apply rain at the end of an over, if it falls now: fewer overs and, in a chase, a revised target."""
        state, innings = self.state, self.state.now
        cut = results.interruption(state)
        if cut is None:
            return []
        lost = innings.rules.overs - cut.rules.overs
        state.resources, state.method = list(cut.resources), cut.method
        innings.rules, innings.target, innings.closed = cut.rules, cut.target, cut.closed
        state.pair_factors = {}
        limits = cut.rules.powerplay_balls, cut.rules.bowler_max_overs
        return [events.PlayInterrupted(innings.number, lost, cut.rules.overs, cut.target, *limits, cut.method)]

    def end_innings(self) -> list[GameEvent]:
        innings, side = self.state.now, self.state.now.batting_side
        out = self._judged()
        if innings.bowler is not None:
            innings.end_over()
        out += self._ended(innings)
        ending = results.ending(self.state, last=innings.number // 2 > MAX_SUPER_OVERS)
        if ending is not None:
            return out + self._decide(ending)
        if innings.number % 2 == 1:
            return out + self.start_innings(1 - side, results.target(self.state))
        return [*out, events.SuperOverStarted(innings.number // 2, SEATS[side]), *self.start_innings(side)]

    def _decide(self, ending: results.Ending) -> list[GameEvent]:
        """End the match."""
        self.state.result, self.state.stage = ending.outcome, "over"
        winner = None if ending.winner is None else SEATS[ending.winner]
        text, method = ending.outcome.text, self.state.method
        return [events.MatchDecided(winner, text, ending.by, method, event_state(self.state))]

    def _ended(self, innings: Innings) -> list[GameEvent]:
        return [
            events.InningsEnded(
                innings.number,
                SEATS[innings.batting_side],
                innings.runs,
                innings.wickets,
                innings.legal,
                innings.closed or "",
                event_state(self.state),
            )
        ]
