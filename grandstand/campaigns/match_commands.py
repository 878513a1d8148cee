"""Matches that are played by commands of their own: `grandstand play MATCH.json`, here or on other machines."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from grandstand.atomic import lock_folder
from grandstand.campaigns.campaign import Deadline, Stopped
from grandstand.campaigns.match_executor import MatchExecutor, MatchObserver, Workers, failure
from grandstand.campaigns.match_folder import COMMANDS, stored_result
from grandstand.campaigns.processes import Interrupted, ProcessExecutor, Runner, last_line
from grandstand.games.base import OptionError
from grandstand.play.headless import MatchPlan, MatchResult
from grandstand.players.llm.budget import Budget

_READER = TypeAdapter(MatchPlan)


def runner_of(command: str, ray: str, folder: Path | None, *limits: float | None) -> Runner | None:
    """Return the runner that plays each match by a command of its own; None without a template and a cluster.

    `folder` is that of the records, and `limits` are those of the budget. Raises OptionError.
    """
    if not command and not ray:
        return None
    name = "command" if command else "ray"
    if folder is None:
        raise OptionError(f"{name}: matches that are played elsewhere need a folder of records that all machines share")
    if any(limit is not None for limit in limits):
        raise OptionError(f"{name}: a budget holds for matches of one process; leave out the limit, or {name}")
    try:
        return Runner(command=command, engine="ray" if ray else "local", address=ray or "auto")
    except ValidationError as error:
        raise OptionError(str(error.errors()[0]["ctx"]["error"])) from None


def executor_of(workers: Workers, budget: Budget, deadline: Deadline) -> MatchExecutor | MatchCommands:
    """Return the executor of the matches: in this process, in worker processes, or by commands."""
    if workers.runner is None:
        return MatchExecutor(workers, budget, deadline)
    return MatchCommands(workers.runner, workers.jobs, deadline)


class MatchCommands(ProcessExecutor[MatchPlan, MatchResult]):
    """Plays each match by a command; its record, in a folder that all machines share, has the result."""

    def __init__(self, runner: Runner, jobs: int, deadline: Deadline | None = None) -> None:
        super().__init__(jobs, deadline)
        self._runner = runner
        self._lock = -1

    def execute(self, units: Sequence[MatchPlan], observer: MatchObserver | None = None) -> Stopped | None:
        """Play matches; return the reason of an early stop, if any.

        The commands hold a lock, so that nobody plays their matches again if this process is killed.
        """
        with lock_folder(_folder(units[0])) as self._lock:
            return super().execute(units, observer)

    def carry_out(self, unit: MatchPlan, slot: int) -> MatchResult:
        """Play a match. Raises Interrupted, and OSError if no file can be written."""
        folder = _folder(unit)
        file, log = folder / f"{unit.episode_id}.json", folder / f"{unit.episode_id}.log"
        write_match(unit, file)
        words = self._runner.command_line(["play", str(file), "--json"], folder, unit.episode_id, slot)
        with log.open("wb") as errors, open(os.devnull, "wb") as out:
            try:
                status, _ = self.run(words, out, errors, [self._lock])
            except OSError as error:
                return failure(unit, f"{words[0]}: {error.strerror}; check --command")
        result = stored_result(unit)
        if result is None and self.leaving.is_set():
            raise Interrupted
        if result is None:
            return failure(unit, f"the command failed: {last_line(log, 0, status)}")
        file.unlink()
        log.unlink()
        return result


def _folder(match: MatchPlan) -> Path:
    assert match.folder is not None
    return match.folder.resolve() / COMMANDS


def write_match(match: MatchPlan, file: Path) -> None:
    """Write the description of a match, with absolute paths."""
    paths = {"roster": match.roster, "folder": match.folder}
    absolute = {name: None if path is None else str(path.resolve()) for name, path in paths.items()}
    file.write_text(json.dumps({**asdict(match), **absolute}, indent=1) + "\n", "utf-8")


def read_match(file: Path) -> MatchPlan:
    """Return the match that a file describes. Raises OptionError naming the field."""
    try:
        data: Mapping[str, Any] = json.loads(file.read_text("utf-8"))
        return _READER.validate_python(data)
    except OSError as error:
        raise OptionError(f"{file}: cannot be read: {error.strerror}; name the file of a match, or a game") from None
    except ValidationError as error:
        problem = error.errors()[0]
        raise OptionError(f"{file}: {'.'.join(map(str, problem['loc'])) or 'content'}: {problem['msg']}") from None
    except ValueError as error:
        raise OptionError(f"{file}: is not JSON: {error}") from None
