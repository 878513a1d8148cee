"""The mask inside an engine, against brute force, through whatever vLLM does to its batch.

The harness mimics vLLM's two interfaces; `test_engine.py` has the V1 runner itself, and the real interface of
Model Runner V2, which needs a GPU to run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from grandstand.trainer.model.trie import TokenTrie, Walker
from grandstand.trainer.vllm.processors import Rows, Slots, mask
from grandstand.trainer.vllm.wire import FIELD, Constraint, decode, encode
from tests.support.players.token_options import run_of_slots

VOCABULARY = 12
STOP = 0
SEEDS = st.integers(0, 2**32)


class Direction(Enum):
    UNIDIRECTIONAL = 0
    SWAP = 1


def by_hand(logits: Tensor, allowed: list[int], divide: float) -> list[float]:
    """Log-probabilities of the allowed ids, renormalized among themselves, in double precision."""
    values = [float(logits[token]) / divide for token in allowed]
    top = max(values)
    total = math.log(sum(math.exp(value - top) for value in values))
    return [value - top - total for value in values]


def expected(walker: Walker) -> list[int]:
    return list(walker.allowed) or [STOP]


def check(row: Tensor, before: Tensor, walker: Walker, divide: float) -> None:
    allowed = expected(walker)
    logprobs = row.log_softmax(-1)
    assert (torch.isfinite(row).nonzero().squeeze(1)).tolist() == allowed
    assert logprobs[allowed].tolist() == pytest.approx(by_hand(before, allowed, divide), abs=1e-6)


@dataclass
class Request:
    """One of the harness's requests, with an account of its own of where it is."""

    slots: list[list[list[int]]] | None
    divide: float = 1.0
    output: list[int] = field(default_factory=list)

    @property
    def params(self) -> Any:
        if self.slots is None:
            return SimpleNamespace(extra_args=None)
        return SimpleNamespace(extra_args={FIELD: encode(self.slots, STOP, self.divide)})

    @property
    def walker(self) -> Walker:
        walker = Walker([TokenTrie(slot) for slot in self.slots or []])
        for token in self.output:
            if not walker.done:
                walker.take(token)
        return walker

    def draw(self, rng: Random) -> int:
        free = self.slots is None
        return rng.randrange(VOCABULARY) if free else rng.choice(expected(self.walker))


def request(rng: Random) -> Request:
    return Request(run_of_slots(rng) if rng.random() < 0.8 else None, rng.choice([1.0, 0.65]))


def step(rng: Random, batch: list[Request], masked: Tensor, before: Tensor) -> None:
    """Check every row, then let every request draw a token."""
    for row, item in enumerate(batch):
        if item.slots is None:
            assert torch.equal(masked[row], before[row])
        else:
            check(masked[row], before[row], item.walker, item.divide)
        item.output.append(item.draw(rng))


@given(seed=SEEDS)
def test_rows_follow_what_the_v1_runner_does_to_its_batch(seed: int) -> None:
    """Removed, added in their place or at the end, condensed, swapped: as vLLM's persistent batch does it."""
    rng = Random(seed)
    generator = torch.Generator().manual_seed(seed)
    rows = Rows(None, torch.device("cpu"), False)
    batch: list[Request] = []
    for _ in range(12):
        removed = sorted(rng.sample(range(len(batch)), rng.randint(0, len(batch) // 2)), reverse=True)
        added, moved, free = [], [], sorted(removed)
        slots: dict[int, Request] = {row: first for row, first in enumerate(batch) if row not in removed}
        for _ in range(rng.randint(0, 3)):
            row = free.pop(0) if free else (max(slots, default=-1) + 1)
            slots[row] = request(rng)
            # A preempted request comes back with output of its own.
            for _ in range(rng.randint(0, 2)):
                slots[row].output.append(slots[row].draw(rng))
            added.append((row, slots[row].params, None, slots[row].output))
        gone = [row for row in removed if row in free]
        while free and max(slots, default=-1) > free[0]:
            last, hole = max(slots), free.pop(0)
            slots[hole] = slots.pop(last)
            moved.append((last, hole, Direction.UNIDIRECTIONAL))
        if len(slots) > 1 and rng.random() < 0.5:
            first, other = rng.sample(sorted(slots), 2)
            slots[first], slots[other] = slots[other], slots[first]
            moved.append((first, other, Direction.SWAP))
        batch = [slots[row] for row in range(len(slots))]
        changed = gone or added or moved
        rows.update_state(SimpleNamespace(removed=gone, added=added, moved=moved) if changed else None)
        before = torch.randn(len(batch), VOCABULARY, generator=generator)
        step(rng, batch, rows.apply(before.clone()), before)


class Device:
    """The part of Model Runner V2's request states that processors may read."""

    def __init__(self, slots: int, length: int) -> None:
        self.prompt_len = SimpleNamespace(np=np.zeros(slots, dtype=np.int32))
        self.all_token_ids = SimpleNamespace(gpu=torch.full((slots, length), -7, dtype=torch.int32))


@given(seed=SEEDS)
def test_slots_follow_what_model_runner_v2_does_to_its_batch(seed: int) -> None:
    """Slots are recycled, rows shuffled at every step, prompts read in parts, requests preempted and taken up again."""
    rng = Random(seed)
    generator = torch.Generator().manual_seed(seed)
    device = Device(6, 64)
    slots = Slots(SimpleNamespace(speculative_config=None), device)
    live: dict[int, Request] = {}
    prompts: dict[int, int] = {}
    waiting: list[tuple[Request, int]] = []
    for _ in range(14):
        for slot in [slot for slot in live if rng.random() < 0.2]:
            first, prompt = live.pop(slot), prompts.pop(slot)
            if rng.random() < 0.5:
                waiting.append((first, prompt))
        for slot in sorted(set(range(6)) - live.keys())[: rng.randint(0, 3)]:
            first, prompt = waiting.pop() if waiting else (request(rng), rng.randint(1, 9))
            live[slot], prompts[slot] = first, prompt
            device.prompt_len.np[slot] = prompt
            tokens = [rng.randrange(VOCABULARY) for _ in range(prompt)] + first.output
            device.all_token_ids.gpu[slot, : len(tokens)] = torch.tensor(tokens, dtype=torch.int32)
            assert slots.add_request(slot, first.params) is (first.slots is not None)
        order = rng.sample(sorted(live), len(live))
        if not order:
            continue
        reading = {slot for slot in order if rng.random() < 0.2}
        """Requests whose prompt is read in part: their rows draw nothing."""
        lengths = [
            rng.randint(1, prompts[slot]) if slot in reading else prompts[slot] + len(live[slot].output)
            for slot in order
        ]
        context = SimpleNamespace(idx_mapping_np=np.array(order), seq_lens_upper_bound_np=np.array(lengths))
        before = torch.randn(len(order), VOCABULARY, generator=generator)
        masked = slots.apply(before.clone(), context)
        drawing = [row for row, slot in enumerate(order) if slot not in reading]
        step(rng, [live[order[row]] for row in drawing], masked[drawing], before[drawing])
        for row in drawing:
            slot = order[row]
            device.all_token_ids.gpu[slot, prompts[slot] + len(live[slot].output) - 1] = live[slot].output[-1]


def test_speculative_decoding_is_refused() -> None:
    with pytest.raises(ValueError, match="speculative"):
        Slots(SimpleNamespace(speculative_config=object()), Device(1, 1))


def test_ids_that_the_model_lacks_are_passed_over() -> None:
    logits = torch.zeros(2, 5)
    some, none = (Constraint(decode(encode([slot], STOP))) for slot in ([[2], [7]], [[8], [9]]))
    assert mask(logits, [0, 1], [some, none])[0].isfinite().tolist() == [False, False, True, False, False]
    assert logits[1].isfinite().all()


@pytest.mark.parametrize("kind", [Rows, Slots])
def test_bad_arguments_are_refused_before_they_reach_the_engine(kind: type[Rows | Slots]) -> None:
    kind.validate_params(SimpleNamespace(extra_args=None))
    kind.validate_params(SimpleNamespace(extra_args={"somebody": "else's"}))
    for wrong in ("?", ["?"], 3):
        with pytest.raises(ValueError, match=r"^grandstand: "):
            kind.validate_params(SimpleNamespace(extra_args={FIELD: wrong}))
