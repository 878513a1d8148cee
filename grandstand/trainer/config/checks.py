"""Check a run's settings against the game: its bots, seats, options, rewards and features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grandstand.games.base import OptionError
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.games.training import Training
from grandstand.trainer.config.league_settings import BASE, CATEGORIES, EXPLOITER, PAST, PEER
from grandstand.trainer.config.objective_settings import OPPONENT_FEATURES, POLICY, resolve
from grandstand.trainer.config.settings import TrainConfig


def complaints(config: TrainConfig) -> list[str]:
    """Return a line for each setting that the game does not have or accept: key, problem and remedy."""
    try:
        spec = game_spec(config.game.name)
    except OptionError as error:
        return [f"game.name: {str(error).removeprefix('game: ')}"]
    return [*_seats(config, spec), *_players(config, spec), *_rewards(config, spec, spec.training)]


def _seats(config: TrainConfig, spec: GameSpec) -> Iterator[str]:
    game = config.game
    try:
        seats = spec.seats(game.options)
    except OptionError as error:
        yield f"game.{error}"
        return
    if game.only_seat and game.only_seat not in seats:
        yield f"game.only_seat: {spec.name} has no seat {game.only_seat!r}; there are {', '.join(seats)}"
    if game.trained_seats > len(seats):
        yield f"game.trained_seats: {spec.name} has {len(seats)} seats, not {game.trained_seats}"


def _players(config: TrainConfig, spec: GameSpec) -> Iterator[str]:
    yield from _unknown("clone.bots", config.clone.bots, list(spec.bots.players))
    if config.clone.teacher:
        yield from _unknown("clone.teacher", [config.clone.teacher], list(spec.bots.players))
    yield from _unknown("rollout.opponents", config.rollout.opponents, [*CATEGORIES, *spec.bots.players])
    yield from _unknown("league.human", config.league.human, list(spec.bots.players))


def _rated_names(config: TrainConfig, spec: GameSpec) -> Iterator[str]:
    """Yield the names in `reward.ratings` of everyone who may be an opponent."""
    if not set(config.rollout.opponents) <= set(spec.bots.players):
        yield BASE  # a version of the policy may be version 0, and a category that is empty has the base instead
    for name in config.rollout.opponents:
        match name:
            case "self":
                yield PAST
            case "baseline":
                yield from (bot for bot in spec.bots.players if bot not in spec.bots.slow)
            case "human":
                yield from config.league.human
            case "exploitable" | "league":
                yield from (PAST, PEER, EXPLOITER, *spec.bots.players)
            case "main":
                yield PEER
            case _:
                yield name


def _unknown(key: str, names: Iterable[str], available: list[str]) -> Iterator[str]:
    for name in names:
        if name not in available:
            yield f"{key}: there is no {name!r}; there are {', '.join(available)}"


def _rewards(config: TrainConfig, spec: GameSpec, training: Training) -> Iterator[str]:
    try:
        resolve(config.reward, training.rewards)
    except ValueError as error:
        yield str(error)
    yield from _unknown("run.eval_weights", config.run.eval_weights, list(training.rewards.components))
    if config.reward.elo_scale and config.reward.ratings != "league":
        needed = {POLICY, *_rated_names(config, spec)}
        if missing := sorted(needed - set(config.reward.ratings)):
            yield (
                f"reward.ratings: {', '.join(missing)} missing; elo_scale needs the Elo rating of every player, or "
                'ratings = "league"'
            )
    try:
        match = Match(spec, config.game.options, config.run.seed)
    except OptionError as error:
        yield f"game.{error}"
        return
    features = training.features(match.game, match.waiting[0])
    yield from _unknown("advantage.strata", config.advantage.strata, [*features, *sorted(OPPONENT_FEATURES)])
