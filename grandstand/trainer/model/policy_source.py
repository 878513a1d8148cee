"""Find the files of a live policy in a run's or a policy's folder, and check them without loading tensors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from safetensors import SafetensorError, safe_open

from grandstand.games.base import OptionError
from grandstand.games.spec import GameSpec
from grandstand.players.options import TrainedOptions
from grandstand.trainer.config.files import SAVED, ConfigError, load
from grandstand.trainer.config.sections import NANO, PolicySettings
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.model.codec import WORDS
from grandstand.trainer.model.versions import ADAPTER, BASE_FOLDER, VERSIONS, versions_in

MODEL = "config.json"
"""The file that marks a folder with a model."""


@dataclass(frozen=True)
class PolicySource:
    """The files of one version of a policy. Equal sources hold the same policy."""

    name: str
    """The run's, or the folder's."""
    version: int
    """0 is the policy before its first step."""
    settings: PolicySettings
    temperature: float
    base: Path | None
    """The folder of the model; None where `settings.model` names one of the Hugging Face Hub."""
    adapter: Path | None
    """The folder of the version on top of the model, if any."""
    written: tuple[int, int]
    """The modification times of base and adapter in nanoseconds: a run that is started anew reuses their names."""

    def __str__(self) -> str:
        return f"{self.name}@v{self.version:06d}"

    @property
    def model(self) -> tuple[object, ...]:
        """Return the identity of its model; versions with the same model differ only in their adapters."""
        return self.settings, self.base, self.written[0], self.adapter is None


def find(options: TrainedOptions, spec: GameSpec) -> PolicySource:
    """Return the policy that `options` name now. Raises OptionError naming the file and the remedy."""
    try:
        return _found(options, spec)
    except OSError as error:
        raise OptionError(f"{error.filename}: cannot be read: {error.strerror}; name the folder of a run") from None


def _found(options: TrainedOptions, spec: GameSpec) -> PolicySource:
    folder = options.folder
    if (folder / SAVED).is_file():
        return _of_run(options, spec)
    if (folder / MODEL).is_file():
        if isinstance(options.version, int):
            raise OptionError(f"{folder}: is one policy, without versions; leave `version` out, or name a run's folder")
        settings = PolicySettings(model=str(folder), device=options.device, dtype=_dtype(folder))
        name = folder.resolve().name
        return PolicySource(name, 0, settings, options.temperature or 1.0, folder, None, (_written(folder / MODEL), 0))
    if (folder / ADAPTER).is_file():
        raise OptionError(f"{folder}: is one version's adapter; name the run's folder, and the version by `version`")
    raise OptionError(f"{folder}: holds no run ({SAVED}) and no policy ({MODEL}); name the folder of one")


def check(source: PolicySource, spec: GameSpec) -> None:
    """Check that its files are complete and of this game. Raises OptionError naming the file and the remedy."""
    if source.base is not None:
        _check_model(source.base, spec)
    if source.adapter is not None:
        _check_weights(source.adapter / ADAPTER, "name another version")


def _of_run(options: TrainedOptions, spec: GameSpec) -> PolicySource:
    folder = options.folder
    config = _settings(folder / SAVED, _written(folder / SAVED))
    if config.game.name != spec.name:
        raise OptionError(
            f"{folder / SAVED}: the run learns {config.game.name}, not {spec.name}; "
            f'say games = ["{config.game.name}"] in the entry'
        )
    model = config.policy.model
    base = next((path for path in (folder / BASE_FOLDER, Path(model)) if (path / MODEL).is_file()), None)
    if base is None and model == NANO:
        raise OptionError(f"{folder / BASE_FOLDER}: there is no policy in it yet; wait until the run has made it")
    named = options.model_copy(update={"version": 0}) if options.version == "base" and config.policy.init else options
    version, adapter = _version(named, folder / VERSIONS)
    settings = config.policy.model_copy(update={**LIVE, "device": options.device})
    written = (_written(base / MODEL) if base else 0, _written(adapter / ADAPTER) if adapter else 0)
    temperature = options.temperature or config.rollout.temperature
    return PolicySource(config.run.name, version, settings, temperature, base, adapter, written)


LIVE: Mapping[str, Any] = {"attention": "sdpa", "gradient_checkpointing": False}
"""Settings of learning or of its machine, which do not matter to a live policy."""


def _version(options: TrainedOptions, folder: Path) -> tuple[int, Path | None]:
    """Return (number, folder) of the version that the options name; the base has no folder."""
    if options.version == "base":
        return 0, None
    versions = versions_in(folder) if folder.is_dir() else {}
    if options.version == "latest":
        if not versions:
            raise OptionError(f'{folder}: there is no version in it yet; wait for the run, or say version = "base"')
        return max(versions.items())
    if options.version not in versions:
        there = ", ".join(map(str, versions)) or "none"
        raise OptionError(
            f"{folder}: keeps no version {options.version}; there are {there}. Name one of them, or latest"
        )
    return options.version, versions[options.version]


@lru_cache(maxsize=32)
def _settings(file: Path, written: int) -> TrainConfig:
    """Return the run's settings; they are read again if the file was `written` again."""
    try:
        return load(file)
    except ConfigError as error:
        raise OptionError(f"{error}; the run was made by another release, or the file was changed") from None


def _dtype(folder: Path) -> Literal["float32", "bfloat16"]:
    """Return the number format in which the policy was saved."""
    config = _json(folder / MODEL)
    return "bfloat16" if "bfloat16" in (config.get("dtype"), config.get("torch_dtype")) else "float32"


def _check_model(folder: Path, spec: GameSpec) -> None:
    _json(folder / MODEL)
    if (folder / WORDS).is_file():
        words = _json(folder / WORDS, list)
        if spec.training.shorthand_of(words[2:]) is None:
            raise OptionError(
                f"{folder / WORDS}: holds other words than {spec.name} has: the policy was made for another game. "
                f"Name one that was made for {spec.name}"
            )
    elif not any((folder / name).is_file() for name in ("tokenizer.json", "tokenizer_config.json")):
        raise OptionError(f"{folder}: holds neither {WORDS} nor a tokenizer; name the folder of a whole policy")
    index = folder / "model.safetensors.index.json"
    listed = _json(index).get("weight_map", {}) if index.is_file() else {"": "model.safetensors"}
    for name in sorted(set(listed.values())):
        _check_weights(folder / name, "restore it, or name another folder")


def _check_weights(file: Path, remedy: str) -> None:
    try:
        with safe_open(file, framework="numpy"):  # its header and its length
            pass
    except (OSError, SafetensorError) as error:
        raise OptionError(f"{file}: is no whole file of weights ({error}); {remedy}") from None


def _json(file: Path, kind: type = dict) -> Any:
    try:
        data = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise OptionError(f"{file}: cannot be read ({error}); restore it, or name another folder") from None
    if not isinstance(data, kind):
        raise OptionError(f"{file}: does not hold what it should; restore it, or name another folder")
    return data


def _written(file: Path) -> int:
    return file.stat().st_mtime_ns
