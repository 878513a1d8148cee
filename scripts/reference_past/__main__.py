"""Makes the reference that ships with the package: results, whole matches and experiments (docs/reference.md).

The matches are played into a folder of their own, where an interrupted run goes on, and another one from what ships.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from grandstand.server.reference.episodes import FOLDER
from scripts.reference_past.documents import keep_cricsheet, keep_people
from scripts.reference_past.pack import pack
from scripts.reference_past.play import SERIES, play_all
from scripts.reference_past.shipped import keep_shipped


def main() -> None:
    """Play what is missing, import what is named, and write the folder of the package."""
    parser = argparse.ArgumentParser(prog="python -m scripts.reference_past", description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("data/reference-past"), help="folder of all records")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder to write; by default the package's")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play")
    for series in ("--diplomacy", "--gunboat", "--cricket", "--werewolf"):
        parser.add_argument(series, type=int, default=0, metavar="N", help="have the first N matches of this series")
    parser.add_argument("--people", type=Path, help="import the games of people and Cicero in this folder, a file each")
    parser.add_argument("--cricsheet", type=Path, help="import the closest matches in this folder, a file each")
    given = parser.parse_args()
    keep_shipped(given.work, given.out)
    play_all(given.work, {name: getattr(given, name) for name in SERIES}, given.jobs)
    if given.people is not None:
        keep_people(given.work, given.people)
    if given.cricsheet is not None:
        keep_cricsheet(given.work, given.cricsheet)
    print(pack(given.work, given.out))


if __name__ == "__main__":
    main()
