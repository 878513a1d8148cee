"""The forward pass of a micro-batch: log-probabilities of every legal token at every choice, with shared prompts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask
from torch.nn.functional import pad

from grandstand.trainer.model.batch import MicroBatch
from grandstand.trainer.model.legal_softmax import LegalTokens, legal_logprobs, token_logprobs
from grandstand.trainer.model.policy import Policy

PADDING = -1
BLOCK = 128
"""Tokens of a block of FlexAttention, either way."""


class Inputs(NamedTuple):
    """A micro-batch as tensors: B rows of L tokens, with N choices in them, of S samples."""

    ids: Tensor
    """Long [B, L]."""
    positions: Tensor
    """Long [B, L]: the position; a branch continues the count of its prompt."""
    document: Tensor
    """Long [B, L]: the token's row of the micro-batch; PADDING if it has none."""
    branch: Tensor
    """Long [B, L]: 0 in the prompt, then the answers from 1."""
    row: Tensor
    """Long [N]: the row of each choice."""
    place: Tensor
    """Long [N]: the index of the token before each choice, whose hidden state predicts it."""
    tokens: Tensor
    """Long [N]: the chosen token."""
    sampled: Tensor
    """Float32 [N]: the sampler's log-probability of it."""
    temperature: Tensor
    """Float32 [N]."""
    sequence: Tensor
    """Long [N]: the sample, 0 .. S-1, in the order of `MicroBatch.samples`."""
    advantage: Tensor
    """Float32 [S]."""
    legal: LegalTokens


class Choices(NamedTuple):
    """Log-probabilities at N choices: `all` [N, K] over the legal tokens, `chosen` [N] of the chosen one."""

    all: Tensor
    chosen: Tensor


def inputs(batch: MicroBatch, policy: Policy, *, one_row: bool) -> Inputs:
    """Return the tensors of a micro-batch on the policy's device; with `one_row`, all rows are one behind the other."""
    lines: list[list[tuple[int, int, int, int]]] = []
    choices: list[tuple[int, int, int, float, float, int]] = []
    allowed: list[list[int]] = []
    sample_number = 0
    for document, row in enumerate(batch.rows):
        if not one_row or not lines:
            lines.append([])
        line, at = lines[-1], len(lines) - 1
        line += [(token, place, document, 0) for place, token in enumerate(row.prompt)]
        end_of_prompt = len(line) - 1
        for branch, sample in enumerate(row.samples, 1):
            start = len(line)
            line += [
                (token, len(row.prompt) + place, document, branch) for place, token in enumerate(sample.completion)
            ]
            for place in sample.choices:
                before = start + place - 1 if place else end_of_prompt
                token = (sample.completion[place], sample.logprobs[place], sample.temperature)
                choices.append((at, before, *token, sample_number))
                allowed.append(list(sample.allowed[place]))
            sample_number += 1
    width = max(map(len, lines))
    padded = [line + [(policy.pad, 0, PADDING, 0)] * (width - len(line)) for line in lines]
    # numpy reads lists several times faster than torch.
    ids, positions, documents, branches = torch.from_numpy(np.array(padded)).to(policy.device).unbind(-1)
    device = policy.device
    columns = (torch.tensor(column, device=device) for column in zip(*choices, strict=True))
    rows, places, tokens, sampled, temperature, sequence = columns
    advantages = torch.tensor([sample.advantage for sample in batch.samples], device=device)
    legal = LegalTokens.of(allowed, device)
    of_choices = rows, places, tokens, sampled, temperature, sequence
    return Inputs(ids, positions, documents, branches, *of_choices, advantages, legal)


def sees(document: Tensor, branch: Tensor) -> Tensor:
    """Return Bool [B, 1, L, L]: whether a token (third axis) attends to another (fourth)."""
    same = document[:, :, None] == document[:, None, :]
    before = torch.ones(document.shape[1], document.shape[1], dtype=torch.bool, device=document.device).tril()
    line = (branch[:, None, :] == 0) | (branch[:, None, :] == branch[:, :, None])
    return (same & before & line)[:, None]


def blocks(document: Tensor, branch: Tensor) -> BlockMask:
    """Return the same for FlexAttention, which computes only the blocks in which a token attends to another.

    They follow from the first and the last document of each block, because documents ascend along a row. Comparing
    every pair of tokens would take memory by the square of the row, 2.6 GB for 16,384 tokens.
    """

    def mask(row: Tensor, head: Tensor, to: Tensor, of: Tensor) -> Tensor:
        line = (branch[row, of] == 0) | (branch[row, of] == branch[row, to])
        return (document[row, of] == document[row, to]) & (to >= of) & line

    def listed(pairs: Tensor) -> tuple[Tensor, Tensor]:
        """Return (number of blocks, their indices first) for each block that attends."""
        order = pairs.int().argsort(dim=2, descending=True, stable=True)
        return pairs.sum(dim=2, dtype=torch.int32)[:, None], order.int()[:, None]

    width = document.shape[1]
    ends = pad(torch.where(document == PADDING, width, document), (0, -width % BLOCK), value=width)
    first, last = ends.view(len(document), -1, BLOCK).aminmax(dim=2)
    prompt = pad(branch, (0, -width % BLOCK), value=1).view(len(document), -1, BLOCK).amax(dim=2) == 0
    before = torch.ones(first.shape[1], first.shape[1], dtype=torch.bool, device=document.device).tril()
    some = (first[:, None] <= last[:, :, None]) & (last[:, None] >= first[:, :, None]) & before
    same = (first == last)[:, :, None] & (first == last)[:, None] & (first[:, None] == first[:, :, None])
    whole = same & prompt[:, None] & before.tril(-1)
    return BlockMask.from_kv_blocks(
        *listed(some & ~whole), *listed(whole), BLOCK, mask_mod=mask, seq_lengths=(width, width)
    )


def choices(policy: Policy, batch: Inputs, *, flex: bool = False) -> Choices:
    """Return the policy's log-probabilities at every choice; the output head is applied at the choices alone."""
    mask: Any = blocks(batch.document, batch.branch) if flex else sees(batch.document, batch.branch)
    out = policy.hidden(batch.ids, attention_mask=mask, position_ids=batch.positions, use_cache=False)
    hidden = out.last_hidden_state[batch.row, batch.place]
    logs = legal_logprobs(hidden, policy.head, batch.legal, batch.temperature)
    return Choices(logs, token_logprobs(logs, batch.legal, batch.tokens))
