"""`grandstand train estimate`, as a program and a person see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grandstand.trainer.config.files import load
from grandstand.trainer.estimate import Machine, memory, shape_of
from tests.support.command import grandstand, words


def test_it_prints_what_the_arithmetic_says() -> None:
    more = ("--gpus", "8", "--set", "optimizer.processes=8", "--set", "optimizer.shard=true")
    result = json.loads(grandstand("train", "estimate", "--config", "qwen-7b", *more, "--json").stdout)["result"]
    config = load("qwen-7b", ["optimizer.processes=8", "optimizer.shard=true"])
    assert result["memory"] == memory(config, shape_of(config), Machine(gpus=8))
    assert result["parameters"]["model"] == shape_of(config).parameters
    printed = words(grandstand("train", "estimate", "--config", "qwen-7b", *more).stdout)
    assert "Qwen/Qwen2.5-7B-Instruct on 8 GPUs, by arithmetic; not measured on a GPU" in printed
    assert f"│ {result['memory']['activations'] / 1e9:.2f} GB │" in printed


def test_what_does_not_fit_is_said() -> None:
    printed = words(grandstand("train", "estimate", "--config", "qwen-7b", "--memory", "24").stdout)
    assert "of 24 GB, which does not fit" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--config", "nano-cricket"], "the shape of 'nano' is not known; give the model's config.json by --shape"),
        (["--config", "nano-chess"], "nano-chess: no such file or preset"),
        (["--config", "qwen-7b", "--shape", "other.json"], "the model is a gpt2; only llama, qwen2 and qwen3"),
    ],
)
def test_what_cannot_be_estimated_is_named(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"model_type": "gpt2"}')
    assert message in words(grandstand("train", "estimate", *arguments, cwd=tmp_path, status=2).stderr)
