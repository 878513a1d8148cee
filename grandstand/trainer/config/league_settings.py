"""Settings of the league, which `grandstand.trainer.league` keeps. No torch."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Role = Literal["main", "main_exploiter", "league_exploiter"]

SELF, BASE, PAST = "self", "base", "past"
"""Opponents that are the policy: its present version, the base, one of its past versions."""
PEER, EXPLOITER, MAIN = "peer", "exploiter", "main"
"""Versions of other main runs; versions of exploiters; the versions of main runs that a main exploiter meets."""
EXPLOITABLE, BASELINE, HUMAN, LEAGUE = "exploitable", "baseline", "human", "league"
"""Players that lose to the policy; bots that answer at once; bots that play as people do; all versions of all runs, the
base and the bots that answer at once."""
CATEGORIES = (BASE, PAST, SELF, PEER, EXPLOITABLE, BASELINE, HUMAN, EXPLOITER, MAIN, LEAGUE)
"""Categories in `rollout.opponents`; all other names there are bots."""


class LeagueSettings(BaseModel):
    """The players that the policy meets: which versions join and stay, and how opponents are chosen among them."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    folder: str = Field(
        default="",
        description="Folder of a league that several runs share; empty for the run's own folder.",
    )
    inherit_from: str = Field(
        default="",
        description="Folder of a run or a league whose versions join as `peer` opponents when this run begins. Only "
        "those on this run's model count, so it usually goes with policy.init.",
    )
    role: Role = Field(
        default="main",
        description="The run's role in the league: main; main_exploiter, which meets main runs (`main`) and begins "
        "anew once it beats them; league_exploiter, which does the same with all players (`league`).",
    )
    reset_score: float = Field(
        default=0.7,
        gt=0.5,
        lt=1,
        description="An exploiter's version joins the league for good at the first checkpoint at which its expected "
        "score against each of the main runs' newest versions is above this; for a league exploiter, against every "
        "version of other runs.",
    )
    reset_after: int = Field(
        default=100,
        ge=0,
        description="Steps after which it does so at the next checkpoint, whatever its scores; 0 for never.",
    )
    reset_chance: float = Field(
        default=1,
        ge=0,
        le=1,
        description="The chance that an exploiter begins anew, from version 0, when its version has joined for good.",
    )
    pfsp: Literal["uniform", "hard", "variance", "even", "nash"] = Field(
        default="uniform",
        description="The chance of a player among those of its category, by p, the policy's expected score against it: "
        "uniform: all alike; hard: in proportion to (1 - p)^2; variance: to p (1 - p); even: to "
        "exp(-(d / 150)^2 / 2), d being the Elo difference 400 log10(p / (1 - p)); nash: its share in the Nash "
        "average of the category's players, by the results between them.",
    )
    prior: float = Field(
        default=4,
        gt=0,
        description="The number of drawn comparisons that every expected score starts with, so that players not yet "
        "met count as equal.",
    )
    half_life: float = Field(
        default=20,
        gt=0,
        description="Steps after which a result of an earlier version counts half in the expected scores.",
    )
    stopped: Literal["score", "reward"] = Field(
        default="score",
        description="What seats of a match that was stopped at its horizon are compared by: score: the standing at "
        "that time; reward: what each has earned since the fork, by reward.weights. Take it where the standing of an "
        "unfinished match says little, as in cricket: even until the chase has had the overs that a result needs (5 of "
        "20, 20 of 50), then all for the side that leads on D/L Standard.",
    )
    human: tuple[str, ...] = Field(
        default=(), description="Bots that play as people do: the members of the category `human`."
    )
    recent: int = Field(
        default=4,
        ge=1,
        description="Number of newest checkpoints whose versions stay; the gaps between older ones double with age.",
    )
    landmark_every: int = Field(
        default=0,
        ge=0,
        description="Steps from one landmark, a version that stays for ever, to the next; a multiple of "
        "run.checkpoint_every, or 0 for none.",
    )
    keep: tuple[Annotated[int, Field(ge=0)], ...] = Field(
        default=(),
        description="Further versions that are never deleted. They are not opponents for that reason.",
        json_schema_extra={"may_change": True},
    )
