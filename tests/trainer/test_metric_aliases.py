"""Second names of metrics: each by its rule, documented, and written where they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from grandstand.trainer.config.files import load
from grandstand.trainer.metric_aliases import ALIASES, with_aliases
from grandstand.trainer.metrics import LINES, MetricsWriter, read_lines

PAGE = (Path(__file__).parents[2] / "docs/training.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "alias"),
    [
        ("kl/mean", "benchmark/kl"),
        ("result/top3", "placement/top3_rate"),
        ("league/share/exploitable", "pfsp/exploitable_rate"),
        ("league/rating/v0", "elo/base_model"),
        ("league/rating/v150", "elo/adapter_v150"),
        ("league/rating/policy", "elo/policy"),
        ("league/rating/dumbbot", "elo/dumb_bot"),
        ("league/rating/chaos", "elo/chaos_bot"),
        ("optimizer/learning_rate", "optimiser/learning_rate"),
        ("eval/vs_field/centers", "eval/vs_field/avg_centers"),
    ],
)
def test_a_metric_has_its_second_name_too(name: str, alias: str) -> None:
    assert with_aliases({name: 0.5}) == {name: 0.5, alias: 0.5}


@pytest.mark.parametrize("name", ["kl/max", "league/rating/v0/low", "league/rating/other@v000012", "eval/vs_base/gain"])
def test_other_metrics_have_none(name: str) -> None:
    assert with_aliases({name: 0.5}) == {name: 0.5}


def test_metrics_of_an_older_run_are_read_by_their_present_names(tmp_path: Path) -> None:
    (tmp_path / LINES).write_text(
        '{"step":1,"optimiser/learning_rate":0.1}\n{"step":2,"optimizer/learning_rate":0.2}\n'
    )
    assert [row["optimizer/learning_rate"] for row in read_lines(tmp_path)] == [0.1, 0.2]


def test_a_metric_is_never_replaced_by_an_alias() -> None:
    assert with_aliases({"kl/mean": 0.1, "benchmark/kl": 0.2}) == {"kl/mean": 0.1, "benchmark/kl": 0.2}


def test_every_second_name_is_documented() -> None:
    for name, alias in ALIASES:
        assert f"| `{name}` | `{alias}` |" in PAGE


@pytest.mark.parametrize("wanted", [True, False])
def test_they_are_written_where_they_are_asked_for(wanted: bool, tmp_path: Path) -> None:
    config = load("nano-diplomacy", [f"metrics.aliases={str(wanted).lower()}", "metrics.tensorboard=false"])
    with MetricsWriter(tmp_path, config) as metrics:
        metrics.log(1, {"result/centers": 3.5})
    (row,) = read_lines(tmp_path)
    assert row.get("game/avg_sc_count") == (3.5 if wanted else None)
