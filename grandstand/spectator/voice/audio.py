"""Audio in memory: the header of a WAV file, and the length of a clip in seconds."""

from __future__ import annotations

import struct
from typing import Final

from grandstand.spectator.voice.speech import Format

SAMPLE_RATE: Final = 24_000
SAMPLE_BYTES = 2
MP3_BIT_RATE: Final = 64_000

HEADER = struct.Struct("<4sI4s4sIHHIIHH4sI")


def wav(samples: bytes) -> bytes:
    """Return a WAV file of 16-bit mono samples."""
    rate = SAMPLE_RATE * SAMPLE_BYTES
    fields = (b"fmt ", 16, 1, 1, SAMPLE_RATE, rate, SAMPLE_BYTES, 8 * SAMPLE_BYTES, b"data", len(samples))
    return HEADER.pack(b"RIFF", HEADER.size - 8 + len(samples), b"WAVE", *fields) + samples


def clip_file(audio: bytes, form: Format) -> bytes:
    """Return the file of a clip from the audio of a provider: samples for `wav`, a whole file for `mp3`."""
    return wav(audio[: len(audio) - len(audio) % SAMPLE_BYTES]) if form == "wav" else audio


def seconds(audio: bytes, form: Format) -> float:
    """Return the length of a provider's audio. MP3 is requested at a constant bit rate."""
    rate = SAMPLE_RATE * SAMPLE_BYTES if form == "wav" else MP3_BIT_RATE // 8
    return round(len(audio) / rate, 3)
