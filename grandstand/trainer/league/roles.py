"""Roles of runs in a league, as in AlphaStar: main runs, main exploiters and league exploiters (Vinyals et al.
2019). No tensors.

A main run meets the league. A main exploiter meets main runs alone, to find their weaknesses; a league exploiter meets
everybody, to find those of all. Exploiters begin anew from time to time; their earlier versions stay in the league.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from grandstand.trainer.config.league_settings import Role

PeerRoles = Mapping[str, Role]
"""Versions of other runs by name, with the roles of these."""
HOPELESS = 0.1
"""Expected score up to which a main exploiter meets a main run's past versions instead of its newest one."""


def run_of(name: str) -> str:
    """Return the run of a version, by the version's name."""
    return name.rpartition("@v")[0]


def main_shares(peers: PeerRoles, expected: Mapping[str, float]) -> dict[str, float]:
    """Return the shares of the versions of main runs that a main exploiter meets.

    Every main run has the same share. It is that of its newest version, unless the expected score against it is at most
    HOPELESS: then its past versions are met, in proportion to p (1 - p).
    """
    runs = _mains(peers)
    shares: dict[str, float] = {}
    for *past, newest in runs.values():
        values = {newest: 1.0}
        if past and expected.get(newest, 0.5) <= HOPELESS:
            values = {name: p * (1 - p) for name in past for p in [expected.get(name, 0.5)]}
        whole = sum(values.values())
        shares |= {name: value / whole / len(runs) for name, value in values.items()}
    return shares


def targets(role: Role, peers: PeerRoles) -> list[str]:
    """Return the versions that an exploiter must beat before it begins anew; none for a main run.

    They are the newest version of every main run, and for a league exploiter all versions of other runs.
    """
    match role:
        case "main":
            return []
        case "main_exploiter":
            return [versions[-1] for versions in _mains(peers).values()]
        case "league_exploiter":
            return sorted(peers)


def _mains(peers: PeerRoles) -> dict[str, list[str]]:
    """Return the versions of each main run, ascending."""
    runs: dict[str, list[str]] = defaultdict(list)
    for name in sorted(peers):
        if peers[name] == "main":
            runs[run_of(name)].append(name)
    return runs
