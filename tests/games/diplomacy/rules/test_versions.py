"""Records that were made by older rules."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from grandstand.games.diplomacy.rules.versions import RULES, as_of
from grandstand.models import Event
from grandstand.play.verification import ReplayMismatch, verify
from tests.support.players.promise_player import events, played

OLD = Path(__file__).parents[1] / "data" / "promises_rules_1.jsonl.gz"


def old_record() -> list[Event]:
    with gzip.open(OLD, "rt") as lines:
        return [Event.model_validate_json(line) for line in lines]


def test_a_record_of_older_rules_still_replays() -> None:
    record = old_record()
    assert verify(record).over
    assert any(event.type == "PromiseBroken" for event in record)
    again = [event for event in events(played()) if event.type == "OrdersResolved"]
    assert [event.data for event in again] != [event.data for event in record if event.type == "OrdersResolved"]


@pytest.mark.parametrize("rules", [1, 2])
def test_what_every_version_agrees_on_is_still_compared(rules: int) -> None:
    record = old_record() if rules == 1 else events(played())
    resolved = ((seq, event) for seq, event in enumerate(record) if event.type == "OrdersResolved")
    seq, event = next((seq, event) for seq, event in resolved if '"bounce"' in json.dumps(event.data))
    data = json.loads(json.dumps(event.data).replace('"bounce"', '"cut"', 1))
    record[seq] = event.model_copy(update={"data": data})
    with pytest.raises(ReplayMismatch, match=f"event {seq} "):
        verify(record)


def test_notes_without_aims_are_those_of_a_record_that_has_no_field_for_them() -> None:
    notes = {"seat": "ITALY", "turn": "S1901M", "notes": "", "trust": {}, "left_out": []}
    assert as_of(RULES, "NotesTaken", {**notes, "aims": []}) == as_of(RULES, "NotesTaken", notes) == notes
    aiming = {**notes, "aims": ["FRANCE"]}
    assert as_of(RULES, "NotesTaken", aiming) == aiming


def test_a_record_of_todays_rules_is_compared_whole() -> None:
    record = events(played())
    verify(record)
    assert record[0].data["rules"] == 2
    seq, event = next((seq, event) for seq, event in enumerate(record) if event.type == "PromiseBroken")
    record[seq] = event.model_copy(update={"data": event.data | {"order": "A PAR H"}})
    with pytest.raises(ReplayMismatch, match=f"event {seq} "):
        verify(record)
