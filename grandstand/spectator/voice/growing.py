"""Clips that are being made: listeners hear the audio as it arrives."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Literal

from grandstand.spectator.voice.speech import Format


class BrokenOff(Exception):
    """A clip that stays incomplete because the provider failed."""


class GrowingClip:
    """The audio of a clip that is being made. Any number of listeners receive it as it arrives."""

    def __init__(self, name: str, form: Format, episode_id: str, comment: int) -> None:
        self.name = name
        self.form: Format = form
        self.line = (episode_id, comment)
        """The line that it is made for, as (episode, number)."""
        self.began = 0.0
        """The time at which its first audio came, in Unix seconds."""
        self._audio = bytearray()
        self._state: Literal["growing", "whole", "broken"] = "growing"
        self._changed = asyncio.Event()

    def add(self, audio: bytes) -> None:
        self.began = self.began or time.time()
        self._audio += audio
        self._wake()

    def end(self, *, whole: bool) -> None:
        """End the clip, as `whole` or broken off. Only the first call counts."""
        if self._state == "growing":
            self._state = "whole" if whole else "broken"
            self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the audio from its beginning until it is whole. Raises BrokenOff."""
        at = 0
        while True:
            if at < len(self._audio):
                piece = bytes(self._audio[at:])
                at += len(piece)
                yield piece
            elif self._state == "growing":
                await self._changed.wait()
            elif self._state == "broken":
                raise BrokenOff(self.name)
            else:
                return
