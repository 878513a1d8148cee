"""What a roster entry of each kind may set. Read at start, so nothing heavy is imported here."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
SECRET_HEADER = re.compile("authorization|cookie|key|token|secret", re.IGNORECASE)
"""Names of headers that carry keys."""
OUR_HEADERS = {"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "transfer-encoding"}


class Options(BaseModel):
    """Base of a kind's options: immutable, strict about names, and silent about values, which may be misplaced keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    def unavailable(self) -> str:
        """Why nobody can be seated with these here, and the remedy; empty where somebody can."""
        return ""


class FallibleOptions(Options):
    """Of players that may fail to answer."""

    fallback: str | dict[str, str] = Field(
        default="",
        description="Built-in player that acts after a fault, or one for each game; by default the game's strongest.",
    )


class BotOptions(Options):
    """A game's built-in player under another name."""

    bot: str = Field(description="Name of the built-in player.")


class ExternalOptions(FallibleOptions):
    """A seat that is played from outside, by a person or a program."""

    turn_seconds: float = Field(default=300, ge=0, description="Clock of a turn; 0 for none.")
    press_seconds: float = Field(default=60, gt=0, description="Clock of a round of press; then the seat says nothing.")


class RecordedOptions(FallibleOptions):
    """The choices of a finished episode, played again."""

    file: Path = Field(description="An episode's download, made as an operator (JSON lines).")
    seat: str = Field(default="", description="Whose choices; by default those of the seat it is given.")


class TrainedOptions(FallibleOptions):
    """A policy that was trained here, or that a training run is at work on."""

    folder: Path = Field(description="Of a training run, or of a whole policy.")
    version: Annotated[int, Field(ge=0)] | Literal["latest", "base"] = Field(
        default="latest",
        description="A version that the run keeps; `latest` follows the run as it publishes, from one choice to the "
        "next; `base` is the policy before the first step.",
    )
    temperature: float | None = Field(default=None, gt=0, le=10, description="By default the one it was trained at.")
    greedy: bool = Field(
        default=False, description="Always the likeliest choice. Such choices are not recorded to learn from."
    )
    device: Literal["auto", "cpu", "cuda"] = Field(default="auto", description="`auto` is a GPU where one is.")
    threads: int = Field(default=1, ge=1, description="Processor cores that it computes with where there is no GPU.")

    @model_validator(mode="after")
    def _one_way_to_choose(self) -> Self:
        if self.greedy and self.temperature is not None:
            raise ValueError("greedy and temperature exclude each other; set one of them")
        return self

    def unavailable(self) -> str:
        missing = [name for name in ("torch", "transformers", "peft") if find_spec(name) is None]
        return f"{', '.join(missing)} not installed: pip install 'grandstand[train]'" if missing else ""


class LLMOptions(FallibleOptions):
    """A language model behind a chat endpoint that speaks OpenAI's protocol."""

    base_url: str = Field(description="Up to and without /chat/completions: https://router.huggingface.co/v1")
    model: str = Field(min_length=1)
    instructions: str = Field(default="", max_length=4000, description="Added to the system prompt: a manner of play.")
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_tokens: int = Field(default=4096, gt=0, description="Of one answer, reasoning included.")
    turn_seconds: float = Field(default=180, gt=0, description="Clock of one choice, repeats and repair included.")
    stall_seconds: float = Field(default=60, gt=0, description="Longest silence of the endpoint within a call.")
    retries: int = Field(default=3, ge=0, le=10, description="Times that a failed call is made again.")
    retry_seconds: float = Field(default=0.5, gt=0, description="Longest first wait before that; it doubles.")
    structured: Literal["auto", "json_schema", "json_object", "off"] = "auto"
    price_in: float | None = Field(default=None, ge=0, description="US dollars for a million tokens read.")
    price_out: float | None = Field(default=None, ge=0, description="US dollars for a million tokens written.")
    price_cached: float | None = Field(
        default=None, ge=0, description="The same for tokens read from the endpoint's cache; price_in by default."
    )
    headers: dict[str, str] = Field(
        default={}, description="Sent with every request, say X-HF-Bill-To; never a key, which key_env is for."
    )
    extra: dict[str, Any] = Field(default={}, description="Sent with every request as it stands.")

    @field_validator("base_url")
    @classmethod
    def _plain_url(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must start with https:// or http:// and name a host")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError(
                "must hold no user, password, query or fragment; keys belong in the variable key_env names"
            )
        return value.rstrip("/").removesuffix("/chat/completions")

    @model_validator(mode="after")
    def _both_prices(self) -> Self:
        if (self.price_in is None) != (self.price_out is None):
            raise ValueError("price_in and price_out go together; set both or neither")
        if self.price_cached is not None and self.price_in is None:
            raise ValueError("price_cached goes with price_in and price_out; set all of them")
        return self

    @field_validator("headers")
    @classmethod
    def _no_keys(cls, value: dict[str, str]) -> dict[str, str]:
        for name, text in value.items():
            if not HEADER_NAME.fullmatch(name) or not (text.isascii() and text.isprintable()):
                raise ValueError("must be names and values that an HTTP header can carry")
            if SECRET_HEADER.search(name):
                raise ValueError("must hold no key; keys belong in the variable that key_env names")
            if name.lower() in OUR_HEADERS:
                raise ValueError(f"must not hold {name.lower()}, which is set by the client")
        return value

    @field_validator("extra")
    @classmethod
    def _nothing_of_ours(cls, value: dict[str, Any]) -> dict[str, Any]:
        ours = {"messages", "model", "stream", "max_tokens", "temperature", "response_format"} & value.keys()
        if ours:
            raise ValueError(f"must not hold {', '.join(sorted(ours))}: there are options for these")
        return value
