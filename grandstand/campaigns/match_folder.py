"""The folder of records of a campaign of matches, from which it can be resumed.

It has the record of each match, `plan.json`, which describes everything that determines the matches of an evaluation or
a tournament, and `abandoned.jsonl`, the spending on matches that were abandoned.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any

from grandstand.atomic import lock_folder
from grandstand.events import EpisodeCreated, SeedSet
from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.models import Event
from grandstand.play.headless import MatchPlan, MatchResult, result_of
from grandstand.play.ratings.seat_records import Spent, seat_records
from grandstand.play.record_folder import ABANDONED, UNFINISHED, part_of
from grandstand.play.writable import check_folder
from grandstand.players.roster import roster_of
from grandstand.spectator.errors import RecordError
from grandstand.spectator.record_file import intact_events, read_episode

PLAN = "plan.json"
COMMANDS = "commands"
"""The folder of the commands that play matches: descriptions, output, and a lock that they hold."""
ENDING_SECONDS = 5.0
"""Seconds to wait for the lock: workers of a process that was killed end after it."""


def open_folder(folder: Path, description: Mapping[str, Any], resume: bool, kind: str, held: ExitStack) -> None:
    """Create the folder, or check that its matches are those of `description`, and lock it until `held` is closed.

    `kind` is "evaluation" or "tournament". Raises OptionError naming the difference and the remedy.
    """
    check_folder("records", folder)
    file = folder / PLAN
    if file.exists():
        _check_same(file, description, kind)
        if not resume:
            raise OptionError(f"records: {folder} contains this {kind} already; continue it with --resume")
    elif any(folder.iterdir()):
        raise OptionError(f"records: {folder} is not empty and contains no {kind}; name another folder")
    else:
        file.write_text(json.dumps(description, indent=1) + "\n", "utf-8")
    hold_folder(folder, kind, held)


def hold_folder(folder: Path, kind: str, held: ExitStack) -> None:
    """Lock a folder against other processes, each of which would treat the other's unfinished records as abandoned.

    Raises OptionError if another process does not end soon.
    """
    end = time.monotonic() + ENDING_SECONDS
    _lock(folder, kind, end, held)
    if (folder / COMMANDS).is_dir():  # a process that was killed may have left commands at work
        with ExitStack() as soon:
            _lock(folder / COMMANDS, kind, end, soon)


def _lock(folder: Path, kind: str, end: float, held: ExitStack) -> None:
    while True:
        try:
            held.enter_context(lock_folder(folder))
            return
        except BlockingIOError:
            if time.monotonic() > end:
                raise OptionError(
                    f"records: another process plays the {kind} in {folder}; wait for its end, or name another folder"
                ) from None
        time.sleep(0.1)


def _check_same(file: Path, description: Mapping[str, Any], kind: str) -> None:
    try:
        before = json.loads(file.read_text("utf-8"))
        differs = [name for name in description if before.get(name) != description[name]]
    except (ValueError, AttributeError) as error:
        raise OptionError(f"records: {file} is damaged: {error}; name another folder") from None
    if not differs:
        return
    name = differs[0]
    stored = before.get(name)
    if name == "roster" and isinstance(stored, dict):
        changed = [player for player in description[name] if stored.get(player) != description[name][player]]
        difference = f"the roster's settings of {', '.join(changed)} have changed"
    else:
        difference = f"{name} is {json.dumps(stored)} there and {json.dumps(description[name])} now"
    raise OptionError(f"records: {file.parent} contains another {kind}: {difference}; name another folder")


def stored_result(match: MatchPlan) -> MatchResult | None:
    """Return the result of a match whose record is complete; None if it is to be played.

    Raises OptionError if the record is damaged, or is that of another match.
    """
    if match.file is None or not match.file.exists():
        return None
    try:
        events = read_episode(match.file).events
    except RecordError as error:
        raise OptionError(f"records: {error}; delete the file to play the match again") from None
    _check_match(match, events)
    result = result_of(match, events)
    _check_prompts(match, result)
    return result


def _check_match(match: MatchPlan, events: Sequence[Event]) -> None:
    """Raise OptionError if a record is that of another match."""
    created = EpisodeCreated.model_validate(events[0].data)
    seeds = [SeedSet.model_validate(event.data).seed for event in events[:2] if event.type == SeedSet.__name__]
    there = (created.game, created.rules, [seat.player for seat in created.seats], created.options, *seeds)
    now = (match.game, game_spec(match.game).rules.version, list(match.players), dict(match.options), match.seed)
    for name, before, value in zip(("game", "rules", "players", "options", "seed"), there, now, strict=True):
        if json.dumps(before, sort_keys=True) != json.dumps(value, sort_keys=True):
            raise OptionError(
                f"records: {match.file} is another match: {name} {json.dumps(before)} there and {json.dumps(value)} "
                "now; name another folder"
            )


def _check_prompts(match: MatchPlan, result: MatchResult) -> None:
    """Raise OptionError if a player of a stored match had another prompt than it has now."""
    seating = roster_of(match.roster).episode(game_spec(match.game))
    for record in result.seats:
        now = seating.player(record.player, record.seat).prompt if record.prompt else ""
        if record.prompt != now:
            raise OptionError(
                f"records: {match.file}: {record.player} played with prompt {record.prompt}, and has "
                f"{now or 'none'} now; name another folder"
            )


def settle_parts(folder: Path) -> None:
    """Replace unfinished records by notes of their cost."""
    for part in sorted(folder.glob(f"*{UNFINISHED}")):
        settle_part(part)


def settle_part(part: Path) -> Spent:
    """Replace one unfinished record by a note of its cost, which is returned."""
    spent = Spent()
    for record in seat_records(intact_events(part)):
        spent.add(record.spent)
    with (part.parent / ABANDONED).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"match": part.name, **asdict(spent)}) + "\n")
    part.unlink()
    return spent


def abandoned(folder: Path, matches: Sequence[MatchPlan] | None = None) -> Spent:
    """Return the spending on all matches that were abandoned, or on those of `matches`."""
    spent = Spent()
    file = folder / ABANDONED
    names = None if matches is None else {part_of(match.file).name for match in matches if match.file is not None}
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        values = json.loads(line)
        if names is None or values["match"] in names:
            del values["match"]
            spent.add(Spent(**values))
    return spent


def spent_on(results: Iterable[MatchResult], abandoned: Spent) -> Spent:
    """Return the spending on matches in all seats, and on those that were abandoned."""
    spent = Spent()
    spent.add(abandoned)
    for result in results:
        for record in result.seats:
            spent.add(record.spent)
    return spent


def digest(value: Any) -> str:
    """Return a digest of JSON data."""
    text = json.dumps(value, sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()
