"""Settings of every test run."""

from __future__ import annotations

import gc
import os
from collections import defaultdict
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.support.requirements import missing_requirement
from tests.support.server.postgres import Postgres, postgres_server

# Before torch is imported, here or in a process that a test starts. Test processes are as many as the cores already;
# threads that wait for each other in the tiny models of tests would only take time from them.
os.environ.setdefault("OMP_NUM_THREADS", "1")

USUAL, WITH_BROWSER, LONG = 0.1, 3.0, 20.0
"""Seconds that a test takes by itself, more or less: most tests, those with a browser, and `long` ones."""

settings.register_profile("grandstand", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("grandstand")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--all`, without which tests of what is not installed are skipped."""
    parser.addoption(
        "--all", action="store_true", help="fail, rather than skip, a test that needs more than is installed"
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect without looking for garbage, and leave what collecting has made out of every later look for it.

    The modules of all tests are a million objects, which live as long as the process.
    """
    gc.disable()
    result = yield
    gc.freeze()
    gc.set_threshold(50_000, 50, 20)  # as often as Python looks by itself, it takes a seventh of the time of all tests
    gc.enable()
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that drive a browser and the cases that are long, and order the files.

    Files with slow tests are first: several processes end at about the same time only if none of them begins a long
    file last. Those of the browser, which wait much of the time, are spread evenly among the others, which compute.
    """
    _mark_long(items)
    seconds: dict[bool, dict[Path, float]] = {True: defaultdict(float), False: defaultdict(float)}
    for item in items:
        browser = "browser" in getattr(item, "fixturenames", ())
        if browser:
            item.add_marker(pytest.mark.browser)
        usual = WITH_BROWSER if browser else USUAL
        long = item.get_closest_marker("long") and not item.get_closest_marker("few")
        seconds[browser][item.path] += LONG if long else usual
    places: dict[Path, float] = {}
    for files in seconds.values():
        before, whole = 0.0, sum(files.values())
        for path in sorted(files, key=lambda path: -files[path]):
            places[path] = before / whole
            before += files[path]
    items.sort(key=lambda item: places[item.path])


def _mark_long(items: Sequence[pytest.Item]) -> None:
    """Mark the cases of every test marked as `few(n)` as long, except `n` of them, evenly spaced."""
    cases: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if few := item.get_closest_marker("few"):
            cases[item.nodeid.partition("[")[0], few.args[0]].append(item)
    for (_, number), each in cases.items():
        quick = {place * len(each) // number for place in range(number)}
        for place, item in enumerate(each):
            if place not in quick:
                item.add_marker(pytest.mark.long)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module that cannot be imported because an extra is not installed."""
    report = yield
    call: pytest.CallInfo[Any] | None = getattr(report, "call", None)
    _skip_if_missing(collector, report, call.excinfo if call else None)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test that fails because something that it needs is not installed."""
    report = yield
    _skip_if_missing(item, report, call.excinfo)
    return report


def _skip_if_missing(
    node: pytest.Item | pytest.Collector,
    report: pytest.CollectReport | pytest.TestReport,
    failure: pytest.ExceptionInfo[BaseException] | None,
) -> None:
    if not report.failed or failure is None or node.config.getoption("--all"):
        return
    reason = missing_requirement(failure.value)
    if reason is not None:
        report.outcome = "skipped"
        report.longrepr = (str(node.path), 0, f"Skipped: {reason}")


@pytest.fixture(scope="session")
def postgres() -> Generator[Postgres]:
    """Run PostgreSQL for the tests of this process."""
    with postgres_server() as server:
        yield server
