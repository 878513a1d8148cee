"""Settings of the machines that a run uses, which `grandstand.trainer.backend` reads. No torch, no Ray."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

_MAY_CHANGE: dict[str, Any] = {"may_change": True}
Amounts = Mapping[str, Annotated[float, Field(gt=0)]]


class BackendSettings(BaseModel):
    """The machines that play the matches and learn: this one alone, or those of a Ray cluster."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    engine: Literal["local", "ray"] = Field(
        default="local",
        description="`local` does everything in this process; `ray` plays the matches in workers of a Ray cluster.",
        json_schema_extra=_MAY_CHANGE,
    )
    address: str = Field(
        default="",
        description="Address of the cluster, such as 10.0.0.1:6379, or `auto` for the one on this machine; empty to "
        "start one on this machine for the time of the run.",
        json_schema_extra=_MAY_CHANGE,
    )
    workers: int = Field(
        default=2,
        ge=1,
        le=1024,
        description="Number of workers, each with a sampler of its own.",
        json_schema_extra=_MAY_CHANGE,
    )
    worker_cpus: float = Field(
        default=1, ge=0, description="Processors that a worker reserves.", json_schema_extra=_MAY_CHANGE
    )
    worker_gpus: float = Field(
        default=0,
        ge=0,
        description="GPUs that a worker reserves; it sees no others. 0.5 puts two workers on one.",
        json_schema_extra=_MAY_CHANGE,
    )
    worker_resources: Amounts = Field(
        default={},
        description="Further resources of Ray that a worker reserves: with { rollout = 1 }, only nodes that were "
        "started with such a resource have workers.",
        json_schema_extra=_MAY_CHANGE,
    )
    learner: Literal["driver", "actor"] = Field(
        default="driver",
        description="`driver` learns in the process of the run; `actor` on a node of the cluster.",
        json_schema_extra=_MAY_CHANGE,
    )
    learner_cpus: float = Field(
        default=1, ge=0, description="Processors that a learner on a node reserves.", json_schema_extra=_MAY_CHANGE
    )
    learner_gpus: float = Field(
        default=0, ge=0, description="GPUs that a learner on a node reserves.", json_schema_extra=_MAY_CHANGE
    )
    learner_resources: Amounts = Field(
        default={},
        description="Further resources of Ray that a learner on a node reserves, as worker_resources.",
        json_schema_extra=_MAY_CHANGE,
    )
