"""The progress of a campaign: a bar in a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grandstand.campaigns.campaign import CampaignEstimate, CampaignObserver, CampaignRefused, Outcome, Unit
from grandstand.campaigns.numbers import written
from grandstand.games.base import OptionError
from grandstand.play.headless import MatchPlan, MatchResult
from grandstand.play.writable import unusable
from grandstand.players.llm.budget import Budget
from grandstand.players.roster_file import RosterError
from grandstand.spectator.errors import RecordError
from grandstand.terminal.console import harmless, refuse

LINE_SECONDS = 10.0
"""Seconds between lines without a terminal, few enough to show that the campaign is running."""


@contextmanager
def refusals(verb: str, folder: str) -> Iterator[None]:
    """Print the errors of a campaign and end the command `verb`: with 2 for an invalid request, 1 for a failure.

    `folder` is the name of the option for the folder of records, for errors of writing.
    """
    try:
        yield
    except (OptionError, RosterError, RecordError) as error:
        refuse(verb, str(error), 2, error)
    except OSError as error:
        refuse(verb, unusable(folder, error), 1, error)
    except CampaignRefused as error:
        refuse(verb, str(error), 1, error)


class CampaignProgress(CampaignObserver[Unit, Outcome]):
    """Shows on standard error how many units are done, while the context lasts; nothing if `quiet`.

    `total` is the number of all units, None if there is no last one. `now` returns the latest figures in a few words.
    The user has to confirm an estimate that exceeds `budget`, unless `sure` is true.
    """

    def __init__(
        self,
        title: str,
        total: int | None,
        *,
        quiet: bool = False,
        now: Callable[[], str] = lambda: "",
        budget: Budget | None = None,
        sure: bool = False,
    ) -> None:
        self._title, self._total, self._now = harmless(title), total, now
        self._quiet, self._budget, self._sure = quiet, budget, sure
        self.console = Console(stderr=True, highlight=False, soft_wrap=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        terminal = self.console.is_terminal
        self.bars = Progress(*columns, console=self.console, transient=True, disable=quiet or not terminal)
        self._bar = self.bars.add_task(escape(self._title), total=total)
        self._lines = not quiet and not terminal
        self._done = self._restored = 0
        self._began = self._line_at = time.monotonic()

    def __enter__(self) -> Self:
        self.bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bars.stop()

    def restored(self, outcomes: Sequence[tuple[Unit, Outcome]]) -> None:
        self._restored += len(outcomes)
        self._advance(len(outcomes))

    def ended(self, unit: Unit, outcome: Outcome) -> None:
        self._advance(1)

    def estimated(self, estimate: CampaignEstimate) -> None:
        """Print the estimate, and ask whether to go on if it exceeds the budget. Raises CampaignRefused."""
        if not estimate.left:
            return
        self.bars.stop()
        self.say(estimate.words)
        excess = "" if self._budget is None else estimate.excess(self._budget)
        if excess and not self._sure:
            self._ask(excess)
        self.bars.start()

    def say(self, text: str) -> None:
        """Print a line, unless the progress is quiet."""
        if not self._quiet:
            self.console.print(f"[dim]{escape(text)}[/dim]")

    def _ask(self, excess: str) -> None:
        if not self._quiet and sys.stdin.isatty() and typer.confirm(f"{excess}. Go on until it is spent?", err=True):
            return
        raise CampaignRefused(
            f"the estimate exceeds the budget: {excess}. Plan fewer matches, raise the limit, or continue the same"
            " records with --resume --yes, which stops when the budget is spent"
        )

    def _advance(self, count: int) -> None:
        self._done += count
        words = escape(harmless(self._now()) or self._title)
        self.bars.update(self._bar, completed=self._done, description=words)
        if self._lines and time.monotonic() - self._line_at >= LINE_SECONDS:
            self._line_at = time.monotonic()
            self.say(", ".join(filter(None, (f"{self._title}: {self._progress()}", self._now()))))

    def _progress(self) -> str:
        """Return `12 of 40, 3 min left`."""
        if self._total is None:
            return f"{self._done} done"
        here = self._done - self._restored
        left = (time.monotonic() - self._began) / max(1, here) * (self._total - self._done)
        return f"{self._done} of {self._total}, {written(left, 'seconds')} left"


MatchProgress = CampaignProgress[MatchPlan, MatchResult]
"""The progress of a campaign of matches."""
