"""The folder of a sweep: its own copy of the file, from which it is reported, and the check that it is the same."""

from __future__ import annotations

import json
from pathlib import Path

from grandstand.atomic import replace_file
from grandstand.trainer.sweep.expansion import Sweep, expand
from grandstand.trainer.sweep.layout import PILOT
from grandstand.trainer.sweep.sweep_file import SweepError, SweepFile

PLAN = "sweep.json"
"""The file of the sweep as it was last run, with the extended files merged in."""


def open_sweep_folder(sweep: Sweep) -> None:
    """Write the plan into the folder. Raises SweepError if the folder has another sweep, or other things."""
    plan = sweep.folder / PLAN
    if plan.is_file():
        name = read_plan(sweep.folder).file.metadata.name
        if name != sweep.file.metadata.name:
            raise SweepError(f"{sweep.folder}: it has the results of {name!r}; name another folder with --out")
    elif sweep.folder.is_dir() and any(path.name not in (PILOT, ".lock") for path in sweep.folder.iterdir()):
        raise SweepError(f"{sweep.folder}: it is not empty, and has no sweep; name another folder with --out")
    sweep.folder.mkdir(parents=True, exist_ok=True)
    data = {"path": str(sweep.path.resolve()), "sweep": sweep.file.model_dump(mode="json")}
    with replace_file(plan) as part:
        part.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


def read_plan(folder: Path) -> Sweep:
    """Return the sweep whose results are in a folder. Raises SweepError."""
    try:
        data = json.loads((folder / PLAN).read_text("utf-8"))
        file = SweepFile.model_validate(data["sweep"])
    except FileNotFoundError:
        raise SweepError(
            f"{folder}: there is no sweep in it, nor another campaign's report; `grandstand sweep FILE --run` makes one"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise SweepError(f"{folder / PLAN}: it is damaged: {error}; run the sweep again with --run") from None
    return expand(file, Path(data["path"]), folder)
