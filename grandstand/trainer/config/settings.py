"""The settings of a training run: one frozen model for each section of the file. No tensors.

`files.py` reads them, `checks.py` checks them against the game, docs/training-settings.md lists them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Self

from pydantic import BaseModel, model_validator
from pydantic.fields import FieldInfo

from grandstand.trainer.config.backend_settings import BackendSettings
from grandstand.trainer.config.league_settings import LeagueSettings
from grandstand.trainer.config.objective_settings import (
    FEWEST_PEERS,
    AdvantageSettings,
    KLSettings,
    LossSettings,
    RewardSettings,
)
from grandstand.trainer.config.schedule import weight_at
from grandstand.trainer.config.sections import (
    CloneSettings,
    GameSettings,
    MetricsSettings,
    OptimizerSettings,
    PolicySettings,
    RolloutSettings,
    RunSettings,
    SamplerSettings,
    SettingsSection,
    WatchSettings,
)
from grandstand.trainer.health import HealthSettings

VLLM_RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
"""Adapter ranks that vLLM supports."""
LEAST_BF16_GAP = 1e-3
EXPLOITED = {"main_exploiter": "main", "league_exploiter": "league"}
"""Role of an exploiter -> the opponents that it must beat, by their category in `rollout.opponents`."""


class TrainConfig(SettingsSection):
    """The settings of a run. `checks.complaints` checks those that depend on the game."""

    run: RunSettings = RunSettings()
    policy: PolicySettings = PolicySettings()
    clone: CloneSettings = CloneSettings()
    game: GameSettings = GameSettings()
    rollout: RolloutSettings = RolloutSettings()
    league: LeagueSettings = LeagueSettings()
    reward: RewardSettings = RewardSettings()
    advantage: AdvantageSettings = AdvantageSettings()
    loss: LossSettings = LossSettings()
    kl: KLSettings = KLSettings()
    optimizer: OptimizerSettings = OptimizerSettings()
    sampler: SamplerSettings = SamplerSettings()
    backend: BackendSettings = BackendSettings()
    watch: WatchSettings = WatchSettings()
    metrics: MetricsSettings = MetricsSettings()
    health: HealthSettings = HealthSettings()

    @model_validator(mode="after")
    def _together(self) -> Self:
        if complaints := list(self._complaints()):
            raise ValueError("\n".join(complaints))
        return self

    def _complaints(self) -> Iterator[str]:
        """Yield a line for each conflict between settings: key, problem and remedy."""
        rollout = self.rollout
        if rollout.long_horizon_chance and rollout.long_horizon < rollout.horizon:
            yield f"rollout.long_horizon: {rollout.long_horizon:g} is shorter than rollout.horizon, {rollout.horizon:g}"
        if rollout.buffer_depth > rollout.max_staleness:
            yield (
                f"rollout.buffer_depth: what is played {rollout.buffer_depth} steps ahead is older than "
                f"rollout.max_staleness, {rollout.max_staleness}, when it is learned from; raise that, or lower this"
            )
        if rollout.samples < FEWEST_PEERS and self.advantage.baseline in ("group", "leave_one_out"):
            yield (
                f"rollout.samples: {rollout.samples} fork is no group to compare; play {FEWEST_PEERS} or more, or take "
                "advantage.baseline = seat"
            )
        starts = [
            0,
            *(step for points in rollout.opponents.values() if isinstance(points, tuple) for step, _ in points),
        ]
        for step in sorted(set(starts)):
            if not sum(weight_at(schedule, step) for schedule in rollout.opponents.values()):
                when = f" at step {step}" if len(starts) > 1 else ""
                yield f"rollout.opponents: no weight is above 0{when}; give one to `base`, or to a bot"
        if self.league.landmark_every % self.run.checkpoint_every:
            yield (
                f"league.landmark_every: {self.league.landmark_every} is no multiple of run.checkpoint_every, "
                f"{self.run.checkpoint_every}: only versions of checkpoints can stay"
            )
        yield from self._exploiter_complaints()
        yield from self._machine_complaints()
        yield from self._policy_complaints()

    def _policy_complaints(self) -> Iterator[str]:
        policy, sampler = self.policy, self.sampler
        if sampler.engine == "vllm" and policy.lora_rank not in VLLM_RANKS:
            yield (
                f"policy.lora_rank: vLLM has no rank {policy.lora_rank}; "
                f"it has {', '.join(map(str, VLLM_RANKS))}. Take one of these, or sampler.engine = torch"
            )
        if self.advantage.gae_lambda < 1 and self.reward.mode == "sparse":
            yield (
                f"advantage.gae_lambda: {self.advantage.gae_lambda:g} needs rewards by decision; set reward.mode = "
                "dense, or leave it at 1"
            )
        if policy.attention == "flex" and policy.device == "cpu":
            yield "policy.attention: flex needs a GPU; take sdpa, or policy.device = cuda"
        if policy.dtype == "bfloat16" and self.optimizer.max_logprob_gap < LEAST_BF16_GAP:
            yield (
                f"optimizer.max_logprob_gap: bfloat16 cannot hold {self.optimizer.max_logprob_gap:g}; "
                f"allow {LEAST_BF16_GAP:g} or more (0.05 is usual), or take policy.dtype = float32"
            )

    def _exploiter_complaints(self) -> Iterator[str]:
        category = EXPLOITED.get(self.league.role)
        if category is None:
            return
        if not self.league.folder and not self.league.inherit_from:
            yield (
                f"league.folder: a {self.league.role} meets the versions of other runs; name the folder of the league "
                "that it shares with them"
            )
        schedule = self.rollout.opponents.get(category, 0.0)
        if not any(weight for _, weight in schedule) if isinstance(schedule, tuple) else not schedule:
            yield f"rollout.opponents: a {self.league.role} exploits `{category}`; give that a weight above 0"

    def _machine_complaints(self) -> Iterator[str]:
        backend, processes = self.backend, self.optimizer.processes
        if backend.engine == "ray" and not self.rollout.batch_groups:
            yield (
                "rollout.batch_groups: with backend.engine = ray, set the number of groups that one worker plays at a "
                "time, such as 1; with 0, one worker would play all groups of a step"
            )
        if processes > 1 and backend.engine == "ray" and backend.learner == "actor":
            yield (
                f"optimizer.processes: a learner on a node of the cluster is one process, not {processes}; set it to "
                "1, or backend.learner = driver"
            )
        if self.optimizer.shard and processes == 1:
            yield "optimizer.shard: one process shares nothing; set optimizer.processes above 1, or shard = false"

    def values(self) -> dict[str, Any]:
        """Return every setting, defaults included, as data for JSON and TOML: section -> setting -> value."""
        return self.model_dump(mode="json")

    def resolved(self) -> str:
        """Return every setting as a TOML file, which reads back to an equal config."""
        import tomli_w

        return tomli_w.dumps(self.values())

    def digest(self) -> str:
        """Return the SHA-256, in hex, of the settings that must not change when a run is resumed."""
        text = json.dumps(dict(sorted(_fixed(self))), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def changed(was: TrainConfig, now: TrainConfig) -> list[str]:
    """Return a line for each differing setting that blocks resuming `was` with `now`.

    A line reads `kl.beta: it was 0.01, and is 0.02`.
    """
    before, after = dict(_fixed(was)), dict(_fixed(now))
    return [
        f"{key}: it was {json.dumps(before.get(key))}, and is {json.dumps(after.get(key))}"
        for key in sorted({*before, *after})
        if before.get(key) != after.get(key)
    ]


def _fixed(config: TrainConfig) -> Iterator[tuple[str, Any]]:
    """Yield (dotted key, value) of each setting that cannot change during a run.

    The number of steps is one of them if the learning rate depends on it.
    """
    for key, info, value in leaves(config):
        scheduled = key == "run.steps" and config.optimizer.schedule != "constant"
        if scheduled or not (isinstance(info.json_schema_extra, dict) and info.json_schema_extra.get("may_change")):
            yield key, value


def leaves(section: BaseModel, prefix: str = "") -> Iterator[tuple[str, FieldInfo, Any]]:
    """Yield (dotted key, field, JSON value) of every setting in a section and its subsections."""
    data = section.model_dump(mode="json")
    for name, info in type(section).model_fields.items():
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, info, data[name]


def merged(below: Mapping[str, Any], above: Mapping[str, Any], model: type[BaseModel] = TrainConfig) -> dict[str, Any]:
    """Return `below` overridden by `above`, section by section."""
    out = dict(below)
    for name, value in above.items():
        inner = section_of(model, name)
        both = inner and isinstance(value, Mapping) and isinstance(out.get(name), Mapping)
        out[name] = merged(out[name], value, inner) if inner and both else value
    return out


def section_of(model: type[BaseModel], name: str) -> type[BaseModel] | None:
    info = model.model_fields.get(name)
    kind = info.annotation if info else None
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None
