"""The story of one cricket match: one fold over its events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from grandstand.games.base import Json
from grandstand.games.cricket.story.analyst import insights
from grandstand.games.cricket.story.balls import ball_facts, ball_line, ball_weight, noted, read_ball
from grandstand.games.cricket.story.captaincy import (
    captains_compared,
    count_ball,
    count_calls,
    count_plan,
    field_break,
    innings_habit,
)
from grandstand.games.cricket.story.clauses import clauses
from grandstand.games.cricket.story.endings import innings_best, player_of_the_match
from grandstand.games.cricket.story.memory import Data, InningsSoFar, Memory
from grandstand.games.cricket.story.outlook import hands, outlook, overs_text, score
from grandstand.games.cricket.story.scenes import appeal, bowler, field, over_rate, replaced, review
from grandstand.games.cricket.story.wording import Wording, plural, runs_text
from grandstand.games.story import Comment, Fact, Names, Outlook, StoryEvent, Telling

TURNING = 0.12
"""The change of a side's chance of winning from which a ball is a turning point."""

SCORING = frozenset({"MatchStarted", "InningsStarted", "BallBowled", "PlayInterrupted", "MatchDecided"})
"""Types of the events that change the headline."""

BIG_OVER = 18
"""The runs of an over from which it is a fact."""


class CricketStory:
    """The story of one match."""

    def __init__(self, episode_id: str) -> None:
        self._memory = Memory()
        self._wording = Wording(episode_id)
        self._outlook: Outlook | None = None
        self._scored = 0
        """The number of the last event that changed the score."""
        self._ball: tuple[Data, int] | None = None
        """The last ball and the number of its event, until its change of the chance is known."""
        self._told = False
        """True if that ball has its line."""
        self._said: list[Comment] = []
        """The lines on the facts of that ball, which follow its own."""
        self._readers: dict[str, Callable[[Data, int], Iterator[Fact | Comment]]] = {
            "MatchStarted": self._match_started,
            "TossMade": self._toss_made,
            "InningsStarted": self._innings_started,
            "SuperOverStarted": self._super_over_started,
            "BowlerChosen": self._bowler_chosen,
            "FieldSet": self._field_set,
            "BatterRetired": self._batter_retired,
            "PlayerReplaced": lambda data, seq: replaced(self._memory, self._wording, data, seq),
            "AppealMade": self._appeal_made,
            "ReviewTaken": self._review_taken,
            "BallBowled": self._ball_bowled,
            "ChanceChanged": self._chance_changed,
            "PlanJudged": self._plan_judged,
            "OverEnded": self._over_ended,
            "PlayInterrupted": self._interrupted,
            "OverRatePenalized": lambda data, seq: over_rate(self._memory, self._wording, data, seq),
            "InningsEnded": self._innings_ended,
            "MatchDecided": self._decided,
        }

    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        """Return the story of `events`: facts, a comment on every ball and over, and an outlook at every score."""
        telling: list[Telling] = []
        for event in events:
            if event.type not in self._readers or event.audience is not None:
                continue
            if event.type in SCORING:
                telling += self._new_outlook()
                self._scored = event.seq
            telling += self._readers[event.type](event.data, event.seq)
        return [*telling, *self._ball_told(0.0), *self._new_outlook()]

    def names(self) -> Names:
        """Return the names of the sides and the players; a player has a last name too."""
        sides = dict.fromkeys(self._memory.names.values(), ())
        return Names({**sides, **{name: (short,) for name, short in self._memory.surnames.items()}})

    def _new_outlook(self) -> Iterator[Outlook]:
        """Yield the outlook if it says anything new since the last one."""
        if not self._memory.names:
            return
        now, before = outlook(self._memory, self._scored), self._outlook
        if before is None or now != replace(before, rests_on=now.rests_on):
            self._outlook = now
            yield now

    def _match_started(self, data: Data, _: int) -> Iterator[Fact | Comment]:
        self._memory.read_sides(data)
        yield from ()

    def _toss_made(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        winner = self._memory.names[data["winner"]]
        kind = f"toss_{self._memory.forecast}" if self._memory.forecast else "toss"
        text = self._wording.line(kind, winner=winner, decision=data["decision"])
        yield Comment(text, 0.3, [seq], "toss")

    def _super_over_started(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        self._memory.super_over = True
        first = data["number"] == 1
        text = "The scores are level: a Super Over decides." if first else "Level again: one more Super Over."
        yield Fact("super-over", text, 1.0, [seq], list(self._memory.names))
        yield Comment(text, 1.0, [seq], "innings")

    def _innings_started(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        memory = self._memory
        if data["innings"] == 2:
            memory.first = memory.innings
        memory.innings = InningsSoFar(
            data["innings"], data["batting"], data["bowling"], data["overs"], data["target"], memory.super_over
        )
        slots = {"batting": memory.names[data["batting"]], "overs": plural(data["overs"], "over")}
        if data["target"] is None:
            yield Comment(self._wording.line("innings", **slots), 0.4, [seq], "innings")
        else:
            yield Comment(self._wording.line("chase", **slots, target=str(data["target"])), 0.5, [seq], "innings")

    def _ball_bowled(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        yield from self._ball_told(0.0)
        memory = self._memory
        if memory.innings is None:
            return
        count_ball(memory, memory.innings, data, seq)
        read_ball(memory.innings, data, seq)
        self._ball, self._told = (data, seq), False
        if not memory.innings.super_over:
            memory.cards.setdefault(data["batter"], {})["bat"] = data["batter_card"]
            memory.cards.setdefault(data["bowler"], {})["bowl"] = data["bowler_card"]
        yield from self._noted(ball_facts(memory, self._wording, data, seq))

    def _chance_changed(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        memory = self._memory
        memory.home = data["home"]
        if memory.innings is not None:
            for call in (call for call in data["decisions"] if "impact" not in call["choice"]):  # not of the over
                worth = memory.innings.worth
                worth[call["seat"]] = worth.get(call["seat"], 0.0) + call["delta"]
                if call["choice"]:
                    memory.innings.called.add(call["seat"])
            memory.innings.luck += data["luck"] or 0.0
        if self._ball is None:
            return
        ball, number = self._ball
        memory.swings.append(abs(data["swing"]))
        for name in (ball["batter"], ball["bowler"]):
            gain = data["swing"] if memory.side_of.get(name) == "home" else -data["swing"]
            memory.changed[name] = memory.changed.get(name, 0.0) + gain
        if abs(data["swing"]) >= TURNING and memory.innings is not None:
            better = "home" if data["swing"] > 0 else "away"
            now = data["home"] if better == "home" else 1 - data["home"]
            swing = abs(data["swing"])
            slots = {"side": memory.names[better], "swing": f"{swing:.0%}"}
            slots |= {"now": f"{now:.0%}", "before": f"{now - swing:.0%}"}
            weight = round(min(1.0, 0.5 + swing), 3)
            about: dict[str, Json] = {"swing": data["swing"]}
            yield from self._noted(noted(self._wording, "turning-point", weight, [number, seq], [better], about, slots))
        yield from self._ball_told(data["swing"])
        self._ball = None

    def _noted(self, telling: Iterator[Fact | Comment]) -> Iterator[Fact]:
        """Yield the facts, and keep their lines until the ball has its line."""
        for item in telling:
            if isinstance(item, Comment):
                self._said.append(item)
            else:
                yield item

    def _ball_told(self, swing: float) -> Iterator[Fact | Comment]:
        """Yield the line on the last ball, if it has none yet."""
        if self._ball is not None and not self._told:
            data, seq = self._ball
            self._told = True
            line = ball_line(self._memory, self._wording, data)
            if clause := self._wording.clause(clauses(self._memory, data)):
                line = f"{line} {clause}"
            weight = ball_weight(self._memory, data, swing)
            yield Comment(line, weight, [seq], "ball", seats=["away", "home"] if swing < 0 else ["home", "away"])
        said, self._said = self._said, []
        yield from said

    def _plan_judged(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        if self._memory.innings is not None:
            self._memory.innings.plans.append((data, seq))
            count_plan(self._memory, data, seq)
        yield from ()

    def _over_ended(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        yield from self._ball_told(0.0)
        memory = self._memory
        innings = memory.innings
        if innings is None:
            return
        side, bowler = memory.names[innings.batting], memory.player(data["bowler"])
        chase = ""
        if innings.need:
            chase = f" and need {innings.need} off {innings.left}, with {hands(innings)}" if innings.left else ""
        slots = {
            "side": side,
            "bowler": bowler,
            "score": score(innings),
            "chase": chase,
            "over": str(data["over"] + 1),
            "nth": _nth(data["over"] + 1),
            "overs": overs_text(innings.balls),
            "runs": runs_text(data["runs"]),
        }
        yield Comment(self._wording.line("maiden" if data["maiden"] else "over", **slots), 0.3, [seq], "over")
        count_calls(memory, innings, seq)
        yield from insights(memory, self._wording, data, seq)
        innings.over_runs = 0
        if data["maiden"]:
            yield Fact("maiden", f"{bowler} bowls a maiden to {side}.", 0.3, [seq], [innings.bowling])
        if data["runs"] >= BIG_OVER:
            text = f"{side} take {data['runs']} from an over of {bowler}."
            yield Fact("big-over", text, 0.5, [seq], [innings.batting, innings.bowling])

    def _interrupted(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        text = f"Rain. The innings is cut to {plural(data['overs'], 'over')}"
        text += f", and the target is {data['target']} now." if data["target"] is not None else "."
        self._memory.cut = True
        if self._memory.innings is not None:
            self._memory.innings.overs, self._memory.innings.target = data["overs"], data["target"]
        yield Fact("rain", text, 0.6, [seq], list(self._memory.names))
        yield Comment(text, 0.6, [seq], "innings")

    def _innings_ended(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        yield from self._ball_told(0.0)
        memory = self._memory
        innings = memory.innings
        if innings is None:
            return
        slots = {
            "batting": memory.names[data["batting"]],
            "score": score(innings),
            "overs": overs_text(innings.balls),
        }
        text = self._wording.line("innings_end", **slots)
        yield Comment(text, 0.6, [seq], "innings")
        count_calls(memory, innings, seq)
        yield from innings_best(memory, self._wording, innings, seq)
        if not innings.super_over:
            yield from innings_habit(memory, self._wording, innings, seq)
        yield Fact("innings", f"{slots['batting']} end on {slots['score']}.", 0.5, [seq], [data["batting"]])

    def _decided(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        memory = self._memory
        memory.result, memory.winner = data["result"], data["winner"]
        text = memory.result.rstrip(".") + "."
        seats = list(memory.names) if memory.winner is None else [memory.winner]
        yield Fact("result", text, 1.0, [seq], seats)
        yield from player_of_the_match(memory, self._wording, seq)
        yield from captains_compared(memory, self._wording, seq)
        yield Comment(text, 1.0, [seq], "summary")

    def _field_set(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        yield from field(self._memory, self._wording, data, seq)
        yield from field_break(self._memory, self._wording, data, seq)

    def _batter_retired(self, data: Data, _: int) -> Iterator[Fact | Comment]:
        if self._memory.innings is not None:
            self._memory.innings.retired = True
        yield from ()

    def _appeal_made(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        yield from self._ball_told(0.0)
        yield from appeal(self._memory, self._wording, data, seq)

    def _review_taken(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        yield from self._ball_told(0.0)
        yield from review(self._memory, self._wording, data, seq)

    def _bowler_chosen(self, data: Data, seq: int) -> Iterator[Fact | Comment]:
        yield from bowler(self._memory, self._wording, data, seq)


def _nth(number: int) -> str:
    """Return `1st`, `2nd`, `11th`."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
