"""The plan of the voice: the provider's model and voices, the form of the clips, and every limit."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from grandstand.spectator.voice.speech import Format, Kind

MODEL = "sonic-3-2026-01-12"
"""A dated model name, because clips are stored by it and an alias would mix two models."""

VOICE = "f786b574-daa5-4673-aa0c-cbe3e8534c02"
"""Katie, of Cartesia's public voices."""

OTHER_VOICE = "a5136bf9-224c-4d76-b823-52bd5efcffcc"
"""Jameson, of the same."""

LONGEST = 400
"""The most characters of a line that are spoken; the rest is left out."""


@dataclass(frozen=True, slots=True)
class VoicePlan:
    """The plan by which lines are spoken. `reason` says why `kind` differs from the settings, if it does."""

    kind: Kind = "browser"
    reason: str = ""
    model: str = MODEL
    voices: Mapping[str, str] = field(default_factory=dict)
    """The provider's voice by game; `*` is that of any other game, `press` those of messages read aloud, separated by
    `|`, `analyst` that of the second speaker."""
    form: Format = "mp3"
    concurrency: int = 2
    """Requests at the same time, for all matches together: the limit of the provider's plan."""
    first_seconds: float = 3.0
    """Seconds that the provider has for its first piece of audio."""
    piece_seconds: float = 2.0
    """The most seconds between two pieces."""
    line_seconds: float = 20.0
    """The most seconds for a whole line."""
    kept_bytes: int = 1 << 30
    """Bytes of clips that are kept; those of the oldest lines are deleted first."""

    @property
    def reads_press(self) -> bool:
        return "press" in self.voices

    def voice(self, game: str, *, press: bool, speaker: str = "") -> str:
        """Return the provider's name of the voice for a line of `game`.

        A second speaker has another than the first, and each sender of messages always the same one of theirs.
        """
        if press:
            of_press = self.voices["press"].split("|")
            return of_press[zlib.crc32(speaker.encode("utf-8", "surrogatepass")) % len(of_press)]
        usual = self.voices.get(game, self.voices.get("*", VOICE))
        if not speaker:
            return usual
        return self.voices.get(speaker, OTHER_VOICE if usual == VOICE else VOICE)

    def clip(self, text: str, voice: str) -> str:
        """Return the name of the clip of `text` in `voice`: the same words in the same voice are made once."""
        contents = json.dumps([self.kind, self.model, voice, self.form, text], ensure_ascii=False)
        return hashlib.sha256(contents.encode("utf-8", "surrogatepass")).hexdigest()


def spoken(text: str) -> str:
    """Return `text` as it is spoken: one line, of bounded length, cut between two words."""
    line = " ".join(text.encode("utf-8", "ignore").decode().split())
    if len(line) <= LONGEST:
        return line
    return line[:LONGEST].rpartition(" ")[0] or line[:LONGEST]
