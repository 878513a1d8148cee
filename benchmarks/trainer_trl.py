"""TRL's half of `benchmarks/trainer.py`, in TRL's own environment: a learner step of its GRPOTrainer on given samples.

The first line of stdin is the job, in JSON. Each further line asks for a step, and is told what it took. TRL generates
its samples itself and accepts no others: so the methods of a step are called on these as its own loop calls
them.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models
from transformers import CONFIG_MAPPING, AutoModelForCausalLM, PreTrainedTokenizerFast

PAD, END = 0, 1


def micro_batches(samples: list[dict[str, Any]], tokens: int) -> list[list[dict[str, Any]]]:
    """Return micro-batches of up to `tokens` tokens, sorted by length: less padding than in TRL's own order."""
    batches: list[list[dict[str, Any]]] = []
    for sample in sorted(samples, key=lambda item: len(item["prompt"]) + len(item["completion"])):
        batch = [*batches[-1], sample] if batches else [sample]
        width = max(len(item["prompt"]) for item in batch) + max(len(item["completion"]) for item in batch)
        if not batches or width * len(batch) > tokens:
            batches.append([sample])
        else:
            batches[-1].append(sample)
    return batches


def padded(batch: list[dict[str, Any]], whole: int, device: str) -> dict[str, torch.Tensor]:
    """Return a micro-batch in TRL's form: prompts padded on the left, answers on the right."""
    before = max(len(item["prompt"]) for item in batch)
    after = max(len(item["completion"]) for item in batch)
    made = {
        "prompt_ids": [[PAD] * (before - len(item["prompt"])) + item["prompt"] for item in batch],
        "prompt_mask": [[0] * (before - len(item["prompt"])) + [1] * len(item["prompt"]) for item in batch],
        "completion_ids": [item["completion"] + [PAD] * (after - len(item["completion"])) for item in batch],
        "completion_mask": [[1] * len(item["completion"]) + [0] * (after - len(item["completion"])) for item in batch],
    }
    return {
        **{name: torch.tensor(rows, device=device) for name, rows in made.items()},
        "advantages": torch.tensor([item["advantage"] for item in batch], device=device),
        "num_items_in_batch": torch.tensor(whole, device=device),
    }


class Half:
    """TRL's trainer, with a model of random weights."""

    def __init__(self, job: dict[str, Any]) -> None:
        sys.path.append(job["peft"])  # where TRL's environment has none; behind its own
        from peft import LoraConfig
        from trl import GRPOConfig, GRPOTrainer

        torch.set_num_threads(job["threads"])
        torch.manual_seed(0)
        self.device, self.beta = job["device"], 0.01 if job["reference"] else 0.0
        with torch.device(self.device):
            model = AutoModelForCausalLM.from_config(  # type: ignore[no-untyped-call]
                CONFIG_MAPPING[job["config"].pop("model_type")](**job["config"]),
                dtype=getattr(torch, job["dtype"]),
                attn_implementation="sdpa",
            )
        words = Tokenizer(models.WordLevel({"<pad>": PAD, "<end>": END}, unk_token="<end>"))
        self.batches = micro_batches(job["samples"], job["batch_tokens"])
        self.whole = sum(len(item["completion"]) for item in job["samples"])
        arguments = GRPOConfig(
            output_dir=job["folder"],
            per_device_train_batch_size=8,
            num_generations=8,
            gradient_accumulation_steps=len(self.batches),
            steps_per_generation=len(self.batches),
            learning_rate=1e-4,
            beta=self.beta,
            loss_type="dapo",
            bf16=job["dtype"] == "bfloat16",
            gradient_checkpointing=job["gradient_checkpointing"],
            use_cpu=self.device == "cpu",
            report_to="none",
            save_strategy="no",
        )
        self.trainer = GRPOTrainer(
            model,
            reward_funcs=lambda completions, **_: [0.0] * len(completions),
            args=arguments,
            train_dataset=Dataset.from_list([{"prompt": "x"}] * 8),
            processing_class=PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="<end>"),  # type: ignore[no-untyped-call]
            peft_config=LoraConfig(**job["lora"]),
        )
        self.model = self.trainer.model.train()
        self.trainer.current_gradient_accumulation_steps = len(self.batches)
        self.optimizer = self.trainer.create_optimizer()

    def step(self) -> float:
        """Return the loss."""
        total = 0.0
        for batch in self.batches:
            value = padded(batch, self.whole, self.device)
            if self.beta:
                value["ref_per_token_logps"] = self._reference(value)
            loss = self.trainer._compute_loss(self.model, value)
            loss.backward()
            total += float(loss.detach())
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.trainer._metrics["train"].clear()
        return total

    @torch.no_grad()
    def _reference(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], dim=1)
        mask = torch.cat([batch["prompt_mask"], batch["completion_mask"]], dim=1)
        with self.model.disable_adapter():
            logps = self.trainer._get_per_token_logps_and_entropies(
                self.model, ids, mask, batch["completion_ids"].shape[1]
            )[0]
        assert isinstance(logps, torch.Tensor)
        return logps


def main() -> None:
    job = json.loads(sys.stdin.readline())
    out, sys.stdout = sys.stdout, sys.stderr
    half = Half(job)
    print(json.dumps({"micro_batches": len(half.batches)}), file=out, flush=True)
    for _ in sys.stdin:
        wall, cpu = time.perf_counter(), time.process_time()
        loss = half.step()
        if half.device != "cpu":
            torch.cuda.synchronize()
        took = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "loss": loss}
        print(json.dumps(took), file=out, flush=True)


if __name__ == "__main__":
    main()
