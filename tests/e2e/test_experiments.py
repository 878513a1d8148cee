"""Experiments in the browser: a sweep fills its grid until a verdict appears, a failed run has its cause, and a run
leads to its training run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED, Screen
from tests.support.requirements import installed
from tests.support.trainer import experiment_record
from tests.support.trainer.fake_sweep import fake_data
from tests.support.trainer.fake_training import BREAKS_OFF
from tests.support.trainer.tiny_sweep import TINY, tiny_sweep, written

pytestmark = [pytest.mark.browser, pytest.mark.long]

TOKEN = "publish canary"
ENV: dict[str, Any] = {"GRANDSTAND_PUBLISH_TOKEN": TOKEN}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server without matches, to which sweeps are published."""
    with live_server(tmp_path_factory.mktemp("server"), **ENV) as running:
        yield running


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with made-up experiments."""
    folder = tmp_path_factory.mktemp("recorded")
    experiment_record.record(folder)
    with live_server(folder) as running:
        yield running


@contextmanager
def sweep(server: LiveServer, folder: Path, data: dict[str, Any]) -> Iterator[subprocess.Popen[str]]:
    """Run a sweep in a process of its own that publishes to the server."""
    path = written(folder, data)
    options = ["--run", "--no-pilot", "--jobs", "2", "--out", str(folder / "results"), "--watch", server.url]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "grandstand", "sweep", str(path), *options],
        env={**os.environ, **ENV, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def named(name: str) -> dict[str, Any]:
    return {"metadata": {"name": name, "title": name, "hypothesis": f"The hypothesis of {name}."}}


def part(page: Page, title: str) -> Locator:
    """Return the part of the page with a heading."""
    return page.locator("main section", has=page.get_by_role("heading", name=title, exact=True))


def grid(page: Page) -> Locator:
    return part(page, "Runs").locator("td.run .unseen")


def states(page: Page) -> list[str]:
    """Return what a screen reader says of every run."""
    return grid(page).all_inner_texts()


def test_the_grid_fills_and_a_verdict_appears(screen: Screen, server: LiveServer, tmp_path: Path) -> None:
    page = screen.page
    page.goto(f"{server.url}/experiments")
    expect(page.get_by_role("heading", name="No experiment yet")).to_be_visible()
    expect(page.get_by_label("Command")).to_contain_text(f"--run --watch {server.url}")
    (tmp_path / "hold").touch()
    with sweep(server, tmp_path, fake_data({"A": 0.0, "B": 0.2}, **named("Penalty"))):
        link = page.get_by_role("link", name="The hypothesis of Penalty.")
        expect(link).to_be_visible(timeout=SETTLED)
        expect(page.get_by_text("Not decided yet")).to_be_visible()
        link.click()
        expect(page.get_by_text("The hypothesis of Penalty.")).to_be_visible()
        expect(grid(page).first).to_have_text("A-s1: training, step 1 of 4", timeout=SETTLED)
        assert states(page)[-1] == "B-s3: planned"
        criterion = part(page, "Criterion")
        expect(criterion).to_contain_text("Not decided yet")
        expect(criterion).to_contain_text("It waits for 6 runs: A-s1, B-s1, A-s2, B-s2 and 2 more.")
        (tmp_path / "hold").unlink()
        expect(criterion).to_contain_text("Supported", timeout=SETTLED)
    expect(screen.caption).to_have_text("6 of 6 runs completed", timeout=SETTLED)
    assert states(page) == [f"{arm}-s{seed}: completed" for arm in "AB" for seed in (1, 2, 3)]
    expect(criterion).to_contain_text("95 % interval")
    expect(criterion).to_contain_text("0 is outside the interval.")
    arms = part(page, "Arms")
    expect(arms.get_by_role("row", name=re.compile("^B penalty 0.2"))).to_contain_text("3 of 3")
    expect(part(page, "Changes from the baseline")).to_contain_text("kl.beta 0.0 → 0.2")
    screen.tab("Method")
    expect(page.get_by_label("Command")).to_contain_text("tiny.yaml --run")

    screen.look(3)  # an earlier moment has no result
    expect(criterion).to_contain_text("Not decided yet")
    expect(page).to_have_url(re.compile(r"\?seq=3$"))
    page.reload()
    expect(criterion).to_contain_text("Not decided yet")
    page.goto(f"{server.url}/experiments")
    expect(page.get_by_label("Verdicts").first).to_contain_text("Supported")
    assert screen.errors == []


def test_a_failed_run_is_shown_with_its_cause(screen: Screen, server: LiveServer, tmp_path: Path) -> None:
    with sweep(server, tmp_path, fake_data({"A": 0.0, "B": BREAKS_OFF}, **named("Broken"))) as process:
        process.wait(timeout=SETTLED / 1000)
    page = screen.page
    page.goto(f"{server.url}/experiments")
    page.get_by_role("link", name="The hypothesis of Broken.").click()
    expect(page.get_by_role("status").filter(has_text="Runs failed.")).to_contain_text("3 runs failed")
    failures = part(page, "Failures").get_by_role("listitem")
    expect(failures).to_have_count(3)
    expect(failures.first).to_contain_text("B-s1")
    expect(failures.first).to_contain_text("The training broke off")
    expect(failures.first).to_contain_text("the loss is not finite")
    expect(part(page, "Criterion")).to_contain_text("It waits for 3 runs: B-s1, B-s2, B-s3.")
    page.get_by_role("button", name="B-s2: failed").click()
    expect(page.locator("#failed-B-s2")).to_be_focused()
    expect(page.locator("#failed-B-s2")).to_be_in_viewport()
    assert screen.errors == []


def test_a_run_leads_to_its_training_run(screen: Screen, server: LiveServer, tmp_path: Path) -> None:
    installed("torch")
    run = {**TINY["defaults"]["run"], "steps": 1, "eval_every": 0}
    decided = {**TINY["analysis"]["success_criteria"][0], "arm": "A", "against": 1.0}
    data = tiny_sweep(
        defaults={**TINY["defaults"], "run": run, "clone": {"bots": []}},
        runs={"A": TINY["runs"]["A"]},
        measure={"games": 20, "against": ["random"], "versions": ["last"]},
        analysis={"primary_metric": "last/random/score", "success_criteria": [decided]},
        **named("Tiny"),
    )
    page = screen.page
    with sweep(server, tmp_path, data) as process:
        page.goto(f"{server.url}/experiments")
        page.get_by_role("link", name="The hypothesis of Tiny.").click(timeout=2 * SETTLED)
        cell = part(page, "Runs").get_by_role("link", name=re.compile("^A-s1"))
        expect(cell).to_be_visible(timeout=2 * SETTLED)
        criterion = part(page, "Criterion")
        expect(criterion.locator(".verdict")).to_have_text(
            re.compile("Supported|Refuted|Undecided"), timeout=4 * SETTLED
        )
        output, _ = process.communicate(timeout=SETTLED / 1000)
        assert process.returncode == 0, output
    cell.click()
    heading = page.get_by_role("heading", name=re.compile("^Training of A"))
    expect(heading).to_contain_text("seed 1 in Tiny")
    expect(screen.caption).to_have_text("Step 1")
    heading.get_by_role("link", name="Tiny").click()
    expect(part(page, "Runs")).to_be_visible()
    page.go_back()
    page.go_back()
    expect(page.get_by_role("link", name="Training run")).to_have_count(2)
    assert screen.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_wider_than_the_page(new_page: Open, recorded: LiveServer, scheme: str) -> None:
    screen = Screen(new_page({"width": 390, "height": 844}, color_scheme=scheme))
    page = screen.page
    for path, words in {
        "/episode/experiment-over": "Supported",
        "/episode/experiment-live": "Not decided yet",
        "/episode/experiment-failed": "The training broke off",
        "/episode/experiment-new": "No run is completed yet.",
        "/experiments": "10 of 12 runs completed",
        "/": "Leaderboard",
    }.items():
        page.goto(recorded.url + path)
        expect(page.get_by_text(words).filter(visible=True).first).to_be_visible()
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 390, path
    links = page.get_by_role("navigation", name="Pages").get_by_role("link")
    expect(links).to_have_text(["Leaderboard", "Experiments", "Cockpit"])
    for link in links.all():
        box = link.bounding_box()
        assert box
        assert box["height"] >= 44
    links.nth(1).click()
    expect(page.get_by_role("heading", name="Experiments", level=1)).to_be_visible()
    assert screen.errors == []


def test_by_keyboard_from_the_list_to_a_run(screen: Screen, recorded: LiveServer) -> None:
    page = screen.page
    page.goto(f"{recorded.url}/experiments")
    entry = page.get_by_role("link", name="A penalty at once").first
    expect(entry).to_be_visible()
    entry.focus()
    page.keyboard.press("Enter")
    runs = part(page, "Runs")
    expect(runs).to_be_visible()
    metric = page.get_by_role("combobox", name="Metric")
    metric.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("table", name="kl/max:max of each arm")).to_be_visible()


def test_a_server_that_is_away_is_named(new_page: Open, tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        page = new_page()
        page.goto(f"{server.url}/leaderboard")
        expect(page.get_by_role("link", name="Experiments")).to_be_visible()
        page.route("**/api/episodes?*", lambda route: route.abort())
        page.get_by_role("link", name="Experiments").click()
        expect(page.get_by_role("heading", name="The server is not responding")).to_be_visible()
        page.unroute("**/api/episodes?*")
        expect(page.get_by_role("heading", name="No experiment yet")).to_be_visible()
