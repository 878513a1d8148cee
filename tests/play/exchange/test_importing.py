"""Files as episodes: the same content is the same episode, and a bad file changes nothing and is named."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

from grandstand.events import EpisodeCreated
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.models import Event, flat
from grandstand.play.exchange import importing
from grandstand.play.exchange.exporting import export_text, game_document, view_of
from grandstand.play.exchange.importing import (
    ImportedEpisode,
    ImportFault,
    is_imported_document,
    read_import,
    verify_import,
)
from grandstand.play.verification import ReplayMismatch, verify
from grandstand.spectator.replay import complete, to_lines
from grandstand.spectator.viewpoint import OPERATOR, SPECTATOR, Viewpoint
from tests.support.cricket.documents import document_of, simulated
from tests.support.diplomacy.human_games import GAMES
from tests.support.diplomacy.site_games import as_a_site_writes_it
from tests.support.play.canaries import TOKEN, record, secret

HUMAN = as_a_site_writes_it(GAMES[0])
CRICKET = document_of(simulated(3, overs=1))
DOCUMENTS = {"saved-game": HUMAN, "cricsheet": CRICKET}


def file_of(document: Any) -> bytes:
    return json.dumps(document).encode()


def record_file(viewpoint: Viewpoint = OPERATOR) -> bytes:
    return "".join(to_lines(record(), viewpoint)).encode()


def kinds(imported: ImportedEpisode) -> set[str]:
    return {event.type for event in flat(imported.events)}


@pytest.mark.parametrize("form", DOCUMENTS)
def test_a_document_becomes_a_whole_episode_with_its_story(form: str) -> None:
    imported = read_import("game.json", file_of(DOCUMENTS[form]))
    episode = complete(imported.events)
    created = EpisodeCreated.model_validate(episode.events[0].data)
    assert created.origin == "imported"
    assert created.reveal == "live"
    assert created.source.startswith("game.json (a ")
    assert {info.kind for info in created.seats} == {"human"}
    assert {"FactNoted", "CommentAdded", "OutlookUpdated", "TurnStarted"} <= kinds(imported)
    assert is_imported_document(imported.events)
    chances = [event.data["chances"] for event in episode.events if event.type == "OutlookUpdated"]
    assert any(chances)
    assert all(sum(chance.values()) == pytest.approx(1, abs=0.01) for chance in chances if chance)


@pytest.mark.parametrize("form", DOCUMENTS)
def test_a_document_comes_out_as_it_went_in(form: str) -> None:
    imported = read_import("game.json", file_of(DOCUMENTS[form]))
    view = view_of(imported.events, Viewpoint("analyst"), 1e12)
    assert json.loads(json.dumps(game_document(view, form))) == DOCUMENTS[form]
    verify_import(imported.events)


def test_the_content_is_the_name() -> None:
    first = read_import("a.json", file_of(CRICKET))
    again = read_import("b.json.gz", gzip.compress(json.dumps(CRICKET, indent=2, sort_keys=True).encode()))
    other = read_import("a.json", file_of({**CRICKET, "meta": {}}))
    assert first.episode_id == again.episode_id != other.episode_id
    assert first.episode_id.startswith("cricket-")


def test_title_and_source_can_be_named() -> None:
    created = read_import("a.json", file_of(CRICKET), "The final", "my own archive").created
    assert (created.title, created.source) == ("The final", "my own archive")


@pytest.mark.parametrize("content", [file_of(CRICKET), record_file()], ids=["document", "record"])
def test_a_title_is_part_of_the_name(content: bytes) -> None:
    """The first import of a game does not decide its title for others."""
    own, mine = read_import("a", content), read_import("a", content, "My final")
    assert own.episode_id != mine.episode_id == read_import("b", content, "My final").episode_id
    assert own.created.title != "My final" == mine.created.title
    exported = export_text(view_of(mine.events, OPERATOR, 0), "jsonl", Path())
    again = read_import("r.jsonl", exported.encode())
    assert again.created.title == "My final"


def test_secrets_of_a_human_game_are_in_private_batches() -> None:
    imported = read_import("a.json", file_of(HUMAN))
    public = json.dumps([event.model_dump(mode="json") for event in imported.events if event.audience == "public"])
    assert "a secret" not in public
    assert "to all" in public
    assert sum(event.type == "MessageSent" for event in flat(imported.events)) == 2 * len(HUMAN["phases"])


# --- records ----------------------------------------------------------------------------------------------------------


def changed(events: tuple[Event, ...], imported: ImportedEpisode) -> list[Event]:
    """Return the events of a record as an import leaves them."""
    created = {**events[0].data, "origin": "imported", "source": "r.jsonl (episode canary-1)"}
    first = events[0].model_copy(update={"data": created})
    return [event.model_copy(update={"episode_id": imported.episode_id}) for event in (first, *events[1:])]


def test_a_record_is_the_same_but_for_its_name_and_origin() -> None:
    imported = read_import("r.jsonl", record_file())
    expected = changed(record(), imported)
    lost = {event.seq for event in record() if event.type == "SeatOpened"}
    assert [event for event in imported.events if event.seq not in lost] == [
        event for event in expected if event.seq not in lost
    ]
    assert TOKEN not in str(imported.events), "a token of the original opens nothing here"
    assert verify(imported.events).over, "its choices can be played again"
    assert not is_imported_document(imported.events)


def test_an_exported_import_is_the_same_file_again() -> None:
    imported = read_import("r.jsonl", record_file())
    exported = export_text(view_of(imported.events, OPERATOR, 0), "jsonl", Path())
    again = read_import("r.jsonl", exported.encode())
    assert again.episode_id == imported.episode_id
    assert export_text(view_of(again.events, OPERATOR, 0), "jsonl", Path()) == exported


def test_a_spectators_record_can_be_watched_and_stays_withheld() -> None:
    imported = read_import("r.jsonl", record_file(SPECTATOR))
    assert [event.seq for event in imported.events] == list(range(len(record())))
    assert not any(secret(power, other) in str(imported.events) for power in POWERS for other in POWERS)
    lines = list(to_lines(imported.events, SPECTATOR))
    original = list(to_lines(record(), SPECTATOR))
    assert [json.loads(line).keys() for line in lines] == [json.loads(line).keys() for line in original]
    assert lines[-1].replace(imported.episode_id, "canary-1") == original[-1]


def test_verification_notices_a_changed_event() -> None:
    imported = read_import("a.json", file_of(CRICKET))
    place = next(number for number, event in enumerate(imported.events) if event.type == "BallBowled")
    data = {**imported.events[place].data, "partnership": [99, 99]}
    events = list(imported.events)
    events[place] = events[place].model_copy(update={"data": data})
    with pytest.raises(ReplayMismatch, match=rf"event {place} \(BallBowled\) differs"):
        verify_import(events)


def lines_with(number: int, text: str) -> bytes:
    lines = record_file().decode().split("\n")
    lines[number - 1] = text
    return "\n".join(lines).encode()


def event_line(seq: int, kind: str, data: dict[str, Any]) -> str:
    event = record()[seq].model_copy(update={"type": kind, "audience": "public", "data": data})
    return event.model_dump_json()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.json: line 1: not JSON"),
        (b"\xff\xfe{}", "a.json: not UTF-8 at byte 1"),
        (b"[1, 2]", "a.json: a JSON list, not an object; a file can be a saved game of Diplomacy, a Cricsheet match"),
        (b'{"moves": "1. e4"}', "a.json: its keys are moves; a file can be"),
        (b"[" * 100_000, "a.json: not JSON"),
        (b"\x1f\x8b\x08 damaged", "a.json: the gzip file is damaged"),
        (gzip.compress(file_of(CRICKET))[:-20], "a.json: the gzip file is damaged"),
        (file_of({**HUMAN, "map": "modern"}), "a.json: map: 'modern' is not the standard map"),
        (b'{"format": "grandstand-episode", "version": 9, "viewpoint": "operator"}', "line 1: format version 9"),
        (b'{"format": "other", "version": 1, "viewpoint": "x"}', "line 1: not a Grandstand episode"),
        (record_file().rpartition(b"\n{")[0], "a.json: episode canary-1: no end after event"),
        (lines_with(9, "{"), "a.json: line 9: "),
        (lines_with(9, event_line(7, "TurnStarted", {"index": "x"})), "a.json: line 9: TurnStarted: data.index: "),
        (lines_with(9, event_line(7, "Unheard", {})), "a.json: line 9: Unheard: diplomacy has no event of this type"),
        (lines_with(9, event_line(7, "PrivateBatch", {"events": 5})), "a.json: line 9: PrivateBatch: data.events: "),
        (
            lines_with(9, event_line(7, "PrivateBatch", {"events": [{"type": [], "audience": "public", "data": {}}]})),
            "a.json: line 9: PrivateBatch: data.events.0.type: ",
        ),
        (
            lines_with(9, event_line(7, "MessageSent", {"text": 1.5}).replace("1.5", "NaN")),
            "a.json: line 9: MessageSent: data: it has a number or a text that is no JSON",
        ),
        (file_of({**HUMAN, "id": "\ud800"}), "a.json: it has a number or a text that is no JSON"),
        (file_of({**HUMAN, "note": float("inf")}), "a.json: it has a number or a text that is no JSON"),
        (
            lines_with(2, event_line(0, "EpisodeCreated", {**record()[0].data, "game": "chess"})),
            "a.json: line 2: data.game: 'chess' is not a game of this Grandstand",
        ),
        (
            lines_with(2, event_line(0, "EpisodeCreated", {**record()[0].data, "title": "x" * 301})),
            "a.json: line 2: data.title: has 301 characters; shorten it to 300",
        ),
        (
            lines_with(9, event_line(7, "MessageSent", {"text": "x" * 1024**2})),
            "a.json: line 9: MessageSent: data: has 1048587 characters; an event has at most 1048576",
        ),
        (file_of({**CRICKET, "meta": "x" * 1024**2}), "data: has 10"),
        (b"[" + b"{}," * 2_000_000 + b"{}]", "a.json: more than 4000000 values; import a game at a time"),
    ],
)
def test_a_bad_file_is_named_with_its_place_and_remedy(content: bytes, message: str) -> None:
    with pytest.raises(ImportFault) as error:
        read_import("a.json", content)
    assert str(error.value).startswith("a.json: ")
    assert message in str(error.value)


@pytest.mark.parametrize("content", [file_of(CRICKET), record_file()], ids=["document", "record"])
def test_a_file_of_too_many_events_is_refused(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    count = len(read_import("a", content).events)
    monkeypatch.setattr(importing, "MAX_EVENTS", count)
    assert read_import("a", content)
    monkeypatch.setattr(importing, "MAX_EVENTS", count - 1)
    with pytest.raises(ImportFault, match=f"a: more than {count - 1} events"):
        read_import("a", content)


def test_a_file_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MAX_BYTES", 1 << 20)
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as file:
        file.write(b" " * (8 << 20))
    with pytest.raises(ImportFault, match=r"a.json: more than 1 MiB; import a game at a time"):
        read_import("a.json", packed.getvalue())
