"""The interface of samplers, which draw answers to prompts from the legal tokens, with log-probabilities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grandstand.trainer.model.trie import TokenTrie


@dataclass(frozen=True)
class Ask:
    """One answer that is wanted.

    `lead` are the forced tokens after the prompt. `slots(chosen)` gives the tries that come next, after the options
    (their numbers, slot by slot) chosen so far; none where the answer is whole. `seed` is what its draws come from,
    whatever else is sampled beside it.
    """

    prompt: Sequence[int]
    lead: Sequence[int]
    slots: Callable[[Sequence[int]], Sequence[TokenTrie]]
    seed: int
    temperature: float = 1.0


@dataclass(frozen=True)
class Sampled:
    """An answer. The lists are of one length; see `models.TurnRecorded` for what they hold.

    >>> Sampled(completion=[7, 12, 3], logprobs=[0.0, -0.69, 0.0], allowed=[[], [12, 15], []], chosen=[1], version=4)
    """

    completion: list[int]
    logprobs: list[float]
    allowed: list[list[int]]
    chosen: list[int]
    """Option taken in each slot."""
    version: int
    entropy: float | None = None
    """Of its choices, summed, in nats; None where the engine does not tell."""


class SamplerError(Exception):
    """The sampling engine failed or is unavailable. Never a fault of the game or of the policy."""


class Sampler(Protocol):
    """Answers for one policy in any of its versions."""

    def publish(self, version: int, folder: Path) -> None:
        """Take up a version: the adapter (or the whole policy) saved in `folder`, which does not change any more."""

    def retire(self, version: int) -> None:
        """Forget a version. What is being sampled with it is finished first."""

    def sample(self, asks: Sequence[Ask], version: int, greedy: bool = False) -> list[Sampled]:
        """One answer for each, in order. May be called by several threads. Raises SamplerError."""

    def close(self) -> None: ...
