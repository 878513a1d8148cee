"""The base of dialects: requests, the events of an answer, and the optional fields that an endpoint may refuse."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from grandstand.players.llm.completion import PendingCall
from grandstand.players.llm.prompt import ChatMessage
from grandstand.players.options import LLMOptions

Json = dict[str, Any]
Form = Literal["json_schema", "json_object", "tool", ""]
"""The mechanism that constrains an answer to its schema; empty for none."""

TOOL = "answer"
TOOL_PURPOSE = "Give the answer. Call this exactly once."
"""Name and description of the tool whose arguments are the answer."""

NO_STRUCTURE = re.compile("format|schema|grammar|guided|structured|json", re.IGNORECASE)
"""Matches the error message of an endpoint that does not support structured output."""


@dataclass(frozen=True, slots=True)
class Query:
    """A prompt, the schema of its answer, and the names of the fields that the endpoint has refused so far."""

    options: LLMOptions
    messages: Sequence[ChatMessage]
    schema: Mapping[str, Any]
    refused: frozenset[str] = frozenset()

    def takes(self, name: str) -> bool:
        """Return whether the field may be sent: the endpoint has not refused it."""
        return name not in self.refused

    @property
    def system(self) -> str:
        """Return the system prompt."""
        return "\n\n".join(message["content"] for message in self.messages if message["role"] == "system")

    @property
    def dialogue(self) -> list[ChatMessage]:
        """Return the messages after the system prompt."""
        return [message for message in self.messages if message["role"] != "system"]


class Dialect(ABC):
    """A protocol of chat endpoints. It has no state: that of an answer is in its `PendingCall`."""

    key_header: ClassVar[str] = "authorization"
    key_prefix: ClassVar[str] = "Bearer "
    headers: ClassVar[Mapping[str, str]] = {}
    """Headers of every request; the roster may replace them."""
    forms: ClassVar[tuple[Form, ...]] = ("json_schema", "json_object")
    """The forms that `structured = "auto"` tries, the best first."""

    @abstractmethod
    def url(self, options: LLMOptions) -> str:
        """Return the URL of a streamed request."""

    @abstractmethod
    def body(self, query: Query) -> Json:
        """Return the body of a request."""

    @abstractmethod
    def take(self, data: str, call: PendingCall) -> None:
        """Add the data of an event of a stream to `call`. Raises CallFailed."""

    @abstractmethod
    def take_whole(self, data: str, call: PendingCall) -> None:
        """Add an answer that is not streamed to `call`. Raises CallFailed."""

    @abstractmethod
    def refused(self, query: Query, message: str) -> str:
        """Return the field of the request that the endpoint's error rejects, if it is optional; else an empty text."""

    def form(self, query: Query) -> Form:
        """Return the best form that the options allow and the endpoint has not refused."""
        option = query.options.structured
        if option == "off":
            return ""
        forms = self.forms if option == "auto" else (option, *(form for form in self.forms if form == "json_object"))
        for form in forms:
            if query.takes(form) and (query.schema or form == "json_object"):
                return form
        return ""

    def refused_form(self, query: Query, message: str) -> str:
        """Return the form of the request if the endpoint's error rejects it and another one may be tried."""
        form = self.form(query)
        rejected = NO_STRUCTURE.search(message) or (form == "tool" and "tool" in message)
        return form if query.options.structured == "auto" and rejected else ""


def merged(extra: Mapping[str, Any], ours: Mapping[str, Any]) -> Json:
    """Merge two JSON objects: objects under the same key are merged, any other value is taken from `ours`."""
    result = {**extra, **ours}
    for name, value in ours.items():
        if isinstance(value, dict) and isinstance(extra.get(name), dict):
            result[name] = merged(extra[name], value)
    return result
