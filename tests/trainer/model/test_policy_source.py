"""A live policy's folder: what is found in it, and what is refused before anybody is seated, with file and remedy."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.players.options import TrainedOptions
from grandstand.trainer.model.policy_source import PolicySource, check, find
from tests.support.trainer.chat import chat_policy
from tests.support.trainer.run_folder import RunFolder
from tests.support.trainer.tiny import tiny

CRICKET, DIPLOMACY = game_spec("cricket"), game_spec("diplomacy")
torch.set_num_threads(1)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    run = RunFolder(tiny(), tmp_path / "run")
    run.publish(0, 3)
    return run


def checked(options: TrainedOptions) -> PolicySource:
    source = find(options, DIPLOMACY)
    check(source, DIPLOMACY)
    return source


def test_a_run_has_its_newest_version_any_kept_one_and_its_base(run: RunFolder) -> None:
    assert str(checked(run.options())) == "tiny@v000003"
    assert checked(run.options(version=0)).adapter == run.versions.path(0)
    base = checked(run.options(version="base"))
    assert (base.version, base.adapter, base.base) == (0, None, run.folder / "base")
    run.publish(4)
    assert checked(run.options()).adapter == run.versions.path(4)


def test_the_temperature_is_that_of_training_unless_another_is_named(tmp_path: Path) -> None:
    run = RunFolder(tiny(rollout={"temperature": 0.7}), tmp_path / "run")
    assert checked(run.options(version="base")).temperature == 0.7
    assert checked(run.options(version="base", temperature=0.2)).temperature == 0.2
    assert checked(TrainedOptions(folder=run.folder / "base")).temperature == 1.0


def test_it_runs_where_the_entry_says_not_where_it_was_trained(tmp_path: Path) -> None:
    run = RunFolder(tiny(policy={"device": "cuda", "attention": "flex"}), tmp_path / "run")
    settings = checked(run.options(version="base", device="cpu")).settings
    assert (settings.device, settings.attention) == ("cpu", "sdpa")


def test_a_whole_policy_needs_no_run(run: RunFolder) -> None:
    source = checked(TrainedOptions(folder=run.folder / "base"))
    assert (str(source), source.adapter, source.settings.dtype) == ("base@v000000", None, "float32")


def test_a_language_model_may_play_any_game(tmp_path: Path) -> None:
    policy = chat_policy(DIPLOMACY)
    policy.model.bfloat16()
    policy.save(tmp_path)
    for spec in (CRICKET, DIPLOMACY):
        source = find(TrainedOptions(folder=tmp_path), spec)
        check(source, spec)
        assert source.settings.dtype == "bfloat16"


def test_what_is_written_anew_under_the_same_name_is_another_source(run: RunFolder) -> None:
    first = find(run.options(), DIPLOMACY)
    assert find(run.options(), DIPLOMACY) == first
    run.publish(3)
    assert find(run.options(), DIPLOMACY) != first
    assert find(run.options(), DIPLOMACY).model == first.model
    os.utime(run.folder / "base" / "config.json")
    assert find(run.options(), DIPLOMACY).model != first.model


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def no_game(folder: Path) -> None:
    (folder / "base" / "words.json").write_text(json.dumps(["<pad>", "<end>", "bat"]))


SPOILT: dict[str, tuple[Callable[[Path], object], dict[str, object], str]] = {
    "no folder": (shutil.rmtree, {}, r"run: holds no run \(config.toml\) and no policy \(config.json\)"),
    "settings": (lambda run: (run / "config.toml").write_text("[run"), {}, r"config.toml: invalid TOML"),
    "a setting": (
        lambda run: (run / "config.toml").write_text("[policy]\nlora_rang = 2"),
        {},
        r"config.toml: policy.lora_rang: there is no such setting; .*made by another release",
    ),
    "no base yet": (lambda run: shutil.rmtree(run / "base"), {}, r"run/base: there is no policy in it yet; wait"),
    "no such version": (
        lambda run: None,
        {"version": 2},
        r"run/versions: keeps no version 2; there are 0, 3. Name one of them, or latest",
    ),
    "no versions": (
        lambda run: shutil.rmtree(run / "versions"),
        {"version": 3},
        r"keeps no version 3; there are none",
    ),
    "nothing published yet": (
        lambda run: shutil.rmtree(run / "versions"),
        {},
        r"run/versions: there is no version in it yet; wait for the run, or say version = \"base\"",
    ),
    "half an adapter": (
        lambda run: cut(run / "versions" / "tiny@v000003" / "adapter_model.safetensors"),
        {},
        r"tiny@v000003/adapter_model.safetensors: is no whole file of weights .*; name another version",
    ),
    "no adapter": (
        lambda run: (run / "versions" / "tiny@v000003" / "adapter_model.safetensors").unlink(),
        {},
        r"adapter_model.safetensors: cannot be read: No such file",
    ),
    "half a model": (
        lambda run: cut(run / "base" / "model.safetensors"),
        {},
        r"base/model.safetensors: is no whole file of weights .*; restore it",
    ),
    "no model": (
        lambda run: (run / "base" / "model.safetensors").unlink(),
        {},
        r"base/model.safetensors: is no whole file of weights",
    ),
    "half a description": (
        lambda run: (run / "base" / "config.json").write_text("{"),
        {},
        r"base/config.json: cannot be read .*; restore it",
    ),
    "another description": (
        lambda run: (run / "base" / "config.json").write_text("[]"),
        {},
        r"base/config.json: does not hold what it should",
    ),
    "other words": (
        no_game,
        {},
        r"base/words.json: holds other words than diplomacy has: .* Name one .* for diplomacy",
    ),
    "no words": (
        lambda run: (run / "base" / "words.json").unlink(),
        {},
        r"run/base: holds neither words.json nor a tokenizer",
    ),
    "part of the weights": (
        lambda run: (run / "base" / "model.safetensors.index.json").write_text(
            json.dumps({"weight_map": {"a": "model.safetensors", "b": "model-2.safetensors"}})
        ),
        {},
        r"base/model-2.safetensors: is no whole file of weights",
    ),
}


@pytest.mark.few(6)
@pytest.mark.parametrize(("spoil", "options", "message"), SPOILT.values(), ids=SPOILT)
def test_what_cannot_play_is_refused_by_file_and_remedy(
    run: RunFolder, spoil: Callable[[Path], object], options: dict[str, object], message: str
) -> None:
    spoil(run.folder)
    with pytest.raises(OptionError, match=message):
        checked(run.options(**options))


def test_an_adapter_alone_or_a_version_of_a_single_policy_is_refused(run: RunFolder) -> None:
    with pytest.raises(OptionError, match="is one version's adapter; name the run's folder"):
        checked(TrainedOptions(folder=run.versions.path(3)))
    with pytest.raises(OptionError, match="is one policy, without versions; leave `version` out"):
        checked(TrainedOptions(folder=run.folder / "base", version=3))


def test_a_policy_of_another_game_is_refused(run: RunFolder) -> None:
    with pytest.raises(OptionError, match=r'the run learns diplomacy, not cricket; say games = \["diplomacy"\]'):
        find(run.options(), CRICKET)
    bare = find(TrainedOptions(folder=run.folder / "base"), CRICKET)
    with pytest.raises(OptionError, match=r"words.json: holds other words than cricket has"):
        check(bare, CRICKET)
