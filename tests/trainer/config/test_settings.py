"""The settings of a run: what goes together, what may change, and that none of it needs torch."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from grandstand.trainer.config.files import load, make
from grandstand.trainer.config.sections import OptimizerSettings, RolloutSettings, RunSettings
from grandstand.trainer.config.settings import TrainConfig, changed, leaves


def made(**sections: dict[str, Any]) -> TrainConfig:
    return TrainConfig.model_validate(sections)


def test_settings_need_no_heavy_library() -> None:
    heavy = ("torch", "transformers", "peft", "pyarrow", "tensorboard", "yaml", "tomli_w")
    code = (
        "import sys, grandstand.commands.train.app, grandstand.trainer.config.files as f\n"
        "f.load('nano-diplomacy'); f.load('nano-cricket')\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_nothing_can_be_changed_afterwards() -> None:
    config = TrainConfig()
    with pytest.raises(ValidationError):
        config.run.steps = 3
    with pytest.raises(ValidationError):
        config.run = RunSettings()


def test_every_setting_has_a_default_and_says_what_it_is() -> None:
    for key, info, _ in leaves(TrainConfig()):
        assert not info.is_required(), key
        assert info.description, key
        assert info.description[0].strip(), key


@pytest.mark.parametrize(
    ("sections", "complaint"),
    [
        (
            {"rollout": {"samples": 1}},
            "rollout.samples: 1 fork is no group to compare; play 2 or more",
        ),
        ({"rollout": {"buffer_depth": 3}}, "rollout.buffer_depth: what is played 3 steps ahead is older than"),
        (
            {"rollout": {"long_horizon_chance": 0.5, "horizon": 3.0, "long_horizon": 2.0}},
            "rollout.long_horizon: 2 is shorter than rollout.horizon, 3",
        ),
        ({"rollout": {"opponents": {"base": 0.0}}}, "rollout.opponents: no weight is above 0"),
        ({"league": {"landmark_every": 7}}, "league.landmark_every: 7 is no multiple of run.checkpoint_every, 5"),
        ({"sampler": {"engine": "vllm"}, "policy": {"lora_rank": 24}}, "policy.lora_rank: vLLM has no rank 24"),
        ({"policy": {"attention": "flex", "device": "cpu"}}, "policy.attention: flex needs a GPU"),
        ({"policy": {"dtype": "bfloat16"}}, "optimizer.max_logprob_gap: bfloat16 cannot hold 0.0001"),
    ],
)
def test_settings_that_do_not_go_together(sections: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError) as refused:
        made(**sections)
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    "sections",
    [
        {"rollout": {"samples": 1}, "advantage": {"baseline": "seat"}},
        {"rollout": {"samples": 1}, "advantage": {"baseline": "stratified", "strata": {"year": [1902.0]}}},
        {"advantage": {"baseline": "stratified", "strata": {"expected_score": [0.4, 0.6]}}},
        {"rollout": {"buffer_depth": 3, "max_staleness": 3}},
        {"rollout": {"horizon": 9.0}},
        {"policy": {"lora_rank": 24}},
        {"sampler": {"engine": "vllm"}, "policy": {"lora_rank": 32}},
        {"policy": {"attention": "flex", "device": "cuda"}},
        {"policy": {"dtype": "bfloat16"}, "optimizer": {"max_logprob_gap": 0.05}},
    ],
)
def test_settings_that_do(sections: dict[str, Any]) -> None:
    made(**sections)


def test_several_complaints_are_told_at_once() -> None:
    with pytest.raises(ValidationError) as refused:
        made(rollout={"samples": 1, "buffer_depth": 9}, policy={"dtype": "bfloat16"})
    for key in ("rollout.samples", "rollout.buffer_depth", "optimizer.max_logprob_gap"):
        assert key in str(refused.value)


numbers = st.floats(1e-6, 1.0, exclude_max=True)
FOLDER_CHARACTERS = "az09 /._-\"'\\#={}[]\t\n\0\x1f\x7f\x85\u2028äß日😀"
"""Those that TOML treats in different ways."""


@settings(max_examples=60)
@given(
    rate=numbers,
    betas=st.tuples(numbers, numbers),
    opponents=st.dictionaries(st.sampled_from(["base", "past", "self", "dumbbot", "random"]), numbers, min_size=1),
    steps=st.integers(1, 999_999),
    folder=st.text(st.sampled_from(FOLDER_CHARACTERS), min_size=1),
)
def test_the_resolved_settings_make_the_same_ones_again(
    rate: float, betas: tuple[float, float], opponents: dict[str, float], steps: int, folder: str
) -> None:
    config = load("nano-diplomacy").model_copy(
        update={
            "run": RunSettings(steps=steps, folder=folder),
            "optimizer": OptimizerSettings(learning_rate=rate, betas=betas),
            "rollout": RolloutSettings(opponents=opponents),
        }
    )
    again = make(tomllib.loads(config.resolved()), "resolved")
    assert again == config
    assert again.digest() == config.digest()


def test_a_run_goes_on_with_what_may_change(tmp_path: Path) -> None:
    was = load("nano-diplomacy")
    now = load("nano-diplomacy", ["run.steps=99", "run.folder=/elsewhere", "watch.url=http://x", "metrics.wandb=true"])
    assert changed(was, now) == []
    assert was.digest() == now.digest()


def test_a_run_does_not_go_on_with_what_may_not() -> None:
    was = load("nano-diplomacy")
    now = load("nano-diplomacy", ["kl.beta=0.02", "rollout.opponents.random=3", "optimizer.betas=[0.9, 0.99]"])
    assert changed(was, now) == [
        "kl.beta: it was 0.01, and is 0.02",
        "optimizer.betas: it was [0.9, 0.95], and is [0.9, 0.99]",
        'rollout.opponents: it was {"base": 2.0, "past": 2.0, "dumbbot": 1.0, "territorial": 1.0, '
        '"random": 1.0}, and is {"base": 2.0, "past": 2.0, "dumbbot": 1.0, "territorial": 1.0, '
        '"random": 3.0}',
    ]
    assert was.digest() != now.digest()


def test_the_number_of_steps_is_fixed_where_the_learning_rate_depends_on_it() -> None:
    was = load("nano-diplomacy", ["optimizer.schedule=cosine"])
    now = load("nano-diplomacy", ["optimizer.schedule=cosine", "run.steps=99"])
    assert changed(was, now) == ["run.steps: it was 60, and is 99"]
    assert was.digest() != now.digest()


def test_the_digest_is_of_the_values_not_of_how_they_were_written() -> None:
    settings = make(tomllib.loads("[reward]\nweights = { centers = 1, units = 2 }\n[kl]\nbeta = 0.010"), "a")
    other = make(tomllib.loads("[kl]\nbeta = 1e-2\n[reward.weights]\nunits = 2.0\ncenters = 1.0"), "b")
    assert settings.digest() == other.digest()
    assert len(settings.digest()) == 64
