"""A version goes to a Hub and comes back, over real requests to a local server."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from grandstand.games.registry import game_spec
from grandstand.players.options import TrainedOptions
from grandstand.trainer.config.files import SAVED, load, save
from grandstand.trainer.hub import ABOUT, HubLayoutError, write_version
from grandstand.trainer.loop import RunError
from grandstand.trainer.metrics import LINES
from grandstand.trainer.model.policy import read_adapter
from grandstand.trainer.model.policy_source import check, find
from grandstand.trainer.model.versions import ADAPTER, BASE_FOLDER
from grandstand.trainer.run import measure, train
from tests.support.command import grandstand, words
from tests.support.play.hub_server import GOOD_TOKEN, HubServer, Repository, hub_server
from tests.support.trainer.records import same
from tests.support.trainer.run_folder import RunFolder
from tests.support.trainer.tiny import tiny
from tests.support.trainer.tiny_qwen import save_model

CACHE = Path.home() / ".cache/huggingface"
PRIVATE = "/home/somebody/private"
METRICS: dict[str, float] = {
    "step": 5, "eval/vs_base/games": 64, "eval/vs_base/mean": 0.5, "eval/vs_base/base": 0.4, "eval/vs_base/gain": 0.1,
    "eval/vs_base/ci95": 0.04, "eval/vs_field/games": 4, "eval/vs_field/mean": 0.3, "eval/vs_field/base": 0.3,
    "eval/vs_field/gain": 0.0,
}  # fmt: skip


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with hub_server() as server:
        yield server


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    torch.set_num_threads(1)
    settings: dict[str, Any] = {
        "run": {"name": "learner", "folder": PRIVATE},
        "watch": {"url": "http://private.example"},
        "sampler": {"vllm": {"python": f"{PRIVATE}/python"}},
        "league": {"folder": PRIVATE},
    }
    run = RunFolder(tiny(**settings), tmp_path / "run")
    run.publish(0, 2, 5)
    run.versions.path(5).joinpath("adapter_config.json").write_text(
        json.dumps({"r": 16, "base_model_name_or_path": f"{PRIVATE}/base"})
    )
    rows = [{**METRICS, "step": 2, "eval/vs_base/gain": 9.0}, METRICS, {**METRICS, "step": 6, "eval/vs_base/gain": 9.0}]
    (run.folder / LINES).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return run


def console(hub: HubServer, *arguments: object, status: int = 0, token: str = GOOD_TOKEN, home: str = "") -> str:
    done = grandstand(
        "train", *map(str, arguments), status=status,
        HF_ENDPOINT=hub.url, HF_TOKEN=token, HF_HUB_DISABLE_TELEMETRY="1", HF_HOME=home or str(CACHE),
    )  # fmt: skip
    assert token not in done.stdout + done.stderr
    return words(done.stderr if status else done.stdout)


def push(
    hub: HubServer, run: RunFolder, *more: object, status: int = 0, token: str = GOOD_TOKEN, home: str = ""
) -> str:
    to = ("--out", run.folder, "--to", "hf:somebody/policy")
    return console(hub, "push", *to, *more, status=status, token=token, home=home)


def pull(hub: HubServer, folder: Path, status: int = 0) -> str:
    return console(hub, "pull", "--from", "hf:somebody/policy", "--out", folder, status=status)


@pytest.mark.long
def test_a_version_comes_back_with_the_same_bits_and_is_played_and_trained(
    hub: HubServer, run: RunFolder, tmp_path: Path
) -> None:
    assert push(hub, run) == f"{hub.url}/somebody/policy"
    arrived = hub.repositories["somebody/policy"]
    assert (arrived.kind, arrived.private, arrived.commits) == ("model", True, ["Add learner@v000005"])
    pulled = tmp_path / "pulled"
    assert pull(hub, pulled) == f"{pulled}: learner@v000005"
    version = pulled / "versions/learner@v000005"
    assert (version / ADAPTER).read_bytes() == (run.versions.path(5) / ADAPTER).read_bytes()
    for file in (run.folder / BASE_FOLDER).iterdir():
        assert (pulled / BASE_FOLDER / file.name).read_bytes() == file.read_bytes()
    spec = game_spec("diplomacy")
    source = find(TrainedOptions(folder=pulled), spec)
    check(source, spec)
    assert str(source) == "learner@v000005"
    train(tiny(run={"steps": 1}, policy={"init": str(pulled)}), tmp_path / "new")
    assert same(read_adapter(tmp_path / "new/versions/tiny@v000000"), read_adapter(run.versions.path(5)))


def test_the_card_says_what_it_is_and_how_good(run: RunFolder, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_version(run.folder, tmp_path / "out", licence="apache-2.0")
    card = (tmp_path / "out/README.md").read_text()
    assert card.startswith('---\nlicense: "apache-2.0"\nlibrary_name: peft\n')
    assert "base_model:" not in card, "nano is not on the Hub"
    assert "the model in `base/`, first cloned from random, territorial" in card
    assert "| prompt | `shorthand " in card
    assert "| the policy that it began as | 64 | 0.500 | 0.400 | 0.100 ± 0.040 | too few matches |" in card
    assert "| the opponents of training | 4 | 0.300 | 0.300 | 0.000, no interval | too few matches |" in card


def test_a_run_that_began_from_another_was_not_cloned_from_the_bots_of_its_settings(
    run: RunFolder, tmp_path: Path
) -> None:
    config = load(run.folder / SAVED)
    save(
        config.model_copy(update={"policy": config.policy.model_copy(update={"init": f"{PRIVATE}/other"})}), run.folder
    )
    (tmp_path / "out").mkdir()
    write_version(run.folder, tmp_path / "out")
    card = (tmp_path / "out/README.md").read_text()
    assert "| base model | the model in `base/`, from a version of another run |" in card
    assert PRIVATE not in card


@pytest.mark.long
def test_a_policy_on_a_model_of_the_hub_takes_its_tokenizer_along_and_not_the_model(
    hub: HubServer, tmp_path: Path
) -> None:
    save_model(tmp_path / "model")
    files = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}
    hub.repositories["some/model"] = Repository(False, "model", files)
    run = RunFolder(tiny(policy={"model": "some/model"}, clone={"bots": []}), tmp_path / "run")
    run.publish(0)
    shutil.rmtree(run.folder / BASE_FOLDER)
    push(hub, run, home=str(tmp_path / "cache"))
    arrived = hub.repositories["somebody/policy"].files
    assert arrived["tokenizer.json"] == files["tokenizer.json"]
    assert not [name for name in arrived if name.startswith(BASE_FOLDER)]
    card = arrived["README.md"].decode()
    assert '\nbase_model: "some/model"\n' in card
    assert "This version was not evaluated." in card
    assert json.loads(arrived["adapter_config.json"])["base_model_name_or_path"] == "some/model"
    pull(hub, tmp_path / "pulled")
    source = find(TrainedOptions(folder=tmp_path / "pulled"), game_spec("diplomacy"))
    assert (source.settings.model, source.base, source.version) == ("some/model", None, 0)


def test_nothing_of_the_machine_is_in_it(run: RunFolder, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_version(run.folder, tmp_path / "out")
    for file in (path for path in (tmp_path / "out").rglob("*") if path.is_file()):
        content = file.read_bytes()
        assert PRIVATE.encode() not in content, file
        assert b"private.example" not in content, file
        assert str(tmp_path).encode() not in content, file


@pytest.mark.long
def test_a_version_that_is_named(hub: HubServer, run: RunFolder, tmp_path: Path) -> None:
    push(hub, run, "--version", 2, "--public")
    assert not hub.repositories["somebody/policy"].private
    assert pull(hub, tmp_path / "pulled").endswith("learner@v000002")
    assert "keeps no version 3; there are 0, 2, 5" in push(hub, run, "--version", 3, status=2)


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda files: files.pop(ABOUT), "holds no version of a run: version.json is missing"),
        (lambda files: files.pop(ADAPTER), f"{ADAPTER} is missing or was changed"),
        (lambda files: files.update({ADAPTER: b"other"}), f"{ADAPTER} is missing or was changed"),
        (lambda files: files.update({"base/more.json": b"{}"}), "base/more.json is missing or was changed"),
        (
            lambda files: files.update({ABOUT: files[ABOUT].replace(b'"learner"', b'"../learner"')}),
            "String should match pattern",
        ),
    ],
)
def test_what_was_changed_is_refused(
    hub: HubServer, run: RunFolder, tmp_path: Path, change: Callable[[dict[str, bytes]], Any], message: str
) -> None:
    push(hub, run)
    change(hub.repositories["somebody/policy"].files)
    assert message in pull(hub, tmp_path / "pulled", status=2)
    assert not (tmp_path / "pulled").exists()


@pytest.mark.long
def test_programs_are_not_pulled(hub: HubServer, run: RunFolder, tmp_path: Path) -> None:
    push(hub, run)
    hub.repositories["somebody/policy"].files.update({"base/modeling.py": b"import os", "base/x/y.json": b"{}"})
    pull(hub, tmp_path / "pulled")
    assert not list((tmp_path / "pulled").rglob("*.py"))
    assert not (tmp_path / "pulled/base/x").exists()


@pytest.mark.long
def test_refusals_name_the_remedy_and_not_the_token(hub: HubServer, run: RunFolder, tmp_path: Path) -> None:
    wrong = "hf_" + "b" * 34
    assert "status 401; set HF_TOKEN to a token that may write" in push(hub, run, status=1, token=wrong)
    assert "status 404; there is no such repository" in pull(hub, tmp_path / "pulled", status=1)
    (tmp_path / "used").mkdir()
    (tmp_path / "used/file").touch()
    assert "used is there already; name a new folder" in pull(hub, tmp_path / "used", status=2)
    missing = console(hub, "push", "--out", tmp_path / "none", "--to", "hf:a/b", status=2)
    assert "none holds no run (config.toml)" in missing
    assert "'a/b' is not hf:OWNER/NAME" in console(hub, "push", "--out", run.folder, "--to", "a/b", status=2)
    hub.shutdown()
    hub.server_close()
    assert "somebody/policy: the Hub cannot be reached" in push(hub, run, status=1)


@pytest.mark.long
def test_a_pulled_folder_is_not_gone_on_with(hub: HubServer, run: RunFolder, tmp_path: Path) -> None:
    push(hub, run)
    pulled = tmp_path / "pulled"
    pull(hub, pulled)
    for attempt in (
        lambda: train(load(pulled / SAVED), pulled, resume=True),
        lambda: measure(pulled, label="x", games=2),
    ):
        with pytest.raises(RunError, match=r"was pulled from a Hub and is no run; begin one from it with policy\.init"):
            attempt()
    assert (pulled / "versions/learner@v000005" / ADAPTER).is_file()


def test_a_run_without_versions_has_nothing_to_push(tmp_path: Path) -> None:
    RunFolder(tiny(), tmp_path / "run")
    with pytest.raises(HubLayoutError, match="keeps no version; there are none"):
        write_version(tmp_path / "run", tmp_path)
