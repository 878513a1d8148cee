"""A base that several runs take, instead of cloning it each: what it depends on, and that it changes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from grandstand.games.registry import game_spec
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.learning.base_policy import prepare_base
from grandstand.trainer.learning.shared_base import (
    POLICY,
    BaseError,
    base_key,
    base_settings,
    is_prepared,
    note_base,
    take_base,
)
from grandstand.trainer.model.versions import ADAPTER, BASE_FOLDER, VERSIONS
from grandstand.trainer.run import measure, train
from tests.support.trainer.records import measured, same
from tests.support.trainer.tiny import tiny


def cloned(config: TrainConfig, folder: Path) -> Path:
    """Clone the base of a run, as `grandstand train bc` does."""
    torch.set_num_threads(1)
    note_base(config, folder)
    recorder = Recorder(folder / "record.db")
    prepare_base(
        config, game_spec(config.game.name), folder / POLICY, recorder, Bus(recorder), lambda what, done, whole: None
    )
    recorder.close()
    return folder


@pytest.mark.long
@pytest.mark.parametrize("teacher", [{}, {"teacher": "territorial", "draws": 2}])
def test_a_run_with_a_shared_base_is_the_same_to_the_bit(teacher: dict[str, Any], tmp_path: Path) -> None:
    """The base is made by a run of another name, length and penalty."""
    config = tiny(run={"steps": 2}, clone=teacher)
    base = cloned(tiny(run={"steps": 9, "name": "maker"}, kl={"beta": 0.5}, clone=teacher), tmp_path / "base")
    train(config, tmp_path / "own")
    train(config, tmp_path / "taken", base=base)
    assert measured(tmp_path / "own") == measured(tmp_path / "taken")
    for name in (f"{VERSIONS}/tiny@v000002/{ADAPTER}", f"{BASE_FOLDER}/model.safetensors"):
        assert same(load_file(tmp_path / "own" / name), load_file(tmp_path / "taken" / name))
    results = [measure(tmp_path / name, label="later", games=3) for name in ("own", "taken")]
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("sections", "same_base"),
    [
        ({"run": {"name": "other", "steps": 9}}, True),
        ({"kl": {"beta": 0.5}}, True),
        ({"policy": {"lora_rank": 4}}, True),
        ({"run": {"seed": 9}}, False),
        ({"clone": {"games": 5}}, False),
        ({"game": {"options": {"press": "none", "last_year": 1903}}}, False),
        ({"policy": {"threads": 2}}, False),
    ],
)
def test_what_the_base_depends_on(sections: dict[str, Any], same_base: bool) -> None:
    assert (base_key(tiny(**sections)) == base_key(tiny())) is same_base


def test_other_models_are_cloned_through_their_adapter() -> None:
    ranks = [tiny(policy={"model": "some/model", "lora_rank": rank}) for rank in (4, 8)]
    assert base_key(ranks[0]) != base_key(ranks[1])


def test_a_run_that_clones_nothing_has_no_base_to_share(tmp_path: Path) -> None:
    for config in (tiny(clone={"bots": ()}), tiny(policy={"init": "runs/other"})):
        assert (base_settings(config), base_key(config)) == (None, "")
    (tmp_path / "base" / POLICY).mkdir(parents=True)
    note_base(tiny(), tmp_path / "base")
    with pytest.raises(BaseError, match="the run clones nothing"):
        take_base(tiny(clone={"bots": ()}), tmp_path / "base", tmp_path / "into")


def test_the_base_of_other_settings_is_refused(tmp_path: Path) -> None:
    (tmp_path / "base" / POLICY).mkdir(parents=True)
    note_base(tiny(clone={"games": 7}), tmp_path / "base")
    with pytest.raises(BaseError, match=r"clone\.games is 7 in this base, and 4 in the run; name the base of the same"):
        train(tiny(), tmp_path / "run", base=tmp_path / "base")
    assert not (tmp_path / "run" / BASE_FOLDER).exists()


def test_a_folder_whose_cloning_was_broken_off_is_no_base(tmp_path: Path) -> None:
    note_base(tiny(), tmp_path / "base")
    assert json.loads((tmp_path / "base/base.json").read_text())["clone.games"] == 4
    assert not is_prepared(tmp_path / "base")
    with pytest.raises(BaseError, match="there is no base in it; `grandstand train bc --out"):
        take_base(tiny(), tmp_path / "base", tmp_path / "into")
