"""A training run's folder as a live policy reads it, made for a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from grandstand.games.registry import game_spec
from grandstand.players.options import TrainedOptions
from grandstand.players.roster import Roster
from grandstand.trainer.config.files import save
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.model.policy import Policy, nano, with_adapter
from grandstand.trainer.model.versions import BASE_FOLDER, VERSIONS, Versions
from tests.support.trainer.training_setup import bold, stir


class RunFolder:
    """The settings, the base and the versions of a run; each version plays differently."""

    def __init__(self, config: TrainConfig, folder: Path, base: Callable[[], Policy] | None = None) -> None:
        """`base` makes the policy without its adapter, the same each time; by default a nano with large logits."""
        self.config, self.folder = config, folder
        self.spec = game_spec(config.game.name)
        self._base = base or (lambda: bold(nano(self.spec, seed=1)))
        save(config, folder)
        self._base().save(folder / BASE_FOLDER)
        self.versions = Versions(folder / VERSIONS, config.run.name)

    def policy(self, version: int) -> Policy:
        """Return a new policy of this version."""
        policy = with_adapter(self._base(), self.config.policy, seed=2)
        if version:
            stir(policy, version)
        return policy

    def publish(self, *versions: int) -> None:
        for version in versions:
            self.versions.save(version, self.policy(version).save)

    def options(self, **more: object) -> TrainedOptions:
        return TrainedOptions.model_validate({"folder": self.folder, **more})

    def roster(self, **more: object) -> Path:
        """Write a roster file with the run as `learner`, with these further options."""
        options = [f'folder = "{self.folder}"', *(f"{key} = {_toml(value)}" for key, value in more.items())]
        file = self.folder.parent / "players.toml"
        file.write_text("\n".join(['[[player]]\nname = "learner"\nkind = "trained"\n[player.options]', *options]))
        return file

    def players(self, **more: object) -> Roster:
        return Roster.load(self.roster(**more), {})


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool | int | float) else f'"{value}"'
