"""Decisions to ask a sampler for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grandstand.games.spec import GameSpec
from grandstand.trainer.model.codec import Question
from grandstand.trainer.model.policy import Policy
from grandstand.trainer.model.sampler import Ask
from tests.support.trainer.chat import moments


def asks(spec: GameSpec, policy: Policy, seed: int, temperature: float = 1.0) -> Iterator[Ask]:
    """The choices of a random match; prompts of language models cut to their ends, which is quicker."""
    for number, (match, seat, _) in enumerate(moments(spec, seed)):
        ask = Question(spec, policy.codec, match.game.clone(), seat).ask(number, temperature)
        yield replace(ask, prompt=ask.prompt[-60:])
