"""What the policy loss can be. `grandstand.trainer.losses` computes it; these settings need no torch."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class LossSettings(BaseModel):
    """The clipped policy-gradient loss. A sequence is the answer of one turn, a token one real choice in it."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    variant: Literal["grpo", "dr_grpo", "dapo", "gspo", "cispo"] = Field(
        default="dapo",
        description="grpo: mean over sequences of their tokens' mean; dr_grpo: sum over tokens by a constant length; "
        "dapo: mean over tokens; gspo: one ratio for a sequence, the geometric mean of its tokens'; cispo: clipped "
        "ratios as weights, so that every token keeps a gradient, mean over tokens.",
    )
    epsilon_low: float = Field(
        default=0.2,
        gt=0,
        le=1,
        description="A ratio to the policy at the step's start is clipped below 1 - this; at 1, with cispo, never.",
    )
    epsilon_high: float = Field(
        default=0.28,
        gt=0,
        description="It is clipped above 1 + this. With gspo on long answers far smaller ones bite: see "
        "gspo/sequence_clipped_fraction.",
    )
    delta: float = Field(
        default=0.0,
        ge=0,
        description="Bound of the ratio where the advantage is negative (two-sided clip), above 1 + epsilon_high; 0 "
        "for none.",
    )
    importance: Literal["off", "truncate", "mask"] = Field(
        default="truncate",
        description="How the loss is weighted by the probability at the step's start over that when sampled: off, "
        "truncate (weights above the cap are cut to it), mask (those outside 1/cap .. cap count nothing).",
    )
    importance_level: Literal["token", "sequence"] = Field(
        default="token", description="Whether that weight is each token's own, or the product over its sequence."
    )
    importance_cap: float = Field(default=2.0, gt=1, description="The cap of that weight.")
    entropy: float = Field(
        default=0.0, ge=0, description="Weight of the bonus for entropy among the legal tokens, per token."
    )
    dr_grpo_length: int = Field(
        default=32, ge=1, description="The constant length that dr_grpo divides a sequence's sum by, in tokens."
    )

    @model_validator(mode="after")
    def _two_sided(self) -> LossSettings:
        if self.delta and self.variant == "cispo":
            raise ValueError("delta bounds nothing with variant cispo, whose weights are clipped anyway: set delta = 0")
        if self.delta and self.delta <= 1 + self.epsilon_high:
            raise ValueError(
                f"delta {self.delta:g} must be above 1 + epsilon_high, {1 + self.epsilon_high:g}, or 0 for none"
            )
        return self
