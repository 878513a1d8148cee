"""A run starts from a version of another run."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from grandstand.games.registry import game_spec
from grandstand.players.options import TrainedOptions
from grandstand.trainer import checkpoint
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.store import LeagueStore
from grandstand.trainer.loop import CHECKPOINTS
from grandstand.trainer.model.initial_policy import initial_version
from grandstand.trainer.model.policy import PolicyError, load, read_adapter
from grandstand.trainer.model.policy_source import find
from grandstand.trainer.model.versions import BASE_FOLDER
from grandstand.trainer.run import train
from tests.support.trainer.records import measured, same
from tests.support.trainer.run_folder import RunFolder
from tests.support.trainer.tiny import tiny

pytestmark = pytest.mark.long

OTHER: dict[str, Any] = {"run": {"name": "other"}}


@pytest.fixture
def other(tmp_path: Path) -> RunFolder:
    torch.set_num_threads(1)
    run = RunFolder(tiny(**OTHER), tmp_path / "other")
    run.publish(0, 2, 5)
    return run


def started(init: Path, **sections: dict[str, Any]) -> TrainConfig:
    return tiny(**{**sections, "policy": {"init": str(init), **sections.get("policy", {})}})


def test_the_newest_version_of_a_run_or_the_one_that_is_named(other: RunFolder) -> None:
    newest, named = (initial_version(started(path)) for path in (other.folder, other.versions.path(2)))
    assert newest is not None
    assert named is not None
    assert (newest.name, newest.adapter) == ("other@v000005", other.versions.path(5))
    assert (named.name, named.base) == ("other@v000002", other.folder / BASE_FOLDER)
    assert initial_version(tiny()) is None


def test_a_run_goes_on_from_the_version_and_needs_the_other_run_no_more(other: RunFolder, tmp_path: Path) -> None:
    config = started(other.versions.path(2), run={"steps": 2})
    train(config.model_copy(update={"run": config.run.model_copy(update={"steps": 1})}), tmp_path / "run")
    folder = tmp_path / "run"
    assert same(read_adapter(folder / "versions/tiny@v000000"), read_adapter(other.versions.path(2)))
    assert not same(read_adapter(folder / "versions/tiny@v000001"), read_adapter(other.versions.path(2)))
    weights = [(path / BASE_FOLDER / "model.safetensors").read_bytes() for path in (folder, other.folder)]
    assert weights[0] == weights[1], "nothing is cloned"
    store = LeagueStore.existing(folder)
    assert {player.parent for player in store.players("diplomacy") if player.kind == "base"} == {"other@v000002"}
    store.close()
    base = find(TrainedOptions(folder=folder, version="base"), game_spec("diplomacy"))
    assert base.adapter == folder / "versions/tiny@v000000", "the base is the policy before the first step"

    train(config, tmp_path / "whole")
    shutil.rmtree(other.folder)
    train(config, folder, resume=True)
    assert measured(folder) == measured(tmp_path / "whole")
    ours, whole = (checkpoint.latest(path / CHECKPOINTS) for path in (folder, tmp_path / "whole"))
    assert ours is not None
    assert whole is not None
    assert same(ours["learner"], whole["learner"])


def test_a_run_on_a_model_of_its_own_needs_the_other_run_no_more_either(tmp_path: Path) -> None:
    """Neither run has a base in its folder: the model below their adapters is used as it is."""
    torch.set_num_threads(1)
    spec, model = game_spec("diplomacy"), tmp_path / "model"
    load(tiny().policy, spec).save(model)
    sections: dict[str, Any] = {"clone": {"bots": []}, "rollout": {"samples": 2}, "policy": {"model": str(model)}}
    other, mine = tmp_path / "other", tmp_path / "mine"
    train(tiny(**sections, run={"name": "other", "steps": 1}), other)
    for steps in (1, 2):
        train(started(other, **sections, run={"steps": steps}), mine, resume=steps > 1)
        shutil.rmtree(other, ignore_errors=True)
    assert not (mine / BASE_FOLDER).exists()
    assert len(measured(mine)) == 2


@pytest.mark.parametrize(
    ("policy", "problem"),
    [
        ({"lora_rank": 8}, "policy.init: policy.lora_rank is 8, and 16 in the run that it names; set it to that"),
        ({"lora_alpha": 8}, "policy.init: policy.lora_alpha is 8, and 32 in the run that it names"),
        ({"lora_targets": "mlp"}, "policy.init: policy.lora_targets is mlp, and both in the run"),
    ],
)
def test_an_adapter_of_another_shape_is_refused(other: RunFolder, policy: dict[str, Any], problem: str) -> None:
    with pytest.raises(PolicyError, match=problem):
        initial_version(started(other.folder, policy=policy))


def test_a_version_of_another_game_is_refused(other: RunFolder) -> None:
    with pytest.raises(PolicyError, match=r"policy.init: game.name is cricket, and diplomacy in the run that it names"):
        initial_version(started(other.folder, game={"name": "cricket", "options": {"overs": 2}}))


def test_what_is_no_version_is_refused_with_the_remedy(other: RunFolder, tmp_path: Path) -> None:
    for path, problem in (
        (tmp_path, "is neither a run's folder nor a version in it; name one, such as"),
        (tmp_path / "nowhere", "is neither a run's folder nor a version in it"),
        (other.versions.path(9), r"there is no version in .*other@v000009; name one that the run keeps"),
    ):
        with pytest.raises(PolicyError, match=f"policy.init: .*{problem}"):
            initial_version(started(path))
    shutil.rmtree(other.versions.folder)
    with pytest.raises(PolicyError, match=r"policy\.init: there is no version in"):
        initial_version(started(other.folder))


@pytest.mark.long
def test_a_version_as_the_model_names_the_setting_to_use(other: RunFolder) -> None:
    settings = tiny(policy={"model": str(other.versions.path(2))}).policy
    with pytest.raises(PolicyError, match=r"is a version of a run; name it by policy\.init"):
        load(settings, game_spec("diplomacy"))
