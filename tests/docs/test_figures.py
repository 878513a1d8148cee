"""Figures that the docs state and that follow from other files here."""

from __future__ import annotations

import re
from statistics import mean

from tests.support.live_server import ROOT

ARMS = re.compile(r"^\| arm \| name \| `last/base/gain`.*\n\|[- |]+\n((?:\|.*\n)+)", re.MULTILINE)
GAIN = re.compile(r"\| ([-\d.e]+) \(([-\d.e]+) to ([-\d.e]+)\) \|$", re.MULTILINE)


def test_the_gain_of_the_experiments_is_that_of_their_arms() -> None:
    page = (ROOT / "docs/results/experiments.md").read_text()
    arms = {tuple(map(float, row)) for table in ARMS.findall(page) for row in GAIN.findall(table)}
    gain = f"{mean(value for value, *_ in arms):.4f}".removeprefix("0")
    sure = sum(low > 0 or high < 0 for _, low, high in arms)
    text = (ROOT / "docs/experiments.md").read_text()
    assert f"gains {gain} in the share of squares over its base: the mean of the {len(arms)} distinct arms" in text
    assert f"The intervals of {sure} of them exclude 0" in text


def test_one_size_of_the_vllm_environment_is_stated() -> None:
    sizes = {
        size
        for name in ("docs/vllm.md", "Makefile", "scripts/setup/vllm")
        for size in re.findall(
            r"[\d.]+ GB", " ".join(re.findall(r".*vllm.*\n?.*GB.*", (ROOT / name).read_text(), re.I))
        )
    }
    assert len(sizes) == 1


def test_no_size_of_the_pages_first_load_is_stated_that_no_test_checks() -> None:
    """`tests/e2e/test_budget.py` measures the first visit and checks the bound."""
    bound = re.search(r"^BYTES = (\d+)_000", (ROOT / "tests/e2e/test_budget.py").read_text(), re.M)
    assert bound
    for name in ("CHANGELOG.md", "frontend/README.md"):
        text = " ".join((ROOT / name).read_text().split())
        stated = re.findall(
            r"([\d.]+) kB(?: gzipped)?", " ".join(re.findall(r"[^.;]*(?:first load|first visit)[^;)]*", text))
        )
        assert set(stated) <= {bound[1]}, name
