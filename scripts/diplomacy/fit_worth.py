"""Fits the weights of `games/diplomacy/bots/search/worth.py` to the final scores of games between bots.

    python scripts/diplomacy/fit_worth.py --games 120

Each game seats one, two, four or seven `coordinated` among DumbBots. Prints the weights, and the squared error per
position of this estimate and of the bare sum-of-squares share, in games that the fit has not seen (five parts in turn).
"""

from __future__ import annotations

import argparse
from random import Random

import numpy as np

from grandstand.games.diplomacy.bots import PLANNERS, POLICIES
from grandstand.games.diplomacy.bots.search.boards import Boards, Floats
from grandstand.games.diplomacy.bots.search.worth import features
from grandstand.games.diplomacy.bots.stance import public_stance
from grandstand.games.diplomacy.press.relations import Relations
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.scoring import score
from grandstand.games.diplomacy.rules.state import FALL, FALL_RETREATS, SPRING, WINTER, State

LAST_YEAR = 1920
PARTS = 5


def play(game: int) -> tuple[list[State], list[float]]:
    """Return the positions after each fall of a game, and its final scores."""
    draws = Random(f"worth/{game}")
    planning = draws.choice((1, 2, 4, 7))
    seated = [True] * planning + [False] * (len(POWERS) - planning)
    draws.shuffle(seated)
    state, relations, falls = State.start(), Relations(), []
    while state.year <= LAST_YEAR and state.solo() is None:
        orders = {}
        for power in state.to_act():
            rng = Random(f"worth/{game}/{state.name}/{power}")
            if seated[power]:
                orders.update(PLANNERS["coordinated"](state, power, rng, public_stance(state, power, relations)))
            else:
                orders.update(POLICIES["dumbbot"](state, power, rng))
        resolution = state.resolve(orders)
        relations = relations.after(resolution)
        if state.phase in (FALL, FALL_RETREATS) and resolution.after.phase in (WINTER, SPRING):
            falls.append(resolution.after)
        state = resolution.after
    return falls, score("sum-of-squares", state.center_counts(), {})


def shares(features: Floats, weights: Floats) -> Floats:
    """Return the estimate of the scores."""
    logits = np.exp(features @ weights)
    estimate: Floats = logits / logits.sum(axis=1, keepdims=True)
    return estimate


def fitted(features: Floats, scores: Floats, steps: int = 4000, rate: float = 3.0) -> Floats:
    """Return the weights of least cross-entropy, by gradient descent with a little decay."""
    weights: Floats = np.zeros(features.shape[2])
    for _ in range(steps):
        error = shares(features, weights) - scores
        weights = weights - rate * (np.einsum("npf,np->f", features, error) / len(features) + 1e-3 * weights)
    return weights


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=120)
    played = [play(game) for game in range(parser.parse_args().games)]
    observed = np.concatenate([features(Boards.of(falls)) for falls, _ in played])
    scores = np.concatenate([np.tile(final, (len(falls), 1)) for falls, final in played])
    game = np.repeat(np.arange(len(played)), [len(falls) for falls, _ in played])
    counts = observed[:, :, 0]
    bare = counts**2 / (counts**2).sum(axis=1, keepdims=True)
    estimate = np.zeros_like(scores)
    for part in range(PARTS):
        held = game % PARTS == part
        estimate[held] = shares(observed[held], fitted(observed[~held], scores[~held]))
    for name, values in (("sum-of-squares share", bare), ("estimate", estimate)):
        print(f"{name}: squared error {((values - scores) ** 2).sum(axis=1).mean():.4f} of {len(scores)} positions")
    print("weights:", ", ".join(f"{weight:.2f}" for weight in fitted(observed, scores)))


if __name__ == "__main__":
    main()
