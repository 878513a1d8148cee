"""The settings of what is learned: rewards, advantages, the policy loss and the KL penalty. No tensors."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, field_validator, model_validator

from grandstand.games.training import Rewards

POLICY = "policy"
"""Name of the trained policy among the ratings."""
ELO = "elo"
"""The final component for (score - Elo-expected score), in -1..1."""
_NOT_THE_GAMES = {ELO, "step", "final"}
"""Names that a game's components must not have, because metrics use them."""
CreditMode = Literal["dense", "sparse"]
OPPONENT_RATING, EXPECTED_SCORE = "opponent_rating", "expected_score"
"""Features of every game: the mean rating of the opponents in the league when the match began, and the policy's
expected score against them by these ratings. They rest on earlier matches alone, never on events of the match."""
OPPONENT_FEATURES = frozenset({OPPONENT_RATING, EXPECTED_SCORE})
FEWEST_PEERS = 2
"""Fewest units to compare, the decision's own included."""
BETA_MIN, BETA_MAX = 0.001, 0.5
"""Bounds of beta when it is steered, so that the penalty neither vanishes nor outweighs the reward."""


def _form(value: object) -> Literal["table", "word"]:
    return "word" if isinstance(value, str) else "table"


class RewardSettings(BaseModel):
    """Weights of the reward components, and how rewards are credited to decisions."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    mode: CreditMode = Field(
        default="dense",
        description="dense: a decision is credited with the discounted rewards after it; sparse: every decision with "
        "the sum over the whole trajectory.",
    )
    gamma: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="Discount per decision in dense mode; 0 credits a decision only with the rewards until the next "
        "one, and the last one also with the final components.",
    )
    weights: Mapping[str, float] = Field(
        default_factory=dict,
        description="Component of the game -> weight of one of its units; components not listed count 0.",
    )
    settings: Mapping[str, float] = Field(
        default_factory=dict, description="Parameters of the game's components that differ from its defaults."
    )
    elo_scale: float = Field(
        default=0.0,
        ge=0,
        description="Weight of (score - Elo-expected score) as an extra final component; 0 for none. Where all "
        "siblings have the same opponents, the expected score is the same too, and a group's baseline cancels it.",
    )
    ratings: Annotated[
        Annotated[Mapping[str, float], Tag("table")] | Annotated[Literal["league"], Tag("word")],
        Discriminator(_form),
    ] = Field(
        default_factory=dict,
        description="For elo_scale: the Elo ratings of `policy`, `base`, `past`, `peer` and `exploiter`, and of bots "
        "by name; or those that the league had estimated before the step's matches began.",
    )

    @property
    def worth(self) -> dict[str, float]:
        """Return the weight of each component that counts."""
        worth = {**self.weights, ELO: self.elo_scale}
        return {name: weight for name, weight in worth.items() if weight}


def resolve(settings: RewardSettings, rewards: Rewards) -> RewardSettings:
    """Return the settings with the game's defaults filled in.

    Raises ValueError naming the settings that the game does not have, and those that it has.
    """
    for field, names, available in (
        ("weights", settings.weights, rewards.components),
        ("settings", settings.settings, rewards.settings),
    ):
        if unknown := [name for name in names if name not in available]:
            raise ValueError(f"reward.{field}: {', '.join(unknown)} unknown; there are {', '.join(available)}")
    if clash := _NOT_THE_GAMES & set(rewards.components):
        raise ValueError(f"a game's component cannot be called {', '.join(sorted(clash))}: rename it")
    if not settings.worth:
        raise ValueError(f"reward.weights: nothing counts; give a weight to one of {', '.join(rewards.components)}")
    return settings.model_copy(update={"settings": {**rewards.settings, **settings.settings}})


class AdvantageSettings(BaseModel):
    """The peers that a decision is compared with, and the scale of the comparison."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    baseline: Literal["group", "leave_one_out", "stratified", "seat"] = Field(
        default="group",
        description="The mean return of: group (all siblings, itself included), leave_one_out (its siblings only), "
        "seat (the same seat in the other episodes of the batch), stratified (likewise, in the same strata).",
    )
    strata: Mapping[str, tuple[float, ...]] = Field(
        default_factory=dict,
        description="For stratified: feature of the position before the choice -> ascending thresholds; [3, 5] parts "
        "positions into up to 3, up to 5, and above. Besides the game's features there are `opponent_rating`, the mean "
        "rating of the opponents in the league when the match began, and `expected_score`, the policy's against them.",
    )
    normalize: Literal["group", "none"] = Field(
        default="group",
        description="group: divide by the standard deviation of the peers' returns (GRPO); none: do not, so that "
        "positions weigh by what is at stake in them (Dr. GRPO).",
    )
    batch_normalize: bool = Field(
        default=False, description="Then scale the whole batch to mean 0 and standard deviation 1."
    )
    clip: float = Field(
        default=10.0, gt=0, description="Greatest absolute advantage; larger ones are clipped, last of all."
    )
    gae_lambda: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="Share of a decision's credit for later events that is taken from the events; the rest is taken "
        "from the mean return of the next decision's peers. 1 is the return alone. Lower values have less variance; "
        "they are right where peers are in similar positions, as with stratified. Below 1 it needs dense rewards.",
    )

    @field_validator("strata")
    @classmethod
    def _ascending(cls, strata: Mapping[str, tuple[float, ...]]) -> Mapping[str, tuple[float, ...]]:
        for name, thresholds in strata.items():
            if not thresholds or any(b <= a for a, b in pairwise(thresholds)):
                raise ValueError(f"the thresholds of {name} must be one or more, ascending: {list(thresholds)}")
        return strata

    @model_validator(mode="after")
    def _strata_where_stratified(self) -> AdvantageSettings:
        if (self.baseline == "stratified") != bool(self.strata):
            raise ValueError(
                f"baseline is {self.baseline} and strata has {len(self.strata)} features: give strata to the baseline "
                "stratified, and to no other"
            )
        return self


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


class KLSettings(BaseModel):
    """The penalty beta * KL(policy, reference), per token."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    reference: Literal["base", "frozen", "ema"] = Field(
        default="base",
        description="The reference policy: base (the model without its adapter), frozen (the policy at the start "
        "of the "
        "run), ema (a moving average of the policy).",
    )
    estimator: Literal["exact", "k3"] = Field(
        default="exact",
        description="exact: the sum over the legal tokens; k3: an estimate from the sampled token alone.",
    )
    beta: float = Field(
        default=0.01, ge=0, description="Weight of the penalty; 0 for none. With a target: its initial value."
    )
    warmup_steps: int = Field(default=0, ge=0, description="Steps in which beta rises linearly from 0 to its value.")
    target: float = Field(
        default=0.0, ge=0, description="KL per token that beta is steered towards; 0 leaves beta constant."
    )
    ema_tau: float = Field(default=0.99, ge=0, lt=1, description="Decay of the ema reference at each step.")

    @model_validator(mode="after")
    def _bounds(self) -> KLSettings:
        if self.target and not BETA_MIN <= self.beta <= BETA_MAX:
            raise ValueError(
                f"beta {self.beta:g} is outside {BETA_MIN:g} .. {BETA_MAX:g}, between which target steers it: begin "
                "inside, or set target = 0"
            )
        return self
