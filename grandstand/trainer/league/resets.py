"""The resets of an exploiter: the versions at which it reached its aim, and those after which it began anew.

They are decided at checkpoints. The step after such a checkpoint is still played by the version that ends with it; then
the policy begins anew, instead of learning from that step. So every version has a number of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from grandstand.games.base import Json
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import keyed
from grandstand.trainer.league.roles import PeerRoles, targets
from grandstand.trainer.league.store import LeagueStore

RESET = "reset"
"""Topic of the decision at a checkpoint: {"aim": whether it is reached, "reset": whether the policy begins anew,
"score": the least expected score against those to beat}."""


class Resets:
    """The decisions of a run, which has none if it is a main run."""

    def __init__(self, config: TrainConfig, store: LeagueStore) -> None:
        self._config, self._store = config, store

    def reached(self, step: int) -> list[int]:
        """Return the versions at which the aim was reached, up to a step; they stay for ever."""
        return sorted(at for at, decided in self._decided(step).items() if decided["aim"])

    def at(self, step: int) -> bool:
        """Return whether the policy begins anew in this step, instead of learning."""
        return bool(self._decided(step - 1).get(step - 1, {}).get("reset"))

    def since(self, version: int) -> int:
        """Return the first version after the policy last began anew, up to `version`; 0 if it never did."""
        return max((at + 1 for at, decided in self._decided(version - 1).items() if decided["reset"]), default=0)

    def decide(self, version: int, expected: Mapping[str, float], peers: PeerRoles) -> dict[str, float]:
        """Decide at a checkpoint, once, and return metrics; `expected` are the expected scores by opponent."""
        if self._config.league.role == "main":
            return {}
        decided = self._store.decide(
            self._config.run.name, RESET, version, lambda: self._decision(version, expected, peers)
        )
        return {"league/aim_score": decided["score"], "league/aim_reached": float(decided["aim"])}

    def _decision(self, version: int, expected: Mapping[str, float], peers: PeerRoles) -> Json:
        league = self._config.league
        scores = [expected.get(name, 0.5) for name in targets(league.role, peers)]
        began = max(self.reached(version - 1), default=0)
        late = bool(league.reset_after) and version - began >= league.reset_after
        aim = late or (bool(scores) and min(scores) > league.reset_score)
        chance = Random(keyed(self._config.run.seed, RESET, version)).random()
        return {"aim": aim, "reset": aim and chance < league.reset_chance, "score": min(scores, default=0.5)}

    def _decided(self, step: int) -> Mapping[int, Json]:
        return self._store.decisions(self._config.run.name, RESET, step)
