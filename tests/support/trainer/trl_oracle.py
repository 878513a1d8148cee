"""TRL's own loss, for `test_losses_trl.py`: JSON lines with a case each on stdin, its loss and gradients on stdout.

Runs in TRL's environment, where nothing of this project is imported. The trainer is TRL's class, made without its
constructor: its scoring and its loss run as they are, on log-probabilities that come from the case instead of a model.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import torch
from trl import GRPOTrainer

PAD, TOKEN = 0, 1


def padded(rows: list[list[float]]) -> torch.Tensor:
    return torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)


def trainer_for(case: dict[str, Any], logps: torch.Tensor, entropies: torch.Tensor) -> Any:
    """TRL's trainer, in place of a model and its generation the case."""
    model = SimpleNamespace(training=True, is_gradient_checkpointing=False)
    reference = SimpleNamespace()
    old, ref = padded(case["old"]), padded(case["reference"])

    def logps_of(asked: Any, *_: Any, compute_entropy: bool = False, **__: Any) -> Any:
        if compute_entropy:
            return logps, entropies, None
        return (ref if asked is reference else old), None, None

    ids = [[TOKEN] * len(row) for row in case["choice"]]
    sampler = case["sampler"] if case["importance"] else None
    made = object.__new__(GRPOTrainer)
    made.__dict__.update(
        model=model,
        ref_model=reference,
        _get_per_token_logps_and_entropies=logps_of,
        _generate=lambda prompts: ([[TOKEN]] * len(ids), ids, case["choice"], ids, sampler, {}, None, None),
        _calculate_rewards=lambda *_: torch.tensor(case["rewards"])[:, None],
        accelerator=SimpleNamespace(
            device=torch.device("cpu"),
            process_index=0,
            num_processes=1,
            sync_gradients=True,
            gather=lambda value: value,
            reduce=lambda value, reduction: value,
        ),
        args=SimpleNamespace(
            per_device_train_batch_size=len(ids),
            gradient_checkpointing_kwargs=None,
            steps_per_generation=1,
            gradient_accumulation_steps=1,
            delta=case["delta"],
            use_bias_correction_kl=False,
        ),
        num_iterations=2,
        num_generations=case["group"],
        reward_weights=torch.ones(1),
        reward_func_names=["reward"],
        multi_objective_aggregation="sum_then_normalize",
        scale_rewards=case["scale_rewards"],
        loss_type=case["loss_type"],
        importance_sampling_level=case["level"],
        epsilon_low=case["epsilon_low"],
        epsilon_high=case["epsilon_high"],
        beta=case["beta"],
        entropy_coef=case["entropy"],
        _entropy_bonus_enabled=case["entropy"] != 0,
        max_completion_length=case["length"],
        use_vllm=case["importance"] is not None,
        vllm_importance_sampling_correction=case["importance"] is not None,
        vllm_importance_sampling_mode=case["importance"],
        vllm_importance_sampling_clip_min=case["cap_min"],
        vllm_importance_sampling_clip_max=case["cap"],
        current_gradient_accumulation_steps=1,
        top_entropy_quantile=1.0,
        use_adaptive_entropy=False,
        aux_loss_enabled=False,
        off_policy_mask_threshold=None,
        environment_factories=None,
        environments=None,
        tools=None,
        pad_to_multiple_of=None,
        mask_truncated_completions=False,
        log_multimodal=False,
        _tokenizer=SimpleNamespace(pad_token_id=PAD),
        _is_vlm=False,
        _metrics={"train": defaultdict(list)},
        _logs=defaultdict(list) | {"rewards": defaultdict(list), "extra": defaultdict(list)},
        _pending_extra_logs={},
        _pending_metrics={},
    )
    return made


def answer(case: dict[str, Any]) -> dict[str, Any]:
    logps, entropies = padded(case["logp"]).requires_grad_(), padded(case["entropies"]).requires_grad_()
    trainer = trainer_for(case, logps, entropies)
    scored = trainer._generate_and_score_completions([{"prompt": ""} for _ in case["rewards"]])
    loss = trainer._compute_loss(trainer.model, scored)
    grads = torch.autograd.grad(loss, (logps, entropies), allow_unused=True)
    lengths = [len(row) for row in case["logp"]]
    return {
        "loss": loss.item(),
        "advantages": scored["advantages"].tolist(),
        **{
            name: None if grad is None else [row[:length].tolist() for row, length in zip(grad, lengths, strict=True)]
            for name, grad in zip(("grad", "entropy_grad"), grads, strict=True)
        },
        "metrics": {name: values[-1] for name, values in trainer._metrics["train"].items() if values},
    }


def main() -> None:
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            answered = answer(json.loads(line))
        sys.stdout.write(json.dumps(answered) + "\n")


if __name__ == "__main__":
    main()
