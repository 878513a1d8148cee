"""The server's settings, from the environment (`GRANDSTAND_*`) or the flags of `grandstand serve`."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import cycle
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, ValidationInfo, field_validator

from grandstand.games.catalog import GAMES
from grandstand.players.options import LLMOptions
from grandstand.server.auth import digest, is_loopback
from grandstand.spectator.voice.plan import OTHER_VOICE, VOICE

PREFIX = "GRANDSTAND_"

NONE = "none"
"""The word for an empty list where the default is not empty: an empty variable counts as not set."""

_PACKAGE = Path(__file__).resolve().parent.parent
PAGE = _PACKAGE / "page" if (_PACKAGE / "page").is_dir() else _PACKAGE.parent / "frontend" / "dist"
"""The built page: inside an installed package, or in `frontend/dist` of a checkout."""

FIXED = frozenset(
    {
        *("CARD_CACHE", "BODY_LIMIT", "REQUEST_TIMEOUT", "SHOWCASE_KEPT", "PUBLISHED_LIVE", "PUBLISHED_IDLE"),
        *("VOICE_MODEL", "VOICE_TIMEOUT", "VOICE_KEPT", "VOICE_REQUESTS", "SIGN_IN_ENDPOINT"),
        *("OPENENV_IDLE", "OPENENV_UNUSED", "PAGE", "VISITOR_SESSIONS"),
        *("VISITOR_TURNS", "VISITOR_KEY_MATCHES", "VISITOR_KEY_TOTAL", "VISITOR_KEY_TOKENS", "VISITOR_KEY_SECONDS"),
    }
)
"""Variables of older versions, whose values are constants now. A server that is given one does not start."""

LOOPBACK = "127.0.0.1,::1"
PRIVATE = f"{LOOPBACK},10.0.0.0/8,172.16.0.0/12,192.168.0.0/16"


class SettingsError(ValueError):
    """A setting with an unusable value; the message names it and the remedy."""


class Settings(BaseModel):
    """The settings. Each has a default that works."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    data: Path = Field(
        Path("data"), description="Folder of the record (one SQLite file), in the current folder by default."
    )
    store: SecretStr | None = Field(
        None,
        description="URL of a database of PostgreSQL for the record, which several servers then share; by default the "
        "record is in `data`. It needs the extra `scale`.",
    )
    bus: SecretStr | None = Field(
        None,
        description="URL of a Redis that brings new events to the other servers of `store` at once; without one they "
        "look for them four times a second.",
    )
    role: Literal["all", "drive", "watch"] = Field(
        "all",
        description="What this server does among several: `drive` plays matches and has no viewers, `watch` only shows "
        "them, `all` does both.",
    )
    bucket: Path | None = Field(
        None, description="Folder of a mounted bucket that outlives this machine; episodes are copied there and back."
    )
    root_path: str = Field(
        "", description="Path prefix below which a proxy serves this, such as /grandstand, if it passes it on."
    )
    trusted_proxies: str | None = Field(
        None,
        description="Addresses and networks of proxies whose X-Forwarded-For is trusted, comma-separated; `none` for "
        "no proxy. By default loopback; on a Space (SPACE_ID is set) private networks as well.",
    )
    frame_ancestors: str = Field(
        "'self' https://huggingface.co",
        description="Who may show the page in a frame: the sources of CSP's frame-ancestors, separated by spaces.",
    )
    embed_ancestors: str = Field(
        "*",
        description="Who may show a match at /embed in a frame, in the same form. That page has no controls but those "
        "of playback, and shows what every spectator may see.",
    )
    public_url: str = Field(
        "",
        description="Address at which viewers reach this server, such as https://example.org/grandstand, for the "
        "pictures of links. By default it is that of each request.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The lowest level that is logged."
    )
    slots: int = Field(4, ge=1, le=256, description="Matches played at the same time.")
    queue: int = Field(16, ge=0, le=10_000, description="Matches that may wait for a slot; more are refused.")
    pace: float = Field(2.5, ge=0, le=60, description="Seconds between turns where the request names no pace.")
    showcase: str = Field(
        ",".join(GAMES),
        description="Games with showcase matches and reference matches, comma-separated; `none` for no game.",
    )
    showcase_commentator: str = Field(
        "", description="Language model of the roster that words the commentary of the showcase; empty for none."
    )
    roster: Path | None = Field(None, description="The roster file; the built-in one by default.")
    operator_token: SecretStr | None = Field(None, description="The operator's token. Without one see docs/access.md.")
    publish_token: SecretStr | None = Field(
        None, description="The token of programs that publish matches; without one, none can."
    )
    voice: Literal["cartesia", "browser", "silent"] | None = Field(
        None,
        description="Text-to-speech of matches that are started with `voice`. By default Cartesia's service where "
        "CARTESIA_API_KEY is set, and elsewhere each viewer's browser.",
    )
    voices: str = Field(
        ",".join(f"{game}={voice}" for game, voice in zip(GAMES, cycle((OTHER_VOICE, VOICE)), strict=False)),
        description="Cartesia's voices as game=voice, comma-separated; `*` is that of other games. `press=voice` has "
        "public messages read aloud in that voice, `press=voice|voice` those of each sender in one of them; "
        "`analyst=voice` is that of the second speaker.",
    )
    voice_format: Literal["mp3", "wav"] = Field(
        "mp3", description="Form of the clips. wav is six times as large, and its captions follow word by word."
    )
    showcase_voice: bool = Field(
        False, description="Whether showcase matches are read aloud. With Cartesia, every line of theirs is paid for."
    )
    visitor_credits: float = Field(
        60, gt=0, description="Credits of one visitor, which come back within an hour; docs/access.md has the prices."
    )
    visitor_pace: float = Field(
        0.5, ge=0, le=60, description="Seconds that a turn of a visitor's match takes at least."
    )
    visitor_seats: bool | None = Field(
        None,
        description="Whether a visitor may start a match and play one seat of it against built-in players; by default "
        "only where there is no operator's token.",
    )
    visitor_imports: bool = Field(False, description="Whether a visitor may import games that were played elsewhere.")
    visitor_keys: bool = Field(
        False, description="Whether a visitor may seat language models with a key of its own, for one match."
    )
    visitor_endpoints: str = Field(
        "",
        description="The endpoints of such models as name=URL, comma-separated. By default those of the roster's "
        "entries that have a key and https.",
    )
    daily_tokens: int | None = Field(
        None, ge=1, description="Tokens that all matches may spend in a day (UTC) with the operator's keys."
    )
    daily_dollars: float | None = Field(
        None, gt=0, description="US dollars that all matches may spend in a day (UTC); needs the prices of every model."
    )
    openenv_sessions: int = Field(
        64,
        ge=1,
        le=10_000,
        description="OpenEnv sessions, and matches of theirs, at once. One visitor may have a quarter, at least two.",
    )

    @property
    def visitor_sessions(self) -> int:
        """Return the OpenEnv sessions that one visitor may have at the same time."""
        return max(2, self.openenv_sessions // 4)

    @property
    def showcase_games(self) -> Sequence[str]:
        """Return the names in `showcase`."""
        return _parts(self.showcase)

    @property
    def reference_games(self) -> Sequence[str]:
        """Return the games whose reference matches are shown; none in a record that several servers share."""
        return self.showcase_games if self.store is None else ()

    @field_validator("store")
    @classmethod
    def _database(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and urlsplit(value.get_secret_value()).scheme not in ("postgresql", "postgres"):
            raise ValueError("it is no URL of PostgreSQL; one looks like postgresql://user@host/database")
        return value

    @field_validator("bus")
    @classmethod
    def _redis(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if value is None:
            return None
        if urlsplit(value.get_secret_value()).scheme not in ("redis", "rediss", "unix"):
            raise ValueError("it is no URL of Redis; one looks like redis://host:6379")
        if info.data.get("store") is None:
            raise ValueError("it is for several servers; name the database that they share with --store")
        return value

    @field_validator("role")
    @classmethod
    def _among_several(cls, value: str, info: ValidationInfo) -> str:
        if value != "all" and info.data.get("store") is None:
            raise ValueError(f"{value!r} is for several servers; name the database that they share with --store")
        return value

    @field_validator("bucket")
    @classmethod
    def _own_record(cls, value: Path | None, info: ValidationInfo) -> Path | None:
        if value is not None and info.data.get("store") is not None:
            raise ValueError("it is for a record in a file; unset it, and back the database up")
        return value

    @field_validator("root_path")
    @classmethod
    def _prefix(cls, value: str) -> str:
        value = value.rstrip("/")
        if value and not value.startswith("/"):
            raise ValueError(f"{value!r} is not a path prefix; one looks like /grandstand")
        return value

    @field_validator("showcase")
    @classmethod
    def _games(cls, value: str) -> str:
        if value == NONE:
            return ""
        for part in _parts(value):
            if part not in GAMES:
                raise ValueError(f"unknown game {part!r}; there are {', '.join(sorted(GAMES))}")
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _networks(cls, value: str | None) -> str | None:
        if value == NONE:
            return ""
        for part in _parts(value or ""):
            try:
                ipaddress.ip_network(part)
            except ValueError as error:
                raise ValueError(f"{part!r} is neither an address nor a network: {error}") from error
        return value

    @field_validator("public_url")
    @classmethod
    def _address(cls, value: str) -> str:
        value = value.rstrip("/")
        if value and not re.fullmatch(r"https?://[^\s/?#\"'<>]+(/[^\s?#\"'<>]*)?", value):
            raise ValueError(f"{value!r} is not an address; one looks like https://example.org/grandstand")
        return value

    @field_validator("voices")
    @classmethod
    def _voices(cls, value: str) -> str:
        for part, (game, voice) in zip(_parts(value), _pairs(value), strict=True):
            if game not in (*GAMES, "*", "press", "analyst") or not voice:
                raise ValueError(f"{part!r} is not game=voice with a game of {', '.join(GAMES)}, *, press or analyst")
            if game == "press" and "" in voice.split("|"):
                raise ValueError(f"{part!r} has an empty voice; two are press=voice|voice")
        return value

    @field_validator("visitor_endpoints")
    @classmethod
    def _endpoints(cls, value: str) -> str:
        pairs = _pairs(value)
        for part, (name, url) in zip(_parts(value), pairs, strict=True):
            if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", name) or not url:
                raise ValueError(f"{part!r} is not name=URL; one looks like openai=https://api.openai.com/v1")
            address = urlsplit(LLMOptions(base_url=url, model="any").base_url)
            if address.scheme != "https" and not is_loopback(address.hostname or ""):
                raise ValueError(f"{name} would send a visitor's key unencrypted; its address must begin with https")
        if len(pairs) != len(dict(pairs)):
            raise ValueError("it has two endpoints of one name; rename one")
        return value

    @property
    def page(self) -> Path:
        """Return the folder of the built page."""
        return Path(PAGE)

    @property
    def endpoints(self) -> dict[str, str]:
        """Return the addresses of the endpoints for keys of visitors, by name; empty for those of the roster."""
        return dict(_pairs(self.visitor_endpoints))

    @property
    def voice_by_game(self) -> dict[str, str]:
        """Return the provider's voices: by game, `*` for other games, `press` for messages (separated by `|`),
        `analyst` for the second speaker."""
        return dict(_pairs(self.voices))

    @field_validator("frame_ancestors", "embed_ancestors")
    @classmethod
    def _sources(cls, value: str) -> str:
        if not value.strip() or not value.isprintable() or not value.isascii() or set(value) & set(";,"):
            raise ValueError("it takes sources of CSP separated by spaces, or 'none' (in single quotes)")
        return value

    @property
    def proxies(self) -> list[str]:
        """Return the addresses and networks of the trusted proxies."""
        default = PRIVATE if os.environ.get("SPACE_ID") else LOOPBACK
        return _parts(default if self.trusted_proxies is None else self.trusted_proxies)

    @property
    def operator_sha256(self) -> str | None:
        """Return the SHA-256 of the operator's token, or None if there is none."""
        return digest(self.operator_token.get_secret_value()) if self.operator_token else None

    @property
    def publish_sha256(self) -> str | None:
        """Return the SHA-256 of the publish token, or None if there is none."""
        return digest(self.publish_token.get_secret_value()) if self.publish_token else None

    @classmethod
    def load(cls, flags: Mapping[str, Any] | None = None) -> Settings:
        """Return settings from the environment, with `flags` (those that are not None) over them.

        An empty variable counts as not set. Raises SettingsError, also for a variable that names no setting.
        """
        cls._refuse_unknown(os.environ)
        flags = {name: value for name, value in (flags or {}).items() if value is not None}
        values: dict[str, Any] = {name: value for name in cls.model_fields if (value := from_environment(name))}
        try:
            return cls(**values | flags)
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0])
            source = f"--{name.replace('_', '-')}" if name in flags else PREFIX + name.upper()
            raise SettingsError(f"{name} ({source}): {first['msg'].removeprefix('Value error, ')}") from error

    @classmethod
    def _refuse_unknown(cls, environment: Iterable[str]) -> None:
        """Raise SettingsError for the first `GRANDSTAND_*` variable that is no setting."""
        known = [PREFIX + name.upper() for name in cls.model_fields]
        for name in sorted(environment):
            if name.removeprefix(PREFIX) in ("VISITOR_MATCHES", "VISITOR_STARTS"):
                raise SettingsError(f"{name}: {PREFIX}VISITOR_CREDITS replaces it; see docs/access.md, and unset it.")
            if name.removeprefix(PREFIX) in FIXED:
                raise SettingsError(f"{name}: its value is fixed in this version; unset it.")
            if name.startswith(PREFIX) and name not in known:
                near = get_close_matches(name, known, n=1) or [f"one of {', '.join(known)}"]
                raise SettingsError(f"{name}: there is no such setting; did you mean {near[0]}? Rename it or unset it.")


def from_environment(name: str) -> str:
    """Return the value of a setting in the environment; '' if its variable is empty or not set."""
    return os.environ.get(PREFIX + name.upper(), "")


def _parts(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _pairs(value: str) -> list[tuple[str, str]]:
    """Return the parts of `a=b,c=d` as pairs."""
    return [(name, text.strip()) for name, _, text in (part.partition("=") for part in _parts(value))]
