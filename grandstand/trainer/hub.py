"""A version of a run as a model repository of the Hugging Face Hub, and back as a folder to play and train from.

README.md                       the card: base model, game, prompt, training, evaluation
adapter_model.safetensors       the adapter and its settings, as peft saves them
adapter_config.json
tokenizer files, or words.json  of the model below the adapter
base/                           that model, if the Hub does not have it: nano, and cloned ones
grandstand/config.toml          the run's settings, without those of its machine
grandstand/version.json         the run's name, the version, and a digest of each file
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grandstand.atomic import replace_folder
from grandstand.play.exchange.hub import pull, push
from grandstand.trainer.config.files import SAVED, ConfigError, load, save
from grandstand.trainer.config.sections import RunSettings, VllmSettings, WatchSettings
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.hub_card import card
from grandstand.trainer.model.versions import ADAPTER, BASE_FOLDER, PULLED, VERSIONS, versions_in

ADAPTER_CONFIG = "adapter_config.json"
ABOUT = "grandstand/version.json"
SETTINGS = f"grandstand/{SAVED}"
FORMAT = "grandstand-policy"
_SUFFIXES = (".json", ".jinja", ".model", ".safetensors", ".txt")
"""Name patterns of the files of a model and its tokenizer that are pushed and pulled: data, no programs."""


class HubLayoutError(ValueError):
    """A run that cannot be pushed, or a repository without one; the message names the remedy."""


class PolicyVersion(BaseModel):
    """The contents of a repository, as its `version.json` says."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: str = Field(pattern=f"^{FORMAT}$")
    version: int = Field(ge=1, le=1)
    run: str = RunSettings.model_fields["name"].default
    step: int = Field(ge=0, le=999_999)
    digests: dict[str, str]
    """SHA-256 of each other file, but for the card."""

    @property
    def name(self) -> str:
        return f"{self.run}@v{self.step:06d}"


def push_version(run: Path, target: str, *, step: int | None = None, public: bool = False, licence: str = "") -> str:
    """Push a version of a run, by default its newest, to `hf:OWNER/NAME`; return the address.

    Raises HubLayoutError, OptionError or HubFailed.
    """
    with TemporaryDirectory(prefix="grandstand-") as scratch:
        about = write_version(run, Path(scratch), step=step, licence=licence)
        return push(Path(scratch), target, public=public, kind="model", message=f"Add {about.name}")


def pull_version(target: str, folder: Path, revision: str = "") -> str:
    """Pull a version from `hf:OWNER/NAME` into a new folder, in the layout of a run; return its name.

    Players of kind `trained` and `policy.init` take the folder. Raises HubLayoutError, OptionError or HubFailed.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise HubLayoutError(f"out: {folder} is there already; name a new folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="grandstand-") as scratch:
        commit = pull(target, Path(scratch), _is_wanted, revision)
        about, config = _checked(Path(scratch), target)
        with replace_folder(folder) as part:
            version = part / VERSIONS / about.name
            version.mkdir(parents=True)
            for name in (ADAPTER, ADAPTER_CONFIG):
                shutil.copyfile(Path(scratch) / name, version / name)
            if (Path(scratch) / BASE_FOLDER).is_dir():
                shutil.copytree(Path(scratch) / BASE_FOLDER, part / BASE_FOLDER)
            save(config, part)
            (part / PULLED).write_text(json.dumps({"from": target, "commit": commit}) + "\n", "utf-8")
    return about.name


def write_version(run: Path, folder: Path, *, step: int | None = None, licence: str = "") -> PolicyVersion:
    """Write a version of a run into an empty folder, in the layout of the Hub. Raises HubLayoutError."""
    if not (run / SAVED).is_file():
        raise HubLayoutError(f"out: {run} holds no run ({SAVED}); name a run's folder")
    config = load(run / SAVED)
    kept = versions_in(run / VERSIONS) if (run / VERSIONS).is_dir() else {}
    if not kept or (step is not None and step not in kept):
        there = ", ".join(map(str, kept)) or "none"
        number = "" if step is None else f" {step}"
        raise HubLayoutError(f"version: {run} keeps no version{number}; there are {there}")
    step = max(kept) if step is None else step
    base = next((path for path in (run / BASE_FOLDER, Path(config.policy.model)) if path.is_dir()), None)
    shutil.copyfile(kept[step] / ADAPTER, folder / ADAPTER)
    adapter = json.loads((kept[step] / ADAPTER_CONFIG).read_text("utf-8"))
    adapter["base_model_name_or_path"] = BASE_FOLDER if base else config.policy.model
    (folder / ADAPTER_CONFIG).write_text(json.dumps(adapter, indent=2, sort_keys=True) + "\n", "utf-8")
    _write_model(config, base, folder)
    save(_without_machine(config), folder / Path(SETTINGS).parent)
    (folder / "README.md").write_text(card(config, run, step, base, licence), "utf-8")
    about = PolicyVersion(format=FORMAT, version=1, run=config.run.name, step=step, digests=_digests(folder))
    (folder / ABOUT).write_text(about.model_dump_json(indent=1) + "\n", "utf-8")
    return about


def _write_model(config: TrainConfig, base: Path | None, folder: Path) -> None:
    """Write the tokenizer, and the model if it is not one of the Hub."""
    if base is None:
        from transformers import AutoTokenizer

        try:
            AutoTokenizer.from_pretrained(config.policy.model).save_pretrained(str(folder))
        except (OSError, ValueError) as error:
            raise HubLayoutError(f"policy.model: the tokenizer of {config.policy.model!r}: {error}") from error
        return
    (folder / BASE_FOLDER).mkdir()
    for file in sorted(path for path in base.iterdir() if path.is_file() and path.suffix in _SUFFIXES):
        shutil.copyfile(file, folder / BASE_FOLDER / file.name)
        if not file.name.startswith(("model", "config", "generation_config", "clone")):
            shutil.copyfile(file, folder / file.name)


def _without_machine(config: TrainConfig) -> TrainConfig:
    """Return the settings without those of the run's machine: folders, addresses, programs."""
    vllm = config.sampler.vllm.model_copy(
        update={name: VllmSettings.model_fields[name].default for name in ("python", "extra")}
    )
    model = config.policy.model
    return config.model_copy(
        update={
            "run": config.run.model_copy(update={"folder": RunSettings.model_fields["folder"].default}),
            "policy": config.policy.model_copy(
                update={"init": "", "model": Path(model).resolve().name if Path(model).is_dir() else model}
            ),
            "league": config.league.model_copy(update={"folder": "", "inherit_from": ""}),
            "sampler": config.sampler.model_copy(update={"vllm": vllm}),
            "watch": WatchSettings(),
        }
    )


def _is_wanted(name: str) -> bool:
    path = PurePosixPath(name)
    if name in (ADAPTER, ADAPTER_CONFIG, ABOUT, SETTINGS):
        return True
    return len(path.parts) == 2 and path.parts[0] == BASE_FOLDER and path.suffix in _SUFFIXES


def _checked(folder: Path, target: str) -> tuple[PolicyVersion, TrainConfig]:
    """Return the description and the settings in a pulled folder.

    Raises HubLayoutError unless it is complete and unchanged.
    """
    try:
        about = PolicyVersion.model_validate_json((folder / ABOUT).read_text("utf-8"))
        RunSettings(name=about.run)
        there = {name: digest for name, digest in _digests(folder).items() if _is_wanted(name)}
        expected = {name: digest for name, digest in about.digests.items() if _is_wanted(name)}
        if differing := sorted(name for name, _ in there.items() ^ expected.items()):
            raise HubLayoutError(f"from: {target}: {', '.join(dict.fromkeys(differing))} is missing or was changed")
        if any(line.startswith("extends") for line in (folder / SETTINGS).read_text("utf-8").splitlines()):
            raise HubLayoutError(f"from: {target}: its settings extend others, which are not there")
        return about, _without_machine(load(folder / SETTINGS))
    except FileNotFoundError as error:
        name = Path(error.filename).name
        raise HubLayoutError(f"from: {target} holds no version of a run: {name} is missing") from None
    except (ValidationError, ConfigError, OSError) as error:
        raise HubLayoutError(f"from: {target}: {error}") from None


def _digests(folder: Path) -> dict[str, Any]:
    """Return the SHA-256 of each file but the card and the description itself, by name."""
    files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in files.items()
        if name not in ("README.md", ABOUT) and not name.startswith(".cache/")
    }
