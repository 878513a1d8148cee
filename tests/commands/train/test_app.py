"""`grandstand train` as a program sees it: what it refuses, what it goes on with, what its help and its page say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import grandstand.commands.train.app
import grandstand.trainer.extras
from grandstand.main import app
from grandstand.main import load as verb
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.checkpoint import CheckpointError
from grandstand.trainer.config.files import SAVED, load, presets, save
from grandstand.trainer.config.table import sections
from grandstand.trainer.health import METRICS, health_report
from grandstand.trainer.loop import Summary
from grandstand.trainer.metrics import StepMetrics, read_lines
from grandstand.trainer.model.sampler import SamplerError
from grandstand.trainer.rollout.evaluation import BestVersion, PairedResult
from tests.support.command import grandstand as executed

RUNNER = CliRunner()
PAGE = (Path(__file__).parents[3] / "docs/training-settings.md").read_text("utf-8")
TINY = (
    "--set", "clone.games=3", "--set", "clone.holdout=0.3", "--set", "clone.epochs=1", "--set", "clone.horizon=1",
)  # fmt: skip


def run(*arguments: object, code: int = 0) -> str:
    result = RUNNER.invoke(app, ["train", *map(str, arguments)], env={"COLUMNS": "200", "GRANDSTAND_PUBLISH_TOKEN": ""})
    assert result.exit_code == code, result.output
    return result.stderr if code else result.stdout


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The runs that would have been begun: (name, steps, folder, resume)."""
    runs: list[tuple[Any, ...]] = []

    def note(settings: Any, folder: Path, resume: bool, base: Path | None, as_json: bool) -> None:
        runs.append((settings.run.name, settings.run.steps, folder, resume))

    monkeypatch.setattr(grandstand.commands.train.app, "_train", note)
    return runs


# --- what is asked for ------------------------------------------------------------------------------------------------


def test_a_run_has_its_folder_by_its_name(begun: list[Any], tmp_path: Path) -> None:
    run("--config", "nano-cricket", "--set", "run.name=mine", "--set", f"run.folder={tmp_path}")
    run("--config", "nano-cricket", "--out", tmp_path / "elsewhere", "--set", "run.steps=3")
    assert begun == [
        ("mine", 40, tmp_path / "mine", False),
        ("nano-cricket", 3, tmp_path / "elsewhere", False),
    ]


def test_a_smoke_run_leaves_nothing_behind(begun: list[Any], tmp_path: Path) -> None:
    run("--config", "qwen-7b", "--smoke")
    run("--config", "qwen-7b", "--smoke", "--out", tmp_path / "kept")
    (name, steps, scratch, _), kept = begun
    assert (name, steps) == ("qwen-7b-smoke", 1)
    assert not scratch.exists()
    assert kept == ("qwen-7b-smoke", 1, tmp_path / "kept", False)


def test_a_folder_with_a_run_is_not_overwritten(begun: list[Any], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    save(load("nano-cricket"), folder)
    output = run("--config", "nano-cricket", "--out", folder, code=2)
    assert f"{folder}: there is a run in it. --resume goes on with it, --fresh sets it aside" in output
    assert begun == []

    run("--config", "nano-cricket", "--out", folder, "--fresh")
    save(load("nano-cricket"), folder)
    run("--config", "nano-cricket", "--out", folder, "--fresh")
    assert begun == [("nano-cricket", 40, folder, False)] * 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.1", "run.2"]
    assert (tmp_path / "run.1" / SAVED).is_file()


def test_a_run_goes_on_with_its_own_settings(begun: list[Any], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    save(load("nano-cricket", ["kl.beta=0.03"]), folder)
    run("--resume", "--out", folder)
    run("--resume", "--out", folder, "--set", "run.steps=99")
    run("--resume", "--config", "nano-cricket", "--set", "kl.beta=0.03", "--out", folder)
    assert begun == [
        ("nano-cricket", 40, folder, True),
        ("nano-cricket", 99, folder, True),
        ("nano-cricket", 40, folder, True),
    ]
    output = run("--resume", "--config", "nano-cricket", "--out", folder, code=2)
    assert "a run goes on with the settings that it was begun with" in output
    assert "kl.beta: it was 0.03, and is 0.001" in output
    assert len(begun) == 3


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            (),
            f"--config: name a file, or one of {', '.join(presets())}",
        ),
        (("--config", "nano-chess"), "nano-chess: no such file or preset"),
        (("--config", "nano-cricket", "--set", "loss.x=1"), "nano-cricket: loss.x: there is no such setting"),
        (("--config", "nano-cricket", "--set", "run.steps"), "--set: 'run.steps' is not section.key=value"),
        (("--resume",), "name the run: --out FOLDER, or the --config that it was begun with"),
        (("--resume", "--out", "nowhere"), "--out: nowhere contains no run to go on with; name the folder of one"),
        (("--resume", "--out", "nowhere", "--config", "nano-cricket"), "nowhere: there is no run in it to go on with"),
        (("--smoke", "settings"), "put the options behind settings"),
        (("bc",), "--config: name a file, or one of nano, nano-cricket"),
        (("bc", "--config", "nano-cricket", "--set", "clone.bots=[]"), "nobody to imitate: set clone.bots, or give"),
    ],
)
def test_what_cannot_be_done_is_told(arguments: tuple[str, ...], complaint: str, begun: list[Any]) -> None:
    output = run(*arguments, code=2)
    assert output.startswith("grandstand train: ")
    assert complaint in output
    assert begun == []


@pytest.mark.parametrize("arguments", [("--config", "nano-cricket"), ("bc", "--config", "nano-cricket")])
def test_without_the_extra_it_is_named(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        grandstand.trainer.extras, "find_spec", lambda name: None if name in ("torch", "peft") else True
    )
    output = run(*arguments, "--out", tmp_path / "run", code=2)
    assert "torch, peft not installed: pip install 'grandstand[train]', or in a checkout scripts/setup/train" in output
    assert not (tmp_path / "run").exists()


def test_a_wrong_setting_is_told_before_the_extra_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grandstand.trainer.extras, "find_spec", lambda name: None)
    assert "kl.bta: there is no such setting" in run("--config", "nano-cricket", "--set", "kl.bta=1", code=2)


def test_what_is_shown_needs_a_token(tmp_path: Path) -> None:
    output = run(
        "--config", "nano-cricket", "--out", tmp_path / "run", "--set", "watch.url=http://127.0.0.1:9", code=2
    )  # fmt: skip
    assert "watch.url: the server's publish token is missing: set the environment variable GRANDSTAND_PUBLISH" in output
    assert not (tmp_path / "run").exists()


# --- behaviour cloning ------------------------------------------------------------------------------------------------


def test_cloning_from_bots_and_from_what_they_left(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    steady = ("--set", 'clone.bots=["neutral", "cricsheet"]')  # what a match of random captains holds is not learned
    report = json.loads(run("bc", "--config", "nano-cricket", *TINY, *steady, "--out", first, "--json"))["result"]
    assert report["policy"] == str(first / "policy")
    assert report["examples"] > 0
    assert report["skipped"] < report["examples"] / 5
    assert report["loss"] < report["loss_before"]
    assert (first / "policy/model.safetensors").is_file()
    assert len(Recorder(first / "record.db").episode_ids()) == 3

    lines = run("bc", "--config", "nano-cricket", *TINY, "--record", first / "record.db", "--out", second)
    assert f"policy: {second / 'policy'}" in lines
    assert f"examples: {report['examples']}" in lines, "the same matches"
    assert not (second / "record.db").exists()

    again = run("bc", "--config", "nano-cricket", *TINY, "--out", first, code=2)
    assert f"{first / 'policy'}: it is there already; name another folder with --out" in again


@pytest.mark.long
def test_cloning_from_files(tmp_path: Path) -> None:
    play = ["play", "cricket", "--players", "neutral", "--matches", "2", "--jobs", "1", "--set", "overs=1"]
    assert RUNNER.invoke(app, [*play, "--out", str(tmp_path / "games")]).exit_code == 0
    first, two = sorted((tmp_path / "games").glob("*.jsonl"))
    bc = ("bc", "--config", "nano-cricket", *TINY)
    report = json.loads(run(*bc, "--episodes", first, "--episodes", two, "--out", tmp_path / "a", "--json"))
    assert report["result"]["examples"] > 0
    other = ("bc", "--config", "nano-diplomacy", *TINY)
    for arguments, complaint in (
        ((*bc, "--episodes", first), "no choices to learn from; give at least two matches"),
        ((*other, "--episodes", first), f"{first}: a match of cricket; game.name is diplomacy"),
        ((*bc, "--episodes", tmp_path / "none.jsonl"), "No such file"),
        ((*bc, "--record", first), f"--record: cannot read {first}: file is not a database; name a store"),
        ((*bc, "--record", tmp_path / "none.db"), f"--record: there is no store {tmp_path / 'none.db'}"),
    ):
        assert complaint in run(*arguments, "--out", tmp_path / "b", code=2)
        assert not (tmp_path / "b" / "policy").exists()


# --- how a run ends ---------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("preset", ["nano-diplomacy", "nano-cricket", "qwen-7b"])
def test_a_smoke_run_walks_the_whole_way(preset: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    step, end = map(json.loads, run("--config", preset, "--smoke", "--out", folder, "--json").splitlines())
    assert step["step"] == 1
    assert step["logprob/diff_max"] < 1e-4
    assert step["eval/vs_base/games"] == 2
    assert end["result"]["metrics"].items() <= step.items()
    assert {check["check"] for check in end["result"]["health"]} == set(METRICS)
    assert (end["result"]["best"]["version"], step["league/best"]) == (1, 1)
    assert step["health/failed"] == sum(not check["passed"] for check in end["result"]["health"])
    config = load(folder / SAVED)
    assert config == load(preset, smoke=True)
    (row,) = read_lines(folder)
    assert row["benchmark/reward_mean"] == step["benchmark/reward_mean"]
    turns = pq.read_table(folder / "trajectories/step-000001.parquet")
    assert turns.num_rows > 0
    assert turns["advantage"].drop_null().to_pylist()


@pytest.mark.parametrize(
    ("ending", "code", "message_start"),
    [
        (KeyboardInterrupt(), 130, "stopped. Go on with: grandstand train --resume --out {folder}\n"),
        (
            SamplerError("vLLM is gone"),
            1,
            "the run broke off: vLLM is gone\nGo on with: grandstand train --resume --out",
        ),
        (CheckpointError("step-000005 cannot be read"), 2, "step-000005 cannot be read\n"),
    ],
)
def test_a_run_that_ends_badly_says_how_to_go_on(
    ending: BaseException, code: int, message_start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def train(config: Any, folder: Path, **_: Any) -> None:
        raise ending

    monkeypatch.setattr("grandstand.trainer.run.train", train)
    message = run("--config", "nano-diplomacy", "--out", tmp_path / "run", code=code)
    assert message.startswith("grandstand train: " + message_start.format(folder=tmp_path / "run"))


def test_a_run_is_told_step_by_step_and_at_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def train(config: Any, folder: Path, *, report: Any, doing: Any, **_: Any) -> Summary:
        doing("playing step 1", 1, 2)
        report(StepMetrics(1, {"kl/mean": 0.5}))
        return Summary(1, {"kl/mean": 0.5})

    monkeypatch.setattr("grandstand.trainer.run.train", train)
    arguments = ("--config", "nano-diplomacy", "--set", "run.steps=1", "--out", tmp_path / "run")
    lines = [json.loads(line) for line in run(*arguments, "--json").splitlines()]
    result = {"folder": str(tmp_path / "run"), "steps": 1, "metrics": {"kl/mean": 0.5}, "health": [], "best": None}
    assert lines == [{"step": 1, "version": 1, "kl/mean": 0.5}, {"result": result}]
    reported = run(*arguments)
    assert (
        reported == f"playing step 1 1/2\nstep 1/1: kl 0.5000\nThe run is finished; its folder is {tmp_path / 'run'}\n"
    )


def test_a_run_ends_with_its_best_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    best = BestVersion(4, "mine@v000004", PairedResult(64, 0.5, 0.25, 0.1, 0.02, None, None))
    monkeypatch.setattr("grandstand.trainer.run.train", lambda config, folder, **_: Summary(9, {}, (), best))
    arguments = ("--config", "nano-diplomacy", "--out", tmp_path / "run")
    line = "The best version by evaluation is mine@v000004: +0.2500 ± 0.0200 over the base in 64 other situations"
    assert run(*arguments).splitlines()[0] == line
    reported = json.loads(run(*arguments, "--json"))["result"]["best"]
    assert (reported["version"], reported["name"], reported["result"]["mean"]) == (4, "mine@v000004", 0.5)


def test_a_run_ends_with_its_health(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"step": 1, "kl/mean": 0.05, "kl/max": 2.0}, {"step": 2, "kl/mean": 0.02, "kl/max": 12.5}]

    def train(config: Any, folder: Path, **_: Any) -> Summary:
        return Summary(2, {}, health_report(rows, config.health))

    monkeypatch.setattr("grandstand.trainer.run.train", train)
    arguments = ("--config", "nano-diplomacy", "--out", tmp_path / "run")
    assert run(*arguments).splitlines()[:3] == [
        "Health: 1 of 2 checks failed",
        "  pass  kl_mean: kl/mean at most 0.6; worst 0.05 in step 1",
        "  FAIL  kl_max: kl/max at most 10; worst 12.5 in step 2, beyond it in 1 of 2",
    ]
    health = json.loads(run(*arguments, "--json"))["result"]["health"]
    assert [(check["check"], check["passed"], check["bound"], check["worst"]) for check in health] == [
        ("kl_mean", True, 0.6, 0.05),
        ("kl_max", False, 10.0, 12.5),
    ]
    rows.pop()
    assert run(*arguments).startswith("Health: all checks passed\n")


# --- what is written about it -----------------------------------------------------------------------------------------


def options(command: Any) -> dict[str, str]:
    """Flag -> help."""
    return {
        flag: parameter.help
        for parameter in command.params
        if parameter.param_type_name == "option"
        for flag in (*parameter.opts, *parameter.secondary_opts)
    }


def test_every_flag_has_help_and_is_on_the_page() -> None:
    group = verb("train")
    commands = {"grandstand train": group} | {f"grandstand train {name}": item for name, item in group.commands.items()}
    tables = dict(re.findall(r"\| `(grandstand train[a-z ]*)` \| \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE))
    assert set(tables) == set(commands)
    for name, command in commands.items():
        flags = options(command)
        documented = set(
            re.findall(r"`(--[a-z]+)`", "\n".join(re.findall(r"^\|([^|]*)\|", tables[name], re.MULTILINE)))
        )
        assert documented == set(flags) - {"--help"}, name
        assert all(flags.values()), name
        output = RUNNER.invoke(app, [*name.split()[1:], "--help"], env={"COLUMNS": "200"}).stdout
        for flag in documented:
            assert flag in output


def test_every_preset_is_on_the_page_and_in_the_help() -> None:
    output = run("--help")
    for name in presets():
        assert f"`{name}`" in PAGE
        assert name in output


def test_the_complaints_on_the_page_are_those_of_the_program(tmp_path: Path) -> None:
    message = re.search(r"```\n(my\.toml: .*?)```", PAGE, re.DOTALL)
    assert message is not None
    for line in message[1].strip().splitlines():
        _, key, _ = line.split(": ", 2)
        (tmp_path / "my.toml").write_text('extends = "nano-diplomacy"\n', "utf-8")
        value = {"loss.epsilon_hi": "1", "run.steps": "many", "rollout.opponents": '{"dumbot": 1}'}[key]
        output = run("--config", tmp_path / "my.toml", "--set", f"{key}={value}", code=2)
        assert line.removesuffix(", …") in output.replace(f"{tmp_path}/", ""), output


def test_the_settings_are_printed() -> None:
    report, known = run("settings"), [row for _, _, rows in sections() for row in rows]
    for name, _, rows in sections():
        assert f"[{name}]" in report
        assert all(row.key.removeprefix(f"{name}.") in report for row in rows)
    listed = json.loads(run("settings", "--json"))
    assert [row["key"] for row in listed] == [row.key for row in known]
    assert all(row["help"] and row["takes"] for row in listed)


@pytest.mark.long
def test_a_run_is_measured_against_its_base(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    piped = executed("train", "--config", "nano-diplomacy", "--smoke", "--out", str(folder)).stdout.splitlines()
    assert piped[0].startswith("playing matches to clone from 1/"), "without a terminal, before anything is over"
    for against in ("base", "dumbbot", "field"):
        report = json.loads(run("eval", "--out", str(folder), "--games", "6", "--against", against, "--json"))["result"]
        assert report["games"] == len(report["pairs"]) == 6
        assert report["gain"] == pytest.approx(report["mean"] - report["base"])
        assert report["mean_ci95"] > 0
        centers = report["results"]["centers"]
        assert centers["difference"] == pytest.approx(centers["mean"] - centers["base"])
    text = run("eval", "--out", str(folder), "--games", "6", "--against", "field")
    assert f"centers: {centers['mean']:.4f}, base {centers['base']:.4f}, difference" in text
    assert "results" not in text
    assert "there is no run in it" in run("eval", "--out", str(tmp_path), code=2)
    assert "neither base nor field, nor a bot:" in run("eval", "--out", str(folder), "--against", "me", code=2)
    assert "pairs" not in run("eval", "--out", str(folder), "--games", "4")
    assert (folder / "machines.jsonl").is_file()
    several = run(
        "eval", "--out", str(folder), "--games", "4", "--json",
        *("--version", "0", "--version", "1", "--against", "base", "--against", "random"),
    )  # fmt: skip
    results = [json.loads(line)["result"] for line in several.splitlines()]
    assert [(item["version"], item["against"]) for item in results] == [
        (0, "base"),
        (0, "random"),
        (1, "base"),
        (1, "random"),
    ]
    alone = run("eval", "--out", str(folder), "--games", "4", "--version", "1", "--against", "random", "--json")
    assert json.loads(alone)["result"] == results[3], "it does not depend on those before it"
    assert "version 7 is not kept; there are 0, 1" in run("eval", "--out", str(folder), "--version", "7", code=2)
