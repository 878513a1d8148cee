"""The runs of a sweep as the plan of a campaign."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.campaigns.campaign import CampaignEstimate
from grandstand.trainer.sweep.analysis import analyse
from grandstand.trainer.sweep.expansion import Sweep, SweepRun
from grandstand.trainer.sweep.layout import State, state_of


class SweepPlan:
    """The runs of a sweep up to one look after the other, until every criterion is decided."""

    def __init__(self, sweep: Sweep, estimated: CampaignEstimate | None = None) -> None:
        self._sweep, self._estimated = sweep, estimated
        self._looks = list(sweep.file.all_looks)

    def draw(self) -> Sequence[SweepRun]:
        if not self._looks or analyse(self._sweep).decided:
            return []
        return self._sweep.until_look(self._looks.pop(0))

    def stored(self, run: SweepRun) -> State | None:
        state = state_of(self._sweep, run)
        return state if state == "completed" else None

    def add(self, run: SweepRun, state: State) -> None:
        """Do nothing: the folders of the runs have all results."""

    def pilot(self, runs: Sequence[SweepRun]) -> Sequence[SweepRun]:
        """Return no runs: the estimate has a pilot of its own, of one step."""
        return []

    def estimate(self) -> CampaignEstimate | None:
        return self._estimated
