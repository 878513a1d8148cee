"""A client of chat endpoints of any dialect: streaming, with retries, rate limits, bounds and cancellation.

It uses httpx2 (BSD-3, maintained by Pydantic) and its bounded reader of server-sent events instead of the providers'
packages or one wrapper for all: `docs/decisions/model-clients.md` has the measurements.

An endpoint is not trusted. All text from it is bounded, converted to valid Unicode and cleared of the key before any
other use; exceptions of the transport are never chained, because they contain the request.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any

import httpx2
from pydantic import SecretStr

from grandstand.events import Boundary, Usage
from grandstand.players.llm.budget import Budget, BudgetSpent, Price
from grandstand.players.llm.completion import CallFailed, Completion, PendingCall, error_message, retry_after, tokens
from grandstand.players.llm.dialects import DIALECTS
from grandstand.players.llm.dialects.base import Query
from grandstand.players.llm.prompt import ChatMessage
from grandstand.players.llm.replies import clean
from grandstand.players.options import LLMOptions
from grandstand.players.usage import UsageSums

for name in ("httpx2", "httpcore2"):  # at DEBUG they log response headers, in which an endpoint may echo the key
    logging.getLogger(name).setLevel(logging.WARNING)

CONNECT_SECONDS = 10.0
LONGEST_BODY = 4_000_000
"""Maximum bytes of an answer that is not streamed, or of an error."""
LONGEST_WAIT = 30.0
"""Maximum seconds between two attempts unless the endpoint asks for more."""
SETTLING_SECONDS = 0.05
"""Seconds between checks of a budget that calls in progress have reserved."""
CACHE_FACTOR = 1.25
HOUR_CACHE_FACTOR = 2.0
"""The price of a token written to the endpoint's cache, in prices of a token read, where the roster names none: for
Anthropic's five minutes and OpenAI's half an hour, and for Anthropic's hour."""
SHORTEST_SECRET = 8
"""Length below which a key counts as a placeholder (`EMPTY`, `none`), which answers may legitimately contain."""
RETRIED = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
SPENT = re.compile("insufficient_quota|billing_error|RequestsPerDay|TokensPerDay")
"""Matches the error of an account whose quota is spent; a retry cannot help."""

OnTokens = Callable[[int | None], None]
"""Called with the tokens received so far in a call; None while the call waits for a rate limit or a retry."""


class ChatError(Exception):
    """The endpoint gave no answer. `boundary` attributes the fault; the message contains no secret.

    `public` are the words for the public, if they are not those of the boundary.
    """

    def __init__(self, boundary: Boundary, message: str, public: str = "") -> None:
        super().__init__(message)
        self.boundary: Boundary = boundary
        self.message = message
        self.public = public


@dataclass(slots=True)
class UsageCounter(UsageSums):
    """The usage of one answer, over all its calls."""

    retries: int = 0
    estimated: bool = False
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Return the seconds since the request."""
        return time.monotonic() - self.began

    def usage(self) -> Usage:
        """Return the usage so far, in the form of a report."""
        counted = {item.name: getattr(self, item.name) for item in fields(self) if item.name != "began"}
        return Usage(seconds=round(self.seconds, 3), **counted)


class Endpoint:
    """A model at an address, shared by its seats; it remembers unsupported fields and the current rate limit."""

    def __init__(self, options: LLMOptions, key: SecretStr | None = None) -> None:
        self.options = options
        self.price = _price(options)
        self._dialect = DIALECTS[options.dialect]
        self._key = key
        self._spelled_key = _spelled(key.get_secret_value()) if key and len(key) >= SHORTEST_SECRET else None
        self._refused: set[str] = set()
        self._not_before = 0.0
        self._jitter = Random(options.model)
        self._trust: ssl.SSLContext | None = None

    async def ask(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any],
        budget: Budget,
        counter: UsageCounter,
        deadline: float,
        on_tokens: OnTokens,
    ) -> Completion:
        """Return the model's answer to `messages`, structured by the JSON `schema` if the endpoint supports it.

        Failed calls are retried until `deadline` (monotonic seconds); the usage of all calls is added to `counter`.
        Raises ChatError.
        """
        failures = 0
        cleaned = [{**message, "content": clean(message["content"])} for message in messages]
        while True:
            await self._wait_for_rate_limit(deadline, on_tokens)
            query = Query(self.options, cleaned, schema, frozenset(self._refused))
            try:
                return await self._budgeted(query, budget, counter, on_tokens)
            except BudgetSpent as spent:
                raise ChatError("budget", str(spent), spent.budget.refusal) from None
            except CallFailed as failure:
                failed = failure
                failed.message = self._quote(failed.message)
                failed.args = (failed.message,)
            if failed.refused:
                self._refused.add(failed.refused)
                counter.retries += 1
            elif failed.again and failures < self.options.retries:
                failures += 1
                longest = min(LONGEST_WAIT, self.options.retry_seconds * 2 ** (failures - 1))
                self._check_time(failed, wait := self._jitter.uniform(0, longest), deadline)
                counter.retries += 1
                on_tokens(None)
                await asyncio.sleep(failed.wait + wait)
            else:
                tries = f" (after {failures + 1} tries)" if failures else ""
                raise ChatError(failed.boundary, failed.message + tries)

    def scrub(self, text: str) -> str:
        """Return `text` as valid Unicode without the key."""
        text = clean(text)
        return text if self._spelled_key is None else self._spelled_key.sub("[key]", text)

    async def _wait_for_rate_limit(self, deadline: float, on_tokens: OnTokens) -> None:
        """Wait until the endpoint may be called: a rate limit that one seat received applies to all."""
        while (wait := self._not_before - time.monotonic()) > 0:
            if time.monotonic() + wait >= deadline:
                raise ChatError("provider", f"the endpoint asks to wait {wait:.0f} s, longer than this turn's clock")
            on_tokens(None)
            await asyncio.sleep(wait + self._jitter.uniform(0, min(wait, 1.0)))  # not all seats at the same instant

    def _check_time(self, failed: CallFailed, wait: float, deadline: float) -> None:
        """Raise ChatError if no time is left for another try. Its requested wait applies to all seats."""
        now = time.monotonic()
        if failed.wait:
            self._not_before = max(self._not_before, now + failed.wait)
        if now + failed.wait + wait >= deadline:
            raise ChatError(failed.boundary, f"{failed.message}; no time is left for another try")

    async def _budgeted(self, query: Query, budget: Budget, counter: UsageCounter, on_tokens: OnTokens) -> Completion:
        """Make one call: reserve its maximum cost in the budget before it, and book its cost after it in all cases."""
        prompt = tokens(json.dumps(query.messages, ensure_ascii=False))
        price = self.price or Price(0.0, 0.0)
        most = (prompt + self.options.max_tokens, price.most(prompt, self.options.max_tokens))
        await _hold(budget, most)
        counter.calls += 1
        call = PendingCall()
        try:
            await self._call(query, call, on_tokens)
        finally:
            read, written, estimated = call.spent(prompt)
            dollars = price.dollars(read, written, call.cached, call.cache_written)
            budget.settle(most, (read + written, dollars))
            cost = dollars if self.price else None
            counter.add_sums(
                UsageSums(0, read, written, call.cached, call.reasoned, cost, tokens_cache_written=call.cache_written)
            )
            counter.estimated |= estimated
        wrote = call.completion()
        return Completion(self.scrub(wrote.text), self.scrub(wrote.reasoning), self.scrub(wrote.refusal), wrote.cut)

    async def _call(self, query: Query, call: PendingCall, on_tokens: OnTokens) -> None:
        """Make one HTTP request. Its connection is closed in all cases, also on cancellation. Raises CallFailed."""
        self._trust = self._trust or httpx2.create_ssl_context()
        timeout = httpx2.Timeout(self.options.stall_seconds, connect=CONNECT_SECONDS)
        headers = httpx2.Headers(dict(self._dialect.headers))
        headers.update(self.options.headers)
        headers.update({"accept": "text/event-stream, application/json", "accept-encoding": "identity"})
        url, body = self._dialect.url(self.options), self._dialect.body(query)
        try:
            async with (
                httpx2.AsyncClient(timeout=timeout, verify=self._trust) as client,
                client.stream("POST", url, json=body, headers=headers, auth=self._sign) as response,
            ):
                await self._read(response, query, call, on_tokens)
        except httpx2.TimeoutException as error:
            if not call.finished:
                what = "could not be reached" if isinstance(error, httpx2.ConnectTimeout) else "fell silent"
                raise CallFailed(f"the endpoint {what}", again=True, boundary="timeout") from None
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            if not call.finished:
                raise CallFailed(f"the connection failed: {error or type(error).__name__}", again=True) from None

    def _sign(self, request: httpx2.Request) -> httpx2.Request:
        if self._key is not None:
            dialect = self._dialect
            request.headers[dialect.key_header] = f"{dialect.key_prefix}{self._key.get_secret_value()}"
        return request

    async def _read(self, response: httpx2.Response, query: Query, call: PendingCall, on_tokens: OnTokens) -> None:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.status_code != 200:
            raise self._refusal(response, await _read_some(response), query)
        call.begun = True
        if kind == "application/json":
            self._dialect.take_whole(await _read_some(response), call)
        elif kind == "text/event-stream":
            async for event in httpx2.EventSource(response):
                if event.data:
                    self._dialect.take(event.data, call)
                    on_tokens(call.written)
                if call.ended:
                    break
        else:
            wrong = f"the endpoint answered with {kind or 'no content type'}, not a stream; is base_url right?"
            raise CallFailed(wrong, again=False)

    def _refusal(self, response: httpx2.Response, text: str, query: Query) -> CallFailed:
        """Return the failure for a status other than 200."""
        status = response.status_code
        message = f"HTTP {status}: {error_message(text)}"
        if status in (401, 403) or "API_KEY_INVALID" in text:
            return CallFailed(f"HTTP {status}, is the key right? {error_message(text)}", again=False)
        if status in (400, 404, 415, 422, 501) and (refused := self._dialect.refused(query, text)):
            return CallFailed(message, again=True, refused=refused)
        if status == 404:
            return CallFailed(f"HTTP 404, are base_url and model right? {error_message(text)}", again=False)
        again = status in RETRIED and not SPENT.search(text)
        return CallFailed(message, again=again, wait=retry_after(response.headers, text) if again else 0.0)

    def _quote(self, text: str) -> str:
        """Return a message that quotes an endpoint, on one line, shortened and scrubbed."""
        return " ".join(self.scrub(text).split())[:240]


def _price(options: LLMOptions) -> Price | None:
    """Return the prices of the options; None if they are unknown."""
    if options.price_in is None:
        return None
    write = options.price_cache_write
    if write is None:
        write = options.price_in * (HOUR_CACHE_FACTOR if options.prompt_cache == "1h" else CACHE_FACTOR)
    return Price(options.price_in, options.price_out or 0.0, options.price_cached, write)


async def _hold(budget: Budget, most: tuple[int, float]) -> None:
    """Reserve the maximum cost of a call, waiting for calls in progress if that helps. Raises BudgetSpent."""
    while True:
        try:
            return budget.hold(*most)
        except BudgetSpent as spent:
            if not spent.wait:
                raise
            waited_for = spent.budget
        try:
            await asyncio.sleep(SETTLING_SECONDS)
        except asyncio.CancelledError:
            waited_for.spent_up = True
            raise


def _spelled(key: str) -> re.Pattern[str]:
    """Return a pattern that matches `key` in text, also with characters escaped as in JSON."""
    return re.compile("".join(rf"(?:\\*{re.escape(mark)}|\\+u00(?i:{ord(mark):02x}))" for mark in key))


async def _read_some(response: httpx2.Response) -> str:
    """Return the body as text, at most LONGEST_BODY bytes of it."""
    body = b""
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > LONGEST_BODY:
            break
    return body.decode("utf-8", "replace")
