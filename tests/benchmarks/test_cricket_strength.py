"""A policy in whole matches: both seats of every seed, the parts of its score, and the same when it is repeated."""

from __future__ import annotations

import pytest
import torch

from benchmarks.cricket_strength import Measured, Side, play
from grandstand.games.registry import game_spec
from grandstand.trainer.model.policy import nano
from grandstand.trainer.model.torch_sampler import TorchSampler

pytestmark = pytest.mark.long


def measured(bot: str, search: int = 0) -> list[Measured]:
    torch.set_num_threads(1)
    policy = nano(game_spec("cricket"), 1)
    return list(play(Side(policy, TorchSampler(policy), 1.0, search), bot, matches=4, overs=1))


def test_each_match_is_counted_from_the_policys_side() -> None:
    results = measured("neutral")
    assert len(results) == 4
    for result in results:
        assert result.score in (0.0, 0.5, 1.0)
        assert result.half_plus_decisions == pytest.approx(0.5 + result.own_decisions - result.bots_decisions)
        assert result.own_decisions < 0, "calls at random are worse than natural ones"
        assert abs(result.bots_decisions) < 0.1, "natural calls; only the toss may differ"
        assert result.score_less_luck != result.score
    assert measured("neutral") == results


def test_a_search_over_proposals_at_random_makes_good_calls() -> None:
    results = measured("neutral", search=2)
    assert sum(result.own_decisions for result in results) > 0.02, "the draws of the bot are weighed beside them"
    assert measured("neutral", search=2) == results
