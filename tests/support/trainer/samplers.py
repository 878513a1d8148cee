"""Samplers for tests, and what rollouts contain."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grandstand.spectator.replay import Episode
from grandstand.trainer.model.sampler import Ask, Sampled, Sampler


class SamplerWrapper:
    """A sampler around another, for one that does something else now and then."""

    def __init__(self, inner: Sampler) -> None:
        self.inner = inner
        self.calls = 0

    def publish(self, version: int, folder: Path) -> None:
        self.inner.publish(version, folder)

    def retire(self, version: int) -> None:
        self.inner.retire(version)

    def sample(self, asks: Sequence[Ask], version: int, greedy: bool = False) -> list[Sampled]:
        self.calls += 1
        return self.inner.sample(asks, version, greedy)

    def close(self) -> None:
        self.inner.close()


class GreedySampler(SamplerWrapper):
    """Always the likeliest: siblings then choose the same."""

    def sample(self, asks: Sequence[Ask], version: int, greedy: bool = False) -> list[Sampled]:
        return super().sample(asks, version, greedy=True)


def content(episode: Episode) -> list[tuple[str, Any, Any]]:
    """Return all but times, places and titles."""
    return [
        (event.type, event.audience, {name: value for name, value in event.data.items() if name != "title"})
        for event in episode.events
    ]
