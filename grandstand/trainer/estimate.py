"""Estimate the memory and the time of a training step by arithmetic, from the settings and the shape of the model.

Nothing is loaded or measured. Parameters and saved activations are exact for a Llama or a Qwen with LoRA as
`trainer/model/policy.py` makes it (tests compare both with torch); times follow from the stated assumptions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from grandstand.games.registry import game_spec
from grandstand.trainer.config.league_settings import BASE, EXPLOITER, LEAGUE, MAIN, PAST, PEER, SELF
from grandstand.trainer.config.schedule import weight_at
from grandstand.trainer.config.sections import PolicySettings
from grandstand.trainer.config.settings import TrainConfig

KNOWN: Mapping[str, Mapping[str, Any]] = {
    "Qwen/Qwen2.5-0.5B-Instruct": {
        "model_type": "qwen2",
        "hidden_size": 896,
        "intermediate_size": 4864,
        "num_hidden_layers": 24,
        "num_attention_heads": 14,
        "num_key_value_heads": 2,
        "vocab_size": 151_936,
        "tie_word_embeddings": True,
    },
    "Qwen/Qwen2.5-7B-Instruct": {
        "model_type": "qwen2",
        "hidden_size": 3584,
        "intermediate_size": 18_944,
        "num_hidden_layers": 28,
        "num_attention_heads": 28,
        "num_key_value_heads": 4,
        "vocab_size": 152_064,
        "tie_word_embeddings": False,
    },
}
"""Entries of config.json of the presets' models, by their names on the Hugging Face Hub."""
_BYTES = {"float32": 4, "bfloat16": 2}
_ADAPTER_BYTES = 4
"""peft keeps an adapter in single precision."""
_SAMPLED = {SELF, BASE, PAST, PEER, EXPLOITER, MAIN, LEAGUE}
"""Categories of opponents whose decisions the sampler makes; in the last one, for all but the bots."""


class UnknownShape(ValueError):
    """A model whose shape is not known; the message names the remedy."""


@dataclass(frozen=True)
class ModelShape:
    """The sizes of a decoder with gated MLPs and grouped-query attention."""

    hidden: int
    intermediate: int
    layers: int
    heads: int
    kv_heads: int
    head: int
    """Size of an attention head."""
    vocabulary: int
    tied: bool
    qkv_bias: bool
    qk_norm: bool

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> ModelShape:
        """Read the entries of a model's config.json. Raises UnknownShape for another kind of model."""
        kind = config.get("model_type")
        if kind not in ("llama", "qwen2", "qwen3"):
            raise UnknownShape(f"the model is a {kind}; only llama, qwen2 and qwen3 can be estimated")
        heads = config["num_attention_heads"]
        return cls(
            hidden=config["hidden_size"],
            intermediate=config["intermediate_size"],
            layers=config["num_hidden_layers"],
            heads=heads,
            kv_heads=config.get("num_key_value_heads") or heads,
            head=config.get("head_dim") or config["hidden_size"] // heads,
            vocabulary=config["vocab_size"],
            tied=bool(config.get("tie_word_embeddings")),
            qkv_bias=kind == "qwen2",
            qk_norm=kind == "qwen3",
        )

    @property
    def attention(self) -> int:
        """Width of all heads together."""
        return self.heads * self.head

    @property
    def linear(self) -> dict[str, tuple[int, int]]:
        """Return the width in and out of each linear map of a layer, by the names in `policy.TARGETS`."""
        key_value = self.kv_heads * self.head
        return {
            "q_proj": (self.hidden, self.attention),
            "k_proj": (self.hidden, key_value),
            "v_proj": (self.hidden, key_value),
            "o_proj": (self.attention, self.hidden),
            "gate_proj": (self.hidden, self.intermediate),
            "up_proj": (self.hidden, self.intermediate),
            "down_proj": (self.intermediate, self.hidden),
        }

    @property
    def layer_matrices(self) -> int:
        """Return the number of parameters in the matrices of a layer."""
        return sum(width * out for width, out in self.linear.values())

    @property
    def layer_parameters(self) -> int:
        biases = self.attention + 2 * self.kv_heads * self.head if self.qkv_bias else 0
        return self.layer_matrices + biases + 2 * self.hidden + (2 * self.head if self.qk_norm else 0)

    @property
    def outside_parameters(self) -> int:
        """Return the parameters of the embeddings, the output head and the last norm."""
        return self.vocabulary * self.hidden * (1 if self.tied else 2) + self.hidden

    @property
    def parameters(self) -> int:
        return self.layers * self.layer_parameters + self.outside_parameters

    def adapter_parameters(self, settings: PolicySettings) -> int:
        targets = _targets(settings)
        return self.layers * settings.lora_rank * sum(sum(self.linear[name]) for name in targets)

    def kv_bytes(self, element: int) -> int:
        """Return the bytes of a token in the key-value cache."""
        return 2 * self.layers * self.kv_heads * self.head * element

    def saved_bytes(self, settings: PolicySettings) -> int:
        """Return the bytes that a layer saves of each token for its backward pass, without the attention mask.

        Frozen weights need none of their inputs; adapters do, in single precision, each its own copy if the policy
        has another format. Norms save their input in single precision; attention its queries, repeated keys and
        values, and output; the MLP its gate, the gate's activation and the other factor.
        """
        element, targets = _BYTES[settings.dtype], _targets(settings)
        hidden, wide = _ADAPTER_BYTES * self.hidden, _ADAPTER_BYTES * self.attention
        copies = {"q_proj": hidden, "k_proj": hidden, "v_proj": hidden, "o_proj": wide, "gate_proj": hidden,
                  "up_proj": hidden, "down_proj": _ADAPTER_BYTES * self.intermediate}  # fmt: skip
        if settings.dtype == "float32":  # inputs that several maps share are saved once, the output of attention too
            copies = {name: copies[name] for name in ("q_proj", "gate_proj", "down_proj")}
        inputs = sum(copies.get(name, 0) for name in targets)
        low_rank = _ADAPTER_BYTES * settings.lora_rank * len(targets)
        norms = 2 * (hidden + 4)
        if self.qk_norm:
            norms += 4 * (self.heads + self.kv_heads) * (self.head + 1)
        attention = element * 4 * self.attention + 4 * self.heads
        return inputs + low_rank + norms + attention + element * 3 * self.intermediate


@dataclass(frozen=True)
class Machine:
    """The GPUs, and the assumed shares of their peak that are reached. The defaults are an H200's."""

    gpus: int = 1
    memory: float = 141e9
    peak: float = 989e12
    """Dense bfloat16 operations a second of one GPU."""
    bandwidth: float = 4.8e12
    """Bytes a second of its memory."""
    utilization: float = 0.35
    """Share of the peak that large matrix products reach, in training and in reading prompts."""
    read_share: float = 0.6
    """Share of the bandwidth that decoding reaches."""


@dataclass(frozen=True)
class Work:
    """The decisions of a step. Lengths are in tokens."""

    decisions: int = 8
    """Decisions of a seat in one fork."""
    prompt: int = 1000
    completion: int = 40


def shape_of(config: TrainConfig, file: Path | None = None) -> ModelShape:
    """Return the shape of the settings' model; `file` is its config.json. Raises UnknownShape naming the remedy."""
    model = config.policy.model
    file = file or Path(model) / "config.json"
    if file.is_file():
        return ModelShape.of(json.loads(file.read_text("utf-8")))
    if model not in KNOWN:
        raise UnknownShape(
            f"policy.model: the shape of {model!r} is not known; give the model's config.json by --shape"
        )
    return ModelShape.of(KNOWN[model])


def memory(config: TrainConfig, shape: ModelShape, machine: Machine) -> dict[str, float]:
    """Return the learner's bytes on each GPU, by purpose, and those of the sampler on the first GPU."""
    policy, optimizer = config.policy, config.optimizer
    element, layers = _BYTES[policy.dtype], shape.layers * shape.layer_parameters
    shared = optimizer.shard and machine.gpus > 1
    weights = element * (shape.outside_parameters + (layers / machine.gpus if shared else layers))
    adapter = _ADAPTER_BYTES * shape.adapter_parameters(policy)
    saved = shape.saved_bytes(policy)
    inputs = element * shape.hidden
    per_token = shape.layers * inputs + saved if policy.gradient_checkpointing else shape.layers * saved
    sampler = config.sampler.vllm.gpu_memory * machine.memory if config.sampler.engine == "vllm" else 0.0
    cache = sampler - element * shape.parameters
    return {
        "weights": weights,
        "gathered layers": 2 * element * shape.layer_parameters if shared else 0.0,
        "adapter": adapter,
        "its gradient": adapter * (2 if machine.gpus > 1 else 1),
        "its optimizer": 2 * adapter,
        "its reference": adapter * (config.kl.reference != "base"),
        "activations": optimizer.batch_tokens * per_token,
        "sampler": sampler,
        "sampler's cache, tokens": max(0.0, cache / shape.kv_bytes(element)) if sampler else 0.0,
    }


def operations(config: TrainConfig, shape: ModelShape, context: int) -> float:
    """Return the floating-point operations of learning from a token once, in rows of `context` tokens.

    A forward pass takes 2 for each parameter of the layers, and 2 * width * context for causal attention. A backward
    pass takes the same again for the frozen weights and twice that for the adapter and for attention. The reference,
    checkpointing, and the policy at the step's start, each take one more forward pass.
    """
    base = 2.0 * shape.layers * shape.layer_matrices
    adapter = 2.0 * shape.adapter_parameters(config.policy)
    attention = 2.0 * shape.layers * shape.attention * context
    forward = base + adapter + attention
    reference = base + attention + (adapter if config.kl.reference != "base" else 0)
    learned = forward + (base + 2 * adapter + 2 * attention) + reference
    if config.policy.gradient_checkpointing:
        learned += forward
    epochs = config.optimizer.epochs
    old = forward if epochs > 1 or config.policy.lora_dropout else 0
    return epochs * learned + old


def seconds(config: TrainConfig, shape: ModelShape, machine: Machine, work: Work) -> dict[str, float]:
    """Return the tokens of a step and its seconds, by part. Sampling uses one GPU, learning all of them."""
    rollout, row = config.rollout, work.prompt + work.completion
    trajectories = rollout.groups * rollout.samples * config.game.trained_seats
    shared = rollout.groups * (rollout.samples - 1) * config.game.trained_seats * work.prompt
    tokens = trajectories * work.decisions * row - shared
    seats = _sampled_seats(config) * rollout.groups * rollout.samples
    rate = machine.peak * machine.utilization
    forward = 2.0 * shape.layers * (shape.layer_matrices + shape.attention * work.prompt)
    element = _BYTES[config.policy.dtype]
    batch = min(seats, config.sampler.batch)
    reads = element * (shape.parameters + batch * row * shape.kv_bytes(1))
    turns = work.decisions * work.completion * ceil(seats / config.sampler.batch)
    return {
        "tokens learned from": tokens,
        "operations a token": operations(config, shape, row),
        "learning": tokens * operations(config, shape, row) / (rate * machine.gpus),
        "reading prompts": seats * work.decisions * work.prompt * forward / rate,
        "decoding": turns * reads / (machine.bandwidth * machine.read_share),
    }


def _sampled_seats(config: TrainConfig) -> float:
    """Return the seats of a match that the sampler answers for, at the first step."""
    weights = {name: weight_at(schedule, 1) for name, schedule in config.rollout.opponents.items()}
    share = sum(weight for name, weight in weights.items() if name in _SAMPLED) / sum(weights.values())
    trained = config.game.trained_seats
    return trained + (len(game_spec(config.game.name).seats(config.game.options)) - trained) * share


def _targets(settings: PolicySettings) -> list[str]:
    """Return the names of the maps that have adapters, as `policy.TARGETS` does, which needs torch."""
    attention, mlp = ["q_proj", "k_proj", "v_proj", "o_proj"], ["gate_proj", "up_proj", "down_proj"]
    return {"attention": attention, "mlp": mlp, "both": attention + mlp}[settings.lora_targets]
