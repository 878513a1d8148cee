"""The headline of a moment: at every number of a match, its figures are those of the board."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from grandstand.games.cricket.picture.moment import moment
from grandstand.games.cricket.story.outlook import overs_text
from grandstand.games.diplomacy.rules.state import SOLO_CENTERS
from grandstand.games.diplomacy.story.words import number
from grandstand.games.picture import Card
from grandstand.models import Event
from grandstand.play.headless import MatchPlan, play_match
from grandstand.play.scenes import card_of, headline_of, public_scene
from grandstand.spectator.replay import from_lines
from grandstand.spectator.summary import summary_at

COUNTS = {number(count): count for count in range(SOLO_CENTERS + 17)}


@cache
def played(game: str, seed: int, player: str, options: tuple[tuple[str, Any], ...]) -> Sequence[Event]:
    """Return the record of a match that `grandstand play` would write."""
    seats = {"diplomacy": 7, "cricket": 2}[game]
    with TemporaryDirectory() as folder:
        plan = MatchPlan("match", game, (player,) * seats, dict(options), seed, folder=Path(folder))
        asyncio.run(play_match(plan))
        with (Path(folder) / "match.jsonl").open(encoding="utf-8") as file:
            return from_lines(file).events


def beside(events: Sequence[Event], seq: int) -> tuple[str, Card]:
    """Return the headline of a moment and what the card says beside it."""
    summary = summary_at(events, seq)
    return headline_of(summary), card_of(summary, public_scene(events[: seq + 1]))


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [3, 21])
def test_cricket_is_told_the_score_of_the_board_at_every_number(seed: int) -> None:
    events = played("cricket", seed, "heuristic", (("overs", 3),))
    compared = set()
    for seq in range(len(events)):
        headline, _ = beside(events, seq)
        board = moment(public_scene(events[: seq + 1]))
        innings = board.current
        if board.result or innings is None:
            assert not re.search(r" for \d| need | after \d", headline)
            continue
        if need := re.search(r"need (\d+) off (\d+)", headline):
            assert (int(need[1]), int(need[2])) == (innings.need, innings.left), (seq, headline)
            compared.add("need")
        elif made := re.search(r"are (\d+) (?:for (\d+)|without loss|all out)", headline):
            wickets = int(made[2]) if made[2] else 10 if "all out" in headline else 0
            assert (int(made[1]), wickets) == (innings.runs, innings.wickets), (seq, headline)
            after = re.search(r" after (.*)\.$", headline)
            assert after is None or after[1] == overs_text(innings.balls), (seq, headline)
            compared.add("score")
        else:
            assert (innings.runs, innings.balls) == (0, 0), (seq, headline)
    assert compared == {"need", "score"}


def centres_told(headline: str) -> Mapping[str, int]:
    """Return the centres that a headline gives to powers, by their names; `most` for the largest of all."""
    if needs := re.match(r"(\w+) needs ([\w-]+) more\.", headline):
        return {needs[1]: SOLO_CENTERS - COUNTS[needs[2]]}
    if leads := re.match(r"(\w+) (?:leads|takes the lead) with ([\w-]+) centres", headline):
        return {leads[1]: COUNTS[leads[2]], "most": COUNTS[leads[2]]}
    if level := re.search(r"share the lead on ([\w-]+) centres each", headline):
        return {"most": COUNTS[level[1]]}
    return {}


@pytest.mark.long
def test_diplomacy_is_told_the_centres_of_the_board_at_every_number() -> None:
    events = played("diplomacy", 2, "dumbbot", (("last_year", 1909), ("press", "none")))
    compared: set[int] = set()
    for seq in range(len(events) - 1):
        headline, card = beside(events, seq)
        scores = {row.name: int(row.score) for row in card.rows if row.score.isdecimal()}
        scores["most"] = max(scores.values(), default=0)
        for name, centres in centres_told(headline).items():
            assert scores[name] == centres, (seq, headline)
            compared.add(centres)
    assert len(compared) > 5


def test_the_headline_before_the_first_prospects_is_none() -> None:
    events = played("cricket", 3, "heuristic", (("overs", 3),))
    assert summary_at(events, 0).outlook is None


@pytest.mark.parametrize("game", ["cricket", "diplomacy"])
def test_an_older_record_tells_the_prospects_after_the_last_event_of_their_turn(game: str) -> None:
    def aged(event: Event) -> Event:
        data = {name: value for name, value in event.data.items() if name != "rests_on"}
        return event.model_copy(update={"data": data}) if event.type == "OutlookUpdated" else event

    options = {"cricket": (("overs", 3),), "diplomacy": (("last_year", 1909), ("press", "none"))}[game]
    player = {"cricket": "heuristic", "diplomacy": "dumbbot"}[game]
    events = [aged(event) for event in played(game, {"cricket": 3, "diplomacy": 2}[game], player, options)]
    final = {"cricket": "ChanceChanged", "diplomacy": "PhaseAdvanced"}[game]
    seq = next(event.seq for event in events[len(events) // 2 :] if event.type == final)
    outlook = next(event for event in events[seq:] if event.type == "OutlookUpdated")
    now, before = summary_at(events, seq).outlook, summary_at(events, seq - 1).outlook
    assert now is not None
    assert now.model_dump(exclude={"rests_on"}) == outlook.data
    assert now != before
