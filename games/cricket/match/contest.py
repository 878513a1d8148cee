"""The course of a match: what follows from what, from the toss to the result. Knows no tools and no prompts.

The captains' choices stand in `choices`; `deliver` plays the ball when both are there. Luck is keyed (`draws.py`), the
Laws are kept by `innings.py`, what is likely comes from `engine.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grandstand.games.base import GameEvent, Outcome
from grandstand.games.cricket import events
from grandstand.games.cricket.laws.cards import Ball, Dismissal
from grandstand.games.cricket.laws.duckworth_lewis import resources
from grandstand.games.cricket.laws.field import PRESETS, Field, corrected, field_of
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import FormatRules, format_rules, super_over_rules
from grandstand.games.cricket.match import observation, results
from grandstand.games.cricket.match import win_probability_added as decisions
from grandstand.games.cricket.match.ball_event import ball_event
from grandstand.games.cricket.match.scenario_replay import begin
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.ball_model import Weights, ball_model, chase_bin, times
from grandstand.games.cricket.model.context import (
    natural_batter,
    natural_bowler,
    resembles,
    standard_field,
    standard_field_name,
)
from grandstand.games.cricket.model.engine import TOO_MANY_BOUNCERS, Choice, Delivery, Moment, Setting, bowl
from grandstand.games.cricket.model.keyed_random import Channel, Row, ball_draws, match_random
from grandstand.games.cricket.model.priors import before_innings, conditions
from grandstand.games.cricket.model.teams import Team, invented_teams
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.types import InningsCard, MatchState, OverPlan
from grandstand.games.cricket.vocab import BOUNCER, GROUPS, LENGTHS, LINES, SEATS

MAX_SUPER_OVERS: Final = 8
"""After so many level ones the match stands as a tie: the bars would soon leave nobody to bat."""
BATTER_HURT: Final = 1 / 6000
BOWLER_HURT: Final = 1 / 12000
"""OURS: chances per ball that a batter retires hurt, that a bowler cannot finish the over."""


class Contest:
    """One match. Sides are 0 (home) and 1 (away) inside, seats outside."""

    __slots__ = (
        "_cards", "_pairs", "_pitch", "appeal", "attack", "belief", "breached", "calls", "choices", "field_choice",
        "field_shown", "innings", "lock_striker", "luck", "method", "model", "next_in", "options", "plans", "quiet",
        "rain", "resources", "result", "seed", "stage", "teams", "toss_winner",
    )  # fmt: skip

    def __init__(self, options: CricketOptions, seed: int) -> None:
        self.options, self.seed, self.luck = options, seed, seed
        self.model = ball_model(options.era)
        self.teams: tuple[Team, Team] = invented_teams(seed)
        self.toss_winner = 0 if match_random(seed, "toss").random() < 0.5 else 1
        self.rain = options.weather(match_random(seed, "rain"))
        self.stage = "toss"
        """toss, play, review or over."""
        self.innings: list[Innings] = []
        self.choices: list[dict[str, str] | None] = [None, None]
        self.plans: list[OverPlan | None] = [None, None]
        self.calls = [0, 0]
        self.next_in: list[int | None] = [None, None]
        self.field_choice: str | tuple[str, ...] = "standard"
        self.field_shown: tuple[str, ...] | None = None
        self.lock_striker: int | None = None
        self.breached: tuple[str, ...] | None = None
        """The nine places of the field that the last ball was called no-ball for."""
        self.attack = 0
        """Group of the bowler who has the ball, by index."""
        self.quiet = False
        """True in rollouts: what is expensive to tell (balls, states) is left out of the events."""
        self.appeal: int | None = None
        """The side that may review, while the match waits for it."""
        self.resources = [resources(options.overs * 6, 0)] * 2
        self.belief = conditions().prior
        """What the play so far says of the day, for public chances."""
        self.method: str | None = None
        self.result: Outcome | None = None
        self._cards: dict[int, InningsCard] = {}
        self._pairs: dict[tuple[int, int, int], Weights] = {}
        self._pitch = match_random(seed, "pitch").gauss(0.0, 1.0)
        if (scenario := options.start(seed)) is not None:
            begin(self, scenario)

    @property
    def now(self) -> Innings:
        return self.innings[-1]

    # --- between balls ------------------------------------------------------------------------------------------------

    def start_innings(self, side: int, target: int | None = None) -> list[GameEvent]:
        number = len(self.innings) + 1
        rules = format_rules(self.options.overs, self.options.conditions)
        if number > 2:
            rules = super_over_rules(self.options.conditions)
        elif number == 2:
            rules = self.innings[0].rules
        innings = Innings(number, side, rules, target)
        if number > 4:
            batted = [i for i in self.innings[2:] if i.batting_side == side]
            out = {p for i in batted for p, card in i.batters.items() if card.out and not card.retired_hurt}
            innings.barred_batters = frozenset(out)
            innings.barred_bowler = next(i for i in reversed(self.innings) if i.batting_side == side).last_bowler
        self.innings.append(innings)
        self.belief = before_innings(number, self.belief)
        self.stage = "play"
        self.choices, self.plans, self.next_in, self.calls = [None, None], [None, None], [None, None], [0, 0]
        self.field_choice, self.field_shown, self.lock_striker = "standard", None, None
        self.breached = None
        self._pairs = {}
        limits = rules.powerplay_balls, rules.bowler_max_overs, rules.reviews
        return [events.InningsStarted(number, SEATS[side], SEATS[1 - side], rules.overs, target, *limits)]

    def send_in(self) -> list[GameEvent]:
        """Fill one vacant end: the batter named by the captain, or the natural next."""
        innings = self.now
        side = innings.batting_side
        player = self.next_in[side]
        if player is None or player not in innings.waiting():
            player = natural_batter(innings, self.teams[side])
        self.next_in[side] = None
        innings.send_in(player)
        place = innings.order.index(player) + 1
        name = self.teams[side].players[player].name
        return [events.BatterArrived(innings.number, name, place, innings.striker == player)]

    def telling_chance(self, move: Callable[[], list[GameEvent]], cause: str) -> list[GameEvent]:
        """What `move` announces, and then how it changed the chances, if it did."""
        if self.quiet or not self.options.win_probability:
            return move()
        before = decisions.home_chance(self)
        out = move()
        return [*out, decisions.chance_between(self, before, cause)] if out else []

    def retire(self, player: int, kind: str) -> list[GameEvent]:
        return self.telling_chance(lambda: self._retire(player, kind), "matchup")

    def _retire(self, player: int, kind: str) -> list[GameEvent]:
        innings = self.now
        innings.retire(player, kind)
        name = self.teams[innings.batting_side].players[player].name
        return [events.BatterRetired(innings.number, name, kind, [innings.runs, innings.wickets, innings.legal])]

    def next_bowler(self) -> int:
        """The bowler of the over about to begin: the plan's where the Laws allow, else the natural one."""
        innings = self.now
        side = innings.bowling_side
        plan = self.plans[side]
        if plan is not None and plan["over"] == innings.over and "bowler" in plan:
            player = self.teams[side].index(plan["bowler"])
            if player is not None and innings.may_bowl(player, self.teams[side].keeper) is None:
                return player
        return natural_bowler(innings, self.teams[side], self.model, self.row())

    def give_ball(self, player: int) -> list[GameEvent]:
        innings = self.now
        side = innings.bowling_side
        innings.give_ball(player)
        self.bowls(player)
        self.field_shown = None  # who bowls leaves the field: others move to the same places
        plan = self.plans[side]
        if plan is not None and plan["over"] == innings.over and "field" in plan:
            self.field_choice = plan["field"] if isinstance(plan["field"], str) else tuple(plan["field"])
        name = self.teams[side].players[player].name
        return [events.BowlerChosen(innings.number, innings.over, name), *self.show_field()]

    # --- the field ----------------------------------------------------------------------------------------------------

    @property
    def field(self) -> Field:
        return self.field_for(self.field_choice)

    def field_for(self, choice: str | tuple[str, ...]) -> Field:
        """The field that a captain's choice comes to now: `standard`, a preset, or nine places."""
        if choice == "standard":
            return standard_field(self.now.rules, self.now.legal, self.attack)
        return field_of(PRESETS[choice] if isinstance(choice, str) else choice)

    @property
    def field_locked(self) -> bool:
        """For a free hit the field stays, unless the striker has changed. Where the no-ball was for the field itself
        the captain may still correct that, and no more (`may_correct`)."""
        innings = self.now
        return innings.free_hit and self.lock_striker is not None and self.lock_striker == innings.striker

    def may_correct(self, choice: str | tuple[str, ...]) -> str | None:
        """Return None where `choice` only corrects the field that was called no-ball, else what is wrong with it."""
        assert self.breached is not None
        places = self.field_for(choice).places
        most = len(set(corrected(self.breached, self.now.rules.max_outside(self.now.legal))) - set(self.breached))
        moved = set(places) - set(self.breached)
        if len(moved) > most:
            return (
                f"for this free hit the field may change only to correct the breach: move at most {most} of "
                f"{', '.join(self.breached)}, not {len(moved)}"
            )
        return None

    def breach(self) -> str | None:
        return self.would_breach(self.field_choice)

    def would_breach(self, choice: str | tuple[str, ...]) -> str | None:
        """The restriction that `choice` would break on the next ball, if any."""
        return self.field_for(choice).breach(self.now.rules.max_outside(self.now.legal))

    def bowls(self, player: int | None) -> None:
        """Note that `player` has the ball: what is bowled is pace or spin, pace while nobody has it."""
        players = self.teams[self.now.bowling_side].players
        self.attack = 0 if player is None else GROUPS.index(players[player].group)

    def show_field(self) -> list[GameEvent]:
        """Announce the field where it is not the one last announced."""
        if self.quiet:
            return []
        innings, field = self.now, self.field
        if field.places == self.field_shown or innings.bowler is None:
            return []
        self.field_shown = field.places
        name: str | None = self.field_choice if isinstance(self.field_choice, str) else None
        if name == "standard":
            name = standard_field_name(innings.rules, innings.legal, self.attack)
        return [events.FieldSet(innings.number, name, self.placed(), field.outside, self.breach())]

    def placed(self) -> dict[str, str]:
        """Position -> fielder for the nine, in the side's order."""
        innings = self.now
        side = self.teams[innings.bowling_side]
        others = [p.name for i, p in enumerate(side.players) if i not in (innings.bowler, side.keeper)]
        return dict(zip(self.field.places, others, strict=False))

    # --- the ball -----------------------------------------------------------------------------------------------------

    def row(self) -> Row:
        innings = self.now
        return ball_draws(self.luck, innings.number, innings.legal, innings.attempt)

    def choice(self) -> Choice:
        """Both captains' calls for this ball, as the engine takes them."""
        innings = self.now
        bowling, batting = self.choices[innings.bowling_side] or {}, self.choices[innings.batting_side] or {}
        if not bowling and not batting:
            return Choice()
        length, line = bowling.get("length", "natural"), bowling.get("line", "natural")
        variation = bowling.get("variation", "natural")
        aim = tactics.NATURAL if length == "natural" else LENGTHS.index(length)
        return Choice(
            (aim, tactics.NATURAL if line == "natural" else LINES.index(line)),
            None if variation == "natural" else variation,
            batting.get("intent", "normal"),
            batting.get("shot", "natural"),
            0 if innings.bowler is None else tactics.repeats(innings.bowlers[innings.bowler].aims, aim, variation),
        )

    def moment(self) -> Moment:
        """The state that this ball's odds depend on."""
        innings = self.now
        over, phase = resembles(innings.rules, innings.legal)
        rate = innings.required_rate()
        if rate is not None:
            rate *= tactics.rate_scale(innings.rules)
        faced = 0 if innings.striker is None else innings.batters[innings.striker].balls
        return Moment(over, phase, self.attack, innings.wickets, faced, chase_bin(rate), innings.free_hit)

    def pair(self, phase: int) -> Weights:
        """Odds factors of the striker and the bowler in `phase`, with the pitch and the pace of the innings."""
        innings = self.now
        striker, _, bowling = innings.three
        key = (striker, bowling, phase)
        found = self._pairs.get(key)
        if found is None:
            batter = self.teams[innings.batting_side].players[striker]
            bowler = self.teams[innings.bowling_side].players[bowling]
            found = self._pairs[key] = times(
                tactics.batter_factor(self.model, striker, batter.batting),
                tactics.bowler_factor(bowler.bowling, bowler.liking[phase]),
                tactics.match_factor(self._pitch),
                tactics.tempo(innings.rules),
            )
        return found

    def delivery(self) -> Delivery:
        """What this ball comes to: the same however often it is asked, until `complete`."""
        innings = self.now
        rules, legal = innings.rules, innings.legal
        striker, non_striker, bowler = innings.three
        moment = self.moment()
        standard = standard_field(rules, legal, self.attack)
        field = standard if self.field_choice == "standard" else self.field
        setting = Setting(
            moment,
            self.pair(moment.phase),
            self.teams[innings.bowling_side].players[bowler].accuracy,
            self.choice(),
            field,
            standard,
            rules.bouncers_per_over - innings.bouncers,
            None if field is standard else field.breach(rules.max_outside(legal)),
            striker,
            non_striker,
            self.row(),
        )
        return bowl(self.model, setting)

    def deliver(self) -> list[GameEvent]:
        """Play the ball that both captains have chosen, as far as the umpire's decision if a side may review it."""
        innings = self.now
        out = self.show_field()
        delivery = self.delivery()
        appeal = delivery.appeal
        if appeal is not None:
            side = innings.batting_side if appeal.given_out else innings.bowling_side
            left = innings.bat_reviews if appeal.given_out else innings.field_reviews
            if left > 0:
                self.stage, self.appeal, self.calls = "review", side, [0, 0]
                return [*out, self.appeal_made(delivery)]
        return out + self.complete(delivery, reviewed=False)

    def appeal_made(self, delivery: Delivery) -> events.AppealMade:
        innings, appeal = self.now, delivery.appeal
        assert appeal is not None
        striker, _, bowler = innings.three
        return events.AppealMade(
            innings.number,
            innings.name,
            appeal.kind,
            self.teams[innings.batting_side].players[striker].name,
            self.teams[innings.bowling_side].players[bowler].name,
            appeal.given_out,
            SEATS[innings.batting_side if appeal.given_out else innings.bowling_side],
            appeal.evidence,
            innings.bat_reviews if appeal.given_out else innings.field_reviews,
        )

    def complete(self, delivery: Delivery, reviewed: bool) -> list[GameEvent]:
        """Settle any review, let the Laws have the ball, tell it, and go on to whatever comes next."""
        innings, setting = self.now, delivery.setting
        striker, _, bowler = innings.three
        out = self._settle(delivery, reviewed)
        card = innings.bowlers[bowler]
        self.stage, self.appeal = "play", None
        if self.quiet:
            innings.play(delivery.ball)
        elif self.options.win_probability:
            weighed = decisions.weigh(self, setting)
            told = ball_event(self, delivery)
            self.belief = decisions.learned(self, weighed.chances, told)
            out += [told, decisions.chance_changed(self, weighed, told.ball)]
        else:
            out.append(ball_event(self, delivery))
        aim = (setting.choice.aim[0], setting.choice.variation or "natural")
        card.aims = (*card.aims[1 - tactics.READ_BALLS :], aim)
        innings.bouncers += delivery.length == BOUNCER
        self.breached = None
        if delivery.ball.noball:
            self.lock_striker = striker
            if delivery.noball_for == TOO_MANY_BOUNCERS:
                innings.fouls.append("bouncer")
            elif setting.foul is not None:
                innings.fouls.append("field")
                self.breached = setting.field.places
                self.field_choice = corrected(self.breached, innings.rules.max_outside(innings.legal))
        self.choices, self.calls = [None, None], [0, 0]
        if innings.closed is None and setting.row[Channel.MISHAP] < BATTER_HURT + BOWLER_HURT:
            out += self._mishaps(setting.row)
        if innings.closed is None and innings.over_complete:
            out += self.end_over()
        return out + (self.end_innings() if innings.closed is not None else [])

    def _settle(self, delivery: Delivery, reviewed: bool) -> list[GameEvent]:
        """Make `delivery.ball` what the final decision says; returns the review, if one was taken."""
        appeal, innings = delivery.appeal, self.now
        if appeal is None:
            return []
        out = appeal.out if reviewed else appeal.given_out
        if out != appeal.out:
            assert innings.striker is not None
            delivery.ball = Ball(dismissal=Dismissal(appeal.kind, innings.striker)) if out else Ball()
        if not reviewed:
            return []
        upheld = appeal.out != appeal.given_out
        lost = 0 if upheld or appeal.umpires_call else 1
        if appeal.given_out:
            innings.bat_reviews -= lost
        else:
            innings.field_reviews -= lost
        side = innings.batting_side if appeal.given_out else innings.bowling_side
        left = innings.bat_reviews if appeal.given_out else innings.field_reviews
        umpires_call = appeal.umpires_call and not upheld
        return [
            events.ReviewTaken(innings.number, innings.name, SEATS[side], appeal.kind, upheld, umpires_call, out, left)
        ]

    def _mishaps(self, row: Row) -> list[GameEvent]:
        innings, u = self.now, row[Channel.MISHAP]
        if u < BATTER_HURT and innings.striker is not None and len(innings.waiting()) > 1:
            return self.retire(innings.striker, "retired hurt")
        if u >= BATTER_HURT and innings.bowler is not None and innings.legal % 6:
            side = self.teams[innings.bowling_side]
            hurt = innings.bowler
            free = [i for i in range(11) if i != hurt and innings.may_bowl(i, side.keeper) is None]
            if free:
                innings.replace_bowler(free[-1])
                self.bowls(free[-1])
                self.field_shown = None
                names = side.players[free[-1]].name, side.players[hurt].name
                return [events.BowlerChosen(innings.number, innings.over, *names), *self.show_field()]
        return []

    def card(self, innings: Innings) -> InningsCard:
        """The scorecard of an innings; that of a past one is made once."""
        if innings is self.now and self.stage != "over":
            return observation.scorecard(self, innings)
        found = self._cards.get(innings.number)
        if found is None:
            found = self._cards[innings.number] = observation.scorecard(self, innings)
        return found

    def state(self) -> MatchState | None:
        """The public position for an event; None in rollouts."""
        return None if self.quiet else observation.public_state(self)

    # --- ends ---------------------------------------------------------------------------------------------------------

    def end_over(self) -> list[GameEvent]:
        innings = self.now
        over, bowler, balls = (innings.legal - 1) // 6, innings.bowler, innings.over_log
        assert bowler is not None
        maidens = innings.bowlers[bowler].maidens
        runs, wickets = innings.end_over()
        self.bowls(None)
        rained = [] if innings.closed else self.telling_chance(lambda: results.interrupt(self), "luck")
        if self.plans[innings.bowling_side] is not None or self.plans[innings.batting_side] is not None:
            self.plans = [p if p is not None and p["over"] >= innings.over else None for p in self.plans]
        ended = events.OverEnded(
            innings.number,
            over,
            self.teams[innings.bowling_side].players[bowler].name,
            runs,
            wickets,
            innings.bowlers[bowler].maidens > maidens,
            balls,
            [innings.runs, innings.wickets, innings.legal],
            self.state(),
        )
        return [ended, *rained]

    def shorten(self, rules: FormatRules) -> None:
        """Weather: the innings goes on under the rules of fewer overs."""
        self.now.rules = rules
        self._pairs = {}

    def end_innings(self) -> list[GameEvent]:
        innings, side = self.now, self.now.batting_side
        if innings.bowler is not None:
            innings.end_over()
        out = self._ended(innings)
        if results.too_short(self):
            return out + results.abandon(self)
        if innings.number % 2 == 1:
            return out + self.start_innings(1 - side, results.target(self))
        if innings.target is not None and innings.runs != innings.target - 1:
            return out + results.win(self)
        if innings.number // 2 > MAX_SUPER_OVERS or innings.closed == "rain":
            return out + results.tie(self)
        return [*out, events.SuperOverStarted(innings.number // 2, SEATS[side]), *self.start_innings(side)]

    def _ended(self, innings: Innings) -> list[GameEvent]:
        return [
            events.InningsEnded(
                innings.number,
                SEATS[innings.batting_side],
                innings.runs,
                innings.wickets,
                innings.legal,
                innings.closed or "",
                self.state(),
            )
        ]
