"""The viewers of a siege, and the comparison of what they received with the record."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from zlib import crc32

from grandstand.models import Event
from grandstand.spectator.follower import Follower, WatchRefused
from grandstand.spectator.frames import EventFrame, WithheldFrame
from grandstand.spectator.viewpoint import Viewpoint

VIEWPOINTS = ("spectator", "operator", "analyst")
WITHHELD = -1
TURN = 1.5
"""Seconds of the longest pause between turns."""

FAULTS = ("lost", "doubled", "not as recorded", "leaked", "begun anew", "sent away", "not complete")
"""Faults of a viewer's log: events that never came or came after a gap; that came again within what was known; whose
content is not the record's; whose content the viewpoint may not see; a viewer whom a server sent back to the beginning,
or refused for good; and a viewer who never saw the end."""


def mark(event: Event | None) -> int:
    """Return a number that stands for an event with its content; WITHHELD for an event that is not seen."""
    return WITHHELD if event is None else crc32(json.dumps(event.model_dump(mode="json"), sort_keys=True).encode())


@dataclass
class ViewerLog:
    """What one viewer received of one episode: the mark of each event, and the faults of the stream itself."""

    episode: str
    viewpoint: str
    marks: Sequence[int] = ()
    faults: Counter[str] = field(default_factory=Counter)


class Viewer(Follower):
    """A follower that counts what the server sends twice or leaves out, and notes when each event comes first."""

    def __init__(self, url: str, log: ViewerLog, token: str, arrivals: dict[int, float]) -> None:
        super().__init__(url, log.episode, log.viewpoint, token)
        self._log = log
        self._arrivals = arrivals

    def _add(self, frame: EventFrame | WithheldFrame) -> bool:
        seq = frame.event.seq if isinstance(frame, EventFrame) else frame.seq
        self._log.faults["lost"] += max(0, seq - len(self.slots))
        self._log.faults["doubled"] += seq < len(self.slots)
        self._arrivals.setdefault(seq, time.monotonic())
        return super()._add(frame)


class Match:
    """A match of the siege: its viewers' logs, and when each of its events first reached one of them."""

    def __init__(self, episode: str) -> None:
        self.episode = episode
        self.ended = asyncio.Event()
        self.watching = 0
        self.logs: list[ViewerLog] = []
        self.arrivals: dict[int, float] = {}

    async def watch(self, url: str, viewpoint: str, token: str) -> None:
        """Follow the match to its end, whatever happens on the way."""
        log = ViewerLog(self.episode, viewpoint)
        viewer = Viewer(url, log, token, self.arrivals)
        self.logs.append(log)
        self.watching += 1
        log.faults["not complete"] = 1
        try:
            while log.faults["not complete"]:
                try:
                    async for _ in viewer.follow():
                        pass
                    log.faults["not complete"] = 0
                except WatchRefused as refused:
                    log.faults["sent away"] += not _for_now(str(refused))
                    await asyncio.sleep(0.5)
            self.ended.set()
        finally:
            self.watching -= 1
            log.faults["begun anew"] = viewer.generation
            log.marks = [mark(event) for event in viewer.slots]

    def standstill(self, began: float, ended: float) -> float:
        """Return the longest time without a new event that began while a fault lasted, from `began` to `ended`."""
        times = sorted(self.arrivals.values())
        pairs = pairwise(times)
        return max((after - before for before, after in pairs if began - TURN < before < ended), default=0.0)


def _for_now(refusal: str) -> bool:
    """Return whether a viewer was refused because no server could be reached, or none could read the record."""
    return "cannot be reached" in refusal or refusal.startswith(("502", "503", "504"))


async def audience(matches: Sequence[Match], url: str, token: str, rng: Random, ended: asyncio.Event) -> None:
    """Watch one match after another, those with the fewest viewers first, until the siege has ended."""
    while not ended.is_set():
        live = [match for match in matches if not match.ended.is_set()]
        if live:
            match = min(live, key=lambda match: (match.watching, rng.random()))
            await match.watch(url, rng.choice(VIEWPOINTS), token)
        else:
            await asyncio.sleep(0.2)


def compare(record: Sequence[Event], logs: Iterable[ViewerLog]) -> Counter[str]:
    """Return the faults of logs of one episode, by the words of FAULTS. An incomplete log is that alone."""
    faults: Counter[str] = Counter()
    known: dict[str, list[int]] = {}
    for log in logs:
        faults += log.faults
        viewpoint = Viewpoint.parse(log.viewpoint)
        if log.viewpoint not in known:
            known[log.viewpoint] = [mark(viewpoint.known(event)) for event in record]
        expected = known[log.viewpoint]
        if not log.faults["not complete"]:
            faults["lost"] += max(0, len(expected) - len(log.marks))
        faults["not as recorded"] += max(0, len(log.marks) - len(expected))
        for seen, right in zip(log.marks, expected, strict=False):
            if seen != right:
                faults["leaked" if right == WITHHELD else "lost" if seen == WITHHELD else "not as recorded"] += 1
    return faults
