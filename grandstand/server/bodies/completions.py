"""Players as models: the part of OpenAI's chat completions that a player needs. Other fields are ignored."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class TextPart(BaseModel):
    """A part of a message; only text is read."""

    type: str
    text: str = ""


class ChatMessage(BaseModel):
    """A message of a conversation."""

    role: str
    content: str | list[TextPart] | None = None

    @property
    def text(self) -> str:
        """The text of all parts."""
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content)
        return self.content or ""


class ChatRequest(BaseModel):
    """A request for a reply: `model` is a player, and `messages` have the prompt of a seat that is asked now."""

    model: str = Field(max_length=200)
    messages: list[ChatMessage] = Field(min_length=1)
    stream: bool = False
    stream_options: dict[str, Any] | None = None
    n: Literal[1] | None = Field(default=None, description="A player has one answer.")


class ReplyMessage(BaseModel):
    """The player's answer, as JSON in the form of the prompt."""

    role: Literal["assistant"] = "assistant"
    content: str


class ReplyChoice(BaseModel):
    """The only choice of a reply."""

    index: Literal[0] = 0
    message: ReplyMessage
    finish_reason: Literal["stop"] = "stop"


class ReplyUsage(BaseModel):
    """Estimated tokens: four bytes each."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatReply(BaseModel):
    """The reply of a player."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[ReplyChoice]
    usage: ReplyUsage


class ListedModel(BaseModel):
    """A player of some game."""

    id: str
    object: Literal["model"] = "model"
    created: Literal[0] = 0
    owned_by: str


class ModelList(BaseModel):
    """The players that a caller may ask."""

    object: Literal["list"] = "list"
    data: list[ListedModel]
