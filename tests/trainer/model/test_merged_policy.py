"""An adapter that is added to the weights gives what the adapter beside them gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch

from grandstand.games.registry import game_spec
from grandstand.trainer.model.merged_policy import MergedPolicy
from grandstand.trainer.model.policy import Policy, PolicyError, nano, with_adapter
from grandstand.trainer.model.torch_sampler import TorchSampler
from tests.support.trainer.asks import asks
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup, bold, cricket, stir

SPEC = game_spec("cricket")
IDS = torch.arange(2, 40)[None]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def adapted(seed: int = 2) -> Policy:
    policy = with_adapter(nano(SPEC, 1), cricket().policy, seed=seed)
    stir(policy, seed)
    return policy


def hidden(policy: Policy) -> torch.Tensor:
    with torch.no_grad():
        result: torch.Tensor = policy.hidden(IDS).last_hidden_state
    return result


def test_each_version_computes_what_it_does_unmerged() -> None:
    merged = MergedPolicy(adapted())
    bare = nano(SPEC, 1)
    for seed in (2, 3, 4):
        policy = adapted(seed)
        merged.load_adapter(policy.adapter())
        assert torch.allclose(hidden(merged.policy), hidden(policy), atol=1e-5)
        assert not torch.allclose(hidden(merged.policy), hidden(bare), atol=1e-2)


def test_a_version_is_the_same_to_the_bit_whatever_was_loaded_before() -> None:
    merged = MergedPolicy(adapted())
    first = hidden(merged.policy)
    for seed in (3, 4, 5):
        merged.load_adapter(adapted(seed).adapter())
    merged.load_adapter(adapted(2).adapter())
    assert torch.equal(hidden(merged.policy), first)


def test_an_adapter_of_another_shape_is_refused() -> None:
    merged = MergedPolicy(adapted())
    settings = cricket(policy={"lora_rank": 4}).policy
    with pytest.raises(PolicyError, match="the adapter's tensors differ"):
        merged.load_adapter(with_adapter(nano(SPEC, 1), settings, seed=1).adapter())
    with pytest.raises(PolicyError, match="no adapter to add"):
        MergedPolicy(nano(SPEC, 1))


@pytest.mark.few(1)
@pytest.mark.parametrize("make", [tiny, cricket], ids=["diplomacy", "cricket"])
def test_sampling_is_the_same_up_to_rounding(make: Callable[..., object], tmp_path: Path) -> None:
    config = tiny() if make is tiny else cricket()
    setup = TrainingSetup(config, tmp_path)
    stir(setup.policy, 1)
    setup.publish(1)
    playing = with_adapter(bold(nano(setup.spec, seed=1)), config.policy, seed=2)
    merged = TorchSampler(playing, merge=True)
    for version in (0, 1):
        merged.publish(version, setup.versions.path(version))
    asked = [replace(ask, seed=seed) for ask in islice(asks(setup.spec, setup.policy, 1), 12) for seed in range(3)]
    for version in (1, 0, 1):
        for own, other in zip(merged.sample(asked, version), setup.sampler.sample(asked, version), strict=True):
            assert own.completion == other.completion
            assert own.logprobs == pytest.approx(other.logprobs, abs=1e-4)
