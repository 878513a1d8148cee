"""The voice of a server, made from its settings and from the key in the environment."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from pydantic import SecretStr

from grandstand.server.metrics import ServerMetrics
from grandstand.server.settings import Settings
from grandstand.spectator.bus import Bus
from grandstand.spectator.store.interface import EpisodeStore
from grandstand.spectator.voice.cartesia import CartesiaSpeech
from grandstand.spectator.voice.clips import Clips
from grandstand.spectator.voice.plan import VoicePlan
from grandstand.spectator.voice.scheduler import VoiceScheduler
from grandstand.spectator.voice.speech import Kind, NoSpeech, Speech

log = logging.getLogger(__name__)

KEY = "CARTESIA_API_KEY"
"""The variable that holds the key, which is in no setting, file or log line."""

REQUESTS = 2
"""Requests to Cartesia at the same time, which every plan allows."""

PIECE_SECONDS = 3.0
"""Seconds that Cartesia has for the first piece of a line, and for each later one; a slower line comes too late."""

LINE_SECONDS = 20.0
"""Seconds that it has for a whole line."""

NO_KEY = f"the server has no {KEY}, so each viewer's browser speaks"


def voice_plan(settings: Settings, key: str) -> VoicePlan:
    """Return the plan of the voice: Cartesia if there is a key, unless the settings name another."""
    kind: Kind = settings.voice or ("cartesia" if key else "browser")
    without_key = not key and settings.voice in (None, "cartesia")
    return VoicePlan(
        kind="browser" if without_key else kind,
        reason=NO_KEY if without_key else "",
        voices=settings.voice_by_game,
        form=settings.voice_format,
        concurrency=REQUESTS,
        first_seconds=PIECE_SECONDS,
        piece_seconds=PIECE_SECONDS,
        line_seconds=LINE_SECONDS,
    )


def open_voice(settings: Settings, bus: Bus, recorder: EpisodeStore, metrics: ServerMetrics) -> VoiceScheduler:
    """Return the voice, with its clips in the data folder. If they cannot be stored, browsers speak."""
    key = os.environ.get(KEY, "").strip()
    plan = voice_plan(settings, key)
    clips, reason = _open_clips(settings.data / "clips", plan.kept_bytes)
    speech: Speech
    if plan.kind != "cartesia":
        speech = NoSpeech(plan.kind)
    elif clips is None:
        speech = NoSpeech("browser")
    else:
        speech = CartesiaSpeech(SecretStr(key), plan)
    return VoiceScheduler(bus, recorder.summary, speech, plan, clips, reason=reason or plan.reason, count=metrics.spoke)


def _open_clips(folder: Path, limit: int) -> tuple[Clips | None, str]:
    """Return the store of clips, or None and the reason why it cannot be used."""
    try:
        return Clips(folder, limit), ""
    except OSError as error:
        log.warning("the voice: clips cannot be kept: %s", error)
        return None, "clips cannot be kept, so each viewer's browser speaks"  # viewers read it, so it names no folder
