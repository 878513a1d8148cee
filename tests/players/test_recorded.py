"""Playing a finished episode's choices again."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from grandstand.games.base import OptionError
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event, flat, flat_drafts
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Player
from grandstand.players.bot import BotPlayer
from grandstand.players.recorded import RecordedPlayer, read_record
from grandstand.spectator.replay import to_lines
from grandstand.spectator.viewpoint import OPERATOR, SPECTATOR
from tests.support.players.press_player import PressPlayer, of_kind, play_to_end

SEATS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
OPTIONS = {"last_year": 1902, "negotiation_rounds": 1}


def played(runner: MatchRunner) -> list[Draft]:
    return [*runner.created(OPTIONS, title="", origin="cli"), *asyncio.run(play_to_end(runner))]


def events(drafts: Sequence[Draft]) -> list[Event]:
    return [
        Event(episode_id="e", epoch=0, seq=seq, at=0.0, type=draft.type, audience=draft.audience, data=draft.data)
        for seq, draft in enumerate(drafts)
    ]


@pytest.fixture(scope="module")
def record() -> list[Event]:
    match = Match(game_spec("diplomacy"), OPTIONS, 5)
    players: dict[str, Player] = {seat: BotPlayer(match.spec, "chaos") for seat in SEATS}
    players |= {"FRANCE": PressPlayer(["A PAR - BUR"]), "ITALY": PressPlayer()}
    return events(played(MatchRunner(match, players)))


def choices(drafts: Sequence[Any], seat: str) -> list[Any]:
    return [draft.data["action"] for draft in of_kind(drafts, "ActionChosen") if draft.data["seat"] == seat]


def test_all_seats_recorded_play_the_same_match(record: list[Event]) -> None:
    match = Match(game_spec("diplomacy"), OPTIONS, 5)
    again = played(MatchRunner(match, {seat: RecordedPlayer("then", record, seat, None) for seat in SEATS}))
    resolved = [event.data for event in flat(record) if event.type in ("OrdersResolved", "MessageSent")]
    assert [draft.data for draft in flat_drafts(again) if draft.type in ("OrdersResolved", "MessageSent")] == resolved
    assert {draft.data["source"] for draft in of_kind(again, "ActionChosen")} == {"recorded"}
    assert not of_kind(again, "PlayerFault")


def test_where_the_match_goes_another_way_the_fallback_helps_out(record: list[Event]) -> None:
    match = Match(game_spec("diplomacy"), {**OPTIONS, "last_year": 1904}, 6)
    players: dict[str, Player] = {seat: BotPlayer(match.spec, "random") for seat in SEATS}
    players["FRANCE"] = RecordedPlayer("then", record, "FRANCE", match.spec.bots.players["hold"])
    drafts = asyncio.run(play_to_end(MatchRunner(match, players)))
    sources = [draft.data["source"] for draft in of_kind(drafts, "ActionChosen") if draft.data["seat"] == "FRANCE"]
    assert sources[0] == "recorded"
    assert "fallback" in sources  # for 1903 and 1904, if not before
    faults = {draft.data["boundary"] for draft in of_kind(drafts, "PlayerFault")}
    assert faults <= {"player", "rules"}
    assert "player" in faults


def test_one_seat_may_play_what_another_did(record: list[Event]) -> None:
    match = Match(game_spec("diplomacy"), OPTIONS, 5)
    player = RecordedPlayer("then", record, "FRANCE", None)
    choice = asyncio.run(player.choose(match, "GERMANY"))
    assert choice.action == {"orders": ["A PAR - BUR"]}


def test_reads_a_download(record: list[Event], tmp_path: Path) -> None:
    file = tmp_path / "episode.jsonl"
    file.write_text("".join(to_lines(record, OPERATOR)))
    assert read_record(file) == record


def test_reads_a_gzipped_download(record: list[Event], tmp_path: Path) -> None:
    file = tmp_path / "episode.jsonl.gz"
    file.write_bytes(gzip.compress("".join(to_lines(record, OPERATOR)).encode()))
    assert read_record(file) == record


def test_says_what_is_wrong_with_a_file(record: list[Event], tmp_path: Path) -> None:
    file = tmp_path / "episode.jsonl"
    with pytest.raises(OptionError, match=r"episode\.jsonl: cannot be read"):
        read_record(file)
    file.write_text("".join(to_lines(record, SPECTATOR)))
    with pytest.raises(OptionError, match=r"line 3: is withheld; download the episode as an operator"):
        read_record(file)
    for text, reason in (
        ("", "not a complete record"),
        ("hello\n", "line 1: "),
        ("[]\n", "line 1: not a Grandstand episode"),
        (
            "".join(to_lines([], OPERATOR)) + json.dumps({"seq": 0, "type": 5}) + "\n",
            "line 2: episode_id: Field required",
        ),
        ("".join(to_lines(record[1:], OPERATOR)), "not a complete record"),
    ):
        file.write_text(text)
        with pytest.raises(OptionError, match=reason):
            read_record(file)
