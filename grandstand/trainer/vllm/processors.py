"""The mask of the legal tokens inside a vLLM engine, for both kinds of its model runner, over one core.

`Rows` does what a logits processor of the V1 runner does, `Slots` what one of Model Runner V2 does; `v1.py` and
`v2.py` give them the base class that each insists on. Nothing here imports vLLM, and nothing may raise while the
engine runs: that would end it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from grandstand.trainer.vllm.wire import FIELD, Constraint, WireError, decode


def constraint(params: Any) -> Constraint | None:
    """Return the constraint of a request by its `SamplingParams`; None if it has none. Raises WireError."""
    text = (params.extra_args or {}).get(FIELD)
    if text is None:
        return None
    if not isinstance(text, str):
        raise WireError(f"{FIELD}: must be JSON in a string")
    return Constraint(decode(text))


def mask(logits: Tensor, rows: Sequence[int], constraints: Sequence[Constraint]) -> Tensor:
    """Set `logits` [B, V] to minus infinity for every id that `constraints[k]` does not allow in `rows[k]`; return
    them.

    Ids that the model does not have are ignored. A row without any legal id stays as it is: the sampler,
    which checks each token, names the fault.
    """
    width = logits.shape[1]
    places, ids, divisors, masked = [], [], [], []
    for row, request in zip(rows, constraints, strict=True):
        if ids_here := [token for token in request.allowed if token < width]:
            masked.append(row)
            places += [row] * len(ids_here)
            ids += ids_here
            divisors += [request.legal.divide] * len(ids_here)
    if masked:
        at = torch.tensor([places, ids], device=logits.device)
        legal = logits[at[0], at[1]] / torch.tensor(divisors, device=logits.device)
        logits[torch.tensor(masked, device=logits.device)] = float("-inf")
        logits[at[0], at[1]] = legal
    return logits


class _Checked:
    """The check of requests that both kinds share."""

    @classmethod
    def validate_params(cls, sampling_params: Any) -> None:
        """Raise ValueError, which vLLM answers with HTTP 400."""
        constraint(sampling_params)


class Rows(_Checked):
    """For the V1 runner: requests are rows of a batch, which vLLM moves about."""

    def __init__(self, vllm_config: Any, device: torch.device, is_pin_memory: bool) -> None:
        self._rows: dict[int, tuple[Constraint, Sequence[int]]] = {}
        """By row: the request's position in its tries, and the list in which vLLM keeps its output so far."""

    def is_argmax_invariant(self) -> bool:
        return False

    def update_state(self, batch_update: Any | None) -> None:
        """Apply the removals, additions and moves of requests, in this order."""
        if batch_update is None:
            return
        for row in batch_update.removed:
            self._rows.pop(row, None)
        for row, params, _, output in batch_update.added:
            self._rows.pop(row, None)
            if request := constraint(params):
                self._rows[row] = request, output
        for start, end, direction in batch_update.moved:
            first, second = self._rows.pop(start, None), self._rows.pop(end, None)
            if first:
                self._rows[end] = first
            if second and direction.name == "SWAP":
                self._rows[start] = second

    def apply(self, logits: Tensor) -> Tensor:
        """`logits` [B, V], masked in place."""
        if not self._rows:
            return logits
        for request, output in self._rows.values():
            for token in output[request.read :]:
                request.take(token)
        return mask(logits, list(self._rows), [request for request, _ in self._rows.values()])


class Slots(_Checked):
    """For Model Runner V2: a request keeps its slot, rows change with every step, and tokens are on the device.

    Tokens drawn since the last step are read back, one small copy for the whole batch. (A trie on the device would
    save it; on CPU builds of vLLM there is no Model Runner V2 to measure that with.)
    """

    def __init__(self, vllm_config: Any, req_states: Any) -> None:
        if vllm_config.speculative_config is not None:
            raise ValueError("legal tokens cannot be masked under speculative decoding; start vLLM without it")
        self._states = req_states
        self._slots: dict[int, Constraint] = {}

    def add_request(self, req_idx: int, sampling_params: Any) -> bool:
        self._slots.pop(req_idx, None)
        if request := constraint(sampling_params):
            self._slots[req_idx] = request
        return request is not None

    def apply(self, logits: Tensor, ctx: Any) -> Tensor:
        """Mask `logits` [B, V] in place, and return them. `ctx` has each row's slot, and its length in tokens."""
        slots, lengths = ctx.idx_mapping_np.tolist(), ctx.seq_lens_upper_bound_np.tolist()
        rows = [row for row, slot in enumerate(slots) if slot in self._slots]
        if not rows:
            return logits
        constraints = [self._slots[slots[row]] for row in rows]
        fresh = [
            (request, slots[row], at)
            for row, request in zip(rows, constraints, strict=True)
            for at in range(int(self._states.prompt_len.np[slots[row]]) + request.read, lengths[row])
        ]
        if fresh:
            at = torch.tensor([[slot for _, slot, _ in fresh], [place for _, _, place in fresh]], device=logits.device)
            tokens = self._states.all_token_ids.gpu[at[0], at[1]].tolist()
            for (request, _, _), token in zip(fresh, tokens, strict=True):
                request.take(token)
        return mask(logits, rows, constraints)
