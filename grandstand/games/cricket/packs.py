"""Named, versioned sets of match situations for comparing captains.

A pack is a JSON file in `data/packs`; its digest changes with anything that could change a result. Situations are real,
ball by ball (Cricsheet, ODC-By 1.0; see that folder's README), but the names are invented and later balls are left out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, Final

from grandstand.games.base import OptionError, Task

PACKS: Final = ("default", "powerplay", "middle-squeeze", "death-overs", "chase-30", "small-totals", "five-over")
NO_PACK: Final = "none"
_FOLDER: Final = Path(__file__).parent / "data" / "packs"


@dataclass(frozen=True)
class PackRecord:
    """An innings as it was played: the bowlers' groups in the order in which they came on (`p` pace, `s` spin), and
    each over as the bowler's number and its deliveries (`scenario_replay.py` reads them)."""

    bowlers: str
    overs: tuple[str, ...]


@dataclass(frozen=True)
class Scenario:
    """The start of a match. Without innings it starts with the toss; the last innings is the one that continues."""

    id: str
    title: str
    innings: tuple[PackRecord, ...] = ()


@dataclass(frozen=True)
class Pack:
    """`roles` are the sides of the continued innings, batting and bowling, on which captains are compared."""

    name: str
    version: int
    about: str
    overs: int
    roles: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    digest: str
    """16 hexadecimal digits over all of the above."""

    @cached_property
    def _by_id(self) -> dict[str, Scenario]:
        return {scenario.id: scenario for scenario in self.scenarios}

    def scenario(self, id: str) -> Scenario:
        """Return the situation of this name. Raise OptionError naming the valid names."""
        scenario = self._by_id.get(id)
        if scenario is None:
            first, last = self.scenarios[0].id, self.scenarios[-1].id
            raise OptionError(f"scenario: {self.name} has no {id!r}; there are {len(self._by_id)}, {first} to {last}")
        return scenario

    def drawn(self, seed: int) -> Scenario:
        """Return a situation drawn by the seed."""
        return Random(f"{seed}:scenario").choice(self.scenarios)


@lru_cache
def pack(name: str) -> Pack:
    """Return the pack of this name. Raise OptionError naming the valid names."""
    if name not in PACKS:
        raise OptionError(f"pack: unknown {name!r}; there are {', '.join(PACKS)}")
    return read_pack(json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def tasks(name: str) -> list[Task]:
    """Return the pack's situations, each for every role; home bats in the innings that continues."""
    seats = {"batting": "home", "bowling": "away"}
    return [
        Task(f"{scenario.id}/{role}", seats[role], {"pack": name, "scenario": scenario.id})
        for scenario in pack(name).scenarios
        for role in pack(name).roles
    ]


def read_pack(data: dict[str, Any]) -> Pack:
    """Read a pack from its file's content."""
    scenarios = tuple(
        Scenario(
            row["id"],
            row["title"],
            tuple(PackRecord(innings["bowlers"], tuple(innings["overs"])) for innings in row["innings"]),
        )
        for row in data["scenarios"]
    )
    about = {name: data[name] for name in ("name", "version", "about", "overs", "roles", "scenarios")}
    text = json.dumps(about, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = blake2b(text.encode(), digest_size=8).hexdigest()
    roles = tuple(data["roles"])
    return Pack(data["name"], data["version"], data["about"], data["overs"], roles, scenarios, digest)
