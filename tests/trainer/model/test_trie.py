"""The trie against plain enumeration: what may come next is what some legal option goes on with."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.trainer.model.trie import TokenTrie, Walker

Options = list[tuple[int, ...]]


def prefix_free(options: Options) -> bool:
    return not any(a != b and b[: len(a)] == a for a in options for b in options)


@st.composite
def slots(draw: st.DrawFn) -> Options:
    result = draw(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple), min_size=1, unique=True))
    kept: Options = []
    for option in result:
        if prefix_free([*kept, option]):
            kept.append(option)
    return kept


@given(st.lists(slots(), min_size=1, max_size=3), st.integers(0, 2**32))
def test_a_walk_is_one_option_of_every_slot_and_allows_exactly_what_options_go_on_with(
    options: list[Options], seed: int
) -> None:
    rng, walker = Random(seed), Walker([TokenTrie(slot) for slot in options])
    taken: list[tuple[int, ...]] = []
    path: tuple[int, ...] = ()
    while not walker.done:
        slot = options[len(taken)]
        assert walker.allowed == tuple(sorted({item[len(path)] for item in slot if item[: len(path)] == path}))
        path = (*path, rng.choice(walker.allowed))
        if walker.take(path[-1]):
            taken.append(path)
            path = ()
    assert [slot[number] for slot, number in zip(options, walker.chosen, strict=True)] == taken
    assert walker.allowed == ()


@given(slots())
def test_sequences_gives_back_what_was_put_in(options: Options) -> None:
    assert TokenTrie(options).sequences() == dict(enumerate(options))


@pytest.mark.parametrize("options", [[[1, 2], [1]], [[1], [1, 2]], [[1], [1]], [[1], []]])
def test_options_that_begin_each_other_are_refused(options: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="option 1"):
        TokenTrie(options)


def test_a_token_that_is_not_legal_is_refused() -> None:
    walker = Walker([TokenTrie([[1, 2], [3]])])
    with pytest.raises(ValueError, match=r"token 2 is not legal here; there are \[1, 3\]"):
        walker.take(2)
    walker.take(3)
    with pytest.raises(ValueError, match="there are"):
        walker.take(3)
