"""The example runs, from the bots that it clones to the measurement at its end."""

from __future__ import annotations

import pytest

from examples.grpo import SETUP, main

pytestmark = pytest.mark.long


def test_the_example_walks_the_whole_way() -> None:
    setup = SETUP.model_copy(
        update={
            "clone": SETUP.clone.model_copy(update={"games": 4, "epochs": 1, "horizon": 1.0}),
            "rollout": SETUP.rollout.model_copy(update={"groups": 2, "samples": 4, "horizon": 1.0}),
        }
    )
    result = main(setup, steps=2, games=4)
    assert result.games == 4
    assert 0 < result.base < 1
    assert 0 < result.mean < 1
    assert main(setup, steps=2, games=4) == result, "the seed decides everything"
