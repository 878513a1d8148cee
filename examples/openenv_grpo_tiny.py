"""Two steps of GRPO on a CPU in a minute, with TRL's stock trainer and nothing downloaded. The tests run it.

    scripts/setup/trl
    .cache/trl/bin/python examples/openenv_grpo_tiny.py http://127.0.0.1:8000 /tmp/grpo

The model is made here: two empty layers, and an output that knows one successor for each token that matters. So it
calls the tool with one of two answers, by chance, and TRL generates, parses, masks and learns as with any model.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
import trl
from openenv_grpo import Seat, matches, trainer
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig

WORDS = {"seat": "FRANCE", "opponents": "hold", "max_turns": 2}
CAPTURE = '\n{"name": "play", "arguments": {"reply": "{\\"orders\\": [\\"A MAR - SPA\\"]}"}}\n'
HOLD = '\n{"name": "play", "arguments": {"reply": "{\\"orders\\": []}"}}\n'
GROUP = 4
CERTAIN = 20.0
"""Logit of a successor, less that of the others."""


def tokenizer(text: str) -> PreTrainedTokenizerFast:
    """Bytes, with pairs learned from `text`, TRL's template of Qwen3, and a token for each of the two answers."""
    core = Tokenizer(models.BPE())
    lines = pre_tokenizers.Split(Regex(r"\n"), "isolated")
    core.pre_tokenizer = pre_tokenizers.Sequence([lines, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    core.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    core.train_from_iterator([text], trainers.BpeTrainer(vocab_size=1500, initial_alphabet=alphabet))
    template = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"
    wrapped = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=core,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=["<|im_start|>"],
        chat_template=template.read_text(),
    )
    wrapped.add_tokens(["<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", CAPTURE, HOLD])
    return wrapped


def model(tokens: PreTrainedTokenizerFast) -> Qwen3ForCausalLM:
    torch.manual_seed(0)
    made = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokens),
            hidden_size=64,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=2,
            head_dim=32,
            max_position_embeddings=32768,
            tie_word_embeddings=False,
            eos_token_id=tokens.eos_token_id,
            pad_token_id=tokens.pad_token_id,
        )
    )
    ask = tokens.apply_chat_template([{"role": "user", "content": "x"}], add_generation_prompt=True, tokenize=False)
    last = tokens(ask)["input_ids"][-1]
    words = ("<tool_call>", CAPTURE, HOLD, "</tool_call>")
    call, capture, hold, end = (tokens.convert_tokens_to_ids(word) for word in words)
    successors = [(last, call), (call, capture), (call, hold), (capture, end), (hold, end), (end, tokens.eos_token_id)]
    with torch.no_grad():
        for layer in made.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        made.lm_head.weight.zero_()
        for before, after in successors:
            state = made.model.norm(made.model.embed_tokens.weight[before])
            made.lm_head.weight[after] += CERTAIN * state / state.norm() ** 2
    return made


def main(url: str, out: str) -> None:
    tokens = tokenizer(Seat(url, WORDS).reset(seed=0))
    policy = model(tokens)
    before = policy.lm_head.weight.detach().clone()
    args = GRPOConfig(
        output_dir=out,
        max_steps=2,
        num_generations=GROUP,
        per_device_train_batch_size=GROUP,
        max_completion_length=12000,
        max_tool_calling_iterations=4,
        learning_rate=1e-4,
        logging_steps=1,
        seed=2,
        use_cpu=True,
        save_strategy="no",
        report_to="none",
    )
    training = trainer(policy, url, WORDS, args, matches(8), processing_class=tokens)
    training.train()
    moved = (policy.lm_head.weight.detach() - before).abs().max().item()
    print(json.dumps({"steps": training.state.global_step, "moved": moved, "log": training.state.log_history}))


if __name__ == "__main__":
    main(*sys.argv[1:])
