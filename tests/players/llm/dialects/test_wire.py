"""Every dialect over a real socket: what is sent, read, counted, repeated, refused and kept secret."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pydantic import SecretStr

from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import ChatError, Endpoint, UsageCounter
from grandstand.players.llm.completion import Completion
from grandstand.players.llm.features import DialectName
from grandstand.players.options import LLMOptions
from tests.support.players import dialect_answers as answers
from tests.support.players.chat_server import Answer, ChatServer, hangs, in_turn
from tests.support.players.dialect_wires import WIRES, Counts, Part, Wire
from tests.support.waiting import PATIENCE

SCHEMA = {"type": "object", "properties": {"orders": {"type": "array"}}}
PROMPT = [{"role": "system", "content": "You play."}, {"role": "user", "content": "Play."}]
KEY = "sk-canary"
FAULTS = [(dialect, name) for dialect, wire in WIRES.items() for name in answers.faults(wire)]


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with ChatServer(hangs) as running:
        yield running


@pytest.fixture(params=list(WIRES.values()), ids=list(WIRES))
def wire(request: pytest.FixtureRequest) -> Wire:
    answer: Wire = request.param
    return answer


class DialectCall:
    """An endpoint of a dialect at the test's server, and what was asked through it."""

    def __init__(self, server: ChatServer, dialect: DialectName, answer: Answer, **options: Any) -> None:
        server.answer = answer
        server.requests.clear()
        fields = {"retries": 2, "retry_seconds": 0.01, "stall_seconds": 60, "max_tokens": 500, **options}
        self.options = LLMOptions(base_url=server.url, model="m", dialect=dialect, **fields)
        self.endpoint = Endpoint(self.options, SecretStr(KEY))
        self.budget = Budget("the episode's")
        self.tally = UsageCounter()
        self.progress: list[int | None] = []

    async def ask(self, seconds: float = PATIENCE) -> Completion:
        deadline = time.monotonic() + seconds
        async with asyncio.timeout(seconds):
            return await self.endpoint.ask(PROMPT, SCHEMA, self.budget, self.tally, deadline, self.progress.append)

    def answer(self) -> Completion:
        return asyncio.run(self.ask())

    def fault(self) -> ChatError:
        with pytest.raises(ChatError) as caught:
            self.answer()
        return caught.value


def test_the_request_goes_to_its_address_with_the_key_in_its_header_alone(server: ChatServer, wire: Wire) -> None:
    call = DialectCall(server, wire.dialect, answers.says(wire, "{}"), headers={"X-HF-Bill-To": "team"})
    assert call.answer() == Completion("{}")
    (request,) = server.requests
    assert request.path == wire.path
    assert request.key == KEY
    assert [name for name, value in request.headers.items() if KEY in value] == [wire.key_header]
    assert KEY not in request.path + str(request.body)
    assert request.headers["x-hf-bill-to"] == "team"
    assert request.headers.get("anthropic-version") == ("2023-06-01" if wire.dialect == "anthropic" else None)
    assert request.prompt == "You play.\nPlay."


def test_without_a_key_none_is_sent(server: ChatServer, wire: Wire) -> None:
    call = DialectCall(server, wire.dialect, answers.says(wire, "{}"))
    call.endpoint = Endpoint(call.options)
    call.answer()
    assert server.requests[0].key == ""


ANSWER: list[Part] = [("thought", "Let me think. "), ("text", '{"orders": ["A PAR - BUR", "é", "\U0001f600"]}')]
COUNTS = Counts(read=1000, written=200, cached=600, reasoned=150)


def test_an_answer_is_read_with_its_thoughts_and_its_counts(server: ChatServer, wire: Wire) -> None:
    price = {"price_in": 1.0, "price_out": 10.0, "price_cached": 0.1}
    call = DialectCall(server, wire.dialect, answers.gives(wire, ANSWER, counts=COUNTS), **price)
    assert call.answer() == Completion(ANSWER[1][1], reasoning="Let me think. ")
    usage = call.tally.usage()
    assert (usage.tokens_in, usage.tokens_cached, usage.tokens_out, usage.tokens_reasoning) == (1000, 600, 200, 150)
    assert usage.dollars == pytest.approx((400 * 1.0 + 600 * 0.1 + 200 * 10.0) / 1e6)
    assert not usage.estimated
    assert call.budget.dollars_spent == pytest.approx(usage.dollars)
    assert [count for count in call.progress if count]


WRITTEN: list[tuple[dict[str, Any], float]] = [
    ({}, 1.25),
    ({"prompt_cache": "1h"}, 2.0),
    ({"price_cache_write": 3.0}, 3.0),
]


@pytest.mark.parametrize(("options", "price"), WRITTEN)
def test_what_is_written_to_a_cache_costs_more(server: ChatServer, options: dict[str, Any], price: float) -> None:
    counts = Counts(read=1000, written=200, cached=300, cache_written=500)
    answer = answers.gives(WIRES["anthropic"], ANSWER, counts=counts)
    call = DialectCall(server, "anthropic", answer, price_in=1.0, price_out=10.0, price_cached=0.1, **options)
    call.budget = Budget("the episode's", dollars=1.0)
    call.answer()
    usage = call.tally.usage()
    assert (usage.tokens_in, usage.tokens_cached, usage.tokens_cache_written) == (1000, 300, 500)
    assert usage.dollars == pytest.approx((200 * 1.0 + 300 * 0.1 + 500 * price + 200 * 10.0) / 1e6)
    assert call.budget.dollars_spent == pytest.approx(usage.dollars)


@pytest.mark.parametrize("dialect", ["openai-chat", "openai-responses"])
def test_so_it_does_at_openai(server: ChatServer, dialect: DialectName) -> None:
    counts = Counts(read=1000, written=200, cache_written=500)
    call = DialectCall(
        server, dialect, answers.gives(WIRES[dialect], ANSWER, counts=counts), price_in=1.0, price_out=10.0
    )
    call.answer()
    assert call.tally.tokens_cache_written == 500
    assert call.tally.dollars == pytest.approx((500 + 500 * 1.25 + 200 * 10.0) / 1e6)


def test_an_answer_that_is_not_streamed_is_read_too(server: ChatServer, wire: Wire) -> None:
    call = DialectCall(server, wire.dialect, answers.whole(wire, ANSWER, counts=COUNTS))
    assert call.answer() == Completion(ANSWER[1][1], reasoning="Let me think. ")
    usage = call.tally.usage()
    assert (usage.tokens_in, usage.tokens_cached, usage.tokens_out, usage.tokens_reasoning) == (1000, 600, 200, 150)


@pytest.mark.parametrize("streamed", [True, False])
def test_the_arguments_of_a_forced_tool_call_are_the_answer(server: ChatServer, wire: Wire, streamed: bool) -> None:
    parts: list[Part] = [("text", "I answer with the tool."), ("tool", '{"orders": ["A PAR H"]}')]
    answer = answers.gives(wire, parts) if streamed else answers.whole(wire, parts)
    call = DialectCall(server, wire.dialect, answer, structured="tool")
    assert call.answer() == Completion('{"orders": ["A PAR H"]}')
    body = str(server.requests[0].body)
    assert "'answer'" in body
    assert "tools" in body


@pytest.mark.few(2)
@pytest.mark.parametrize("streamed", [True, False])
def test_refusals_and_limits_are_told_apart(server: ChatServer, wire: Wire, streamed: bool) -> None:
    send = answers.gives if streamed else answers.whole
    refusal = DialectCall(server, wire.dialect, send(wire, [("refusal", "No war.")])).answer()
    assert refusal.refusal
    assert not refusal.cut
    assert wire.dialect == "gemini" or refusal.refusal == "No war."
    filtered = DialectCall(server, wire.dialect, send(wire, [("text", "{")], "filter")).answer()
    assert "stopped the answer" in filtered.refusal
    assert filtered.text == "{"
    cut = DialectCall(server, wire.dialect, send(wire, [("text", "{")], "length")).answer()
    assert cut == Completion("{", cut=True)


@pytest.mark.few(26)
@pytest.mark.parametrize(("dialect", "name"), FAULTS)
def test_every_fault_ends_in_an_answer_or_a_named_fault(server: ChatServer, dialect: DialectName, name: str) -> None:
    call = DialectCall(server, dialect, answers.faults(WIRES[dialect])[name], retries=1, stall_seconds=0.3)
    seconds = 1.5 if name == "drips" else PATIENCE

    async def outcome() -> Completion | BaseException:
        return (await asyncio.gather(call.ask(seconds), return_exceptions=True))[0]

    answer = asyncio.run(outcome())
    if isinstance(answer, Completion):
        answer.text.encode()
    elif isinstance(answer, ChatError):
        assert answer.boundary in ("provider", "timeout")
        assert 0 < len(answer.message) < 300
        assert "\n" not in answer.message
    else:
        assert (name, type(answer)) == ("drips", TimeoutError)
    assert call.budget._tokens_held == 0
    assert call.budget.tokens_spent == call.tally.tokens_in + call.tally.tokens_out


OUTCOMES: Mapping[str, str] = {
    "bad gateway": "HTTP 502: upstream",
    "server error": "HTTP 500: oops",
    "unauthorised": "is the key right? bad key",
    "no such model": "are base_url and model right?",
    "bad request": "maximum context length exceeded",
    "rate limit for an hour": "no time is left",
    "closes": "the connection failed",
    "web page": "is base_url right?",
    "empty stream": "broke off",
    "breaks off": "broke off",
    "half JSON event": "broken JSON",
    "list event": "JSON that is no object",
    "error inside": "the engine died",
    "error with status 200": "overloaded",
    "only reasoning": "without content",
    "floods": "longer than",
    "hangs": "fell silent",
    "hangs inside": "fell silent",
}
"""Words in the message of a fault, which are the same in every dialect."""


@pytest.mark.few(12)
@pytest.mark.parametrize("name", OUTCOMES)
def test_a_fault_is_explained_the_same_way_in_every_dialect(server: ChatServer, wire: Wire, name: str) -> None:
    call = DialectCall(
        server, wire.dialect, answers.faults(wire)[name], retries=name.startswith("rate"), stall_seconds=0.3
    )
    fault = call.fault()
    assert OUTCOMES[name] in fault.message
    assert fault.boundary == ("timeout" if "hangs" in name else "provider")


@pytest.mark.parametrize("status", ["429 Too Many Requests", "500 Internal Server Error", "529 Overloaded"])
def test_asks_again_where_that_may_help(server: ChatServer, wire: Wire, status: str) -> None:
    later = answers.refuses(wire, status, "later")
    call = DialectCall(server, wire.dialect, in_turn(later, later, answers.says(wire, "{}")))
    assert call.answer().text == "{}"
    assert (call.tally.calls, call.tally.retries) == (3, 2)


def test_an_engine_that_dies_within_an_answer_is_asked_again(server: ChatServer, wire: Wire) -> None:
    died = answers.sends(*answers.started(wire, "{"), wire.failure("overloaded"))
    call = DialectCall(server, wire.dialect, in_turn(died, answers.says(wire, "{}")))
    assert call.answer() == Completion("{}")
    assert (call.tally.calls, call.tally.retries, call.tally.estimated) == (2, 1, True)


def test_a_spent_quota_is_not_asked_again(server: ChatServer, wire: Wire) -> None:
    call = DialectCall(server, wire.dialect, answers.faults(wire)["quota"])
    assert call.fault().boundary == "provider"
    assert len(server.requests) == 1


WAITS = {
    "seconds": {"retry_after": "0.4"},
    "milliseconds": {"retry_after_ms": "400"},
}


@pytest.mark.parametrize("headers", WAITS.values(), ids=WAITS)
def test_waits_as_long_as_the_headers_ask(server: ChatServer, wire: Wire, headers: Mapping[str, str]) -> None:
    slow = answers.refuses(wire, "529 Overloaded", "slow", headers)
    call = DialectCall(server, wire.dialect, in_turn(slow, answers.says(wire, "{}")))
    began = time.monotonic()
    call.answer()
    assert time.monotonic() - began >= 0.4


def test_waits_as_long_as_the_details_of_an_error_ask(server: ChatServer) -> None:
    wire = WIRES["gemini"]
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.4s"}]
    slow = answers.refuses(wire, "429 Too Many Requests", "slow", details=details)
    call = DialectCall(server, "gemini", in_turn(slow, answers.says(wire, "{}")))
    began = time.monotonic()
    call.answer()
    assert time.monotonic() - began >= 0.4


def test_an_answer_that_breaks_off_costs_what_arrived(server: ChatServer, wire: Wire) -> None:
    call = DialectCall(server, wire.dialect, answers.sends(*answers.started(wire, "x" * 400)), retries=0)
    call.fault()
    assert (call.tally.tokens_out, call.tally.estimated) == (100, True)
    assert call.tally.tokens_in > 0


def test_cancelling_closes_the_connection(server: ChatServer, wire: Wire) -> None:
    call = DialectCall(server, wire.dialect, answers.drips(wire))

    async def cancel() -> None:
        asking = asyncio.ensure_future(call.ask())
        await asyncio.to_thread(server.wait_for, 1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(cancel())
    end = time.monotonic() + PATIENCE
    while server.open and time.monotonic() < end:
        time.sleep(0.01)
    assert server.open == 0
    assert call.budget._tokens_held == 0


def test_a_finished_answer_needs_no_end_of_its_connection(server: ChatServer, wire: Wire) -> None:
    async def answer(request: Any) -> None:
        await answers.says(wire, "{}")(request)
        await hangs(request)

    call = DialectCall(server, wire.dialect, answer, stall_seconds=0.5)
    assert call.answer() == Completion("{}")


def test_the_key_does_not_come_back(server: ChatServer, wire: Wire) -> None:
    call = DialectCall(server, wire.dialect, answers.echoes_the_key(wire))
    completion = call.answer()
    assert "[key]" in completion.text
    assert "[key]" in completion.reasoning
    assert KEY not in str(completion)
    for answer in (answers.echoes_the_key_in_an_error(wire), answers.refuses_the_key_within(wire)):
        call = DialectCall(server, wire.dialect, answer, retries=0)
        fault = call.fault()
        assert "[key]" in fault.message
        assert KEY not in repr(call.endpoint.__dict__) + repr(fault)


def test_the_faults_of_one_dialect_are_those_of_all(wire: Wire) -> None:
    assert answers.faults(WIRES["openai-chat"]).keys() <= answers.faults(wire).keys()
    assert len(answers.faults(wire)) >= 46
