"""The sections of a run's settings, but those of what is learned, the league and the backend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from grandstand.games.catalog import FIRST
from grandstand.trainer.config.schedule import Schedule, faults

MAY_CHANGE: dict[str, Any] = {"may_change": True}
"""Marks a setting that may differ when a run is resumed: it does not change what is learned."""

NANO = "nano"
"""Name of the built-in policy."""


class SettingsSection(BaseModel):
    """A section of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)


class RunSettings(SettingsSection):
    """Length of the run, what it keeps and how often it is evaluated."""

    name: str = Field(
        default="run",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
        description="The run's name, and that of its folder.",
    )
    title: str = Field(
        default="",
        max_length=120,
        description="Title of the run and its matches on pages; '' for the run's name.",
        json_schema_extra=MAY_CHANGE,
    )
    seed: int = Field(default=0, ge=0, description="Seed of all random draws of the run.")
    folder: str = Field(
        default="runs",
        min_length=1,
        description="Folder that contains the runs' folders.",
        json_schema_extra=MAY_CHANGE,
    )
    steps: int = Field(
        default=20,
        ge=1,
        le=999_999,  # the names of versions have six digits
        description="Total number of steps, including those before a resume.",
        json_schema_extra=MAY_CHANGE,
    )
    checkpoint_every: int = Field(
        default=5, ge=1, description="Steps from one checkpoint to the next; the league takes its versions from these."
    )
    keep_matches: int = Field(
        default=10,
        ge=0,
        description="Number of newest steps whose matches stay in the record; 0 for all. Their trajectories "
        "always stay.",
        json_schema_extra=MAY_CHANGE,
    )
    eval_every: int = Field(
        default=0, ge=0, description="Steps from one evaluation to the next; 0 for none.", json_schema_extra=MAY_CHANGE
    )
    eval_games: int = Field(default=64, ge=2, description="Matches of one evaluation.", json_schema_extra=MAY_CHANGE)
    eval_whole: bool = Field(
        default=False,
        description="Evaluate in whole matches, rather than in situations like those in training.",
        json_schema_extra=MAY_CHANGE,
    )
    eval_weights: Mapping[str, float] = Field(
        default_factory=dict,
        description="Weights of reward components that an evaluation uses instead of the match's score: "
        "{ result = 1, luck = -1 } is the result of a cricket match less the effect of chance.",
        json_schema_extra=MAY_CHANGE,
    )

    @property
    def shown_as(self) -> str:
        """Return the title of the run."""
        return self.title or self.name


class PolicySettings(SettingsSection):
    """The policy that is trained."""

    model: str = Field(
        default=NANO,
        min_length=1,
        description="`nano`, the small built-in one; the folder of a policy; or a model of the Hugging Face Hub.",
    )
    init: str = Field(
        default="",
        description="A version of another run that the policy starts from: the run's folder for its newest, or the "
        "version's own. Its model is taken too, and nothing is cloned. Empty for a new adapter.",
    )
    lora_rank: int = Field(default=16, ge=1, le=512, description="Rank of the trained adapter.")
    lora_alpha: int = Field(default=0, ge=0, description="The adapter's scale times its rank; 0 means twice the rank.")
    lora_targets: Literal["attention", "mlp", "both"] = Field(default="both", description="Layers that have adapters.")
    lora_dropout: float = Field(default=0, ge=0, lt=1, description="Dropout of the adapter's inputs while learning.")
    dtype: Literal["float32", "bfloat16"] = Field(default="float32", description="Number format of the weights.")
    device: Literal["auto", "cpu", "cuda"] = Field(
        default="auto", description="Device of the policy; `auto` is a GPU if there is one."
    )
    threads: int = Field(
        default=1, ge=1, le=256, description="CPU threads; more than one pays off with large models on an idle machine."
    )
    attention: Literal["sdpa", "flex"] = Field(default="sdpa", description="Attention kernel; `flex` needs a GPU.")
    gradient_checkpointing: bool = Field(
        default=False, description="Recompute activations instead of keeping them: slower, with less memory."
    )


class CloneSettings(SettingsSection):
    """Behaviour cloning before the first step: the policy learns to play as bots do."""

    bots: tuple[str, ...] = Field(
        default=(), description="Bots to imitate, drawn for each seat of a match. With none, nothing is cloned."
    )
    teacher: str = Field(
        default="",
        description="A bot that is asked in every position of the matches, whoever played it, and whose choices are "
        "imitated; empty to imitate the players' own.",
    )
    draws: int = Field(
        default=1, ge=1, le=64, description="Times that the teacher is asked in each position, with other draws."
    )
    games: int = Field(default=200, ge=2, description="Matches that the bots play.")
    epochs: int = Field(default=4, ge=1, description="Passes over the bots' decisions.")
    learning_rate: float = Field(default=1e-3, gt=0, le=1, description="Peak learning rate of the cloning.")
    horizon: float = Field(
        default=0, ge=0, description="Length of these matches in the game's unit; 0 plays them to the end."
    )
    batch_tokens: int = Field(default=16384, ge=256, description="Tokens of a batch.")
    holdout: float = Field(default=0.1, gt=0, lt=1, description="Share of the matches held out for measuring.")


class GameSettings(SettingsSection):
    """The game that is played."""

    name: str = Field(default=FIRST, description="Name of the game.")
    options: Mapping[str, Any] = Field(
        default={}, description="Options of every match, as for `grandstand play --set`."
    )
    trained_seats: int = Field(
        default=1, ge=1, description="Number of seats that the policy plays and learns from in every match."
    )
    only_seat: str = Field(
        default="", description="The seat that the policy always plays; empty for every seat in turn."
    )


class RolloutSettings(SettingsSection):
    """The matches that are played for a step."""

    groups: int = Field(default=8, ge=1, description="Groups of forks, each from a situation of its own.")
    samples: int = Field(
        default=8,
        ge=1,
        description="Forks of each situation: with the same match seed, and different decisions of the policy.",
    )
    horizon: float = Field(default=2, gt=0, description="Length of a fork in the game's unit: years, overs.")
    long_horizon: float = Field(default=4, gt=0, description="The length in some groups.")
    long_horizon_chance: float = Field(default=0, ge=0, le=1, description="Share of groups with the long horizon.")
    warmup: int = Field(
        default=8, ge=0, description="Most turns that bots play before the fork; the number is drawn uniformly."
    )
    warmup_none_chance: float = Field(
        default=0.2,
        ge=0,
        le=1,
        description="Share of groups that fork at the start of the match, besides those that draw 0 turns.",
    )
    temperature: float = Field(
        default=1, gt=0, le=10, description="Temperature at which the policy is sampled and trained."
    )
    buffer_depth: int = Field(default=0, ge=0, le=64, description="Number of steps that are played ahead.")
    max_staleness: int = Field(
        default=2,
        ge=0,
        description="Greatest age in versions of a decision that is learned from; older ones are dropped.",
    )
    batch_groups: int = Field(
        default=0,
        ge=0,
        description="Groups that are played side by side, with one batch of the sampler for all of them; 0 for all of "
        "a step. With backend.engine = ray, they are what one worker plays at a time. Another number changes the "
        "result by rounding only.",
        json_schema_extra=MAY_CHANGE,
    )
    straggler_seconds: float = Field(
        default=300,
        gt=0,
        description="Longest time that a step waits for the last of the groups that are played side by side before it "
        "continues without them.",
    )
    retries: int = Field(default=1, ge=0, le=10, description="Number of times that a failed group is played again.")
    opponents: Mapping[str, Schedule] = Field(
        default={"base": 1.0},
        description="Players of the other seats, by their share of the seats: bots, and the categories `self`, `base` "
        "(the policy before the first step), `past` (its versions in the league), `peer` (those of other main runs), "
        "`exploiter` (those of exploiters), `main` (the newest of each other main run), `exploitable` (players that it "
        "beats), `baseline` (all bots that answer at once), `human` and `league` (all versions, the base and the "
        "baselines). A share that changes over the steps is a list of [step, weight], with straight lines between "
        "them. A main exploiter needs `main`, a league exploiter `league`.",
    )

    @field_validator("opponents", mode="before")
    @classmethod
    def _schedules(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        if lines := [f"{name}: {fault}" for name, schedule in value.items() for fault in faults(schedule)]:
            raise ValueError("\n".join(lines))
        return {
            name: tuple(map(tuple, schedule)) if isinstance(schedule, list) else schedule
            for name, schedule in value.items()
        }


class OptimizerSettings(SettingsSection):
    """AdamW, and the micro-batches of a step."""

    learning_rate: float = Field(default=1e-4, gt=0, le=1, description="Peak learning rate.")
    schedule: Literal["constant", "linear", "cosine"] = Field(
        default="constant",
        description="The learning rate after the warm-up; `linear` and `cosine` end at 0 with the last step.",
    )
    warmup_steps: int = Field(default=0, ge=0, description="Steps in which the learning rate rises from 0.")
    weight_decay: float = Field(default=0, ge=0, le=1, description="Decoupled weight decay.")
    betas: tuple[Annotated[float, Field(ge=0, lt=1)], Annotated[float, Field(ge=0, lt=1)]] = Field(
        default=(0.9, 0.95), description="Decay of the running means of the gradient and the squared gradient."
    )
    max_grad_norm: float = Field(default=1, gt=0, description="Norm to which longer gradients are clipped.")
    epochs: int = Field(default=1, ge=1, le=16, description="Passes over a step's samples.")
    batch_tokens: int = Field(
        default=16384, ge=256, description="Tokens of a micro-batch; it affects the memory, not the result."
    )
    processes: int = Field(
        default=1,
        ge=1,
        le=64,
        description="Processes that take each step together, on a GPU each; they affect the time, not the result.",
        json_schema_extra=MAY_CHANGE,
    )
    shard: bool = Field(
        default=False,
        description="Share the frozen weights of the model's layers among the processes (FSDP), for models that need "
        "the memory; slower.",
        json_schema_extra=MAY_CHANGE,
    )
    max_logprob_gap: float = Field(
        default=1e-4,
        gt=0,
        description="The run stops if sampler and learner differ by more in the log-probability of a token: the "
        "largest difference in float32, the mean difference in bfloat16.",
    )


class VllmSettings(SettingsSection):
    """The vLLM server that the run starts."""

    python: str = Field(
        default="", description="Interpreter of an environment with vLLM; empty for the one that runs the trainer."
    )
    max_cpu_loras: int = Field(default=16, ge=1, description="Most versions kept in memory.")
    gpu_memory: float = Field(default=0.5, gt=0, le=0.95, description="Share of the GPU's memory that it uses.")
    dtype: Literal["auto", "float32", "bfloat16"] = Field(default="auto", description="Its number format.")
    processor: Literal["auto", "v1", "v2", "none"] = Field(
        default="auto",
        description="The vLLM interface that masks illegal tokens; `none` sends a request for every single token.",
    )
    extra: tuple[str, ...] = Field(default=(), description="Additional arguments of its command line.")


class SamplerSettings(SettingsSection):
    """The engine that samples the policy's decisions."""

    engine: Literal["torch", "vllm"] = Field(
        default="torch", description="`torch` samples in this process, `vllm` in a vLLM server."
    )
    batch: int = Field(default=256, ge=1, description="Decisions sampled at a time.")
    vllm: VllmSettings = VllmSettings()


class WatchSettings(SettingsSection):
    """The matches that are published to a server. The token comes from GRANDSTAND_PUBLISH_TOKEN."""

    url: str = Field(
        default="",
        pattern=r"^(https?://\S+)?$",
        description="The Grandstand server that shows them; empty for none.",
        json_schema_extra=MAY_CHANGE,
    )
    share: float = Field(
        default=0.1, ge=0, le=1, description="Share of the matches that are shown.", json_schema_extra=MAY_CHANGE
    )
    per_minute: float = Field(
        default=2, ge=0, description="Most matches shown in a minute.", json_schema_extra=MAY_CHANGE
    )
    pace: float = Field(
        default=1, ge=0, le=60, description="Seconds between the turns shown.", json_schema_extra=MAY_CHANGE
    )


class MetricsSettings(SettingsSection):
    """Destinations of metrics besides the run's own `metrics.parquet` and the bus."""

    tensorboard: bool = Field(
        default=True, description="Write TensorBoard files in the run's folder.", json_schema_extra=MAY_CHANGE
    )
    trackio: bool = Field(
        default=False, description="Log to trackio, which must be installed.", json_schema_extra=MAY_CHANGE
    )
    wandb: bool = Field(
        default=False, description="Log to Weights & Biases, which must be installed.", json_schema_extra=MAY_CHANGE
    )
    aliases: bool = Field(
        default=False,
        description="Write some metrics under a second name too, for dashboards made for those; docs/training.md "
        "lists them.",
        json_schema_extra=MAY_CHANGE,
    )
