"""A program that is called like `grandstand` and writes the files of a training run at once, with planted effects.

The gain of a version is 0.1 + 0.5 * kl.beta + noise of the seed. `kl.beta` 0.13 breaks off, and 0.17 is killed unless
there is a file `mercy` beside the sweep's folder. While there is a file `hold`, training waits after its first step.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import tomllib
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

BREAKS_OFF, KILLED = 0.13, 0.17
NO_CLONE = 13
"""Number of matches to clone from with which the cloning fails."""


def main(arguments: list[str]) -> int:
    options = dict(zip(arguments[1::1], [*arguments[2::1], ""], strict=True))
    out = Path(options["--out"])
    if arguments[:2] == ["train", "eval"]:
        return measure(out, arguments)
    if arguments[:2] == ["train", "bc"]:
        return clone(out, tomllib.loads(Path(options["--config"]).read_text()))
    if "--resume" not in arguments:
        out.mkdir(parents=True)
        (out / "config.toml").write_text(Path(options["--config"]).read_text())
    return train(out, tomllib.loads((out / "config.toml").read_text()))


def train(out: Path, config: dict[str, Any]) -> int:
    (out / "machines.jsonl").write_text(
        json.dumps(
            {
                "platform": "a platform",
                "processor": "a processor",
                "cpus": 2,
                "gpus": [],
                "python": "3.11",
                "packages": {"torch": "2"},
                "commit": "abc",
            }
        )
        + "\n"
    )
    beta, seed = config["kl"]["beta"], config["run"]["seed"]
    lines = (out / "metrics.jsonl").read_text().splitlines() if (out / "metrics.jsonl").exists() else []
    for step in range(len(lines) + 1, config["run"]["steps"] + 1):
        row = {
            "step": step,
            "kl/mean": 0.5 - beta + 0.01 * Random(f"{seed}/{step}").random(),
            "eval/vs_base/gain": 0.1 * step if step < 3 else 0.0,
            "benchmark/reward_mean": 0.1 * step,
            "benchmark/rollout_time_s": 3.0,
            "benchmark/training_time_s": 1.0,
            "processing/effective_batch_size": 50.0,
        }
        with (out / "metrics.jsonl").open("a") as file:
            file.write(json.dumps(row) + "\n")
        (out / "checkpoints" / f"step-{step:06d}").mkdir(parents=True)
        while step == 1 and (out.parents[3] / "hold").exists():
            time.sleep(0.02)
        if beta == BREAKS_OFF:
            sys.stderr.write("grandstand train: the run broke off: the loss is not finite\n")
            return 1
        if beta == KILLED and not (out.parents[3] / "mercy").exists():
            os.kill(os.getpid(), signal.SIGKILL)
    return 0


def clone(out: Path, config: dict[str, Any]) -> int:
    if config["clone"]["games"] == NO_CLONE:
        sys.stderr.write("grandstand train: no choices to learn from\n")
        return 2
    (out / "policy").mkdir()
    (out / "base.json").write_text(json.dumps({"run.seed": config["run"]["seed"]}))
    return 0


def values(arguments: list[str], option: str) -> list[str]:
    return [value for name, value in pairwise(arguments) if name == option]


def measure(out: Path, arguments: list[str]) -> int:
    config = tomllib.loads((out / "config.toml").read_text())
    luck = Random(f"{config['run']['seed']}/{config['kl']['beta']}")
    gain = 0.1 + 0.5 * config["kl"]["beta"] + luck.gauss(0, 0.002)
    situations = Random(config["run"]["seed"])
    games = int(values(arguments, "--games")[0])
    pairs = [(score + gain, score) for score in (situations.random() for _ in range(games))]
    result = {"games": games, "mean": 0.5 + gain, "base": 0.5, "gain": gain, "elo": None, "pairs": pairs}
    for version in values(arguments, "--version"):
        for against in values(arguments, "--against"):
            line = {"result": {"version": int(version), "against": against, **result}}
            sys.stdout.write(json.dumps(line) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
