"""Sharing weights among processes; that it changes no result is tested with the learner."""

from __future__ import annotations

import pytest
from torch import nn

from grandstand.games.registry import game_spec
from grandstand.trainer.distributed.sharding import shard
from grandstand.trainer.model.policy import PolicyError, nano

pytestmark = pytest.mark.long


def test_a_model_without_a_list_of_layers_is_refused() -> None:
    policy = nano(game_spec("cricket"), seed=1)
    policy.decoder = nn.Linear(2, 2)
    with pytest.raises(PolicyError, match=r"optimizer\.shard: Linear has no list of layers to share; leave it out"):
        shard(policy, 2)
