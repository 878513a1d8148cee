"""The decisions of an episode as a dataset: rows, Parquet, and the card."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from grandstand.events import Reveal
from grandstand.games.base import OptionError
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.play.exchange.dataset import write_dataset
from grandstand.play.exchange.decisions import COLUMNS, DecisionRow, decisions
from grandstand.play.exchange.exporting import EpisodeView, revealed, view_of
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint
from tests.support.play.canaries import CLOSING, record

ANALYST = Viewpoint("analyst")


def view(viewpoint: Viewpoint = ANALYST, reveal: Reveal = "never") -> EpisodeView:
    return view_of(record(reveal), viewpoint, 1e9)


def rows_of(seat: str, task: str) -> list[DecisionRow]:
    return [row for row in decisions(view()) if (row.seat, row.task) == (seat, task)]


def test_a_row_tells_what_was_asked_chosen_and_spent() -> None:
    first = rows_of("FRANCE", "choose")[0]
    event = record()[first.seq]
    assert event.type == "PrivateBatch"
    assert first.moment == f"canary-1/{first.seq}"
    assert first.prompt is not None
    assert first.prompt.startswith("You play FRANCE in Diplomacy")
    assert first.system is not None
    legal = json.loads(first.legal or "")
    chosen = json.loads(first.action)["orders"]
    assert first.turn == "S1901M"
    assert all(order in {text for texts in legal["orders"].values() for text in texts} for order in chosen)
    assert (first.source, first.player, first.kind) == ("policy", "canary", "test")
    assert (first.tokens_in, first.tokens_out, first.dollars, first.calls) == (11, 7, 0.25, 1)


def test_a_prompt_is_that_of_its_own_moment() -> None:
    spring, autumn = rows_of("FRANCE", "choose")[:2]
    assert (spring.turn, autumn.turn) == ("S1901M", "F1901M")
    assert spring.prompt is not None
    assert autumn.prompt is not None
    assert "S1901M" in spring.prompt
    assert "F1901M" in autumn.prompt
    assert "F1901M" not in spring.prompt


def test_faults_and_refusals_stand_beside_what_the_fallback_did() -> None:
    failed, refused = rows_of("ENGLAND", "choose")[0], rows_of("ITALY", "choose")[0]
    assert (failed.source, failed.fault, failed.fault_message) == ("fallback", "timeout", "no answer in time")
    assert (refused.source, refused.fault) == ("fallback", "rules")
    assert refused.refused is not None
    assert "A VEN - LON" in refused.refused or "orders" in refused.refused
    assert {row.fault for row in rows_of("FRANCE", "choose")} == {None}


def test_messages_are_decisions_without_a_legal_set() -> None:
    first = rows_of("FRANCE", "negotiate")[0]
    assert "message" in json.loads(first.action)
    assert first.legal is None
    assert first.prompt is not None


def test_rewards_are_those_of_the_game() -> None:
    every = decisions(view())
    ended = [json.loads(row.final_rewards) for row in every if row.task == "choose"]
    assert all("score" in final for final in ended)
    assert sum({row.seat: row.score or 0 for row in every}.values()) == pytest.approx(1)


def test_a_seat_gets_its_own_rows_and_a_spectator_none() -> None:
    assert {row.seat for row in decisions(view(Viewpoint.parse("seat:FRANCE")))} == {"FRANCE"}
    assert {row.seat for row in decisions(view())} == set(POWERS)
    assert decisions(view(SPECTATOR)) == []
    assert all(row.tokens_in is None for row in decisions(view(Viewpoint.parse("seat:FRANCE"))))


def test_the_folder_is_a_dataset_with_a_card(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "decisions"
    count = write_dataset([view()], folder)
    assert sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()) == [
        "README.md",
        "data/canary-1.parquet",
    ]
    table = pq.read_table(folder / "data" / "canary-1.parquet")
    assert table.num_rows == count == len(decisions(view()))
    assert table.column_names == list(COLUMNS)
    text = (folder / "README.md").read_text()
    _, head, body = text.split("---\n", 2)
    metadata = yaml.safe_load(head)
    assert metadata["license"] == "cc-by-4.0"
    assert metadata["size_categories"] == ["n<1K"]
    assert metadata["configs"] == [{"config_name": "default", "data_files": "data/*.parquet"}]
    assert "diplomacy" in metadata["tags"]
    assert CLOSING not in body, "a title cannot write the card"
    assert all(f"| `{name}` |" in body for name in COLUMNS)


def test_what_everybody_may_know_follows_the_reveal(tmp_path: Path) -> None:
    opened = view_of(record("live"), revealed("live", over=True), 1e9)
    assert write_dataset([opened], tmp_path / "live") > 0
    closed = view_of(record("never"), revealed("never", over=True), 1e9)
    with pytest.raises(
        OptionError, match="as: a spectator may know no decision of canary-1, whose `reveal` is 'never'"
    ):
        write_dataset([closed], tmp_path / "never")
    assert os.listdir(tmp_path) == ["live"], "nothing half-written stays"


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(
        OptionError, match=r"out: .* is there already and is no dataset of decisions; name a new folder"
    ):
        write_dataset([view()], tmp_path)
    assert os.listdir(tmp_path) == ["mine"]


def test_a_licence_of_ones_own(tmp_path: Path) -> None:
    write_dataset([view()], tmp_path / "d", "odc-by")
    assert "license: odc-by" in (tmp_path / "d" / "README.md").read_text()
