"""Prepare the policy that a run begins with: cloned from bots, or the model as it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from grandstand.atomic import replace_folder
from grandstand.games.spec import GameSpec
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import Episode, read
from grandstand.trainer.config.sections import NANO
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import keyed
from grandstand.trainer.learning.behavior_cloning import clone, play_bots
from grandstand.trainer.model.initial_policy import copy_base, initial_version
from grandstand.trainer.model.policy import nano

REPORT = "clone.json"


def prepare_base(
    config: TrainConfig,
    spec: GameSpec,
    folder: Path,
    recorder: Recorder,
    bus: Bus,
    doing: Callable[[str, int, int], None],
) -> Path | None:
    """Return the folder of the base policy, created atomically if missing; None if the model is used as it is.

    With `policy.init` it is the model of the run that the setting names.
    """
    if folder.is_dir():
        return folder
    if version := initial_version(config):
        if version.base is None:
            return None
        with replace_folder(folder) as part:
            copy_base(version, part)
        return folder
    if not config.clone.bots and config.policy.model != NANO:
        return None
    with replace_folder(folder) as part:
        if config.clone.bots:
            _clone_bots(config, spec, part, recorder, bus, doing)
        else:
            nano(spec, keyed(config.run.seed, "nano")).save(part)
    return folder


def _clone_bots(
    config: TrainConfig,
    spec: GameSpec,
    folder: Path,
    recorder: Recorder,
    bus: Bus,
    doing: Callable[[str, int, int], None],
) -> None:
    """Play matches of bots, clone a policy from them, and save it in `folder` with a report."""
    prefix = f"{config.run.name}-clone-"
    recorder.delete([episode_id for episode_id in recorder.episode_ids() if episode_id.startswith(prefix)])
    ids: list[str] = []
    for episode_id in play_bots(config, spec, bus):
        ids.append(episode_id)
        doing("playing matches to clone from", len(ids), config.clone.games)

    def played() -> Iterator[Episode]:
        for number, episode_id in enumerate(ids):
            doing("reading matches to clone from", number, len(ids))
            yield read(recorder, episode_id)

    report = clone(config, spec, played(), folder, lambda done, whole, loss: doing("cloning, batch", done, whole))
    (folder / REPORT).write_text(json.dumps(asdict(report), indent=1) + "\n", "utf-8")
