"""One innings by the Laws: score, strike, ends, quotas and cards, without probabilities and captains. `Innings.play`
applies the Laws to the physical outcome of one delivery."""

from __future__ import annotations

from grandstand.games.cricket.laws.cards import STRIKER_END, Ball, BatterCard, BowlerCard, Dismissal, ball_mark
from grandstand.games.cricket.laws.clock import BETWEEN_OVERS, seconds
from grandstand.games.cricket.laws.rules import ELEVEN, FormatRules
from grandstand.games.cricket.vocab import BOWLER_KINDS, RUN_OUT_KINDS, WIDE_KINDS


class Innings:
    """The state of one innings. Players are indices 0-10 in their side's default batting order, then the bench."""

    __slots__ = (
        "attempt",
        "barred_batters",
        "barred_bowler",
        "bat_reviews",
        "batters",
        "batting_side",
        "bouncers",
        "bowler",
        "bowlers",
        "bowling_side",
        "byes",
        "clock",
        "closed",
        "elevens",
        "fall",
        "field_reviews",
        "fouls",
        "free_hit",
        "last_bowler",
        "legal",
        "legbyes",
        "noballs",
        "non_striker",
        "number",
        "order",
        "over_bowler_runs",
        "over_log",
        "over_start",
        "overs",
        "partner_balls",
        "partner_runs",
        "penalties",
        "relieved",
        "rested",
        "rules",
        "runs",
        "slow",
        "stood",
        "striker",
        "target",
        "wickets",
        "wides",
    )  # fmt: skip

    def __init__(self, number: int, batting_side: int, rules: FormatRules, target: int | None = None) -> None:
        self.number, self.batting_side, self.bowling_side = number, batting_side, 1 - batting_side
        self.rules, self.target = rules, target
        self.runs = self.wickets = self.legal = self.attempt = 0
        self.wides = self.noballs = self.byes = self.legbyes = self.penalties = 0
        self.elevens = [list(range(ELEVEN)), list(range(ELEVEN))]
        """Who plays, by side, in the usual batting order: an impact player in the place of whom he replaced."""
        self.batters: dict[int, BatterCard] = {}
        self.bowlers: dict[int, BowlerCard] = {}
        self.order: list[int] = []
        self.striker: int | None = None
        self.non_striker: int | None = None
        self.bowler: int | None = None
        self.last_bowler: int | None = None
        self.free_hit = False
        self.bouncers = 0
        self.fouls: list[str] = []
        """Causes of no-balls in this over other than overstepping. None may be repeated."""
        self.relieved: list[int] = []
        """Injured bowlers whose over another bowler finishes."""
        self.rested: list[int] = []
        """Bowlers of the last over, who may not bowl in this one."""
        self.over_bowler_runs = 0
        self.over_start = (0, 0)
        self.over_log: list[str] = []
        self.overs: list[tuple[int, int, int]] = []
        """(bowler, runs, wickets) of each completed over."""
        self.fall: list[tuple[int, int, int]] = []
        """(score, batter, legal balls) at each wicket."""
        self.partner_runs = self.partner_balls = 0
        self.bat_reviews = self.field_reviews = rules.reviews
        self.barred_batters: frozenset[int] = frozenset()
        self.barred_bowler: int | None = None
        self.closed: str | None = None
        self.clock = 0
        """The seconds of play so far that count against the fielding side, where the rules have a cut-off."""
        self.slow = False
        """Whether it was late, and has one fielder fewer outside the circle."""
        self.stood: list[str] = []
        """Where its fielders stood on the last ball."""

    # --- questions ----------------------------------------------------------------------------------------------------

    @property
    def max_outside(self) -> int:
        """Return the most fielders outside the 30-yard circle on the next ball."""
        return self.rules.max_outside(self.legal) - (self.slow and not self.rules.in_powerplay(self.legal))

    def tick(self, group: str, places: tuple[str, ...], wicket: bool) -> None:
        """Add the time of a ball, in this field, to the clock."""
        if self.rules.cut_off is not None:
            moved = bool(self.stood) and self.stood != list(places)
            self.clock += seconds(group, moved, self.wickets if wicket else None)
            self.stood = list(places)

    @property
    def behind(self) -> bool:
        """Return whether the clock is ahead of the overs, at the rate that the rules ask for."""
        cut_off, last = self.rules.cut_off, 6 * (self.rules.overs - 1)
        return cut_off is not None and not self.slow and self.clock * last > cut_off * self.legal

    def late(self) -> int:
        """Return by how many seconds an over that begins now is later than the last one has to be; 0 if it is not."""
        return 0 if self.rules.cut_off is None else max(0, self.clock - self.rules.cut_off)

    @property
    def balls_left(self) -> int:
        return self.rules.balls - self.legal

    @property
    def need(self) -> int | None:
        return None if self.target is None else self.target - self.runs

    @property
    def over(self) -> int:
        return self.legal // 6

    @property
    def three(self) -> tuple[int, int, int]:
        """Return the striker, the non-striker and the bowler, once all are known."""
        assert self.striker is not None
        assert self.non_striker is not None
        assert self.bowler is not None
        return self.striker, self.non_striker, self.bowler

    @property
    def at_the_wicket(self) -> tuple[int, ...]:
        """Return the batters who are in, the striker first."""
        return tuple(batter for batter in (self.striker, self.non_striker) if batter is not None)

    @property
    def name(self) -> str:
        """Return the next ball in cricket's notation: `4.3` is the third ball of the fifth over."""
        return f"{self.legal // 6}.{self.legal % 6 + 1}"

    def reviews_left(self, side: int) -> int:
        """Return how many unsuccessful reviews `side` may still make."""
        return self.bat_reviews if side == self.batting_side else self.field_reviews

    def lose_review(self, side: int) -> None:
        """Take one review from `side`."""
        if side == self.batting_side:
            self.bat_reviews -= 1
        else:
            self.field_reviews -= 1

    def required_rate(self) -> float | None:
        """Return the required runs an over; None in a first innings."""
        if self.target is None:
            return None
        return 6.0 * max(self.target - self.runs, 0) / max(self.balls_left, 1)

    def waiting(self) -> list[int]:
        """Return the batters who may come in next, in the default order, those who retired hurt last; eleven in all."""
        eleven, left = self.elevens[self.batting_side], ELEVEN - len(self.batters)
        fresh = [i for i in eleven if i not in self.batters and i not in self.barred_batters][:left]
        hurt = [
            i
            for i, card in self.batters.items()
            if card.retired_hurt and card.out is not None and i in eleven and i not in self.at_the_wicket
        ]
        return fresh + hurt

    def may_bowl(self, player: int, keeper: int) -> str | None:
        """Return None if `player` may bowl the next over, or the reason why not."""
        eleven = self.elevens[self.bowling_side]
        if player not in eleven:
            return "is not one of the eleven"
        if player == keeper:
            return "keeps wicket"
        if player == self.last_bowler:
            return "bowled the last over"
        if player == self.barred_bowler:
            return "bowled the last Super Over"
        cards = self.bowlers
        at_max = sum(card.overs >= self.rules.bowler_max_overs for i, card in cards.items() if i in eleven)
        bowled = cards[player].overs if player in cards else 0
        if not self.rules.may_bowl(bowled, at_max):
            return "has bowled the full quota"
        return "bowled part of the last over" if player in self.rested or player in self.relieved else None

    # --- moves between balls ------------------------------------------------------------------------------------------

    def send_in(self, player: int) -> None:
        """Put the batter at the vacant end, the striker's first."""
        card = self.batters.get(player)
        if card is None:
            self.batters[player] = BatterCard()
            self.order.append(player)
        else:
            card.out, card.retired_hurt = None, False
        if self.striker is None:
            self.striker = player
        else:
            self.non_striker = player

    def give_ball(self, player: int) -> None:
        """Let `player` bowl the over that is about to begin."""
        self.bowler = player
        card = self.bowlers.setdefault(player, BowlerCard())
        card.overs += 1

    def replace_bowler(self, player: int) -> None:
        """Let `player` finish an injured bowler's over: part of an over counts as a whole one for the quota.

        Neither may bowl in the next over (Law 17.6)."""
        if self.bowler is not None:
            self.relieved.append(self.bowler)
        self.give_ball(player)

    def retire(self, player: int, kind: str) -> None:
        """Retire a batter between balls.

        `retired out` is a wicket, not the bowler's; `retired hurt` is none and may come back (Law 25.4: only injury or
        illness gives that right).
        """
        card = self.batters[player]
        card.out = kind
        if kind == "retired out":
            self.wickets += 1
            self.fall.append((self.runs, player, self.legal))
            self.partner_runs = self.partner_balls = 0
        else:
            card.retired_hurt = True
        self._vacate(player)
        self._check_closed()

    def time_out(self, player: int) -> None:
        """Dismiss a batter who did not come in time and has not faced a ball (Law 40). No bowler gets the wicket."""
        self.send_in(player)
        self.batters[player].out = "timed out"
        self.wickets += 1
        self.fall.append((self.runs, player, self.legal))
        self._vacate(player)
        self._check_closed()

    def _vacate(self, player: int) -> None:
        if self.striker == player:
            self.striker = None
        elif self.non_striker == player:
            self.non_striker = None

    # --- the delivery -------------------------------------------------------------------------------------------------

    def play(self, ball: Ball, words: str | None = None) -> Ball:
        """Apply one delivery and return it as it counted, without runs and wickets after the winning run.

        Raises ValueError for a dismissal that the Laws do not allow off that ball.
        """
        striker, _, bowling = self.three
        self._check_dismissal(ball)
        self._stop_at_target(ball)
        total, bat = ball.total, ball.bat_runs
        card, bowler = self.batters[striker], self.bowlers[bowling]
        charged = bat + ball.noball + (ball.runs + 1 if ball.wide else 0)
        self.runs += total
        self.partner_runs += total
        bowler.runs += charged
        self.over_bowler_runs += charged
        self._extras(ball, bowler)
        if not ball.wide:
            card.balls += 1
            self.partner_balls += 1
            card.runs += bat
            if ball.boundary and bat == 4:
                card.fours += 1
            elif ball.boundary and bat == 6:
                card.sixes += 1
        if total == 0:
            bowler.dots += 1
        legal = ball.legal
        if legal:
            self.legal += 1
            self.attempt = 0
            bowler.balls += 1
        else:
            self.attempt += 1
        if ball.runs % 2 and not ball.boundary:
            self.striker, self.non_striker = self.non_striker, self.striker
        if ball.dismissal is not None:
            self._dismiss(ball.dismissal, bowler, words)
        self.free_hit = ball.noball or (self.free_hit and ball.wide)
        self.over_log.append(ball_mark(ball))
        self._check_closed()
        return ball

    def _check_dismissal(self, ball: Ball) -> None:
        kind = ball.dismissal.kind if ball.dismissal else None
        if kind is None:
            return
        if (ball.noball or (self.free_hit and not ball.wide)) and kind not in RUN_OUT_KINDS:
            raise ValueError(
                f"{kind}: off a no-ball or free hit a batter can only be {', '.join(sorted(RUN_OUT_KINDS))}"
            )
        if ball.wide and kind not in (RUN_OUT_KINDS if self.free_hit else WIDE_KINDS):
            raise ValueError(f"{kind}: off a wide a batter can only be {', '.join(sorted(WIDE_KINDS))}")

    def _stop_at_target(self, ball: Ball) -> None:
        """End the match with the winning run: a boundary counts in full, nothing later counts (Law 16.6)."""
        need = self.need
        if need is None:
            return
        after_penalty = need - ball.wide - ball.noball - ball.penalty
        if after_penalty <= 0:
            ball.runs, ball.boundary, ball.dismissal = 0, False, None
        elif ball.runs >= after_penalty and not ball.boundary:
            ball.runs, ball.dismissal = after_penalty, None

    def _extras(self, ball: Ball, bowler: BowlerCard) -> None:
        if ball.wide:
            self.wides += ball.runs + 1
            bowler.wides += 1
        elif ball.runs_from == "byes":
            self.byes += ball.runs
        elif ball.runs_from == "legbyes":
            self.legbyes += ball.runs
        if ball.noball:
            self.noballs += 1
            bowler.noballs += 1
        self.penalties += ball.penalty

    def _dismiss(self, dismissal: Dismissal, bowler: BowlerCard, words: str | None) -> None:
        out = dismissal.batter
        survivor = self.non_striker if self.striker == out else self.striker
        self.batters[out].out = words or dismissal.kind
        self.wickets += 1
        if dismissal.kind in BOWLER_KINDS:
            bowler.wickets += 1
        self.fall.append((self.runs, out, self.legal))
        self.partner_runs = self.partner_balls = 0
        if dismissal.end == STRIKER_END:
            self.striker, self.non_striker = None, survivor
        else:
            self.striker, self.non_striker = survivor, None

    def _check_closed(self) -> None:
        if self.target is not None and self.runs >= self.target:
            self.closed = "target reached"
        elif self.wickets >= self.rules.wickets or self._no_batter_left():
            self.closed = "all out"
        elif self.legal >= self.rules.balls:
            self.closed = "overs completed"

    def _no_batter_left(self) -> bool:
        vacant = (self.striker is None) + (self.non_striker is None)
        return vacant > 0 and len(self.order) >= 2 and len(self.waiting()) < vacant

    @property
    def over_complete(self) -> bool:
        return self.bowler is not None and self.attempt == 0 and self.legal % 6 == 0 and bool(self.over_log)

    def end_over(self) -> tuple[int, int]:
        """Change ends; returns (runs, wickets) of the over. Also closes a part over at the end of an innings."""
        assert self.bowler is not None
        if self.over_bowler_runs == 0 and self.legal % 6 == 0 and self.attempt == 0 and not self.relieved:
            self.bowlers[self.bowler].maidens += 1
        summary = (self.runs - self.over_start[0], self.wickets - self.over_start[1])
        self.overs.append((self.bowler, *summary))
        self.over_start = (self.runs, self.wickets)
        self.striker, self.non_striker = self.non_striker, self.striker
        self.last_bowler, self.bowler = self.bowler, None
        self.over_bowler_runs = self.bouncers = 0
        self.fouls = []
        self.rested, self.relieved = self.relieved, []
        self.over_log = []
        self.clock += BETWEEN_OVERS if self.rules.cut_off is not None else 0
        return summary

    # --- copies -------------------------------------------------------------------------------------------------------

    def clone(self) -> Innings:
        twin = Innings.__new__(Innings)
        for name in Innings.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.batters = {i: card.copy() for i, card in self.batters.items()}
        twin.bowlers = {i: card.copy() for i, card in self.bowlers.items()}
        twin.order, twin.overs, twin.fall = self.order[:], self.overs[:], self.fall[:]
        twin.over_log, twin.fouls = self.over_log[:], self.fouls[:]
        twin.relieved, twin.rested, twin.elevens = self.relieved[:], self.rested[:], self.elevens[:]
        return twin
