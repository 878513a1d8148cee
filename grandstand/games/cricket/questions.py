"""The questions that viewers of cricket may call: a wicket or ten runs in the next over, and who wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from grandstand.games.questions import (
    NO,
    YES,
    Answered,
    Asking,
    Closed,
    ViewerQuestion,
    WinnerAsker,
    answered,
    yes_or_no,
)
from grandstand.games.story import StoryEvent

PARTS: Final = (0.3, 0.75, 0.9)
"""The shares of an innings at which its middle, its end and its last overs begin."""
WICKET: Final = (0.23, 0.24, 0.36, 0.57)
"""The share of overs with a wicket in each part of an innings, in 100 matches of 20 overs
of the showcase's captains."""
RUNS: Final = (0.5, 0.385, 0.48, 0.515)
"""The share of overs of ten runs or more, likewise."""
MANY: Final = 10


class CricketAsker:
    """The questions of one match. Those on an over are open while the one before it is bowled."""

    def __init__(self) -> None:
        self._winner = WinnerAsker(_begins_over)
        self._overs: dict[int, int] = {}
        """Innings -> its overs."""
        self._asked: list[_Over] = []
        """The overs that are not over and have been asked about."""

    def read(self, events: Sequence[StoryEvent]) -> Sequence[Asking]:
        return [asking for event in events for asking in self._read(event)]

    def _read(self, event: StoryEvent) -> Iterator[Asking]:
        data = event.data
        match event.type:
            case "MatchStarted":
                self._winner.names = {seat: sheet["name"] for seat, sheet in data["state"]["teams"].items()}
            case "InningsStarted" | "PlayInterrupted":
                self._overs[data["innings"]] = data["overs"]
            case "BowlerChosen" if _begins_over(event):
                yield from self._begin(data["innings"], data["over"])
            case "BallBowled":
                self._count(data)
        yield from self._winner.read([event])
        if event.type == "OverEnded":
            yield from self._end(data["over"])
        elif event.type in ("InningsEnded", "EpisodeEnded"):
            yield from (Closed(key) for over in self._asked for key in over.keys if not over.balls)
            yield from self._end(None)

    def _begin(self, innings: int, number: int) -> Iterator[Asking]:
        """Yield that it is too late for this over, and the questions on the next one."""
        for over in self._asked:
            if over.number == number:
                yield from (Closed(key) for key in over.keys)
        if number + 1 < self._overs.get(innings, 0):
            over = _Over(innings, number + 1)
            self._asked.append(over)
            yield from over.questions(self._overs[innings])

    def _count(self, ball: Mapping[str, Any]) -> None:
        for over in self._asked:
            if ball["ball"].startswith(f"{over.number}."):
                over.balls += 1
                over.runs += ball["total"]
                over.wickets += ball["wicket"] is not None

    def _end(self, number: int | None) -> Iterator[Asking]:
        """Yield the answers on the over `number`, or on all that are asked about; none where no ball was bowled."""
        for over in [over for over in self._asked if number is None or over.number <= number]:
            self._asked.remove(over)
            yield from over.answers()


@dataclass
class _Over:
    """An over that is asked about. Its number counts from 0, as events count; texts count from 1."""

    innings: int
    number: int
    balls: int = 0
    runs: int = 0
    wickets: int = 0

    @property
    def keys(self) -> tuple[str, str]:
        return f"wicket-{self.innings}.{self.number}", f"runs-{self.innings}.{self.number}"

    def questions(self, overs: int) -> Iterator[ViewerQuestion]:
        part = sum(self.number >= share * overs for share in PARTS)
        wicket, runs = self.keys
        text = f"A wicket in over {self.number + 1}?"
        yield ViewerQuestion(wicket, "wicket", text, yes_or_no(WICKET[part]), "measured")
        text = f"{MANY} runs or more in over {self.number + 1}?"
        yield ViewerQuestion(runs, "runs", text, yes_or_no(RUNS[part]), "measured")

    def answers(self) -> Iterator[Answered]:
        for key, came in zip(self.keys, (self.wickets > 0, self.runs >= MANY), strict=True):
            yield answered(key, YES if came else NO) if self.balls else Answered(key, {})


def _begins_over(event: StoryEvent) -> bool:
    return event.type == "BowlerChosen" and event.data.get("replaces") is None
