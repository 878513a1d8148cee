"""The commentary of a match as a model words it.

The match never waits: after its deadline a line is published in the built-in words. The model words one passage, the
public lines of one part of a turn, at a time, and a few wait in a queue. After a fault all waiting passages are
published in the built-in words, and the model rests for a while.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from grandstand.events import (
    Attempt,
    CommentAdded,
    CommentatorBoundary,
    CommentatorFault,
    CommentatorReported,
    PlayerReport,
)
from grandstand.games.story import Comment
from grandstand.models import Draft, Event
from grandstand.play.line_check import Basis, Vocabulary
from grandstand.players.commentary import CommentaryModel, CommentatorError, Passage, WordingCall, WordingReply
from grandstand.spectator.errors import Fenced, RecordError, StorageError

log = logging.getLogger(__name__)

LATEST = 10.0
"""Seconds after which a line is published in the built-in words; less if the model's own time limit is shorter."""

WAITING = 2
"""The most passages in the queue. With one more, all are published in the built-in words."""

LONGEST_REST = 32
"""Maximum number of passages for which the model is not asked after faults in a row; the number doubles with each."""

EARLIER = 6
"""Number of the last lines that the model receives, so that it does not repeat them."""

KEPT_REPLY = 4000
"""Maximum characters recorded of a reply."""

NOT_BORNE_OUT = "the facts do not bear out what the model wrote"


@dataclass(frozen=True, slots=True)
class _Due:
    """A passage with its vocabulary and its deadline in monotonic seconds."""

    passage: Passage
    vocabulary: Vocabulary
    latest: float


class ModelCommentary:
    """The model of one match and the passages that wait for its words. `publish` publishes drafts of the episode."""

    def __init__(
        self, model: CommentaryModel, publish: Callable[[Callable[[], Sequence[Draft]]], Awaitable[Sequence[Event]]]
    ) -> None:
        self._model = model
        self._publish = publish
        self._passages: deque[_Due] = deque()
        """Passages that are not published yet. The model is wording the first."""
        self._call: WordingCall | None = None
        self._work: asyncio.Task[None] | None = None
        self._overdue: list[Draft] = []
        """Drafts that could not be recorded when they were due."""
        self._earlier: deque[str] = deque(maxlen=EARLIER)
        self._failures = 0
        """Faults in a row."""
        self._rest = 0
        """Number of passages until the model is asked again."""
        self._closed = False

    def offer(self, passage: Passage, vocabulary: Vocabulary) -> list[Draft]:
        """Queue `passage` for the model, and return the drafts that are to be recorded now."""
        due = self.take_overdue()
        if self._closed or self._rest:
            self._rest = max(0, self._rest - 1)
            return [*due, *self._as_built_in(passage.lines)]
        latest = time.monotonic() + min(LATEST, self._model.seconds)
        self._passages.append(_Due(passage, vocabulary, latest))
        if len(self._passages) > 1 + WAITING:
            self._cancel()
            return [*due, *self._failed("timeout", "the model is slower than the match")]
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._word_all(), name=f"commentary by {self._model.name}")
        return due

    @property
    def waits(self) -> bool:
        """Return whether lines wait to be published."""
        return bool(self._passages or self._overdue)

    def take_overdue(self) -> list[Draft]:
        """Return the drafts that could not be recorded when they were due."""
        overdue, self._overdue = self._overdue, []
        return overdue

    def end(self) -> list[Draft]:
        """Return the drafts that are to be recorded before the end of the episode. The model is not asked again."""
        self._closed = True
        report: list[Draft] = []
        if self._call is not None:
            lines = self._passages[0].passage.lines
            report = [self._report(self._call, len(lines), Attempt(reply="", fault="the match ended before it"))]
        self.stop()
        return [*self.take_overdue(), *self._all_as_built_in(), *report]

    def stop(self) -> None:
        """Stop asking the model. The lines that wait are still returned by `end`."""
        self._closed = True
        self._cancel()

    def _cancel(self) -> None:
        if self._work is not None:
            self._work.cancel()
        self._work = self._call = None

    async def _word_all(self) -> None:
        """Ask the model to word the passages one by one."""
        while self._passages:
            passage = replace(self._passages[0].passage, earlier=tuple(self._earlier))
            call = self._call = self._model.ask(passage)
            try:
                drafts = await self._worded(self._passages[0], call)
            except asyncio.CancelledError:
                late = Attempt(reply="", fault="no answer before the built-in lines went out")
                await self._send([self._report(call, len(passage.lines), late)])
                raise
            self._call = None
            await self._send(drafts)

    async def _worded(self, due: _Due, call: WordingCall) -> list[Draft]:
        """Return the drafts of a passage in the model's words; after a fault, all passages in the built-in words."""
        lines = due.passage.lines
        try:
            async with asyncio.timeout(max(0.0, due.latest - time.monotonic())):
                wording = await call.wording()
            return self._checked(due, wording, call)
        except TimeoutError:
            error = CommentatorError("timeout", "the model gave no answer in time")
        except CommentatorError as fault:
            error = fault
        except Exception as bug:
            log.exception("the commentary by %s failed; the match goes on", self._model.name)
            error = CommentatorError("ours", "a bug of ours", type(bug).__name__)
        attempt = Attempt(reply=error.reply[:KEPT_REPLY], fault=error.detail or error.message)
        return [*self._failed(error.boundary, error.message), self._report(call, len(lines), attempt)]

    def _checked(self, due: _Due, wording: WordingReply, call: WordingCall) -> list[Draft]:
        """Return the drafts of a passage, in the model's words where the facts support them.

        Raises CommentatorError if they support no line.
        """
        lines = due.passage.lines
        texts: dict[int, str] = {}
        refused: list[str] = []
        for number, text in sorted(wording.texts.items()):
            if fault := self._fault(text, lines[number], due):
                refused.append(f"line {number + 1}: {fault}")
            else:
                texts[number] = text
        detail = "; ".join(refused)
        if not texts and refused:
            raise CommentatorError("facts", NOT_BORNE_OUT, detail, wording.reply)
        if not texts:
            raise CommentatorError("reply", "the model worded no line", "", wording.reply)
        self._passages.popleft()
        self._failures = 0
        drafts = [self._line(line, texts.get(number)) for number, line in enumerate(lines)]
        if refused:
            drafts.append(self._fault_draft("facts", NOT_BORNE_OUT, len(refused)))
        attempt = Attempt(reply=wording.reply[:KEPT_REPLY], fault=detail)
        return [*drafts, self._report(call, len(lines), attempt, used=len(texts))]

    def _fault(self, text: str, line: Comment, due: _Due) -> str:
        """Return why `text` cannot replace `line`; empty if it can."""
        if text in self._earlier:
            return "it repeats an earlier line"
        basis = Basis.of(line, due.passage.facts, due.vocabulary)
        return basis.fault(text, [quotation.text for quotation in due.passage.quotations])

    def _failed(self, boundary: CommentatorBoundary, message: str) -> list[Draft]:
        """Return all waiting lines in the built-in words, and the fault. The model then rests for a while."""
        self._failures += 1
        self._rest = min(LONGEST_REST, 2 ** (self._failures - 1))
        lines = self._all_as_built_in()
        return [*lines, self._fault_draft(boundary, message, len(lines))]

    def _all_as_built_in(self) -> list[Draft]:
        due, self._passages = self._passages, deque()
        return [draft for each in due for draft in self._as_built_in(each.passage.lines)]

    def _as_built_in(self, lines: Sequence[Comment]) -> list[Draft]:
        return [self._line(line, None) for line in lines]

    def _line(self, line: Comment, text: str | None) -> Draft:
        """Return a line as a draft, in the words `text` of the model or in the built-in words."""
        self._earlier.append(text or line.text)
        comment = CommentAdded(
            text=text or line.text,
            importance=line.importance,
            rests_on=list(line.rests_on),
            beat=line.beat,
            by=self._model.name if text else "",
            seats=list(line.seats),
            kind=line.kind,
        )
        return Draft.of(comment)

    def _fault_draft(self, boundary: CommentatorBoundary, message: str, lines: int) -> Draft:
        fault = CommentatorFault(commentator=self._model.name, boundary=boundary, message=message, lines=lines)
        return Draft.of(fault)

    def _report(self, call: WordingCall, lines: int, attempt: Attempt, used: int = 0) -> Draft:
        report = PlayerReport(usage=call.usage(), attempts=[attempt], model=self._model.model)
        reported = CommentatorReported(commentator=self._model.name, lines=lines, used=used, report=report)
        return Draft.of(reported, "analyst")

    async def _send(self, drafts: list[Draft]) -> None:
        """Publish drafts in their turn, unless they are recorded with those before.

        Drafts that cannot be recorded now are published with the next ones.
        """
        if self._closed:
            return
        self._overdue += drafts
        taken: list[Draft] = []

        def take() -> list[Draft]:
            taken.extend(self.take_overdue())
            return taken

        try:
            await self._publish(take)
        except (StorageError, Fenced):
            self._overdue = [*taken, *self._overdue]
        except RecordError:
            log.exception("the commentary by %s could not be recorded; the match goes on", self._model.name)
