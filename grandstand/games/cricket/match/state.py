"""The state of a match: its fields, and queries that change nothing."""

from __future__ import annotations

from copy import copy
from typing import Protocol, Self

from grandstand.games.base import Outcome
from grandstand.games.cricket.events import AppealMade
from grandstand.games.cricket.laws.duckworth_lewis import resources
from grandstand.games.cricket.laws.field import KEEPER_UP, PRESETS, Field, field_of, moves_to_correct
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import ELEVEN, format_rules
from grandstand.games.cricket.model import forecast, reading, tactics
from grandstand.games.cricket.model.ball_model import Weights, ball_model, chase_bin, times
from grandstand.games.cricket.model.context import (
    farming,
    natural_batter,
    natural_bowler,
    resembles,
    standard_field,
    standard_field_name,
)
from grandstand.games.cricket.model.engine import BallChoice, BallMoment, Delivery, Setting, bowl
from grandstand.games.cricket.model.keyed_random import Row, ball_draws, match_random
from grandstand.games.cricket.model.matchups import matchup
from grandstand.games.cricket.model.teams import Team, invented_teams
from grandstand.games.cricket.model.umpire import Appeal
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.packs import NO_PACK
from grandstand.games.cricket.types import InningsCard, OverPlan
from grandstand.games.cricket.vocab import GROUPS, LENGTHS, LINES, MEDIUM, SEATS


class ContestState:
    """One match at one moment. Within the match, sides are 0 (home) and 1 (away). Only `Contest` changes it."""

    __slots__ = (
        "aims", "appeal", "attack", "breached", "calls", "cards", "choices", "field_choice", "field_shown",
        "forecast", "headless", "impact", "innings", "lock_striker", "luck", "method", "model", "next_in", "options",
        "pair_factors", "pitch", "plans", "rain", "resources", "result", "seed", "stage", "strokes", "teams",
        "toss_winner",
    )  # fmt: skip

    def __init__(self, options: CricketOptions, seed: int) -> None:
        self.options, self.seed, self.luck = options, seed, seed
        self.model = ball_model(options.era)
        rules = format_rules(options.overs, options.conditions)
        self.teams: tuple[Team, Team] = invented_teams(seed, rules.impact_player)
        self.toss_winner = 0 if match_random(seed, "toss").random() < 0.5 else 1
        self.rain = options.weather(match_random(seed, "rain"))
        self.stage = "toss"
        """toss, play, review or over."""
        self.innings: list[Innings] = []
        self.choices: list[dict[str, str] | None] = [None, None]
        self.plans: list[OverPlan | None] = [None, None]
        self.calls = [0, 0]
        self.next_in: list[int | None] = [None, None]
        self.impact: list[list[int] | None] = [None, None]
        """Each side's impact player: the number of the innings, who came in and who left; None before."""
        self.field_choice: str | tuple[str, ...] = "standard"
        self.field_shown: tuple[str, ...] | None = None
        self.lock_striker: int | None = None
        self.breached: tuple[str, ...] | None = None
        """The nine places of the field for which the last ball was called a no-ball."""
        self.aims: tuple[tuple[reading.Aim, ...], tuple[reading.Aim, ...]] = ((), ())
        """The remembered calls of this innings' last balls of pace and of spin, the latest last."""
        self.strokes: tuple[tuple[str, str], ...] = ()
        """The remembered calls of the batters, intent and shot, for this innings' last balls."""
        self.attack = 0
        """Group of the bowler who has the ball, by index."""
        self.headless = False
        """True in rollouts, whose events lack the data that are expensive to compute (balls, states)."""
        self.appeal: int | None = None
        """The side that may review, while the match waits for it."""
        self.resources = [resources(options.overs * 6, 0)] * 2
        self.method: str | None = None
        self.result: Outcome | None = None
        self.cards: dict[int, InningsCard] = {}
        """Scorecards of past innings by number, each built once."""
        self.pair_factors: dict[tuple[int, int, int], Weights] = {}
        """Odds factors by striker, bowler and phase; empty again when the innings or its rules change."""
        self.pitch = match_random(seed, "pitch").gauss(0.0, 1.0)
        self.forecast = forecast.drawn(match_random(seed, "forecast")) if options.pack == NO_PACK else forecast.EVEN

    def clone(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        for name in ContestState.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.innings = [*self.innings[:-1], self.innings[-1].clone()] if self.innings else []
        twin.cards = dict(self.cards)
        twin.choices, twin.plans = self.choices[:], self.plans[:]
        twin.calls, twin.next_in, twin.resources = self.calls[:], self.next_in[:], self.resources[:]
        twin.impact = self.impact[:]
        return twin

    @property
    def now(self) -> Innings:
        """Return the present innings, or the last one."""
        return self.innings[-1]

    @property
    def field(self) -> Field:
        return self.field_for(self.field_choice)

    def field_for(self, choice: str | tuple[str, ...]) -> Field:
        """Return the field for a captain's choice: `standard`, a preset, or nine places."""
        if choice == "standard":
            return field_of(PRESETS[self.standard_name])
        if not isinstance(choice, str):
            return field_of(choice)
        return field_of(PRESETS[choice], choice in KEEPER_UP and self.medium)

    @property
    def standard_name(self) -> str:
        """Return the preset of a captain who sets none: with a fielder fewer outside, the one for four of them."""
        innings = self.now
        name = standard_field_name(innings.rules, innings.legal, self.attack)
        legal = field_of(PRESETS[name]).outside <= innings.max_outside
        return name if legal else f"four_out_{GROUPS[self.attack]}"

    @property
    def medium(self) -> bool:
        """Return whether the bowler is of a pace to which the wicket-keeper can stand up."""
        innings = self.now
        return innings.bowler is not None and self.teams[innings.bowling_side].players[innings.bowler].style in MEDIUM

    @property
    def field_locked(self) -> bool:
        """Return whether the field is locked: for a free hit whose striker has not changed. After a no-ball for the
        field itself the captain may only correct the breach (`may_correct`)."""
        innings = self.now
        return innings.free_hit and self.lock_striker is not None and self.lock_striker == innings.striker

    def may_correct(self, choice: str | tuple[str, ...]) -> str | None:
        """Return None if `choice` only corrects the field of the no-ball, or the reason why it does more."""
        assert self.breached is not None
        places = self.field_for(choice).places
        most = moves_to_correct(self.breached, self.now.max_outside)
        moved = set(places) - set(self.breached)
        if len(moved) > most:
            return (
                f"for this free hit the field may change only to correct the breach: move at most {most} of "
                f"{', '.join(self.breached)}, not {len(moved)}"
            )
        return None

    def refused_field(self, choice: str | tuple[str, ...]) -> str | None:
        """Return why the captain may not set `choice` now; None if it may."""
        if self.field_locked:
            if self.breached is None:
                return "the field may not change for this free hit; leave it"
            if (excess := self.may_correct(choice)) is not None:
                return excess
        if "field" in self.now.fouls and (why := self.would_breach(choice)) is not None:
            return f"called no-ball once this over for such a field ({why}); set a legal one"
        return None

    def breach(self) -> str | None:
        return self.would_breach(self.field_choice)

    def would_breach(self, choice: str | tuple[str, ...]) -> str | None:
        """Return the restriction that `choice` would break on the next ball, if any."""
        return self.field_for(choice).breach(self.now.max_outside)

    def group_of(self, bowler: int | None) -> int:
        """Return the index of the bowler's group, pace or spin; pace while no bowler has the ball."""
        players = self.teams[self.now.bowling_side].players
        return 0 if bowler is None else GROUPS.index(players[bowler].group)

    def placed(self) -> dict[str, str]:
        """Return the nine fielders by position, without bowler and wicket-keeper."""
        return self.placed_in(self.field.places)

    def placed_in(self, places: tuple[str, ...]) -> dict[str, str]:
        """Return position -> fielder: nine of the side in its order, the tenth in the bowler's place."""
        innings = self.now
        side = self.teams[innings.bowling_side]
        *nine, tenth = (i for i in innings.elevens[innings.bowling_side] if i != side.keeper)
        standing = (tenth if i == innings.bowler else i for i in nine)
        return {place: side.players[i].name for place, i in zip(places, standing, strict=True)}

    def row(self) -> Row:
        innings = self.now
        return ball_draws(self.luck, innings.number, innings.legal, innings.attempt)

    def choice(self) -> BallChoice:
        """Return both captains' calls for this ball in the form of the engine."""
        innings = self.now
        bowling, batting = self.choices[innings.bowling_side] or {}, self.choices[innings.batting_side] or {}
        if not bowling and not batting:
            return BallChoice()
        length, line = bowling.get("length", "natural"), bowling.get("line", "natural")
        variation = bowling.get("variation", "natural")
        aim = (
            tactics.NATURAL if length == "natural" else LENGTHS.index(length),
            tactics.NATURAL if line == "natural" else LINES.index(line),
        )
        return BallChoice(
            aim,
            None if variation == "natural" else variation,
            batting.get("intent", "normal"),
            batting.get("shot", "natural"),
            reading.read(self.aims[self.attack], (*aim, variation)),
        )

    def moment(self) -> BallMoment:
        """Return the parameters of this ball's odds."""
        innings = self.now
        over, phase = resembles(innings.rules, innings.legal)
        rate = innings.required_rate()
        if rate is not None:
            rate *= tactics.rate_scale(innings.rules)
        faced = 0 if innings.striker is None else innings.batters[innings.striker].balls
        return BallMoment(over, phase, self.attack, innings.wickets, faced, chase_bin(rate), innings.free_hit)

    @property
    def drift(self) -> float:
        """Return the known change of this innings' conditions since the first, in log-odds."""
        return forecast.FORECASTS[self.forecast].drift if self.innings and self.now.number == 2 else 0.0

    @property
    def drift_to_come(self) -> float:
        """Return that of the chase, before it."""
        return 0.0 if len(self.innings) > 1 else forecast.FORECASTS[self.forecast].drift

    def matchup(self, striker: int, bowler: int) -> Weights:
        """Return the odds factors of the hand of a batter and the style of a bowler."""
        innings = self.now
        style = self.teams[innings.bowling_side].players[bowler].style
        return matchup(style, self.teams[innings.batting_side].players[striker].hand)

    def pair(self, phase: int) -> Weights:
        """Return the odds factors of the striker and the bowler in `phase`, with the pitch and the innings' pace."""
        innings = self.now
        striker, _, bowling = innings.three
        key = (striker, bowling, phase)
        factors = self.pair_factors.get(key)
        if factors is None:
            batter = self.teams[innings.batting_side].players[striker]
            bowler = self.teams[innings.bowling_side].players[bowling]
            factors = self.pair_factors[key] = times(
                tactics.batter_factor(self.model, batter.place, batter.batting),
                tactics.bowler_factor(bowler.bowling, bowler.liking[phase]),
                self.matchup(striker, bowling),
                tactics.match_factor(self.pitch, self.drift),
                tactics.tempo(innings.rules),
            )
        return factors

    def delivery(self) -> Delivery:
        """Return the outcome of this ball: the same on every call, until the ball is completed."""
        innings = self.now
        rules, legal = innings.rules, innings.legal
        striker, non_striker, bowler = innings.three
        moment = self.moment()
        pair, last_pair = self.pair(moment.phase), farming(innings)
        standard = standard_field(rules, legal, self.attack)
        field = standard if self.field_choice == "standard" and not innings.slow else self.field
        setting = Setting(
            moment,
            pair if last_pair is None else times(pair, last_pair),
            self.teams[innings.bowling_side].players[bowler].accuracy,
            self.choice(),
            field,
            standard,
            rules.bouncers_per_over - innings.bouncers,
            None if field is standard else field.breach(innings.max_outside),
            striker,
            non_striker,
            self.row(),
            rules.reviews_of_extras,
        )
        return bowl(self.model, setting)

    def appeal_made(self, delivery: Delivery) -> AppealMade:
        innings, appeal = self.now, delivery.appeal
        assert appeal is not None
        striker, _, bowler = innings.three
        side = self.reviewer(appeal)
        return AppealMade(
            innings.number,
            innings.name,
            appeal.kind,
            self.teams[innings.batting_side].players[striker].name,
            self.teams[innings.bowling_side].players[bowler].name,
            appeal.given_out,
            SEATS[side],
            appeal.evidence,
            innings.reviews_left(side),
        )

    def reviewer(self, appeal: Appeal) -> int:
        """Return the side that may review the decision."""
        return self.now.batting_side if appeal.of_batters else self.now.bowling_side

    def next_bowler(self) -> int:
        """Return the bowler of the next over: that of the plan if the Laws allow, or the natural one."""
        innings = self.now
        side = innings.bowling_side
        plan = self.plans[side]
        if plan is not None and plan["over"] == innings.over and "bowler" in plan:
            player = self.teams[side].index(plan["bowler"])
            if player is not None and innings.may_bowl(player, self.teams[side].keeper) is None:
                return player
        return self.natural_bowler()

    def substitutes(self, side: int) -> list[int]:
        """Return who may come in now as the impact player of `side`: once, before an innings or at the end of an over,
        until its captain has named the bowler or called the ball."""
        if self.stage != "play" or self.impact[side] is not None or self.now.over_log:
            return []
        named = self.now.bowler if side == self.now.bowling_side else self.choices[side]
        return list(range(ELEVEN, len(self.teams[side].players))) if named is None else []

    def replaceable(self, side: int) -> list[int]:
        """Return whom an impact player may replace: all but the captain, the wicket-keeper and the batters who are
        in."""
        team, innings = self.teams[side], self.now
        batters = innings.at_the_wicket if side == innings.batting_side else ()
        return [i for i in innings.elevens[side] if i not in (team.captain, team.keeper, *batters)]

    def replace(self, side: int, comes: int, leaves: int) -> None:
        """Bring in an impact player for one of the eleven, who takes no further part."""
        self.impact[side] = [self.now.number, comes, leaves]
        self.now.elevens[side] = self.teams[side].eleven((comes, leaves))

    def after(self, side: int, comes: int, leaves: int) -> Self:
        """Return the match as it would be with the impact player, only to be read: it shares all else with this one."""
        twin, innings = copy(self), copy(self.now)
        innings.elevens, twin.impact = innings.elevens[:], self.impact[:]
        twin.innings = [*self.innings[:-1], innings]
        twin.replace(side, comes, leaves)
        return twin

    def following_batter(self) -> int:
        """Return who comes in at the next vacant end: whom the captain named, or the next in the natural order."""
        innings = self.now
        named = self.next_in[innings.batting_side]
        if named is not None and named in innings.waiting():
            return named
        return natural_batter(innings, self.teams[innings.batting_side])

    def natural_bowler(self) -> int:
        """Return the bowler of the next over whom a real side might choose."""
        return natural_bowler(self.now, self.teams[self.now.bowling_side], self.model, self.row())


class Position(Protocol):
    """A match as the captains of `bots/` see it: by its state alone."""

    @property
    def state(self) -> ContestState: ...
