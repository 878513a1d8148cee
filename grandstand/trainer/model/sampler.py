"""The interface of samplers, which draw answers to prompts from the legal tokens, with log-probabilities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grandstand.trainer.model.trie import TokenTrie


@dataclass(frozen=True)
class Ask:
    """A request for one answer.

    `lead` are the forced tokens after the prompt. `slots(chosen)` gives the tries that come next, after the options
    (their numbers, slot by slot) chosen so far; none if the answer is complete. Its draws depend on `seed`, whatever
    else is sampled at the same time.
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
    """The sum over its choices, in nats; None if the engine does not report it."""


class SamplerError(Exception):
    """The sampling engine failed or is unavailable. Neither the game nor the policy is at fault."""


class BackendError(Exception):
    """The machines of a run cannot be used; the message names the remedy. No player and no sampler is at fault."""


class Sampler(Protocol):
    """Answers for one policy in any of its versions."""

    def publish(self, version: int, folder: Path) -> None:
        """Load a version: the adapter, or the whole policy, in `folder`, whose files must not change afterwards."""

    def retire(self, version: int) -> None:
        """Forget a version, after the answers that are being sampled with it."""

    def sample(self, asks: Sequence[Ask], version: int, greedy: bool = False) -> list[Sampled]:
        """Return one answer for each request, in order. Several threads may call it. Raises SamplerError."""

    def close(self) -> None: ...
