"""References in files: values with their types, words within texts, and clear errors."""

from __future__ import annotations

from typing import Any

import pytest

from grandstand.trainer.sweep.interpolation import InterpolationError, interpolated


def test_a_whole_value_keeps_its_type_and_a_text_takes_words() -> None:
    data = {
        "parameters": {"steps": 40, "weights": {"centers": 1.0}, "name": "${parameters.steps} steps"},
        "run": {"steps": "${parameters.steps}", "list": [[0, 0.4], ["${parameters.steps}", 0.1]]},
        "reward": {"weights": "${parameters.weights}"},
        "metric": "reward:mean[1:${parameters.steps}]",
        "title": "${parameters.name} of training",
    }
    assert interpolated(data) == {
        "parameters": {"steps": 40, "weights": {"centers": 1.0}, "name": "40 steps"},
        "run": {"steps": 40, "list": [[0, 0.4], [40, 0.1]]},
        "reward": {"weights": {"centers": 1.0}},
        "metric": "reward:mean[1:40]",
        "title": "40 steps of training",
    }


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"a": {"b": "${a.c}", "cc": 1}}, "a.b: ${a.c} does not exist; a has cc, b"),
        ({"a": "${x}"}, "a: ${x} does not exist; the file has a"),
        ({"a": 1, "b": ["${a.c}"]}, "b.0: ${a.c} does not exist; a is 1"),
        ({"a": "${b}", "b": "${a}"}, "a: ${b} refers to itself, through b and a"),
        ({"a": {"b": 1}, "c": "x ${a}"}, "c: ${a} is a table or a list; a text takes a word or a number"),
        ({"a": "x ${b"}, "a: 'x ${b' has a reference that does not end; write ${dotted.path}"),
    ],
)
def test_errors_name_field_and_remedy(data: dict[str, Any], message: str) -> None:
    with pytest.raises(InterpolationError) as caught:
        interpolated(data)
    assert str(caught.value) == message
