"""Matches that are played by commands of their own: `grandstand play MATCH.json`, here or on other machines."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from grandstand.campaigns.campaign import Deadline
from grandstand.campaigns.match_executor import failure
from grandstand.campaigns.match_folder import stored_result
from grandstand.campaigns.processes import Interrupted, ProcessExecutor, Runner, last_line
from grandstand.games.base import OptionError
from grandstand.play.headless import MatchPlan, MatchResult

LOG = ".log"
"""Suffix of the file of what a command says; it is kept if the match has no result."""
MATCH = ".match.json"
"""Suffix of the file that describes a match to its command."""

_READER = TypeAdapter(MatchPlan)


class MatchCommands(ProcessExecutor[MatchPlan, MatchResult]):
    """Plays each match by a command; its record, in a folder that all machines share, has the result."""

    def __init__(self, runner: Runner, jobs: int, deadline: Deadline | None = None) -> None:
        super().__init__(jobs, deadline)
        self._runner = runner

    def carry_out(self, unit: MatchPlan, slot: int) -> MatchResult:
        """Play a match. Raises Interrupted, and OSError if no file can be written."""
        if unit.folder is None:
            raise ValueError("a match that is played by a command needs a folder for its record")
        file, log = (unit.folder / f"{unit.episode_id}{suffix}" for suffix in (MATCH, LOG))
        write_match(unit, file)
        words = self._runner.command_line(["play", str(file), "--json"], unit.folder, unit.episode_id, slot)
        with log.open("wb") as errors, open(os.devnull, "wb") as out:
            try:
                status, _ = self.run(words, out, errors)
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
