"""Watch the showcase of a running server: how long each game was on, the gaps, and what happened in its matches.

    python benchmarks/showcase_hour.py --url http://127.0.0.1:8000 --minutes 60

Asks for the lanes once a second, as the lobby does, and reads the record of every match seen at the end. Prints a
Markdown table with a row for each game. The first match of a game may have begun before, so what happened is counted
from the start of each match; time before the first answer is not counted.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

EVERY = 1.0
"""Seconds between two looks."""

PAGE = 5000
"""Events in one request."""


@dataclass
class LaneLog:
    """The time for which one lane was live, paused or without a match, and its matches."""

    seconds: float = 0.0
    live: float = 0.0
    paused: float = 0.0
    waiting: float = 0.0
    gaps: list[float] = field(default_factory=list)
    """Seconds of each time without a live match."""
    episodes: dict[str, None] = field(default_factory=dict)
    """The matches seen, in order."""
    _dark: bool = False

    def add(self, seconds: float, episode_id: str | None, *, paused: bool, waiting: bool) -> None:
        """Add a look that holds for `seconds`. `episode_id` is the match that was live; None if there was none."""
        self.seconds += seconds
        if episode_id is None:
            if not self._dark:
                self.gaps.append(0.0)
            self.gaps[-1] += seconds
        else:
            self.episodes[episode_id] = None
            self.live += seconds
            self.paused += seconds * paused
            self.waiting += seconds * waiting
        self._dark = episode_id is None


def look(listing: dict[str, Any], logs: dict[str, LaneLog], seconds: float) -> None:
    """Add what `listing`, an answer of `/api/episodes`, says of every lane."""
    live = {episode["episode_id"]: episode for episode in listing["episodes"] if episode["status"] == "live"}
    people = {person["episode_id"] for person in listing["awaited"]}
    for lane in listing["lanes"]:
        episode = live.get(lane["episode_id"])
        episode_id = None if episode is None else lane["episode_id"]
        paused = episode is not None and episode["paused"]
        log = logs.setdefault(lane["game"], LaneLog())
        log.add(seconds, episode_id, paused=paused, waiting=episode_id in people)


def counts(frames: list[dict[str, Any]]) -> Counter[str]:
    """Return the number of messages and of facts of each kind among `frames`."""
    total: Counter[str] = Counter()
    for frame in frames:
        if frame["frame"] != "event":
            continue
        event = frame["event"]
        for part in event["data"]["events"] if event["type"] == "PrivateBatch" else [event]:
            if part["type"] == "MessageSent":
                total["messages"] += 1
            elif part["type"] == "FactNoted":
                total[part["data"]["kind"]] += 1
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--minutes", type=float, default=60.0)
    options = parser.parse_args()
    logs: dict[str, LaneLog] = {}
    address = f"{options.url}/api/episodes?status=live&status=queued&limit=200"
    began = last = time.monotonic()
    while last - began < options.minutes * 60:
        time.sleep(EVERY)
        listing = get(address)
        now = time.monotonic()
        look(listing, logs, now - last)
        last = now
    print(report(logs, {episode: happened(options.url, episode) for log in logs.values() for episode in log.episodes}))


def happened(url: str, episode_id: str) -> Counter[str]:
    """Return what happened in a match so far, its press included."""
    total: Counter[str] = Counter()
    first = 0
    while True:
        query = urlencode({"as": "analyst", "first": first, "stop": first + PAGE})
        page = get(f"{url}/api/episodes/{quote(episode_id)}/events?{query}")
        total += counts(page["frames"])
        first += len(page["frames"])
        if not page["frames"] or first > page["last_seq"]:
            return total


def report(logs: dict[str, LaneLog], matches: dict[str, Counter[str]]) -> str:
    """Return the table."""
    rows = [
        "| game | minutes watched | minutes live | gaps (s) | paused | waiting | matches | messages / match "
        "| stabs / match | facts / match |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for game, log in logs.items():
        observed = [matches[episode] for episode in log.episodes]
        facts = [match.total() - match["messages"] for match in observed]
        share = 100 / max(log.live, 1e-9)
        cells = [
            game,
            f"{log.seconds / 60:.1f}",
            f"{log.live / 60:.1f}",
            ", ".join(f"{gap:.0f}" for gap in log.gaps) or "none",
            f"{log.paused * share:.0f} %",
            f"{log.waiting * share:.0f} %",
            str(len(observed)),
            listed(match["messages"] for match in observed),
            listed(match["stab"] for match in observed),
            listed(facts),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def listed(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in numbers) or "–"


def get(address: str) -> Any:
    """Return the JSON at `address`. A server that does not answer ends the run with a message."""
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return json.load(answer)
    except OSError as error:
        sys.exit(f"{address} does not answer: {error}. Start a server with `python -m grandstand serve`.")


if __name__ == "__main__":
    main()
