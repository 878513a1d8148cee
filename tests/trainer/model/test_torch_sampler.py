"""The sampler against brute force: every answer of a small position, its probability by the model's own logits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
import torch

from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.trainer.model.policy import Policy, nano
from grandstand.trainer.model.sampler import Ask, Sampled
from grandstand.trainer.model.torch_sampler import TorchSampler
from grandstand.trainer.model.trie import TokenTrie, Walker
from tests.support.trainer.asks import asks
from tests.support.trainer.chat import chat_policy
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup, bold, by_definition, stir

CRICKET, DIPLOMACY = map(game_spec, ("cricket", "diplomacy"))
SAMPLES = 2000


class Case(NamedTuple):
    """A policy and a position with few answers, and every one of them: (completion, what was legal at each token)."""

    policy: Policy
    ask: Ask
    answers: list[tuple[list[int], list[list[int]]]]


def followed(ask: Ask, tokens: Sequence[int]) -> tuple[Sequence[int], list[list[int]], list[int]]:
    """Return the tokens that may follow `tokens`, those legal at each of them, and the options chosen so far.

    Raise ValueError if one is not legal.
    """
    allowed: list[list[int]] = [[] for _ in ask.lead]
    assert list(tokens[: len(ask.lead)]) == list(ask.lead)
    chosen: list[int] = []
    walker = Walker(ask.slots(()))
    for token in tokens[len(ask.lead) :]:
        allowed.append(list(walker.allowed) if len(walker.allowed) > 1 else [])
        if walker.take(token) and walker.done:
            chosen += walker.chosen
            walker = Walker(ask.slots(chosen))
    return walker.allowed, allowed, chosen


def every(ask: Ask, begun: tuple[int, ...]) -> Iterator[tuple[list[int], list[list[int]]]]:
    following, allowed, _ = followed(ask, begun)
    if not following:
        yield list(begun), allowed
    for token in following:
        yield from every(ask, (*begun, token))


def narrowed(ask: Ask) -> Ask:
    """The same with at most four options in each slot."""

    def slots(chosen: Sequence[int]) -> list[TokenTrie]:
        return [TokenTrie([*trie.sequences().values()][:4]) for trie in ask.slots(chosen)]

    return replace(ask, slots=slots)


@pytest.fixture(
    scope="module",
    params=[
        (CRICKET, lambda: bold(nano(CRICKET, 1))),
        (DIPLOMACY, lambda: bold(nano(DIPLOMACY, 1))),
        (CRICKET, lambda: chat_policy(CRICKET)),
        (DIPLOMACY, lambda: chat_policy(DIPLOMACY)),
    ],
    ids=["cricket-nano", "diplomacy-nano", "cricket-chat", "diplomacy-chat"],
)
def case(request: pytest.FixtureRequest) -> Case:
    torch.set_num_threads(1)
    spec, make = request.param
    policy = make()
    for ask in map(narrowed, asks(spec, policy, 3)):
        answers = list(islice(every(ask, tuple(ask.lead)), 65))
        if 16 <= len(answers) <= 64:
            return Case(policy, ask, answers)
    raise AssertionError("no position has few answers")


def by_brute_force(case: Case, temperature: float) -> list[float]:
    """The log-probability of every answer."""
    return [
        sum(by_definition(case.policy, case.ask.prompt, completion, allowed, temperature))
        for completion, allowed in case.answers
    ]


@pytest.mark.long
def test_answers_come_as_often_as_they_should(case: Case) -> None:
    logs = by_brute_force(case, 1.0)
    chance = {tuple(completion): exp(item) for (completion, _), item in zip(case.answers, logs, strict=True)}
    assert sum(chance.values()) == pytest.approx(1.0, abs=1e-5)
    asked = [replace(case.ask, seed=seed) for seed in range(SAMPLES)]
    result = TorchSampler(case.policy).sample(asked, 0)
    observed = Counter(tuple(item.completion) for item in result)
    rare = [answer for answer, p in chance.items() if SAMPLES * p < 5]
    for answers in [rare, *([answer] for answer in chance if answer not in rare)]:
        p = sum(chance[answer] for answer in answers)
        assert abs(sum(observed[answer] for answer in answers) - SAMPLES * p) <= 5 * sqrt(SAMPLES * p * (1 - p)) + 1e-9
    for item in result:
        assert sum(item.logprobs) == pytest.approx(log(chance[tuple(item.completion)]), abs=1e-4)


@pytest.mark.few(4)
@pytest.mark.parametrize("temperature", [0.3, 1.0, 2.5])
def test_each_log_probability_is_the_definitions(case: Case, temperature: float) -> None:
    asked = [replace(case.ask, seed=seed, temperature=temperature) for seed in range(20)]
    for item in TorchSampler(case.policy).sample(asked, 0):
        _, allowed, chosen = followed(case.ask, item.completion)
        assert (item.allowed, item.chosen) == (allowed, chosen)
        expected = by_definition(case.policy, case.ask.prompt, item.completion, item.allowed, temperature)
        assert item.logprobs == pytest.approx(expected, abs=1e-5)
        forced = [logprob for logprob, ids in zip(item.logprobs, item.allowed, strict=True) if not ids]
        assert all(logprob == 0.0 for logprob in forced)
        assert len(item.completion) == len(item.logprobs) == len(item.allowed)


def test_cold_answers_are_the_likely_ones(case: Case) -> None:
    asked = [replace(case.ask, seed=seed, temperature=0.001) for seed in range(20)]
    (greedy,) = TorchSampler(case.policy).sample([case.ask], 0, greedy=True)
    cold = TorchSampler(case.policy).sample(asked, 0)
    assert {tuple(item.completion) for item in cold} == {tuple(greedy.completion)}
    hot = TorchSampler(case.policy).sample([replace(ask, temperature=10.0) for ask in asked], 0)
    assert len({tuple(item.completion) for item in hot}) > 5


def test_greedy_takes_the_likeliest_token_each_time_and_says_how_open_the_choice_was(case: Case) -> None:
    first, other = TorchSampler(case.policy).sample([case.ask, replace(case.ask, seed=99)], 0, greedy=True)
    assert first == other
    expected = by_definition(case.policy, case.ask.prompt, first.completion, first.allowed, 1.0)
    assert first.logprobs == pytest.approx(expected, abs=1e-5)
    entropy = 0.0
    for place, ids in enumerate(first.allowed):
        for token in ids:
            instead = [*first.completion[:place], token]
            logprob = by_definition(case.policy, case.ask.prompt, instead, first.allowed[: place + 1], 1.0)[-1]
            assert logprob <= first.logprobs[place] + 1e-5
            entropy -= exp(logprob) * logprob
    assert first.entropy == pytest.approx(entropy, abs=1e-4)


def same(first: Sampled, other: Sampled) -> bool:
    """The same answer, but for what a float loses when it is computed beside others."""
    return (first.completion, first.allowed, first.chosen) == (other.completion, other.allowed, other.chosen) and (
        first.logprobs == pytest.approx(other.logprobs, abs=1e-5)
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec", "make"),
    [(CRICKET, lambda: bold(nano(CRICKET, 1))), (DIPLOMACY, lambda: bold(nano(DIPLOMACY, 1)))],
    ids=["cricket", "diplomacy"],
)
def test_an_answer_does_not_depend_on_what_is_sampled_beside_it(spec: GameSpec, make: Callable[[], Policy]) -> None:
    policy = make()
    asked = list(islice(asks(spec, policy, 5), 40))
    asked += [replace(asked[0], seed=1000 + number) for number in range(5)]
    whole = TorchSampler(policy).sample(asked, 0)
    assert len({tuple(item.completion) for item in whole}) > 8
    order = Random(1).sample(range(len(asked)), len(asked))
    for batch in (1, 3, 256):
        result = TorchSampler(policy, batch).sample([asked[number] for number in order], 0)
        assert all(same(item, whole[number]) for item, number in zip(result, order, strict=True))
    assert all(same(TorchSampler(policy).sample([ask], 0)[0], item) for ask, item in zip(asked, whole, strict=True))


def test_answers_without_a_choice_are_what_is_forced() -> None:
    policy = nano(DIPLOMACY, 1)
    silent = Ask([2, 3], [], lambda chosen: [], seed=1)
    led = replace(silent, lead=[4, 5], prompt=[2, 3, 4])
    choosing = next(asks(DIPLOMACY, policy, 1))
    result = TorchSampler(policy).sample([silent, led, choosing, silent], 7 * 0)
    assert [(item.completion, item.logprobs, item.allowed, item.chosen) for item in result[:2]] == [
        ([], [], [], []),
        ([4, 5], [0.0, 0.0], [[], []], []),
    ]
    assert same(result[2], TorchSampler(policy).sample([choosing], 0)[0])
    assert result[3].completion == []
    assert TorchSampler(policy).sample([], 0) == []


# --- versions ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def setup(tmp_path: Path) -> TrainingSetup:
    return TrainingSetup(tiny(), tmp_path)


def greedy_logprobs(setup: TrainingSetup, version: int) -> list[float]:
    """The log-probabilities of one greedy answer by a version: another where the version is another."""
    ask = next(asks(DIPLOMACY, setup.policy, 1))
    (answer,) = setup.sampler.sample([ask], version, greedy=True)
    assert answer.version == version
    return answer.logprobs


def test_each_version_answers_as_it_was_published(setup: TrainingSetup) -> None:
    first = greedy_logprobs(setup, 0)
    stir(setup.policy, 1)
    setup.publish(1)
    second = greedy_logprobs(setup, 1)
    assert second != first
    assert greedy_logprobs(setup, 0) == first
    stir(setup.policy, 2)
    assert greedy_logprobs(setup, 1) == second, "training goes on; what was published stays"


def test_a_version_that_is_published_again_is_taken_up_anew(setup: TrainingSetup) -> None:
    stir(setup.policy, 1)
    setup.publish(1)
    before = greedy_logprobs(setup, 1)
    stir(setup.policy, 2)
    setup.publish(1)
    assert greedy_logprobs(setup, 1) != before


def test_what_was_not_published_or_is_retired_is_named(setup: TrainingSetup) -> None:
    setup.publish(1)
    assert greedy_logprobs(setup, 1)
    setup.sampler.retire(1)
    for version in (1, 5):
        with pytest.raises(KeyError, match=rf"version {version} was not published; there are \[0\]"):
            greedy_logprobs(setup, version)
    setup.sampler.retire(5)


def test_threads_do_not_get_each_others_versions(setup: TrainingSetup) -> None:
    stir(setup.policy, 1)
    setup.publish(1)
    expected = [greedy_logprobs(setup, 0), greedy_logprobs(setup, 1)]
    with ThreadPoolExecutor(4) as pool:
        for number, result in enumerate(pool.map(lambda version: greedy_logprobs(setup, version), [0, 1] * 10)):
            assert result == expected[number % 2]
