"""The events of campaigns: episodes without a match, such as tournaments, evaluations, training runs and experiments.

They are wire types, like those of matches in `events.py`.
"""

from __future__ import annotations

from typing import Literal

from grandstand.models import SeatId, Status, Wire
from grandstand.report import ReportUpdated

TRAINING = "training"
"""The game of a training run's own episode."""

TOURNAMENT = "tournament"
"""The game of a tournament's own episode."""

EVALUATION = "evaluation"
"""The game of an evaluation's own episode."""

SERIES = "series"
"""The game of a series' own episode: matches of one line-up."""

EXPERIMENT = "experiment"
"""The game of a sweep's own episode."""

CAMPAIGNS = (TRAINING, TOURNAMENT, EVALUATION, SERIES, EXPERIMENT)
"""The games of campaigns' own episodes."""


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


CAMPAIGN_EVENTS: dict[str, type[Wire]] = {
    kind.__name__: kind
    for kind in (
        LeagueRated,
        PairingsDrawn,
        PairingBegan,
        PairingPlayed,
        ReportUpdated,
    )
}
