"""The protocols of chat endpoints: their requests, answers and errors. No I/O."""

from __future__ import annotations

from collections.abc import Mapping

from grandstand.players.llm.dialects.anthropic import Anthropic
from grandstand.players.llm.dialects.base import Dialect
from grandstand.players.llm.dialects.gemini import Gemini
from grandstand.players.llm.dialects.openai_chat import OpenAIChat
from grandstand.players.llm.dialects.openai_responses import OpenAIResponses
from grandstand.players.llm.features import DialectName

DIALECTS: Mapping[DialectName, Dialect] = {
    "openai-chat": OpenAIChat(),
    "openai-responses": OpenAIResponses(),
    "anthropic": Anthropic(),
    "gemini": Gemini(),
}
