"""Measure a run's policy by the matches of its league: each step by opponent, each checkpoint in tables. No tensors."""

from __future__ import annotations

from grandstand.games.spec import GameSpec
from grandstand.trainer.config.league_settings import CATEGORIES
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.league import League
from grandstand.trainer.league.matchmaking import candidates
from grandstand.trainer.league.rows import LeagueMatch, address_of, options_key, policy_name
from grandstand.trainer.league.tables import (
    Outcomes,
    exploitation,
    forgetting,
    interval_metrics,
    outcomes,
    score_metrics,
)
from grandstand.trainer.rollout.prefetch import version_of


class LeagueMeasures:
    """Metrics computed from a run's training matches in the league."""

    def __init__(self, config: TrainConfig, spec: GameSpec, league: League) -> None:
        self._config, self._spec, self._league = config, spec, league
        self._run = config.run.name

    def step(self, step: int) -> dict[str, float]:
        """Return the policy's scores in the recorded matches of a step, by opponent and category."""
        version = version_of(step, self._config.rollout.buffer_depth)
        league, met = self._league, self._outcomes(step, step)
        expected = league.opponents(step, version).expected
        players = candidates(self._config, self._spec, league.members(version), expected, league.peer_roles(version))
        categories = {player.address: player.categories for player in players}
        by_name = {name: categories.get(address_of(name, self._run), frozenset()) for name in met}
        return score_metrics(met, league.label, by_name, CATEGORIES)

    def checkpoint(self, version: int) -> dict[str, float]:
        """Return the results against bots and the run's kept versions in the steps since the last checkpoint."""
        met = self._outcomes(version - self._config.run.checkpoint_every + 1, version)
        kept = [policy_name(self._run, own) for own in sorted({0, *self._league.kept(version)}) if own < version]
        against_own = {self._league.label(name): interval for name, interval in forgetting(met, kept).items()}
        return {
            **interval_metrics("exploitation", exploitation(met, self._spec.bots.players)),
            **interval_metrics("forgetting", against_own),
        }

    def _outcomes(self, first: int, last: int) -> Outcomes:
        options = options_key(self._config.game.options)
        return outcomes(self._league.store.matches(self._spec.name, options, self._run, first, last), self._policy)

    def _policy(self, match: LeagueMatch) -> str:
        """Return the name of the version that played a training match and learns from it."""
        return policy_name(self._run, version_of(match.step, self._config.rollout.buffer_depth))
