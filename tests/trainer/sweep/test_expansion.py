"""Runs of a sweep: complete settings, hashes, matched arms, and situations that can be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grandstand.trainer.config.files import load
from grandstand.trainer.sweep.expansion import Sweep, differences, load_sweep, run_key
from grandstand.trainer.sweep.sweep_file import SweepError
from tests.support.trainer.tiny_sweep import TINY, tiny_sweep, written

CRITERION: dict[str, Any] = TINY["analysis"]["success_criteria"][0]


def planned(folder: Path, **sections: Any) -> Sweep:
    return load_sweep(written(folder, tiny_sweep(**sections)), folder / "results")


def arms(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    return {"A": {"name": "a", "config": a}, "B": {"name": "b", "config": b}}


def judged_by(metric: str, **measure: Any) -> dict[str, Any]:
    """Return sections in which A and B are compared by a metric."""
    return {
        "analysis": {"primary_metric": metric, "success_criteria": [{**CRITERION, "metric": metric}]},
        "measure": {"games": 20, "against": ["base", "random", "field"], "versions": ["last"], **measure},
    }


def test_every_arm_has_a_run_with_every_seed(tmp_path: Path) -> None:
    sweep = planned(tmp_path)
    assert [run.id for run in sweep.runs] == ["A-s1", "B-s1", "A-s2", "B-s2"], "the first seed of all arms comes first"
    run = sweep.by_id["B-s2"]
    assert (run.config.run.name, run.config.run.seed, run.config.kl.beta) == (f"s2-{run.key[:12]}", 2, 0.5)
    assert run.config.run.shown_as == "B: penalty of 0.5, seed 2 of tiny"
    assert run.folder == tmp_path / "store/runs" / run.config.run.name
    assert run.config.league.keep == (1, 2), "the versions that the best is chosen from"
    assert [item.id for item in sweep.until_look(1)] == ["A-s1", "B-s1"]


def test_a_long_name_leaves_room_for_the_seed(tmp_path: Path) -> None:
    runs = {"A": {"name": "A"}, "B": {"name": "word " * 40, "config": {"kl": {"beta": 0.5}}}}
    plain, long = planned(tmp_path, runs=runs).runs[:2]
    assert plain.config.run.title == "arm A, seed 1 of tiny"
    assert "seed 1" in long.config.run.title


def test_settings_are_those_that_a_run_reads_back(tmp_path: Path) -> None:
    run = planned(tmp_path).runs[0]
    (tmp_path / "config.toml").write_text(run.config.resolved())
    assert load(tmp_path / "config.toml") == run.config


def test_the_hash_is_that_of_what_determines_the_result(tmp_path: Path) -> None:
    first, other = planned(tmp_path).runs[:2]
    assert first.key != other.key
    renamed = {**TINY["metadata"], "name": "renamed"}
    moved = load_sweep(written(tmp_path, tiny_sweep(metadata=renamed)), tmp_path / "elsewhere").runs[0]
    assert (moved.key, moved.folder) == (first.key, first.folder), "sweeps in the same folder share their runs"
    assert moved.config.run.shown_as != first.config.run.shown_as
    run = first.config.run
    longer = first.config.model_copy(update={"run": run.model_copy(update={"steps": 3})})
    assert run_key(longer) != first.key


def test_arms_share_a_base_if_the_same_is_cloned(tmp_path: Path) -> None:
    sweep = planned(tmp_path)
    assert [base.config.run.seed for base in sweep.bases] == [1, 2]
    for run in sweep.runs:
        assert run.base is not None
        assert run.base == sweep.bases[run.seed - 1]
    more = arms({"kl": {"beta": 0.1}}, {"clone": {"games": 5}})
    other = planned(tmp_path, runs=more, **judged_by("kl/mean:mean"))
    assert len(other.bases) == 4
    assert other.runs[0].base == sweep.runs[0].base
    started = {
        "P": {"name": "p"},
        "A": {"name": "a", "starts_from": "P"},
        "B": {"name": "b", "config": {"kl": {"beta": 0.1}}},
    }
    after = planned(tmp_path, runs=started, matched="none", **judged_by("last/random/score"))
    assert after.by_id["A-s1"].base is None, "it has that of the run that it begins with"
    assert after.by_id["B-s1"].base == sweep.runs[0].base
    plain = planned(tmp_path, defaults={**TINY["defaults"], "clone": {"bots": []}})
    assert plain.bases == []


def test_runs_that_earlier_sweeps_had_in_their_own_folders_stay_theirs(tmp_path: Path) -> None:
    run = planned(tmp_path).by_id["B-s2"]
    earlier = tmp_path / "results/runs" / f"B-s2-{run.key[:8]}"
    earlier.mkdir(parents=True)
    again = planned(tmp_path).by_id["B-s2"]
    assert (again.folder, again.config.run.name) == (earlier, "tiny-B-s2")
    assert planned(tmp_path).by_id["A-s2"].folder.parent == tmp_path / "store/runs"


def test_a_run_that_begins_with_another_has_a_hash_of_both(tmp_path: Path) -> None:
    runs = {
        "P": {"name": "p"},
        "A": {"name": "a", "starts_from": "P"},
        "B": {"name": "b", "config": {"kl": {"beta": 1}}},
    }
    sections = {**judged_by("last/random/score"), "matched": "none"}
    before = planned(tmp_path, runs=runs, **sections).by_id["A-s1"]
    runs["P"]["config"] = {"kl": {"beta": 0.3}}  # type: ignore[index]
    after = planned(tmp_path, runs=runs, **sections).by_id["A-s1"]
    assert before.key != after.key
    assert before.simulated == 2 * before.parent.simulated if before.parent else False


def test_differences_leave_out_what_the_sweep_sets(tmp_path: Path) -> None:
    first, other, *_ = planned(tmp_path).runs
    assert differences(first.config, other.config) == {"kl.beta": (0.0, 0.5)}


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({"runs": arms({"kl": {"betta": 1}}, {})}, "arm A: kl.betta: there is no such setting; there are beta"),
        ({"runs": arms({"kl": {"beta": -1}}, {})}, "arm A: kl.beta: -1 will not do"),
        ({"runs": arms({"run": {"seed": 1}}, {})}, "runs.A.config.run.seed: the sweep sets it for each run"),
        ({"defaults": {"run": {"name": "x"}}}, "defaults.run.name: the sweep sets it"),
        ({"defaults": {"extends": "nano-dipl"}}, "nano-dipl: no such file or preset; presets are"),
        ({"runs": arms({}, {})}, "runs.B: it has the same settings as A; change one, or remove it"),
        (
            {"runs": arms({}, {"run": {"steps": 4}})},
            "matched is samples, and the arms have A 8, B 17; change run.steps",
        ),
        (
            {"runs": arms({}, {"rollout": {"horizon": 1.4}}), "matched": "compute"},
            "matched is compute, and the arms have A 8, B 17",
        ),
        (
            {"measure": {"games": 20, "against": ["base", "random", "nobody"], "versions": ["last", "best"]}},
            "measure.against: arm A: there is no 'nobody' in diplomacy; there are base, field,",
        ),
        (
            {"runs": arms({"run": {"eval_every": 0}}, {"kl": {"beta": 1.0}})},
            "measure.versions: arm A evaluates no version that it keeps; set run.eval_every",
        ),
    ],
)
def test_faults_are_told_before_anything_starts(sections: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(SweepError) as caught:
        planned(tmp_path, **sections)
    assert message in str(caught.value)
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("metric", "b", "part"),
    [
        (
            "last/random/score",
            {"rollout": {"horizon": 1.4}},
            "rollout.horizon is 0.7 and 1.4; give both the same, or set",
        ),
        ("last/random/score", {"game": {"options": {"press": "none", "last_year": 1903}}}, "game.options is"),
        ("last/base/gain", {"clone": {"games": 5}}, "clone.games is 4 and 5; their bases differ"),
        ("last/random/gain", {"clone": {"games": 5}}, "compare scores against a bot"),
        ("last/field/score", {"rollout": {"opponents": {"base": 1}}}, "compare against base or a bot"),
    ],
)
def test_arms_are_compared_in_the_same_situations_only(
    metric: str, b: dict[str, Any], part: str, tmp_path: Path
) -> None:
    with pytest.raises(SweepError) as caught:
        planned(tmp_path, runs=arms({}, b), matched="none", **judged_by(metric))
    assert "A and B are not measured in the same situations" in str(caught.value)
    assert part in str(caught.value)


@pytest.mark.parametrize(
    ("metric", "b"),
    [
        ("last/random/score", {"clone": {"games": 5}}),
        ("last/random/score", {"rollout": {"opponents": {"base": 1}}}),
        ("last/base/gain", {"rollout": {"opponents": {"base": 1}}}),
        ("last/base/gain", {"policy": {"lora_rank": 8}}),
        ("kl/mean:mean", {"rollout": {"horizon": 1.4}}),
    ],
)
def test_other_differences_do_not_matter(metric: str, b: dict[str, Any], tmp_path: Path) -> None:
    assert planned(tmp_path, runs=arms({}, b), matched="none", **judged_by(metric)).runs


def test_whole_matches_do_not_depend_on_the_horizon(tmp_path: Path) -> None:
    runs = arms({"run": {"eval_whole": True}}, {"run": {"eval_whole": True}, "rollout": {"horizon": 1.4}})
    assert planned(tmp_path, runs=runs, matched="none", **judged_by("last/base/gain")).runs
