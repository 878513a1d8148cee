"""The options of roster entries, by kind of player. This module is imported at start, so its imports are light."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from grandstand.games.prompts import PLACED, PromptForm
from grandstand.players.llm.features import DialectName, DialectOptions, Effort, PromptCache, Structured, complaints

HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
SECRET_HEADER = re.compile("authorization|cookie|key|token|secret", re.IGNORECASE)
"""Names of headers that may carry keys."""
OUR_HEADERS = {"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "transfer-encoding"}


class Options(BaseModel):
    """Base of a kind's options: immutable, strict about names; errors quote no values, which may be misplaced keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    def unavailable(self) -> str:
        """Return why a player with these options cannot be created here, and the remedy; empty if it can."""
        return ""

    def unsupported(self, game: str, prompts: PromptForm) -> str:
        """Return why a player with these options cannot play the game, whose prompts are `prompts`; empty if it can."""
        return ""


class FallibleOptions(Options):
    """Options of players that may fail to answer."""

    fallback: str | dict[str, str] = Field(
        default="",
        description="Built-in player that acts after a fault, or one for each game; default: the game's strongest.",
    )


class BotOptions(Options):
    """Options of a game's built-in player under another name."""

    bot: str = Field(description="Name of the built-in player.")


class ExternalOptions(FallibleOptions):
    """Options of a seat that is played from outside, by a person or a program."""

    turn_seconds: float = Field(default=300, ge=0, description="Time limit of a turn; 0 for none.")
    press_seconds: float = Field(
        default=60, gt=0, description="Time limit of a round of press, after which the seat sends no messages."
    )


class RecordedOptions(FallibleOptions):
    """Options of the recorded choices of an episode, played again."""

    file: Path = Field(description="An episode's download, made as an operator (JSON lines).")
    seat: str = Field(default="", description="Seat whose choices are played; default: the seat that it fills.")


class TrainedOptions(FallibleOptions):
    """Options of a policy from a training run, finished or still running."""

    folder: Path = Field(description="Folder of a training run, or of a complete policy.")
    version: Annotated[int, Field(ge=0)] | Literal["latest", "base"] = Field(
        default="latest",
        description="A version that the run has saved; `latest` uses each new version as the run publishes it; `base` "
        "is the policy before the first step.",
    )
    temperature: float | None = Field(default=None, gt=0, le=10, description="Default: the temperature of training.")
    greedy: bool = Field(
        default=False, description="Always take the likeliest choice. Such choices are not recorded as training data."
    )
    search: int = Field(
        default=0,
        ge=0,
        le=64,
        description="Number of answers of the policy that the search of the game considers before it chooses; 0 for no "
        "search. Such choices are not recorded as training data.",
    )
    device: Literal["auto", "cpu", "cuda"] = Field(default="auto", description="`auto` is a GPU if there is one.")
    threads: int = Field(default=1, ge=1, description="Processor cores used without a GPU.")

    @model_validator(mode="after")
    def _one_way_to_choose(self) -> Self:
        if self.greedy and self.temperature is not None:
            raise ValueError("greedy and temperature exclude each other; set one of them")
        if self.greedy and self.search:
            raise ValueError(
                "greedy and search exclude each other: a search needs different proposals; set one of them"
            )
        return self

    def unavailable(self) -> str:
        missing = [name for name in ("torch", "transformers", "peft") if find_spec(name) is None]
        return f"{', '.join(missing)} not installed: pip install 'grandstand[train]'" if missing else ""


PERSONAS = {
    "bold": "You take risks for large gains, and would rather win outright than share.",
    "cautious": "You keep what you have. You prefer a small, safe gain to a large, uncertain one.",
    "cunning": "You look for what others overlook, and you surprise them where it pays most.",
    "honest": "You say what you mean and do what you said, also where it costs you.",
    "patient": "You plan several turns ahead and wait for the right moment.",
}
"""The personas that a prompt variant may name."""


class PromptVariant(Options):
    """A prompt that differs from the game's own in its order, its additional text, or what it tells of the match."""

    template: str = Field(
        default="",
        max_length=8000,
        description="Own text around the parts of the game's prompt, each named in braces; default: the parts alone.",
    )
    legal: Literal["shown", "hidden"] = Field(
        default="shown", description="Whether the prompt lists the legal choices."
    )
    history: int | None = Field(
        default=None,
        ge=0,
        description="How much of the past it has: in Diplomacy movement phases, in cricket overs; 0 for none.",
    )
    persona: str = Field(
        default="", max_length=600, description="A character in a sentence or two, or the name of a built-in one."
    )

    @property
    def character(self) -> str:
        """Return the text of the persona; empty without one."""
        return PERSONAS.get(self.persona, self.persona)

    @field_validator("template")
    @classmethod
    def _known_parts(cls, template: str) -> str:
        """Check the placeholders. An error quotes a name only if it looks like one."""
        listed = ", ".join(f"{{{name}}}" for name in PLACED)
        try:
            fields = [field for field in Formatter().parse(template) if field[1] is not None]
        except ValueError:
            raise ValueError(
                f"has a brace without its pair; there are {listed}, and {{{{ and }}}} are braces"
            ) from None
        names = {name for _, name, _, _ in fields}
        for _, name, form, conversion in fields:
            if name not in PLACED or form or conversion:
                quoted = f"{{{name}}}" if re.fullmatch("[a-z_]{1,20}", name or "") else "a placeholder"
                raise ValueError(f"{quoted} is no part of a prompt; there are {listed}, and {{{{ and }}}} are braces")
        if template and "position" not in names:
            raise ValueError("must contain {position}: without it the player does not know what it plays on")
        return template

    @field_validator("persona")
    @classmethod
    def _known_persona(cls, persona: str) -> str:
        if persona and " " not in persona.strip() and persona not in PERSONAS:
            raise ValueError(f"there is no persona of this name; there are {', '.join(PERSONAS)}, or write a sentence")
        return persona


class PromptedOptions(FallibleOptions):
    """Options of a language model, whoever calls it: what it is asked, and the limits of an answer."""

    model: str = Field(min_length=1)
    instructions: str = Field(default="", max_length=4000, description="Added to the system prompt: a manner of play.")
    prompt: PromptVariant | None = Field(default=None, description="A prompt that differs from the game's own.")
    memory: bool = Field(default=False, description="Keep notes between answers, in games that have them: Diplomacy.")
    intentions: bool = Field(
        default=False, description="Ask which of its promises it does not mean, in games that have them: Diplomacy."
    )
    max_tokens: int = Field(default=4096, gt=0, description="Maximum tokens of one answer, reasoning included.")
    turn_seconds: float = Field(default=180, gt=0, description="Time limit of one choice, retries and repair included.")

    @model_validator(mode="after")
    def _notes_have_a_place(self) -> Self:
        template = self.prompt.template if self.prompt else ""
        if template and (self.memory or self.intentions) and "{notes}" not in template:
            raise ValueError("prompt.template: memory and intentions need {notes} in it: it is where the notes stand")
        return self


class LLMOptions(PromptedOptions):
    """Options of a language model behind a chat endpoint."""

    dialect: DialectName = Field(default="openai-chat", description="The protocol of the endpoint.")
    base_url: str = Field(description="URL without /chat/completions or the like: https://router.huggingface.co/v1")
    temperature: float | None = Field(default=None, ge=0, le=2)
    effort: Effort | None = Field(default=None, description="Depth of a model's reasoning; default: the model's own.")
    thinking_tokens: int | None = Field(
        default=None, ge=0, description="Maximum tokens of reasoning, 0 for none, in dialects that limit them."
    )
    stall_seconds: float = Field(default=60, gt=0, description="Longest time without data from the endpoint in a call.")
    retries: int = Field(default=3, ge=0, le=10, description="Number of retries of a failed call.")
    retry_seconds: float = Field(default=0.5, gt=0, description="Longest wait before the first retry; it doubles.")
    structured: Structured = "auto"
    prompt_cache: PromptCache | None = Field(
        default=None, description="Time for which the system prompt is cached in the dialect anthropic; default: 5m."
    )
    price_in: float | None = Field(default=None, ge=0, description="US dollars for a million tokens read.")
    price_out: float | None = Field(default=None, ge=0, description="US dollars for a million tokens written.")
    price_cached: float | None = Field(
        default=None, ge=0, description="The same for tokens read from the endpoint's cache; price_in by default."
    )
    price_cache_write: float | None = Field(
        default=None,
        ge=0,
        description="The same for tokens written to it; by default 1.25 times price_in, 2 times for a cache of 1h.",
    )
    headers: dict[str, str] = Field(
        default={}, description="Sent with every request, e.g. X-HF-Bill-To; never a key, which belongs in key_env."
    )
    extra: dict[str, Any] = Field(default={}, description="Fields added to the body of every request, unchanged.")

    @field_validator("base_url")
    @classmethod
    def _plain_url(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must start with https:// or http:// and name a host")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError(
                "must not contain user, password, query or fragment; put the key in the variable that key_env names"
            )
        path = value.rstrip("/")
        for last in ("/chat/completions", "/responses", "/messages"):
            path = path.removesuffix(last)
        return path

    @model_validator(mode="after")
    def _both_prices(self) -> Self:
        if (self.price_in is None) != (self.price_out is None):
            raise ValueError("price_in and price_out go together; set both or neither")
        for name in ("price_cached", "price_cache_write"):
            if getattr(self, name) is not None and self.price_in is None:
                raise ValueError(f"{name} goes with price_in and price_out; set all of them")
        return self

    @model_validator(mode="after")
    def _of_the_dialect(self) -> Self:
        options = DialectOptions(
            dialect=self.dialect,
            effort=self.effort,
            thinking_tokens=self.thinking_tokens,
            prompt_cache=self.prompt_cache,
            structured=self.structured,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            extra=self.extra,
        )
        for complaint in complaints(options):
            raise ValueError(complaint)
        return self

    def unsupported(self, game: str, prompts: PromptForm) -> str:
        history = self.prompt.history if self.prompt else None
        if history is None or (prompts.unit and history <= prompts.longest):
            return ""
        if not prompts.unit:
            return f"its prompt.history cannot be set for {game}; leave it out"
        return f"its prompt.history is too long for {game}; set at most {prompts.longest} {prompts.unit}"

    @field_validator("headers")
    @classmethod
    def _no_keys(cls, value: dict[str, str]) -> dict[str, str]:
        for name, text in value.items():
            if not HEADER_NAME.fullmatch(name) or not (text.isascii() and text.isprintable()):
                raise ValueError("must be names and values that an HTTP header can carry")
            if SECRET_HEADER.search(name):
                raise ValueError("must not contain a key; put it in the variable that key_env names")
            if name.lower() in OUR_HEADERS:
                raise ValueError(f"must not contain {name.lower()}, which the client sets")
        return value
