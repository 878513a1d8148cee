"""Real speech for tests: espeak-ng, called in this process."""

from __future__ import annotations

import ctypes
import threading
from dataclasses import dataclass

import espeakng_loader
import numpy as np

from grandstand.spectator.voice.audio import SAMPLE_RATE

RETRIEVAL = 1
UTF8 = 1
WORD = 1


class _Id(ctypes.Union):
    _fields_ = (("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8))


class _Event(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _Id),
    )


_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event))


@dataclass(frozen=True)
class Spoken:
    """Samples of 16 bits at the rate of the clips, and the second at which each word of the text begins."""

    samples: bytes
    words: list[str]
    starts: list[float]


class _Espeak:
    """The library, which speaks one text at a time."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(espeakng_loader.get_library_path())
        self._rate: int = self._library.espeak_Initialize(RETRIEVAL, 0, espeakng_loader.get_data_path().encode(), 0)
        assert self._rate > 0, "espeak-ng does not start"
        assert self._library.espeak_SetVoiceByName(b"en") == 0
        self._samples = bytearray()
        self._starts: list[tuple[int, float]] = []
        self._callback = _CALLBACK(self._take)
        self._library.espeak_SetSynthCallback(self._callback)

    def _take(self, samples: ctypes.Array[ctypes.c_short], count: int, events: ctypes.Array[_Event]) -> int:
        if samples and count:
            self._samples += ctypes.string_at(samples, 2 * count)
        at = 0
        while events[at].type:
            if events[at].type == WORD:
                self._starts.append((events[at].text_position - 1, events[at].audio_position / 1000))
            at += 1
        return 0

    def speak(self, text: str) -> Spoken:
        self._samples.clear()
        self._starts.clear()
        data = text.encode() + b"\0"
        self._library.espeak_Synth(data, ctypes.c_size_t(len(data)), 0, 0, 0, UTF8, None, None)
        self._library.espeak_Synchronize()
        samples = np.frombuffer(bytes(self._samples), np.int16)
        words = [(first, start) for first, start in self._starts if not first or text[first - 1].isspace()]
        count = round(len(samples) * SAMPLE_RATE / self._rate)
        scaled = np.interp(np.linspace(0, len(samples) - 1, count), np.arange(len(samples)), samples)
        # The library speaks some words as one, such as "of the", and some as several, such as "XI".
        firsts = [0, *(first for first, _ in words[1:])]
        texts = [text[first:end].strip() for first, end in zip(firsts, [*firsts[1:], len(text)], strict=True)]
        return Spoken(scaled.astype("<i2").tobytes(), texts, [start for _, start in words])


_lock = threading.Lock()
_library: _Espeak | None = None
_spoken: dict[str, Spoken] = {}


def speak(text: str) -> Spoken:
    """Return `text` as English speech. The library is not made for threads: it speaks one text at a time."""
    global _library
    with _lock:
        if text not in _spoken:
            _library = _library or _Espeak()
            _spoken[text] = _library.speak(text)
        return _spoken[text]
