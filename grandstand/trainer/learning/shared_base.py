"""A cloned base policy in a folder of its own, from which all runs with the same base copy it. No tensors.

The folder is as `grandstand train bc` writes it. It has the settings of the cloning, so that no run uses another
base than the one that it would clone itself.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from grandstand.atomic import replace_file, replace_folder
from grandstand.trainer.config.sections import NANO
from grandstand.trainer.config.settings import TrainConfig

POLICY = "policy"
"""Folder of the policy in the base's folder."""
DETERMINED_BY = "base.json"
"""The settings that determine the base, written before the policy."""
_ADAPTER = ("lora_rank", "lora_alpha", "lora_targets", "lora_dropout")


class BaseError(ValueError):
    """A folder without the base of a run; the message names the remedy."""


def base_settings(config: TrainConfig) -> dict[str, Any] | None:
    """Return the settings that determine the cloned base of a run; None if the run clones none.

    `nano` is cloned without an adapter, other models by one that is merged into them.
    """
    if config.policy.init or not config.clone.bots:
        return None
    policy = config.policy.model_dump(mode="json", exclude={"init"})
    if config.policy.model == NANO:
        policy = {name: value for name, value in policy.items() if name not in _ADAPTER}
    sections = {
        "policy": policy,
        "clone": config.clone.model_dump(mode="json"),
        "game": {"name": config.game.name, "options": dict(config.game.options)},
        "run": {"seed": config.run.seed},
    }
    return {f"{section}.{name}": value for section, values in sections.items() for name, value in values.items()}


def base_key(config: TrainConfig) -> str:
    """Return the hash of what determines the cloned base of a run; empty if the run clones none."""
    settings = base_settings(config)
    if settings is None:
        return ""
    return blake2b(json.dumps(settings, sort_keys=True).encode(), digest_size=16).hexdigest()


def note_base(config: TrainConfig, folder: Path) -> None:
    """Store the settings of a base in its folder before it is cloned, if they determine it."""
    settings = base_settings(config)
    if settings is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with replace_file(folder / DETERMINED_BY) as part:
        part.write_text(json.dumps(settings, indent=1) + "\n", "utf-8")


def is_prepared(folder: Path) -> bool:
    """Return whether a base is in the folder."""
    return (folder / POLICY).is_dir() and (folder / DETERMINED_BY).is_file()


def take_base(config: TrainConfig, folder: Path, into: Path) -> None:
    """Copy the base in `folder` to `into`, unless it is there. Raises BaseError if it is not the run's own."""
    if into.is_dir():
        return
    if not is_prepared(folder):
        raise BaseError(f"{folder}: there is no base in it; `grandstand train bc --out {folder}` makes one")
    theirs: Mapping[str, Any] = json.loads((folder / DETERMINED_BY).read_text("utf-8"))
    ours = json.loads(json.dumps(base_settings(config)))
    if ours is None:
        raise BaseError(f"{folder}: the run clones nothing (clone.bots, policy.init); leave the base out")
    for key in sorted({*ours, *theirs}):
        if ours.get(key) != theirs.get(key):
            raise BaseError(
                f"{folder}: {key} is {theirs.get(key)!r} in this base, and {ours.get(key)!r} in the run; name the base "
                "of the same settings, or none"
            )
    with replace_folder(into) as part:
        shutil.copytree(folder / POLICY, part, dirs_exist_ok=True)
