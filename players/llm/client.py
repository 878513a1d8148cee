"""A client of chat endpoints that speak OpenAI's protocol: streaming, retried, paced, bounded and cancellable.

It stands on httpx2 (BSD-3, kept by Pydantic) and its bounded reader of server-sent events, not on the `openai` package,
which stands on httpx2 too: that brings tens of megabytes to save one POST, ends a stream that breaks off without an
error, and does its retries where neither the record, the turn's clock nor the budget can see them.

An endpoint is not trusted. All text from it is bounded, made valid Unicode and cleared of the key before anything else
sees it; exceptions of the transport are never chained, for they hold the request.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx2
from pydantic import SecretStr

from grandstand.models import Boundary, Usage
from grandstand.players.llm.budget import Budget, BudgetSpent, Price
from grandstand.players.llm.completion import Call, CallFailed, Completion, error_message, retry_after, tokens
from grandstand.players.llm.replies import clean
from grandstand.players.options import LLMOptions

for name in ("httpx2", "httpcore2"):  # at DEBUG they log response headers, in which an endpoint may echo the key
    logging.getLogger(name).setLevel(logging.WARNING)

CONNECT_SECONDS = 10.0
LONGEST_BODY = 4_000_000
"""Bytes of an answer that is not streamed, or of an error."""
LONGEST_WAIT = 30.0
"""Seconds between two tries where the endpoint does not ask for more."""
SETTLING_SECONDS = 0.05
"""Seconds between two looks at a budget that calls in progress hold."""
SHORTEST_SECRET = 8
"""Characters of a key below which it is none (`EMPTY`, `none`), but a word that answers may hold."""
RETRIED = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
NO_STRUCTURE = re.compile("format|schema|grammar|guided|structured|json", re.IGNORECASE)
"""What an endpoint that cannot hold a model to a form says of it."""

Message = Mapping[str, str]
"""`{"role": "user", "content": "..."}`"""

Progress = Callable[[int | None], None]
"""Told the tokens received so far in a call; None while waiting for leave to call."""


class ChatError(Exception):
    """No answer. `boundary` says whose fault that is; the message holds no secret."""

    def __init__(self, boundary: Boundary, message: str) -> None:
        super().__init__(message)
        self.boundary: Boundary = boundary
        self.message = message


@dataclass(slots=True)
class Tally:
    """What one answer takes, over all its calls."""

    calls: int = 0
    retries: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    tokens_reasoning: int = 0
    dollars: float | None = None
    estimated: bool = False
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def usage(self) -> Usage:
        return Usage(
            seconds=round(self.seconds, 3),
            calls=self.calls,
            retries=self.retries,
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            tokens_cached=self.tokens_cached,
            tokens_reasoning=self.tokens_reasoning,
            dollars=self.dollars,
            estimated=self.estimated,
        )


class Endpoint:
    """One model at one address, shared by the seats that use it: what it cannot do, and when it may be called again."""

    def __init__(self, options: LLMOptions, key: SecretStr | None = None) -> None:
        self.options = options
        self.price = (
            None
            if options.price_in is None
            else Price(options.price_in, options.price_out or 0.0, options.price_cached)
        )
        self._key = key
        self._spelled_key = _spelled(key.get_secret_value()) if key and len(key) >= SHORTEST_SECRET else None
        self._refused: set[str] = set()
        self._not_before = 0.0
        self._jitter = Random(options.model)
        self._trust: ssl.SSLContext | None = None

    async def ask(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any],
        budget: Budget,
        tally: Tally,
        deadline: float,
        progress: Progress,
    ) -> Completion:
        """The model's answer to `messages`, in the form of the JSON `schema` where there is one and the endpoint can.

        Failed calls are made again while `deadline` (monotonic seconds) allows; all that they use is added to `tally`.
        Raises ChatError.
        """
        failures = 0
        while True:
            await self._wait_for_leave(deadline, progress)
            try:
                return await self._budgeted(self._body(messages, schema), budget, tally, progress)
            except BudgetSpent as spent:
                raise ChatError("budget", str(spent)) from None
            except CallFailed as failure:
                failed = failure
                failed.message = self._quote(failed.message)
                failed.args = (failed.message,)
            if failed.refused:
                self._refused.add(failed.refused)
                tally.retries += 1
            elif failed.again and failures < self.options.retries:
                failures += 1
                longest = min(LONGEST_WAIT, self.options.retry_seconds * 2 ** (failures - 1))
                self._check_time(failed, wait := self._jitter.uniform(0, longest), deadline)
                tally.retries += 1
                progress(None)
                await asyncio.sleep(failed.wait + wait)
            else:
                tries = f" (after {failures + 1} tries)" if failures else ""
                raise ChatError(failed.boundary, failed.message + tries)

    def scrub(self, text: str) -> str:
        """`text` as valid Unicode without the key."""
        text = clean(text)
        return text if self._spelled_key is None else self._spelled_key.sub("[key]", text)

    async def _wait_for_leave(self, deadline: float, progress: Progress) -> None:
        """Wait until the endpoint may be called: a rate limit that one seat met holds for all."""
        while (wait := self._not_before - time.monotonic()) > 0:
            if time.monotonic() + wait >= deadline:
                raise ChatError("provider", f"the endpoint asks to wait {wait:.0f} s, longer than this turn's clock")
            progress(None)
            await asyncio.sleep(wait + self._jitter.uniform(0, min(wait, 1.0)))  # not all seats in the same instant

    def _check_time(self, failed: CallFailed, wait: float, deadline: float) -> None:
        """Whether there is time for another try; a wait that the endpoint asked for keeps every seat from it."""
        now = time.monotonic()
        if failed.wait:
            self._not_before = max(self._not_before, now + failed.wait)
        if now + failed.wait + wait >= deadline:
            raise ChatError(failed.boundary, f"{failed.message}; no time is left for another try")

    def _body(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        options = self.options
        body: dict[str, Any] = {
            **options.extra,
            "model": options.model,
            "messages": [{**message, "content": clean(message["content"])} for message in messages],
            "stream": True,
        }
        body["max_completion_tokens" if "max_tokens" in self._refused else "max_tokens"] = options.max_tokens
        if "stream_options" not in self._refused:
            body["stream_options"] = {"include_usage": True}
        if options.temperature is not None and "temperature" not in self._refused:
            body["temperature"] = options.temperature
        if schema and options.structured in ("auto", "json_schema") and "json_schema" not in self._refused:
            form = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        elif options.structured != "off" and "json_object" not in self._refused:
            body["response_format"] = {"type": "json_object"}
        return body

    async def _budgeted(self, body: dict[str, Any], budget: Budget, tally: Tally, progress: Progress) -> Completion:
        """One call: the most that it may take is held from the budget, what it took is booked, however it ends."""
        read = tokens(json.dumps(body["messages"], ensure_ascii=False))
        price = self.price or Price(0.0, 0.0)
        most = (read + self.options.max_tokens, price.dollars(read, self.options.max_tokens))
        await _hold(budget, most)
        tally.calls += 1
        call = Call()
        try:
            await self._call(body, call, progress)
        finally:
            spent = call.counted or ((read, call.written) if call.begun else (0, 0))
            dollars = price.dollars(*spent, cached=call.cached)
            budget.settle(most, (sum(spent), dollars))
            tally.tokens_in += spent[0]
            tally.tokens_out += spent[1]
            tally.tokens_cached += call.cached
            tally.tokens_reasoning += call.reasoned
            tally.estimated |= call.begun and call.counted is None
            if self.price is not None:
                tally.dollars = (tally.dollars or 0.0) + dollars
        wrote = call.completion()
        return Completion(self.scrub(wrote.text), self.scrub(wrote.reasoning), self.scrub(wrote.refusal), wrote.cut)

    async def _call(self, body: dict[str, Any], call: Call, progress: Progress) -> None:
        """One HTTP exchange. Its connection is closed on every way out, cancellation included. Raises CallFailed."""
        self._trust = self._trust or httpx2.create_ssl_context()
        timeout = httpx2.Timeout(self.options.stall_seconds, connect=CONNECT_SECONDS)
        headers = self.options.headers | {
            "accept": "text/event-stream, application/json",
            "accept-encoding": "identity",
        }
        url = f"{self.options.base_url}/chat/completions"
        try:
            async with (
                httpx2.AsyncClient(timeout=timeout, verify=self._trust) as client,
                client.stream("POST", url, json=body, headers=headers, auth=self._sign) as response,
            ):
                await self._read(response, body, call, progress)
        except httpx2.TimeoutException as error:
            if not call.finished:
                what = "could not be reached" if isinstance(error, httpx2.ConnectTimeout) else "fell silent"
                raise CallFailed(f"the endpoint {what}", again=True, boundary="timeout") from None
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            if not call.finished:
                raise CallFailed(f"the connection failed: {error or type(error).__name__}", again=True) from None

    def _sign(self, request: httpx2.Request) -> httpx2.Request:
        if self._key is not None:
            request.headers["authorization"] = f"Bearer {self._key.get_secret_value()}"
        return request

    async def _read(self, response: httpx2.Response, body: dict[str, Any], call: Call, progress: Progress) -> None:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.status_code != 200:
            raise self._refusal(response, await _read_some(response), body)
        call.begun = True
        if kind == "application/json":
            call.take(await _read_some(response), "message")
            call.finished = True
        elif kind == "text/event-stream":
            async for event in httpx2.EventSource(response):
                if event.data.strip() == "[DONE]":
                    call.finished = True
                    break
                if event.data:
                    call.take(event.data, "delta")
                    progress(call.written)
        else:
            wrong = f"the endpoint answered with {kind or 'no content type'}, not a stream; is base_url right?"
            raise CallFailed(wrong, again=False)

    def _refusal(self, response: httpx2.Response, text: str, body: dict[str, Any]) -> CallFailed:
        """What a status other than 200 means."""
        status = response.status_code
        message = f"HTTP {status}: {error_message(text)}"
        if status in (400, 404, 415, 422, 501) and (refused := self._not_taken(text, body)):
            return CallFailed(message, again=True, refused=refused)
        if status in (401, 403):
            return CallFailed(f"HTTP {status}, is the key right? {error_message(text)}", again=False)
        if status == 404:
            return CallFailed(f"HTTP 404, are base_url and model right? {error_message(text)}", again=False)
        wait = retry_after(response.headers) if status in (429, 503) else 0.0
        return CallFailed(message, again=status in RETRIED and "insufficient_quota" not in text, wait=wait)

    def _not_taken(self, text: str, body: dict[str, Any]) -> str:
        """What the endpoint's complaint says that it does not take, if the call can do without; or nothing."""
        if "max_completion_tokens" in text and "max_tokens" in body:
            return "max_tokens"
        for name in ("stream_options", "temperature"):
            if name in text and name in body:
                return name
        if self.options.structured == "auto" and "response_format" in body and NO_STRUCTURE.search(text):
            kind: str = body["response_format"]["type"]
            return kind
        return ""

    def _quote(self, text: str) -> str:
        """A message with an endpoint's words in it: on one line, short and clean."""
        return " ".join(self.scrub(text).split())[:240]


async def _hold(budget: Budget, most: tuple[int, float]) -> None:
    """Set aside what a call may take, once calls in progress leave room for it. Raises BudgetSpent."""
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
    """Finds `key` in text, also where characters of it are spelled as JSON may spell them."""
    return re.compile("".join(rf"(?:\\*{re.escape(mark)}|\\+u00(?i:{ord(mark):02x}))" for mark in key))


async def _read_some(response: httpx2.Response) -> str:
    """The body as text, at most LONGEST_BODY bytes of it."""
    body = b""
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > LONGEST_BODY:
            break
    return body.decode("utf-8", "replace")
