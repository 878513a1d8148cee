"""The interface of a speech provider: one request for each line, answered piece by piece."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from grandstand.events import SpokenWord

Kind = Literal["cartesia", "browser", "silent"]
"""The speaker: Cartesia's service, the speech synthesis of each viewer's browser, or nothing."""

Format = Literal["mp3", "wav"]
"""The form of the clips: `mp3` is small; `wav` is six times as large, and comes with the times of the words."""

MEDIA_TYPES: dict[Format, str] = {"mp3": "audio/mpeg", "wav": "audio/wav"}

Cause = Literal["limited", "refused", "failed"]
"""The reason why a line was not spoken: too many requests; the key, the plan or the model is refused; anything else."""


@dataclass(frozen=True, slots=True)
class SpeechPart:
    """A piece of an answer: audio as it arrives, or words and when they are spoken."""

    audio: bytes = b""
    words: Sequence[SpokenWord] = ()


class SpeechError(Exception):
    """A failure of the provider. The message is one line, which every viewer may read."""

    def __init__(self, message: str, cause: Cause = "failed", retry_after: float = 0.0, detail: str = "") -> None:
        """`retry_after` is the number of seconds for which the provider wants no request. `detail` is for the log: the
        provider's own words, without the key."""
        super().__init__(message)
        self.detail = detail
        self.cause = cause
        self.retry_after = retry_after


class Speech(Protocol):
    """A provider of speech."""

    kind: Kind

    async def start(self) -> None:
        """Prepare the provider. Raises SpeechError if it cannot be used at all."""

    async def aclose(self) -> None:
        """Close the connections; the provider cannot be used afterwards."""

    def synthesize(self, text: str, voice: str) -> AsyncIterator[SpeechPart]:
        """Yield the audio of `text` in `voice` as it arrives. Raises SpeechError; each piece has a time limit."""


class NoSpeech:
    """The provider that makes no audio: the browsers of the viewers speak, or nobody does."""

    def __init__(self, kind: Literal["browser", "silent"]) -> None:
        self.kind: Kind = kind

    async def start(self) -> None: ...

    async def aclose(self) -> None: ...

    async def synthesize(self, text: str, voice: str) -> AsyncIterator[SpeechPart]:
        raise SpeechError(f"the voice is {self.kind}: the server makes no audio")
        yield SpeechPart()
