"""The Diplomacy engine beside the `diplomacy` package, in one run on one machine, in CPU time.

    python -m benchmarks.diplomacy_engine [--rounds 5] [--seconds 2]

Both play the same thing, uniformly random legal orders for all powers to the end of 1910: list the legal orders,
choose, resolve, on to the next phase. The package runs in a process of its own (`scripts/diplomacy/oracle` installs
it into `.cache/oracle`); rounds of the two alternate, and the medians are compared. A clone is
`DiplomacyGame.clone()` here and `Game()` with `set_state` there, the cheapest copy that the package has, both of a
match in its tenth year.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LAST_YEAR = 1910
REQUIRED = {"loop": 20.0, "clone": 50.0}
"""Required factor between the speed of this engine and the other's."""

HALF = "half"
"""The argument of a process that measures one engine."""

Measures = dict[str, float]
"""CPU microseconds per unit of work: `loop` per phase, `match` per phase, `clone` per copy."""


def per_call(work: Callable[[], int], seconds: float) -> float:
    """CPU microseconds per unit of `work`, which answers how many units it did."""
    units, start = 0, process_time()
    while process_time() - start < seconds:
        units += work()
    return (process_time() - start) / units * 1e6


def measure_engine(seed: int, seconds: float) -> Measures:
    from grandstand.games.checks import grammar
    from grandstand.games.choices import drawn
    from grandstand.games.diplomacy.game import DiplomacyGame
    from grandstand.games.diplomacy.options import DiplomacyOptions
    from grandstand.games.diplomacy.rules.state import WINTER, State

    rng = random.Random(seed)

    def choose(state: State) -> dict[int, tuple[int, int, int, int]]:
        legal = state.legal_orders()
        if state.phase != WINTER:
            return {place: rng.choice(orders) for place, orders in legal.items()}
        due = [
            place for power, count in state.counts.items() for place in rng.sample(state.orderable(power), abs(count))
        ]
        return {place: rng.choice(legal[place]) for place in due}

    def loop() -> int:
        state, phases = State.start(), 0
        while state.year <= LAST_YEAR and state.solo() is None:
            state, phases = state.resolve(choose(state)).after, phases + 1
        return phases

    def match() -> int:
        options = DiplomacyOptions(last_year=LAST_YEAR, stalemate_years=0, draw_votes=False)
        game, phases = DiplomacyGame(options), 0
        while game.outcome is None:
            for seat in game.to_act():
                game.apply(seat, game.action(seat, drawn(grammar(game, seat), rng)))
            phases += 1
        return phases

    played = DiplomacyGame(DiplomacyOptions(last_year=LAST_YEAR, stalemate_years=0))
    while played.outcome is None:
        played.apply(played.to_act()[0], {"orders": []})

    def clone() -> int:
        for _ in range(100):
            played.clone()
        return 100

    return {work.__name__: per_call(work, seconds) for work in (loop, match, clone)}


def measure_package(seed: int, seconds: float) -> Measures:
    from diplomacy import Game  # type: ignore[import-not-found]

    rng = random.Random(seed)

    def play() -> tuple[Any, int]:
        game, phases = Game(), 0
        while not game.is_game_done and int(game.get_current_phase()[1:5]) <= LAST_YEAR:
            possible = game.get_all_possible_orders()
            for power, places in game.get_orderable_locations().items():
                game.set_orders(power, [rng.choice(possible[place]) for place in places if possible[place]])
            game.process()
            phases += 1
        return game, phases

    state = play()[0].get_state()

    def loop() -> int:
        return play()[1]

    def clone() -> int:
        Game().set_state(state)
        return 1

    return {work.__name__: per_call(work, seconds) for work in (loop, clone)}


def run_half(name: str, seed: int, seconds: float, environment: dict[str, str]) -> Measures:
    command = [sys.executable, "-W", "ignore", str(Path(__file__)), HALF, name, str(seed), str(seconds)]
    done = subprocess.run(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    measures: Measures = json.loads(done.stdout)
    return measures


class Comparison(NamedTuple):
    """The CPU microseconds of both, and the ratios of package to engine."""

    engine: Measures
    package: Measures
    version: str
    """Of the package."""

    @property
    def ratio(self) -> Measures:
        return {name: self.package[name] / self.engine[name] for name in self.package}


def compare(rounds: int, seconds: float) -> Comparison:
    """Return the medians over the rounds."""
    script = [str(ROOT / "scripts" / "diplomacy" / "oracle")]
    oracle = subprocess.run(
        script, env={**os.environ, "PYTHON": sys.executable}, stdout=subprocess.PIPE, text=True, check=True
    )
    folder = oracle.stdout.strip()
    engine, package = [], []
    with TemporaryDirectory() as home:
        plain = {"PATH": os.environ["PATH"], "HOME": home}
        for seed in range(rounds):
            engine.append(run_half("engine", seed, seconds, {**plain, "PYTHONPATH": str(ROOT)}))
            package.append(run_half("package", seed, seconds, {**plain, "PYTHONPATH": folder}))
    ours = {name: median(measures[name] for measures in engine) for name in engine[0]}
    theirs = {name: median(measures[name] for measures in package) for name in package[0]}
    version = next(iter(metadata.distributions(name="diplomacy", path=[folder]))).version
    return Comparison(ours, theirs, version)


def cpu_name() -> str:
    info = Path("/proc/cpuinfo")
    names = (
        [line.split(": ", 1)[1] for line in info.read_text().splitlines() if "model name" in line]
        if info.exists()
        else []
    )
    return names[0] if names else platform.machine()


def show(result: Comparison, out: Path | None) -> None:
    from benchmarks.report import publish, table

    works = {
        "loop": "a phase of random play",
        "clone": "a clone",
        "match": "a phase of a whole match: text in and out, secrets, events",
    }
    rows = [
        [text, result.engine[name], result.package.get(name), result.ratio.get(name), REQUIRED.get(name)]
        for name, text in works.items()
    ]
    section = table("CPU µs", ["work", "engine", "package", "ratio", "required ratio"], rows)
    conditions = (
        f"Python {platform.python_version()}, diplomacy {result.version}; {cpu_name()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}"
    )
    publish("The Diplomacy engine", conditions, [section], out)


def measure_half(name: str, seed: str, seconds: str) -> None:
    """Print the measures of one engine; the package's process has no Grandstand."""
    measure = {"engine": measure_engine, "package": measure_package}[name]
    print(json.dumps(measure(int(seed), float(seconds))))


def main() -> None:
    if sys.argv[1:2] == [HALF]:
        measure_half(*sys.argv[2:])
        return
    from benchmarks.report import add_out

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds per measurement")
    add_out(parser)
    options = parser.parse_args()
    result = compare(options.rounds, options.seconds)
    show(result, options.out)
    sys.exit(any(result.ratio[name] < required for name, required in REQUIRED.items()))


if __name__ == "__main__":
    main()
