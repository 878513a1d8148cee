"""Rating models by name. Each rates the players of many matches; `DEFAULT` is that of leaderboards and campaigns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Protocol, cast

from grandstand.play.ratings.intervals import LEVEL
from grandstand.play.ratings.table import RatingTable, ScoredMatch


class RatingModel(Protocol):
    """A model of the strengths of players."""

    def __call__(
        self, results: Iterable[ScoredMatch], anchors: Mapping[str, float] | None = None, level: float = LEVEL
    ) -> RatingTable:
        """Return the ratings of all players of `results`, every pair of them and the effects of the seats.

        `anchors` are the ratings of reference players, in Elo points: all ratings are moved so that the references
        have the mean of theirs. Without any, the mean of all players is MIDDLE. `level` is the coverage of the
        intervals, and of the decisions on all pairs together. Raises RatingError.
        """


DEFAULT = "plackett-luce"
MODELS: Mapping[str, str] = {
    DEFAULT: "The order of all seats of a match, all matches at once (Plackett and Luce).",
    "pairs": "Every two seats of a match by themselves, all matches at once (Bradley and Terry).",
    "online": "One match after another, without effects of seats, as in the lobby (Weng and Lin).",
}
"""Name -> a description of the model."""
_MODULES = {DEFAULT: "plackett_luce", "pairs": "pairs", "online": "online"}


def rating_model(name: str = DEFAULT) -> RatingModel:
    """Return a model. Most of them import numpy, which is therefore loaded with the first."""
    return cast(RatingModel, import_module(f"grandstand.play.ratings.{_MODULES[name]}").rate)
