"""The arithmetic of memory and time, against torch where it can be counted there, and by hand where it cannot."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import LoraConfig, get_peft_model
from torch import Tensor
from transformers import LlamaConfig, Qwen2Config, Qwen3Config
from transformers.models.auto.modeling_auto import AutoModelForCausalLM

from grandstand.games.registry import game_spec
from grandstand.trainer.config.files import load
from grandstand.trainer.config.sections import PolicySettings
from grandstand.trainer.estimate import (
    KNOWN,
    Machine,
    ModelShape,
    UnknownShape,
    Work,
    memory,
    operations,
    seconds,
    shape_of,
)
from grandstand.trainer.model.policy import TARGETS, nano, with_adapter
from tests.support.trainer.tiny import tiny

SIZES: dict[str, Any] = {
    "vocab_size": 96, "hidden_size": 64, "intermediate_size": 160, "num_hidden_layers": 3, "num_attention_heads": 4,
    "num_key_value_heads": 2,
}  # fmt: skip
CONFIGS: dict[str, Any] = {
    "llama": LlamaConfig(**SIZES, tie_word_embeddings=True),
    "qwen2": Qwen2Config(**SIZES),
    "qwen3": Qwen3Config(**SIZES, head_dim=24),
}
TOKENS = 24


def random_model(config: Any) -> Any:
    made: Any = AutoModelForCausalLM
    return made.from_config(config)


@pytest.mark.parametrize("kind", CONFIGS)
@pytest.mark.parametrize("targets", TARGETS)
def test_parameters_are_those_of_the_model(kind: str, targets: str) -> None:
    shape, model = ModelShape.of(CONFIGS[kind].to_dict()), random_model(CONFIGS[kind])
    assert shape.parameters == sum(parameter.numel() for parameter in model.parameters())
    settings = PolicySettings(lora_rank=4, lora_targets=targets)  # type: ignore[arg-type]
    adapted = get_peft_model(model, LoraConfig(r=4, target_modules=TARGETS[targets], task_type="CAUSAL_LM"))
    trained = sum(parameter.numel() for parameter in adapted.parameters() if parameter.requires_grad)
    assert shape.adapter_parameters(settings) == trained


def test_the_built_in_policy_is_counted_too() -> None:
    policy = nano(game_spec("diplomacy"), seed=1)
    shape = ModelShape.of(policy.model.config.to_dict())
    assert shape.parameters == sum(parameter.numel() for parameter in policy.model.parameters())
    settings = tiny().policy
    adapted = with_adapter(policy, settings, seed=1)
    assert shape.adapter_parameters(settings) == sum(parameter.numel() for _, parameter in adapted.trainable())


def saved(kind: str, layers: int, settings: PolicySettings) -> int:
    """Return the bytes that a forward pass saves for the backward pass, weights and masks left out."""
    values = {name: value for name, value in CONFIGS[kind].to_dict().items() if name != "layer_types"}
    config = type(CONFIGS[kind])(**{**values, "num_hidden_layers": layers})
    dtype = {"float32": torch.float32, "bfloat16": torch.bfloat16}[settings.dtype]
    model = random_model(config).to(dtype)
    lora = LoraConfig(r=settings.lora_rank, target_modules=TARGETS[settings.lora_targets], task_type="CAUSAL_LM")
    adapted: Any = get_peft_model(model, lora).train()
    weights = {parameter.untyped_storage().data_ptr() for parameter in adapted.parameters()}
    kept: dict[int, Tensor] = {}

    def keep(tensor: Tensor) -> Tensor:
        if tensor.untyped_storage().data_ptr() not in weights and tensor.shape[-2:] != (TOKENS, TOKENS):
            kept[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    mask = torch.ones(1, 1, TOKENS, TOKENS, dtype=torch.bool).tril()
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        out = adapted.get_base_model().base_model(
            input_ids=torch.zeros(1, TOKENS, dtype=torch.long), attention_mask=mask, use_cache=False
        )
    assert out.last_hidden_state.requires_grad
    return sum(tensor.untyped_storage().nbytes() for tensor in kept.values())


@pytest.mark.few(4)
@pytest.mark.parametrize(("kind", "targets", "dtype"), [*product(["llama", "qwen2"], TARGETS, ["float32", "bfloat16"])])
def test_activations_are_those_that_autograd_saves(kind: str, targets: str, dtype: str) -> None:
    """A deeper model saves that much more; what the first layer and the last norm save is left out."""
    settings = PolicySettings.model_validate({"lora_rank": 4, "lora_targets": targets, "dtype": dtype})
    measured = (saved(kind, 4, settings) - saved(kind, 2, settings)) / 2 / TOKENS
    assert ModelShape.of(CONFIGS[kind].to_dict()).saved_bytes(settings) == measured


def test_the_presets_are_as_large_as_their_names() -> None:
    """Sizes as on the models' cards: 0.49 B with 0.36 B outside of the embeddings, and 7.61 B with 6.53 B."""
    small, large = (ModelShape.of(KNOWN[load(name).policy.model]) for name in ("qwen-0.5b", "qwen-7b"))
    assert [round(shape.parameters / 1e9, 2) for shape in (small, large)] == [0.49, 7.62]
    assert [round(shape.layers * shape.layer_parameters / 1e9, 2) for shape in (small, large)] == [0.36, 6.53]
    assert large.kv_bytes(2) == 57_344


@pytest.mark.parametrize("preset", ["qwen-0.5b", "qwen-7b"])
def test_the_presets_fit_the_gpu_that_they_are_for(preset: str) -> None:
    config, machine = load(preset), Machine()
    used = memory(config, shape_of(config), machine)
    tokens = used.pop("sampler's cache, tokens")
    assert sum(used.values()) < 0.9 * machine.memory
    assert tokens > config.sampler.batch * (Work.prompt + Work.completion)


@pytest.mark.parametrize("preset", ["qwen-0.5b", "qwen-7b"])
def test_the_presets_clone_on_the_gpu_that_they_are_for(preset: str) -> None:
    """The sampler has not started yet. The output head is applied to legal tokens alone, in cloning too."""
    tokens = load(preset).clone.batch_tokens
    config = load(preset, [f"optimizer.batch_tokens={tokens}", "sampler.engine=torch"])
    used = memory(config, shape_of(config), Machine())
    assert used["sampler"] == 0
    assert sum(used.values()) < 0.9 * Machine().memory


def test_sharing_and_checkpointing_save_memory() -> None:
    plain = load("qwen-7b", ["policy.gradient_checkpointing=false"])
    shape = shape_of(plain)
    alone = memory(plain, shape, Machine())
    assert alone["weights"] == 2 * shape.parameters
    assert alone["activations"] > 5 * memory(load("qwen-7b"), shape, Machine())["activations"]
    several = load("qwen-7b", ["optimizer.processes=8", "optimizer.shard=true"])
    divided = memory(several, shape, Machine(gpus=8))
    layers = 2 * shape.layers * shape.layer_parameters
    assert alone["weights"] - divided["weights"] == pytest.approx(layers * 7 / 8)
    assert divided["gathered layers"] == pytest.approx(layers * 2 / 28)


def test_time_is_operations_by_rate() -> None:
    config = load("qwen-7b")
    shape = shape_of(config)
    base = 2.0 * 28 * shape.layer_matrices
    # Forward, backward to the activations, the reference, and what checkpointing computes again.
    assert operations(config, shape, 0) == pytest.approx(4 * base + 8 * shape.adapter_parameters(config.policy))
    work = Work(decisions=1, prompt=100, completion=10)
    single, eight = (seconds(config, shape, Machine(gpus=gpus), work) for gpus in (1, 8))
    groups, samples = config.rollout.groups, config.rollout.samples
    assert single["tokens learned from"] == groups * (100 + samples * 10), "siblings share their first prompt"
    rate = Machine().peak * Machine().utilization
    assert single["learning"] == pytest.approx(single["tokens learned from"] * operations(config, shape, 110) / rate)
    assert eight["learning"] == pytest.approx(single["learning"] / 8)
    assert eight["decoding"] == single["decoding"]


def test_versions_of_every_run_are_sampled() -> None:
    """The category `league` has bots too; it counts as if it had none."""
    loads = [
        seconds(config, shape_of(config), Machine(), Work())["reading prompts"]
        for name in ("past", "peer", "exploiter", "main", "league", "dumbbot")
        for config in [load("qwen-7b", [f'rollout.opponents={{"{name}":1}}'])]
    ]
    assert loads[1:5] == [loads[0]] * 4
    assert loads[5] == pytest.approx(loads[0] / 7)


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownShape, match=r"'some/model' is not known; give the model's config\.json by --shape"):
        shape_of(tiny(policy={"model": "some/model"}))
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "mamba"}))
    with pytest.raises(UnknownShape, match="the model is a mamba"):
        shape_of(tiny(policy={"model": str(tmp_path)}))
