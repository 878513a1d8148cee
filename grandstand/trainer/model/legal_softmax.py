"""The probability of a token among the legal ones, at a temperature. The one function of sampler and learner.

    p(token) = exp(logit(token) / T) / sum over the legal tokens of exp(logit / T)

A token without an alternative has log-probability 0 by this definition, and is not computed. The head is applied to the
legal tokens alone: of a vocabulary of 150,000 a few dozen rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

BYTES = 256 * 1024 * 1024
"""Bytes of the head's rows that are gathered at a time."""


class LegalTokens(NamedTuple):
    """The legal tokens at N choices, padded to the largest number K of them."""

    ids: Tensor
    """Long [N, K]; 0 where padded."""
    mask: Tensor
    """Bool [N, K]."""

    @classmethod
    def of(cls, allowed: Sequence[Sequence[int]], device: torch.device | str = "cpu") -> LegalTokens:
        """Return the legal tokens of N choices; `allowed[n]` are the ids that are legal at choice n."""
        width = max(map(len, allowed), default=1)
        ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in allowed], dtype=torch.long)
        legal = torch.tensor([[True] * len(row) + [False] * (width - len(row)) for row in allowed])
        return cls(ids.view(len(allowed), width).to(device), legal.view(len(allowed), width).to(device))

    def place(self, tokens: Tensor) -> Tensor:
        """Return Long [N]: the index of each of `tokens` [N] in its row of `ids`."""
        return ((self.ids == tokens[:, None]) & self.mask).int().argmax(dim=1)


def legal_logprobs(hidden: Tensor, head: Tensor, legal: LegalTokens, temperature: Tensor | float) -> Tensor:
    """Return the log-probabilities of the legal tokens, Float32 [N, K]; minus infinity where padded.

    `hidden` [N, H] is the model's last hidden state at the choices, `head` [V, H] its output embedding, `temperature`
    a number or [N].
    """
    rows = max(1, BYTES // max(1, legal.ids.shape[1] * head.shape[1] * head.element_size()))
    parts = [
        torch.einsum("nh,nkh->nk", hidden[at : at + rows], head[legal.ids[at : at + rows]])
        for at in range(0, len(hidden), rows)
    ]
    logits = torch.cat(parts).float() if parts else hidden.new_zeros(legal.ids.shape, dtype=torch.float32)
    scale = temperature[:, None] if isinstance(temperature, Tensor) else temperature
    return (logits / scale).masked_fill(~legal.mask, -torch.inf).log_softmax(dim=1)


def token_logprobs(logprobs: Tensor, legal: LegalTokens, tokens: Tensor) -> Tensor:
    """Return Float32 [N]: the log-probabilities of `tokens` [N], given the result of `legal_logprobs`."""
    return logprobs.gather(1, legal.place(tokens)[:, None]).squeeze(1)


def entropy(logprobs: Tensor, legal: LegalTokens) -> Tensor:
    """Return the exact entropy over the legal tokens, in nats: Float32 [N]."""
    finite = logprobs.masked_fill(~legal.mask, 0.0)
    return -(finite.exp() * finite).masked_fill(~legal.mask, 0.0).sum(dim=1)
