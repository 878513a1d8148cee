"""Requests for a run: its settings, its folder, and the recorded matches to imitate. No torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from grandstand.spectator.errors import RecordError
from grandstand.spectator.record_file import read_episode
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import Episode, read
from grandstand.trainer.config.files import SAVED, load, presets
from grandstand.trainer.config.settings import TrainConfig, changed

SMOKED = "nano-diplomacy"
"""The preset of a smoke test if no settings are named."""


class Refused(ValueError):
    """An invalid request; the message names the remedy."""


def run_of(
    config: str, overrides: Sequence[str], out: Path | None, smoke: bool, resume: bool | None
) -> tuple[TrainConfig, Path]:
    """Return the settings of the requested run, and its prepared folder. Raises ConfigError or Refused."""
    if resume and not config:
        if out is None:
            raise Refused("name the run: --out FOLDER, or the --config that it was begun with")
        if not (out / SAVED).is_file():
            raise Refused(f"--out: {out} contains no run to go on with; name the folder of one")
        config = str(out / SAVED)
    if smoke and not config:
        config = SMOKED
    settings = load(named(config), overrides, smoke=smoke)
    folder = out or Path(settings.run.folder) / settings.run.name
    saved = folder / SAVED
    if resume:
        if not saved.is_file():
            raise Refused(f"{folder}: there is no run in it to go on with; leave --resume out to begin one")
        if lines := changed(load(saved), settings):
            raise Refused("\n".join([f"{folder}: a run goes on with the settings that it was begun with", *lines]))
    elif saved.is_file():
        if resume is None:
            raise Refused(f"{folder}: there is a run in it. --resume goes on with it, --fresh sets it aside")
        folder.rename(_free(folder))
    return settings, folder


def _free(folder: Path) -> Path:
    """Return an unused path next to the folder."""
    number = 1
    while (other := folder.with_name(f"{folder.name}.{number}")).exists():
        number += 1
    return other


def named(config: str) -> str:
    if not config:
        raise Refused(f"--config: name a file, or one of {', '.join(presets())}")
    return config


def recorded_episodes(game: str, files: Sequence[Path], record: Path | None) -> Iterator[Episode]:
    """Yield the ended matches of the game in files and a store. Raises RecordError or Refused."""
    for path in files:
        episode = read_episode(path)
        other = episode.events[0].data["game"]
        if other != game:
            raise Refused(f"{path}: a match of {other}; game.name is {game}")
        yield episode
    if record is None:
        return
    if not record.is_file():
        raise Refused(f"--record: there is no store {record}")
    try:
        recorder = Recorder.reading(record)
    except RecordError as error:
        raise Refused(f"--record: cannot read {record}: {error.__cause__}; name a store, grandstand.db") from error
    ended, _ = recorder.summaries(game=game, status=("finished", "stopped"), limit=-1)
    for summary in reversed(ended):
        yield read(recorder, summary.episode_id)
    recorder.close()
