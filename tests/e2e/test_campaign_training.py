"""A league that trains from the command line, followed on its page: its report moves, and every decision that was
published leads to the step that it fed, and back."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from grandstand.models import Draft
from grandstand.trainer.metrics import StepMetrics
from tests.support.command import grandstand
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.page.reports import record
from tests.support.page.screen import SETTLED, Screen
from tests.support.requirements import installed
from tests.support.trainer import training_run
from tests.support.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.long]

TOKEN = "publish canary"
STEPS = 6
SETTINGS = (
    f"run.steps={STEPS}",
    "run.checkpoint_every=1",
    "run.eval_every=0",
    "clone.games=6",
    "clone.epochs=1",
    "rollout.groups=6",
    "rollout.samples=2",
    "rollout.horizon=0.5",
    "game.options.last_year=1902",
    "league.landmark_every=2",
    "metrics.tensorboard=false",
    "watch.share=1",
    "watch.per_minute=60",
    "watch.pace=0.2",
)
LONG = 300
"""Steps of a long run."""


@dataclass
class Training:
    """A run in a process of its own, and the server that shows it."""

    server: LiveServer
    process: subprocess.Popen[str]
    folder: Path

    def wait(self) -> None:
        output, _ = self.process.communicate(timeout=300)
        assert self.process.returncode == 0, output

    def published(self, **query: Any) -> list[dict[str, Any]]:
        return list(self.server.get("/api/episodes", limit=200, **query)["episodes"])

    def run(self) -> str:
        """Return the id of the run's own episode, as soon as the server has it."""
        assert until(lambda: bool(self.published(game="training")) or self.process.poll() is not None)
        return str(self.published(game="training")[0]["episode_id"])


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Training]:
    installed("torch")
    folder = tmp_path_factory.mktemp("league")
    with live_server(folder / "server", GRANDSTAND_PUBLISH_TOKEN=TOKEN) as server:
        settings = [part for setting in (*SETTINGS, f"watch.url={server.url}") for part in ("--set", setting)]
        command = ["train", "--config", "nano-diplomacy", "--out", str(folder / "run"), *settings]
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "grandstand", *command],
            env={**os.environ, "PYTHONPATH": str(ROOT), "GRANDSTAND_PUBLISH_TOKEN": TOKEN},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            yield Training(server, process, folder / "run")
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()


def part(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title, exact=True)


def results(page: Page) -> list[str]:
    """Return the results of all pairs as they are read aloud."""
    labels: list[str] = (
        part(page, "Who beats whom").locator("td button").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    )
    return labels


@pytest.mark.long
def test_it_is_followed_while_it_trains(screen: Screen, training: Training) -> None:
    page = screen.page
    page.goto(f"{training.server.url}/campaign/{training.run()}#league")
    expect(page.get_by_role("tab", name="League")).to_have_attribute("aria-selected", "true", timeout=2 * SETTLED)
    players = part(page, "Players")
    expect(players).to_contain_text(re.compile("Ratings of step [1-5] "), timeout=2 * SETTLED)
    expect(page.locator("header .badge")).to_have_text("Live")
    headline = page.get_by_role("heading", level=2)
    first, ratings, pairs = headline.inner_text(), players.inner_text(), results(page)
    assert re.fullmatch("Step [1-5]", first)
    training.wait()
    expect(headline).to_have_text(f"Step {STEPS}", timeout=SETTLED)
    expect(page.get_by_role("main", name="Report")).to_contain_text(f"{STEPS} of {STEPS} steps")
    expect(players).to_contain_text(f"Ratings of step {STEPS} ")
    expect(page.locator("header .badge")).to_have_text("Final")
    assert players.inner_text() != ratings
    assert results(page) != pairs
    expect(players.get_by_role("row", name=re.compile("^v2 landmark"))).to_be_visible()
    expect(players.get_by_role("row", name=re.compile("^Base where the run began"))).to_contain_text("the reference")


@pytest.mark.long
def test_a_decision_leads_to_its_step_and_the_step_to_its_decisions(screen: Screen, training: Training) -> None:
    training.wait()
    run = training.run()
    matches = [match for match in training.published(run=run) if match["training"]["stage"] == "training"]
    assert matches
    step = matches[0]["training"]["step"]
    page = screen.page
    page.goto(f"{training.server.url}/campaign/{run}?turn={step}#matches")
    headline = page.get_by_role("heading", level=2, name=f"Step {step}", exact=True)
    expect(headline).to_be_visible(timeout=SETTLED)
    page.get_by_role("button", name=f"Step {step} learned from").click()
    dialog = page.get_by_role("dialog")
    same = [match for match in matches if match["training"]["step"] == step]
    expect(dialog.locator("a.name")).to_have_count(len(same))
    expect(dialog).to_contain_text(f"grandstand replay nano-diplomacy-s{step:06d}-g000-f00 --data runs/nano-diplomacy")
    dialog.get_by_role("button", name="Decisions").first.click()
    decision = dialog.locator(".decisions a").first
    expect(decision).to_have_text(re.compile("^(Spring|Autumn|Fall|Winter) 190"))
    href = str(decision.get_attribute("href"))
    decision.click()
    expect(page).to_have_url(re.compile(re.escape(href)))
    expect(page.get_by_role("link", name=f"feeds step {step}")).to_be_visible(timeout=SETTLED)
    screen.tab("Training")
    now = page.locator("#panel tr.now")
    expect(now).to_have_count(1)
    now.get_by_role("link", name=f"step {step}").click()
    expect(headline).to_be_visible(timeout=SETTLED)
    assert f"/campaign/{run}" in page.url


@pytest.mark.long
def test_only_what_was_published_can_be_opened_and_the_record_has_the_rest(screen: Screen, training: Training) -> None:
    training.wait()
    run = training.run()
    page = screen.page
    page.goto(f"{training.server.url}/campaign/{run}#league")
    # The dialog keeps the steps of the report that it was opened on.
    expect(page.get_by_role("heading", level=2)).to_have_text(f"Step {STEPS}", timeout=SETTLED)
    part(page, "Players").get_by_role("button", name="random", exact=True).click()
    dialog = page.get_by_role("dialog", name=f"Matches of random up to step {STEPS}")
    met = [match for match in training.published(run=run) if any(seat["player"] == "random" for seat in match["seats"])]
    assert met
    expect(dialog.locator("a.name")).to_have_count(len(met), timeout=SETTLED)
    (match,) = re.findall(r"grandstand replay (\S+) --data", dialog.inner_text())
    replayed = grandstand("replay", match, "--data", str(training.folder))
    assert "follow from the recorded choices" in replayed.stdout


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with a made-up run of many steps."""
    folder = tmp_path_factory.mktemp("recorded")
    run: list[Draft | StepMetrics] = [*training_run.opening(count=LONG), *training_run.steps(LONG)]
    record(folder, [("training-long", list(training_run.with_report([*run, training_run.ending(LONG)])))])
    with live_server(folder) as server:
        yield server


def test_scrubbing_a_long_run_does_not_draw_the_page_anew(screen: Screen, recorded: LiveServer) -> None:
    screen.page.goto(f"{recorded.url}/campaign/training-long")
    expect(screen.count).to_contain_text("Complete 0–", timeout=SETTLED)
    assert 0 < screen.redrawn(range(3, screen.head(), 10)) < 1 / 4


def test_the_lobby_loads_no_board_to_show_a_run(screen: Screen, recorded: LiveServer) -> None:
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(request.url))
    screen.page.goto(recorded.url)
    expect(screen.page.get_by_role("link", name=re.compile("Training nano-diplomacy"))).to_contain_text(f"Step {LONG}")
    assert not [url for url in asked if re.search(r"/assets/(diplomacy|cricket)-", url)]
