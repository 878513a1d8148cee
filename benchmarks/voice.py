"""Measure from a line's event to its first sound, in Chromium, with a speech service that answers at a given speed.

    python -m benchmarks.voice --overs 2 --pace 5

For each speed of the service a match of cricket is played on a server of its own and watched by one page at full speed,
so that no picture delays a line. The service speaks Cartesia's protocol with real speech, on this machine: the network
between it and the server is not in the figures, nor the time that the real service takes. A line counts if nothing was
being spoken when it came. Prints a Markdown table. Needs `make setup .venv/.voice` and Chromium.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.conftest import FLAGS
from tests.support.live_server import LiveServer, live_server
from tests.support.page.hearing import HeardClip, Hearing
from tests.support.page.record import Record
from tests.support.page.screen import Screen
from tests.support.requirements import chromium
from tests.support.spectator.speech_server import KEY, speaks, speech_server

FIRST = 0.09
"""Seconds to the first piece of audio that Cartesia states for its models."""

SPEEDS = (16.0, 8.0, 4.0)
"""Speeds at which the service makes audio, as multiples of the speed at which it is heard."""

LONGEST = 900.0


@dataclass(frozen=True)
class Lag:
    """The seconds from the event of one line to its announcement and to its first sound, and the length of the line."""

    ready: float
    sound: float
    seconds: float


def lags(server: LiveServer, match: str, clips: Sequence[HeardClip]) -> Iterator[Lag]:
    """Yield the lags of the lines for which the voice was free."""
    record = Record(server, match)
    published = {event["seq"]: event["at"] for event in record.events("CommentAdded")}
    free_at = 0.0
    left = list(clips)
    for event in record.events("VoiceReady"):
        line, name = published[event["data"]["comment"]], event["data"]["clip"]
        clip = next((item for item in left if item.name == name and item.at >= line), None)
        if clip is None:
            continue
        left.remove(clip)
        if line >= free_at:
            yield Lag(event["at"] - line, clip.at - line, event["data"]["seconds"])
        free_at = clip.at + event["data"]["seconds"]


def measure(browser: Browser, folder: Path, speed: float, overs: int, pace: float) -> list[Lag]:
    """Play one match with a service of this speed, and return the lags of its lines."""
    with (
        speech_server(speaks(first=FIRST, speed=speed)) as service,
        live_server(folder, CARTESIA_BASE_URL=service.url, CARTESIA_API_KEY=KEY) as server,
    ):
        context = browser.new_context()
        screen = Screen(context.new_page())
        hearing = Hearing(screen.page)
        match = server.start_match(game="cricket", seed=7, options={"overs": overs}, pace=pace, voice=True)
        screen.open(f"{server.url}/episode/{match}")
        screen.page.get_by_role("combobox", name="Speed").select_option("full")
        screen.page.locator(".caption").click()
        server.wait_for(match, status="finished", timeout=LONGEST)
        result = list(lags(server, match, hearing.clips()))
        context.close()
    return result


def row(speed: float, measured: Sequence[Lag]) -> str:
    """Return a row of the table."""

    def middle_and_worst(values: Sequence[float]) -> str:
        ordered = sorted(values)
        return f"{median(ordered):.2f} / {ordered[int(0.9 * (len(ordered) - 1))]:.2f}"

    in_time = sum(lag.sound <= 1.0 for lag in measured)
    cells = [
        f"{speed:g} ×",
        str(len(measured)),
        middle_and_worst([lag.seconds for lag in measured]),
        middle_and_worst([lag.ready for lag in measured]),
        middle_and_worst([lag.sound for lag in measured]),
        f"{in_time} of {len(measured)}",
    ]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--overs", type=int, default=2)
    parser.add_argument("--pace", type=float, default=5.0, help="seconds between turns")
    arguments = parser.parse_args()
    print("| speed of the service | lines | length s | event to clip s | event to sound s | within 1 s |")
    print("|---|---|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for speed in SPEEDS:
            with TemporaryDirectory() as folder:
                measured = measure(browser, Path(folder), speed, arguments.overs, arguments.pace)
            print(row(speed, measured) if measured else f"| {speed:g} × | 0 | | | | |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
