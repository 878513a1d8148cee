"""The state of the server, its spending, and its errors."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from grandstand.events import VoiceReady
from grandstand.models import Wire


class VoiceHealth(Wire):
    """The current voice of matches, and why it is not the provider that the settings name."""

    provider: Literal["cartesia", "browser", "silent"]
    kind: Literal["clips", "browser", "silent"]
    reason: str = ""


class ClipList(Wire):
    """The clips of an episode's lines, in order. `more`: others are being made."""

    clips: list[VoiceReady]
    more: bool


class Health(Wire):
    """The state and load of the server. `waiting`: matches wait until the record is writable."""

    status: Literal["ok", "waiting", "stopping"]
    version: str
    live: int
    queued: int
    viewers: int
    storage: str | None = Field(default=None, description="Why the record cannot be written, if matches wait.")
    voice: VoiceHealth = VoiceHealth(provider="browser", kind="browser")


class PlayerSpending(Wire):
    """The spending of a player today, by its reports. `own_key`: visitors paid, so the server's limits do not apply."""

    player: str
    own_key: bool = False
    answers: int = 0
    tokens: int = 0
    dollars: float | None = None


class DaySpending(Wire):
    """The spending of all matches in a day (UTC) with the operator's keys, and its limits; None where there is none.

    The sums include calls of decisions that are not reported yet. `counted` is false until the record has been read
    after a start; `begins` and `ends` are Unix times.
    """

    begins: float
    ends: float
    tokens: int
    dollars: float
    token_limit: int | None
    dollar_limit: float | None
    counted: bool
    players: list[PlayerSpending]


class Problem(Wire):
    """An error as RFC 9457 problem details. `field` names the part of the request at fault."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    field: str | None = None
