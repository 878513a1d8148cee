"""A language model that another program calls, such as an evaluation harness or a trainer."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from grandstand.games.spec import GameSpec
from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import OnTokens, UsageCounter
from grandstand.players.llm.completion import Completion, tokens
from grandstand.players.llm.player import LLMPlayer
from grandstand.players.llm.prompt import ChatMessage, prompt_hash
from grandstand.players.llm.replies import clean
from grandstand.players.options import PromptedOptions
from grandstand.players.usage import UsageSums

Reply = Callable[[Sequence[ChatMessage], Mapping[str, Any]], Awaitable[Completion]]
"""(the conversation that asks for one answer, the answer's JSON schema) -> the model's reply.

It raises ChatError if there is no reply; any other exception ends the match.
"""

PATIENCE: Final = 86_400.0
"""Seconds of a turn: the other program has limits of its own."""


class OutsideModel:
    """A model behind a function. The tokens of its calls are estimates, because the other program counts them."""

    def __init__(self, model: str, reply: Reply) -> None:
        self.options = PromptedOptions(model=model, turn_seconds=PATIENCE)
        self._reply = reply

    async def ask(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any],
        budget: Budget,
        counter: UsageCounter,
        deadline: float,
        on_tokens: OnTokens,
    ) -> Completion:
        """Return the model's answer to `messages`."""
        reply = await self._reply(messages, schema)
        counter.add_sums(UsageSums(1, tokens(json.dumps(list(messages), ensure_ascii=False)), tokens(reply.text)))
        counter.estimated = True
        return replace(reply, text=clean(reply.text), reasoning=clean(reply.reasoning))

    def scrub(self, text: str) -> str:
        """Return `text` as valid Unicode."""
        return clean(text)


def outside_player(spec: GameSpec, model: str, reply: Reply) -> LLMPlayer:
    """Return a player whose decisions are the replies of a model that another program calls.

    It is asked, read, repaired once and replaced by the game's strongest built-in player after a fault, like any other
    language model.
    """
    outside = OutsideModel(model, reply)
    fallback = spec.bots.players[spec.bots.default]
    return LLMPlayer(model, outside, Budget("this seat's"), fallback, prompt_hash(spec, outside.options))
