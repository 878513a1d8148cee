#!/usr/bin/env python3
"""Take the pictures of the page in docs/images: the lobby, the leaderboard, campaigns and a match of each game.

Run as `.venv/bin/python scripts/screenshots.py [NAME…]`, with the names of pages for some of the pictures only. With
`--sizes` it writes the pages of SHOWN in every size and both themes to docs/results/screenshots instead. Plays the
matches it shows, from fixed seeds, on a server of its own; needs the built page (`make setup`) and Chromium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from itertools import combinations, product
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, ViewportSize, sync_playwright  # noqa: E402

from grandstand.spectator.bus import Bus  # noqa: E402
from grandstand.spectator.recorder import Recorder  # noqa: E402
from tests.support.live_server import LiveServer, live_server  # noqa: E402
from tests.support.play.tournament_run import MadeUpTournament  # noqa: E402
from tests.support.trainer.experiment_record import MadeUpExperiment  # noqa: E402

Theme = Literal["light", "dark"]
SIZES: dict[int, ViewportSize] = {
    390: {"width": 390, "height": 844},
    1024: {"width": 1024, "height": 768},
    1600: {"width": 1600, "height": 1000},
    1920: {"width": 1920, "height": 1080},
}
PICTURES: tuple[tuple[str, int, Theme], ...] = (
    ("cricket", 1600, "light"),
    ("experiments", 1600, "light"),
    ("leaderboard", 1600, "light"),
    ("lobby", 1600, "light"),
    ("match", 390, "light"),
    ("match", 1600, "dark"),
    ("match", 1600, "light"),
    ("tournament", 1600, "light"),
)
"""Page, width and theme of each picture."""
SHOWN = ("lobby", "match", "cricket", "leaderboard")
"""The pages that are shown in every size."""
THEMES: tuple[Theme, ...] = ("light", "dark")
QUALITY = 55
"""Per cent, of the pictures in every size."""
SEEDS = (1, 3, 4, 5)
SETTLES = 1500
"""Milliseconds until the small boards in the lobby are there too."""
CAMPAIGNS = {"tournament": "tournament-picture", "experiments": "experiment-picture"}
"""The episodes of made-up campaigns by picture."""
PLAYED = 94
"""Matches of the tournament that are over in its picture."""
EVERY = 20.0
"""Seconds between the events of a campaign."""
LEAGUE = ("heuristic", "neutral", "random")
"""The players of the leaderboard, each pair of which plays ROUNDS matches."""
ROUNDS = 24
MOMENT = 0.45
"""Fraction of its match after which the picture of a match is taken."""


def main() -> None:
    names = [name for name in sys.argv[1:] if name != "--sizes"]
    every_size = "--sizes" in sys.argv
    out = ROOT / ("docs/results/screenshots" if every_size else "docs/images")
    out.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    pictures = tuple(product(SHOWN, SIZES, THEMES)) if every_size else PICTURES
    wanted = [picture for picture in pictures if not names or picture[0] in names]
    with tempfile.TemporaryDirectory() as data:
        record_campaigns(Path(data))
        with live_server(Path(data)) as server, sync_playwright() as playwright:
            pages = {name: f"/campaign/{episode}" for name, episode in CAMPAIGNS.items()}
            if not {name for name, _, _ in wanted} <= pages.keys():
                pages |= play(server)
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            for name, width, theme in wanted:
                file = name if name in CAMPAIGNS else f"{name}-{width}-{theme}"
                path = out / f"{file}.{'jpg' if every_size else 'png'}"
                take(browser, server.url + pages[name], SIZES[width], theme, path)
            browser.close()


def record_campaigns(folder: Path) -> None:
    """Record a tournament in progress, whose matches are drawn from known strengths, and an experiment that is over."""
    cup, sweep = MadeUpTournament(), MadeUpExperiment()
    campaigns = {
        "tournament": [*cup.opening("publisher"), *cup.matches(PLAYED, live=3)],
        "experiments": [*sweep.opening(), *sweep.runs(len(sweep.sweep.runs)), *sweep.ending()],
    }
    recorder = Recorder(folder / "grandstand.db")
    for name, drafts in campaigns.items():
        times = iter([time.time() - EVERY * (len(drafts) - number) for number in range(len(drafts))])
        bus = Bus(recorder, times.__next__)
        bus.open(CAMPAIGNS[name], 1)
        for draft in drafts:
            bus.publish(CAMPAIGNS[name], [draft])
    recorder.close()


def play(server: LiveServer) -> dict[str, str]:
    """Play the matches of the pictures and return the paths of the pages by name."""
    for seed in SEEDS:
        match = server.start_match(game="diplomacy", seed=seed, pace=0, title=f"Seven bots, seed {seed}")
        last = server.wait_for(match, status="finished", timeout=240)["last_seq"]
    live = server.start_match(game="diplomacy", seed=9, pace=1, title="Seven bots, live")
    server.wait_for(live, seq=150, timeout=120)
    cricket = server.start_match(game="cricket", seed=1, pace=0, options={"overs": 20})
    balls = server.wait_for(cricket, status="finished", timeout=240)["last_seq"]
    return {
        "leaderboard": f"/leaderboard?game=cricket&setting={play_league(server)}",
        "lobby": "/",
        "match": f"/episode/{match}?seq={round(last * MOMENT)}",
        "cricket": f"/episode/{cricket}?seq={round(balls * MOMENT)}",
    }


def play_league(server: LiveServer) -> str:
    """Play the matches of the leaderboard and return the id of their option set."""
    for number in range(ROUNDS):
        for pair in combinations(LEAGUE, 2):
            players = dict(zip(("home", "away"), pair if number % 2 else pair[::-1], strict=True))
            match = server.start_match(game="cricket", seed=number, pace=0, options={"overs": 5}, players=players)
            server.wait_for(match, status="finished", timeout=240)
    while (table := server.get("/api/leaderboard", game="cricket"))["unread"]:
        pass
    return next(str(info["id"]) for info in table["settings"] if info["options"] == {"overs": 5})


def take(browser: Browser, url: str, size: ViewportSize, theme: Theme, path: Path) -> None:
    """Write a picture of the page at `url`."""
    page = browser.new_page(viewport=size, color_scheme=theme, reduced_motion="reduce")
    page.goto(url)
    page.locator("main :is(svg, figure, td)").first.wait_for()
    page.wait_for_timeout(SETTLES)
    page.screenshot(path=path, quality=QUALITY if path.suffix == ".jpg" else None)
    page.close()
    print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
