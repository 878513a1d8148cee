"""A trained policy in a seat of a live match: asked as in training, with its decisions recorded for training.

It keeps nothing between choices, and its draws are keyed by the match, so it can go on after a restart.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from math import exp
from typing import TypeVar

from grandstand.events import Attempt, Boundary, PlayerReport, TurnRecorded, Usage
from grandstand.games.base import Action, SeatId
from grandstand.games.match import Match
from grandstand.games.spec import Bot
from grandstand.games.training import Searched
from grandstand.players.base import AnswerProgress, Choice, Player, ignore_progress
from grandstand.players.errors import PlayerError
from grandstand.players.llm.budget import Budget, BudgetSpent
from grandstand.players.options import TrainedOptions
from grandstand.players.seating import SeatRequest
from grandstand.players.workers import computed, key_of
from grandstand.trainer.model.policy_source import check, find
from grandstand.trainer.rollout.live_inference import (
    DecisionRequest,
    LiveDecision,
    PolicyEngine,
    Unplayable,
    check_search,
    search_of,
    searched,
)

log = logging.getLogger(__name__)

Result = TypeVar("Result")

WATCHED_SECONDS = 2.0
"""Seconds between two reports on the progress of an answer; most answers come sooner."""


class TrainedPlayer(Player):
    """One seat's policy."""

    kind = "trained"
    resumable = True

    def __init__(self, name: str, engine: PolicyEngine, budget: Budget, fallback: Bot, *, record: bool) -> None:
        """`record` says whether its choices are recorded with their probabilities, to be learned from."""
        self.name = name
        self.fallback = fallback
        self.watch: Callable[[AnswerProgress], None] = ignore_progress
        self._engine = engine
        self._budget = budget
        self._record = record

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        began, index = time.monotonic(), match.index
        try:
            self._budget.hold(1, 0.0)
        except BudgetSpent as spent:
            raise _failed("budget", "the budget of the match or of the seat is spent", str(spent)) from None
        tokens = 0
        try:
            request = DecisionRequest(match.game.clone(), seat, match.rng(seat).getrandbits(63))
            answer = await self._watched(asyncio.wrap_future(self._engine.ask(request)), began)
            tokens = sum(_tokens(answer))
            chosen = Searched(answer.action)
            if answer.proposals is not None:
                chosen = await self._watched(asyncio.ensure_future(_searched(match, request, answer.proposals)), began)
        except PlayerError:
            raise
        except Unplayable as error:
            raise _failed("player", "the policy cannot play", str(error), began) from None
        except Exception as error:
            log.exception("%s in seat %s broke", self.name, seat)
            raise _failed("ours", "a bug of ours", f"{type(error).__name__}: {error}", began) from error
        finally:
            self._budget.settle((1, 0.0), (tokens, 0.0))
        turn = recorded(answer, seat, index) if self._record else None
        return Choice(chosen.action, "policy", _report(answer, chosen.thought, time.monotonic() - began), turn)

    async def _watched(self, answer: asyncio.Future[Result], began: float) -> Result:
        """Return the answer; report its progress while it takes long."""
        try:
            while not answer.done():
                await asyncio.wait((answer,), timeout=WATCHED_SECONDS)
                if not answer.done():
                    self.watch(AnswerProgress("choosing", round(time.monotonic() - began, 1)))
            return answer.result()
        finally:
            answer.cancel()


async def _searched(match: Match, request: DecisionRequest, proposals: Sequence[Action]) -> Searched:
    """Return the answer of the game's search, computed in another process where that takes long."""
    asked = match.spec.name, request.game, request.seat, proposals, request.seed
    return await computed(key_of(match), searched, *asked) if search_of(match.spec).slow else searched(*asked)


def recorded(answer: LiveDecision, seat: SeatId, index: int) -> TurnRecorded:
    """Return the record of a decision of turn `index`, for training."""
    ask, sampled = answer.ask, answer.sampled
    return TurnRecorded(
        seat=seat,
        index=index,
        policy=answer.source.name,
        version=sampled.version,
        temperature=ask.temperature,
        prompt=list(ask.prompt),
        completion=sampled.completion,
        logprobs=sampled.logprobs,
        allowed=sampled.allowed,
        features=dict(answer.features),
    )


def _tokens(answer: LiveDecision) -> tuple[int, int]:
    """Return (tokens read, tokens written), those of the proposals of a search included."""
    completions = [answer.sampled.completion, *(sampled.completion for sampled in answer.proposed or ())]
    return len(answer.ask.prompt), sum(map(len, completions))


def _report(answer: LiveDecision, grounds: str, seconds: float) -> PlayerReport:
    """Return the cost of a decision, and for analysts the probabilities of the answer and of each option.

    With a search, its grounds come first, and the probabilities are those of the policy's own answer.
    """
    sampled, (tokens_in, tokens_out) = answer.sampled, _tokens(answer)
    usage = Usage(seconds=round(seconds, 3), calls=1, tokens_in=tokens_in, tokens_out=tokens_out)
    thought = f"{answer.source}: probability {exp(sum(sampled.logprobs)):.2g}"
    if sampled.entropy is not None:
        thought += f", entropy {sampled.entropy:.2f} nats"
    if answer.proposed is not None:
        thought = f"{grounds} Search over {len(answer.proposed)} proposals, instead of the answer of {thought}".lstrip()
    odds = ", ".join(f"{word} {chance:.2f}" for word, chance in answer.odds)
    return PlayerReport(usage=usage, thought=f"{thought}. {odds}" if odds else thought)


def _failed(boundary: Boundary, message: str, fault: str, began: float | None = None) -> PlayerError:
    """`message` is for everybody, `fault` for analysts."""
    usage = Usage(seconds=round(time.monotonic() - began, 3)) if began else Usage()
    return PlayerError(
        boundary, message, PlayerReport(usage=usage, attempts=[Attempt(reply="", boundary=boundary, fault=fault)])
    )


def create_player(request: SeatRequest) -> Player:
    """Return the player of a policy. All seats of a roster entry share the policy that is loaded.

    Raises OptionError if the folder has no policy that can play the game, or if the game lacks the search that the
    options name.
    """
    options: TrainedOptions = request.options
    check(find(options, request.spec), request.spec)
    check_search(options, request.spec)
    engine = request.share(f"engine of {request.spec.name}", lambda: PolicyEngine(options, request.spec))
    record = not options.greedy and not options.search
    return TrainedPlayer(request.name, engine, request.budget, request.fallback, record=record)
