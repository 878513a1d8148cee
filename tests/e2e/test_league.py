"""A league that trains from the command line, watched in the browser: its matches, ratings and results move, and every
decision that was published leads to the step that it fed, and back."""

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

from tests.support.command import grandstand
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED, Screen
from tests.support.requirements import installed
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


def address(training: Training, run: str, rest: str = "") -> str:
    return f"{training.server.url}/episode/{run}{rest}"


def payoffs(page: Page) -> list[str]:
    """Return the results of all pairs in words."""
    cells = page.get_by_role("region", name="Who beats whom").get_by_role("button")
    return [words(cell) for cell in cells.all()]


def words(cell: Locator) -> str:
    """Return what a screen reader says of a result."""
    return cell.locator(".unseen").inner_text()


def test_the_league_moves_while_it_trains(screen: Screen, training: Training) -> None:
    run = training.run()
    screen.page.goto(address(training, run, "#league"))
    caption = screen.page.locator("main caption", has_text=re.compile("^The ratings of step"))
    expect(caption).to_have_text(re.compile(r"^The ratings of step [1-5] "), timeout=2 * SETTLED)
    first = caption.inner_text()
    ratings, results = screen.page.locator("td.elo").all_inner_texts(), payoffs(screen.page)
    assert results
    expect(caption).not_to_have_text(first, timeout=2 * SETTLED)
    screen.page.wait_for_function(
        "(before) => [...document.querySelectorAll('td.elo')].map((cell) => cell.innerText).join() !== before",
        arg=",".join(ratings),
    )
    assert payoffs(screen.page) != results
    training.wait()
    expect(caption).to_have_text(re.compile(f"^The ratings of step {STEPS} "), timeout=SETTLED)
    rated = screen.page.locator("main tbody", has=screen.page.locator("td.elo"))
    expect(rated.get_by_role("row", name=re.compile("^v2 landmark"))).to_be_visible()
    expect(rated.get_by_role("row", name=re.compile("^Base where the run began"))).to_contain_text("the reference")


def test_few_games_make_no_claim(screen: Screen, training: Training) -> None:
    training.wait()
    screen.page.goto(address(training, training.run(), "#league"))
    expect(screen.page.get_by_role("heading", name="Who beats whom")).to_be_visible(timeout=SETTLED)
    few = screen.page.locator("td.few")
    assert few.count() > 0
    for cell in few.all():
        assert re.fullmatch(r"\d situations?", cell.locator(".small").inner_text())
        assert "too few situations to say" in words(cell)
    coloured = screen.page.locator("td:is(.above, .below) button")
    for name in map(words, coloured.all()):
        low, high = map(int, re.findall(r"interval (\d+) to (\d+) %", name)[0])
        assert low >= 50 or high <= 50, name


def test_a_decision_leads_to_its_step_and_the_step_to_its_decisions(screen: Screen, training: Training) -> None:
    training.wait()
    run = training.run()
    matches = [match for match in training.published(run=run) if match["training"]["stage"] == "training"]
    assert matches
    step = matches[0]["training"]["step"]
    page = screen.page
    page.goto(address(training, run, f"?turn={step}"))
    expect(screen.caption).to_have_text(f"Step {step}", timeout=SETTLED)
    screen.tab("Matches")
    panel = page.locator("#panel")
    same = [match for match in matches if match["training"]["step"] == step]
    expect(panel.locator("section").first.get_by_role("listitem").locator("a.name")).to_have_count(len(same))
    expect(panel).to_contain_text(f"grandstand replay nano-diplomacy-s{step:06d}-g000-f00 --data runs/nano-diplomacy")
    panel.get_by_role("button", name="Decisions").first.click()
    decision = panel.locator(".decisions a").first
    expect(decision).to_have_text(re.compile("^(Spring|Autumn|Fall|Winter) 190"))
    href = str(decision.get_attribute("href"))
    decision.click()
    expect(page).to_have_url(re.compile(re.escape(href)))
    expect(page.get_by_role("link", name=f"feeds step {step}")).to_be_visible(timeout=SETTLED)
    screen.tab("Training")
    expect(panel.locator("tr.now")).to_have_count(1)
    expect(panel.locator("tr.now")).to_contain_text(f"step {step}")
    panel.locator("tr.now").get_by_role("link").click()
    expect(screen.caption).to_have_text(f"Step {step}", timeout=SETTLED)
    assert f"/episode/{run}" in page.url


def test_only_what_was_published_can_be_opened_and_the_record_has_the_rest(screen: Screen, training: Training) -> None:
    training.wait()
    run = training.run()
    page = screen.page
    page.goto(address(training, run, "#league"))
    page.get_by_role("button", name="random", exact=True).first.click()
    dialog = page.get_by_role("dialog", name="Matches of random")
    listed = dialog.get_by_role("listitem").locator("a.name")
    met = [match for match in training.published(run=run) if any(seat["player"] == "random" for seat in match["seats"])]
    assert met
    expect(listed).to_have_count(len(met), timeout=SETTLED)
    command = dialog.get_by_label("Command").inner_text().split()
    replayed = grandstand(*command[1:3], "--data", str(training.folder))
    assert "follow from the recorded choices" in replayed.stdout


def test_the_league_on_a_phone(new_page: Open, training: Training) -> None:
    training.wait()
    screen = Screen(new_page({"width": 390, "height": 844}))
    screen.page.goto(address(training, training.run(), "#league"))
    table = screen.page.get_by_role("region", name="Who beats whom").last
    expect(table).to_be_visible(timeout=SETTLED)
    assert screen.page.evaluate("document.scrollingElement.scrollWidth") <= 390
    cell = table.locator("tbody td button").first
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    cell.click()
    dialog = screen.page.get_by_role("dialog")
    expect(dialog).to_contain_text("won")
    assert dialog.evaluate("(dialog) => dialog.scrollWidth <= dialog.clientWidth")
    assert screen.errors == []
