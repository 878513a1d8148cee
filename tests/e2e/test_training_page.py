"""A training run on the page: published like a match, shown as curves, scrubbed step by step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from grandstand.campaign_events import TrainStepped
from grandstand.campaigns.run_publisher import Watch
from grandstand.models import Draft, EpisodeCreated, EpisodeStarted, Event, SeatInfo
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED, Screen
from tests.support.trainer import training_run
from tests.support.trainer.training_run import EVERY, STEPS

pytestmark = pytest.mark.browser

TOKEN = "publish canary"
MINUS = "−"
FRAMES = 2
"""Most frames that moving to a step may take: `look` waits for so many to be painted."""


class Trainer:
    """A trainer whose bus a server shows."""

    def __init__(self, server: LiveServer, watch: Watch) -> None:
        self.server = server
        self.recorder = Recorder(":memory:")
        self.bus = Bus(self.recorder)
        self.bus.add(watch)

    def publish(self, name: str, *drafts: Draft) -> str:
        """Begin an episode of this name; answers the address of its page once the server has all of it."""
        self.bus.open(name, 0)
        self.bus.publish(name, drafts)
        return self.address(name)

    def address(self, name: str) -> str:
        events = list(self.recorder.events(name))
        episodes = self.server.get("/api/episodes", limit=200)["episodes"]
        results = [episode["episode_id"] for episode in episodes if episode["title"] == events[0].data["title"]]
        if not results:
            return self.address(name)
        self.server.wait_for(results[0], seq=events[-1].seq)
        return f"{self.server.url}/episode/{results[0]}"


@pytest.fixture(scope="module")
def trainer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trainer]:
    folder = tmp_path_factory.mktemp("training")
    environment: dict[str, Any] = {"GRANDSTAND_PUBLISH_TOKEN": TOKEN}
    with (
        live_server(folder / "server", **environment) as server,
        Watch(server.url, TOKEN, 1.0, 100, 0.0, Path(folder / "watch.db"), 1) as watch,
    ):
        yield Trainer(server, watch)


@pytest.fixture(scope="module")
def run(trainer: Trainer) -> str:
    """The page of a run of STEPS steps, which goes on."""
    return trainer.publish("run", *training_run.opening(), *training_run.steps())


def metrics_of(step: int) -> dict[str, float]:
    """The metrics of a step of `run`."""
    metrics: dict[str, float] = list(training_run.steps())[step - 1].data["metrics"]
    return metrics


def short(value: float) -> str:
    """As the page writes a number of ordinary size."""
    return f"{float(f'{value:.3g}'):g}"


def expect_headline(screen: Screen, step: int) -> None:
    """The four figures as of `step`."""
    measured = metrics_of(step - step % EVERY)
    figures = screen.page.locator("main .figure")
    expect(figures.nth(0)).to_have_text(re.compile(rf"^\+{measured['eval/vs_base/gain']:.3f} ± 0.021$"))
    expect(figures.nth(1)).to_contain_text(short(metrics_of(step)["benchmark/reward_mean"]))
    expect(figures.nth(2)).to_have_text(short(metrics_of(step)["kl/max"]))
    expect(figures.nth(3)).to_contain_text(re.compile(rf"^\s*{step}\s*of {STEPS}"))


def test_the_headline_says_how_the_run_stands_now_and_at_any_step(screen: Screen, run: str) -> None:
    screen.open(run)
    expect(screen.count).to_contain_text(f"All of 0–{STEPS + 1}")
    expect_headline(screen, STEPS)
    expect(screen.caption).to_have_text(f"Step {STEPS}")
    expect(screen.page.get_by_role("list", name="Standings")).to_contain_text("nano-diplomacy")
    screen.look(13)
    expect_headline(screen, 12)
    assert "Step 12, event 13 of" in (screen.slider.get_attribute("aria-valuetext") or "")
    screen.press("ArrowLeft")
    expect_headline(screen, 11)
    screen.press("PageDown", "PageDown")
    expect_headline(screen, 13)
    screen.look(1)
    expect(screen.page.get_by_role("heading", name="The first step is in progress")).to_be_visible()
    expect(screen.caption).to_have_text("Before the first step")


def test_it_follows_the_run(screen: Screen, trainer: Trainer) -> None:
    page = trainer.publish("short", *training_run.opening("A run that goes on"), *training_run.steps(3))
    screen.open(page)
    expect(screen.caption).to_have_text("Step 3")
    frame = screen.frame()
    trainer.bus.publish("short", list(training_run.steps(5))[3:])
    expect(screen.caption).to_have_text("Step 5", timeout=SETTLED)
    expect(screen.page.locator("[aria-live=polite]")).to_contain_text("Step 5: reward", timeout=SETTLED)
    assert screen.frame() == frame
    trainer.bus.publish("short", [training_run.ending()])
    expect(screen.page.get_by_text("Final")).to_be_visible(timeout=SETTLED)


def test_every_number_can_be_read_as_text(screen: Screen, run: str) -> None:
    screen.open(f"{run}?seq=21")
    expect(screen.count).to_contain_text("All of")
    screen.tab("Numbers")
    rows = screen.page.locator("#panel tbody tr:has(td)")
    expect(rows).to_have_count(len(metrics_of(20)))
    row = screen.page.locator("#panel tr", has=screen.page.get_by_role("rowheader", name="entropy_mean"))
    expect(row.locator("td").first).to_have_text(short(metrics_of(20)["policy/entropy_mean"]))
    charts = screen.page.locator("main svg")
    assert charts.count() == 11
    for chart in charts.all():
        assert re.search(r"\. .+ went from .+ to .+", chart.get_attribute("aria-label") or ""), chart.inner_html()
    for tab in ("Game", "Time", "Setup", "Log"):
        screen.tab(tab)
        expect(screen.page.locator("#panel")).not_to_be_empty()
    expect(screen.page.locator("#panel")).to_contain_text("Step 20: reward")


def test_a_step_pointed_at_is_told_in_every_chart_and_a_click_goes_there(screen: Screen, run: str) -> None:
    screen.open(run)
    expect(screen.count).to_contain_text("All of")
    chart = screen.page.get_by_role("img", name=re.compile("^Entropy"))
    box = chart.bounding_box()
    assert box
    chart.hover(position={"x": 42 + (box["width"] - 52) * 9 / 29, "y": 40})
    for title, metric in (("Entropy", "policy/entropy_mean"), ("KL", "kl/mean")):
        figure = screen.page.locator("main figure", has=screen.page.get_by_role("img", name=re.compile(f"^{title}\\.")))
        expect(figure.locator("b").first).to_have_text(short(metrics_of(10)[metric]))
    screen.page.mouse.down()
    screen.page.mouse.up()
    expect_headline(screen, 10)


def test_what_is_wrong_is_said_in_plain_words(screen: Screen, trainer: Trainer) -> None:
    steps = [dict(step.data["metrics"]) for step in training_run.steps(4)]
    steps[2] |= {"kl/max": 14.2, "eval/vs_base/gain": -0.05, "eval/vs_base/mean": 0.1, "eval/vs_base/ci95": 0.02}
    drafts = [
        Draft.of(TrainStepped(step=number, version=number, metrics=metrics)) for number, metrics in enumerate(steps, 1)
    ]
    screen.open(trainer.publish("wild", *training_run.opening("A wild run"), *drafts) + "?seq=4")
    health = screen.page.get_by_role("region", name="Health of the run")
    expect(health).to_contain_text("The policy moves away from its reference: the largest KL of a token is 14.2.")
    expect(health).to_contain_text("Raise kl.beta")
    expect(screen.page.locator(".caption .line")).to_contain_text("The policy moves away from its reference")
    expect(screen.page.locator("main .figure").first).to_have_text(f"{MINUS}0.050 ± 0.020")
    expect(screen.page.locator("main")).to_contain_text("worse, beyond chance")
    screen.look(5)
    expect(health).not_to_contain_text("The policy moves away")
    expect(screen.page.locator(".caption .line")).to_contain_text("All is well")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1024, 1600])
def test_nothing_overflows_and_nothing_moves(new_page: Open, run: str, width: int, theme: str) -> None:
    size: ViewportSize = {"width": width, "height": 844}
    screen = Screen(new_page(size, color_scheme=theme))
    screen.open(run)
    expect(screen.count).to_contain_text("All of")
    assert screen.page.evaluate("document.scrollingElement.scrollWidth") <= width
    last = screen.page.get_by_role("img", name=re.compile("^Skipped decisions"))
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    assert screen.shifted() < 0.05
    assert screen.errors == []


def test_scrubbing_a_long_run_keeps_up(screen: Screen, trainer: Trainer) -> None:
    """In processor time of the page's thread, as for a match."""
    screen.open(trainer.publish("long", *training_run.opening("A long run"), *training_run.steps(300)))
    expect(screen.count).to_contain_text("All of 0–301")
    spent = screen.busy()
    looks = range(2, 300, 5)
    for seq in looks:
        screen.look(seq)
    took = (screen.busy() - spent) / len(looks)
    assert 0 < took < FRAMES / 60


def test_the_lobby_shows_the_run_and_only_what_it_needs(screen: Screen, trainer: Trainer, run: str) -> None:
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(request.url))
    screen.page.goto(trainer.server.url)
    card = screen.page.get_by_role("article", name="Training nano-diplomacy")
    expect(card).to_contain_text("All is well", timeout=SETTLED)
    expect(card.locator("svg").first).to_be_visible()
    assert run.startswith(trainer.server.url)
    assert not [url for url in asked if re.search(r"/assets/(diplomacy|cricket)-", url)]


def test_a_game_that_nobody_here_knows_is_shown_all_the_same(screen: Screen, trainer: Trainer) -> None:
    created = EpisodeCreated(
        game="hanabi",
        title="An unknown game",
        options={},
        seats=[SeatInfo(seat="NORTH", player="bot", kind="bot")],
        origin="trainer",
    )
    played = [Draft("CardPlayed", {"card": "R1", "state": {"fireworks": {"red": number}}}) for number in range(5)]
    screen.open(trainer.publish("unknown", Draft.of(created), Draft.of(EpisodeStarted()), *played))
    expect(screen.page.get_by_role("main", name="Board")).to_contain_text("fireworks")
    screen.look(2)
    expect(screen.page.get_by_role("main", name="Board")).to_contain_text("Card played")


def test_the_events_are_what_the_trainer_said(trainer: Trainer, run: str) -> None:
    episode = run.rpartition("/")[2]
    page = trainer.server.get(f"/api/episodes/{episode}/events")
    shown = [Event.model_validate(frame["event"]) for frame in page["frames"]]
    assert [event.data for event in shown[2:]] == [step.data for step in training_run.steps()]
