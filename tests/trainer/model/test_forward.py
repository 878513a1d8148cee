"""Packed rows with shared prompts against one answer at a time, on what was really sampled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask

from grandstand.games.registry import game_spec
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.model.batch import MicroBatch, TrainingSample, pack
from grandstand.trainer.model.forward import PADDING, Choices, blocks, choices, inputs, sees
from grandstand.trainer.model.policy import Policy, load, nano, with_adapter
from tests.support.trainer.chat import chat_policy
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup, by_definition, cricket, stir

CASES: dict[str, tuple[TrainConfig, Callable[[], Policy] | None]] = {
    "diplomacy-nano": (tiny(rollout={"temperature": 0.7}), None),
    "cricket-nano": (cricket(rollout={"temperature": 1.3}), None),
    "cricket-chat": (
        cricket(rollout={"horizon": 0.3, "groups": 2, "warmup": 3, "opponents": {"neutral": 1}}),
        lambda: chat_policy(game_spec("cricket")),
    ),
}


class Played:
    """A policy, and the samples of a step that a version of it other than its base has played."""

    def __init__(self, config: TrainConfig, base: Callable[[], Policy] | None, folder: Path) -> None:
        setup = TrainingSetup(config, folder, base)
        stir(setup.policy, 5)
        setup.publish(1)
        self.policy = setup.policy
        self.samples = [sample for sample in setup.batch(step=2, version=1).samples if sample.choices]


@pytest.fixture(
    scope="module",
    params=[case if case == "cricket-nano" else pytest.param(case, marks=pytest.mark.long) for case in CASES],
)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    torch.set_num_threads(1)
    return Played(*CASES[request.param], tmp_path_factory.mktemp("run"))


@torch.no_grad()
def computed(
    policy: Policy, batches: Sequence[MicroBatch], *, one_row: bool = False, flex: bool = False
) -> list[float]:
    """The log-probability of every choice, micro-batch by micro-batch."""
    return [
        value
        for batch in batches
        for value in choices(policy, inputs(batch, policy, one_row=one_row), flex=flex).chosen.tolist()
    ]


def one_by_one(policy: Policy, samples: Sequence[TrainingSample]) -> list[float]:
    return [
        logprob
        for sample in samples
        for logprob, ids in zip(
            by_definition(policy, sample.prompt, sample.completion, sample.allowed, sample.temperature),
            sample.allowed,
            strict=True,
        )
        if ids
    ]


def packed(batches: Sequence[MicroBatch]) -> list[TrainingSample]:
    return [sample for batch in batches for sample in batch.samples]


@pytest.mark.long
@pytest.mark.parametrize("one_row", [False, True], ids=["rows", "one-row"])
@pytest.mark.parametrize("tokens", [1, 20_000])
def test_packed_answers_are_as_likely_as_alone(played: Played, tokens: int, one_row: bool) -> None:
    batches = pack(played.samples, tokens, one_row=one_row)
    shared = max(len(row.samples) for batch in batches for row in batch.rows)
    assert shared > 1 if tokens > 1 else len(batches) == len(played.samples)
    result = computed(played.policy, batches, one_row=one_row)
    assert result == pytest.approx(one_by_one(played.policy, packed(batches)), abs=1e-5)


@pytest.mark.long
def test_sampler_and_learner_say_the_same(played: Played) -> None:
    batches = pack(played.samples, 20_000)
    recorded = [item.logprobs[place] for item in packed(batches) for place in item.choices]
    assert len(recorded) > 10
    assert computed(played.policy, batches) == pytest.approx(recorded, abs=1e-4)
    assert min(recorded) < -0.5
    with played.policy.without_adapter():
        moved = torch.tensor(computed(played.policy, batches)) - torch.tensor(recorded)
    assert moved.abs().max() > 0.05, "another policy says something else"


def test_forced_tokens_are_not_among_the_choices(played: Played) -> None:
    (batch,) = pack(played.samples, 10**6)
    made = inputs(batch, played.policy, one_row=False)
    assert len(made.tokens) == sum(len(sample.choices) for sample in batch.samples)
    assert len(made.tokens) < sum(len(sample.completion) for sample in batch.samples)
    assert (made.legal.mask.sum(dim=1) > 1).all()
    expected = [n for n, sample in enumerate(batch.samples) for _ in sample.choices]
    assert made.sequence.tolist() == expected


def test_an_answer_may_begin_with_a_choice_or_with_what_is_forced(played: Played) -> None:
    """The first token is predicted from the prompt's last one, the others from the one before."""
    sample = max(played.samples, key=lambda sample: sample.choices[0])
    place = sample.choices[0]
    led = replace(
        sample,
        prompt=(*sample.prompt, *sample.completion[:place]),
        completion=sample.completion[place:],
        logprobs=sample.logprobs[place:],
        allowed=sample.allowed[place:],
    )
    (whole,), (moved,) = pack([sample], 1), pack([led], 1)
    assert computed(played.policy, [moved]) == pytest.approx(computed(played.policy, [whole]), abs=1e-5)


def test_what_a_token_sees_is_its_prompt_and_its_own_answer_so_far() -> None:
    document = torch.tensor([[0, 0, 0, 0, 0, 1, 1, PADDING], [2, 2, 2, 2, PADDING, PADDING, PADDING, PADDING]])
    branch = torch.tensor([[0, 0, 1, 1, 2, 0, 1, 0], [0, 1, 2, 2, 0, 0, 0, 0]])
    result = sees(document, branch)[:, 0]
    for row, to, of in torch.cartesian_prod(torch.arange(2), torch.arange(8), torch.arange(8)).tolist():
        expected = (
            of <= to
            and document[row, of] == document[row, to]
            and branch[row, of].item() in (0, branch[row, to].item())
        )
        assert result[row, to, of].item() == expected
    assert result.any(dim=2).all(), "a token that sees nothing has no attention weights"


@given(st.integers(0, 2**31), st.integers(1, 3))
@settings(max_examples=20)
def test_flex_attention_lets_each_token_see_the_same(seed: int, rows: int) -> None:
    """Block by block: those it computes whole, those in which it asks the mask, and those that it passes over."""
    rng = Random(seed)
    lines: list[list[tuple[int, int]]] = []
    number = 0
    for _ in range(rows):
        line: list[tuple[int, int]] = []
        while len(line) < 500:
            line += [(number, 0)] * rng.choice([1, 20, 150, 300])
            for answer in range(1, rng.randint(2, 4)):
                line += [(number, answer)] * rng.choice([1, 10, 140])
            number += 1
        lines.append(line)
    width = max(map(len, lines)) + rng.choice([0, 5, 200])
    tokens = torch.tensor([line + [(PADDING, 0)] * (width - len(line)) for line in lines])
    document, branch = tokens.unbind(-1)
    observed = sees(document, branch)[:, 0]
    real = (document != PADDING)[:, :, None]
    assert torch.equal(computed_by(blocks(document, branch), rows, width) & real, observed & real)


def computed_by(mask: BlockMask, rows: int, width: int) -> Tensor:
    """Bool [B, L, L]: what a kernel that is given the mask attends to."""
    size = mask.BLOCK_SIZE[0]
    at = torch.arange(width)
    asked = mask.mask_mod(torch.arange(rows)[:, None, None], torch.tensor(0), at[:, None], at[None, :])
    result = torch.zeros(rows, width, width, dtype=torch.bool)
    assert mask.full_kv_num_blocks is not None
    assert mask.full_kv_indices is not None
    for counts, indices, whole in (
        (mask.kv_num_blocks, mask.kv_indices, False),
        (mask.full_kv_num_blocks, mask.full_kv_indices, True),
    ):
        for row, to in torch.cartesian_prod(torch.arange(rows), torch.arange(counts.shape[2])).tolist():
            for of in indices[row, 0, to, : counts[row, 0, to]].tolist():
                block = (row, slice(to * size, (to + 1) * size), slice(of * size, (of + 1) * size))
                result[block] = True if whole else asked[block]
    return result


@pytest.mark.long
@pytest.mark.filterwarnings(
    "ignore:_compile flag:DeprecationWarning", "ignore:flex_attention called without:UserWarning"
)
def test_flex_attention_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its kernels are compiled, which takes a minute here: this is the same code, interpreted."""
    monkeypatch.setattr("torch.compile", lambda function, **options: function)
    spec = game_spec("diplomacy")
    setup = TrainingSetup(tiny(), tmp_path)
    samples = [sample for sample in setup.batch().samples if sample.choices]
    nano(spec, 1).save(tmp_path / "base")
    value = setup.config.policy
    plain, flex = (
        with_adapter(load(value.model_copy(update={"attention": kind}), spec, tmp_path / "base"), value, 2)
        for kind in ("sdpa", "flex")
    )
    for policy in (plain, flex):
        stir(policy, 5)
    batches = pack(samples, 4096, one_row=True)
    assert max(len(batch.rows) for batch in batches) > 1
    expected = computed(plain, batches, one_row=True)
    assert computed(flex, batches, one_row=True, flex=True) == pytest.approx(expected, abs=1e-5)


@pytest.mark.long
def test_the_gradient_is_that_of_answers_alone(played: Played) -> None:
    samples = played.samples[:8]
    (batch,) = pack(samples, 10**6)
    weights = torch.linspace(-1, 1, sum(len(sample.choices) for sample in samples))

    def gradient(parts: Sequence[MicroBatch]) -> Tensor:
        played.policy.model.zero_grad()
        done = 0
        for part in parts:
            message: Choices = choices(played.policy, inputs(part, played.policy, one_row=False))
            torch.autograd.backward((message.chosen * weights[done : done + len(message.chosen)]).sum())
            done += len(message.chosen)
        return torch.cat([p.grad.flatten() for _, p in played.policy.trainable() if p.grad is not None])

    alone = [pack([sample], 1)[0] for sample in batch.samples]
    torch.testing.assert_close(gradient([batch]), gradient(alone), atol=1e-5, rtol=1e-4)
