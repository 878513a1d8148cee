"""A policy is the same wherever it is loaded, and nothing but its adapter is trained."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import GraniteConfig, GraniteForCausalLM

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.trainer.model.codec import ChatCodec, WordCodec
from grandstand.trainer.model.policy import Policy, PolicyError, load, nano, read_adapter, with_adapter
from grandstand.trainer.model.versions import ADAPTER
from tests.support.trainer.adapters import CPU, SPEC, adapted, logits
from tests.support.trainer.chat import SMALL, chat_policy
from tests.support.trainer.training_setup import bold, stir


def test_the_built_in_policy_is_small_and_comes_from_its_seed_alone() -> None:
    before = torch.random.get_rng_state()
    first, same, other = nano(SPEC, 1), nano(SPEC, 1), nano(SPEC, 2)
    assert torch.equal(before, torch.random.get_rng_state())
    assert 100_000 < sum(parameter.numel() for parameter in first.model.parameters()) < 200_000
    assert torch.equal(logits(first), logits(same))
    assert not torch.equal(logits(first), logits(other))


def test_a_fresh_adapter_changes_nothing_and_is_all_that_is_trained() -> None:
    policy = adapted()
    assert torch.equal(logits(policy), logits(bold(nano(SPEC, seed=0))))
    names = [name for name, _ in policy.trainable()]
    assert names == sorted(names)
    assert all("lora_" in name for name in names)
    assert len(names) == len(policy.adapter()) == 2 * 7 * 3


@pytest.mark.parametrize(("targets", "modules"), [("attention", 4), ("mlp", 3), ("both", 7)])
def test_adapters_sit_where_the_settings_say(targets: str, modules: int) -> None:
    assert len(adapted(lora_targets=targets).adapter()) == 2 * modules * 3


def test_the_base_is_there_without_the_adapter_also_after_an_exception() -> None:
    policy = adapted()
    base = logits(policy)
    stir(policy, 1)
    moved = logits(policy)
    assert not torch.equal(moved, base)
    with policy.without_adapter():
        assert torch.equal(logits(policy), base)
    with pytest.raises(ZeroDivisionError), policy.without_adapter():
        _ = 1 / 0
    assert torch.equal(logits(policy), moved)
    assert all(parameter.requires_grad for _, parameter in policy.trainable())
    assert len(policy.trainable()) == 42


def test_a_policy_without_an_adapter_has_no_base_below_it() -> None:
    with pytest.raises(PolicyError, match="no adapter"), nano(SPEC, 0).without_adapter():
        pass


def test_an_adapter_is_saved_and_loaded_to_the_bit(tmp_path: Path) -> None:
    first, other = adapted(seed=1), adapted(seed=2)
    stir(first, 3)
    first.save(tmp_path)
    assert (tmp_path / ADAPTER).is_file()
    other.load_adapter(read_adapter(tmp_path))
    assert torch.equal(logits(first), logits(other))
    assert all(torch.equal(tensor, other.adapter()[name]) for name, tensor in first.adapter().items())


def test_an_adapter_of_another_kind_is_refused() -> None:
    with pytest.raises(PolicyError, match="the adapter's tensors differ"):
        adapted().load_adapter(adapted(lora_targets="mlp").adapter())


def test_nothing_is_dropped_but_in_training() -> None:
    policy = adapted(lora_dropout=0.5)
    stir(policy, 1)
    assert torch.equal(logits(policy), logits(policy))
    policy.model.train()
    assert not torch.equal(logits(policy), logits(policy))


def test_an_adapter_is_read_and_saved_without_asking_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*args: object, **kwargs: object) -> None:
        raise AssertionError("the Hub was asked")

    monkeypatch.setattr("peft.utils.save_and_load.check_file_exists_on_hf_hub", asked)
    policy = adapted()
    model: Any = policy.model
    model.peft_config["default"].base_model_name_or_path = "somebody/some-model"
    assert policy.adapter()
    policy.save(tmp_path)


@pytest.mark.parametrize("make", [lambda: bold(nano(SPEC, 5)), lambda: chat_policy(SPEC)], ids=["nano", "chat"])
def test_a_whole_policy_is_saved_and_loaded_with_its_language(tmp_path: Path, make: Callable[[], Policy]) -> None:
    policy = make()
    policy.save(tmp_path)
    for again in (load(CPU, SPEC, tmp_path), load(CPU.model_copy(update={"model": str(tmp_path)}), SPEC)):
        assert type(again.codec) is type(policy.codec)
        assert torch.equal(logits(again), logits(policy))
        match = Match(SPEC, SMALL["diplomacy"], 1)
        assert again.codec.prompt(match.game, "FRANCE") == policy.codec.prompt(match.game, "FRANCE")


def test_nano_is_made_anew_where_no_folder_is_given() -> None:
    assert torch.equal(logits(load(CPU, SPEC)), logits(nano(SPEC, seed=0)))


def test_what_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"policy.model: cannot load '.*nowhere'"):
        load(CPU, SPEC, tmp_path / "nowhere")
    nano(game_spec("cricket"), 0).save(tmp_path)
    with pytest.raises(PolicyError, match="words that the game's shorthand does not have"):
        load(CPU, SPEC, tmp_path)


def test_a_model_whose_logits_are_not_head_times_hidden_is_refused(tmp_path: Path) -> None:
    """Log-probabilities would be of another policy than the model's own code gives."""
    codec = chat_policy(SPEC).codec
    assert isinstance(codec, ChatCodec)
    config = GraniteConfig(
        vocab_size=len(codec.tokenizer),
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        logits_scaling=8.0,
    )
    torch.manual_seed(0)
    model = GraniteForCausalLM(config)
    model.lm_head.weight.data.mul_(20)
    Policy(model, codec).save(tmp_path)
    with pytest.raises(PolicyError, match="scaled logits"):
        load(CPU, SPEC, tmp_path)


def test_bfloat16_keeps_the_adapter_in_full_precision() -> None:
    policy = with_adapter(load(CPU.model_copy(update={"dtype": "bfloat16"}), SPEC), CPU, 1)
    assert policy.head.dtype == torch.bfloat16
    assert {tensor.dtype for tensor in policy.adapter().values()} == {torch.float32}


def test_padding_is_a_token_of_no_word() -> None:
    assert nano(SPEC, 0).pad == WordCodec.PAD
