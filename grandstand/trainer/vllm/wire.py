"""Encode the legal tokens of one request as the text that vLLM passes from a sampler to its engine.

No tensors, no HTTP: both sides read it, the engine's process from a copy of this file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from grandstand.trainer.model.trie import TokenTrie, Walker

FIELD = "grandstand"
"""Key of the text in a request's `vllm_xargs`. They hold no nested lists, so it is JSON in a string."""
KNOWN = 256
"""Texts whose tries are kept: siblings of one state all send the same."""


class WireError(ValueError):
    """A text that `encode` did not write; the message begins with `FIELD` and names the part at fault."""


@dataclass(frozen=True)
class LegalSlots:
    """The tries of a request's slots, the token that ends it, and what its logits are divided by after the mask.

    `divide` is for greedy answers: vLLM takes temperature 0 to be 1 where it computes log-probabilities.
    """

    tries: tuple[TokenTrie, ...]
    stop: int
    divide: float = 1.0


def encode(slots: Sequence[Sequence[Sequence[int]]], stop: int, divide: float = 1.0) -> str:
    """`slots[i][k]` are the tokens of an option of slot i. `stop` occurs in none of them.

    >>> encode([[[5, 6], [7]], [[5], [8]]], stop=0)
    '{"slots":[[[5,6],[7]],[[5],[8]]],"stop":0,"divide":1.0}'
    """
    return json.dumps({"slots": slots, "stop": stop, "divide": divide}, separators=(",", ":"))


@lru_cache(KNOWN)
def decode(text: str) -> LegalSlots:
    """Read `encode`'s text. Raises WireError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WireError(f"{FIELD}: not JSON: {error}") from None
    if not isinstance(data, dict) or data.keys() != {"slots", "stop", "divide"}:
        raise WireError(f'{FIELD}: must be an object with "slots", "stop" and "divide"')
    slots, stop, divide = data["slots"], data["stop"], data["divide"]
    if not _is_id(stop):
        raise WireError(f"{FIELD}.stop: must be a token id")
    if not isinstance(divide, int | float) or isinstance(divide, bool) or not 0 < divide < float("inf"):
        raise WireError(f"{FIELD}.divide: must be a number above 0")
    if not isinstance(slots, list) or not slots:
        raise WireError(f"{FIELD}.slots: must be a list with at least one slot")
    return LegalSlots(tuple(_trie(number, slot, stop) for number, slot in enumerate(slots)), stop, float(divide))


def _trie(number: int, slot: Any, stop: int) -> TokenTrie:
    where = f"{FIELD}.slots[{number}]"
    if not isinstance(slot, list) or not slot:
        raise WireError(f"{where}: must be a list with at least one option")
    for option, tokens in enumerate(slot):
        if not isinstance(tokens, list) or not tokens or not all(map(_is_id, tokens)):
            raise WireError(f"{where}[{option}]: must be a list with at least one token id")
        if stop in tokens:
            raise WireError(f"{where}[{option}]: holds {stop}, the token that ends the request")
    try:
        return TokenTrie(slot)
    except ValueError as error:
        raise WireError(f"{where}: {error}") from None


def _is_id(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


class Constraint:
    """The position of one request in its tries. `read` is the number of output tokens processed."""

    __slots__ = ("_walker", "legal", "read")

    def __init__(self, legal: LegalSlots) -> None:
        self.legal = legal
        self.read = 0
        self._walker: Walker | None = Walker(legal.tries)

    def take(self, token: int) -> None:
        """Process the next token of the output.

        An illegal token ends the request: it was drawn from logits that are not finite, and an exception here
        would end the engine and with it every other request. The sampler names it.
        """
        self.read += 1
        if self._walker is None or self._walker.done:
            return
        try:
            self._walker.take(token)
        except ValueError:
            self._walker = None

    @property
    def allowed(self) -> tuple[int, ...]:
        """Return the ids that may come next; the stop token alone after the last trie."""
        return (self._walker.allowed if self._walker else ()) or (self.legal.stop,)
