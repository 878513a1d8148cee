"""Reading settings: presets, files that extend others, YAML, `--set`, and what is said of mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

import grandstand.trainer.config.files as config_file
from grandstand.games.registry import game_spec
from grandstand.games.spec import game_options
from grandstand.trainer.config.files import PRESETS, REMOVED, SAVED, ConfigError, load, presets, save
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.config.table import sections
from grandstand.trainer.config.yaml_file import YamlError, read_yaml

LEAST = "[reward]\nweights = { centers = 1 }\n"


def written(folder: Path, text: str, name: str = "my.toml") -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def complaints(source: str, *overrides: str) -> list[str]:
    with pytest.raises(ConfigError) as refused:
        load(source, overrides)
    lines = str(refused.value).split("\n")
    assert all(line.startswith(f"{source}: ") for line in lines)
    return [line.removeprefix(f"{source}: ") for line in lines]


# --- what is read -----------------------------------------------------------------------------------------------------


def test_the_presets() -> None:
    assert presets() == [
        "nano",
        "nano-cricket",
        "nano-cricket-strong",
        "nano-diplomacy",
        "nano-diplomacy-strong",
        "qwen-0.5b",
        "qwen-7b",
    ]
    for name in presets():
        config = load(name)
        assert config.run.name == name
        small = load(name, smoke=True)
        assert small.run.name == f"{name}-smoke"
        assert (small.run.steps, small.policy.model, small.sampler.engine) == (1, "nano", "torch")
        assert small.game == config.game


def test_a_preset_that_extends_another_differs_in_what_it_says() -> None:
    small, large = load("qwen-0.5b"), load("qwen-7b")
    assert large.policy.model == "Qwen/Qwen2.5-7B-Instruct"
    assert large.rollout == small.rollout
    assert large.sampler.vllm.gpu_memory == 0.5
    assert large.sampler.vllm.max_cpu_loras == small.sampler.vllm.max_cpu_loras


@pytest.mark.parametrize(("name", "teacher"), [("nano-cricket", "heuristic"), ("nano-diplomacy", "coordinated")])
def test_the_strong_presets_play_whole_matches_and_learn_from_the_strongest_bot(name: str, teacher: str) -> None:
    spec, config = game_spec(name.removeprefix("nano-")), load(f"{name}-strong")
    whole = {"press": "none"} if spec.name == "diplomacy" else {}
    assert game_options(spec, config.game.options) == game_options(spec, whole)
    assert config.clone.teacher == teacher == spec.bots.default
    assert config.run.eval_whole
    assert {"past", teacher} <= set(config.rollout.opponents)
    assert config.reward == load(name).reward


def test_a_file_says_only_what_differs(tmp_path: Path) -> None:
    config = load(written(tmp_path, LEAST + "[run]\nsteps = 7\n"))
    assert config == TrainConfig.model_validate({"reward": {"weights": {"centers": 1.0}}, "run": {"steps": 7}})


def test_files_extend_each_other_and_presets(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    written(tmp_path / "deep", 'extends = "../below.toml"\n[run]\nsteps = 3\n', "above.toml")
    below = 'extends = "nano-diplomacy"\n[run]\nsteps = 2\nseed = 2\n[rollout]\nopponents = { self = 1 }\n'
    written(tmp_path, below, "below.toml")
    config = load(str(tmp_path / "deep/above.toml"))
    assert (config.run.steps, config.run.seed, config.run.name) == (3, 2, "nano-diplomacy")
    assert config.rollout.opponents == {"self": 1.0}, "a table takes the place of the one below"
    assert config.rollout.groups == load("nano-diplomacy").rollout.groups


def test_overrides_go_over_the_file() -> None:
    config = load(
        "nano-diplomacy",
        [
            "run.steps=3",
            "run.name=other",
            "loss.variant=gspo",
            "rollout.opponents.base=5",
            "clone.bots=[]",
            'game.options={"last_year": 1903}',
            "metrics.tensorboard=false",
            "optimizer.learning_rate=1e-5",
        ],
    )
    assert (config.run.steps, config.run.name, config.loss.variant) == (3, "other", "gspo")
    assert config.rollout.opponents["base"] == 5.0
    assert config.rollout.opponents["territorial"] == 1.0, "an entry of a table is changed alone"
    assert config.clone.bots == ()
    assert config.game.options == {"last_year": 1903}
    assert config.metrics.tensorboard is False
    assert config.optimizer.learning_rate == 1e-5


def test_yaml_is_read_as_toml_is(tmp_path: Path) -> None:
    text = """
extends: nano-diplomacy
run: {steps: 7}
loss:
  importance: off   # a word in YAML 1.2, not a boolean
optimizer:
  learning_rate: 1e-5
  betas: [0.9, 0.99]
metrics: {tensorboard: false}
"""
    for name in ("my.yaml", "my.yml"):
        config = load(written(tmp_path, text, name))
        assert config == load(
            "nano-diplomacy",
            [
                "run.steps=7",
                "loss.importance=off",
                "optimizer.learning_rate=0.00001",
                "optimizer.betas=[0.9, 0.99]",
                "metrics.tensorboard=false",
            ],
        )


def test_yaml_says_what_yaml_1_2_says() -> None:
    text = "a: no\nb: 1e5\nc: .5\nd: 0o7\ne: true\nf: ~\ng: 2026-11-21\nh: 1:30\ni: -3\nj: '1'\nk: 1_0\nl:\n"
    assert read_yaml(text) == {
        "a": "no",
        "b": 1e5,
        "c": 0.5,
        "d": "0o7",
        "e": True,
        "f": None,
        "g": "2026-11-21",
        "h": "1:30",
        "i": -3,
        "j": "1",
        "k": "1_0",
        "l": None,
    }
    assert read_yaml("") == {}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("run:\n  steps: 1\n  steps: 2\n", "'steps' is there twice"),
        ("- run\n", "must be a table"),
        ("1: 2\n", "must be a table"),
        ("run: [\n", "invalid YAML: while parsing"),
        ("run: !!python/object:os.system x\n", "invalid YAML: could not determine a constructor"),
    ],
)
def test_yaml_that_is_refused(text: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(YamlError, match=complaint):
        read_yaml(text)
    with pytest.raises(ConfigError, match=complaint):
        load(written(tmp_path, text, "my.yaml"))


def test_without_pyyaml_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_file, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install pyyaml .*; or use TOML"):
        load(written(tmp_path, "run: {}", "my.yaml"))


def test_saved_settings_make_the_same_run(tmp_path: Path) -> None:
    config = load("qwen-7b", ["run.folder=C:\\\\runs", "advantage.clip=3"])
    save(config, tmp_path / "run")
    assert load(tmp_path / "run" / SAVED) == config
    assert [path.name for path in (tmp_path / "run").iterdir()] == [SAVED]


def test_old_names_are_read_in_files_below_and_in_overrides(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    written(tmp_path, 'extends = "nano-diplomacy"\n[optimiser]\nepochs = 5\n[game]\nheroes = 3\n', "older.toml")
    above = written(tmp_path, 'extends = "older.toml"\n[optimizer]\nbatch_tokens = 512\n')
    config = load(above, ["optimiser.learning_rate=0.5", "game.hero=ITALY"])
    assert config.optimizer == load("nano-diplomacy").optimizer.model_copy(
        update={"epochs": 5, "batch_tokens": 512, "learning_rate": 0.5}
    )
    assert (config.game.trained_seats, config.game.only_seat) == (3, "ITALY")
    assert f"{tmp_path / 'older.toml'}: game.heroes is now called game.trained_seats; please rename it" in caplog.text


def test_old_names_in_errors_are_the_present_ones(tmp_path: Path) -> None:
    assert complaints("nano-diplomacy", "optimiser.epochs=0") == [
        "optimizer.epochs: 0 will not do; it takes a whole number, at least 1 and at most 16"
    ]
    twice = written(tmp_path, LEAST + "[optimiser]\nepochs = 5\n[optimizer]\nepochs = 4\n")
    with pytest.raises(ConfigError, match="optimiser: it is the old name of optimizer, set too; remove it"):
        load(twice)


# --- what is refused --------------------------------------------------------------------------------------------------


def test_an_unknown_setting_is_named_with_the_nearest_there_are(tmp_path: Path) -> None:
    source = written(tmp_path, LEAST + "[loss]\nepsilon_hi = 0.3\n[optimize]\nlr = 1\n[run]\nlearning_rate = 1e-5\n")
    results = {line.partition(":")[0]: line for line in complaints(source)}
    assert set(results) == {"loss.epsilon_hi", "optimize", "run.learning_rate"}
    assert results["loss.epsilon_hi"].startswith(
        "loss.epsilon_hi: there is no such setting; there are epsilon_high, epsilon_low, variant, "
    )
    assert results["optimize"].startswith("optimize: there is no such setting; there are optimizer, run, policy, ")
    assert results["run.learning_rate"].endswith("; or is it clone.learning_rate or optimizer.learning_rate?")


@pytest.mark.parametrize(
    ("override", "complaint"),
    [
        ("run.steps=many", "run.steps: 'many' will not do; it takes a whole number, at least 1"),
        ("run.steps=0", "run.steps: 0 will not do; it takes a whole number, at least 1"),
        ("run.steps=2.5", "run.steps: 2.5 will not do; it takes a whole number, at least 1"),
        ("run.steps=true", "run.steps: True will not do; it takes a whole number, at least 1"),
        ("run.name=7", "run.name: 7 will not do; it takes text"),
        ("run.name=../x", "run.name: '../x' will not do; it takes text that matches ^[A-Za-z0-9]"),
        ("kl.beta=NaN", "kl.beta: nan will not do; it takes a number, at least 0"),
        ("metrics.wandb=yes", "metrics.wandb: 'yes' will not do; it takes true or false"),
        (
            "loss.variant=ppo",
            'loss.variant: \'ppo\' will not do; it takes "grpo", "dr_grpo", "dapo", "gspo" or "cispo"',
        ),
        ("clone.bots=dumbbot", "clone.bots: 'dumbbot' will not do; it takes a list, each text"),
        (
            "optimizer.betas=[0.9]",
            "optimizer.betas: [0.9] will not do; it takes a list of 2, each a number, at least 0 and below 1",
        ),
        (
            "optimizer.betas=[0.9, 2]",
            "optimizer.betas.1: 2 will not do; optimizer.betas takes a list of 2, each a number, at least 0 and below",
        ),
        (
            "rollout.opponents.base=-1",
            "rollout.opponents.base: -1 will not do; rollout.opponents takes a table, each value a number, at "
            "least 0, or a list of [step, weight]",
        ),
        ("rollout=3", "rollout: it takes a table of settings: groups, samples, "),
        ("sampler.vllm=on", "sampler.vllm: it takes a table of settings: python, max_cpu_loras, "),
        ("sampler.vllm.pyhton=1", "sampler.vllm.pyhton: there is no such setting; there are python, "),
        ("steps=3", "steps: there is no such setting; there are "),
        ("rollout.samples=1", "rollout.samples: 1 fork is no group to compare"),
        ("loss.delta=1.1", "loss: delta 1.1 must be above 1 + epsilon_high, 1.28, or 0 for none"),
        ("advantage.strata.year=[5, 3]", "advantage.strata: the thresholds of year must be one or more, ascending"),
    ],
)
def test_a_wrong_value_is_named_with_what_would_do(override: str, complaint: str) -> None:
    (report,) = complaints("nano-diplomacy", override)
    assert report.startswith(complaint)


@pytest.mark.parametrize(("role", "category"), [("main_exploiter", "main"), ("league_exploiter", "league")])
def test_an_exploiter_needs_a_league_with_others_and_its_opponents(role: str, category: str) -> None:
    lines = complaints("nano-diplomacy", f"league.role={role}")
    assert lines == [
        f"league.folder: a {role} meets the versions of other runs; name the folder of the league that it shares with "
        "them",
        f"rollout.opponents: a {role} exploits `{category}`; give that a weight above 0",
    ]
    settings = [f"league.role={role}", "league.folder=shared"]
    (line,) = complaints("nano-diplomacy", *settings, f"rollout.opponents.{category}=[[0, 0], [9, 0]]")
    assert line.startswith("rollout.opponents: ")
    config = load("nano-diplomacy", [*settings, f"rollout.opponents.{category}=[[0, 0], [9, 2]]"])
    assert (config.league.role, config.rollout.opponents["base"]) == (role, 2)


@pytest.mark.parametrize(
    ("overrides", "complaint"),
    [
        (["game.name=chess"], "game.name: unknown game 'chess'; there are cricket, diplomacy"),
        (["game.only_seat=home"], "game.only_seat: diplomacy has no seat 'home'; there are AUSTRIA, ENGLAND, "),
        (["game.trained_seats=8"], "game.trained_seats: diplomacy has 7 seats, not 8"),
        (["game.options.last_yaer=1905"], "game.options.last_yaer: diplomacy has no such option; there are press, "),
        (["game.options.last_year=5"], "game.options.last_year: must be a whole number from 1901"),
        (['clone.bots=["dumbot"]'], "clone.bots: there is no 'dumbot'; there are coordinated, dumbbot, "),
        (
            ["rollout.opponents.me=1"],
            "rollout.opponents: there is no 'me'; there are base, past, self, peer, exploitable, ",
        ),
        (["reward.weights.centres=1"], "reward.weights: centres unknown; there are centers, units, "),
        (["reward.settings.bonus=1"], "reward.settings: bonus unknown; there are win_threshold, "),
        (["reward.weights={}"], "reward.weights: nothing counts; give a weight to one of centers, "),
        (
            ["advantage.baseline=stratified", "advantage.strata.age=[3]"],
            "advantage.strata: there is no 'age'; there are centers, units, year, phase, expected_score, opp",
        ),
    ],
)
def test_what_only_the_game_can_tell(overrides: list[str], complaint: str) -> None:
    (report,) = complaints("nano-diplomacy", *overrides)
    assert report.startswith(complaint)


@pytest.mark.parametrize(
    ("category", "needed"),
    [
        ("self", "base, past"), ("past", "base, past"), ("peer", "base, peer"), ("main", "base, peer"),
        ("exploiter", "base, exploiter"), ("human", "base"), ("baseline", "base, chaos, coordinated, "),
        ("dumbbot", "dumbbot"),
    ],
)  # fmt: skip
def test_every_player_that_may_be_met_needs_a_rating(category: str, needed: str) -> None:
    """The policy may be at version 0, which is the base, and a category without members gives its share to the base."""
    options = (f'rollout.opponents={{"{category}":1}}', "reward.elo_scale=1", "reward.ratings.policy=1500")
    (line,) = complaints("nano-diplomacy", *options)
    assert line.startswith(f"reward.ratings: {needed}")
    assert needed.endswith(", ") or line.startswith(f"reward.ratings: {needed} missing; elo_scale needs the Elo rating")


def test_all_that_is_wrong_is_told_at_once() -> None:
    lines = complaints("nano-diplomacy", "run.steps=0", "kl.bta=1", "loss.variant=x")
    assert [line.partition(":")[0] for line in lines] == ["run.steps", "loss.variant", "kl.bta"]
    lines = complaints("nano-diplomacy", "game.only_seat=X", "reward.weights.x=1", 'clone.bots=["y"]')
    assert [line.partition(":")[0] for line in lines] == ["game.only_seat", "clone.bots", "reward.weights"]


@pytest.mark.parametrize("text", ["run.steps", "=3", "run..steps=3", "run.=3"])
def test_an_override_that_is_none(text: str) -> None:
    with pytest.raises(ConfigError, match=r"is not section\.key=value"):
        load("nano-diplomacy", [text])


def test_a_source_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file or preset; presets are nano, nano-cricket, "):
        load("nano-diplomcy")
    with pytest.raises(ConfigError, match="no such file or preset"):
        load(tmp_path)
    with pytest.raises(ConfigError, match="invalid TOML: "):
        load(written(tmp_path, "run = ["))
    with pytest.raises(ConfigError, match="extends: it takes the name of a preset or a file, not 3"):
        load(written(tmp_path, "extends = 3"))
    path = written(tmp_path, 'extends = "two.toml"', "one.toml")
    written(tmp_path, 'extends = "one.toml"', "two.toml")
    with pytest.raises(ConfigError, match="it extends itself"):
        load(path)


def test_the_presets_are_packaged() -> None:
    assert {path.suffix for path in PRESETS.iterdir()} == {".toml"}


def test_a_removed_setting_may_stand_in_a_file_with_its_value(tmp_path: Path) -> None:
    text = "extends = 'nano-diplomacy'\n[kl]\nhorizon = 10\n[health]\nkl_max = 10\n[sampler.vllm]\nport = 0\n"
    assert load(written(tmp_path, text)) == load("nano-diplomacy")


def test_a_removed_setting_with_another_value_is_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        load(
            written(tmp_path, "extends = 'nano-diplomacy'\n[sampler.vllm]\nport = 80\n"), ["kl.horizon=5", "kl.beta=x"]
        )
    lines = str(refused.value).splitlines()
    assert {line.partition(": ")[2] for line in lines[:2]} == {
        "sampler.vllm.port: the setting was removed; its value is always 0, not 80. Leave it out",
        "kl.horizon: the setting was removed; its value is always 10, not 5. Leave it out",
    }
    assert "kl.beta: 'x' will not do" in lines[2]


def test_no_removed_setting_is_a_setting() -> None:
    assert REMOVED.keys().isdisjoint(row.key for *_, rows in sections() for row in rows)
