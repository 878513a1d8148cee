"""Packing loses nothing, shares prompts, and keeps within its budget."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.trainer.model.batch import TrainingSample, pack


def sample(prompt: int, length: int, free: bool = True, name: float = 0.0) -> TrainingSample:
    """An answer of `length` tokens to the prompt of so many tokens; the advantage, `name`, tells it from others."""
    allowed = [[1, 2] if free and place % 2 == 0 else [] for place in range(length)]
    logprobs = [-0.7 if ids else 0.0 for ids in allowed]
    return TrainingSample((prompt,) * prompt, [1] * length, logprobs, allowed, 1.0, name)


SAMPLES = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 8), st.booleans()), max_size=30)


@given(SAMPLES, st.integers(8, 60), st.booleans())
def test_every_sample_with_a_choice_is_in_one_row_of_its_prompt(
    drawn: list[tuple[int, int, bool]], tokens: int, one_row: bool
) -> None:
    samples = [sample(prompt, length, free, number) for number, (prompt, length, free) in enumerate(drawn)]
    batches = pack(samples, tokens, one_row=one_row)
    packed = [item for batch in batches for item in batch.samples]
    assert Counter(item.advantage for item in packed) == Counter(item.advantage for item in samples if item.choices)
    for batch in batches:
        assert batch.rows
        assert all(item.prompt == row.prompt for row in batch.rows for item in row.samples)
        assert all(row.samples for row in batch.rows)


@given(SAMPLES, st.integers(8, 60), st.booleans())
def test_a_micro_batch_keeps_within_the_budget_padding_included(
    drawn: list[tuple[int, int, bool]], tokens: int, one_row: bool
) -> None:
    for batch in pack([sample(*item) for item in drawn], tokens, one_row=one_row):
        computed = sum(row.tokens for row in batch.rows) if one_row else batch.width * len(batch.rows)
        alone = len(batch.rows) == 1 and len(batch.samples) == 1
        assert computed <= tokens or alone


@given(SAMPLES)
def test_with_room_for_all_each_prompt_is_computed_once(drawn: list[tuple[int, int, bool]]) -> None:
    samples = [sample(*item) for item in drawn]
    batches = pack(samples, 10_000, one_row=True)
    assert len(batches) <= 1
    rows = [row for batch in batches for row in batch.rows]
    assert len(rows) == len({item.prompt for item in samples if item.choices})


def test_packing_is_the_same_every_time() -> None:
    samples = [sample(1 + number % 3, 1 + number % 5, name=number) for number in range(30)]
    first, again = ([[item.advantage for item in batch.samples] for batch in pack(samples, 24)] for _ in range(2))
    assert first == again
    assert len(first) > 3


def test_rows_of_like_length_are_together() -> None:
    widths = [batch.width for batch in pack([sample(1, length) for length in (9, 1, 8, 2)], 11)]
    assert widths == sorted(widths)


@pytest.mark.parametrize("one_row", [False, True])
def test_what_is_longer_than_the_budget_is_by_itself(one_row: bool) -> None:
    batches = pack([sample(5, 8), sample(5, 8), sample(2, 2)], 8, one_row=one_row)
    assert sorted(len(batch.samples) for batch in batches) == [1, 1, 1]


def test_choices_are_the_places_with_an_alternative() -> None:
    assert sample(1, 5).choices == [0, 2, 4]
    assert sample(1, 5, free=False).choices == []
    assert pack([sample(1, 5, free=False)], 100) == []
