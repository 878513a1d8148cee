"""The policy that a run begins with: cloned from bots, or as it comes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from grandstand.games.spec import GameSpec
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import read
from grandstand.trainer.behavior_cloning import clone, play_bots
from grandstand.trainer.config.settings import NANO, TrainConfig
from grandstand.trainer.matchmaking import keyed
from grandstand.trainer.policy import nano

REPORT = "clone.json"


def prepare_base(
    config: TrainConfig,
    spec: GameSpec,
    folder: Path,
    recorder: Recorder,
    bus: Bus,
    doing: Callable[[str, int, int], None],
) -> Path | None:
    """The folder of the base policy, made where it is not there yet; None where the model is used as it comes.

    Whole or not at all: what an earlier process left half done is made anew.
    """
    if folder.is_dir():
        return folder
    if not config.clone.bots and config.policy.model != NANO:
        return None
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    if config.clone.bots:
        begun = f"{config.run.name}-clone-"
        recorder.delete([one for one in recorder.episode_ids() if one.startswith(begun)])
        ids = []
        for episode_id in play_bots(config, spec, bus):
            ids.append(episode_id)
            doing("playing matches to clone from", len(ids), config.clone.games)
        episodes = (read(recorder, one) for one in ids)
        told = clone(config, spec, episodes, part, lambda epoch, epochs, loss: doing("cloning, epoch", epoch, epochs))
        (part / REPORT).write_text(json.dumps(asdict(told), indent=1) + "\n", "utf-8")
    else:
        nano(spec, keyed(config.run.seed, "nano")).save(part)
    part.rename(folder)
    return folder
