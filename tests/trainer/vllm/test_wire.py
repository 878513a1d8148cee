"""Constraints sent to an engine are read back unchanged, and any other text is refused with a clear message."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.trainer.vllm.wire import Constraint, LegalSlots, WireError, decode, encode
from tests.support.players.token_options import run_of_slots

SEEDS = st.integers(0, 2**32)


@given(seed=SEEDS, divide=st.floats(0.01, 10))
def test_a_text_is_read_back_as_it_was(seed: int, divide: float) -> None:
    slots = run_of_slots(Random(seed))
    legal = decode(encode(slots, 0, divide))
    assert [list(map(list, trie.sequences().values())) for trie in legal.tries] == slots
    assert (legal.stop, legal.divide) == (0, divide)


@given(seed=SEEDS)
def test_exactly_the_legal_answers_can_be_written(seed: int) -> None:
    rng = Random(seed)
    slots = run_of_slots(rng, slots=2, options=3, vocabulary=6)
    legal = decode(encode(slots, 0))
    written: set[tuple[int, ...]] = set()

    def write(output: tuple[int, ...]) -> None:
        constraint = Constraint(legal)
        for token in output:
            constraint.take(token)
        assert constraint.read == len(output)
        for token in constraint.allowed:
            written.add(output) if token == 0 else write((*output, token))

    write(())
    assert written == {(*first, *second) for first in slots[0] for second in slots[1]}


def test_an_illegal_token_ends_the_request_and_raises_nothing() -> None:
    constraint = Constraint(decode(encode([[[5, 6], [7, 8]]], 0)))
    constraint.take(5)
    constraint.take(8)
    assert constraint.allowed == (0,)
    constraint.take(3)
    assert (constraint.allowed, constraint.read) == ((0,), 3)


GOOD = {"slots": [[[1, 2], [3]]], "stop": 0, "divide": 1}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"slots": []}, "slots: must be a list with at least one slot"),
        ({"slots": [[[1]], []]}, r"slots\[1\]: must be a list with at least one option"),
        ({"slots": [[[1], []]]}, r"slots\[0\]\[1\]: must be a list with at least one token id"),
        ({"slots": [[[1], [-2]]]}, r"slots\[0\]\[1\]: must be"),
        ({"slots": [[[1], [True]]]}, r"slots\[0\]\[1\]: must be"),
        ({"slots": [[[1], [1, 2]]]}, r"slots\[0\]: option 1 goes on where another ends"),
        ({"slots": [[[1], [2, 0]]]}, r"slots\[0\]\[1\]: holds 0, the token that ends the request"),
        ({"stop": "0"}, "stop: must be a token id"),
        ({"divide": 0}, "divide: must be a number above 0"),
        ({"divide": float("nan")}, "divide: must be a number above 0"),
        ({"more": 1}, 'must be an object with "slots", "stop" and "divide"'),
    ],
)
def test_a_bad_text_is_refused_by_the_part_at_fault(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(WireError, match=f"^grandstand.*{complaint}"):
        decode(json.dumps(GOOD | change))


@pytest.mark.parametrize("text", ["?", "", "[" * 100_000, "[]", "null"])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(WireError, match=r"^grandstand: "):
        decode(text)


def test_siblings_share_their_tries() -> None:
    text = encode([[[1, 2], [3]]], 0)
    slots: LegalSlots = decode(text)
    assert decode(text) is slots
