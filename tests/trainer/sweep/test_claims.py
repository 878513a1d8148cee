"""The page of claims: what it says of experiments that are decided, not complete, or not run."""

from __future__ import annotations

from pathlib import Path

import pytest

from grandstand.trainer.sweep.claims import claims_page
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.expansion import Sweep, load_sweep
from tests.support.trainer.fake_sweep import fake_data
from tests.support.trainer.tiny_sweep import written


def named(folder: Path, name: str, betas: dict[str, float]) -> Sweep:
    metadata = {"name": name, "hypothesis": f"The hypothesis of {name}."}
    return load_sweep(written(folder, fake_data(betas, metadata=metadata), f"{name}.yaml"), folder / name)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """`whole` has a clear difference and none; `half` has two of its three seeds; `planned` has not begun."""
    folder = tmp_path_factory.mktemp("claims")
    whole = named(folder, "whole", {"A": 0.0, "B": 0.3, "C": 0.001})
    half = named(folder, "half", {"A": 0.0, "B": 0.4})
    Execution(whole, 3).execute(whole.runs)
    Execution(half, 3).execute(half.until_look(2))
    return claims_page([whole, half, named(folder, "planned", {"A": 0.9, "B": 0.8})])


def row(page: str, of: str, claim: str) -> list[str]:
    """Return the cells of a claim in an experiment's table."""
    section = page.split(f"## {of}\n")[1].split("\n## ")[0]
    line = next(line for line in section.splitlines() if line.startswith(f"| {claim} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_page_begins_with_the_size_of_a_run(page: str) -> None:
    assert page.split("\n\n")[1] == (
        "A run trains `nano`, the built-in policy of 0.18 million parameters, for 4 steps of 6 forks; each arm has 3 "
        "seeds. [docs/experiments.md](../experiments.md) says what runs of this size can show, and what not."
    )


def test_a_claim_that_is_decided(page: str) -> None:
    _, compared, verdict, difference, least, seeds, power, decides = row(page, "whole", "B gains more")
    assert (compared, verdict, least, seeds) == ("B − A in `last/base/gain`, greater", "**supported**", "0.01", "3")
    assert difference.startswith("0.1")
    assert difference.endswith(" at 0.95")
    assert power.endswith("%")
    assert decides == "decided: 0 is outside the interval"
    assert "| B | penalty 0.3 | 0.24" in page or "| B | penalty 0.3 | 0.25" in page


def test_a_claim_without_all_its_seeds_is_undecided(page: str) -> None:
    _, _, verdict, _, _, seeds, _, decides = row(page, "half", "B gains more")
    assert (verdict, seeds, decides) == ("**undecided**", "2 of 3", "the runs of 1 more seed")


def test_a_claim_that_is_not_run_has_no_number(page: str) -> None:
    assert row(page, "planned", "B gains more")[2:] == ["not run", "–", "0.01", "0", "–", "the runs"]
    assert "The hypothesis of planned. (planned, 0 of 6 runs)" in page
    assert "penalty 0.9" not in page


def test_a_shared_run_is_counted_once(page: str) -> None:
    """The arms A of `whole` and `half` are the same, with all three seeds: 9 runs and 3 + 2, less 3."""
    assert "3 experiments (1 completed, 1 running, 1 planned) with 4 claims:" in page
    assert "11 completed runs of 44 steps from 3 cloned bases stand for 14 runs of the experiments" in page
    assert "They learned from 2,200 decisions" in page
    assert "| 11 | 2 CPUs (a processor), a platform; Python 3.11, torch 2, commit abc |" in page
    assert "for file in whole.yaml half.yaml planned.yaml; do grandstand sweep experiments/$file --run; done" in page
