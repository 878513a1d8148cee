"""Serve a policy in live matches: loaded once for all its seats, and updated from version to version.

It works in its own thread. Requests that arrive meanwhile wait, and are then sampled together. Nothing heavy is
imported before the first request, and never in the requesting thread.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import isfinite
from random import Random
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from safetensors import SafetensorError

from grandstand.games.base import Action, OptionError, SeatId
from grandstand.games.game import Game
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.games.training import Search, Searched
from grandstand.players.options import TrainedOptions
from grandstand.trainer.model.codec import Question
from grandstand.trainer.model.policy_source import PolicySource, find
from grandstand.trainer.model.sampler import Ask, Sampled, Sampler

if TYPE_CHECKING:
    from grandstand.trainer.model.policy import Policy

log = logging.getLogger(__name__)

LOADING = Lock()
"""Held by the engine that loads: transformers sets what all threads share while it makes a model."""


class Unplayable(Exception):
    """The policy's files cannot be used; the message says which and why."""


class DecisionRequest(NamedTuple):
    """A request for a choice in `game`, which nobody else changes."""

    game: Game
    seat: SeatId
    seed: int


class LiveDecision(NamedTuple):
    """A choice, with the policy's answer and its probabilities, and the proposals for a search."""

    action: Action
    """The policy's answer."""
    source: PolicySource
    ask: Ask
    sampled: Sampled
    features: Mapping[str, float]
    odds: Sequence[tuple[str, float]]
    """The chosen options in the game's shorthand, each with its probability."""
    proposed: Sequence[Sampled] | None = None
    """The proposals of the policy to a search, as they were sampled; None without a search."""
    proposals: Sequence[Action] | None = None
    """The proposals as actions."""


@dataclass(frozen=True)
class Loaded:
    """A policy in memory."""

    source: PolicySource
    policy: Policy
    sampler: Sampler


def check_search(options: TrainedOptions, spec: GameSpec) -> None:
    """Check that the game has the search that the options ask for. Raises OptionError."""
    if options.search and spec.training.search is None:
        raise OptionError(f"search: {spec.name} has no search at play time; leave it out")


def searched(game_name: str, game: Game, seat: SeatId, proposals: Sequence[Action], seed: int) -> Searched:
    """Return the choice of the game's search among a policy's proposals."""
    return search_of(game_spec(game_name)).choose(game, seat, proposals, Random(seed))


def search_of(spec: GameSpec) -> Search[Game]:
    """Return the game's search, which `check_search` has found to exist."""
    search = spec.training.search
    assert search is not None
    return search


class PolicyEngine:
    """A policy of a game, in the version that its options name when it answers."""

    def __init__(self, options: TrainedOptions, spec: GameSpec) -> None:
        self._options, self._spec = options, spec
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=f"policy {options.folder.name}")
        self._lock = Lock()
        self._waiting: list[tuple[DecisionRequest, Future[LiveDecision]]] = []
        self._loaded: Loaded | None = None
        self._refused: tuple[PolicySource, str] | None = None
        """The versions that could not be loaded, and why: they are not tried again."""

    def ask(self, request: DecisionRequest) -> Future[LiveDecision]:
        """Return the answer as a future. One that is cancelled is not computed; its error is Unplayable, or a bug."""
        answer: Future[LiveDecision] = Future()
        with self._lock:
            self._waiting.append((request, answer))
        self._worker.submit(self._work)
        return answer

    def _work(self) -> None:
        """Answer all requests that wait."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        self._settle([(request, answer) for request, answer in waiting if answer.set_running_or_notify_cancel()])

    def _settle(self, waiting: Sequence[tuple[DecisionRequest, Future[LiveDecision]]]) -> None:
        if not waiting:
            return
        try:
            answers = self._answers([request for request, _ in waiting])
        except Exception as error:
            if len(waiting) == 1:
                waiting[0][1].set_exception(error)
            else:
                for request in waiting:  # so that only the faulty request fails
                    self._settle([request])
        else:
            for (_, future), answer in zip(waiting, answers, strict=True):
                future.set_result(answer)

    def _answers(self, requests: Sequence[DecisionRequest]) -> list[LiveDecision]:
        loaded = self._follow()
        source, codec = loaded.source, loaded.policy.codec
        questions = [Question(self._spec, codec, request.game, request.seat) for request in requests]
        asks = [
            question.ask(request.seed, source.temperature)
            for question, request in zip(questions, requests, strict=True)
        ]
        decisions = [
            LiveDecision(
                question.action(sampled.chosen),
                source,
                ask,
                sampled,
                question.features(),
                question.odds(sampled.chosen, sampled.logprobs),
            )
            for question, ask, sampled in zip(questions, asks, self._sampled(loaded, asks), strict=True)
        ]
        if not self._options.search:
            return decisions
        pairs = zip(requests, decisions, strict=True)
        return [self._with_proposals(loaded, request, decision) for request, decision in pairs]

    def _sampled(self, loaded: Loaded, asks: Sequence[Ask]) -> list[Sampled]:
        """Return the policy's answers. Raises Unplayable."""
        source = loaded.source
        results = [
            replace(sampled, version=source.version) for sampled in loaded.sampler.sample(asks, 0, self._options.greedy)
        ]
        if not all(isfinite(logprob) for sampled in results for logprob in sampled.logprobs):
            raise Unplayable(f"{source}: it gives no probabilities: its weights are not numbers")
        return results

    def _with_proposals(self, loaded: Loaded, request: DecisionRequest, decision: LiveDecision) -> LiveDecision:
        """Return the decision with what the policy proposes to the game's search.

        Proposals are drawn from the turn and the seat alone, so that every version of a policy has the same draws.
        """
        game, seat, codec = request.game, request.seat, loaded.policy.codec
        question = Question(self._spec, codec, game, seat)
        asks = [
            question.ask(Random(f"{game.turn}/{seat}/{number}").getrandbits(63), loaded.source.temperature)
            for number in range(self._options.search)
        ]
        proposed = self._sampled(loaded, asks)
        return decision._replace(proposed=proposed, proposals=[question.action(each.chosen) for each in proposed])

    def _follow(self) -> Loaded:
        """Return the policy of the present files; if they are gone, as a run keeps few versions, the loaded one."""
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

    def _load(self, source: PolicySource) -> Loaded:
        import torch  # imported here, since it takes seconds

        from grandstand.trainer.model.policy import load, read_adapter, with_adapter
        from grandstand.trainer.model.torch_sampler import TorchSampler

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
