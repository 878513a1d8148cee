"""Decisions per second that vLLM draws, with the mask and without: `python -m benchmarks.vllm_sampling [--game NAME]`.

Answers to moments of a real match, siblings in groups of eight, by a random model of two layers: what is measured is
the cost of masking and asking, not of a language model. *masked*: by our logits processor, a request for each run of
slots. *one by one*: by `allowed_token_ids`, a request for each token with an alternative. *free*: as many tokens from
the same prompts, nothing masked. Rounds are interleaved. A decision is a token that had an alternative. Processor
seconds are those of all of vLLM's processes, and of this one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice
from pathlib import Path

import httpx2

from benchmarks.report import Cell, add_out, publish, table
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.trainer.model.codec import ChatCodec, Question
from grandstand.trainer.model.sampler import Ask, Sampled
from grandstand.trainer.vllm.launch import TRAINER, VllmOptions
from grandstand.trainer.vllm.sampler import PLAIN, VllmSampler
from grandstand.trainer.vllm.server import VllmServer
from tests.support.trainer import tiny_qwen
from tests.support.trainer.chat import moments, tokenizer

SIBLINGS = 8
PYTHON = TRAINER.parents[1] / ".cache" / "vllm" / "bin" / "python"
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Cost:
    """The cost of one way, over all rounds."""

    wall: float = 0.0
    engine: float = 0.0
    ours: float = 0.0
    tokens: int = 0
    decisions: int = 0
    answers: int = 0

    def row(self, name: str) -> list[Cell]:
        rates = [count / self.wall for count in (self.answers, self.decisions, self.tokens)]
        return [name, *rates, 1000 * self.engine / self.tokens, 1000 * self.ours / self.tokens]


def asks(name: str, answers: int) -> list[Ask]:
    """Of moments that are far apart, `SIBLINGS` of each."""
    spec = game_spec(name)
    codec = ChatCodec(tokenizer(), spec)
    result: list[Ask] = []
    for match, seat, _ in islice(chain.from_iterable(moments(spec, seed) for seed in count(1)), 0, None, 7):
        if len(result) >= answers:
            break
        game = match.fork().game
        result += [Question(spec, codec, game, seat).ask(len(result) + number, 1.0) for number in range(SIBLINGS)]
    return result


def processor_seconds(server: VllmServer) -> float:
    """Of the server's processes, by the folder that they work in."""
    seconds = 0.0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.joinpath("cwd").resolve() == server.options.folder:
                times = process.joinpath("stat").read_text("utf-8").rpartition(")")[2].split()
                seconds += (int(times[11]) + int(times[12])) / TICKS
        except OSError:
            continue  # it has ended, or belongs to another user
    return seconds


def measure(cost: Cost, server: VllmServer, work: Callable[[], object]) -> None:
    engine, ours, wall = processor_seconds(server), time.process_time(), time.monotonic()
    work()
    cost.wall += time.monotonic() - wall
    cost.engine += processor_seconds(server) - engine
    cost.ours += time.process_time() - ours


async def free(server: VllmServer, wanted: Sequence[Ask], lengths: Sequence[int]) -> None:
    async with httpx2.AsyncClient(timeout=600, trust_env=False, headers=server.headers) as client:

        async def complete(ask: Ask, length: int) -> None:
            body = {"model": "base", "prompt": [*ask.prompt, *ask.lead], "max_tokens": length, "seed": ask.seed}
            answer = await client.post(f"{server.url}/v1/completions", json={**body, **PLAIN, "logprobs": 0})
            assert len(answer.json()["choices"][0]["token_ids"]) == length

        await asyncio.gather(*map(complete, wanted, lengths))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=sorted(GAMES), default="diplomacy")
    parser.add_argument("--answers", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--python", default=str(PYTHON), help="interpreter with vLLM")
    add_out(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        tiny_qwen.save_model(folder / "model")
        extra = ("--enforce-eager",)
        env = {"VLLM_CPU_OMP_THREADS_BIND": "nobind", "OMP_NUM_THREADS": "1"}
        model = str(folder / "model")
        server = VllmServer(VllmOptions(args.python, model, folder / "run", dtype="float32", extra=extra, env=env))
        sampler = VllmSampler([server])
        try:
            wanted = asks(args.game, args.answers)
            server.wait()
            drawn: list[Sampled] = []

            def sample(masks: bool) -> None:
                server.masks = masks
                drawn[:] = sampler.sample(wanted, 0)

            costs = {"masked": Cost(), "one by one": Cost(), "free": Cost()}
            for number in range(-1, args.rounds):  # the first warms the prefix cache up
                if number == 0:
                    costs = {name: Cost() for name in costs}
                for masks, name in ((True, "masked"), (False, "one by one")):
                    measure(costs[name], server, lambda masks=masks: sample(masks))  # type: ignore[misc]
                    costs[name].tokens += sum(len(item.completion) for item in drawn)
                    costs[name].decisions += sum(map(bool, (at for item in drawn for at in item.allowed)))
                    costs[name].answers += len(drawn)
                lengths = [len(item.completion) - len(ask.lead) for ask, item in zip(wanted, drawn, strict=True)]
                measure(costs["free"], server, lambda n=lengths: asyncio.run(free(server, wanted, n)))  # type: ignore[misc]
                costs["free"].tokens += sum(lengths)
                costs["free"].answers += len(wanted)
        finally:
            sampler.close()
    lengths = [len(ask.prompt) for ask in wanted]
    columns = ["way", "answers/s", "decisions/s", "tokens/s", "vLLM's CPU ms/token", "our CPU ms/token"]
    section = table("Ways", columns, [cost.row(name) for name, cost in costs.items()])
    conditions = f"{args.game}: {len(wanted)} answers at a time, prompts of {min(lengths)} to {max(lengths)} tokens"
    publish("Sampling by vLLM", conditions, [section], args.out)


if __name__ == "__main__":
    main()
