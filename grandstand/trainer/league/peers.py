"""Copy adapters of other runs' versions into a run, so that they stay when the other run deletes them."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from grandstand.atomic import replace_folder
from grandstand.trainer.config.sections import PolicySettings
from grandstand.trainer.league.rows import LeagueError, LeaguePlayer
from grandstand.trainer.league.store import LeagueStore
from grandstand.trainer.model.versions import ADAPTER

PEERS = "peers"
"""Folder in a run's folder that holds the adapters of other runs' versions."""
FIRST_NUMBER = 1_000_000
"""The sampler's number of the first peer; the run's own versions have lower ones."""


def model_digest(settings: PolicySettings, base: Path | None) -> str:
    """Return a digest of the model below the adapter, and of the adapter's shape.

    Adapters of policies with the same digest can be loaded into each other.
    """
    digest = hashlib.sha256()
    alpha = settings.lora_alpha or 2 * settings.lora_rank
    digest.update(f"{settings.lora_rank}/{alpha}/{settings.lora_targets}/".encode())
    if base is None:
        digest.update(settings.model.encode())
    for file in sorted(base.glob("*.safetensors")) if base else []:
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


class Peers:
    """The copies in a run's folder."""

    def __init__(self, folder: Path, run: str) -> None:
        self._folder, self._run = folder / PEERS, run
        self._numbers: dict[str, int] = {}

    def path(self, name: str) -> Path:
        """Return the folder of a peer's adapter."""
        return self._folder / name

    def number(self, name: str) -> int:
        """Return the sampler's number of a peer, which is valid in this process."""
        return self._numbers.setdefault(name, FIRST_NUMBER + len(self._numbers))

    def take(self, players: Iterable[LeaguePlayer], model: str) -> list[str]:
        """Copy the adapters of other runs' versions with this model, and return the names of those that exist now."""
        others = [player for player in players if player.kind == "policy" and player.run != self._run]
        return sorted(player.name for player in others if player.model == model and self._copied(player))

    def _copied(self, player: LeaguePlayer) -> bool:
        """Make a copy if there is none, and return whether there is one."""
        copy = self.path(player.name) / ADAPTER
        if not copy.is_file() and (Path(player.adapter) / ADAPTER).is_file():
            with (
                suppress(FileNotFoundError, shutil.Error),  # deleted by the other run in the meantime
                replace_folder(copy.parent) as part,
            ):
                shutil.copytree(player.adapter, part, dirs_exist_ok=True)
        return copy.is_file()

    def keep(self, names: Iterable[str]) -> None:
        """Delete all other copies."""
        kept = set(names)
        for path in self._folder.iterdir() if self._folder.is_dir() else []:
            if path.name not in kept:
                shutil.rmtree(path, ignore_errors=True)


def inheritable(source: Path, game: str, run: str) -> list[LeaguePlayer]:
    """Return the versions in another run's or league's folder that a run may inherit if they have its model.

    Raises LeagueError if there is none, and ConfigError if the settings of that run cannot be read.
    """
    other = LeagueStore.existing(source)
    try:
        versions = [player for player in other.players(game) if player.kind == "policy"]
    finally:
        other.close()
    if any(player.run == run for player in versions):
        raise LeagueError(f"league.inherit_from: that league has a run named {run} too; give this run its own name")
    usable = [player for player in versions if (Path(player.adapter) / ADAPTER).is_file()]
    if not usable:
        raise LeagueError(
            f"league.inherit_from: {source} has no version of {game} whose weights are there; name the folder of a run "
            "or a league that has some, or leave league.inherit_from out"
        )
    return usable


def inherit(source: Path, game: str, run: str, model: str, into: LeagueStore) -> None:
    """Add the versions of another run's or league's folder that have this model.

    Raises LeagueError if there is none, and ConfigError if the settings of that run cannot be read.
    """
    versions = inheritable(source, game, run)
    usable = [player for player in versions if player.model == model]
    if not usable:
        raise LeagueError(
            f"league.inherit_from: none of the {len(versions)} versions of {game} in {source} is on this run's model "
            "with an adapter of its shape; start from one of them with policy.init, or leave league.inherit_from out"
        )
    into.add(usable)
