"""Files of sweeps: what they may say, and errors that name file, field and remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grandstand.trainer.sweep.sweep_file import SweepError, SweepFile, read_sweep
from tests.support.trainer.tiny_sweep import TINY, tiny_sweep, written

CRITERION: dict[str, Any] = TINY["analysis"]["success_criteria"][0]


def read(folder: Path, **sections: Any) -> SweepFile:
    return read_sweep(written(folder, tiny_sweep(**sections)))


def with_criterion(**fields: Any) -> dict[str, Any]:
    return {**TINY["analysis"], "success_criteria": [{**CRITERION, **fields}]}


def test_a_file(tmp_path: Path) -> None:
    file = read(tmp_path)
    assert list(file.arms) == ["A", "B"]
    assert file.arms["B"].name == "penalty of 0.5"
    assert file.arms["B"].config == {"kl": {"beta": 0.5}}
    assert (file.first_arm, file.all_looks) == ("A", (2,))
    assert file.analysis.metrics == ["best/base/gain", "last/random/score", "kl/max:max", "kl/mean:mean"]


def test_a_factorial_design_has_an_arm_for_each_combination(tmp_path: Path) -> None:
    factors = {"strong": {"config": {"kl": {"beta": 0.5}}}, "wide": {"config": {"policy": {"lora_rank": 32}}}}
    file = read(tmp_path, runs={}, factors=factors, analysis=with_criterion(arm="A", against="D"))
    assert {name: arm.name for name, arm in file.arms.items()} == {
        "A": "neither",
        "B": "strong",
        "C": "wide",
        "D": "strong + wide",
    }
    assert file.arms["D"].config == {"kl": {"beta": 0.5}, "policy": {"lora_rank": 32}}
    assert file.factor_levels == [(), ("strong",), ("wide",), ("strong", "wide")]


def test_scales_give_settings_and_parameters(tmp_path: Path) -> None:
    scales = {
        "small": {"config": {"run": {"steps": 2}}, "parameters": {"beta": 0.25}},
        "large": {"config": {"run": {"steps": 9, "checkpoint_every": 3}}},
    }
    data = tiny_sweep(scales=scales)
    data["defaults"]["run"] = {"eval_every": 1, "checkpoint_every": 1}
    path = written(tmp_path, data)
    small, large = read_sweep(path), read_sweep(path, "large")
    assert (small.scale, small.defaults["run"]["steps"], small.parameters) == ("small", 2, {"beta": 0.25})
    assert small.arms["B"].config == {"kl": {"beta": 0.25}}
    assert large.defaults["run"] == {"steps": 9, "checkpoint_every": 1, "eval_every": 1}, "own settings are above"
    with pytest.raises(SweepError, match=r"scales: there is no 'huge'; there are small, large"):
        read_sweep(path, "huge")


def test_a_file_extends_another_one(tmp_path: Path) -> None:
    written(tmp_path, tiny_sweep(), "common.yaml")
    path = written(tmp_path, {"extends": "common.yaml", "metadata": {"name": "other"}, "seeds": [4, 5]})
    file = read_sweep(path)
    assert (file.metadata.name, file.seeds, list(file.arms)) == ("other", (4, 5), ["A", "B"])
    written(tmp_path, {"extends": "tiny.yaml"}, "common.yaml")
    with pytest.raises(SweepError, match="it extends itself"):
        read_sweep(path)


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({"seed": [1]}, "seed: there is no such field; there are metadata, parameters,"),
        ({"metadata": {"name": "x"}}, "metadata.hypothesis: it is missing; set it"),
        (
            {"metadata": {**TINY["metadata"], "goal": "x"}},
            "metadata.goal: there is no such field; there are name, title,",
        ),
        ({"runs": {"A": {"name": "a", "configs": {}}}}, "runs.A.configs: there is no such field; there are name,"),
        ({"runs": {}}, "runs: give either the arms as `runs`, or the `factors`"),
        ({"seeds": [1]}, "seeds: [1] will not do: tuple should have at least 2 items"),
        ({"seeds": [1, 1]}, "seeds: a seed is there twice; remove one"),
        ({"looks": [2, 3]}, "looks: they must rise, and end with the number of seeds, 2"),
        ({"baseline": "C"}, "baseline: there is no arm 'C'; there are A, B"),
        ({"matched": "steps"}, "matched: 'steps' will not do: input should be 'none', 'samples' or 'compute'"),
        ({"measure": {"games": 2}}, "measure.games: 2 will not do: input should be greater than or equal to 20"),
        ({"runner": {"command": "ssh {host} {arguments}"}}, "runner.command: there is no placeholder 'host'"),
        ({"runner": {"command": "ssh x"}}, "runner.command: it lacks {arguments}"),
        ({"analysis": with_criterion(metric="kl/mean")}, "analysis: 'kl/mean' is neither a measurement"),
        ({"analysis": with_criterion(metric="best/field/gain")}, "needs measure.against with 'field'; add it"),
        ({"analysis": with_criterion(arm="X")}, "analysis.success_criteria.0: there is no arm 'X'; there are A, B"),
        ({"analysis": with_criterion(against="B")}, "analysis.success_criteria.0.against: B is compared with itself"),
        (
            {"analysis": with_criterion(effect="wide", arm="", against=None)},
            "there is no factor 'wide'; there are none",
        ),
        (
            {"analysis": with_criterion(against=None)},
            "compare an arm with another (arm and against), or name an effect",
        ),
        ({"analysis": with_criterion(least_effect=0)}, "analysis.success_criteria.0.least_effect: 0 will not do"),
        ({"analysis": with_criterion(alfa=0.1)}, "analysis.success_criteria.0.alfa: there is no such field; there are"),
        ({"analysis": {**TINY["analysis"], "success_criteria": []}}, "analysis.success_criteria"),
        ({"parameters": {}}, "${parameters.beta} does not exist"),
    ],
)
def test_errors_name_file_field_and_remedy(sections: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(SweepError) as caught:
        read(tmp_path, **sections)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 'tiny.yaml'}: ")


def test_an_arm_begins_only_with_one_above_it(tmp_path: Path) -> None:
    runs = {"A": {"name": "a", "starts_from": "B"}, "B": {"name": "b"}}
    with pytest.raises(SweepError, match=r"runs.A.starts_from: 'B' is no arm above this one"):
        read(tmp_path, runs=runs)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SweepError, match=r"none.yaml: cannot be read: No such file"):
        read_sweep(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_text("a: 1\na: 2\n")
    with pytest.raises(SweepError, match="'a' is there twice; remove one"):
        read_sweep(tmp_path / "bad.yaml")
