"""The reference matches are drawn from their numbers, played once, and kept with what is chosen by."""

from __future__ import annotations

from pathlib import Path

import pytest

from grandstand.events import OutlookUpdated
from grandstand.games.registry import game_spec
from grandstand.models import Event
from scripts.reference_past import play
from scripts.reference_past.play import RECORDS, SERIES, Kept, kept_record, play_all, play_one, surprise


@pytest.mark.parametrize("name", sorted(SERIES))
def test_a_match_is_drawn_from_its_number(name: str, tmp_path: Path) -> None:
    series = SERIES[name]
    plan = series.plan(7, tmp_path)
    assert plan == series.plan(7, tmp_path)
    assert plan.seed == 7
    assert len(plan.players) == len(game_spec(plan.game).seats(plan.options))
    assert {series.plan(number, tmp_path).players for number in range(9)} != {plan.players}


def test_every_quick_player_and_one_character_meet_in_a_match_without_letters(tmp_path: Path) -> None:
    players = SERIES["gunboat"].plan(3, tmp_path).players
    assert {*SERIES["gunboat"].cast} < {*players}
    assert len({*players}) == len(players)


def test_a_match_is_kept_with_its_result_and_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = SERIES["werewolf"].plan(0, tmp_path / RECORDS)
    (tmp_path / RECORDS).mkdir()
    play_one(tmp_path, plan)
    kept = Kept.model_validate_json((tmp_path / RECORDS / f"{plan.episode_id}.json").read_bytes())
    assert kept.summary.reference
    assert (kept.summary.title, kept.summary.reveal) == ("Werewolf, match 1", "live")
    assert kept.result is not None
    assert kept.surprise > 0
    assert [file.name for file in (tmp_path / RECORDS).iterdir() if file.suffix == ".jsonl"] == []
    written = kept_record(tmp_path, plan.episode_id).stat().st_mtime_ns
    monkeypatch.setattr(play, "ProcessPoolExecutor", refused)
    with pytest.raises(AssertionError, match="played again"):
        play_all(tmp_path, {"werewolf": 2}, 1)
    monkeypatch.undo()
    play_all(tmp_path, {"werewolf": 1}, 1)
    assert kept_record(tmp_path, plan.episode_id).stat().st_mtime_ns == written


def refused(*_: object) -> None:
    raise AssertionError("played again")


def test_surprise_is_how_far_the_chances_moved() -> None:
    chances = [{"a": 0.5, "b": 0.5}, {"a": 0.9, "b": 0.1}, {"a": 0.0, "b": 1.0}]
    events = [
        Event(
            episode_id="x",
            epoch=0,
            seq=seq,
            at=0.0,
            type=OutlookUpdated.__name__,
            audience="public",
            data={"chances": each},
        )
        for seq, each in enumerate(chances)
    ]
    assert surprise(events) == pytest.approx(0.4 + 0.9)
    assert surprise(events[:1]) == 0
