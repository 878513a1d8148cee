"""A random Qwen3 of two layers that vLLM and transformers both load, its adapters, and probabilities of an answer."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import PreTrainedModel, Qwen3Config, Qwen3ForCausalLM

from grandstand.trainer.model.sampler import Ask, Sampled
from tests.support.trainer.chat import tokenizer

torch.set_num_threads(1)

RANK = 8
LONGEST = 8192
DEFAULTS = {"do_sample": True, "temperature": 0.7, "top_p": 0.8, "top_k": 20, "repetition_penalty": 1.05}
"""Of sampling, in the model's folder: those of Qwen's."""
TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def save_model(folder: Path) -> None:
    """With the tokenizer of `tests.support.trainer.chat`, and sampling defaults of its own as Qwen's models have."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = Qwen3ForCausalLM(
            Qwen3Config(
                vocab_size=len(tokenizer()),
                hidden_size=128,
                intermediate_size=256,
                num_hidden_layers=2,
                num_attention_heads=4,
                num_key_value_heads=2,
                head_dim=32,
                max_position_embeddings=LONGEST,
                initializer_range=0.2,
            )
        )
    for name, value in DEFAULTS.items():
        setattr(model.generation_config, name, value)
    model.save_pretrained(folder)
    tokenizer().save_pretrained(folder)


def save_adapter(model: Path, folder: Path, seed: int, value: float | None = None) -> None:
    """A random one; with `value` in all its numbers where that is given."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = LoraConfig(r=RANK, lora_alpha=2 * RANK, target_modules=TARGETS, init_lora_weights=False)
        made = get_peft_model(Qwen3ForCausalLM.from_pretrained(model), config)
    if value is not None:
        for name, parameter in made.named_parameters():
            if "lora_" in name:
                parameter.data.fill_(value)
    made.save_pretrained(str(folder))


@cache
def load(model: Path, adapter: Path | None) -> PreTrainedModel | PeftModel:
    """In single precision."""
    base = Qwen3ForCausalLM.from_pretrained(model, dtype=torch.float32)
    return (PeftModel.from_pretrained(base, adapter) if adapter else base).eval()


@torch.no_grad()
def truth(model: PreTrainedModel | PeftModel, ask: Ask, sampled: Sampled) -> list[float]:
    """The log-probabilities of the answer's tokens, by the definition, from a whole pass over prompt and answer."""
    ids = torch.tensor([[*ask.prompt, *sampled.completion]])
    logits = model(input_ids=ids).logits[0, len(ask.prompt) - 1 : -1].double() / ask.temperature
    return [
        float(row[token] - row[options].logsumexp(0)) if options else 0.0
        for row, token, options in zip(logits, sampled.completion, sampled.allowed, strict=True)
    ]
