"""The plan of an evaluation, and the folder of its records, from which it can be resumed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from grandstand.commands.console import match_options
from grandstand.commands.running import Workers, check_seats
from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.play.evaluation import Trial, trials_of
from grandstand.play.headless import UNFINISHED, MatchPlan, MatchResult, OnFault, result_of
from grandstand.play.statistics import Spent, seat_records
from grandstand.players.roster import roster_of
from grandstand.spectator.errors import RecordError
from grandstand.spectator.record_file import intact_events, read_episode

START = "start"
"""The name that stands for no pack: whole matches, every seat in turn."""

PLAN = "plan.json"
ABANDONED = "abandoned.jsonl"
"""Files in the folder of records: the plan's description, and the spending on matches that were abandoned."""

Side = Literal["player", "reference"]


@dataclass(frozen=True)
class EvalRequest:
    """The options of the command line. Empty names stand for the defaults."""

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
    prompts: dict[str, str]
    """Player -> the hash of everything that shapes its prompts, of players that have some."""

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
            "roster": {name: _digest(roster_of(self.roster).settings(name)) for name in sorted(self.names)},
            "trials": _digest([[trial.task.id, trial.task.options, trial.seed] for trial in self.trials]),
        }

    @property
    def names(self) -> set[str]:
        """Return the names of all players."""
        return {self.player, self.against, self.reference}

    @cached_property
    def matches(self) -> dict[tuple[Side, int], MatchPlan]:
        """Return every match by side and number of the trial; the two matches of a trial are adjacent."""
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
    """Return the plan of a request. Raises OptionError or RosterError naming the invalid option."""
    spec = game_spec(request.game)
    options = match_options(request.settings)
    comparison = spec.comparison
    reference = request.reference or (comparison.reference if comparison else spec.default_bot)
    against = request.against or reference
    first = START if comparison is not None and comparison.whole_matches else next(iter(spec.tasks), START)
    pack = request.pack or first
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
        prompts={player.name: player.prompt for player in seated if player.prompt},
    )


def _check_limits(request: EvalRequest, calls: set[str]) -> None:
    """Check the requirements of limits and resumption. Raises OptionError."""
    for name in ("max_tokens", "max_dollars"):
        if getattr(request, name) is not None and not calls:
            raise OptionError(f"{name}: no player calls a provider, so nothing is spent; leave it out")
    if request.max_dollars is not None:
        roster = roster_of(request.roster)
        for player in sorted(calls):
            if roster.price(player) is None:
                raise OptionError(f"max_dollars: {player} has no price; set price_in and price_out in the roster")
    if request.resume and request.records is None:
        raise OptionError("resume: set --records to the folder of the evaluation to resume")


def quoted(game: str, pack: str) -> dict[str, Any]:
    """Return the fields that identify a pack in a report, such as its version."""
    comparison = game_spec(game).comparison
    return comparison.quoted(pack) if comparison and pack != START else {}


@dataclass
class StoredRecords:
    """The stored results of an evaluation: finished matches, and the spending on abandoned ones."""

    results: dict[tuple[Side, int], MatchResult]
    abandoned: Spent

    @property
    def spent(self) -> Spent:
        """Return the total spending so far, in all seats."""
        spent = Spent()
        spent.add(self.abandoned)
        for result in self.results.values():
            for record in result.seats:
                spent.add(record.spent)
        return spent


def open_records(plan: EvalPlan, resume: bool) -> StoredRecords:
    """Create the folder of records, or read its results. Raises OptionError if it belongs to another evaluation."""
    stored = StoredRecords({}, Spent())
    folder = plan.records
    if folder is None:
        return stored
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / PLAN
    if file.exists():
        _check_same(file, plan.description)
        if not resume:
            raise OptionError(f"records: {folder} contains this evaluation already; continue it with --resume")
    elif any(folder.iterdir()):
        raise OptionError(f"records: {folder} is not empty and contains no evaluation; name another folder")
    else:
        file.write_text(json.dumps(plan.description, indent=1) + "\n", "utf-8")
    for key, match in plan.matches.items():
        if match.file is not None and match.file.exists():
            try:
                events = read_episode(match.file).events
            except RecordError as error:
                raise OptionError(f"records: {error}; delete the file to play the match again") from None
            stored.results[key] = result_of(match, events)
            _check_prompts(plan, match, stored.results[key])
    _settle_parts(folder)
    stored.abandoned = _abandoned(folder)
    return stored


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
        changed = [player for player in description[name] if before[name].get(player) != description[name][player]]
        difference = f"the roster's settings of {', '.join(changed)} have changed"
    else:
        difference = f"{name} is {json.dumps(before.get(name))} there and {json.dumps(description[name])} now"
    raise OptionError(f"records: {file.parent} contains another evaluation: {difference}; name another folder")


def _check_prompts(plan: EvalPlan, match: MatchPlan, result: MatchResult) -> None:
    """Raise OptionError if a player of a stored match had another prompt than it has now."""
    for record in result.seats:
        now = plan.prompts.get(record.player, "")
        if record.prompt and record.prompt != now:
            raise OptionError(
                f"records: {match.file}: {record.player} played with prompt {record.prompt}, and has "
                f"{now or 'none'} now; name another folder"
            )


def _settle_parts(folder: Path) -> None:
    """Replace the unfinished records in the folder by a note of what was spent on them."""
    for part in sorted(folder.glob(f"*{UNFINISHED}")):
        spent = Spent()
        for record in seat_records(intact_events(part)):
            spent.add(record.spent)
        with (folder / ABANDONED).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"match": part.name, **asdict(spent)}) + "\n")
        part.unlink()


def _abandoned(folder: Path) -> Spent:
    spent = Spent()
    file = folder / ABANDONED
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        values = json.loads(line)
        del values["match"]
        spent.add(Spent(**values))
    return spent


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()
