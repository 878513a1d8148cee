"""Cartesia's speech service, by its official SDK: one request for each line, over HTTP.

No connection is kept open: a request either returns the whole line within its time limits or
fails by itself. The SDK never repeats one (`max_retries=0`); the breaker decides when the provider is tried again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from pydantic import SecretStr

from grandstand.events import SpokenWord
from grandstand.spectator.voice.audio import MP3_BIT_RATE, SAMPLE_RATE
from grandstand.spectator.voice.plan import VoicePlan
from grandstand.spectator.voice.speech import Cause, Kind, SpeechError, SpeechPart

if TYPE_CHECKING:
    from cartesia import AsyncCartesia

T = TypeVar("T")

CONNECT_SECONDS = 2.0

LARGEST = 8 * 1024 * 1024
"""The most bytes of audio of a line, far more than the longest line needs."""

REFUSALS = {
    401: "does not accept the key",
    402: "has no credit left",
    403: "does not have this in the plan",
    404: "does not know the model or the voice",
}
"""Statuses that apply to every line -> their meaning."""

MESSAGE = 160

BROKE_OFF = "the provider broke off in the middle of a line"


class CartesiaSpeech:
    """Cartesia's service. `base_url` is by default the SDK's own."""

    kind: Kind = "cartesia"

    def __init__(self, key: SecretStr, plan: VoicePlan, base_url: str | None = None) -> None:
        self._key = key
        self._plan = plan
        self._base_url = base_url
        self._client: AsyncCartesia | None = None

    async def start(self) -> None:
        if find_spec("cartesia") is None:
            raise SpeechError("the package cartesia is not installed: pip install 'grandstand[voice]'", "refused")
        self._client = await asyncio.to_thread(self._made)

    def _made(self) -> AsyncCartesia:
        """Return the client. The import takes a second, so this runs in another thread."""
        import httpx
        from cartesia import AsyncCartesia

        for name in ("cartesia", "httpx", "httpcore"):  # at debug level they log requests with their headers
            logging.getLogger(name).setLevel(logging.WARNING)
        timeout = httpx.Timeout(self._plan.line_seconds, connect=CONNECT_SECONDS)
        key = self._key.get_secret_value()
        return AsyncCartesia(api_key=key, base_url=self._base_url, max_retries=0, timeout=timeout)

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def synthesize(self, text: str, voice: str) -> AsyncIterator[SpeechPart]:
        """Yield the audio of `text` as it arrives: MP3, or samples of 16 bits with the times of the words."""
        if self._client is None:
            raise SpeechError("the voice is not started")
        answer = self._with_words if self._plan.form == "wav" else self._without_words
        size = 0
        try:
            async with aclosing(answer(self._client, text, voice)) as parts:
                async for part in parts:
                    size += len(part.audio)
                    if size > LARGEST:
                        raise SpeechError(f"the provider sent more than {LARGEST} bytes for one line")
                    yield part
        except SpeechError:
            raise
        except Exception as error:
            raise self._failure(error) from error
        if not size:
            raise SpeechError("the provider sent no audio")

    async def _without_words(self, client: AsyncCartesia, text: str, voice: str) -> AsyncGenerator[SpeechPart]:
        request = client.tts.with_streaming_response.generate(
            model_id=self._plan.model,
            voice=voice,
            transcript=text,
            language="en",
            output_format={"container": "mp3", "bit_rate": MP3_BIT_RATE, "sample_rate": SAMPLE_RATE},
        )
        async with asyncio.timeout(self._plan.first_seconds):
            response = await request.__aenter__()
        try:
            pieces = response.iter_bytes()
            async for piece in self._timed(pieces):
                yield SpeechPart(audio=piece)
        finally:
            await request.__aexit__(None, None, None)

    async def _with_words(self, client: AsyncCartesia, text: str, voice: str) -> AsyncGenerator[SpeechPart]:
        async with asyncio.timeout(self._plan.first_seconds):
            stream = await client.tts.generate_sse(
                model_id=self._plan.model,
                voice=voice,
                transcript=text,
                language="en",
                output_format={"container": "raw", "encoding": "pcm_s16le", "sample_rate": SAMPLE_RATE},
                add_timestamps=True,
            )
        done = False
        async with stream:
            async for event in self._timed(aiter(stream)):
                match event.type:
                    case "chunk":
                        yield SpeechPart(audio=event.audio or b"")
                    case "timestamps":
                        times = event.word_timestamps
                        words = zip(times.words, times.start, strict=True)
                        yield SpeechPart(words=[SpokenWord(text=word, start=start) for word, start in words])
                    case "error":
                        raise self._refusal(event.status_code, event.message, 0.0)
                    case "done":
                        done = True
        if not done:
            raise SpeechError(BROKE_OFF)

    async def _timed(self, items: AsyncIterator[T]) -> AsyncIterator[T]:
        """Yield `items`; each has its own time limit, so that an answer that trickles without an end is given up."""
        limit = self._plan.first_seconds
        while True:
            try:
                async with asyncio.timeout(limit):
                    item = await anext(items)
            except StopAsyncIteration:
                return
            yield item
            limit = self._plan.piece_seconds

    def _failure(self, error: Exception) -> SpeechError:
        """Convert an error of the SDK or its HTTP client to a SpeechError."""
        import cartesia
        import httpx

        if isinstance(error, TimeoutError | cartesia.APITimeoutError):
            return SpeechError("the provider did not answer in time")
        if isinstance(error, cartesia.APIStatusError):
            return self._refusal(error.status_code, error.message, _retry_after(error.response.headers))
        if isinstance(error, cartesia.APIConnectionError):
            return SpeechError("the provider cannot be reached")
        words = f"{type(error).__name__}: {error}".replace(self._key.get_secret_value(), "[hidden]")[:MESSAGE]
        if isinstance(error, httpx.TransportError):
            return SpeechError(BROKE_OFF, detail=words)
        return SpeechError("the provider sent an answer that cannot be read", detail=words)

    def _refusal(self, status: int, message: str, retry_after: float) -> SpeechError:
        """Return the error of a status. The provider's words may quote the key and name the account."""
        words = " ".join(str(message).replace(self._key.get_secret_value(), "[hidden]").split())[:MESSAGE]
        cause: Cause = "limited" if status == 429 else "refused" if status in REFUSALS else "failed"
        meaning = REFUSALS.get(status, "has had too many requests" if status == 429 else "fails")
        return SpeechError(f"the provider {meaning} ({status})", cause, retry_after, words)


def _retry_after(headers: Mapping[str, str]) -> float:
    """Return the seconds of a `Retry-After`; 1 for a limit that names none, and for a date."""
    try:
        return max(0.0, float(headers.get("retry-after", "1")))
    except ValueError:
        return 1.0
