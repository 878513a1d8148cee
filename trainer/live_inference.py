"""A policy at work in live matches: loaded once, asked by all its seats, taken over from version to version.

It works in a thread of its own. What is asked while it works waits, and is then sampled together. Nothing heavy is
imported before the first question, and none of it in the thread that asks.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import isfinite
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from safetensors import SafetensorError

from grandstand.games.base import Action, Game, OptionError, SeatId
from grandstand.games.spec import GameSpec
from grandstand.players.options import TrainedOptions
from grandstand.trainer.codec import Question
from grandstand.trainer.policy_source import Source, find
from grandstand.trainer.sampler import Ask, Sampled, Sampler

if TYPE_CHECKING:
    from grandstand.trainer.policy import Policy

log = logging.getLogger(__name__)

LOADING = Lock()
"""Held by the engine that loads: transformers sets what all threads share while it makes a model."""


class Unplayable(Exception):
    """The policy's files do not make a policy that can play; the message says which and why."""


class Asked(NamedTuple):
    """A choice that is wanted: in `game`, which nobody else changes."""

    game: Game
    seat: SeatId
    seed: int


class Answer(NamedTuple):
    """A choice, and all that is known of how it came about."""

    action: Action
    source: Source
    ask: Ask
    sampled: Sampled
    features: Mapping[str, float]
    odds: Sequence[tuple[str, float]]
    """What was chosen, in the game's shorthand, each with the probability that it had."""


@dataclass(frozen=True)
class Loaded:
    """A policy in memory."""

    source: Source
    policy: Policy
    sampler: Sampler


class Engine:
    """One policy of one game, in whatever version its options name at the moment of an answer."""

    def __init__(self, options: TrainedOptions, spec: GameSpec) -> None:
        self._options, self._spec = options, spec
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=f"policy {options.folder.name}")
        self._lock = Lock()
        self._waiting: list[tuple[Asked, Future[Answer]]] = []
        self._loaded: Loaded | None = None
        self._refused: tuple[Source, str] | None = None
        """What could not be loaded, and why: it is not tried again and again."""

    def ask(self, asked: Asked) -> Future[Answer]:
        """The answer to come; cancelled, it is not worked on. Its error is Unplayable, or a bug."""
        answer: Future[Answer] = Future()
        with self._lock:
            self._waiting.append((asked, answer))
        self._worker.submit(self._work)
        return answer

    def _work(self) -> None:
        """Answer all that wait."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        self._settle([(asked, answer) for asked, answer in waiting if answer.set_running_or_notify_cancel()])

    def _settle(self, waiting: Sequence[tuple[Asked, Future[Answer]]]) -> None:
        if not waiting:
            return
        try:
            answers = self._answers([asked for asked, _ in waiting])
        except Exception as error:
            if len(waiting) == 1:
                waiting[0][1].set_exception(error)
            else:
                for one in waiting:  # so that a fault is told to whoever has it
                    self._settle([one])
        else:
            for (_, future), answer in zip(waiting, answers, strict=True):
                future.set_result(answer)

    def _answers(self, asked: Sequence[Asked]) -> list[Answer]:
        loaded = self._follow()
        source, codec = loaded.source, loaded.policy.codec
        questions = [Question(self._spec, codec, one.game, one.seat) for one in asked]
        asks = [question.ask(one.seed, source.temperature) for question, one in zip(questions, asked, strict=True)]
        found = [
            replace(sampled, version=source.version) for sampled in loaded.sampler.sample(asks, 0, self._options.greedy)
        ]
        if not all(isfinite(logprob) for sampled in found for logprob in sampled.logprobs):
            raise Unplayable(f"{source}: it gives no probabilities: its weights are not numbers")
        return [
            Answer(
                question.action(sampled.chosen),
                source,
                ask,
                sampled,
                question.features(),
                question.odds(sampled.chosen, sampled.logprobs),
            )
            for question, ask, sampled in zip(questions, asks, found, strict=True)
        ]

    def _follow(self) -> Loaded:
        """The policy as its files are now; as it is loaded where they cannot be had, for a run keeps few versions."""
        try:
            source = find(self._options, self._spec)
        except OptionError as error:
            if self._loaded is None:
                raise Unplayable(str(error)) from None
            return self._loaded
        if self._loaded is not None and source == self._loaded.source:
            return self._loaded
        if self._refused is None or source != self._refused[0]:
            try:
                with LOADING:
                    self._loaded, self._refused = self._load(source), None
            except (ValueError, OSError, SafetensorError, RuntimeError) as error:
                log.warning("policy %s cannot be loaded: %s", source, error)
                self._refused = source, str(error)
        if self._loaded is None:
            assert self._refused is not None
            raise Unplayable(self._refused[1])
        return self._loaded

    def _load(self, source: Source) -> Loaded:
        import torch  # here, for it takes seconds

        from grandstand.trainer.policy import load, read_adapter, with_adapter
        from grandstand.trainer.torch_sampler import TorchSampler

        torch.set_num_threads(self._options.threads)
        if self._loaded is not None and self._loaded.source.model == source.model:
            policy = self._loaded.policy
        else:
            policy = load(source.settings, self._spec, source.base)
            if source.adapter is not None:
                policy = with_adapter(policy, source.settings, seed=0)
        if source.adapter is not None:
            policy.load_adapter(read_adapter(source.adapter))
        return Loaded(source, policy, TorchSampler(policy))
