"""Tournaments, evaluations and experiments as they really are: started in the cockpit or at the command line, and
followed on their pages to the end."""

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
from playwright.sync_api import Locator, Page, ViewportSize, expect

from grandstand.models import Draft
from tests.support.campaigns.published import last_report
from tests.support.campaigns.published import table as report_table
from tests.support.command import grandstand
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED, Screen
from tests.support.requirements import installed
from tests.support.trainer.fake_sweep import fake_data
from tests.support.trainer.fake_training import BREAKS_OFF
from tests.support.trainer.tiny_sweep import TINY, tiny_sweep, written

pytestmark = [pytest.mark.browser, pytest.mark.long]

TOKEN = "publish canary"
ENV: dict[str, Any] = {"GRANDSTAND_PUBLISH_TOKEN": TOKEN}
PHONE: ViewportSize = {"width": 390, "height": 844}


def part(page: Page, title: str) -> Locator:
    """Return the part of the report with a heading."""
    return page.get_by_role("region", name=title, exact=True)


def report(page: Page) -> Locator:
    return page.get_by_role("main", name="Report")


@pytest.mark.long
def test_a_tournament_is_started_in_the_cockpit_and_watched_to_its_end(screen: Screen, server: LiveServer) -> None:
    page = screen.page
    page.goto(f"{server.url}/cockpit")
    page.get_by_role("link", name="New tournament").click()
    form = page.get_by_role("form", name="Start a tournament")
    form.get_by_role("radio", name="Cricket captaincy").check()
    form.get_by_label("neutral", exact=True).uncheck()
    form.get_by_label("cricsheet", exact=True).uncheck()
    expect(form.get_by_role("status")).to_contain_text("players: a tournament has at least two players")
    expect(form.get_by_role("button", name="Start the tournament")).to_be_disabled()
    screen.errors.clear()
    form.get_by_label("random", exact=True).check()
    form.get_by_label("Matches", exact=True).fill("7")
    form.get_by_label("Title").fill("Cup of the test")
    form.locator("summary").click()
    form.get_by_label("Overs", exact=True).fill("2")
    expect(form.get_by_role("status")).to_have_text("8 matches: 4 openings of 2. No language model plays: it is free.")
    form.get_by_role("button", name="Start the tournament").dblclick()
    page.wait_for_url(re.compile("/campaign/tournament-"))
    tournament = page.url.rpartition("/")[2].partition("?")[0]
    expect(report(page)).to_contain_text(re.compile("[1-8] of 8 matches"), timeout=SETTLED)
    expect(report(page)).to_contain_text("8 of 8 matches", timeout=2 * SETTLED)
    expect(page.locator("header .badge")).to_have_text("Final")
    frames = server.get(f"/api/episodes/{tournament}/events")["frames"]
    events = [frame["event"] for frame in frames if frame["frame"] == "event"]
    last = last_report(Draft(event["type"], event["data"]) for event in events)
    expect(page.get_by_role("heading", level=2)).to_have_text(last.headline)
    order = part(page, "Standings").get_by_role("rowheader").get_by_role("button")
    expect(order).to_have_text([row.id for row in report_table(last, "standings").rows])
    page.get_by_role("button", name=re.compile("^heuristic against random: .*95 % interval")).click()
    dialog = page.get_by_role("dialog", name="heuristic against random")
    expect(dialog.get_by_role("link")).to_have_count(8)
    dialog.get_by_role("link", name="Match 3", exact=True).click()
    page.wait_for_url(re.compile("/episode/cricket-"))
    expect(page.get_by_role("heading", name="Match 3: ")).to_be_visible(timeout=SETTLED)
    results = [summary for summary in server.get("/api/episodes", limit=200)["episodes"] if "Cup" in summary["title"]]
    assert [summary["episode_id"] for summary in results] == [tournament]
    # A reload shows the end, and the replay begins with nothing played.
    page.goto(f"{server.url}/campaign/{tournament}")
    expect(screen.count).to_contain_text("Complete 0–", timeout=SETTLED)
    screen.look(next(event["seq"] for event in events if event["type"] == "ReportUpdated"))
    expect(report(page)).to_contain_text("0 of 8 matches")
    expect(report(page)).to_contain_text("The standings appear here after the first match")
    screen.press("End")
    expect(page.get_by_role("heading", level=2)).to_have_text(last.headline)
    # The lobby shows the tournament, and none of its matches.
    page.goto(server.url)
    expect(page.get_by_role("link", name=re.compile("Cup of the test"))).to_contain_text(last.headline)
    assert not page.locator("main a").evaluate_all(
        "(links) => links.filter((link) => /cricket-/.test(link.href)).length"
    )


def test_the_form_of_a_tournament_fits_a_phone(new_page: Open, server: LiveServer) -> None:
    page = new_page(PHONE)
    page.goto(f"{server.url}/cockpit?tournament")
    expect(page.get_by_role("form", name="Start a tournament").get_by_role("status")).to_contain_text("matches: ")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server without matches, to which sweeps are published."""
    with live_server(tmp_path_factory.mktemp("server"), **ENV) as running:
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


def opened(page: Page, name: str) -> Locator:
    """Choose an experiment in the list of all; return its runs, arm by arm."""
    page.get_by_role("link", name=re.compile(name)).click(timeout=2 * SETTLED)
    expect(page.get_by_role("main", name="Report")).to_contain_text(f"The hypothesis of {name}.")
    return part(page, "Runs").locator("td")


@pytest.mark.long
def test_the_grid_of_an_experiment_fills_and_a_verdict_appears(
    screen: Screen, published: LiveServer, tmp_path: Path
) -> None:
    page = screen.page
    page.goto(f"{published.url}/experiments")
    expect(page.get_by_role("heading", name="None yet")).to_be_visible()
    expect(page.get_by_label("Command")).to_contain_text(f"--run --watch {published.url}")
    (tmp_path / "hold").touch()
    verdicts = part(page, "Verdicts")
    with sweep(published, tmp_path, fake_data({"A": 0.0, "B": 0.2}, **named("Penalty"))):
        runs = opened(page, "Penalty")
        screen.tab("Runs")
        expect(runs.first).to_have_text(re.compile("training.*step 1 of 4"), timeout=SETTLED)
        expect(runs.last).to_have_text("planned")
        expect(verdicts).to_contain_text("Not decided yet")
        screen.tab("Results")
        expect(part(page, "B gains more")).to_contain_text("It waits for 6 runs: A-s1, B-s1, A-s2, B-s2 and 2 more.")
        (tmp_path / "hold").unlink()
        expect(verdicts).to_contain_text("Supported", timeout=SETTLED)
    expect(report(page)).to_contain_text("6 of 6 runs")
    expect(page.get_by_role("heading", level=2)).to_have_text("Supported")
    expect(part(page, "B gains more")).to_contain_text("0 is outside the interval.")
    screen.tab("Runs")
    expect(runs).to_have_text(["completed"] * 6)
    screen.look(3)  # an earlier moment has no result
    expect(verdicts).to_contain_text("Not decided yet")
    expect(page).to_have_url(re.compile(r"\?seq=3#runs$"))
    page.reload()
    expect(verdicts).to_contain_text("Not decided yet")
    page.goto(f"{published.url}/experiments")
    expect(page.locator("main li", has_text="Penalty")).to_contain_text("Supported")


@pytest.mark.long
def test_a_failed_run_is_shown_with_its_cause(screen: Screen, published: LiveServer, tmp_path: Path) -> None:
    with sweep(published, tmp_path, fake_data({"A": 0.0, "B": BREAKS_OFF}, **named("Broken"))) as process:
        process.wait(timeout=SETTLED / 1000)
    page = screen.page
    page.goto(f"{published.url}/experiments")
    opened(page, "Broken")
    expect(report(page)).to_contain_text("6 of 6 runs, 3 failed")
    expect(report(page)).to_contain_text("3 runs have no result; the same command tries again.")
    screen.tab("Runs")
    failures = part(page, "Failures").get_by_role("listitem")
    expect(failures).to_have_text([re.compile(f"B-s{seed}.*The training broke off at step") for seed in (1, 2, 3)])
    expect(failures.first).to_contain_text("the loss is not finite")


@pytest.mark.long
def test_a_run_of_an_experiment_leads_to_its_training_run_and_back(
    screen: Screen, published: LiveServer, tmp_path: Path
) -> None:
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
    with sweep(published, tmp_path, data) as process:
        page.goto(f"{published.url}/experiments")
        runs = opened(page, "Tiny")
        expect(part(page, "Verdicts")).to_contain_text(re.compile("Supported|Refuted|Undecided"), timeout=4 * SETTLED)
        output, _ = process.communicate(timeout=SETTLED / 1000)
        assert process.returncode == 0, output
    screen.tab("Runs")
    expect(runs.get_by_role("link", name="completed")).to_have_count(2)
    runs.first.get_by_role("link").click()
    title = page.get_by_role("heading", level=1)
    expect(title).to_contain_text("Training")
    expect(page.get_by_role("heading", level=2)).to_have_text("Step 1")
    title.get_by_role("link", name="Tiny").click()
    expect(part(page, "Verdicts")).to_be_visible()


@pytest.mark.long
def test_an_evaluation_is_followed_to_its_end_and_its_figures_scrub(screen: Screen, published: LiveServer) -> None:
    page = screen.page
    command = ("eval", "cricket", "--player", "random", "--pack", "five-over", "--limit", "5", "--jobs", "1")
    page.goto(f"{published.url}/campaigns?kind=evaluation")
    expect(page.get_by_label("Command")).to_contain_text(f"--watch {published.url}")
    grandstand(*command, "--watch", published.url, **ENV)
    page.get_by_role("link", name=re.compile("random and neutral on cricket.five-over")).click(timeout=2 * SETTLED)
    expect(page.get_by_text("20 of 20 matches")).to_be_visible(timeout=SETTLED)
    expect(page.get_by_role("heading", level=2)).to_have_text(re.compile("random|No difference"))
    score = part(page, "Measures").get_by_role("row", name=re.compile("^score")).first
    expect(score).to_contain_text("to")
    expect(part(page, "Decisions and cost")).to_contain_text("10 of 10")
    expect(part(page, "All matches").locator("tbody tr")).to_have_count(10)
    last = score.inner_text()
    screen.look(3)
    expect(page.get_by_text("1 of 20 matches")).to_be_visible()
    expect(page.get_by_role("heading", level=2)).not_to_have_text(re.compile("scores"))
    assert score.inner_text() != last
    assert screen.errors == []


def test_a_server_that_is_away_is_named(new_page: Open, server: LiveServer) -> None:
    page = new_page()
    page.goto(f"{server.url}/leaderboard")
    page.route("**/api/episodes?*", lambda route: route.abort())
    page.get_by_role("navigation", name="Pages").get_by_text("More").click()
    page.get_by_role("link", name="Campaigns").click()
    expect(page.get_by_role("heading", name="The server is not responding")).to_be_visible()
    page.unroute("**/api/episodes?*")
    expect(page.locator("main li").or_(page.get_by_role("heading", name="None yet")).first).to_be_visible()
