"""The masked, tempered log-probability against its definition, token by token and answer by answer."""

from __future__ import annotations

from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grandstand.trainer.model.legal_softmax import LegalTokens, entropy, legal_logprobs, token_logprobs
from grandstand.trainer.model.trie import TokenTrie, Walker

V, H = 9, 4


@given(
    st.lists(st.sets(st.integers(0, V - 1), min_size=1).map(sorted), min_size=1, max_size=6),
    st.integers(0, 2**31),
    st.floats(0.2, 3.0),
)
def test_it_is_the_softmax_over_the_legal_tokens(allowed: list[list[int]], seed: int, temperature: float) -> None:
    torch.manual_seed(seed)
    hidden, head = torch.randn(len(allowed), H), torch.randn(V, H)
    legal = LegalTokens.of(allowed)
    logs = legal_logprobs(hidden, head, legal, temperature)
    logits = hidden @ head.T / temperature
    for row, ids in enumerate(allowed):
        expected = logits[row, ids].log_softmax(0)
        tokens = torch.tensor(ids)
        repeated = LegalTokens(legal.ids[row].expand(len(ids), -1), legal.mask[row].expand(len(ids), -1))
        result = token_logprobs(logs[row].expand(len(ids), -1), repeated, tokens)
        torch.testing.assert_close(result, expected, atol=1e-5, rtol=1e-5)
        assert torch.isneginf(logs[row, len(ids) :]).all()
    expected_entropy = torch.stack([-(p := logits[r, ids].log_softmax(0)).exp() @ p for r, ids in enumerate(allowed)])
    torch.testing.assert_close(entropy(logs, legal), expected_entropy, atol=1e-5, rtol=1e-5)


def test_a_forced_token_has_log_probability_exactly_zero_and_no_gradient() -> None:
    hidden, head = torch.randn(1, H, requires_grad=True), torch.randn(V, H)
    legal = LegalTokens.of([[5]])
    result = token_logprobs(legal_logprobs(hidden, head, legal, 0.65), legal, torch.tensor([5]))
    assert result.item() == 0.0
    torch.autograd.backward(result.sum())
    assert hidden.grad is not None
    assert (hidden.grad == 0).all()


def test_temperatures_may_differ_by_row() -> None:
    hidden, head = torch.randn(2, H), torch.randn(V, H)
    legal = LegalTokens.of([[1, 2, 3], [4, 5]])
    both = legal_logprobs(hidden, head, legal, torch.tensor([0.5, 2.0]))
    torch.testing.assert_close(both[0], legal_logprobs(hidden, head, legal, 0.5)[0])
    torch.testing.assert_close(both[1], legal_logprobs(hidden, head, legal, 2.0)[1])


def test_rows_gathered_a_few_at_a_time_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden, head = torch.randn(50, H), torch.randn(V, H)
    legal = LegalTokens.of([[1, 2, 3]] * 50)
    whole = legal_logprobs(hidden, head, legal, 1.0)
    monkeypatch.setattr("grandstand.trainer.model.legal_softmax.BYTES", 7 * 3 * H * 4)
    torch.testing.assert_close(legal_logprobs(hidden, head, legal, 1.0), whole)


@pytest.mark.long
@given(st.integers(0, 2**31))
def test_the_probabilities_of_all_legal_answers_sum_to_one(seed: int) -> None:
    """Brute force: two slots, every answer, each token by a model that remembers all before."""
    torch.manual_seed(seed)
    head, table = torch.randn(V, H), torch.randn(2000, H)
    slots = [TokenTrie([[1, 2], [1, 3, 4], [5]]), TokenTrie([[6], [7, 8], [7, 6]])]
    total, forced = 0.0, 0
    for numbers in product(*(slot.sequences() for slot in slots)):
        walker, log, path = Walker(slots), 0.0, 1
        for slot, number in zip(slots, numbers, strict=True):
            for token in slot.sequences()[number]:
                legal = LegalTokens.of([list(walker.allowed)])
                logs = legal_logprobs(table[path % 2000][None], head, legal, 0.8)
                logprob = token_logprobs(logs, legal, torch.tensor([token])).item()
                forced += len(walker.allowed) == 1
                assert logprob == 0.0 or len(walker.allowed) > 1
                log, path = log + logprob, path * 11 + token
                walker.take(token)
        total += torch.tensor(log).exp().item()
    assert total == pytest.approx(1.0, abs=1e-5)
    assert forced
