import json
import time
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.main import app
from grandstand.models import Event, flat
from grandstand.play.exchange.decisions import decisions
from grandstand.play.exchange.exporting import view_of
from grandstand.play.verification import OtherRules, ReplayMismatch, taken_up, verify
from grandstand.spectator.replay import from_lines
from tests.support.spectator.logs import ANALYST

NOW = game_spec("cricket").rules.version


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished match of cricket as `grandstand play` writes it."""
    folder = tmp_path_factory.mktemp("record")
    settings = ["--set", "overs=1", "--set", "win_probability=false"]
    played = CliRunner().invoke(app, ["play", "cricket", "--out", str(folder), "--jobs", "1", "--json", *settings])
    assert played.exit_code == 0, played.output
    return next(folder.glob("*.jsonl"))


def read(record: Path) -> list[Event]:
    with record.open(encoding="utf-8") as lines:
        return list(from_lines(lines).events)


def under(events: list[Event], rules: int) -> list[Event]:
    data = {**events[0].data, "rules": rules}
    return [events[0].model_copy(update={"data": data}), *events[1:]]


def other_ball(events: list[Event]) -> list[Event]:
    """The record with a ball that this version's rules do not give."""
    at = next(i for i, event in enumerate(events) if event.type == "BallBowled")
    changed = events[at].model_copy(update={"data": {**events[at].data, "kmh": 1}})
    return [*events[:at], changed, *events[at + 1 :]]


def test_a_record_names_the_version_of_its_rules(record: Path) -> None:
    events = read(record)
    assert events[0].data["rules"] == NOW
    assert verify(events).over


def test_a_record_of_older_rules_that_gives_other_events_is_not_called_tampered(record: Path) -> None:
    events = other_ball(read(record))
    with pytest.raises(ReplayMismatch, match=r"event \d+ \(BallBowled\) differs"):
        verify(events)
    with pytest.raises(OtherRules, match=f"recorded under version 1 of the rules of cricket; this is version {NOW}"):
        verify(under(events, 1))


def test_a_record_of_older_rules_that_gives_the_same_events_is_verified(record: Path) -> None:
    assert verify(under(read(record), 1)).over


def test_a_record_without_a_version_is_of_version_1(record: Path) -> None:
    events = other_ball(read(record))
    data = {name: value for name, value in events[0].data.items() if name != "rules"}
    with pytest.raises(OtherRules, match="version 1"):
        verify([events[0].model_copy(update={"data": data}), *events[1:]])


def test_a_match_of_older_rules_is_taken_up_only_where_its_choices_still_give_its_events(record: Path) -> None:
    events = read(record)[:-2]
    assert taken_up(events).spec.name == "cricket"
    assert taken_up(under(events, 1)).spec.name == "cricket"
    with pytest.raises(OtherRules):
        taken_up(under(other_ball(events), 1))


def test_replay_says_that_a_record_is_of_older_rules(record: Path, tmp_path: Path) -> None:
    header, *lines = record.read_text("utf-8").splitlines()
    events = under(other_ball(read(record)), 1)
    assert len(lines) == len(events)
    file = tmp_path / "older.jsonl"
    reports = [event.model_dump_json() for event in events]
    file.write_text("\n".join([header, *reports]) + "\n", "utf-8")
    assert json.loads(reports[0])["data"]["rules"] == 1
    replayed = CliRunner().invoke(app, ["replay", str(file)])
    assert replayed.exit_code == 1
    assert "recorded under version 1 of the rules of cricket" in " ".join(replayed.output.split())


def test_a_game_counts_its_rules_from_1() -> None:
    assert all(game_spec(name).rules.version >= 1 for name in GAMES)


def test_a_turn_that_does_not_begin_is_noticed(record: Path) -> None:
    events = read(record)
    turns = [event for event in events if event.type == "TurnStarted"]
    for turn in (turns[0], turns[len(turns) // 2], turns[-1]):
        renamed = [event.model_copy(update={"type": "Foo"}) if event == turn else event for event in events]
        with pytest.raises(ReplayMismatch, match=f"no TurnStarted begins turn {turn.data['index']}"):
            verify(renamed)


def test_a_match_of_plans_is_verified_and_asks_nobody_where_a_plan_stands(tmp_path: Path) -> None:
    settings = ["--set", "overs=2", "--set", "decisions=over", "--players", "heuristic,random"]
    played = CliRunner().invoke(app, ["play", "cricket", "--out", str(tmp_path), "--jobs", "1", "--json", *settings])
    assert played.exit_code == 0, played.output
    events = read(next(tmp_path.glob("*.jsonl")))
    assert verify(events).over
    sources = Counter(event.data["source"] for event in flat(events) if event.type == "ActionChosen")
    assert sources.keys() == {"heuristic", "standing"}
    assert sources["standing"] > sources["heuristic"]
    rows = decisions(view_of(events, ANALYST, time.time()))
    assert len(rows) == sources["heuristic"]
    assert {row.source for row in rows} == {"heuristic"}
    asked = [event.data["to_act"] for event in events if event.type == "TurnStarted"]
    assert [] in asked
