"""A connection to PostgreSQL whose calls have a time limit.

psycopg cannot end a call to a server that does not answer: neither a statement's time limit nor a cancellation reaches
it. Each connection is therefore used by a thread of its own, which makes one call after another, and the caller waits
for a limited time. A call that was not answered in time may still have an effect, unless its turn had not come.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

import psycopg

from grandstand.spectator.errors import RecordError, StorageError, UnknownOutcome

T = TypeVar("T")

Db: TypeAlias = "psycopg.Connection[tuple[Any, ...]]"

Work: TypeAlias = "tuple[Callable[[Db], Any], Future[Any]] | None"

SECONDS = 2.0
"""Seconds for which a call waits for the server's answer."""

TURN = 0.25
"""Seconds for which a caller that does nothing else meanwhile waits for the calls before its own."""

OPTIONS = {
    "autocommit": True,
    "connect_timeout": 2,
    "tcp_user_timeout": 4000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "application_name": "grandstand",
    "options": "-c statement_timeout=30s -c idle_in_transaction_session_timeout=5s -c client_encoding=UTF8",
}


def connected(url: str) -> Db:
    """Return a new connection. Raises psycopg.Error."""
    return psycopg.connect(url, **OPTIONS)  # type: ignore[arg-type]


class TimedConnection:
    """A connection that is opened when it is first used, and again when it was lost."""

    def __init__(self, url: str, seconds: float = SECONDS) -> None:
        self._url = url
        self._seconds = seconds
        self._db: Db | None = None
        self._work: SimpleQueue[Work] = SimpleQueue()
        self._current: Future[Any] | None = None
        """The call that the thread has begun."""
        self._unanswered: Future[Any] | None = None
        """The call for which a caller has waited in vain."""
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def read(self, work: Callable[[Db], T]) -> T:
        """Return `work(connection)`, tried once more if the connection was lost. Raises StorageError."""
        try:
            return self.write(work)
        except UnknownOutcome as error:
            if self._busy:
                raise StorageError(str(error)) from error
        try:
            return self.write(work)
        except UnknownOutcome as error:
            raise StorageError(str(error)) from error

    async def read_meanwhile(self, work: Callable[[Db], T]) -> T:
        """Return `work(connection)` as `read` does, while the loop goes on. `work` may call `read` itself."""
        try:
            return await self.write_meanwhile(work)
        except UnknownOutcome as error:
            if self._busy:
                raise StorageError(str(error)) from error
        try:
            return await self.write_meanwhile(work)
        except UnknownOutcome as error:
            raise StorageError(str(error)) from error

    def write(self, work: Callable[[Db], T]) -> T:
        """Return `work(connection)`; at once in the thread of the connection, which has begun another call.

        Raises StorageError if it was not tried, UnknownOutcome if there is no answer, RecordError if it was refused.
        """
        if threading.current_thread() is self._thread and self._db is not None:
            return work(self._db)
        future = self.begin(work)
        if not wait([future], TURN).done and future.cancel():
            self._unanswered = self._current
            raise StorageError("PostgreSQL is busy")
        wait([future], self._seconds - TURN)
        return self._answer(future)

    async def write_meanwhile(self, work: Callable[[Db], T]) -> T:
        """Return `work(connection)`, while the loop goes on. Raises as `write` does.

        If the caller is cancelled, the call is made all the same.
        """
        return await self.answer(self.begin(work))

    async def answer(self, future: Future[T]) -> T:
        """Return the result of a call that has begun, while the loop goes on. Raises as `write` does."""
        answered = asyncio.wrap_future(future)
        answered.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.wait([answered], timeout=self._seconds)
        return self._answer(future)

    def begin(self, work: Callable[[Db], T]) -> Future[T]:
        """Let `work(connection)` be called after the calls before it. Raises StorageError."""
        if self._busy:
            raise StorageError("PostgreSQL does not answer")
        future: Future[T] = Future()
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="postgresql", daemon=True)
                self._thread.start()
        self._work.put((work, future))
        return future

    def _answer(self, future: Future[T]) -> T:
        """Return the result of a call for which the caller has waited."""
        if future.done():
            return future.result()
        if future.cancel():
            raise StorageError("PostgreSQL is busy")
        self._unanswered = future
        raise UnknownOutcome(f"PostgreSQL did not answer in {self._seconds:g} s")

    def close(self) -> None:
        """Close the connection once its call has ended."""
        self._work.put(None)

    @property
    def _busy(self) -> bool:
        return self._unanswered is not None and not self._unanswered.done()

    def _run(self) -> None:
        while (item := self._work.get()) is not None:
            work, future = item
            if not future.set_running_or_notify_cancel():
                continue
            self._current = future
            try:
                if self._db is None:
                    self._db = self._opened()
                result = work(self._db)
            except psycopg.Error as error:
                future.set_exception(self._reported(error))
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
        self._drop()

    def _opened(self) -> Db:
        try:
            return connected(self._url)
        except psycopg.Error as error:
            raise StorageError(f"PostgreSQL cannot be reached: {str(error).strip()}") from error

    def _reported(self, error: psycopg.Error) -> RecordError:
        """Return the error for the caller, and drop a connection that was lost."""
        if self._db is None or self._db.broken or self._db.closed:
            self._drop()
            return UnknownOutcome(f"the connection to PostgreSQL was lost: {str(error).strip()}")
        return known_error(error)

    def _drop(self) -> None:
        if self._db is not None:
            with suppress(psycopg.Error):
                self._db.close()
            self._db = None


def known_error(error: psycopg.Error) -> RecordError:
    """Return the error of a statement that had no effect: one that may succeed later, or one that never will."""
    text = str(error).strip()
    return StorageError(text) if isinstance(error, psycopg.OperationalError) else RecordError(text)
