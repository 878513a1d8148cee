"""A language model made on the spot: its tokenizer learned from the games' own prompts, its weights random."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from grandstand.games.base import Action, SeatId
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.players.llm.prompt import first_messages, reply_form
from grandstand.trainer.model.codec import ChatCodec
from grandstand.trainer.model.policy import Policy

SMALL: dict[str, dict[str, Any]] = {
    "cricket": {"overs": 2},
    "diplomacy": {"press": "none", "last_year": 1902},
    "werewolf": {"rounds": 1},
}
"""Options of a short match of each game."""

TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


@cache
def tokenizer() -> PreTrainedTokenizerFast:
    """Byte-level pairs learned from the first prompts, as GPT's and Qwen's are."""
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    core.decoder = decoders.ByteLevel()
    texts = [message["content"] for name in ("cricket", "diplomacy") for message in _opening(game_spec(name))]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=1200, initial_alphabet=alphabet, show_progress=False)
    core.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=core,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=["<|im_start|>"],
        chat_template=TEMPLATE,
    )


def _opening(spec: GameSpec) -> list[Any]:
    game = Match(spec, SMALL[spec.name], 0).game
    return list(first_messages(reply_form(spec), game, game.to_act()[0]))


def chat_policy(spec: GameSpec, seed: int = 0) -> Policy:
    """Return a language model of two layers that reads the built-in prompt and answers in JSON."""
    tokens = tokenizer()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model: Any = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=len(tokens),
                hidden_size=32,
                intermediate_size=48,
                num_hidden_layers=2,
                num_attention_heads=4,
                num_key_value_heads=2,
                max_position_embeddings=8192,
                tie_word_embeddings=False,
                pad_token_id=tokens.pad_token_id,
                bos_token_id=None,
                eos_token_id=tokens.eos_token_id,
            )
        )
        model.lm_head.weight.data.mul_(10)
    return Policy(model.eval(), ChatCodec(tokens, spec))


def moments(spec: GameSpec, seed: int, bot: str = "random") -> Iterator[tuple[Match, SeatId, Action]]:
    """Yield every choice of a short match: the match before it, the seat, and the bot's action."""
    rng = Random(seed)
    match = Match(spec, SMALL[spec.name], rng.getrandbits(48))
    while not match.over:
        chosen = [(seat, spec.bots.players[bot](match.game, seat, match.rng(seat))) for seat in match.waiting]
        for seat, action in chosen:
            yield match, seat, action
        for seat, action in chosen:
            match.apply(seat, action)
