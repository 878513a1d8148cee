"""The siege: what it would notice, that its seed says what happens, and a short one."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.siege import Force, besiege, plan
from benchmarks.siege_cluster import besieged
from benchmarks.siege_faults import ENDING, FAULTS
from benchmarks.siege_report import verdict
from benchmarks.siege_viewers import Viewer, ViewerLog, compare, mark
from grandstand.models import Draft, Event
from grandstand.spectator.frames import EventFrame
from grandstand.spectator.replay import complete, events_from_lines
from grandstand.spectator.viewpoint import SPECTATOR
from tests.support.requirements import package
from tests.support.spectator.logs import EPISODE, short_log

RECORD = short_log(Draft("Secret", {"word": "x"}, "operator"))


def received(*changed: tuple[int, Event | None], stop: int | None = None) -> Counter[str]:
    """Return the faults of a spectator who received the record, but for the changed slots."""
    slots = [SPECTATOR.known(event) for event in RECORD]
    for place, event in changed:
        slots[place] = event
    log = ViewerLog(EPISODE, "spectator", [mark(event) for event in slots[:stop]])
    return +compare(RECORD, [log])


def test_planted_faults_are_seen() -> None:
    assert received() == {}
    assert received(stop=-2) == {"lost": 2}
    public = next(place for place, event in enumerate(RECORD) if event.audience == "public")
    altered = RECORD[public].model_copy(update={"data": {"altered": True}})
    assert received((public, altered)) == {"not as recorded": 1}
    assert received((public, None)) == {"lost": 1}
    assert received((len(RECORD) - 1, RECORD[-1])) == {"leaked": 1}


def test_what_a_server_sends_twice_or_leaves_out_is_counted() -> None:
    log = ViewerLog(EPISODE, "operator")
    viewer = Viewer("http://nowhere", log, "", {})
    for event in (RECORD[0], RECORD[1], RECORD[1], RECORD[4]):
        viewer._add(EventFrame(event=event))
    assert +log.faults == {"doubled": 1, "lost": 2}


def test_the_seed_says_what_happens() -> None:
    assert plan(7, 600, 4) == plan(7, 600, 4) != plan(8, 600, 4)
    strikes = plan(7, 600, 4)
    assert {strike.name for strike in strikes} == set(FAULTS)
    assert not any(strike.name in ENDING for strike in strikes if strike.at > 0.6 * 600)


@pytest.mark.long
def test_a_short_siege_costs_no_viewer_an_event() -> None:
    for name in ("psycopg", "redis"):
        package(name)
    # PostgreSQL has a user of its own, who may not enter pytest's folders.
    with tempfile.TemporaryDirectory(prefix="siege-") as folder, besieged(Path(folder)) as cluster:
        result = asyncio.run(besiege(cluster, Force(seconds=25, seed=3, viewers=15, cuts=8, every=2)))
    assert verdict(result) == {}, result.problems
    assert result.disconnects > 50
    assert result.compared > result.recorded > 500
    episode = complete(events_from_lines(result.lines))
    assert sum(event.type == "ReportUpdated" for event in episode.events) == len(result.strikes) + 1
