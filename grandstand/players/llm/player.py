"""A language model in a seat: prompted by the game, parsed tolerantly, with one attempt to repair its answer.

It has no state between turns, so it can take over a seat, hand it back, or continue after a restart: notes that it
keeps for itself are part of the match.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Literal

from grandstand.events import Attempt, Boundary, PlayerReport, Source
from grandstand.games.base import Action, IllegalAction, SeatId
from grandstand.games.match import Match
from grandstand.games.reply_form import ReplyForm
from grandstand.games.spec import Bot
from grandstand.players.base import AnswerProgress, Choice, Player, PressReply, ignore_progress
from grandstand.players.errors import PlayerError
from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import ChatError, Endpoint, UsageCounter
from grandstand.players.llm.completion import Completion
from grandstand.players.llm.prompt import (
    GAMES_OWN,
    ChatMessage,
    first_messages,
    parse_answer,
    prompt_hash,
    repair_messages,
    reply_form,
    with_variants,
)
from grandstand.players.llm.replies import ReplyError, split_thought
from grandstand.players.options import LLMOptions
from grandstand.players.seating import SeatRequest

KEPT_REPLY = 4000
KEPT_THOUGHT = 12_000
"""Maximum characters recorded of each reply, and of the reasoning of one answer."""

PROGRESS_SECONDS = 2.0
"""Seconds between two reports of the progress of one answer."""

IN_PLAIN_WORDS: dict[Boundary, str] = {
    "provider": "the model's endpoint failed",
    "timeout": "the model gave no answer in time",
    "budget": "the budget of the match or of the seat is spent",
    "player": "the model gave no usable answer",
    "rules": "the model's answers were against the rules",
}
"""Public messages of faults. Details, which may quote an endpoint, are in the report alone."""

Stage = Literal["choosing", "repairing", "negotiating"]


class _Unusable(Exception):
    """A reply that cannot be used."""

    def __init__(self, boundary: Boundary, reply: str, fault: str) -> None:
        super().__init__(fault)
        self.boundary: Boundary = boundary
        self.reply = reply
        self.fault = fault


class LLMPlayer(Player):
    """A seat's model, with its budget."""

    kind = "llm"
    resumable = True
    calls_provider = True
    talks = True

    def __init__(self, name: str, endpoint: Endpoint, budget: Budget, fallback: Bot, prompt: str = "") -> None:
        self.name = name
        self.prompt = prompt
        self.fallback = fallback
        self.watch: Callable[[AnswerProgress], None] = ignore_progress
        self._endpoint = endpoint
        self._budget = budget
        self._ahead: list[Action] = []
        """The remaining actions of an answer of several actions, for `_turn`."""
        self._turn = ""
        self._source: Source = "policy"

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        if self._ahead and self._turn == match.game.turn:
            action, self._ahead = self._ahead[0], self._ahead[1:]
            if _legal(match, seat, action):
                return Choice(action, self._source)
        answer = _Exchange(self._endpoint, self._budget, self.watch, "choosing", self.prompt)
        actions = await answer.get(self._form(reply_form(match.spec), match), match, seat)
        self._turn, self._source, self._ahead = match.game.turn, answer.source, list(actions[1:])
        return Choice(actions[0], answer.source, answer.report())

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        assert match.spec.talk.press is not None
        answer = _Exchange(self._endpoint, self._budget, self.watch, "negotiating", self.prompt)
        note = f"This is round {round} of {rounds}: what is said in a round is delivered when all have spoken."
        messages = await answer.get(self._form(match.spec.talk.press.form, match), match, seat, note)
        return PressReply(messages, answer.source, answer.report())

    def _form(self, form: ReplyForm, match: Match) -> ReplyForm:
        options = self._endpoint.options
        return with_variants(form, match.spec, options.memory, options.intentions)


class _Exchange:
    """The exchange that produces one answer: calls, one repair, and the report of both."""

    def __init__(
        self, endpoint: Endpoint, budget: Budget, watch: Callable[[AnswerProgress], None], stage: Stage, prompt: str
    ) -> None:
        self.source: Literal["policy", "repair"] = "policy"
        self._endpoint = endpoint
        self._budget = budget
        self._watch = watch
        self._stage: Stage = stage
        self._prompt = prompt
        self._counter = UsageCounter()
        self._attempts: list[Attempt] = []
        self._thoughts: list[str] = []
        self._reported_at = 0.0

    def report(self) -> PlayerReport:
        """Return the usage, the replies and the reasoning so far."""
        thought = "\n\n".join(self._thoughts)[:KEPT_THOUGHT]
        options = self._endpoint.options
        return PlayerReport(
            usage=self._counter.usage(),
            attempts=self._attempts,
            thought=thought,
            memory=options.memory,
            intentions=options.intentions,
            prompt=self._prompt,
            model=options.model,
        )

    async def get(self, form: ReplyForm, match: Match, seat: SeatId, note: str = "") -> Sequence[Action]:
        """Return the legal actions of an answer, after one repair if necessary. Raises PlayerError with the report."""
        options = self._endpoint.options
        variant = options.prompt or GAMES_OWN
        messages = first_messages(form, match.game, seat, options.instructions, note, variant)
        boundary: Boundary
        public = ""
        try:
            async with asyncio.timeout(options.turn_seconds):
                try:
                    return await self._try(form, match, seat, messages)
                except _Unusable as refused:
                    self.source, self._stage = "repair", "repairing"
                    messages += repair_messages(refused.reply, refused.fault)
                return await self._try(form, match, seat, messages)
        except _Unusable as error:
            boundary = error.boundary
        except ChatError as error:
            boundary, public = error.boundary, error.public
            self._attempts.append(Attempt(reply="", boundary=boundary, fault=error.message))
        except TimeoutError:
            boundary = "timeout"
            late = f"no answer within the {options.turn_seconds:g} s of a turn"
            self._attempts.append(Attempt(reply="", boundary=boundary, fault=late))
        raise PlayerError(boundary, public or IN_PLAIN_WORDS[boundary], self.report())

    async def _try(
        self, form: ReplyForm, match: Match, seat: SeatId, messages: Sequence[ChatMessage]
    ) -> Sequence[Action]:
        """Return the actions of one reply. Raises ChatError if there is no reply, _Unusable if it cannot be used."""
        self._reported_at = 0.0
        self._progress(0)
        deadline = self._counter.began + self._endpoint.options.turn_seconds
        schema = form.schema(match.game, seat)
        completion = await self._endpoint.ask(messages, schema, self._budget, self._counter, deadline, self._progress)
        try:
            actions = self._read(completion, form, match, seat)
        except _Unusable as error:
            attempt = Attempt(reply=error.reply[:KEPT_REPLY], boundary=error.boundary, fault=error.fault)
            self._attempts.append(attempt)
            raise
        self._attempts.append(Attempt(reply=completion.text[:KEPT_REPLY]))
        return actions

    def _read(self, completion: Completion, form: ReplyForm, match: Match, seat: SeatId) -> Sequence[Action]:
        text = completion.text or completion.refusal
        thought, _ = split_thought(text)
        self._thoughts += filter(None, (completion.reasoning, thought))
        try:
            answer = parse_answer(form, match.game, seat, text, self._endpoint.scrub)
        except ReplyError as error:
            raise _Unusable("player", text, _why(completion, error, self._endpoint.options.max_tokens)) from None
        if isinstance(answer.get("reasoning"), str):
            self._thoughts.append(answer["reasoning"])
        try:
            return form.read(match.game, seat, answer)
        except IllegalAction as error:
            raise _Unusable("rules", text, str(error)) from None

    def _progress(self, tokens: int | None) -> None:
        """Report progress at intervals, and immediately when the call begins to wait."""
        now = time.monotonic()
        if tokens is None or now - self._reported_at >= PROGRESS_SECONDS:
            self._reported_at = now
            stage = "waiting" if tokens is None else self._stage
            written = self._counter.tokens_out + (tokens or 0)
            self._watch(AnswerProgress(stage, round(self._counter.seconds, 1), written, self._counter.retries))


def _why(completion: Completion, error: ReplyError, limit: int) -> str:
    """Return why a reply could not be parsed, worded so that the model can repair it."""
    if completion.cut:
        return f"the reply was cut off at {limit} tokens; answer more briefly"
    if completion.refusal:
        return f"the model declined: {completion.refusal[:200]}"
    return str(error)


def _legal(match: Match, seat: SeatId, action: Action) -> bool:
    try:
        match.game.clone().apply(seat, action)
    except IllegalAction:
        return False
    return True


def create_player(request: SeatRequest) -> Player:
    """Return a language model for a seat. All seats of a roster entry share its endpoint."""
    options: LLMOptions = request.options
    endpoint = request.share("endpoint", lambda: Endpoint(options, request.key))
    prompt = prompt_hash(request.spec, options)
    return LLMPlayer(request.name, endpoint, request.budget, request.fallback, prompt)
