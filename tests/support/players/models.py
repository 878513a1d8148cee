"""Language models for a roster, served by the chat endpoint of the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path

from tests.support.players.chat_server import Answer, ChatServer, Request, says

HOLD = '{"messages": [], "orders": [], "vote": "none"}'
"""An answer that is legal at every moment of Diplomacy: no messages, and all units hold."""

SHORT = ("--set", "last_year=1901")
"""Options of the shortest match of Diplomacy."""


IMPATIENT = "retry_seconds = 0.005\nstall_seconds = 0.3\nturn_seconds = 1\n"
"""Settings of a model whose endpoint may hang. For other models they are too short on a busy machine."""


def roster(folder: Path, server: ChatServer, *names: str, more: str = "", impatient: Collection[str] = ()) -> Path:
    """Write a roster file with models of these names at `server`, which distinguishes them by their model."""
    file = folder / "players.toml"
    entries = [
        f'[[player]]\nname = "{name}"\nkind = "llm"\n[player.options]\nmodel = "{name}"\nbase_url = "{server.url}"\n'
        f"price_in = 1.0\nprice_out = 10.0\nmax_tokens = 100\nretries = 0\n{more}{IMPATIENT * (name in impatient)}"
        for name in names
    ]
    file.write_text("\n".join(entries), "utf-8")
    return file


class AnswerBarrier:
    """Answers that wait until a number of them is open at the same time. `most` is the largest number that was open."""

    def __init__(self, until: int) -> None:
        self.until = until
        self.most = 0
        self._now = 0
        self._reached: asyncio.Event | None = None

    async def __call__(self, request: Request) -> None:
        reached = self._reached = self._reached or asyncio.Event()
        self._now += 1
        self.most = max(self.most, self._now)
        if self.most >= self.until:
            reached.set()
        try:
            await reached.wait()
            await says(HOLD)(request)
        finally:
            self._now -= 1


def first(calls: int, answer: Answer, then: Answer) -> Answer:
    """Return an answer that is `answer` to the first `calls` calls and `then` to all others."""
    left = calls

    async def either(request: Request) -> None:
        nonlocal left
        left -= 1
        await (answer if left >= 0 else then)(request)

    return either


def by_model(**answers: Answer) -> Answer:
    """Return an answer that depends on the model that is asked."""

    async def answer(request: Request) -> None:
        await answers[request.body["model"]](request)

    return answer
