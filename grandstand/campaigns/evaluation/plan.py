"""The plan of an evaluation, and the folder of its records, from which it can be resumed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from grandstand.campaigns.evaluation.trials import Trial, trials_of
from grandstand.campaigns.match_executor import Workers
from grandstand.campaigns.match_folder import abandoned, digest, open_folder, settle_parts
from grandstand.campaigns.processes import Runner
from grandstand.campaigns.seating import check_limits, check_seats
from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.play.headless import MatchPlan
from grandstand.play.ratings.seat_records import Spent
from grandstand.players.errors import OnFault
from grandstand.players.roster import roster_of

START = "start"
"""The name that stands for no pack: whole matches, every seat in turn."""

Side = Literal["player", "reference"]


@dataclass(frozen=True)
class EvalRequest:
    """A request for an evaluation. Empty names stand for the defaults."""

    game: str
    player: str
    against: str = ""
    reference: str = ""
    pack: str = ""
    repeats: int = 1
    limit: int = 0
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    roster: Path | None = None
    on_fault: OnFault = "fallback"
    records: Path | None = None
    resume: bool = False
    jobs: int = 0
    concurrency: int = 0
    max_tokens: int | None = None
    max_dollars: float | None = None
    runner: Runner | None = None


@dataclass(frozen=True)
class EvalPlan:
    """The matches of an evaluation, and its parameters."""

    game: str
    player: str
    against: str
    reference: str
    pack: str
    options: dict[str, Any]
    seed: int
    repeats: int
    limit: int
    on_fault: OnFault
    roster: Path | None
    records: Path | None
    trials: list[Trial]
    workers: Workers

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the sides to play; a player that is its own reference plays once."""
        return ("player",) if self.player == self.reference else ("player", "reference")

    @property
    def settings(self) -> dict[str, Any]:
        """Return the settings that a report names."""
        return {
            "game": self.game,
            "player": self.player,
            "against": self.against,
            "reference": self.reference,
            "pack": {"name": self.pack, **quoted(self.game, self.pack)},
            "options": self.options,
            "seed": self.seed,
            "repeats": self.repeats,
            "on_fault": self.on_fault,
        }

    @cached_property
    def description(self) -> dict[str, Any]:
        """Return everything that determines the matches: plans with equal descriptions are equal."""
        return {
            **self.settings,
            "limit": self.limit,
            "roster": {name: digest(roster_of(self.roster).settings(name)) for name in sorted(self.names)},
            "trials": digest([[trial.task.id, trial.task.options, trial.seed] for trial in self.trials]),
        }

    @property
    def names(self) -> set[str]:
        """Return the names of all players."""
        return {self.player, self.against, self.reference}

    @cached_property
    def matches(self) -> dict[tuple[Side, int], MatchPlan]:
        """Return every match by side and number of the trial; the two matches of a trial are adjacent."""
        prefix = digest(self.description)[:8]
        return {
            (side, number): self._match(f"{prefix}-{side}-{number:05d}", side, trial)
            for number, trial in enumerate(self.trials)
            for side in self.sides
        }

    def _match(self, episode_id: str, side: Side, trial: Trial) -> MatchPlan:
        name = self.player if side == "player" else self.reference
        seats = game_spec(self.game).seats(trial.task.options)
        return MatchPlan(
            episode_id=episode_id,
            game=self.game,
            players=tuple(name if seat == trial.task.seat else trial.against for seat in seats),
            options=trial.task.options,
            seed=trial.seed,
            roster=self.roster,
            folder=self.records,
            on_fault=self.on_fault,
            measured=trial.task.seat,
        )


def plan_of(request: EvalRequest) -> EvalPlan:
    """Return the plan of a request. Raises OptionError or RosterError naming the invalid option."""
    spec = game_spec(request.game)
    options = dict(request.options)
    comparison = spec.learning.comparison
    reference = request.reference or (comparison.reference if comparison else spec.bots.default)
    against = request.against or reference
    first = START if comparison is not None and comparison.whole_matches else next(iter(spec.learning.tasks), START)
    pack = request.pack or first
    roster = roster_of(request.roster)
    names = (request.player, against, reference)
    seated = check_seats(roster, spec, [(spec.seats()[0], name) for name in names])
    calls = {player.name for player in seated if player.calls_provider}
    check_limits(roster, calls, request.max_tokens, request.max_dollars)
    if request.resume and request.records is None:
        raise OptionError("resume: set --records to the folder of the evaluation to resume")
    trials = trials_of(
        spec,
        "" if pack == START else pack,
        options,
        (request.player, against),
        repeats=request.repeats,
        limit=request.limit,
        seed=request.seed,
    )
    return EvalPlan(
        game=spec.name,
        player=request.player,
        against=against,
        reference=reference,
        pack=pack,
        options=options,
        seed=request.seed,
        repeats=request.repeats,
        limit=request.limit,
        on_fault=request.on_fault,
        roster=request.roster,
        records=request.records,
        trials=trials,
        workers=Workers.of(bool(calls), request.jobs, request.concurrency, request.runner),
    )


def quoted(game: str, pack: str) -> dict[str, Any]:
    """Return the fields that identify a pack in a report, such as its version."""
    comparison = game_spec(game).learning.comparison
    return comparison.quoted(pack) if comparison and pack != START else {}


def open_records(plan: EvalPlan, resume: bool, held: ExitStack) -> Spent:
    """Create or reopen the folder of records, and return the spending on matches that were abandoned.

    No other process uses it until `held` is closed. Raises OptionError if it belongs to another evaluation.
    """
    if plan.records is None:
        return Spent()
    open_folder(plan.records, plan.description, resume, "evaluation", held)
    settle_parts(plan.records)
    return abandoned(plan.records)
