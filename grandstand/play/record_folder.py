"""The folder of records of an evaluation or a tournament, from which it can be resumed.

It has the record of each match, `plan.json`, which describes everything that determines the matches, and
`abandoned.jsonl`, the spending on matches that were abandoned.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any

from grandstand.atomic import lock_folder
from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.play.headless import UNFINISHED, MatchPlan, MatchResult, result_of
from grandstand.play.ratings.statistics import Spent, seat_records
from grandstand.play.writable import check_folder
from grandstand.players.roster import roster_of
from grandstand.spectator.errors import RecordError
from grandstand.spectator.record_file import intact_events, read_episode

PLAN = "plan.json"
ABANDONED = "abandoned.jsonl"
RECORD = "tournament.jsonl"
"""The record of a tournament's own episode."""
ENDING_SECONDS = 5.0
"""Seconds to wait for a process that is ending: the workers of one that was killed end after it."""


def open_folder(folder: Path, description: Mapping[str, Any], resume: bool, kind: str, held: ExitStack) -> None:
    """Create the folder, or check that it holds what `description` says, and hold it until `held` is closed.

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
    _hold(folder, kind, held)


def _hold(folder: Path, kind: str, held: ExitStack) -> None:
    """Keep other processes out of the folder: two in one would take each other's unfinished records for abandoned."""
    end = time.monotonic() + ENDING_SECONDS
    while True:
        try:
            held.enter_context(lock_folder(folder))
            return
        except BlockingIOError:
            if time.monotonic() > end:
                raise OptionError(
                    f"records: another process plays the {kind} in {folder}; wait for its end, or stop it"
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
    """Return the result of a match whose record is complete; None if it is to be played. Raises OptionError."""
    if match.file is None or not match.file.exists():
        return None
    try:
        events = read_episode(match.file).events
    except RecordError as error:
        raise OptionError(f"records: {error}; delete the file to play the match again") from None
    result = result_of(match, events)
    _check_prompts(match, result)
    return result


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


def record_files(folder: Path, unfinished: bool = False) -> list[Path]:
    """Return the records in a folder, and then the unfinished ones if they are wanted. Raises RecordError if none."""
    files = sorted(path for path in folder.glob("*.jsonl") if path.name != ABANDONED)
    files += sorted(folder.glob(f"*.jsonl{UNFINISHED}")) if unfinished else []
    if not files:
        raise RecordError(f"{folder}: contains no records; name a folder of records or a data folder")
    return files


def settle_parts(folder: Path) -> Spent:
    """Replace unfinished records by a note of their cost, and return the cost of all abandoned matches."""
    for part in sorted(folder.glob(f"*{UNFINISHED}")):
        settle_part(part)
    return abandoned(folder)


def settle_part(part: Path) -> Spent:
    """Replace one unfinished record by a note of its cost, which is returned."""
    spent = Spent()
    for record in seat_records(intact_events(part)):
        spent.add(record.spent)
    with (part.parent / ABANDONED).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"match": part.name, **asdict(spent)}) + "\n")
    part.unlink()
    return spent


def abandoned(folder: Path) -> Spent:
    """Return the spending on all matches that were abandoned."""
    spent = Spent()
    file = folder / ABANDONED
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        values = json.loads(line)
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
