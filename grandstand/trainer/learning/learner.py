"""Take a gradient step: micro-batches through policy and reference, the loss, AdamW. Independent of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, isfinite, pi
from random import Random
from typing import Any, NamedTuple

import torch
from torch import Tensor

from grandstand.trainer.config.sections import OptimizerSettings
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.distributed.group import LearnerGroup
from grandstand.trainer.league.matchmaking import keyed
from grandstand.trainer.learning.kl import KLController
from grandstand.trainer.learning.losses import Extent, Stats, Tokens, kl_exact, kl_k3, policy_loss, summarize
from grandstand.trainer.learning.reference import Reference
from grandstand.trainer.model.batch import MicroBatch, TrainingSample, pack
from grandstand.trainer.model.forward import Inputs, choices, inputs
from grandstand.trainer.model.legal_softmax import entropy, token_logprobs
from grandstand.trainer.model.policy import Policy

PROBED = 64
"""Samples of each older version whose log-probabilities are computed again with that version's adapter."""

_OLD_OPTIMIZER_KEY = "optimiser"
"""Key of the optimizer's state in older checkpoints."""

AdapterOf = Callable[[int], Mapping[str, Tensor]]
"""Version -> its adapter's tensors."""


class Mismatch(RuntimeError):
    """Sampler and learner disagree on log-probabilities: the policy that played is not the one that would learn."""


class Diverged(RuntimeError):
    """The gradient is not finite."""


class LearnerLost(RuntimeError):
    """A process of the learner has failed; the message names it and its error."""


class Part(NamedTuple):
    """The result of one micro-batch, on the CPU."""

    loss: float
    stats: Stats
    gap: Tensor
    """The differences of log-probabilities between learner and sampler, of the present version's samples."""


class Learner:
    """The trained policy, its optimizer, its reference and its KL controller.

    Each process of a group has the same learner and takes the same steps, with its share of the micro-batches.
    """

    def __init__(self, config: TrainConfig, policy: Policy, group: LearnerGroup | None = None) -> None:
        self._config = config
        self._group = group or LearnerGroup()
        self.policy = policy
        self.reference = Reference(config.kl, policy)
        self.kl = KLController(config.kl)
        self._flex = config.policy.attention == "flex"
        self._parameters = [parameter for _, parameter in policy.trainable()]
        settings = config.optimizer
        self.optimizer = torch.optim.AdamW(
            self._parameters,
            lr=settings.learning_rate,
            betas=settings.betas,
            weight_decay=settings.weight_decay,
        )

    def step(self, samples: Sequence[TrainingSample], step: int, adapter_of: AdapterOf) -> dict[str, float]:
        """Learn from `samples`; `step` counts from 1 and the policy is at version `step` - 1. Return the metrics.

        Raises Mismatch, before anything has changed, if the sampler's log-probabilities differ from the policy's, and
        Diverged if the gradient is not finite.
        """
        settings = self._config.optimizer
        batches = pack(samples, settings.batch_tokens, one_row=self._flex)
        whole = _extent(batches)
        if not whole.tokens:
            return {"benchmark/loss": 0.0, "benchmark/grad_norm": 0.0}
        old = self._old_of(batches) if self._needs_old else {}
        rate = _learning_rate(settings, step, self._config.run.steps)
        for epoch in range(settings.epochs):
            order = list(range(len(batches)))
            Random(keyed(self._config.run.seed, "order", step, epoch)).shuffle(order)
            parts = self._gradient(batches, order, old, whole, step, epoch)
            if not epoch:
                first = summarize([part.stats for part in parts])
                agreed = self._gate([part.gap for part in parts], samples, step - 1, adapter_of)
            norm = self._update(rate, step)
        self.reference.follow()
        return {
            **summarize([part.stats for part in parts]),
            **{name: value for name, value in first.items() if name.startswith("kl/")},
            **agreed,
            **self.kl.update(first["kl/mean"]),
            "benchmark/loss": sum(part.loss for part in parts),
            "benchmark/grad_norm": norm,
            "optimizer/learning_rate": rate,
        }

    def reset(self, adapter: Mapping[str, Tensor]) -> None:
        """Begin anew from these weights: with a fresh optimizer, reference and KL controller."""
        self.policy.load_adapter(adapter)
        self.optimizer.state.clear()
        self.reference = Reference(self._config.kl, self.policy)
        self.kl = KLController(self._config.kl)

    def state_dict(self) -> dict[str, Any]:
        """Return all state that steps change, the adapter included."""
        return {
            "adapter": {name: tensor.detach().clone() for name, tensor in self.policy.adapter().items()},
            "optimizer": self.optimizer.state_dict(),
            "reference": self.reference.state_dict(),
            "kl": self.kl.state_dict(),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.policy.load_adapter(state["adapter"])
        self.optimizer.load_state_dict(state[_OLD_OPTIMIZER_KEY if _OLD_OPTIMIZER_KEY in state else "optimizer"])
        self.reference.load_state_dict(state["reference"])
        self.kl.load_state_dict(state["kl"])

    @property
    def _needs_old(self) -> bool:
        """Return whether the policy at the step's start needs a forward pass of its own."""
        return self._config.optimizer.epochs > 1 or self._config.policy.lora_dropout > 0

    def close(self) -> None:
        """End the other processes, if there are any."""

    @torch.no_grad()
    def _old_of(self, batches: Sequence[MicroBatch]) -> dict[int, Tensor]:
        """Return the log-probabilities of the choices in this process's micro-batches, by number."""
        self.policy.model.eval()
        return self._group.compute(
            range(len(batches)),
            lambda number, counts: choices(self.policy, self._inputs(batches[number]), flex=self._flex).chosen,
        )

    def _gradient(
        self,
        batches: Sequence[MicroBatch],
        order: Sequence[int],
        old: Mapping[int, Tensor],
        whole: Extent,
        step: int,
        epoch: int,
    ) -> list[Part]:
        """Accumulate the gradient of this process's micro-batches, and return the parts of all processes in order."""

        def accumulate(number: int, counts: bool) -> Part:
            # Dropout depends on the micro-batch alone, not on the process that computes it.
            torch.manual_seed(keyed(self._config.run.seed, "learn", step, epoch, number))
            return self._accumulate(batches[number], old.get(number), whole, step - 1, counts)

        parts = self._group.gather(self._group.compute(order, accumulate))
        return [parts[number] for number in order]

    def _accumulate(self, batch: MicroBatch, old: Tensor | None, whole: Extent, version: int, counts: bool) -> Part:
        """Add the gradient of one micro-batch, or a zero gradient if it does not count."""
        batch_inputs = self._inputs(batch)
        self.policy.model.eval()
        with self.reference.active():
            reference = choices(self.policy, batch_inputs, flex=self._flex).all
        self.policy.model.train()
        now = choices(self.policy, batch_inputs, flex=self._flex)
        old = now.chosen.detach() if old is None else old
        tokens = Tokens(
            sequence=batch_inputs.sequence,
            advantages=batch_inputs.advantage,
            logp=now.chosen,
            old_logp=old,
            sampler_logp=batch_inputs.sampled,
            entropy=entropy(now.all, batch_inputs.legal),
            kl=self._kl(now.all, now.chosen, reference, batch_inputs),
        )
        loss, stats = policy_loss(tokens, self._config.loss, self.kl.beta, whole)
        torch.autograd.backward(loss if counts else 0 * loss)
        self.policy.model.eval()
        fresh = torch.tensor([sample.version == version for sample in batch.samples], device=old.device)
        gap = (old - batch_inputs.sampled).abs()[fresh[batch_inputs.sequence]]
        return Part(float(loss.detach()), {name: value.cpu() for name, value in stats.items()}, gap.cpu())

    def _update(self, rate: float, step: int) -> float:
        """Apply the gradient that all processes accumulated, and return its norm before clipping."""
        self._group.add_gradients(self._parameters)
        norm = float(torch.nn.utils.clip_grad_norm_(self._parameters, self._config.optimizer.max_grad_norm))
        if not isfinite(norm):
            self.optimizer.zero_grad(set_to_none=True)
            raise Diverged(
                f"step {step}: the gradient's length is {norm}; go on from the last checkpoint with a lower"
                " optimizer.learning_rate or loss.importance_cap"
            )
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return norm

    def _kl(self, every: Tensor, chosen: Tensor, reference: Tensor, batch_inputs: Inputs) -> Tensor:
        if self._config.kl.estimator == "exact":
            return kl_exact(every, reference, batch_inputs.legal)
        return kl_k3(chosen, token_logprobs(reference, batch_inputs.legal, batch_inputs.tokens))

    def _inputs(self, batch: MicroBatch) -> Inputs:
        return inputs(batch, self.policy, one_row=self._flex)

    def _gate(
        self, gaps: Sequence[Tensor], samples: Sequence[TrainingSample], version: int, adapter_of: AdapterOf
    ) -> dict[str, float]:
        """Compare the sampler's log-probabilities with those that the same version gives here.

        `gaps` are those of the present version's samples; of older ones some are computed here.
        """
        try:
            gap = torch.cat([*gaps, *self._older(samples, version, adapter_of)])
            exact = self._config.policy.dtype == "float32"
            bound = self._config.optimizer.max_logprob_gap
            worst = float(gap.max() if exact else gap.mean())
            if not worst <= bound:
                raise Mismatch(
                    f"the sampler's log-probabilities differ from the learner's by {worst:.2g} nats a token"
                    f" ({'at most' if exact else 'on average'}), more than optimizer.max_logprob_gap {bound:g}: they"
                    " do not compute the same policy (another version, mask, temperature, or number format)"
                )
        except BaseException:
            self.optimizer.zero_grad(set_to_none=True)
            raise
        return {
            "logprob/diff_mean": float(gap.mean()),
            "logprob/diff_std": float(gap.std(correction=0)),
            "logprob/diff_max": float(gap.max()),
        }

    def _older(self, samples: Sequence[TrainingSample], version: int, adapter_of: AdapterOf) -> list[Tensor]:
        """Return the gaps of some samples of each older version, with its adapter; then restore the policy's own
        adapter."""
        older = [sample for sample in samples if sample.choices and sample.version != version]
        gaps: list[Tensor] = []
        own = {name: tensor.detach().clone() for name, tensor in self.policy.adapter().items()} if older else {}
        try:
            for number in sorted({sample.version for sample in older}):
                self.policy.load_adapter(adapter_of(number))
                gaps += self._gaps([sample for sample in older if sample.version == number][:PROBED])
        finally:
            if older:
                self.policy.load_adapter(own)
        return gaps

    @torch.no_grad()
    def _gaps(self, samples: Sequence[TrainingSample]) -> list[Tensor]:
        """Return the gaps between the log-probabilities of the present adapter and the recorded ones."""
        batches = pack(samples, self._config.optimizer.batch_tokens, one_row=self._flex)

        def gap(number: int, counts: bool) -> Tensor:
            batch_inputs = self._inputs(batches[number])
            chosen = choices(self.policy, batch_inputs, flex=self._flex).chosen
            return (chosen - batch_inputs.sampled).abs().cpu()

        gaps = self._group.gather(self._group.compute(range(len(batches)), gap))
        return [gaps[number] for number in range(len(batches))]


def _extent(batches: Sequence[MicroBatch]) -> Extent:
    """Return the extent of a whole step; every packed sample has a choice."""
    samples = [sample for batch in batches for sample in batch.samples]
    return Extent(len(samples), sum(len(sample.choices) for sample in samples))


def _learning_rate(settings: OptimizerSettings, step: int, steps: int) -> float:
    """Return the learning rate of a step, counted from 1: it rises in a straight line, then follows the schedule."""
    if step <= settings.warmup_steps:
        return settings.learning_rate * step / settings.warmup_steps
    done = (step - 1 - settings.warmup_steps) / max(1, steps - settings.warmup_steps)
    factor = {"constant": 1.0, "linear": 1.0 - done, "cosine": 0.5 * (1 + cos(pi * done))}[settings.schedule]
    return settings.learning_rate * factor
