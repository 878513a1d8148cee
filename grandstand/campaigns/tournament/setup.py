"""The request for a tournament: its plan from a file or the command line, its players and its matches."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from grandstand.campaign_events import Pairing
from grandstand.campaigns.match_commands import runner_of
from grandstand.campaigns.match_executor import Workers
from grandstand.campaigns.match_folder import digest
from grandstand.campaigns.seating import check_limits, check_seats
from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.play.headless import MatchPlan
from grandstand.players.roster import roster_of

ADJUSTABLE = ("title", "max_tokens", "max_dollars", "pilot")
"""Fields that may change when a tournament is resumed: they do not determine its matches."""


@dataclass(frozen=True)
class TournamentRequest:
    """The options of the command line. `fields` are those of the plan that were set."""

    source: str
    fields: Mapping[str, object]
    roster: Path | None = None
    records: Path | None = None
    resume: bool = False
    jobs: int = 0
    concurrency: int = 0
    command: str = ""
    ray: str = ""


@dataclass(frozen=True)
class TournamentSetup:
    """A tournament's plan with the roster of its players, the folder of its records, and its workers."""

    plan: TournamentPlan
    roster: Path | None
    records: Path | None
    workers: Workers
    kinds: Mapping[str, str]
    """The kind of each player."""

    @cached_property
    def description(self) -> dict[str, Any]:
        """Return everything that determines the matches: setups with equal descriptions are equal."""
        roster = roster_of(self.roster)
        fields = {name: value for name, value in self.plan.to_json().items() if name not in ADJUSTABLE}
        return {
            "kind": "tournament",
            **fields,
            "roster": {name: digest(roster.settings(name)) for name in sorted(self.plan.players)},
        }

    @cached_property
    def _prefix(self) -> str:
        return digest(self.description)[:8]

    def match(self, tournament: Tournament, pairing: Pairing) -> MatchPlan:
        """Return the match of a pairing."""
        setup = tournament.match_of(pairing)
        return MatchPlan(
            episode_id=f"{self._prefix}-{pairing.number:05d}",
            game=self.plan.game,
            players=tuple(pairing.players[seat] for seat in self.plan.seats),
            options=setup.options,
            seed=setup.seed,
            roster=self.roster,
            folder=self.records,
            on_fault=self.plan.on_fault,
        )


def prepare(request: TournamentRequest) -> TournamentSetup:
    """Return the tournament of a request. Raises OptionError or RosterError naming the field."""
    plan = TournamentPlan.of(_fields(request))
    spec, roster = game_spec(plan.game), roster_of(request.roster)
    seated = check_seats(roster, spec, [(spec.seats()[0], name) for name in plan.players])
    calls = [player.name for player in seated if player.calls_provider]
    check_limits(roster, calls, plan.max_tokens, plan.max_dollars)
    if request.resume and request.records is None:
        raise OptionError("resume: set --records to the folder of the tournament to resume")
    runner = runner_of(request.command, request.ray, request.records, plan.max_tokens, plan.max_dollars)
    return TournamentSetup(
        plan=plan,
        roster=request.roster,
        records=request.records,
        workers=Workers.of(bool(calls), request.jobs, request.concurrency, runner),
        kinds={player.name: player.kind for player in seated},
    )


def _fields(request: TournamentRequest) -> dict[str, object]:
    """Return the fields of the plan: those of the file, and over them those of the command line.

    Match options of the command line are added to those of the file.
    """
    file = Path(request.source)
    if file.suffix != ".toml":
        return {"game": request.source, **request.fields}
    try:
        fields: dict[str, object] = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise OptionError(f"{file}: cannot be read: {error.strerror}; name a file of a plan, or a game") from None
    except ValueError as error:
        raise OptionError(f"{file}: is not TOML: {error}") from None
    changes = dict(request.fields)
    options, more = fields.get("options"), changes.get("options")
    if isinstance(options, dict) and isinstance(more, dict):
        changes["options"] = options | more
    return fields | changes
