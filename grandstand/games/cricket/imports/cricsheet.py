"""Converts a Cricsheet document to the events of a match: the recorded deliveries, and the events that follow from
them.

Line, length, field and stroke are not recorded, so they stay unknown. The team that is named first has the seat `home`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from grandstand.games.base import GameEvent, Outcome, SeatId
from grandstand.games.cricket import events
from grandstand.games.cricket.export.cricsheet import delivery_of
from grandstand.games.cricket.imports.chances import batting_chance, chase_chance, rules_of
from grandstand.games.cricket.imports.document import DeliveryLine, MatchRecord, WicketLine, read_document
from grandstand.games.cricket.imports.scorer import Scorer
from grandstand.games.cricket.imports.sheets import ahead, result_of, sheets, turn_name
from grandstand.games.cricket.match.ball_event import how_out
from grandstand.games.cricket.types import Format, PublicState, Replacement, Result, Wicket
from grandstand.games.cricket.vocab import NOT_OUT_EXITS, SEATS
from grandstand.games.exchange import DocumentForm, Imported, ImportedTurn
from grandstand.games.match import event_data

MODERN: Final = 2023
"""The first year whose level of scoring is that of the era `modern`."""

BETWEEN_BALLS: Final = frozenset({*NOT_OUT_EXITS, "retired out", "timed out"})
"""Kinds of leaving that happen between balls."""

_DIGITS: Final = 5


def import_cricsheet(document: Mapping[str, Any]) -> Imported:
    """Return the match of a document. Raises DocumentError naming the field."""
    record = read_document(document)
    reading = _Reading(record)
    opening, turns = reading.turns()
    named = [" v ".join(record.teams), record.event, record.dates[0] if record.dates else ""]
    return Imported(
        title=", ".join(filter(None, named))[:120],
        source="a match recorded by Cricsheet, cricsheet.org",
        players=dict(zip(SEATS, record.teams, strict=True)),
        options={"overs": record.overs, "era": reading.era, "conditions": reading.conditions},
        opening=opening,
        turns=turns,
        outcome=reading.outcome,
        differences=reading.differences,
    )


class _Reading:
    """The match so far, while its record is read."""

    def __init__(self, record: MatchRecord) -> None:
        self.record = record
        year = record.dates[0][:4] if record.dates else ""
        self.era = "modern" if year.isdecimal() and int(year) >= MODERN else "classic"
        self.conditions = "ipl" if "Indian Premier League" in record.event else "icc"
        self.seats: dict[str, SeatId] = dict(zip(record.teams, SEATS, strict=True))
        self.teams = sheets(record)
        self.method = str(record.outcome["method"]) if record.outcome.get("method") else None
        self.innings: list[Scorer] = []
        self.replaced: dict[SeatId, Replacement] = {}
        self.home = 0.5
        self.result: Result | None = None
        self.outcome: Outcome | None = None
        self.differences: list[str] = []
        self._next: DeliveryLine | None = None
        """The delivery that follows the last one in its innings."""
        self._bowler = ""

    @property
    def now(self) -> Scorer:
        return self.innings[-1]

    def turns(self) -> tuple[list[GameEvent], list[ImportedTurn]]:
        """Return the events before the toss, and the turns: the toss, and one for each delivery."""
        opening: list[GameEvent] = [
            events.CricsheetPartRead("match", dict(self.record.original)),
            events.MatchStarted(self.seats[self.record.toss[0]], self._state("toss")),
        ]
        winner, decision = self.record.toss
        pending: list[GameEvent] = [events.TossMade(self.seats[winner], decision)]
        turns: list[ImportedTurn] = []
        name = "Toss"
        for number in range(len(self.record.innings)):
            pending += self._begin(number)
            for over, ball, last_of_over in self._deliveries():
                turns.append(self._turn(name, pending))
                name, pending = turn_name(self.now), self._ball(ball, over, last_of_over)
            pending += self._end()
        pending += self._decide()
        return opening, [*turns, self._turn(name, pending)]

    def _turn(self, name: str, played: Sequence[GameEvent]) -> ImportedTurn:
        return ImportedTurn(name, (), dict.fromkeys(SEATS, 0.5), list(played))

    # --- innings ------------------------------------------------------------------------------------------------------

    def _begin(self, number: int) -> list[GameEvent]:
        """Begin an innings: the events of its start, up to its first ball."""
        line = self.record.innings[number]
        batting = self.seats[line.team]
        bowling = SEATS[1 - SEATS.index(batting)]
        overs, target = self._limits(number)
        powerplay = None if line.powerplay is None else _legal_until(line.overs, line.powerplay)
        quota = 1 if line.super_over else -(-overs // 5)
        scorer = Scorer(line, number + 1, batting, bowling, overs, target, powerplay, quota)
        scorer.begin()
        self.innings.append(scorer)
        first = next((ball for _, over in line.overs for ball in over), None)
        self._next, self._bowler = first, ""
        started: list[GameEvent] = []
        if line.super_over and number % 2 == 0:
            started.append(events.SuperOverStarted(number // 2, batting))
        limits = (scorer.overs, target, powerplay, quota, None)
        started.append(events.InningsStarted(number + 1, batting, bowling, *limits))
        started.append(events.CricsheetPartRead("innings", dict(line.original)))
        return [*started, *self._arrivals(), *self._chance("")]

    def _limits(self, number: int) -> tuple[int, int | None]:
        """Return the overs and the target of an innings."""
        line = self.record.innings[number]
        overs = 1 if line.super_over else self.record.overs
        if number % 2 == 0:
            return overs, None
        before = self.now
        if line.target is None:
            return overs, before.runs + 1
        if line.target[1] != before.runs + 1 and self.method is None:
            self.differences.append(
                f"innings {number + 1}: the target is {line.target[1]}, after {before.runs} by the balls recorded"
            )
        return line.target[0] or overs, line.target[1]

    def _deliveries(self) -> Iterator[tuple[int, DeliveryLine, bool]]:
        """Yield (over, delivery, whether it is the last of the over); `_next` is the delivery after it."""
        listed = [
            (over, ball, at == len(balls) - 1) for over, balls in self.now.line.overs for at, ball in enumerate(balls)
        ]
        for place, (over, ball, last) in enumerate(listed):
            self._next = listed[place + 1][1] if place + 1 < len(listed) else None
            if place == 0 or listed[place - 1][2]:
                self.now.begin_over(over)
                self._bowler = ""
            yield over, ball, last

    def _end(self) -> list[GameEvent]:
        """End an innings."""
        scorer = self.now
        scorer.runs += scorer.line.penalty[1]
        scorer.extras["p"] += scorer.line.penalty[1]
        scorer.closed = self._why_closed()
        return [
            events.InningsEnded(
                scorer.number,
                scorer.batting,
                scorer.runs,
                scorer.wickets,
                scorer.legal,
                scorer.closed,
                self._state("play"),
            )
        ]

    def _why_closed(self) -> str:
        scorer = self.now
        absent = scorer.line.original.get("absent_hurt")
        hands = 2 if scorer.line.super_over else 10 - (len(absent) if isinstance(absent, list) else 0)
        if scorer.need is not None and scorer.need <= 0:
            return "target reached"
        if scorer.wickets >= hands:
            return "all out"
        return "overs completed" if scorer.balls_left == 0 else "play ended"

    # --- balls --------------------------------------------------------------------------------------------------------

    def _ball(self, ball: DeliveryLine, over: int, last: bool) -> list[GameEvent]:
        """Return the events of a delivery: a new bowler, the ball, and the ends of over and innings."""
        scorer = self.now
        played: list[GameEvent] = [self._replaced(*line, over) for line in ball.replacements if line[0] in self.seats]
        if ball.bowler != self._bowler:
            played.append(events.BowlerChosen(scorer.number, over, ball.bowler, self._bowler or None))
            self._bowler = ball.bowler
        for batter in (ball.batter, ball.non_striker):
            if batter not in scorer.batters or batter not in scorer.crease:
                place = scorer.arrive(batter)
                played.append(events.BatterArrived(scorer.number, batter, place, batter == ball.batter))
        name = scorer.name
        if ball.review is not None and ball.review.team in self.seats:
            played.append(self._review(ball, name))
        mark = scorer.bowl(ball, over)
        wicket = next((wicket for wicket in ball.wickets if wicket.kind not in BETWEEN_BALLS), None)
        bowled = self._bowled(ball, name, mark, wicket)
        played.append(bowled)
        retired = [self._retired(other) for other in ball.wickets if other is not wicket]
        if delivery_of(event_data(bowled), [event_data(event) for event in retired]) != ball.original:
            played.append(events.CricsheetPartRead("delivery", dict(ball.original)))
        chance = self._chance(name)
        ended = self._end_over(ball, over) if last else []
        return [*played, *chance, *retired, *(self._arrivals() if not last else []), *ended]

    def _bowled(self, ball: DeliveryLine, name: str, mark: str, out: WicketLine | None) -> events.BallBowled:
        """Return the event of a delivery that was counted, and count its wicket."""
        scorer = self.now
        card = scorer.batters[ball.batter]
        wicket = None if out is None else self._wicket(out, ball.bowler)
        bowler = scorer.bowlers[ball.bowler]
        return events.BallBowled(
            innings=scorer.number,
            ball=name,
            batter=ball.batter,
            non_striker=ball.non_striker,
            bowler=ball.bowler,
            runs=ball.bat,
            total=ball.total,
            mark=mark,
            extras=dict(ball.extras) or None,
            wicket=wicket,
            boundary=ball.boundary,
            free_hit=False,
            noball_for=None,
            aim=None,
            landed=None,
            variation=None,
            intent=None,
            shot=None,
            played=None,
            kmh=None,
            pitch=None,
            hit=None,
            zone=None,
            fielder=None,
            batter_card=[card.runs, card.balls, card.fours, card.sixes],
            bowler_card=[bowler.balls, bowler.maidens, bowler.runs, bowler.wickets],
            score=scorer.score(),
            partnership=list(scorer.partnership),
            need=scorer.need,
            next_free_hit=False,
        )

    def _wicket(self, out: WicketLine, bowler: str) -> Wicket:
        """Count a wicket, and return it."""
        how = how_out(out.kind, out.fielders, bowler, "")
        self.now.leave(out.out, out.kind, how, bowler)
        gone = self.now.batters[out.out]
        line = [gone.runs, gone.balls, gone.fours, gone.sixes]
        return {"kind": out.kind, "out": out.out, "fielders": list(out.fielders), "card": line}

    def _replaced(self, team: str, player: str, replaces: str, over: int) -> GameEvent:
        seat, number = self.seats[team], self.now.number
        self.replaced[seat] = {"innings": number, "player": player, "replaces": replaces}
        return events.PlayerReplaced(number, over, seat, player, replaces)

    def _review(self, ball: DeliveryLine, name: str) -> GameEvent:
        review = ball.review
        assert review is not None
        out = next((wicket for wicket in ball.wickets if wicket.kind not in BETWEEN_BALLS), None)
        seat = self.seats[review.team]
        kind = None if out is None else out.kind
        return events.ReviewTaken(
            self.now.number, name, seat, kind, review.upheld, review.umpires_call, out is not None, None
        )

    def _retired(self, wicket: WicketLine) -> events.BatterRetired:
        scorer = self.now
        scorer.leave(wicket.out, wicket.kind, wicket.kind, None)
        return events.BatterRetired(scorer.number, wicket.out, wicket.kind, scorer.score())

    def _arrivals(self) -> list[GameEvent]:
        """Return the arrivals of the batters of the next delivery."""
        scorer, ball = self.now, self._next
        if ball is None:
            return []
        return [
            events.BatterArrived(scorer.number, batter, scorer.arrive(batter), batter == ball.batter)
            for batter in (ball.batter, ball.non_striker)
            if batter not in scorer.crease
        ]

    def _end_over(self, ball: DeliveryLine, over: int) -> list[GameEvent]:
        scorer = self.now
        runs, wickets, maiden = scorer.end_over(over, last=self._next is None)
        if self._next is None:  # the event of the end of the innings has it
            return []
        marks, scorer.marks = scorer.marks, []
        ended = events.OverEnded(
            scorer.number, over, ball.bowler, runs, wickets, maiden, marks, scorer.score(), self._state("play")
        )
        return [ended, *self._arrivals()]

    # --- the match ----------------------------------------------------------------------------------------------------

    def _chance(self, name: str) -> list[GameEvent]:
        """Return the change of the chances since the last one."""
        scorer = self.now
        if name and self._next is None and scorer.target is None:
            overs, target = self._following(scorer)
            chance = 1 - chase_chance(overs, target, self.era, self.conditions)
        else:
            chance = batting_chance(scorer, self.era, self.conditions)
        return self._changed(chance if scorer.batting == SEATS[0] else 1 - chance, name)

    def _following(self, scorer: Scorer) -> tuple[int, int]:
        """Return the overs and the target of the chase after a complete first innings."""
        rest = self.record.innings[scorer.number :]
        target = rest[0].target if rest else None
        if target is not None and not rest[0].super_over:
            return target[0] or scorer.overs, target[1]
        return (0 if scorer.line.super_over else scorer.overs), scorer.runs + 1

    def _changed(self, home: float, name: str) -> list[GameEvent]:
        before, self.home = self.home, round(home, _DIGITS) + 0.0
        swing = round(self.home - before, _DIGITS) + 0.0
        return [events.ChanceChanged(self.now.number, name, self.home, swing, None, None, [])]

    def _decide(self) -> list[GameEvent]:
        """End the match with the result that the document names."""
        ending = result_of(self.record, self.innings, self.seats)
        if ending is None:
            return []
        self.outcome = ending.outcome
        self.differences += ending.differences
        outcome = ending.outcome
        self.result = {"winners": outcome.winners, "text": outcome.text, "reason": outcome.reason}
        winner = outcome.winners[0] if len(outcome.winners) == 1 else None
        decided = events.MatchDecided(winner, outcome.text, ending.by, self.method, self._state("over"))
        changed = self._changed(outcome.scores[SEATS[0]], "") if outcome.scores[SEATS[0]] != self.home else []
        return [*changed, decided]

    def _state(self, stage: str) -> PublicState:
        playing = bool(self.innings) and stage == "play" and self.now.closed is None
        form: Format = {
            "overs": self.record.overs,
            "era": self.era,
            "conditions": self.conditions,
            "method": self.method,
            "situation": None,
        }
        whole: PublicState = {
            "format": form,
            "turn": turn_name(self.now) if self.innings else "Toss",
            "stage": stage,
            "teams": self.teams,
            "toss_winner": self.seats[self.record.toss[0]],
            "innings": [scorer.card() for scorer in self.innings],
            "now": ahead(self.now, self._next, rules_of(self.now, self.conditions)) if playing else None,
            "result": self.result,
        }
        if self.replaced:
            whole["replaced"] = dict(self.replaced)
        return whole


def _legal_until(overs: Sequence[tuple[int, Sequence[DeliveryLine]]], last: float) -> int:
    """Return the legal balls up to the delivery `last`, counted as Cricsheet does: 5.7 is the seventh of over 5."""
    number, _, at = str(last).partition(".")
    legal = 6 * int(number)
    balls = next((balls for over, balls in overs if over == int(number)), ())
    count = sum("wides" not in ball.extras and "noballs" not in ball.extras for ball in balls[: int(at or 0)])
    return legal + (min(6, count) if balls else int(at or 0))


FORM = DocumentForm(
    "a Cricsheet match", lambda document: "innings" in document and "info" in document, import_cricsheet
)
