"""What viewers call in live matches: questions from the public events, calls while they are open, scores afterwards.

It reads the stream and adds nothing to it: no player and no policy can know what viewers think. A match is followed
from the first request for its questions on.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from grandstand.games.base import OptionError
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.models import Event
from grandstand.server.audience.call_store import Call, CallStore, Score
from grandstand.server.audience.question_log import AskedQuestion, QuestionLog
from grandstand.server.bodies.audience import (
    BeliefPoint,
    CallQuestion,
    DayScore,
    MatchQuestion,
    MatchQuestions,
    QuestionOption,
    ViewerCall,
)
from grandstand.server.matches.steering import CommandError
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.viewpoint import SPECTATOR

log = logging.getLogger(__name__)

FOLLOWED: Final = 64
"""Matches whose questions are in memory; of more, those that ended or were asked about longest ago are dropped."""
RECENT: Final = 6
"""Closed questions that are shown."""
KEPT: Final = 5.0
"""Seconds for which the table of the day is cached."""
WITHOUT: Final = frozenset({"tournament", "trainer", "cli", "imported"})
"""Origins of matches that nobody watches as they are played."""


class Predictions:
    """The questions and calls of live matches, an observer of the bus."""

    def __init__(self, history: History, file: Path, clock: Callable[[], float] = time.time) -> None:
        self._history = history
        self._store = CallStore(file, clock)
        self._clock = clock
        self._logs: OrderedDict[str, QuestionLog] = OrderedDict()
        self._day: tuple[float, list[Score]] = (0.0, [])

    def begin(self) -> None:
        """Go on with the matches whose calls wait for a score since before a restart."""
        for episode_id in self._store.open_matches():
            try:
                summary = self._history.summary(episode_id, SPECTATOR)
                self._follow(summary)
            except (UnknownEpisode, RecordError):
                self._store.drop(episode_id)
            else:
                if summary.ended_at is not None:
                    self._store.drop(episode_id)

    def close(self) -> None:
        self._store.close()

    def on_events(self, events: Sequence[Event]) -> None:
        self._read(events[0].episode_id)

    def on_released(self, episode_id: str) -> None:
        """Read what spectators may know only now."""
        self._read(episode_id)

    async def questions(self, episode_id: str, viewer: str) -> MatchQuestions:
        """Return the questions of a match as `viewer` may see them. Raises UnknownEpisode."""
        await self._history.load(episode_id)
        log = self._follow(self._history.summary(episode_id, SPECTATOR))
        asked = list(log.asked.values()) if log else []
        calls = self._store.calls(viewer, episode_id)
        waiting = [each for each in asked if each.closed is None]
        closed = [each for each in asked if each.closed is not None and each.question.kind != "winner"]
        shown = sorted([*closed[-RECENT:], *waiting], key=lambda each: each.seq)
        day = self._table()
        own = next((score for score in day if score.viewer == viewer), None) or self._store.of(viewer)
        return MatchQuestions(
            questions=[_question(each, calls.get(each.question.key)) for each in shown],
            curve=[_point(each) for each in asked if each.question.kind == "winner" and each.closed is not None],
            day=[_score(score, viewer) for score in day],
            own=_score(own, viewer) if own else None,
        )

    async def call(self, episode_id: str, request: CallQuestion, viewer: str) -> None:
        """Take a call. Raises OptionError for one that cannot be, CommandError for one that comes too late."""
        await self._history.load(episode_id)
        log = self._follow(self._history.summary(episode_id, SPECTATOR))
        asked = log.asked.get(request.question) if log else None
        if asked is None:
            raise OptionError(f"question: this match has not asked {request.question!r}; see its list of questions")
        chances = asked.question.chances
        if request.option not in chances:
            raise OptionError(f"option: {request.option!r} is not an answer; there are {', '.join(chances)}")
        if asked.closed is not None:
            raise CommandError("question: calls are closed, its answer is being decided; call the next one")
        before = self._store.calls(viewer, episode_id).get(request.question)
        counted = self._store.call(viewer, episode_id, request.question, request.option, chances)
        if before is None:
            asked.calls[counted] += 1
        elif counted != request.option:
            raise CommandError(f"question: you have called {counted!r}, and a call stands")

    def name(self, viewer: str, name: str) -> None:
        """Let a viewer stand in the table under this name."""
        self._store.name(viewer, name)
        self._day = (0.0, [])

    def _table(self) -> list[Score]:
        made_at, day = self._day
        if not 0 <= self._clock() - made_at < KEPT:
            day = self._store.day()
            self._day = (self._clock(), day)
        return day

    def _follow(self, summary: EpisodeSummary) -> QuestionLog | None:
        """Return the questions of a match; None if it has none. Its events are in memory or in the record."""
        episode_id = summary.episode_id
        if episode_id in self._logs:
            self._logs.move_to_end(episode_id)
            return self._logs[episode_id]
        if summary.game not in GAMES or summary.origin in WITHOUT:
            return None
        counts = self._store.counts(episode_id)
        if summary.ended_at is not None and not counts:
            return None
        log = self._logs[episode_id] = QuestionLog(game_spec(summary.game).story.questions())
        self._read(episode_id)
        for key, count in counts.items():
            if key in log.asked:
                log.asked[key].calls = count
        while len(self._logs) > FOLLOWED:
            self._logs.popitem(last=False)
        return log

    def _read(self, episode_id: str) -> None:
        """Read the new events of a match that is followed, and score what they answer."""
        questions = self._logs.get(episode_id)
        if questions is None:
            return
        try:
            for asked in questions.read(self._history.events(episode_id, SPECTATOR)):
                self._store.score(episode_id, asked.question.key, asked.shares)
        except Exception:
            log.exception("episode %s: its questions are given up; the match goes on", episode_id)
            self._logs.pop(episode_id)


def _question(asked: AskedQuestion, call: Call | None) -> MatchQuestion:
    question, told = asked.question, call is not None or asked.closed is not None
    return MatchQuestion(
        key=question.key,
        kind=question.kind,
        text=question.text,
        note=question.note,
        basis=question.basis,
        seq=asked.seq,
        closed=asked.closed,
        answered=asked.answered,
        options=[
            QuestionOption(
                word=option.word,
                text=option.text,
                seat=option.seat or None,
                chance=option.chance if told else None,
            )
            for option in question.options
        ],
        shares=dict(asked.shares),
        calls=asked.calls.total(),
        belief={} if asked.closed is None else asked.belief,
        call=ViewerCall(option=call.word, points=call.points) if call else None,
    )


def _point(asked: AskedQuestion) -> BeliefPoint:
    return BeliefPoint(seq=asked.closed or asked.seq, chances=asked.question.chances, belief=asked.belief)


def _score(score: Score, viewer: str) -> DayScore:
    return DayScore(
        name=score.name,
        calls=score.calls,
        right=score.right,
        brier=round(score.own, 4),
        server=round(score.model, 4),
        points=round(score.points, 1),
        streak=score.streak,
        own=score.viewer == viewer,
    )
