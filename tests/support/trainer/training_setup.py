"""The parts that a run uses in order to play and to learn, without the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import Episode, read
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import GroupPlan, candidates, mix, plan_step, weights_at
from grandstand.trainer.learning.samples import Batch, make_batch
from grandstand.trainer.model.policy import Policy, nano, with_adapter
from grandstand.trainer.model.sampler import Sampler
from grandstand.trainer.model.torch_sampler import TorchSampler
from grandstand.trainer.model.versions import Versions
from grandstand.trainer.rollout.rollouts import Fork, Rollouts
from tests.support.trainer.tiny import tiny

CRICKET: dict[str, Any] = {
    "clone": {"bots": ["neutral", "random"], "horizon": 0.5},
    "game": {"name": "cricket", "options": {"overs": 2}},
    "rollout": {"horizon": 0.7, "warmup": 4, "opponents": {"neutral": 1, "base": 1}},
    "reward": {"mode": "dense", "weights": {"runs": 1.0, "win_chance": 5.0}},
}


def cricket(**sections: dict[str, Any]) -> TrainConfig:
    """Return the settings of the tiny run, for cricket."""
    return tiny(**{name: {**CRICKET.get(name, {}), **sections.get(name, {})} for name in {**CRICKET, **sections}})


def bold(policy: Policy) -> Policy:
    """Return the policy with larger logits, so that the probabilities of its choices differ."""
    with torch.no_grad():
        policy.head.mul_(10)
    return policy


def stir(policy: Policy, seed: int, amount: float = 0.05) -> None:
    """Change the adapter's weights, as training does."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for _, parameter in policy.trainable():
            parameter.add_(amount * torch.randn(parameter.shape, generator=generator))


class TrainingSetup:
    """A policy, a sampler with its versions, and a record to play into. Version 0 is published."""

    def __init__(self, config: TrainConfig, folder: Path, base: Callable[[], Policy] | None = None) -> None:
        """`base` makes the policy without its adapter, the same each time; a fresh nano by default."""
        self.config = config
        self.spec = game_spec(config.game.name)
        make = base or (lambda: self.base(self.spec))
        self.policy, playing = (with_adapter(make(), config.policy, seed=2) for _ in range(2))
        self.sampler: Sampler = TorchSampler(playing)
        self.versions = Versions(folder / "versions", config.run.name)
        self.recorder = Recorder(":memory:")
        self.bus = Bus(self.recorder)
        self._played = 0
        self.publish(0)

    @staticmethod
    def base(spec: GameSpec) -> Policy:
        """Return the policy below the adapter, the same each time."""
        return bold(nano(spec, seed=1))

    def publish(self, version: int) -> None:
        """Publish the policy as it is now."""
        self.sampler.publish(version, self.versions.save(version, self.policy.save))

    @property
    def rollouts(self) -> Rollouts:
        return Rollouts(self.config, self.spec, self.policy.codec, self.sampler, self.bus)

    def forks(self, plan: GroupPlan, version: int, samples: int | None = None) -> list[Fork]:
        count = self.config.rollout.samples if samples is None else samples
        self._played += 1
        return self.rollouts.forks(plan, version, [f"{plan.id}-{self._played}-f{n:02d}" for n in range(count)])

    def read(self, forks: list[Fork]) -> list[Episode]:
        return [read(self.recorder, fork.episode_id) for fork in forks]

    def plans(self, step: int) -> list[GroupPlan]:
        """Return the plans of a step, with opponents that are not of a league."""
        opponents = mix(self.config.league, weights_at(self.config, step), candidates(self.config, self.spec))
        return plan_step(self.config, self.spec, step, opponents.chances)

    def play(self, step: int = 1, version: int = 0) -> dict[str, list[Episode]]:
        """Return the episodes of a step's groups, played by `version`, by the group's id."""
        groups = {plan.id: self.forks(plan, version) for plan in self.plans(step)}
        self.rollouts.play([fork for forks in groups.values() for fork in forks])
        return {name: self.read(forks) for name, forks in groups.items()}

    def batch(self, step: int = 1, version: int = 0) -> Batch:
        """Return the samples of a step that `version` plays and learns from."""
        return make_batch(self.config, self.spec, self.play(step, version), version)


@torch.no_grad()
def by_definition(
    policy: Policy,
    prompt: Sequence[int],
    completion: Sequence[int],
    allowed: Sequence[Sequence[int]],
    temperature: float,
) -> list[float]:
    """Return the log-probability of each token of one answer, from the model's own logits, without cache or batch."""
    model: Any = policy.model
    logits = model(input_ids=torch.tensor([[*prompt, *completion]])).logits[0] / temperature
    return [
        logits[len(prompt) - 1 + place, list(ids)].log_softmax(0)[list(ids).index(token)].item() if ids else 0.0
        for place, (token, ids) in enumerate(zip(completion, allowed, strict=True))
    ]
