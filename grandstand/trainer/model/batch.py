"""Pack decisions with advantages into micro-batches: siblings with the same prompt share its tokens.

A row is one prompt and the answers given to it, each a branch that sees the prompt and itself:

    ids       p0 p1 p2 | a0 a1 | b0 b1 b2
    position   0  1  2 |  3  4 |  3  4  5
    branch     0  0  0 |  1  1 |  2  2  2
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class TrainingSample:
    """One decision to learn from, with its advantage."""

    prompt: tuple[int, ...]
    completion: Sequence[int]
    logprobs: Sequence[float]
    """The sampler's log-probabilities, over the legal tokens at `temperature`; 0 for a token without an alternative."""
    allowed: Sequence[Sequence[int]]
    temperature: float
    advantage: float
    version: int = 0
    """The version of the policy that sampled it."""

    @property
    def choices(self) -> list[int]:
        """Return the positions of the tokens that had an alternative."""
        return [place for place, ids in enumerate(self.allowed) if ids]


@dataclass
class PromptRow:
    """One prompt and the samples that answer it."""

    prompt: tuple[int, ...]
    samples: list[TrainingSample] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        return len(self.prompt) + sum(len(sample.completion) for sample in self.samples)


@dataclass(frozen=True)
class MicroBatch:
    """Rows that are computed together."""

    rows: Sequence[PromptRow]

    @property
    def samples(self) -> list[TrainingSample]:
        """Return the samples of all rows in order."""
        return [sample for row in self.rows for sample in row.samples]

    @property
    def width(self) -> int:
        return max(row.tokens for row in self.rows)


def pack(samples: Iterable[TrainingSample], tokens: int, *, one_row: bool = False) -> list[MicroBatch]:
    """Return the samples that have a choice, in micro-batches of at most `tokens` tokens, padding included.

    With `one_row` the rows of a micro-batch are concatenated, so that there is no padding. A single
    sample that is longer than the budget is a micro-batch by itself.
    """
    rows = _rows(samples, tokens)
    rows.sort(key=lambda row: row.tokens)
    batches: list[list[PromptRow]] = []
    size = 0
    for row in rows:
        size = (size + row.tokens) if one_row else row.tokens * (len(batches[-1]) + 1 if batches else 1)
        if not batches or size > tokens:
            batches.append([])
            size = row.tokens
        batches[-1].append(row)
    return [MicroBatch(batch) for batch in batches]


def _rows(samples: Iterable[TrainingSample], tokens: int) -> list[PromptRow]:
    """Return the samples in rows: those of one prompt share a row, as many as fit `tokens`."""
    by_prompt: dict[tuple[int, ...], PromptRow] = {}
    full: list[PromptRow] = []
    for sample in samples:
        if not sample.choices:
            continue
        row = by_prompt.setdefault(sample.prompt, PromptRow(sample.prompt))
        if row.samples and row.tokens + len(sample.completion) > tokens:
            full.append(row)
            row = by_prompt[sample.prompt] = PromptRow(sample.prompt)
        row.samples.append(sample)
    return full + list(by_prompt.values())
