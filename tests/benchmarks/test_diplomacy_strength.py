"""A player in whole games of Diplomacy: its seats, its score in them, and games that are not played twice."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from benchmarks.diplomacy_strength import OFFSETS, main, play, policy_chooser, rows
from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWERS
from tests.support.trainer.run_folder import RunFolder
from tests.support.trainer.tiny import tiny

SHORT = DiplomacyOptions(press="none", last_year=1902)
APP = typer.Typer()
APP.command()(main)


def test_in_seven_games_every_seat_and_every_pair_of_seats_is_played_equally_often() -> None:
    seats: Counter[str] = Counter()
    pairs: Counter[tuple[str, ...]] = Counter()
    for number in range(7):
        own = sorted(play(BOTS["dumbbot"], 3, "random", number, 1, SHORT)["scores"])
        seats.update(own)
        pairs.update(combinations(own, 2))
    assert seats == dict.fromkeys(POWERS, len(OFFSETS[3]))
    assert set(pairs.values()) == {1}
    assert len(pairs) == 21


def test_the_scores_are_those_of_its_own_seats_and_the_same_each_time() -> None:
    result = play(BOTS["dumbbot"], 1, "hold", 2, 1, SHORT)
    assert list(result["scores"]) == ["FRANCE"]
    assert result["scores"]["FRANCE"] > 1 / 7
    again = play(BOTS["dumbbot"], 1, "hold", 2, 1, SHORT)
    assert {**result, "seconds": 0} == {**again, "seconds": 0}


@pytest.mark.long
def test_a_policy_is_asked_as_it_is_in_live_matches(tmp_path: Path) -> None:
    run = RunFolder(tiny(), tmp_path / "run")
    run.publish(1)
    plain, searching = (play(policy_chooser(run.options(search=search)), 1, "hold", 0, 1, SHORT) for search in (0, 2))
    assert plain["decisions"] > 3
    assert searching["scores"]["AUSTRIA"] > plain["scores"]["AUSTRIA"]


def test_games_that_the_file_has_are_not_played_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ["--player", "dumbbot", "--field", "hold", "--games", "2", "--record", str(file)]
    first = CliRunner().invoke(APP, arguments)
    assert first.exit_code == 0, first.output
    assert "| dumbbot | 2 |" in first.output
    kept = file.read_text()
    assert CliRunner().invoke(APP, arguments).output == first.output
    assert file.read_text() == kept
    assert CliRunner().invoke(APP, [*arguments, "--seed", "2"]).exit_code == 0
    assert [json.loads(line)["seed"] for line in file.read_text().splitlines()] == [1, 1, 2, 2]


def test_a_row_for_every_seat() -> None:
    results = [play(BOTS["dumbbot"], 1, "hold", number, 1, SHORT) for number in range(3)]
    lines = rows("dumbbot", results)
    assert [line[0] for line in lines] == ["dumbbot", *POWERS[:3]]


@pytest.mark.parametrize("arguments", [[], ["--player", "hold", "--policy", "x"], ["--player", "hold", "--seats", "2"]])
def test_wrong_arguments_are_named(arguments: list[str]) -> None:
    result = CliRunner().invoke(APP, arguments)
    assert result.exit_code == 2
    assert "give --policy or --player, and --seats 1 or 3" in result.output
