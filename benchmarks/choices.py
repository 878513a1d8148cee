"""CPU time of a decision's choices, and of the forms derived from them.

    python -m benchmarks.choices [--rounds 5] [--moments 300]

Moments of matches between built-in players, every seat that is asked. A position computes its legal moves once; *first*
is the time in a position just loaded, *again* in one that was asked before. *choices* are all stages of the default
answer; *data* are all choices as OpenEnv has them, *listing* those of a prompt; *words* is the default answer word by
word, as a policy is offered it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from random import Random

from benchmarks.report import Cell, add_out, publish, table
from grandstand.games import choices
from grandstand.games.base import Json, SeatId
from grandstand.games.catalog import GAMES
from grandstand.games.checks import grammar
from grandstand.games.choices import Walk
from grandstand.games.game import Game
from grandstand.games.match import Match
from grandstand.games.offered import listing
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.games.training import Training
from grandstand.players.llm.prompt import reply_form

Moment = tuple[Json, SeatId]


def moments(spec: GameSpec, count: int) -> list[Moment]:
    """Return positions as data, each with a seat that is asked."""
    found: list[Moment] = []
    rng = Random(1)
    for seed in range(1000):
        match = Match(spec, {"press": "none"} if spec.talk.press else {}, seed)
        while not match.over:
            seat = match.waiting[0]
            if rng.random() < 0.1:
                found.append((match.game.to_json(), seat))
            if len(found) == count:
                return found
            match.apply(seat, spec.bots.players[spec.bots.default](match.game, seat, match.rng(seat)))
    return found


def whole(game: Game, seat: SeatId) -> None:
    choices.default(grammar(game, seat))


def word_by_word(training: Training, game: Game, seat: SeatId) -> None:
    policy, words = training.grammar(game, seat), list[str]()
    while steps := Walk(policy, words).steps:
        words += [step[0].word for step in steps]


def microseconds(games: Sequence[tuple[Game, SeatId]], ask: Callable[[Game, SeatId], object]) -> float:
    began = time.process_time()
    for game, seat in games:
        ask(game, seat)
    return (time.process_time() - began) / len(games) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--moments", type=int, default=300)
    add_out(parser)
    options = parser.parse_args()
    rows: list[list[Cell]] = []
    for name in sorted(GAMES):
        spec = game_spec(name)
        training, kept = spec.training, moments(spec, options.moments)
        asks: dict[str, Callable[[Game, SeatId], object]] = {
            "choices": whole,
            "data": reply_form(spec).legal,
            "listing": lambda game, seat: listing(grammar(game, seat)),
            "words": lambda game, seat, training=training: word_by_word(training, game, seat),  # type: ignore[misc]
        }
        best: dict[tuple[str, str], float] = {}
        for _ in range(options.rounds):
            for ask, function in asks.items():
                games = [(spec.rules.load(data), seat) for data, seat in kept]
                for when in ("first", "again"):
                    spent = microseconds(games, function)
                    best[ask, when] = min(spent, best.get((ask, when), spent))
        rows += [[f"{name}, {when}", *(best[ask, when] for ask in asks)] for when in ("first", "again")]
    section = table("CPU µs per decision", ["moments", "choices", "data", "listing", "words"], rows)
    conditions = f"{options.moments} moments of each game, the best of {options.rounds} rounds"
    publish("Choices", conditions, [section], options.out)


if __name__ == "__main__":
    main()
