"""The questions of one match, as far as its events that spectators may know have asked and answered them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grandstand.games.questions import Asker, Closed, ViewerQuestion
from grandstand.games.story import StoryEvent
from grandstand.models import Event


@dataclass(slots=True)
class AskedQuestion:
    """A question, with its chances as they are, or as they were when it closed."""

    question: ViewerQuestion
    seq: int
    """The event that asked it."""
    closed: int | None = None
    """The event from which on calls are too late."""
    answered: int | None = None
    shares: Mapping[str, float] = field(default_factory=dict)
    """The answer; empty if there is none."""
    calls: Counter[str] = field(default_factory=Counter)

    @property
    def belief(self) -> dict[str, float]:
        """Return the share of the calls that each option has; empty without calls."""
        total = self.calls.total()
        return {word: self.calls[word] / total for word in self.question.chances} if total else {}


class QuestionLog:
    """The questions of one match, in the order in which they were asked."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._read = 0
        self.asked: dict[str, AskedQuestion] = {}

    def read(self, events: Sequence[Event]) -> list[AskedQuestion]:
        """Read `events`, all so far, from the first one that is new; return the questions that they answer."""
        new, self._read = events[self._read :], len(events)
        found = []
        for event in new:
            if event.audience == "public":
                found += self._heard(event)
        return found

    def _heard(self, event: Event) -> list[AskedQuestion]:
        found = []
        for asking in self._asker.read([StoryEvent(event.seq, event.type, event.data)]):
            known = self.asked.get(asking.key)
            if isinstance(asking, ViewerQuestion):
                if known is None:
                    self.asked[asking.key] = AskedQuestion(asking, event.seq)
                elif known.closed is None:
                    known.question = asking
            elif known is not None:
                if known.closed is None:
                    known.closed = event.seq
                if not isinstance(asking, Closed) and known.answered is None:
                    known.answered, known.shares = event.seq, asking.shares
                    found.append(known)
        return found
