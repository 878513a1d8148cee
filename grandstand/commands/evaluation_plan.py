"""What an evaluation is to play, and the folder that keeps its records so that it can go on after a stop."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from grandstand.commands.play import setting
from grandstand.commands.running import Workers, check_seats
from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.models import Event
from grandstand.play.evaluation import Trial, trials_of
from grandstand.play.headless import UNFINISHED, MatchPlan, MatchResult, OnFault, result_of
from grandstand.play.statistics import Spent, seat_records
from grandstand.players.roster import roster_of
from grandstand.spectator.errors import RecordError
from grandstand.spectator.replay import from_lines

START = "start"
"""The pack that is none: whole matches, every seat in turn."""

PLAN = "plan.json"
ABANDONED = "abandoned.jsonl"
"""In the folder of records: what is evaluated; and what was spent on matches that were given up."""

Side = Literal["player", "reference"]


@dataclass(frozen=True)
class EvalRequest:
    """What is to be evaluated, as the command line says it. Empty names stand for the defaults."""

    game: str
    player: str
    against: str = ""
    reference: str = ""
    pack: str = ""
    repeats: int = 1
    limit: int = 0
    seed: int = 0
    settings: Sequence[str] = ()
    roster: Path | None = None
    on_fault: OnFault = "fallback"
    records: Path | None = None
    resume: bool = False
    jobs: int = 0
    concurrency: int = 0
    max_tokens: int | None = None
    max_dollars: float | None = None


@dataclass(frozen=True)
class EvalPlan:
    """What is to be played, and what to say of it."""

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
        """Whose matches are played; a player that is its own reference plays once."""
        return ("player",) if self.player == self.reference else ("player", "reference")

    @cached_property
    def description(self) -> dict[str, Any]:
        """All that decides what is played: two plans are the same where this is the same."""
        return {
            "game": self.game,
            "player": self.player,
            "against": self.against,
            "reference": self.reference,
            "pack": {"name": self.pack, **quoted(self.game, self.pack)},
            "options": self.options,
            "seed": self.seed,
            "repeats": self.repeats,
            "limit": self.limit,
            "on_fault": self.on_fault,
            "roster": {name: _digest(roster_of(self.roster).settings(name)) for name in sorted(self.names)},
            "trials": _digest([[trial.task.id, trial.task.options, trial.seed] for trial in self.trials]),
        }

    @property
    def names(self) -> set[str]:
        """Everybody who plays."""
        return {self.player, self.against, self.reference}

    @cached_property
    def matches(self) -> dict[tuple[Side, int], MatchPlan]:
        """Every match by side and number of the trial: a trial's two matches follow each other."""
        digest = _digest(self.description)[:8]
        return {
            (side, number): self._match(f"{digest}-{side}-{number:05d}", side, trial)
            for number, trial in enumerate(self.trials)
            for side in self.sides
        }

    def _match(self, episode_id: str, side: Side, trial: Trial) -> MatchPlan:
        name = self.player if side == "player" else self.reference
        seats = game_spec(self.game).seats
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
    """Return the plan of a request. Raises OptionError or RosterError naming what cannot be used."""
    spec = game_spec(request.game)
    options = dict(map(setting, request.settings))
    comparison = spec.comparison
    reference = request.reference or (comparison.reference if comparison else next(iter(spec.bots)))
    against = request.against or reference
    pack = request.pack or next(iter(spec.tasks), START)
    roster = roster_of(request.roster)
    names = (request.player, against, reference)
    seated = check_seats(roster, spec, [(spec.seats[0], name) for name in names])
    calls = {player.name for player in seated if player.calls_provider}
    _check_limits(request, calls)
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
        workers=Workers.of(bool(calls), request.jobs, request.concurrency),
    )


def _check_limits(request: EvalRequest, calls: set[str]) -> None:
    """Check that what limits and resumption need is there. Raises OptionError."""
    for name in ("max_tokens", "max_dollars"):
        if getattr(request, name) is not None and not calls:
            raise OptionError(f"{name}: no player calls a provider, so nothing is spent; leave it out")
    if request.max_dollars is not None:
        roster = roster_of(request.roster)
        for player in sorted(calls):
            if roster.settings(player)["options"]["price_in"] is None:
                raise OptionError(f"max_dollars: {player} has no price; set price_in and price_out in the roster")
    if request.resume and request.records is None:
        raise OptionError("resume: set --records to the folder of the evaluation that is to go on")


def quoted(game: str, pack: str) -> dict[str, Any]:
    """Return what to quote of a pack with a result."""
    comparison = game_spec(game).comparison
    return comparison.quoted(pack) if comparison and pack != START else {}


@dataclass
class Kept:
    """What a folder of records holds of an evaluation: whole matches, and what went on those given up."""

    results: dict[tuple[Side, int], MatchResult]
    abandoned: Spent

    @property
    def spent(self) -> Spent:
        """All that was spent so far, in all seats."""
        spent = Spent()
        spent.add(self.abandoned)
        for result in self.results.values():
            for record in result.seats:
                spent.add(record.spent)
        return spent


def open_records(plan: EvalPlan, resume: bool) -> Kept:
    """Make the folder of records, or take up what it holds. Raises OptionError where it is not this evaluation's."""
    kept = Kept({}, Spent())
    folder = plan.records
    if folder is None:
        return kept
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / PLAN
    if file.exists():
        _check_same(file, plan.description)
        if not resume:
            raise OptionError(f"records: {folder} holds this evaluation already; go on with --resume")
    elif any(folder.iterdir()):
        raise OptionError(f"records: {folder} is not empty and holds no evaluation; name another folder")
    else:
        file.write_text(json.dumps(plan.description, indent=1) + "\n", "utf-8")
    for key, match in plan.matches.items():
        if match.file is not None and match.file.exists():
            kept.results[key] = result_of(match, _read(match.file))
    _settle_parts(folder)
    kept.abandoned = _abandoned(folder)
    return kept


def _check_same(file: Path, description: dict[str, Any]) -> None:
    try:
        before = json.loads(file.read_text("utf-8"))
        differs = [name for name in description if before.get(name) != description[name]]
    except (ValueError, AttributeError) as error:
        raise OptionError(f"records: {file} is damaged: {error}; name another folder") from None
    if not differs:
        return
    name = differs[0]
    if name == "roster":
        changed = [who for who in description[name] if before[name].get(who) != description[name][who]]
        told = f"the roster's settings of {', '.join(changed)} have changed"
    else:
        told = f"{name} is {json.dumps(before.get(name))} there and {json.dumps(description[name])} now"
    raise OptionError(f"records: {file.parent} holds another evaluation: {told}; name another folder")


def _read(file: Path) -> Sequence[Event]:
    try:
        with file.open(encoding="utf-8") as lines:
            return from_lines(lines).events
    except (RecordError, UnicodeDecodeError) as error:
        raise OptionError(f"records: {file}: {error}; delete the file to play the match again") from None


def _settle_parts(folder: Path) -> None:
    for part in sorted(folder.glob(f"*{UNFINISHED}")):
        spent = Spent()
        for record in seat_records(_readable(part)):
            spent.add(record.spent)
        with (folder / ABANDONED).open("a", encoding="utf-8") as file:
            line = {"match": part.name, "calls": spent.calls, "tokens_in": spent.tokens_in}
            line |= {"tokens_out": spent.tokens_out, "dollars": spent.dollars, "seconds": spent.seconds}
            file.write(json.dumps(line) + "\n")
        part.unlink()


def _readable(part: Path) -> list[Event]:
    """The events of a record that was cut off: a last line that is not whole is left out."""
    events = []
    for line in part.read_text("utf-8", "replace").splitlines()[1:]:
        try:
            events.append(Event.model_validate_json(line))
        except ValueError:
            break
    return events


def _abandoned(folder: Path) -> Spent:
    spent = Spent()
    file = folder / ABANDONED
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        told = json.loads(line)
        del told["match"]
        spent.add(Spent(**told))
    return spent


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()
