"""What only the game can tell of a run's settings: its bots, seats, options, rewards and features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grandstand.games.base import OptionError
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.games.training import Training
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.matchmaking import BASE, PAST, SELF
from grandstand.trainer.rewards import POLICY, resolve


def complaints(config: TrainConfig) -> list[str]:
    """What the game knows nothing of, or cannot take, a line each: key, matter and remedy."""
    try:
        spec = game_spec(config.game.name)
    except OptionError as error:
        return [f"game.name: {str(error).removeprefix('game: ')}"]
    if spec.training is None:
        return [f"game.name: {spec.name} offers nothing to train on; see games/training.py"]
    return [*_seats(config, spec), *_players(config, spec), *_rewards(config, spec, spec.training())]


def _seats(config: TrainConfig, spec: GameSpec) -> Iterator[str]:
    game = config.game
    if game.hero and game.hero not in spec.seats:
        yield f"game.hero: {spec.name} has no seat {game.hero!r}; there are {', '.join(spec.seats)}"
    if game.heroes > len(spec.seats):
        yield f"game.heroes: {spec.name} has {len(spec.seats)} seats, not {game.heroes}"


def _players(config: TrainConfig, spec: GameSpec) -> Iterator[str]:
    yield from _unknown("clone.bots", config.clone.bots, list(spec.bots))
    yield from _unknown("rollout.opponents", config.rollout.opponents, [BASE, PAST, SELF, *spec.bots])


def _unknown(key: str, names: Iterable[str], known: list[str]) -> Iterator[str]:
    for name in names:
        if name not in known:
            yield f"{key}: there is no {name!r}; there are {', '.join(known)}"


def _rewards(config: TrainConfig, spec: GameSpec, training: Training) -> Iterator[str]:
    try:
        resolve(config.reward, training.rewards)
    except ValueError as error:
        yield str(error)
    yield from _unknown("run.eval_weights", config.run.eval_weights, list(training.rewards.components))
    if config.reward.elo_scale:
        needed = {POLICY, *((PAST if name == SELF else name) for name in config.rollout.opponents)}
        if missing := sorted(needed - set(config.reward.ratings)):
            yield f"reward.ratings: {', '.join(missing)} missing; elo_scale needs the Elo points of everybody who plays"
    try:
        match = Match(spec, config.game.options, config.run.seed)
    except OptionError as error:
        yield f"game.{error}"
        return
    features = training.features(match.game, match.waiting[0])
    yield from _unknown("advantage.strata", config.advantage.strata, list(features))
