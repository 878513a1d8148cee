"""The vLLM part of `benchmarks/trainer.py`: legal answers beside as many tokens from the whole vocabulary."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import httpx2

from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.model.policy import Policy
from grandstand.trainer.model.sampler import Ask
from grandstand.trainer.vllm.launch import VllmOptions, probe
from grandstand.trainer.vllm.sampler import PLAIN, VllmSampler
from grandstand.trainer.vllm.server import VllmServer


def vllm_rates(
    policy: Policy, asked: Sequence[Ask], config: TrainConfig, options: argparse.Namespace
) -> dict[str, float | str]:
    """Tokens per second of the clock, prompts included: both read the same ones, and vLLM remembers them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        policy.save(folder / "model")
        server = VllmServer(
            VllmOptions(
                python=options.vllm_python,
                model=str(folder / "model"),
                folder=folder / "vllm",
                dtype=config.policy.dtype,
                gpu_memory=config.sampler.vllm.gpu_memory,
                max_lora_rank=config.policy.lora_rank,
            )
        )
        sampler = VllmSampler([server], concurrency=options.asks)
        try:
            server.wait()
            answers = sampler.sample(asked, 0)
            drawn = sum(len(answer.completion) for answer in answers)
            length = round(drawn / len(asked))
            legal, free = [], []
            for _ in range(options.rounds):
                began = time.perf_counter()
                drawn = sum(len(answer.completion) for answer in sampler.sample(asked, 0))
                legal.append(drawn / (time.perf_counter() - began))
                began = time.perf_counter()
                asyncio.run(_free(server, asked, length))
                free.append(length * len(asked) / (time.perf_counter() - began))
        finally:
            sampler.close()
        return {
            "version": probe(options.vllm_python).version,
            "legal_tokens_per_s": median(legal),
            "free_tokens_per_s": median(free),
        }


async def _free(server: VllmServer, asked: Sequence[Ask], length: int) -> None:
    async with httpx2.AsyncClient(headers=server.headers, timeout=300, trust_env=False) as client:

        async def draw(ask: Ask) -> None:
            request = {"model": server.model(0), "prompt": list(ask.prompt), "max_tokens": length, "temperature": 1.0}
            answer = await client.post(f"{server.url}/v1/completions", json={**request, "logprobs": 0, **PLAIN})
            answer.raise_for_status()

        await asyncio.gather(*(draw(ask) for ask in asked))
