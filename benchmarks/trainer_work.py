"""The workload of `benchmarks/trainer.py`: models of random weights in real shapes, samples of real Diplomacy, and
the number of FLOP that they take.

Nothing is downloaded. All but `nano` read the built-in chat prompts, through a tokenizer learned here, whose tokens are
2.9 characters long on average; the rest of the large shapes' vocabulary stays unused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path
from random import Random
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast, Qwen2Config

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.players.llm.prompt import first_messages, reply_form
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import read
from grandstand.trainer.config.sections import PolicySettings
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import candidates, keyed, mix, plan_step, weights_at
from grandstand.trainer.model.batch import MicroBatch, TrainingSample
from grandstand.trainer.model.codec import ChatCodec, Codec, Question, WordCodec
from grandstand.trainer.model.policy import Policy, nano
from grandstand.trainer.model.sampler import Ask, Sampled
from grandstand.trainer.model.trie import Walker
from grandstand.trainer.rollout.rollouts import Rollouts
from grandstand.trainer.rollout.trajectories import trajectories

SPEC = game_spec("diplomacy")
SHAPES: Mapping[str, Mapping[str, Any]] = {
    "nano": {},
    "5m": {
        "vocab_size": 2048,
        "hidden_size": 256,
        "intermediate_size": 704,
        "num_hidden_layers": 6,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "tie_word_embeddings": True,
    },
    "0.5b": {
        "vocab_size": 151936,
        "hidden_size": 896,
        "intermediate_size": 4864,
        "num_hidden_layers": 24,
        "num_attention_heads": 14,
        "num_key_value_heads": 2,
        "tie_word_embeddings": True,
    },
    "7b": {
        "vocab_size": 152064,
        "hidden_size": 3584,
        "intermediate_size": 18944,
        "num_hidden_layers": 28,
        "num_attention_heads": 28,
        "num_key_value_heads": 4,
        "tie_word_embeddings": False,
    },
}
"""`nano` is the built-in model, over shorthand. The others resemble Qwen2.5; the last two have its exact shapes."""
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def random_policy(shape: str, settings: PolicySettings) -> Policy:
    """Return a policy with random weights, without an adapter."""
    if shape == "nano":
        plain: Any = nano(SPEC, seed=0)
        return Policy(plain.model.to(settings.device), plain.codec)
    attention = "flex_attention" if settings.attention == "flex" else "sdpa"
    torch.manual_seed(0)
    with torch.device(settings.device):
        model = AutoModelForCausalLM.from_config(  # type: ignore[no-untyped-call]
            Qwen2Config(**SHAPES[shape], pad_token_id=0, eos_token_id=1, bos_token_id=None),
            dtype=DTYPES[settings.dtype],
            attn_implementation=attention,
        )
    return Policy(model.eval(), codec(shape))


@cache
def codec(shape: str) -> Codec:
    return WordCodec(SPEC.training) if shape == "nano" else ChatCodec(tokenizer(), SPEC)


@cache
def tokenizer() -> PreTrainedTokenizerFast:
    """Byte-level pairs of up to six letters, learned from prompts of one match."""
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    core.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    learning = trainers.BpeTrainer(
        vocab_size=2000,
        initial_alphabet=alphabet,
        max_token_length=6,
        special_tokens=["<|endoftext|>", "<|im_end|>", "<|im_start|>"],
        show_progress=False,
    )
    core.train_from_iterator(_texts(), learning)
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=core,
        pad_token="<|endoftext|>",
        eos_token="<|im_end|>",
        additional_special_tokens=["<|im_start|>"],
        chat_template=TEMPLATE,
    )


def _texts() -> Iterator[str]:
    match = Match(SPEC, {"press": "none", "last_year": 1903}, 0)
    while not match.over:
        waiting = match.waiting
        for seat in waiting:
            yield from (message["content"] for message in first_messages(reply_form(SPEC), match.game, seat))
        chosen = [(seat, SPEC.bots.players["random"](match.game, seat, match.rng(seat))) for seat in waiting]
        for seat, action in chosen:
            match.apply(seat, action)


class Even:
    """A sampler without a model: any legal token is as likely as another."""

    def publish(self, version: int, folder: Path) -> None: ...

    def retire(self, version: int) -> None: ...

    def close(self) -> None: ...

    def sample(self, asks: Sequence[Ask], version: int, greedy: bool = False) -> list[Sampled]:
        return [self._answer(ask, version) for ask in asks]

    def _answer(self, ask: Ask, version: int) -> Sampled:
        rng = Random(ask.seed)
        result = Sampled([*ask.lead], [0.0] * len(ask.lead), [[] for _ in ask.lead], [], version)
        walker = Walker(ask.slots(()))
        while not walker.done:
            legal = list(walker.allowed)
            token = rng.choice(legal)
            result.completion.append(token)
            result.logprobs.append(-log(len(legal)))
            result.allowed.append(legal if len(legal) > 1 else [])
            if walker.take(token) and walker.done:
                result.chosen.extend(walker.chosen)
                walker = Walker(ask.slots(result.chosen))
        return result


def play_samples(shape: str, groups: int, forks: int) -> list[TrainingSample]:
    """Return the choices of one power in forks of a year each, from the middle of matches, as a training step has them.

    Choices are random ones and so are their advantages: neither changes what a step costs.
    """
    config = TrainConfig.model_validate(
        {
            "run": {"name": "work"},
            "game": {"name": "diplomacy", "options": {"press": "none", "last_year": 1908}},
            "rollout": {
                "groups": groups,
                "samples": forks,
                "horizon": 1,
                "warmup": 12,
                "opponents": {"dumbbot": 1, "territorial": 1},
            },
        }
    )
    recorder = Recorder(":memory:")
    rollouts = Rollouts(config, SPEC, codec(shape), Even(), Bus(recorder))
    ids: list[str] = []
    playing = []
    opponents = mix(config.league, weights_at(config, 1), candidates(config, SPEC))
    for plan in plan_step(config, SPEC, 1, opponents.chances):
        mine = [f"{plan.id}-{number}" for number in range(forks)]
        playing += rollouts.forks(plan, 0, mine)
        ids += mine
    rollouts.play(playing)
    turns = [
        turn
        for episode_id in ids
        for trajectory in trajectories(read(recorder, episode_id), "work")
        for turn in trajectory.decisions
    ]
    recorder.close()
    rng = Random(0)
    return [
        TrainingSample(tuple(t.prompt), t.completion, t.logprobs, t.allowed, t.temperature, rng.gauss(0, 1))
        for t in turns
        if any(t.allowed)
    ]


def asks(shape: str, count: int) -> list[Ask]:
    """Questions of different positions of random play, all powers in turn."""
    result: list[Ask] = []
    for seed in range(count):
        match = Match(SPEC, {"press": "none", "last_year": 1908}, seed)
        while not match.over and len(result) < count:
            waiting = match.waiting
            result += [
                Question(SPEC, codec(shape), match.game, seat).ask(keyed(seed, seat, match.index), 1.0)
                for seat in waiting
                if len(match.game.choices(seat, {})) > 2  # two units and the vote
            ]
            chosen = [(seat, SPEC.bots.players["random"](match.game, seat, match.rng(seat))) for seat in waiting]
            for seat, action in chosen:
                match.apply(seat, action)
    return result[:count]


@dataclass(frozen=True)
class Work:
    """The work of a pass over micro-batches, without padding."""

    tokens: int
    """Computed tokens: a shared prompt counts once."""
    attended: int
    """The sum over tokens of the number of tokens that each attends to, itself included."""
    legal: int
    """The sum over choices of the number of legal tokens, which are rows of the head."""

    @classmethod
    def of(cls, batches: Sequence[MicroBatch]) -> Work:
        rows = [row for batch in batches for row in batch.rows]
        samples = [sample for row in rows for sample in row.samples]
        answers = [(len(sample.prompt), len(sample.completion)) for sample in samples]
        return cls(
            tokens=sum(row.tokens for row in rows),
            attended=sum(_triangle(0, len(row.prompt)) for row in rows) + sum(_triangle(*answer) for answer in answers),
            legal=sum(len(ids) for sample in samples for ids in sample.allowed),
        )

    def flops(self, policy: Policy, *, reference: bool) -> float:
        """FLOP of forward and backward, and of the reference's forward.

        With N the parameters of the body's matrices, frozen, and L those of the adapter's: per token 2 N forward and
        2 N backward (towards the inputs alone), 2 L and 4 L; per token seen 4 * heads * head size * layers forward and
        twice that backward; per legal token at a choice 2 * hidden forward and 2 backward.
        """
        body, adapter, width = sizes(policy)
        hidden = policy.head.shape[1]
        learned = (4 * body + 6 * adapter) * self.tokens + 12 * width * self.attended + 4 * hidden * self.legal
        compared = 2 * body * self.tokens + 4 * width * self.attended + 2 * hidden * self.legal
        return float(learned + (compared if reference else 0))


def _triangle(before: int, length: int) -> int:
    """Tokens seen by `length` tokens that follow `before` others."""
    return length * before + length * (length + 1) // 2


def sizes(policy: Policy) -> tuple[int, int, int]:
    """(parameters of the body's matrices, of the adapter's, heads * head size * layers)."""
    matrices = {name: p.numel() for name, p in policy.decoder.named_parameters() if p.dim() == 2}
    adapter = sum(count for name, count in matrices.items() if "lora_" in name)
    body = sum(count for name, count in matrices.items() if "lora_" not in name and "embed" not in name)
    config: Any = policy.decoder.config
    head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return body, adapter, config.num_attention_heads * head * config.num_hidden_layers
