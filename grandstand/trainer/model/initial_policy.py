"""Start a run's policy from a version of another run: the model below it, and the version's adapter."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from grandstand.trainer.config.files import SAVED, ConfigError, load
from grandstand.trainer.config.sections import PolicySettings
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.model.policy import Policy, PolicyError, read_adapter
from grandstand.trainer.model.versions import ADAPTER, BASE_FOLDER, VERSIONS, versions_in


@dataclass(frozen=True)
class InitialVersion:
    """A version of another run."""

    name: str
    """Its name among the players of a league."""
    adapter: Path
    base: Path | None
    """The folder of the model below it; None if it is the one of `policy.model`."""


def initial_version(config: TrainConfig) -> InitialVersion | None:
    """Return the version that `policy.init` names, or None if it names none.

    Raises PolicyError if there is no such version, or if its adapter does not fit the run's settings.
    """
    if not config.policy.init:
        return None
    source = Path(config.policy.init)
    run, adapter = (source.parent.parent, source) if source.parent.name == VERSIONS else (source, None)
    if not (run / SAVED).is_file():
        raise PolicyError(
            f"policy.init: {source} is neither a run's folder nor a version in it; name one, such as "
            f"runs/NAME or runs/NAME/{VERSIONS}/NAME@v000012"
        )
    if adapter is None:
        versions = versions_in(run / VERSIONS) if (run / VERSIONS).is_dir() else {}
        adapter = versions[max(versions)] if versions else run / VERSIONS
    if not (adapter / ADAPTER).is_file():
        raise PolicyError(f"policy.init: there is no version in {adapter}; name one that the run keeps")
    try:
        other = load(run / SAVED)
    except ConfigError as error:
        raise PolicyError(f"policy.init: {error}") from None
    base = run / BASE_FOLDER if (run / BASE_FOLDER).is_dir() else None
    _check(config, other, base)
    return InitialVersion(adapter.name, adapter, base)


def _check(config: TrainConfig, other: TrainConfig, base: Path | None) -> None:
    """Raise PolicyError unless the other run's adapters fit this run's model and adapter."""
    differences = [("game.name", config.game.name, other.game.name)] + [
        (f"policy.{name}", getattr(config.policy, name), getattr(other.policy, name))
        for name in ("lora_rank", "lora_targets", *(() if base else ("model",)))
    ]
    differences.append(("policy.lora_alpha", _alpha(config.policy), _alpha(other.policy)))
    for key, ours, theirs in differences:
        if ours != theirs:
            raise PolicyError(f"policy.init: {key} is {ours}, and {theirs} in the run that it names; set it to that")


def _alpha(policy: PolicySettings) -> int:
    return policy.lora_alpha or 2 * policy.lora_rank


def copy_base(version: InitialVersion, folder: Path) -> None:
    """Copy the model below the version into `folder`, so that the run does not depend on the other one's folder."""
    assert version.base is not None
    shutil.copytree(version.base, folder, dirs_exist_ok=True)


def load_initial(policy: Policy, version: InitialVersion) -> None:
    """Load the version's adapter into the policy. Raises PolicyError if it does not fit."""
    policy.load_adapter(read_adapter(version.adapter))
