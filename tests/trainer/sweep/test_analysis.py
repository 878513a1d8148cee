"""The analysis of a sweep whose effects are planted, from its folder to its verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grandstand.trainer.sweep.analysis import CriterionResult, analyse, contrast
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.expansion import Sweep
from grandstand.trainer.sweep.sweep_file import Criterion, SweepFile
from tests.support.trainer.fake_sweep import fake_data, fake_sweep
from tests.support.trainer.fake_training import BREAKS_OFF


def executed(sweep: Sweep) -> Sweep:
    Execution(sweep, 3).execute(sweep.runs)
    return sweep


def decisions(sweep: Sweep) -> list[CriterionResult]:
    return list(analyse(sweep).decisions)


@pytest.mark.long
def test_planted_effects_are_what_the_verdicts_say(tmp_path: Path) -> None:
    """B gains 0.1 more than A by the plan of the fake runs, C 0.001, D nothing; 0.01 would matter."""
    sweep = executed(fake_sweep(tmp_path, {"A": 0.0, "B": 0.2, "C": 0.002, "D": 1e-9}, seeds=[1, 2, 3, 4, 5, 6]))
    analysis = analyse(sweep)
    large, small, nothing = analysis.decisions
    assert [item.verdict.word for item in (large, small, nothing)] == ["supported", "refuted", "refuted"]
    assert large.verdict.difference.mean == pytest.approx(0.1, abs=0.005)
    assert [item.holm for item in (large, small, nothing)] == [True, False, False]
    assert large.situations is not None
    assert large.situations.mean == pytest.approx(large.verdict.difference.mean)
    assert analysis.complete
    assert analysis.decided
    assert analysis.arms["B"]["last/base/gain"].mean.n == 6


def test_before_all_planned_seeds_are_there_nothing_is_decided(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    Execution(sweep, 3).execute(sweep.until_look(2))
    (decision,) = decisions(sweep)
    assert decision.verdict.word == "undecided"
    assert decision.verdict.reason == "2 of 3 planned seeds have a value: B-s3 is planned"


def test_a_failed_run_leaves_its_criterion_undecided_and_is_named(tmp_path: Path) -> None:
    (decision,) = decisions(executed(fake_sweep(tmp_path, {"A": 0.0, "B": BREAKS_OFF})))
    assert (decision.verdict.word, decision.verdict.reason) == ("undecided", "B-s1 is failed")


def test_a_sweep_with_looks_is_decided_at_the_first_that_can_decide(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2}, seeds=[1, 2, 3, 4, 5, 6], looks=[3, 6])
    Execution(sweep, 3).execute(sweep.until_look(3))
    (decision,) = decisions(sweep)
    assert (decision.verdict.word, decision.look) == ("supported", 3)
    assert decision.verdict.level == pytest.approx(0.975), "alpha is divided by the looks"


@pytest.mark.long
def test_effects_of_factors_and_their_interaction(tmp_path: Path) -> None:
    """The fake gain is 0.1 + 0.5 beta, and only `strong` sets beta."""
    factors = {"strong": {"config": {"kl": {"beta": 0.2}}}, "wide": {"config": {"policy": {"lora_rank": 32}}}}
    criteria = [
        {
            "name": str(effect),
            "metric": "last/base/gain",
            "effect": effect,
            "direction": direction,
            "least_effect": 0.05,
        }
        for effect, direction in (
            ("strong", "greater"),
            ("wide", "greater"),
            (["strong", "wide"], "equivalent"),
        )
    ]
    analysis = {"primary_metric": "last/base/gain", "success_criteria": criteria}
    strong, wide, both = decisions(
        executed(fake_sweep(tmp_path, {"A": 0.0}, runs={}, factors=factors, analysis=analysis))
    )
    assert strong.verdict.difference.mean == pytest.approx(0.1, abs=0.01)
    assert [item.comparison for item in (strong, wide, both)] == [
        "effect of strong",
        "effect of wide",
        "interaction of strong and wide",
    ]
    assert strong.verdict.word == "supported"


def test_the_weights_of_contrasts() -> None:
    data = fake_data({"A": 0.0, "B": 0.1})
    factors = {"x": {"config": {"kl": {"beta": 0.2}}}, "y": {"config": {"policy": {"lora_rank": 32}}}}
    criterion: dict[str, Any] = {"name": "c", "metric": "last/base/gain", "direction": "greater", "least_effect": 1}
    design = SweepFile.model_validate({**data, "runs": {}, "factors": factors, "analysis": {
        "primary_metric": "last/base/gain", "success_criteria": [{**criterion, "effect": "x"}]}})  # fmt: skip
    main = Criterion.model_validate({**criterion, "effect": "x"})
    interaction = Criterion.model_validate({**criterion, "effect": ("x", "y")})
    assert contrast(design, main) == {"A": -0.5, "B": 0.5, "C": -0.5, "D": 0.5}
    assert contrast(design, interaction) == {"A": 1, "B": -1, "C": -1, "D": 1}
    plain = SweepFile.model_validate(data)
    assert contrast(plain, plain.analysis.success_criteria[0]) == {"B": 1.0, "A": -1.0}


def drift(folder: Path, directions: dict[str, str], against: str | float = "A", least: float = 0.005) -> list[str]:
    """Return the verdicts on `B - A` and so on in a KL whose values are planted: a drift of very different sizes."""
    planted = {"A": [1e-9] * 3, "B": [0.261, 0.0076, 0.0207], "C": [0.261, 0.0076, 0.0207]}
    criteria = [
        {
            "name": f"{name} {direction}",
            "metric": "kl/mean:mean",
            "arm": name[0],
            "against": name[-1] if len(name) > 1 else against,
            "direction": direction,
            "least_effect": least,
        }
        for name, direction in directions.items()
    ]
    analysis = {"primary_metric": "last/base/gain", "success_criteria": criteria}
    sweep = executed(fake_sweep(folder, {"A": 0.0, "B": 0.1, "C": 0.2}, analysis=analysis))
    for run in sweep.runs:
        path = run.train_folder / "metrics.jsonl"
        rows = [
            json.loads(line) | {"kl/mean": planted[run.arm][run.seed - 1]} for line in path.read_text().splitlines()
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [decision.verdict.word for decision in analyse(sweep).decisions]


@pytest.mark.long
def test_a_kl_is_compared_by_its_ratio(tmp_path: Path) -> None:
    """Student's interval of the plain differences reaches from -.26 to .45."""
    directions = {"B-A": "greater", "A-B": "less", "B": "less"}
    assert drift(tmp_path, directions, against=10.0) == ["supported", "supported", "supported"]


@pytest.mark.long
def test_arms_that_are_the_same_in_every_seed_are_equivalent(tmp_path: Path) -> None:
    directions = {"C-B": "equivalent", "B-C": "greater", "B---C": "less", "C---B": "not_less"}
    assert drift(tmp_path, directions) == ["supported", "refuted", "refuted", "supported"]


def test_a_criterion_against_a_number(tmp_path: Path) -> None:
    data = fake_data({"A": 0.0, "B": 0.2})
    (criterion,) = data["analysis"]["success_criteria"]
    analysis = {**data["analysis"], "success_criteria": [{**criterion, "against": 0.1}]}
    (decision,) = decisions(executed(fake_sweep(tmp_path, {"A": 0.0, "B": 0.2}, analysis=analysis)))
    assert decision.comparison == "B − 0.1"
    assert decision.verdict.difference.mean == pytest.approx(0.1, abs=0.005)
    assert decision.situations is not None
    assert decision.situations.mean == pytest.approx(decision.verdict.difference.mean)


@pytest.mark.long
def test_the_best_version_is_reported_by_other_games_than_those_it_was_chosen_by(tmp_path: Path) -> None:
    """The fake runs evaluate version 2 best, by 0.2; measured in new situations it gains 0.1 like every other."""
    data = fake_data({"A": 0.0, "B": 0.2})
    data["analysis"]["primary_metric"] = "best/base/gain"
    sweep = executed(fake_sweep(tmp_path, {"A": 0.0, "B": 0.2}, analysis=data["analysis"]))
    (item,) = sorted((sweep.by_id["A-s1"].folder / "measures").glob("v000002-*.json"))
    assert json.loads(item.read_text())["version"] == 2
    assert analyse(sweep).arms["A"]["best/base/gain"].mean.mean == pytest.approx(0.1, abs=0.01)
    log = sweep.by_id["A-s1"].folder / "attempts.jsonl"
    assert "--label sweep" in log.read_text()
