"""A pytest plugin for the run of one mutant: files in the order they are given, within a bound of seconds.

What happened is written as JSON to the file that MUTANT_OUTCOME names; MUTANT_LIMIT is the bound.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

BEGIN = time.monotonic()


@dataclass
class Outcome:
    """The result of a run of pytest."""

    failed: str = ""
    """The test that failed, or the file that could not be collected."""
    collected: bool = True
    """Whether all files could be collected."""
    hung: bool = False
    """Whether the test failed by the limit of pytest-timeout."""
    over: bool = False
    """Whether the run ended at its bound before all tests had run."""
    tests: int = 0
    used: float = 0.0


class Session:
    """Orders the tests, watches the bound and notes the first failure."""

    def __init__(self, config: pytest.Config) -> None:
        self.outcome = Outcome()
        self._places = {config.rootpath / name.partition("::")[0]: place for place, name in enumerate(config.args)}
        self._limit = float(os.environ["MUTANT_LIMIT"])

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self._places.get(item.path, 0))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.outcome.failed:
            self.outcome.failed, self.outcome.collected = report.nodeid, False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.outcome.failed:
            self.outcome.failed = report.nodeid
            self.outcome.hung = "Timeout (>" in report.longreprtext

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> object:
        result = yield
        self.outcome.tests += 1
        if nextitem is not None and used() > self._limit and not self.outcome.failed:
            self.outcome.over = True
            item.session.shouldstop = "the bound of seconds"
        return result

    def pytest_sessionfinish(self) -> None:
        self.outcome.used = round(used(), 1)
        Path(os.environ["MUTANT_OUTCOME"]).write_text(json.dumps(asdict(self.outcome)), encoding="utf-8")


def used() -> float:
    """Return the CPU seconds of this process and of those it has waited for, or half of those by the clock, if more.

    Tests that wait for servers, whose processes are not counted, end at a bound as well.
    """
    return max(sum(os.times()[:4]), (time.monotonic() - BEGIN) / 2)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: not part of the quick tests")
    config.pluginmanager.register(Session(config), "mutant")
