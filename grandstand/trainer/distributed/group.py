"""Processes that take one gradient step together: the micro-batches of each, and the sum of their gradients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import torch
import torch.distributed as dist
from torch import nn

Result = TypeVar("Result")


class LearnerGroup:
    """One process by itself."""

    def compute(self, order: Sequence[int], result: Callable[[int, bool], Result]) -> dict[int, Result]:
        """Return the results of this process's micro-batches by number, computed in the order of `order`.

        `order` holds the numbers from 0. `result` takes a number and whether the result counts.
        """
        return {number: result(number, True) for number in order}

    def gather(self, results: Mapping[int, Result]) -> Mapping[int, Result]:
        """Return the results of all processes by number. They are the same objects, or copies on the CPU."""
        return results

    def add_gradients(self, parameters: Sequence[nn.Parameter]) -> None:
        """Replace the gradients with their sums over all processes."""


class ProcessGroup(LearnerGroup):
    """A process of torch's default process group, which has to be initialized.

    Micro-batch `number` belongs to process `number` modulo their count, in every pass over the samples. With
    `in_step`, each forward and backward pass gathers weights from all processes, so all of them make equally many:
    those with fewer micro-batches compute micro-batch 0 again, which does not count.
    """

    def __init__(self, *, in_step: bool) -> None:
        self._rank, self._size = dist.get_rank(), dist.get_world_size()
        self._in_step = in_step

    def compute(self, order: Sequence[int], result: Callable[[int, bool], Result]) -> dict[int, Result]:
        results = {number: result(number, True) for number in order if number % self._size == self._rank}
        if self._in_step:
            for _ in range(len(results), -(-len(order) // self._size)):
                result(0, False)
        return results

    def gather(self, results: Mapping[int, Result]) -> Mapping[int, Result]:
        gathered: list[Mapping[int, Result]] = [{}] * self._size
        dist.all_gather_object(gathered, results)
        return {number: result for of_process in gathered for number, result in of_process.items()}

    def add_gradients(self, parameters: Sequence[nn.Parameter]) -> None:
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        joined = torch.cat([gradient.flatten() for gradient in gradients])
        dist.all_reduce(joined)
        for parameter, total in zip(parameters, torch.split(joined, [p.numel() for p in parameters]), strict=True):
            parameter.grad = total.view_as(parameter)
