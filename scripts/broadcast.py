#!/usr/bin/env python3
"""Watch the showcase in a browser: `/tv` as frames with the text beside them, and how far its pictures are behind.

Run as `.venv/bin/python scripts/broadcast.py --minutes 10 --out FOLDER`. Serves the showcase from a new folder; needs
the built page (`make setup`) and Chromium. Writes `FOLDER/README.md` with a frame every `--every` seconds and the
captions since the one before, and prints how many words a minute they and the Story column have, and in how many
seconds a picture was more than 3 s behind: that of `/tv` by the record, compared with the API, and those of the live
matches by their own badges.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright  # noqa: E402

from tests.support.live_server import LiveServer, live_server  # noqa: E402

SIZE: ViewportSize = {"width": 1280, "height": 720}
QUALITY = 55
SECOND = 1000

LISTEN = """() => {
    window.said = [];
    const note = () => {
        const words = (of) => document.querySelector(of)?.innerText.replace(/\\s+/g, ' ').trim() ?? '';
        const [speaker, text] = [words('.caption .speaker'), words('.caption .hostile')];
        const line = speaker && text ? `*${speaker}:* ${text}` : text;
        if (line && line !== window.last) window.said.push(window.last = line);
    };
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
    note();
}"""
"""Remember every caption."""

STORY = """() => [...document.querySelectorAll('#panel section.current :is(.headline, .lines li)')]
    .map((line) => line.innerText.replace(/\\s+/g, ' ').trim())"""
"""The headline and the lines of the chapter that the Story column shows, without letters."""

SAID = "() => window.said.splice(0)"
SHOWN = """() => {
    const programme = document.querySelector('.programme[data-seq]:not(:has(.moment))');
    return programme && [programme.dataset.episode, Number(programme.dataset.seq), Date.now() / 1000];
}"""
"""The match on screen, the number of the event that its picture shows, and the time; null for a moment."""
UNPICTURED = ("TurnStarted", "FactNoted", "CommentAdded", "OutlookUpdated", "VoiceReady", "VoiceChanged")
"""The types of events that are told after the picture of the event before them, and have none of their own."""

BESIDE = """() => ['header h1, .bar h1', '.badge', '.headline'].map(
    (of) => document.querySelector(of)?.innerText.replace(/\\s+/g, ' ').trim() ?? '')"""
LETTER = re.compile(r"- \*\w+ to [^*]+:\* ")
SPEAKER = re.compile(r"- (\*[^*]+:\* )?")
BACK = re.compile(r"(\d+):(\d\d) back")


def main() -> None:
    """Serve, watch, and write what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--every", type=float, default=30, help="seconds between two frames")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--showcase", default="diplomacy,cricket,werewolf")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as data,
        sync_playwright() as playwright,
        live_server(Path(data), "--showcase", given.showcase) as server,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        watch(server, browser, given.out, given.minutes, given.every)
        browser.close()


def watch(server: LiveServer, browser: Browser, out: Path, minutes: float, every: float) -> None:
    """Watch `/tv` and the match of each lane, and write the frames and the figures."""
    screen = browser.new_page(viewport=SIZE)
    screen.goto(f"{server.url}/tv?clean=1")
    screen.locator(".caption").wait_for()
    screen.evaluate(LISTEN)
    tabs: dict[str, tuple[str, Page]] = {}
    behind: dict[str, list[float]] = defaultdict(list)
    told: dict[str, set[tuple[str, str]]] = defaultdict(set)
    seconds: dict[str, int] = defaultdict(int)
    parts = [f"# {minutes:g} minutes of the broadcast\n"]
    start = time.monotonic()
    for second in range(round(60 * minutes) + 1):
        time.sleep(max(0.0, start + second - time.monotonic()))
        if second % 5 == 0:
            _follow(server, browser, tabs)
        for events, age in _ages(server, screen).items():
            behind[f"/tv, by {events}"].append(age)
        for game, (match, page) in tabs.items():
            if (lag := _lag(page)) is not None:
                behind[game].append(lag)
            told[game] |= {(match, line) for line in page.evaluate(STORY)}
            seconds[game] += 1
        if second % every == 0:
            parts.append(_frame(screen, out, second))
    (out / "README.md").write_text("\n".join(parts), encoding="utf-8")
    lines = [line for part in parts for line in part.splitlines() if line.startswith("- ")]
    for name, letters in (("comment", False), ("letters", True)):
        chosen = [line for line in lines if bool(LETTER.match(line)) is letters]
        words = sum(len(SPEAKER.sub("", line, count=1).split()) for line in chosen)
        print(f"{name}: {words / minutes:.0f} words a minute")
    for game, story in told.items():
        words = sum(len(line.split()) for _, line in story)
        print(f"the Story column of {game}: {60 * words / seconds[game]:.0f} words a minute")
    for game, lags in sorted(behind.items()):
        late = sum(lag > 3 for lag in lags)
        share = f"{late} of {len(lags)} s ({late / len(lags):.0%})"
        print(f"{game}: more than 3 s behind in {share}, at most {max(lags):.1f} s")


def _follow(server: LiveServer, browser: Browser, tabs: dict[str, tuple[str, Page]]) -> None:
    """Open the page of the match that each lane plays now."""
    for lane in server.get("/api/episodes")["lanes"]:
        game, match = lane["game"], lane["episode_id"]
        if match and tabs.get(game, ("",))[0] != match:
            page = tabs[game][1] if game in tabs else browser.new_page(viewport=SIZE)
            page.goto(f"{server.url}/episode/{match}?as=analyst")
            tabs[game] = match, page


def _ages(server: LiveServer, screen: Page) -> dict[str, float]:
    """Return the age in seconds of the first event of the match on screen that its picture does not show and the API
    has: of any event, and of one that has a picture. Nothing if no match is on, or if it is over and told."""
    if (shown := screen.evaluate(SHOWN)) is None:
        return {}
    match, seq, now = shown
    summary = server.get(f"/api/episodes/{match}")
    if seq >= summary["last_seq"] and summary["status"] != "live":
        return {}
    page = server.get(f"/api/episodes/{match}/events", **{"as": "analyst", "first": seq + 1})
    missing = [frame["event"] for frame in page["frames"] if frame["frame"] == "event"]
    pictured = [event for event in missing if event["type"] not in UNPICTURED]
    chosen = {"all events of the API": missing, "those with a picture": pictured}
    return {name: max(0.0, now - events[0]["at"]) if events else 0.0 for name, events in chosen.items()}


def _lag(page: Page) -> int | None:
    """Return the whole seconds by which the badge says that a page is behind, 0 within 3; None if it is not live."""
    badge = page.locator("header .badge").first
    text = (badge.text_content() or "") if badge.count() else ""
    if not text.lower().startswith("live"):
        return None
    found = BACK.search(text)
    return 60 * int(found[1]) + int(found[2]) if found else 0


def _frame(screen: Page, out: Path, second: int) -> str:
    """Take a frame, and return it with what was said since the last one."""
    name = f"{second:04}.jpg"
    screen.screenshot(path=out / name, type="jpeg", quality=QUALITY, scale="css")
    title, badge, headline = screen.evaluate(BESIDE)
    said = "\n".join(f"- {line}" for line in screen.evaluate(SAID))
    return f"## {second // 60}:{second % 60:02} {title}, {badge}\n\n{headline}\n\n{said}\n\n![{title}]({name})\n"


if __name__ == "__main__":
    main()
