"""The chat client against a real endpoint: what it sends, how it repeats, waits, counts and lets go."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import ChatError, Endpoint, UsageCounter
from grandstand.players.llm.completion import Completion
from grandstand.players.options import LLMOptions
from tests.support.players.chat_server import (
    FAULTS,
    Answer,
    ChatServer,
    Request,
    delta,
    drips,
    echoes_the_key,
    echoes_the_key_in_an_error,
    hangs,
    in_turn,
    refuses,
    says,
    streams,
    whole,
)
from tests.support.server.match_services import until
from tests.support.waiting import PATIENCE

SCHEMA = {"type": "object", "properties": {"orders": {"type": "array"}}}
PRICES: dict[str, Any] = {"price_in": 1.0, "price_out": 10.0}
PROMPT = [{"role": "system", "content": "You play."}, {"role": "user", "content": "Play."}]


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with ChatServer(says("{}")) as running:
        yield running


class EndpointCall:
    """An endpoint to the test's server, and what was asked through it."""

    def __init__(self, server: ChatServer, answer: Answer, key: str | None = None, **options: Any) -> None:
        server.answer = answer
        server.requests.clear()
        value = {"retries": 2, "retry_seconds": 0.01, "stall_seconds": 60, "max_tokens": 500, **options}
        self.endpoint = Endpoint(LLMOptions(base_url=server.url, model="m", **value), SecretStr(key) if key else None)
        self.budget = Budget("the episode's")
        self.tally = UsageCounter()
        self.progress: list[int | None] = []

    async def ask(self, seconds: float = PATIENCE) -> Completion:
        deadline = time.monotonic() + seconds
        async with asyncio.timeout(seconds):
            return await self.endpoint.ask(PROMPT, SCHEMA, self.budget, self.tally, deadline, self.progress.append)

    def answer(self, seconds: float = PATIENCE) -> Completion:
        return asyncio.run(self.ask(seconds))

    def fault(self, seconds: float = PATIENCE) -> ChatError:
        with pytest.raises(ChatError) as caught:
            self.answer(seconds)
        return caught.value


def test_sends_one_streamed_structured_request(server: ChatServer) -> None:
    call = EndpointCall(server, says("{}"), key="sk-1", temperature=0.3, extra={"reasoning_effort": "low"})
    assert call.answer() == Completion("{}")
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer sk-1"
    assert request.body == {
        "model": "m",
        "messages": PROMPT,
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 500,
        "temperature": 0.3,
        "reasoning_effort": "low",
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA},
        },
    }


def test_no_key_sends_no_authorization(server: ChatServer) -> None:
    EndpointCall(server, says("{}")).answer()
    assert "authorization" not in server.requests[0].headers


def test_cached_tokens_have_their_price_and_reasoning_is_told_apart(server: ChatServer) -> None:
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 200,
        "prompt_tokens_details": {"cached_tokens": 800},
        "completion_tokens_details": {"reasoning_tokens": 150},
    }
    call = EndpointCall(server, streams(delta("{}", finish="stop"), {"usage": usage}), **PRICES, price_cached=0.1)
    call.answer()
    report = call.tally.usage()
    assert (report.tokens_in, report.tokens_cached, report.tokens_out, report.tokens_reasoning) == (1000, 800, 200, 150)
    assert report.dollars == pytest.approx((200 * 1.0 + 800 * 0.1 + 200 * 10.0) / 1e6)
    assert call.budget.dollars_spent == pytest.approx(report.dollars)
    dear = EndpointCall(server, streams(delta("{}", finish="stop"), {"usage": usage}), **PRICES)
    dear.answer()
    assert dear.tally.usage().dollars == pytest.approx(0.003), "in full where no price for them is known"


@pytest.mark.parametrize("details", [None, 5, {"cached_tokens": "all"}, {"cached_tokens": -1}, {"cached_tokens": 1001}])
def test_nonsense_about_cached_tokens_is_ignored(server: ChatServer, details: object) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 200, "prompt_tokens_details": details}
    call = EndpointCall(server, streams(delta("{}", finish="stop"), {"usage": usage}), **PRICES, price_cached=0.0)
    call.answer()
    assert call.tally.usage().tokens_cached == 0
    assert call.tally.usage().dollars == pytest.approx(0.003)


def test_headers_of_the_roster_are_sent(server: ChatServer) -> None:
    EndpointCall(server, says("{}"), key="sk-12345678", headers={"X-HF-Bill-To": "team"}).answer()
    assert server.requests[0].headers["x-hf-bill-to"] == "team"
    assert server.requests[0].headers["authorization"] == "Bearer sk-12345678"


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("Authorization", "Bearer sk-1", "must not contain a key"),
        ("X-Api-Key", "sk-1", "must not contain a key"),
        ("Host", "elsewhere", "must not contain host"),
        ("X-A", "a\r\nX-B: b", "that an HTTP header can carry"),
        ("X A", "sesame", "that an HTTP header can carry"),
    ],
)
def test_headers_hold_no_key_and_nothing_of_the_client(name: str, value: str, complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint) as refused:
        LLMOptions(base_url="http://x/v1", model="m", headers={name: value})
    assert value not in str(refused.value)


def test_counts_what_the_endpoint_counted(server: ChatServer) -> None:
    call = EndpointCall(server, says("{}", usage=(1000, 200), reasoning="hm"), price_in=1.0, price_out=10.0)
    assert call.answer() == Completion("{}", reasoning="hm")
    usage = call.tally.usage()
    assert (usage.calls, usage.retries, usage.tokens_in, usage.tokens_out) == (1, 0, 1000, 200)
    assert usage.dollars == pytest.approx(0.003)
    assert not usage.estimated
    assert call.budget.tokens_spent == 1200
    assert call.budget.dollars_spent == pytest.approx(0.003)


def test_estimates_what_it_did_not_count(server: ChatServer) -> None:
    call = EndpointCall(server, says("x" * 400, usage=None))
    call.answer()
    usage = call.tally.usage()
    assert (usage.tokens_out, usage.estimated, usage.dollars) == (100, True, None)
    assert 0 < usage.tokens_in < 100
    assert call.budget.tokens_spent == usage.tokens_in + 100


def test_takes_an_answer_that_is_not_streamed(server: ChatServer) -> None:
    call = EndpointCall(server, whole('{"orders": []}'))
    assert call.answer().text == '{"orders": []}'
    assert call.tally.tokens_in == 100


def test_tells_its_progress(server: ChatServer) -> None:
    call = EndpointCall(server, says("x" * 40, piece=20))
    call.answer()
    assert [count for count in call.progress if count][:2] == [5, 10]


@pytest.mark.parametrize("status", ["429 Too Many Requests", "500 Internal Server Error", "503 Service Unavailable"])
def test_asks_again_where_that_may_help(server: ChatServer, status: str) -> None:
    call = EndpointCall(server, in_turn(refuses(status, "later"), refuses(status, "later"), says("{}")))
    assert call.answer().text == "{}"
    assert (call.tally.calls, call.tally.retries) == (3, 2)
    assert None in call.progress


@pytest.mark.parametrize(
    ("status", "message", "explanation"),
    [
        ("401 Unauthorized", "bad key", "is the key right"),
        ("403 Forbidden", "not yours", "is the key right"),
        ("404 Not Found", "no such model", "are base_url and model right"),
        ("400 Bad Request", "maximum context length is 4096 tokens", "context length"),
        ("429 Too Many Requests", "you exceeded your quota: insufficient_quota", "quota"),
        ("307 Temporary Redirect", "elsewhere", "HTTP 307"),
    ],
)
def test_does_not_ask_again_where_it_cannot_help(
    server: ChatServer, status: str, message: str, explanation: str
) -> None:
    call = EndpointCall(server, refuses(status, message, location="http://127.0.0.1:1/"))
    fault = call.fault()
    assert fault.boundary == "provider"
    assert explanation in fault.message
    assert len(server.requests) == 1


def test_waits_as_long_as_it_is_told(server: ChatServer) -> None:
    call = EndpointCall(server, in_turn(refuses("429 Too Many Requests", "slow", retry_after="0.4"), says("{}")))
    began = time.monotonic()
    call.answer()
    assert time.monotonic() - began >= 0.4


def test_gives_up_where_the_wait_is_longer_than_the_clock(server: ChatServer) -> None:
    call = EndpointCall(server, refuses("429 Too Many Requests", "slow", retry_after="3600"))
    assert "no time is left" in call.fault().message
    assert "longer than this turn's clock" in call.fault().message  # nor is the endpoint bothered again
    assert len(server.requests) == 1


def test_a_rate_limit_that_one_seat_meets_holds_for_all(server: ChatServer) -> None:
    call = EndpointCall(server, in_turn(refuses("429 Too Many Requests", "slow", retry_after="0.5"), says("{}")))
    times: list[float] = []
    answer = server.answer

    async def timed(request: Request) -> None:
        times.append(time.monotonic())
        await answer(request)

    async def seats() -> None:
        first = asyncio.ensure_future(call.ask())
        await until(lambda: call.endpoint._not_before > 0)  # it has read the refusal
        await asyncio.gather(first, *(call.ask() for _ in range(3)))

    server.answer = timed
    asyncio.run(seats())
    assert len(times) == 5
    assert min(times[1:]) - times[0] >= 0.5


REFUSALS: list[tuple[str, str, Callable[[Any], bool]]] = [
    ("json_schema", "'response_format' of type 'json_schema' is not supported", lambda body: "schema" in str(body)),
    ("response_format", "response_format: extra fields not permitted", lambda body: "response_format" in body),
    ("grammar", "guided decoding backend rejected the grammar", lambda body: "response_format" in body),
    ("max_tokens", "Use 'max_completion_tokens' instead of 'max_tokens'.", lambda body: "max_tokens" in body),
    ("stream_options", "Unrecognized request argument: stream_options", lambda body: "stream_options" in body),
    ("temperature", "Unsupported value: 'temperature' must be 1", lambda body: "temperature" in body),
]


@pytest.mark.parametrize(("name", "message", "uses"), REFUSALS, ids=[refusal[0] for refusal in REFUSALS])
def test_learns_what_an_endpoint_does_not_take(
    server: ChatServer, name: str, message: str, uses: Callable[[Any], bool]
) -> None:
    async def answer(request: Request) -> None:
        await (refuses("400 Bad Request", message) if uses(request.body) else says("{}"))(request)

    call = EndpointCall(server, answer, temperature=0.5)
    assert call.answer().text == "{}"
    learned = len(server.requests)
    assert 2 <= learned <= 3
    assert call.answer().text == "{}"
    assert len(server.requests) == learned + 1
    if name == "max_tokens":
        assert server.requests[-1].body["max_completion_tokens"] == 500


def test_insists_on_the_form_it_was_told_to_use(server: ChatServer) -> None:
    call = EndpointCall(server, refuses("400 Bad Request", "json_schema is not supported"), structured="json_schema")
    assert "not supported" in call.fault().message
    EndpointCall(server, says("{}"), structured="off").answer()
    assert "response_format" not in server.requests[-1].body
    EndpointCall(server, says("{}"), structured="json_object").answer()
    assert server.requests[-1].body["response_format"] == {"type": "json_object"}


def test_a_silent_endpoint_is_a_timeout(server: ChatServer) -> None:
    assert EndpointCall(server, hangs, retries=0, stall_seconds=0.3).fault().boundary == "timeout"


def test_an_endpoint_that_is_not_there_is_the_providers_fault() -> None:
    call = EndpointCall(ChatServer(hangs, url="http://127.0.0.1:9/v1"), hangs, retries=1)
    fault = call.fault()
    assert fault.boundary == "provider"
    assert "connection" in fault.message
    assert call.tally.tokens_in == 0


@pytest.mark.parametrize("answer", [hangs, drips], ids=["hangs", "drips"])
def test_cancelling_closes_the_connection(server: ChatServer, answer: Answer) -> None:
    call = EndpointCall(server, answer, stall_seconds=60)
    before = server.cut_off

    async def cancel() -> None:
        asking = asyncio.ensure_future(call.ask())
        await asyncio.to_thread(server.wait_for, 1)
        await asyncio.sleep(0.1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(cancel())
    end = time.monotonic() + PATIENCE
    while server.open and time.monotonic() < end:
        time.sleep(0.01)
    assert server.open == 0
    assert server.cut_off == before + 1
    assert call.budget._tokens_held == 0


def test_a_call_that_may_not_fit_the_budget_is_not_made(server: ChatServer) -> None:
    call = EndpointCall(server, says("{}"))
    call.budget = Budget("the episode's", tokens=400)
    fault = call.fault()
    assert fault.boundary == "budget"
    assert "the episode's budget of 400 tokens has 400 left; a call may take" in fault.message
    assert server.requests == []


def test_calls_at_the_same_time_share_the_budget(server: ChatServer) -> None:
    call = EndpointCall(server, says("{}", usage=(10, 10)))
    call.budget = Budget("the episode's", tokens=1100)

    async def seats() -> list[Completion | BaseException]:
        return await asyncio.gather(*(call.ask() for _ in range(4)), return_exceptions=True)

    answers = asyncio.run(seats())
    assert sum(isinstance(answer, Completion) for answer in answers) == 2
    assert len(server.requests) == 2
    assert call.answer().text == "{}"  # what they held and did not use is there again


@pytest.mark.few(24)
@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_ends_in_an_answer_or_a_named_fault(server: ChatServer, name: str) -> None:
    call = EndpointCall(server, FAULTS[name], retries=1, stall_seconds=0.3)
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


def test_the_key_does_not_come_back(server: ChatServer) -> None:
    call = EndpointCall(server, echoes_the_key, key="sk-canary")
    answer = call.answer()
    assert "[key]" in answer.text
    assert "[key]" in answer.reasoning
    assert "sk-canary" not in str(answer)
    call = EndpointCall(server, echoes_the_key_in_an_error, key="sk-canary")
    fault = call.fault()
    assert "Bearer [key]" in fault.message
    assert "sk-canary" not in repr(call.endpoint.__dict__) + repr(fault)
