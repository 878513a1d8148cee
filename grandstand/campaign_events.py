"""The events of campaigns: tournaments, training runs and experiments are episodes in which no match is played.

Their types cross the wire as those of matches do, whose types are in `models.py`.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from grandstand.models import Number, SeatId, Status, Wire
from grandstand.report import ReportUpdated

TOURNAMENT = "tournament"
"""The game of a tournament's own episode."""

CAMPAIGNS = ("training", TOURNAMENT, "experiment")
"""The games of episodes that are campaigns."""


class TrainStepped(Wire):
    """A step of a training run: from `version - 1` to `version` of its policy. `metrics` are numbers by name."""

    step: int
    version: int
    metrics: dict[str, float]


class Estimate(Wire):
    """A mean with its 95 per cent interval over `n` independent units; None where the sample is too small."""

    mean: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0


class RatedPlayer(Wire):
    """A player of a league with its rating in Elo points.

    `label` is its name in metrics. A `policy` without a version is the present policy: its versions since the last
    checkpoint. A `peer` is a version of another run. `share` is its share of the Nash average of the payoffs, None if
    it was not computed; `role` is that of its run, empty where all runs have the same.
    """

    name: str
    label: str
    kind: Literal["base", "bot", "policy", "peer"]
    role: str = ""
    version: int | None = None
    landmark: bool = False
    rating: Estimate
    share: float | None = None


class LeaguePayoff(Wire):
    """The results of two rated players, by their labels: every pair of their seats in a match is one of `games`.

    `share` is the share of them that `player` won, ties as half, over independent situations. `differ` holds if it
    differs from one half at 5 per cent for all pairs together.
    """

    player: str
    opponent: str
    wins: int
    draws: int
    losses: int
    games: int
    share: Estimate
    differ: bool = False


class LeagueRated(Wire):
    """The ratings and payoffs of a training run's league after a step, from its newest matches.

    Each pair of players is in `payoffs` at most once.
    """

    step: int
    players: list[RatedPlayer]
    payoffs: list[LeaguePayoff] = []


class Pairing(Wire):
    """A match of a tournament, before it is played: the player of each seat.

    Matches with the same `opening` start from the same seed and situation, so that their players have the same luck.
    """

    number: int
    round: int
    opening: int
    players: dict[SeatId, str]


class PairingsDrawn(Wire):
    """Matches that a tournament plays next. `planned` is the most matches that it may play, these included."""

    planned: int
    pairings: list[Pairing]


class PairingBegan(Wire):
    """A match of a tournament began. `episode_id` is empty if no viewer can watch it."""

    number: int
    episode_id: str = ""


class PairingPlayed(Wire):
    """The end of a tournament's match. `scores` is empty if it was not played to its end, and `message` says why.

    `counted` are the seats whose score is their player's own; `faults` and `fallbacks` are counted by seat.
    """

    number: int
    episode_id: str = ""
    status: Status
    message: str = ""
    scores: dict[SeatId, float] = {}
    counted: list[SeatId] = []
    faults: dict[SeatId, int] = {}
    fallbacks: dict[SeatId, int] = {}


class SettingChange(Wire):
    """A setting in which an arm differs from the baseline, with both values as JSON."""

    key: str
    was: str
    now: str


class ExperimentArm(Wire):
    """A variant of the settings that an experiment runs with every seed.

    A run of an arm that `starts_from` another one begins with the policy of that arm's run of the same seed.
    """

    arm: str
    name: str
    description: str = ""
    steps: int
    changes: list[SettingChange] = []
    starts_from: str = ""


class ExperimentCriterion(Wire):
    """A claim of an experiment, and the rule that decides it: a difference between `arms` in a metric.

    `least_effect` is the least difference that would matter. A wrong verdict has a probability of at most `alpha` if
    the differences are symmetric over the seeds.
    """

    name: str
    metric: str
    comparison: str = Field(description="The difference in a few words, such as `B − A`.")
    arms: list[str]
    direction: Literal["greater", "less", "not_less", "not_greater", "equivalent"]
    least_effect: float
    alpha: float


class ExperimentPlanned(Wire):
    """The plan of an experiment: one run for each arm and seed. It is published again if it has changed.

    The first of `metrics` is the primary one. After the numbers of seeds in `looks`, the experiment may end if every
    criterion is decided. `seconds` is the estimated time of what is left, None if nothing is measured.
    """

    name: str
    hypothesis: str
    description: str = ""
    notes: list[str] = []
    baseline: str
    arms: list[ExperimentArm]
    seeds: list[Number]
    looks: list[int]
    metrics: list[str]
    criteria: list[ExperimentCriterion]
    command: str
    seconds: float | None = None
    estimated_from: str = ""


class ExperimentRunChanged(Wire):
    """The state of a run of an experiment. A run without such an event is planned.

    `cause` is the part that a failure is attributed to. `episode_id` is the episode of the training run, empty if it is
    not published.
    """

    arm: str
    seed: Number
    status: Literal["planned", "running", "interrupted", "failed", "blocked", "completed"]
    stage: Literal["", "waiting", "preparing", "training", "measuring"] = ""
    step: int = 0
    steps: int = 0
    cause: str = ""
    message: str = ""
    episode_id: str = ""


class SeedValue(Wire):
    """A value that the runs of one seed have."""

    seed: Number
    value: float


class ArmResult(Wire):
    """A metric of an arm: its value for each seed, and their mean with its interval over seeds."""

    arm: str
    metric: str
    mean: Estimate
    values: list[SeedValue]


class CriterionVerdict(Wire):
    """The verdict on the criterion with the index `criterion`, and the numbers that it rests on.

    The interval of `difference` has the level `level`. `missing` are the runs, such as `B-s3`, without which the
    criterion is undecided. `power` is the probability of `supported` if the claim were true by the least effect;
    `seeds_needed` are the seeds for a power of 80 per cent. `together`: the difference is significant among all
    criteria together.
    """

    criterion: int
    verdict: Literal["supported", "refuted", "undecided"]
    reason: str
    difference: Estimate
    level: float
    values: list[SeedValue]
    missing: list[str] = []
    p: float | None = None
    effect_size: float | None = None
    power: float | None = None
    seeds_needed: int | None = None
    together: bool = False


class ExperimentAnalysed(Wire):
    """The results of an experiment so far, published after each run that ends."""

    completed: int
    planned: int
    arms: list[ArmResult]
    criteria: list[CriterionVerdict]


CAMPAIGN_EVENTS: dict[str, type[Wire]] = {
    kind.__name__: kind
    for kind in (
        TrainStepped,
        LeagueRated,
        PairingsDrawn,
        PairingBegan,
        PairingPlayed,
        ExperimentPlanned,
        ExperimentRunChanged,
        ExperimentAnalysed,
        ReportUpdated,
    )
}
