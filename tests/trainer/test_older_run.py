"""A run that was saved under the settings' old names is loaded, resumed, evaluated and played."""

from __future__ import annotations

import logging
import tarfile
from pathlib import Path

import pytest
import torch

from grandstand.games.registry import game_spec
from grandstand.players.options import TrainedOptions
from grandstand.trainer import checkpoint
from grandstand.trainer.config.files import SAVED, load
from grandstand.trainer.loop import CHECKPOINTS
from grandstand.trainer.metrics import StepMetrics, read_lines
from grandstand.trainer.model.policy_source import check, find
from grandstand.trainer.run import measure, train

ARCHIVE = Path(__file__).parent / "data" / "older-run.tar.gz"
"""One step of a run, as it was saved before the settings were renamed. Its base policy, drawn from the seed, is left
out."""


@pytest.fixture
def older(tmp_path: Path) -> Path:
    torch.set_num_threads(1)
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path / "older", filter="data")
    return tmp_path / "older"


def test_its_settings_are_read_with_a_warning_for_each_old_name(older: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = (older / SAVED).read_text("utf-8")
    assert all(
        name in text for name in ("[optimiser]", "heroes = 2", 'hero = "ITALY"', "\nnormalise", "batch_normalise")
    )
    with caplog.at_level(logging.WARNING):
        config = load(older / SAVED)
        load(older / SAVED)
    assert (config.game.trained_seats, config.game.only_seat) == (2, "ITALY")
    assert (config.advantage.normalize, config.advantage.batch_normalize) == ("none", True)
    assert (config.optimizer.learning_rate, config.optimizer.max_logprob_gap) == (1e-3, 1e-3)
    assert sorted(record.getMessage() for record in caplog.records) == sorted(
        f"{older / SAVED}: {old} is now called {new}; please rename it"
        for old, new in (
            ("optimiser", "optimizer"),
            ("game.heroes", "game.trained_seats"),
            ("game.hero", "game.only_seat"),
            ("advantage.normalise", "advantage.normalize"),
            ("advantage.batch_normalise", "advantage.batch_normalize"),
        )
    )


def test_it_is_resumed_from_its_checkpoint_evaluated_and_played(older: Path) -> None:
    before = checkpoint.latest(older / CHECKPOINTS)
    assert before is not None
    assert "optimiser" in before["learner"]
    steps: list[StepMetrics] = []
    train(load(older / SAVED, ["run.steps=2"]), older, resume=True, report=steps.append)
    assert [step.step for step in steps] == [2]
    assert [row["step"] for row in read_lines(older)] == [1, 2]
    after = checkpoint.latest(older / CHECKPOINTS)
    assert after is not None
    assert after["step"] == 2
    assert {float(state["step"]) for state in after["learner"]["optimizer"]["state"].values()} == {2.0}
    assert "[optimizer]" in (older / SAVED).read_text("utf-8")

    assert measure(older, label="check", games=2, version=1).games == 2

    spec = game_spec("diplomacy")
    source = find(TrainedOptions(folder=older), spec)
    check(source, spec)
    assert (source.name, source.version) == ("older", 2)
