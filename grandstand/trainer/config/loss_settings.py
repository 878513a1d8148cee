"""Settings of the policy loss, which `grandstand.trainer.learning.losses` computes. No torch."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class LossSettings(BaseModel):
    """The policy-gradient loss, by default clipped.

    A sequence is the completion of one decision; its tokens are those that had an alternative.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    variant: Literal["grpo", "dr_grpo", "dapo", "gspo", "cispo"] = Field(
        default="dapo",
        description="grpo: mean over sequences of their tokens' mean; dr_grpo: sum over tokens by a constant length; "
        "dapo: mean over tokens; gspo: one ratio for a sequence, the geometric mean of its tokens'; cispo: clipped "
        "ratios as weights, so that every token keeps a gradient, mean over tokens.",
    )
    clip: bool = Field(
        default=True,
        description="Clip the ratios to the policy at the step's start. false: never, in any variant; the loss is that "
        "of REINFORCE, weighted by the ratios, and epsilon_low and epsilon_high have no effect. Nothing then bounds "
        "what several epochs do to a token.",
    )
    epsilon_low: float = Field(
        default=0.2,
        gt=0,
        le=1,
        description="Ratios to the policy at the step's start are clipped below 1 - this; with 1 and cispo, never.",
    )
    epsilon_high: float = Field(
        default=0.28,
        gt=0,
        description="They are clipped above 1 + this. With gspo on long completions far smaller values take effect: "
        "see gspo/sequence_clipped_fraction.",
    )
    delta: float = Field(
        default=0.0,
        ge=0,
        description="Upper bound of the ratio if the advantage is negative (two-sided clip), above 1 + epsilon_high; "
        "0 for none.",
    )
    importance: Literal["off", "truncate", "mask"] = Field(
        default="truncate",
        description="Weight of the loss by the probability at the step's start over that when sampled: off, "
        "truncate (weights above the cap are reduced to it), mask (those outside 1/cap .. cap become 0).",
    )
    importance_level: Literal["token", "sequence"] = Field(
        default="token", description="token: each token has its own weight; sequence: the product over its sequence."
    )
    importance_cap: float = Field(default=2.0, gt=1, description="Cap of that weight.")
    entropy: float = Field(
        default=0.0, ge=0, description="Weight of the bonus for entropy among the legal tokens, per token."
    )
    dr_grpo_length: int = Field(
        default=32, ge=1, description="Constant length in tokens by which dr_grpo divides a sequence's sum."
    )

    @model_validator(mode="after")
    def _two_sided(self) -> LossSettings:
        if self.delta and not self.clip:
            raise ValueError("delta bounds ratios, which clip = false leaves unbounded: set delta = 0, or clip = true")
        if self.delta and self.variant == "cispo":
            raise ValueError("delta bounds nothing with variant cispo, whose weights are clipped anyway: set delta = 0")
        if self.delta and self.delta <= 1 + self.epsilon_high:
            raise ValueError(
                f"delta {self.delta:g} must be above 1 + epsilon_high, {1 + self.epsilon_high:g}, or 0 for none"
            )
        return self
