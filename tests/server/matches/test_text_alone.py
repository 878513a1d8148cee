"""A match followed by its text alone: what the commentary says to spectators tells the whole course of the match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grandstand.games.diplomacy.rules.map import HOMES, POWERS, PROVINCE_NAMES, PROVINCES
from tests.support.live_server import LiveServer, live_server
from tests.support.server.private_batches import visible_events

pytestmark = pytest.mark.long

CODE = dict(zip(PROVINCE_NAMES, PROVINCES, strict=True))
SEATS = {power.title(): power for power in POWERS}
CAPTURE = re.compile(
    r"(?P<to>\w+) (?:takes|wins back) (?P<place>[\w -]+?)(?:, which nobody owned| from (?P<from>\w+)(?:, at home)?)\."
)
OUT = re.compile(r"(?P<power>\w+) is out of the match[:;]")
WICKET = re.compile(
    r"(?P<out>.+?) (?:is (?:caught|bowled|lbw|stumped|run out|out)).* for (?P<made>\d+) off (?P<balls>\d+)"
)
INNINGS = re.compile(r"(?P<side>.+) end on (?P<runs>\d+)(?: for (?P<wickets>\d+)| (?P<other>all out|without loss))\.")

SCORE = re.compile(r"(\d+) (?:for (\d+)\b(?! runs)|(all out|without loss))")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(Path(tmp_path_factory.mktemp("data"))) as running:
        yield running


def finished(server: LiveServer, **request: Any) -> list[dict[str, Any]]:
    """Play a match and return the events that a spectator receives."""
    episode = server.start_match(pace=0, **request)
    server.wait_for(episode, status="finished")
    events: list[dict[str, Any]] = []
    last = 0
    while not events or events[-1]["seq"] < last:
        page = server.get(f"/api/episodes/{episode}/events", first=events[-1]["seq"] + 1 if events else 0)
        last = page["last_seq"]
        events += visible_events(page["frames"])
    assert all(event["audience"] == "public" for event in events)
    return events


def texts(events: list[dict[str, Any]], *kinds: str) -> list[str]:
    """Return what the events of these types say in words, and nothing else."""
    return [event["data"]["text"] for event in events if event["type"] in kinds]


def of_type(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event["data"] for event in events if event["type"] == kind]


class Reader:
    """A person who only reads the text of a match of Diplomacy, with the map at hand."""

    def __init__(self, lines: list[str]) -> None:
        self.owners = {PROVINCES[home]: power for power, homes in zip(POWERS, HOMES, strict=True) for home in homes}
        self.captures: list[tuple[str, str | None, str]] = []
        self.eliminated: list[str] = []
        for line in lines:
            if match := CAPTURE.fullmatch(line):
                self._capture(match)
            elif match := OUT.match(line):
                self.eliminated.append(SEATS[match["power"]])

    def _capture(self, match: re.Match[str]) -> None:
        place, loser = CODE[match["place"]], SEATS[match["from"]] if match["from"] else None
        assert self.owners.get(place) == loser
        self.owners[place] = SEATS[match["to"]]
        self.captures.append((place, loser, self.owners[place]))


@pytest.mark.long
def test_the_text_tells_a_match_of_diplomacy(server: LiveServer) -> None:
    players = dict.fromkeys(("ENGLAND", "FRANCE", "TURKEY"), "coordinated")
    others = dict.fromkeys(set(POWERS) - set(players), "random")
    events = finished(server, game="diplomacy", seed=2, players=players | others, options={"press": "none"})
    reader = Reader(texts(events, "FactNoted"))
    taken = [item for data in of_type(events, "CentersChanged") for item in data["captured"]]
    assert len(taken) > 30
    assert reader.captures == [(item["center"], item["from"], item["to"]) for item in taken]
    gone = [data["power"] for data in of_type(events, "PowerEliminated")]
    assert gone
    assert sorted(reader.eliminated) == sorted(gone)
    position = of_type(events, "PhaseAdvanced")[-1]["state"]["centers"]
    assert reader.owners == {code: power for power, codes in position.items() for code in codes}
    (ended,) = of_type(events, "EpisodeEnded")
    winners = {power for power in POWERS if power.title() in texts(events, "CommentAdded")[-1]}
    assert winners == set(ended["outcome"]["winners"]) != set()


def test_the_text_tells_a_match_of_cricket(server: LiveServer) -> None:
    events = finished(server, game="cricket", seed=4, options={"overs": 8})
    balls = of_type(events, "BallBowled")
    (started,) = of_type(events, "MatchStarted")
    names = {seat: team["name"] for seat, team in started["state"]["teams"].items()}
    facts, comments = texts(events, "FactNoted"), texts(events, "CommentAdded")

    out = [ball["wicket"] for ball in balls if ball["wicket"]]
    assert len(out) > 4
    wickets = [match for line in facts if (match := WICKET.match(line))]
    assert [(int(match["made"]), int(match["balls"])) for match in wickets] == [tuple(item["card"][:2]) for item in out]
    for match, item in zip(wickets, out, strict=True):
        assert item["out"].endswith(match["out"].split()[-1])

    innings = [match for line in facts if (match := INNINGS.match(line))]
    ended = of_type(events, "InningsEnded")
    assert [match["side"] for match in innings] == [names[data["batting"]] for data in ended]
    last = [[ball for ball in balls if ball["innings"] == data["innings"]][-1]["score"] for data in ended]
    assert [int(match["runs"]) for match in innings] == [score[0] for score in last]
    assert [int(match["wickets"] or (10 if match["other"] == "all out" else 0)) for match in innings] == [
        score[1] for score in last
    ]

    (decided,) = of_type(events, "MatchDecided")
    assert decided["result"].rstrip(".") + "." in comments
    scores = [score_in(data["text"]) for data in of_type(events, "CommentAdded") if data["beat"] == "over"]
    assert scores == list(scores_after_overs(events))
    assert len(scores) > 8


def score_in(line: str) -> tuple[int, int]:
    """Return the runs and wickets that a line on an over tells."""
    match = SCORE.search(line)
    assert match is not None, line
    runs, lost, other = match.groups()
    return int(runs), 10 if other == "all out" else int(lost or 0)


def scores_after_overs(events: list[dict[str, Any]]) -> Iterator[tuple[int, int]]:
    score = (0, 0)
    for event in events:
        if event["type"] == "BallBowled":
            score = (event["data"]["score"][0], event["data"]["score"][1])
        elif event["type"] == "OverEnded":
            yield score
