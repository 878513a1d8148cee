"""Openings and mixes of units as in the human games that the tables were made from."""

from __future__ import annotations

import csv
import importlib.util
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from grandstand.games.diplomacy.bots.mix import fleet_share
from grandstand.games.diplomacy.bots.openings import book, opening
from grandstand.games.diplomacy.bots.stance import NEUTRAL, Stance
from grandstand.games.diplomacy.rules.map import POWER, POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.state import State

ROOT = Path(__file__).parents[4]
START = State.start()


def test_the_tables_are_those_of_the_human_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("human_tables", ROOT / "scripts/diplomacy/human_tables.py")
    assert spec is not None
    assert spec.loader is not None
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    monkeypatch.setattr(tables, "TABLES", tmp_path)
    tables.main()
    for name in ("openings.csv", "fleets.csv"):
        assert (tmp_path / name).read_text() == (ROOT / "grandstand/games/diplomacy/data" / name).read_text()


def test_openings_come_as_often_as_people_played_them() -> None:
    for power in range(len(POWERS)):
        drawn = Counter(
            str(sorted((opening(START, power, Random(seed), NEUTRAL) or {}).items())) for seed in range(400)
        )
        total = sum(games for _, games in book()[power])
        assert total == 20
        for plan, games in book()[power]:
            assert drawn[str(sorted(plan.items()))] / 400 == pytest.approx(games / total, abs=0.08)


def test_a_pledge_narrows_the_choice_and_none_fits_an_odd_one() -> None:
    def pledged(text: str) -> Stance:
        order = parse_order(text, START, POWER["FRANCE"])
        return Stance(pledged={UNIT_PROVINCE[order[1]]: order})

    for seed in range(20):
        plan = opening(START, POWER["FRANCE"], Random(seed), pledged("A PAR - PIC"))
        assert plan is not None
        assert parse_order("A PAR - PIC", START, POWER["FRANCE"]) in plan.values()
    assert opening(START, POWER["FRANCE"], Random(0), pledged("A PAR H")) is None


def test_only_the_start_is_in_the_book() -> None:
    assert opening(START.resolve({}).after, POWER["FRANCE"], Random(0), NEUTRAL) is None


def test_fleet_shares_go_by_power_and_size() -> None:
    with (ROOT / "grandstand/games/diplomacy/data/fleets.csv").open() as lines:
        rows = {(row["power"], int(row["centers"])): row for row in csv.DictReader(lines)}
    for name in POWERS:
        row = rows[name, 5]
        assert fleet_share(POWER[name], 6) == int(row["fleets"]) / int(row["units"])
    assert fleet_share(POWER["ENGLAND"], 4) > fleet_share(POWER["AUSTRIA"], 4)
    assert fleet_share(POWER["TURKEY"], 15) < 0.5
    assert fleet_share(POWER["TURKEY"], 0) == fleet_share(POWER["TURKEY"], 1)
