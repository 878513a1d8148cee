"""The JSON document of a series of matches: its players' totals and the result of every match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from grandstand.campaigns.campaign import Stopped
from grandstand.play.headless import MatchPlan, MatchResult
from grandstand.play.ratings.seat_records import PlayerTotals, player_totals


@dataclass(frozen=True)
class EndedSeries:
    """The matches with the results of those that were played, and the reason for an early stop, if any."""

    plans: Sequence[MatchPlan]
    results: Sequence[MatchResult]
    stopped: Stopped | None
    seconds: float

    @property
    def totals(self) -> dict[str, PlayerTotals]:
        """Return the totals of every player."""
        return player_totals(result.seats for result in self.results)


def document(ended: EndedSeries) -> dict[str, Any]:
    """Return the series as it is printed with `--json`."""
    first, stopped = ended.plans[0], ended.stopped
    return {
        "game": first.game,
        "options": first.options,
        "matches": len(ended.results),
        "complete": stopped is None,
        "stopped": "" if stopped is None else stopped.why,
        "first_seed": first.seed,
        "on_fault": first.on_fault,
        "seconds": round(ended.seconds, 3),
        "matches_per_second": round(len(ended.results) / ended.seconds, 2) if ended.seconds else 0.0,
        "players": {name: total.to_json() for name, total in ended.totals.items()},
        "results": [asdict(result) for result in ended.results],
        "planned": len(ended.plans),
    }


def measures_of(document: Mapping[str, Any]) -> list[str]:
    """Return the names of the measures that the game took of every seat."""
    return list(dict.fromkeys(name for row in document["players"].values() for name in row["measures"]))
