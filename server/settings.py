"""What can be set, in one place: by environment (`GRANDSTAND_*`) or by the flags of `grandstand serve`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from server.auth import digest

PREFIX = "GRANDSTAND_"


class SettingsError(ValueError):
    """A setting that cannot be used; the message names it and the remedy."""


class Settings(BaseModel):
    """Every setting has a default that runs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    data: Path = Field(Path("data"), description="Folder of the record (one SQLite file).")
    bucket: Path | None = Field(
        None, description="Folder of a mounted bucket that outlives this machine; episodes are copied there and back."
    )
    page: Path = Field(Path("frontend/dist"), description="Folder of the built page.")
    slots: int = Field(4, ge=1, le=256, description="Matches played at the same time.")
    queue: int = Field(16, ge=0, le=10_000, description="Matches that may wait for a slot; more are refused.")
    pace: float = Field(2.5, ge=0, le=60, description="Seconds between turns where the request names no pace.")
    showcase: str = Field(
        "diplomacy,cricket", description="Games of the showcase matches, comma-separated; empty for none."
    )
    showcase_kept: int = Field(40, ge=1, description="Ended showcase matches that are kept.")
    roster: Path | None = Field(None, description="The roster file; the built-in one by default.")
    operator_token: SecretStr | None = Field(None, description="The operator's token. Without one see docs/access.md.")
    publish_token: SecretStr | None = Field(None, description="The token of drivers elsewhere; none, no publishing.")
    published_live: int = Field(64, ge=1, description="Published matches that may be unfinished at the same time.")
    published_idle: float = Field(3600, gt=0, description="Seconds of a driver's silence that end a published match.")
    visitor_matches: int = Field(4, ge=1, description="Unfinished matches that one visitor may have started.")
    visitor_starts: int = Field(4, ge=1, description="Matches that one visitor may start in a minute.")

    openenv_sessions: int = Field(64, ge=1, le=10_000, description="OpenEnv sessions, and matches of theirs, at once.")
    openenv_idle: float = Field(900, gt=0, description="Seconds without a message after which a session is closed.")

    @property
    def operator_sha256(self) -> str | None:
        """The operator's token as it is kept."""
        return digest(self.operator_token.get_secret_value()) if self.operator_token else None

    @property
    def publish_sha256(self) -> str | None:
        """The publish token as it is kept."""
        return digest(self.publish_token.get_secret_value()) if self.publish_token else None

    @classmethod
    def load(cls, flags: Mapping[str, Any] | None = None) -> Settings:
        """Settings from the environment, with `flags` (those that are not None) over them. Raises SettingsError."""
        values: dict[str, Any] = {
            name: os.environ[PREFIX + name.upper()] for name in cls.model_fields if PREFIX + name.upper() in os.environ
        }
        values |= {name: value for name, value in (flags or {}).items() if value is not None}
        try:
            return cls(**values)
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0])
            raise SettingsError(f"{name} ({PREFIX}{name.upper()} or --{name}): {first['msg']}") from error
