"""Samples with what a sampler was asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grandstand.spectator.replay import Episode
from grandstand.trainer.model.sampler import Ask, Sampled
from tests.support.trainer.samplers import SamplerWrapper


class RecordingSampler(SamplerWrapper):
    """Keeps every answer that it gave."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self.answers: list[tuple[list[int], Sampled]] = []

    def sample(self, asks: Sequence[Ask], version: int, greedy: bool = False) -> list[Sampled]:
        result = super().sample(asks, version, greedy)
        self.answers += [(list(ask.prompt), item) for ask, item in zip(asks, result, strict=True)]
        return result


def with_events(episode: Episode, change: Any) -> Episode:
    """The episode with its events changed one by one."""
    return Episode(tuple(change(event) for event in episode.events))
