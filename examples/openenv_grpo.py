"""Train a model on a seat with TRL's own GRPOTrainer, as an outside client of a running server.

    grandstand serve                    # in one terminal; the matches can be watched at http://127.0.0.1:8000
    python examples/openenv_grpo.py --model Qwen/Qwen3-0.6B --seat FRANCE --opponents dumbbot --turns 4

It needs `trl`, `torch` and `openenv`, and nothing of this repository. The model reads the match's own text, answers by
calling `play`, and is rewarded with its seat's score at the end.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from typing import Any

from openenv import GenericEnvClient
from trl import GRPOConfig, GRPOTrainer


class Seat:
    """One seat of a match, as TRL wants an environment: `reset`, tools, and a reward."""

    def __init__(self, url: str, words: Mapping[str, Any]) -> None:
        """`words` are those of the environment's reset. TRL makes one Seat more than it plays: nothing is done here."""
        self._url = url
        self._words = dict(words)
        self._session: Any = None
        self._reward = 0.0

    def reset(self, **row: Any) -> str:
        if self._session is None:
            self._session = GenericEnvClient(base_url=self._url).sync()
        self._reward = 0.0
        seen = self._session.reset(**self._words)
        return f"{seen.observation['instructions']}\n\n{seen.observation['text']}"

    def play(self, reply: str) -> str:
        """
        Answer for your seat.

        Args:
            reply: The JSON object that the instructions ask for.

        Returns:
            What you see next, or why your answer was refused.
        """
        seen = self._session.step({"reply": reply})
        self._reward += seen.reward
        if seen.done:
            return "The match is over."
        return str(seen.observation["error"] or seen.observation["text"])

    def get_reward(self) -> float:
        return self._reward


def trainer(model: Any, url: str, words: Mapping[str, Any], args: GRPOConfig, **more: Any) -> GRPOTrainer:
    """A stock trainer on that seat; `max_steps` must be set, for the matches never run out."""
    return GRPOTrainer(model=model, args=args, environment_factory=partial(Seat, url, words), **more)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--model", default="Qwen/Qwen3-0.6B")
    parser.add_argument("--game", default="diplomacy")
    parser.add_argument("--seat", default="FRANCE")
    parser.add_argument("--opponents", default="dumbbot")
    parser.add_argument("--turns", type=int, default=4, help="turns of a match")
    parser.add_argument("--steps", type=int, default=100, help="optimiser steps")
    parser.add_argument("--group", type=int, default=8, help="matches that are compared with each other")
    parser.add_argument("--token", help="the operator's token, where the server has one")
    chosen = parser.parse_args()
    words = {"game": chosen.game, "seat": chosen.seat, "opponents": chosen.opponents, "max_turns": chosen.turns}
    args = GRPOConfig(
        output_dir="grpo",
        max_steps=chosen.steps,
        num_generations=chosen.group,
        per_device_train_batch_size=chosen.group,
        max_completion_length=8192,
        max_tool_calling_iterations=2 * chosen.turns,
        report_to="none",
    )
    if chosen.token:
        words["token"] = chosen.token
    trainer(chosen.model, chosen.url, words, args).train()


if __name__ == "__main__":
    main()
