"""The learner beside TRL's GRPOTrainer, how much of the machine it uses, and what legal tokens cost a sampler.

    python -m benchmarks.trainer                                    # one thread of a processor: nano and 5m
    python -m benchmarks.trainer --model 0.5b 7b --device cuda --dtype bfloat16 --attention flex \\
        --gradient-checkpointing --batch-tokens 16384 --trl-python PYTHON --vllm-python PYTHON

Models have random weights, in real shapes; samples are choices of real Diplomacy. Rounds of ours and of TRL, which runs
in a process of its own (`scripts/setup/trl` makes its environment) on the same samples, alternate, and medians are
compared. Rates are per second of processor time where there is no GPU, and per second of the clock where there is one.
FLOP are counted by the formula of `benchmarks.trainer_work.Work.flops`, over computed tokens without padding, and
recomputed activations not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import peft
import torch
import transformers

from benchmarks.diplomacy_engine import cpu_name
from benchmarks.report import Cell, Columns, add_out, progress, publish, table
from benchmarks.trainer_vllm import vllm_rates
from benchmarks.trainer_work import DTYPES, SHAPES, Work, asks, play_samples, random_policy, sizes
from grandstand.report import Section
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.learning.learner import Learner
from grandstand.trainer.learning.losses import Extent, Tokens, extent, policy_loss
from grandstand.trainer.model.batch import MicroBatch, PromptRow, TrainingSample, pack
from grandstand.trainer.model.forward import choices, inputs
from grandstand.trainer.model.legal_softmax import entropy
from grandstand.trainer.model.policy import TARGETS, Policy, with_adapter
from grandstand.trainer.model.torch_sampler import TorchSampler

ROOT = Path(__file__).resolve().parent.parent
DATASHEET = 989.0
"""TFLOP/s of an H100 or H200, dense bf16."""
RANK = 16
LEARNER: Columns = [
    "step",
    "CPU s",
    "wall s",
    ("tokens/s", "count"),
    "CPU µs per token",
    "TFLOP/s",
    ("of measured", "share"),
    (f"of {DATASHEET:.0f}", "share"),
    "ratio to TRL",
]
SAMPLERS: Columns = ["sampler", ("legal tokens/s", "count"), ("free tokens/s", "count"), "ratio"]


@dataclass(frozen=True)
class Took:
    """Seconds of the clock, and of this process's processor time."""

    wall: float
    cpu: float


def timed(work: Callable[[], object], device: str) -> Took:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    if device == "cuda":
        torch.cuda.synchronize()
    return Took(time.perf_counter() - wall, time.process_time() - cpu)


def settings(options: argparse.Namespace) -> TrainConfig:
    """Return the learner's settings: rank 16 on all matrices, DAPO's loss, KL to the base; the gate is open, because
    the samples come from another policy."""
    return TrainConfig.model_validate(
        {
            "policy": {
                "device": options.device,
                "dtype": options.dtype,
                "attention": options.attention,
                "lora_rank": RANK,
                "gradient_checkpointing": options.gradient_checkpointing,
            },
            "kl": {"beta": 0.01},
            "optimizer": {"batch_tokens": options.batch_tokens, "max_logprob_gap": 1e9, "learning_rate": 1e-6},
        }
    )


def gradient_pass(policy: Policy, batches: Sequence[MicroBatch], config: TrainConfig) -> None:
    """Do the work of `Learner.step` without the reference policy and the optimizer."""
    flex = config.policy.attention == "flex"
    values = [inputs(batch, policy, one_row=flex) for batch in batches]
    whole = sum((extent(batch.sequence) for batch in values), Extent())
    policy.model.train()
    for batch in values:
        message = choices(policy, batch, flex=flex)
        spread = entropy(message.all, batch.legal)
        tokens = Tokens(batch.sequence, batch.advantage, message.chosen, message.chosen.detach(), batch.sampled, spread)
        torch.autograd.backward(policy_loss(tokens, config.loss, 0.0, whole)[0])
    policy.model.zero_grad(set_to_none=True)
    policy.model.eval()


class Trl:
    """TRL's half, in its own process."""

    def __init__(self, python: str, policy: Policy, samples: Sequence[TrainingSample], config: TrainConfig) -> None:
        self._folder = tempfile.TemporaryDirectory()
        causal: Any = policy.model
        model = causal.get_base_model().config.to_dict()
        job = {
            "config": {name: value for name, value in model.items() if name not in ("dtype", "architectures")},
            "samples": [
                {"prompt": list(sample.prompt), "completion": list(sample.completion), "advantage": sample.advantage}
                for sample in samples
            ],
            "lora": {
                "r": RANK,
                "lora_alpha": 2 * RANK,
                "target_modules": TARGETS["both"],
                "lora_dropout": 0.0,
                "bias": "none",
                "task_type": "CAUSAL_LM",
            },
            "batch_tokens": config.optimizer.batch_tokens,
            "device": config.policy.device,
            "dtype": config.policy.dtype,
            "gradient_checkpointing": config.policy.gradient_checkpointing,
            "reference": True,
            "threads": torch.get_num_threads(),
            "folder": self._folder.name,
            "peft": str(Path(peft.__file__).parent.parent),
        }
        self._process = subprocess.Popen(
            [python, "-W", "ignore", str(ROOT / "benchmarks" / "trainer_trl.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.about = self._ask(job)

    def step(self) -> Took:
        report = self._ask("step")
        return Took(report["wall"], report["cpu"])

    def _ask(self, what: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            sys.exit("TRL's half ended; what it said stands above. Leave it out with --trl-python ''")
        report: dict[str, Any] = json.loads(line)
        return report

    def close(self) -> None:
        self._process.communicate()
        self._folder.cleanup()


def matmul(options: argparse.Namespace, size: int) -> float:
    """TFLOP/s of a product of two square matrices in the model's number format, the best of some."""
    left, right = (torch.randn(size, size, device=options.device, dtype=DTYPES[options.dtype]) for _ in range(2))
    took = [timed(lambda: torch.matmul(left, right), options.device) for _ in range(12)]
    return 2 * size**3 / min(seconds(item, options.device) for item in took) / 1e12


def seconds(took: Took, device: str) -> float:
    return took.wall if device == "cuda" else took.cpu


def measure_learner(policy: Policy, options: argparse.Namespace, config: TrainConfig, shape: str) -> dict[str, Any]:
    samples = play_samples(shape, options.groups, options.forks)
    one_row = options.attention == "flex"
    shared = pack(samples, options.batch_tokens, one_row=one_row)
    apart = unshared(samples, options.batch_tokens, one_row=one_row)
    learner = Learner(config, policy)
    ways: dict[str, Callable[[], Took]] = {
        "step": lambda: timed(lambda: learner.step(samples, 1, lambda version: {}), options.device),
        "no reference": lambda: timed(lambda: gradient_pass(policy, shared, config), options.device),
        "no reference, prompts not shared": lambda: timed(lambda: gradient_pass(policy, apart, config), options.device),
    }
    trl = Trl(options.trl_python, policy, samples, config) if options.trl_python else None
    if trl is not None:
        ways["TRL's step"] = trl.step
    result = rounds(ways, options)
    if trl is not None:
        trl.close()
    whole = sum(len(sample.prompt) + len(sample.completion) for sample in samples)
    work, more = Work.of(shared), Work.of(apart)
    flops = {
        "step": work.flops(policy, reference=True),
        "no reference": work.flops(policy, reference=False),
        "no reference, prompts not shared": more.flops(policy, reference=False),
    }
    return {
        "samples": len(samples),
        "prompt": whole / len(samples) - sum(len(sample.completion) for sample in samples) / len(samples),
        "answer": sum(len(sample.completion) for sample in samples) / len(samples),
        "tokens": whole,
        "computed": work.tokens,
        "micro_batches": len(shared),
        "ways": {
            way: {
                "wall_s": median(item.wall for item in took),
                "cpu_s": median(item.cpu for item in took),
                "tokens_per_s": whole / median(seconds(item, options.device) for item in took),
                "tflops": flops[way] / median(seconds(item, options.device) for item in took) / 1e12
                if way in flops
                else 0,
            }
            for way, took in result.items()
        },
    }


def unshared(samples: Sequence[TrainingSample], tokens: int, *, one_row: bool) -> list[MicroBatch]:
    """Return the packed samples, with a prompt of its own for each."""
    apart = [
        TrainingSample((number, *item.prompt[1:]), item.completion, item.logprobs, item.allowed, 1.0, item.advantage)
        for number, item in enumerate(samples)
    ]
    prompts = {(number, *item.prompt[1:]): item.prompt for number, item in enumerate(samples)}
    return [
        MicroBatch([PromptRow(prompts[row.prompt], row.samples) for row in batch.rows])
        for batch in pack(apart, tokens, one_row=one_row)
    ]


def rounds(ways: Mapping[str, Callable[[], Took]], options: argparse.Namespace) -> dict[str, list[Took]]:
    """Run each way once in every round; the first round is a warm-up."""
    result: dict[str, list[Took]] = {way: [] for way in ways}
    for number in range(options.rounds + 1):
        for way, work in ways.items():
            took = work()
            if number:
                result[way].append(took)
    return result


def measure_sampler(policy: Policy, options: argparse.Namespace, shape: str) -> dict[str, float]:
    """Tokens a second, after the prompts were read: of legal answers, and of as many tokens from the whole
    vocabulary."""
    asked = asks(shape, options.asks)
    sampler = TorchSampler(policy, batch=options.asks)
    prompts = [list(ask.prompt) for ask in asked]
    drawn = sum(len(item.completion) for item in sampler.sample(asked, 0))
    length = round(drawn / len(asked))
    ways: dict[str, Callable[[], Took]] = {
        "prompts": lambda: timed(lambda: free(policy, prompts, 0), options.device),
        "legal": lambda: timed(lambda: sampler.sample(asked, 0), options.device),
        "free": lambda: timed(lambda: free(policy, prompts, length), options.device),
    }
    took = {way: median(seconds(o, options.device) for o in of) for way, of in rounds(ways, options).items()}
    return {
        "answers": len(asked),
        "length": drawn / len(asked),
        "legal_tokens_per_s": drawn / (took["legal"] - took["prompts"]),
        "free_tokens_per_s": length * len(asked) / (took["free"] - took["prompts"]),
    }


@torch.inference_mode()
def free(policy: Policy, prompts: Sequence[Sequence[int]], length: int) -> None:
    """Read the prompts and draw so many tokens for each, any token being legal."""
    width = max(map(len, prompts))
    ids = torch.tensor(
        [[policy.pad] * (width - len(prompt)) + list(prompt) for prompt in prompts], device=policy.device
    )
    mask = torch.tensor([[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts], device=policy.device)
    places = (mask.cumsum(dim=1) - 1).clamp(min=0)
    out = policy.hidden(ids, attention_mask=mask, position_ids=places, use_cache=True)
    for _ in range(length):
        logits = out.last_hidden_state[:, -1] @ policy.head.T
        tokens = torch.multinomial(logits.float().softmax(dim=1), 1)
        tokens.tolist()  # a sampler looks at them
        mask = torch.cat([mask, mask.new_ones(len(prompts), 1)], dim=1)
        places = mask.sum(dim=1, keepdim=True) - 1
        cache = out.past_key_values
        out = policy.hidden(tokens, attention_mask=mask, position_ids=places, past_key_values=cache, use_cache=True)


def measure(options: argparse.Namespace, shape: str) -> dict[str, Any]:
    config = settings(options)
    result: dict[str, Any] = {"shape": shape}
    if options.vllm_python and shape != "nano":
        result["vllm"] = vllm_rates(random_policy(shape, config.policy), asks(shape, options.asks), config, options)
    policy = with_adapter(random_policy(shape, config.policy), config.policy, seed=0)
    body, adapter, _ = sizes(policy)
    result |= {
        "body": body,
        "adapter": adapter,
        "matmul_tflops": matmul(options, 8192 if options.device == "cuda" else 1024),
    }
    result["learner"] = measure_learner(policy, options, config, shape)
    result["sampler"] = measure_sampler(policy, options, shape)
    return result


def sections(result: Mapping[str, Any], options: argparse.Namespace) -> list[Section]:
    learner, peak = result["learner"], result["matmul_tflops"]
    note = (
        f"{result['body'] / 1e6:.2f}M parameters in matrices, {result['adapter'] / 1e6:.2f}M in the adapter; a product"
        f" of matrices makes {peak:.3g} TFLOP/s. {learner['samples']} samples of {learner['prompt']:.0f} +"
        f" {learner['answer']:.0f} tokens in {learner['micro_batches']} micro-batches; of {learner['tokens']} tokens"
        f" {learner['computed']} are computed, {1 - learner['computed'] / learner['tokens']:.0%} saved by shared"
        " prompts."
    )
    trl, rows = learner["ways"].get("TRL's step"), list[list[Cell]]()
    for way, took in learner["ways"].items():
        speed, flops = took["tokens_per_s"], took["tflops"] or None
        sheet = flops / DATASHEET if flops and options.device == "cuda" else None
        cost = [took["cpu_s"], took["wall_s"], speed, 1e6 * took["cpu_s"] / learner["tokens"]]
        rows.append([way, *cost, flops, flops and flops / peak, sheet, trl and speed / trl["tokens_per_s"]])
    sampler = result["sampler"]
    name = f"in this process, {sampler['answers']:.0f} answers of {sampler['length']:.1f} tokens"
    samplers = {name: sampler, **({f"vLLM {vllm['version']}": vllm} if (vllm := result.get("vllm")) else {})}
    drawn = [(name, rates["legal_tokens_per_s"], rates["free_tokens_per_s"]) for name, rates in samplers.items()]
    speeds = [[name, legal, free, legal / free] for name, legal, free in drawn]
    return [
        table(f"{result['shape']}: learner", LEARNER, rows, note),
        table(f"{result['shape']}: samplers", SAMPLERS, speeds),
    ]


def main() -> None:
    cuda = torch.cuda.is_available()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", nargs="+", choices=list(SHAPES), default=["nano", "5m"])
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda" if cuda else "cpu")
    parser.add_argument("--dtype", choices=list(DTYPES), default="float32")
    parser.add_argument("--attention", choices=("sdpa", "flex"), default="sdpa")
    parser.add_argument("--gradient-checkpointing", action="store_true")
    parser.add_argument("--batch-tokens", type=int, default=8192, help="of a micro-batch, padding included")
    parser.add_argument("--groups", type=int, default=4, help="positions that samples are of")
    parser.add_argument("--forks", type=int, default=8, help="of each position")
    parser.add_argument("--asks", type=int, default=64, help="answers that are sampled at a time")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--trl-python", default=str(ROOT / ".cache" / "trl" / "bin" / "python"), help="'' for none")
    parser.add_argument("--vllm-python", default="", help="an interpreter that has vLLM")
    add_out(parser)
    values = parser.parse_args()
    if values.device == "cpu":
        torch.set_num_threads(1)
    machine = torch.cuda.get_device_name() if values.device == "cuda" else cpu_name()
    about = {
        "machine": machine,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "peft": peft.__version__,
        "threads": torch.get_num_threads(),
        **{name: getattr(values, name) for name in ("dtype", "attention", "batch_tokens", "rounds")},
    }
    shown = [section for shape in progress(values.model) for section in sections(measure(values, shape), values)]
    publish("The trainer", ", ".join(f"{name} {value}" for name, value in about.items()), shown, values.out)


if __name__ == "__main__":
    main()
