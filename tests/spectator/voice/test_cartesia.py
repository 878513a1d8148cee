"""Cartesia's service through its SDK, against a service of our own that speaks its protocol over a real socket."""

from __future__ import annotations

import asyncio
import io
import logging
import re
import wave
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import numpy as np
import pytest
from pydantic import SecretStr

from grandstand.events import SpokenWord
from grandstand.spectator.voice.audio import clip_file, seconds
from grandstand.spectator.voice.cartesia import CartesiaSpeech
from grandstand.spectator.voice.plan import VOICE, VoicePlan
from grandstand.spectator.voice.speech import SpeechError
from tests.support.players.chat_server import Answer, ChatServer, refuses
from tests.support.requirements import installed
from tests.support.spectator.speech_server import FAULTS, KEY, REFUSALS, limited, speaks, speech_server
from tests.support.waiting import until

LINE = "North takes the harbour, and South has no answer."

QUICK = VoicePlan(kind="cartesia", form="wav", first_seconds=2.0, piece_seconds=0.3)


@pytest.fixture
def service() -> Iterator[ChatServer]:
    installed("cartesia")
    with speech_server() as server:
        yield server


@asynccontextmanager
async def started(service: ChatServer, plan: VoicePlan = QUICK, key: str = KEY) -> AsyncIterator[CartesiaSpeech]:
    speech = CartesiaSpeech(SecretStr(key), plan, service.url)
    await speech.start()
    try:
        yield speech
    finally:
        await speech.aclose()


async def say(speech: CartesiaSpeech, line: str = LINE) -> tuple[bytes, list[SpokenWord]]:
    audio, words = bytearray(), list[SpokenWord]()
    async for part in speech.synthesize(line, VOICE):
        audio += part.audio
        words += part.words
    return bytes(audio), words


def spoken(service: ChatServer, plan: VoicePlan = QUICK, key: str = KEY) -> tuple[bytes, list[SpokenWord]]:
    async def run() -> tuple[bytes, list[SpokenWord]]:
        async with started(service, plan, key) as speech:
            return await say(speech)

    return asyncio.run(run())


def failure(service: ChatServer, answer: Answer, plan: VoicePlan = QUICK, key: str = KEY) -> SpeechError:
    service.answer = answer
    with pytest.raises(SpeechError) as error:
        spoken(service, plan, key)
    return error.value


def test_a_line_is_real_speech_with_the_times_of_its_words(service: ChatServer) -> None:
    audio, words = spoken(service)
    assert " ".join(word.text for word in words) == LINE
    starts = [word.start for word in words]
    assert starts == sorted(starts)
    with wave.open(io.BytesIO(clip_file(audio, "wav"))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 24_000)
        samples = np.frombuffer(file.readframes(file.getnframes()), np.int16).astype(float)
    assert seconds(audio, "wav") == pytest.approx(len(samples) / 24_000, abs=0.001)
    assert starts[-1] < len(samples) / 24_000
    assert np.sqrt(np.mean(samples**2)) > 500, "it can be heard"


def test_mp3_is_one_streamed_request_without_times(service: ChatServer) -> None:
    audio, words = spoken(service, VoicePlan(kind="cartesia", form="mp3"))
    wav, _ = spoken(service)
    assert words == []
    assert seconds(audio, "mp3") == pytest.approx(seconds(wav, "wav"), abs=0.15)
    assert [request.path for request in service.requests] == ["/v1/tts/bytes", "/v1/tts/sse"]


def test_the_request_names_the_pinned_model_and_voice(service: ChatServer) -> None:
    spoken(service)
    (request,) = service.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body["model_id"] == "sonic-3-2026-01-12"
    assert request.body["voice"] == VOICE
    assert request.body["transcript"] == LINE


@pytest.mark.parametrize("form", ["mp3", "wav"])
@pytest.mark.parametrize("fault", ["cut in the middle", "stalls"])
def test_an_answer_that_breaks_off_or_stops_is_a_failure(service: ChatServer, fault: str, form: str) -> None:
    plan = VoicePlan(kind="cartesia", form="wav" if form == "wav" else "mp3", first_seconds=2.0, piece_seconds=0.2)
    error = failure(service, FAULTS[fault], plan)
    assert error.cause == "failed"
    assert (
        str(error)
        == {
            "cut in the middle": "the provider broke off in the middle of a line",
            "stalls": "the provider did not answer in time",
        }[fault]
    )


@pytest.mark.parametrize("fault", sorted(FAULTS.keys() - {"cut in the middle", "stalls"}))
def test_every_fault_is_the_providers_and_is_not_repeated(service: ChatServer, fault: str) -> None:
    plan = VoicePlan(kind="cartesia", form="wav", first_seconds=0.5, piece_seconds=0.2)
    error = failure(service, FAULTS[fault], plan)
    assert error.cause == "failed"
    assert str(error).startswith("the provider ")
    assert not re.search(r"[a-z]Error|Exception", str(error)), "viewers read it"
    until(lambda: bool(service.requests))  # a busy service may read a request after it was given up
    assert len(service.requests) == 1


@pytest.mark.parametrize("fault", sorted(REFUSALS))
def test_what_only_a_person_can_mend_is_a_refusal(service: ChatServer, fault: str) -> None:
    assert failure(service, REFUSALS[fault]).cause == "refused"


def test_a_wrong_key_is_a_refusal_that_does_not_show_it(service: ChatServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    error = failure(service, speaks(), key="sk_car_wrong")
    assert error.cause == "refused"
    assert "401" in str(error)
    assert str(error) == "the provider does not accept the key (401)"
    assert "Invalid API key" in error.detail, "its own words are for the log"
    assert "sk_car_wrong" not in str(error) + error.detail + caplog.text


def test_a_limit_says_how_long_to_wait(service: ChatServer) -> None:
    error = failure(service, limited("7"))
    assert (error.cause, error.retry_after) == ("limited", 7.0)
    assert failure(service, limited(None)).retry_after == 1.0
    assert failure(service, refuses("429 Too Many Requests", "later", retry_after="soon")).retry_after == 1.0


def test_a_dead_provider_cannot_be_reached(service: ChatServer) -> None:
    dead = ChatServer(speaks(), url="http://127.0.0.1:9/v1")
    with pytest.raises(SpeechError, match="cannot be reached"):
        spoken(dead)


def test_a_slow_line_is_spoken_and_one_too_slow_is_given_up(service: ChatServer) -> None:
    service.answer = speaks(first=0.3)
    assert spoken(service)[0]
    plan = VoicePlan(kind="cartesia", form="wav", first_seconds=0.3)
    assert "in time" in str(failure(service, speaks(first=30), plan))


def test_a_stopped_voice_speaks_nothing(service: ChatServer) -> None:
    async def run() -> None:
        async with started(service) as speech:
            await say(speech)
        with pytest.raises(SpeechError, match="not started"):
            await say(speech)

    asyncio.run(run())
