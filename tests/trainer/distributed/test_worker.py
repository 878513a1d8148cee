"""The requests by which the first process of a learner has the others take a step."""

from __future__ import annotations

import io

import pytest
import torch

from grandstand.trainer.distributed.worker import StepRequest, packed
from grandstand.trainer.model.batch import TrainingSample

pytestmark = pytest.mark.long


def test_samples_travel_whole() -> None:
    sample = TrainingSample((1, 2), [3], [-0.5], [[3, 4]], 1.0, 0.25, 7)
    request = StepRequest([sample], 8, {7: {"a": torch.arange(3)}})
    received = torch.load(io.BytesIO(packed(request)), weights_only=False)
    assert received.samples == [sample]
    assert (received.step, received.adapters[7]["a"].tolist()) == (8, [0, 1, 2])
