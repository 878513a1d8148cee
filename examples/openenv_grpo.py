"""Train a model on a seat with TRL's own GRPOTrainer, as an outside client of a running server.

    grandstand serve                    # in one terminal; the matches can be watched at http://127.0.0.1:8000
    python examples/openenv_grpo.py --model Qwen/Qwen3-0.6B --seat FRANCE --opponents dumbbot --turns 4

It needs `trl`, `torch` and `openenv`, and nothing of this repository. The model reads the match's own text, answers by
calling `play`, and is rewarded with its seat's score. The rollouts of a group play the same match, with the same seed:
what they are compared by is what they did.

`--reward gain` rewards each answer with what the standing gained. The rewards add up to the score all the same, but a
rollout that is cut off, by its length or its number of calls, has what it had gained by then, not nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from openenv import GenericEnvClient

if TYPE_CHECKING:
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

TASK = ("seed", "split", "index")
"""Columns of a dataset that choose the match: TRL gives the same row to all rollouts of a group."""


class Seat:
    """One seat of a match, as TRL wants an environment: `reset`, tools, and a reward."""

    def __init__(self, url: str, words: Mapping[str, Any]) -> None:
        """`words` are those of the environment's reset. TRL makes one Seat more than it plays: nothing is done here."""
        self._url = url
        self._words = dict(words)
        self._session: Any = None
        self._reward = 0.0
        self._asked = ""

    def reset(self, **row: Any) -> str:
        if self._session is None:
            self._session = GenericEnvClient(base_url=self._url).sync()
        task = {name: row[name] for name in TASK if row.get(name) is not None}
        result = self._session.reset(**{**self._words, **task})
        self._reward = result.reward
        self._asked = result.observation["system_prompt"]
        return f"{self._asked}\n\n{result.observation['text']}"

    def play(self, reply: str) -> str:
        """
        Answer for your seat.

        Args:
            reply: The JSON object that the instructions ask for.

        Returns:
            What you see next, or why your answer was refused.
        """
        result = self._session.step({"reply": reply})
        self._reward += result.reward
        if result.done:
            return "The match is over."
        asked, self._asked = self._asked, result.observation["system_prompt"]
        if result.observation["error"]:
            return str(result.observation["error"])
        news = "" if self._asked == asked else f"{self._asked}\n\n"
        return f"{news}{result.observation['text']}"

    def get_reward(self) -> float:
        return self._reward


def matches(count: int, first: int = 0) -> Dataset:
    """Return a dataset of so many matches, each with a seed of its own. The prompt is the environment's."""
    from datasets import Dataset

    prompt = [{"role": "user", "content": ""}]
    return Dataset.from_dict({"prompt": [prompt] * count, "seed": list(range(first, first + count))})


def trainer(
    model: Any, url: str, words: Mapping[str, Any], args: GRPOConfig, dataset: Dataset, **more: Any
) -> GRPOTrainer:
    """Return a stock trainer on that seat, in the matches of `dataset`."""
    from trl import GRPOTrainer

    factory = partial(Seat, url, words)
    return GRPOTrainer(model=model, args=args, train_dataset=dataset, environment_factory=factory, **more)


def main() -> None:
    from trl import GRPOConfig

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--model", default="Qwen/Qwen3-0.6B")
    parser.add_argument("--game", default="diplomacy")
    parser.add_argument("--seat", default="FRANCE")
    parser.add_argument("--opponents", default="dumbbot")
    parser.add_argument("--turns", type=int, default=4, help="turns of a match")
    parser.add_argument("--steps", type=int, default=100, help="optimizer steps")
    parser.add_argument("--group", type=int, default=8, help="matches that are compared with each other")
    parser.add_argument("--matches", type=int, default=1000, help="matches to learn from, each with its own seed")
    parser.add_argument("--reward", choices=("score", "gain"), default="score")
    parser.add_argument("--token", help="the operator's token, where the server has one")
    options = parser.parse_args()
    words = {"game": options.game, "seat": options.seat, "opponents": options.opponents, "max_turns": options.turns}
    words["reward"] = options.reward
    args = GRPOConfig(
        output_dir="grpo",
        max_steps=options.steps,
        num_generations=options.group,
        per_device_train_batch_size=options.group,
        max_completion_length=8192,
        max_tool_calling_iterations=2 * options.turns,
        report_to="none",
    )
    if options.token:
        words["token"] = options.token
    trainer(options.model, options.url, words, args, matches(options.matches)).train()


if __name__ == "__main__":
    main()
