"""The sampler in this process: batched, with a key-value cache; each distinct prompt is read once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from random import Random

import torch
from torch import Tensor
from transformers import DynamicCache

from grandstand.trainer.model.legal_softmax import LegalTokens, legal_logprobs
from grandstand.trainer.model.merged_policy import MergedPolicy
from grandstand.trainer.model.policy import Policy, read_adapter
from grandstand.trainer.model.sampler import Ask, Sampled
from grandstand.trainer.model.trie import Walker


class _PartialAnswer:
    """An answer that is being sampled."""

    __slots__ = ("_ask", "_lead", "_walker", "allowed", "chosen", "completion", "entropy", "logprobs", "rng")

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._lead = list(ask.lead)
        self._walker = Walker(ask.slots(()))
        self.rng = Random(ask.seed)
        self.chosen: list[int] = []
        self.completion: list[int] = []
        self.logprobs: list[float] = []
        self.allowed: list[list[int]] = []
        self.entropy = 0.0

    @property
    def options(self) -> Sequence[int]:
        """Return the tokens that may come next; none if the answer is complete."""
        done = len(self.completion)
        return (self._lead[done],) if done < len(self._lead) else self._walker.allowed

    def take(self, token: int, logprob: float, options: Sequence[int]) -> None:
        done = len(self.completion)
        self.completion.append(token)
        self.logprobs.append(logprob)
        self.allowed.append(list(options) if len(options) > 1 else [])
        if done >= len(self._lead) and self._walker.take(token) and self._walker.done:
            self.chosen += self._walker.chosen
            self._walker = Walker(self._ask.slots(self.chosen))


class TorchSampler:
    """Samples with a policy of its own, into which it loads the adapter of the version that is asked for."""

    def __init__(self, policy: Policy, batch: int = 256, *, merge: bool = False) -> None:
        """`batch` answers are sampled at a time. With `merge` adapters are added to the weights, which is faster."""
        self._merged = MergedPolicy(policy) if merge else None
        self._policy = self._merged.policy if self._merged else policy
        self._batch = batch
        self._lock = threading.Lock()
        self._adapters: dict[int, dict[str, Tensor]] = {}
        self._version: int | None = None

    def publish(self, version: int, folder: Path) -> None:
        state = read_adapter(folder)
        with self._lock:
            self._adapters[version] = state
            self._unload(version)

    def retire(self, version: int) -> None:
        with self._lock:
            self._adapters.pop(version, None)
            self._unload(version)

    def close(self) -> None:
        self._adapters.clear()

    def sample(self, asks: Sequence[Ask], version: int, greedy: bool = False) -> list[Sampled]:
        with self._lock, torch.inference_mode():
            self._load(version)
            # Sorted by length, so that little is padded; the order is restored.
            order = sorted(range(len(asks)), key=lambda number: (len(asks[number].prompt), number))
            answers: dict[int, _PartialAnswer] = {}
            for at in range(0, len(order), self._batch):
                part = order[at : at + self._batch]
                batch = self._answer([asks[number] for number in part], greedy)
                answers.update(zip(part, batch, strict=True))
        return [
            Sampled(answer.completion, answer.logprobs, answer.allowed, answer.chosen, version, answer.entropy)
            for answer in (answers[number] for number in range(len(asks)))
        ]

    def _load(self, version: int) -> None:
        if self._version != version:
            if version in self._adapters:
                (self._merged or self._policy).load_adapter(self._adapters[version])
            elif version or self._adapters:
                raise KeyError(f"version {version} was not published; there are {sorted(self._adapters)}")
            self._version = version

    def _unload(self, version: int) -> None:
        """Forget that the version is loaded, so that it is loaded again when it is needed."""
        if self._version == version:
            self._version = None

    def _answer(self, asks: Sequence[Ask], greedy: bool) -> list[_PartialAnswer]:
        policy = self._policy
        answers = whole = [_PartialAnswer(ask) for ask in asks]
        temperature = torch.tensor([ask.temperature for ask in asks], device=policy.device)
        hidden, cache, mask = self._read([tuple(ask.prompt) for ask in asks])
        active = [number for number, answer in enumerate(answers) if answer.options]
        rows = list(range(len(asks)))
        while active:
            tokens = self._draw([answers[n] for n in active], hidden[active], temperature[active], greedy)
            left = [at for at, n in enumerate(active) if answers[n].options]
            if not left:
                break
            if len(left) < len(rows):
                keep = torch.tensor([active[at] for at in left], device=policy.device)
                cache.batch_select_indices(keep)
                mask, temperature = mask[keep], temperature[keep]
                answers = [answers[n] for n in keep.tolist()]
                tokens = [tokens[at] for at in left]
                rows = active = list(range(len(left)))
            mask = torch.cat([mask, mask.new_ones(len(rows), 1)], dim=1)
            out = policy.hidden(
                torch.tensor(tokens, device=policy.device)[:, None],
                attention_mask=mask,
                position_ids=mask.sum(dim=1, keepdim=True) - 1,
                past_key_values=cache,
                use_cache=True,
            )
            hidden = out.last_hidden_state[:, -1]
        return whole

    def _read(self, prompts: Sequence[tuple[int, ...]]) -> tuple[Tensor, DynamicCache, Tensor]:
        """Return the hidden state after each prompt, the cache and the mask. Each distinct prompt is computed once."""
        policy = self._policy
        first = {prompt: number for number, prompt in enumerate(dict.fromkeys(prompts))}
        width = max(map(len, first))
        ids = torch.full((len(first), width), policy.pad, device=policy.device)
        mask = torch.zeros(len(first), width, dtype=torch.long, device=policy.device)
        for prompt, row in first.items():
            ids[row, width - len(prompt) :] = torch.tensor(prompt, device=policy.device)
            mask[row, width - len(prompt) :] = 1
        positions = (mask.cumsum(dim=1) - 1).clamp(min=0)
        out = policy.hidden(ids, attention_mask=mask, position_ids=positions, use_cache=True)
        rows = torch.tensor([first[prompt] for prompt in prompts], device=policy.device)
        out.past_key_values.batch_select_indices(rows)
        return out.last_hidden_state[:, -1][rows], out.past_key_values, mask[rows]

    def _draw(self, answers: Sequence[_PartialAnswer], hidden: Tensor, temperature: Tensor, greedy: bool) -> list[int]:
        """Append the next token of each answer."""
        options = [answer.options for answer in answers]
        free = [number for number, ids in enumerate(options) if len(ids) > 1]
        tokens = [ids[0] for ids in options]
        logprobs = [0.0] * len(answers)
        if free:
            legal = LegalTokens.of([options[number] for number in free], hidden.device)
            logs = legal_logprobs(hidden[free], self._policy.head, legal, temperature[free])
            likely = logs.double().exp()
            if greedy:
                place = logs.argmax(dim=1)
            else:
                draws = torch.tensor([answers[number].rng.random() for number in free], dtype=torch.float64)
                below = likely.cumsum(dim=1).cpu() <= draws[:, None]
                last = legal.mask.sum(dim=1).cpu() - 1
                place = below.sum(dim=1).minimum(last).to(hidden.device)
            picked = logs.gather(1, place[:, None]).squeeze(1).tolist()
            spread = torch.special.entr(likely).sum(dim=1).tolist()
            for number, at, logprob, nats in zip(free, place.tolist(), picked, spread, strict=True):
                tokens[number], logprobs[number] = options[number][at], logprob
                answers[number].entropy += nats
        for answer, token, logprob, ids in zip(answers, tokens, logprobs, options, strict=True):
            answer.take(token, logprob, ids)
        return tokens
