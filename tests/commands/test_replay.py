"""`grandstand replay`: whole records are checked, others refused by file, event and field; no terminal is steered."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from grandstand.main import app
from grandstand.models import Event
from grandstand.play.verification import ReplayMismatch, verify
from grandstand.spectator.errors import RecordError
from grandstand.spectator.record_file import read_events
from grandstand.spectator.replay import complete, to_lines
from grandstand.spectator.viewpoint import Viewpoint, chain_head
from tests.support.command import grandstand, words

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a match of one year."""
    folder = tmp_path_factory.mktemp("records")
    grandstand("play", "diplomacy", "--players", "random", "--set", "last_year=1901", "--out", str(folder))
    return folder / "diplomacy-0.jsonl"


def tampered(record: Path, folder: Path, change: Callable[[Lines], object]) -> Path:
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    change(lines)
    file = folder / "tampered.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def first(lines: Lines, kind: str) -> dict[str, Any]:
    parts = (part for line in lines for part in [line, *line.get("data", {}).get("events", [])])
    return next(part for part in parts if part.get("type") == kind)


def set_data(kind: str, field: str, value: object) -> Callable[[Lines], object]:
    return lambda lines: first(lines, kind)["data"].__setitem__(field, value)


TAMPERED = {
    "a choice that is not legal": (set_data("ActionChosen", "action", {"orders": ["A PAR - MOS"]}), "rules refuse"),
    "another legal choice": (set_data("ActionChosen", "action", {"orders": []}), "differs: orders"),
    "a choice of no seat": (set_data("ActionChosen", "seat", "PERU"), "no seat 'PERU'"),
    "a choice without a seat": (lambda lines: first(lines, "ActionChosen")["data"].pop("seat"), "data.seat"),
    "another seed": (set_data("SeedSet", "seed", "x"), "data.seed"),
    "an unknown game": (set_data("EpisodeCreated", "game", "chess"), "unknown game 'chess'"),
    "an unknown option": (set_data("EpisodeCreated", "options", {"year": 1}), "options.year"),
    "another standing": (set_data("TurnStarted", "scores", {"FRANCE": 1.0}), "differs: scores"),
    "another outcome": (lambda lines: lines[-1]["data"]["outcome"].update(reason="solo"), "differs: outcome.reason"),
    "no status": (lambda lines: lines[-1].__setitem__("data", {}), "data.status"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_record_is_refused_by_file_and_event(name: str, record: Path, tmp_path: Path) -> None:
    change, message = TAMPERED[name]
    file = tampered(record, tmp_path, change)
    refused = CliRunner().invoke(app, ["replay", str(file)])
    assert refused.exit_code == 1
    assert isinstance(refused.exception, SystemExit), "no traceback"
    text = words(refused.stderr)
    assert text.startswith(f"grandstand replay: {file}: event ")
    assert message in text
    assert not refused.stdout


def test_random_tampering_ends_in_a_refusal_or_changes_nothing_that_is_played(record: Path, tmp_path: Path) -> None:
    rng = Random(5)
    wrong: tuple[Any, ...] = (None, True, -1, 1.5, "x", [], {}, ["A PAR H"])
    refusals = 0
    for _ in range(150):

        def change(lines: Lines) -> None:
            value: Any = rng.choice(lines[1:])
            while True:
                key = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
                if not isinstance(value[key], dict | list) or not value[key] or rng.random() < 0.3:
                    value[key] = rng.choice(wrong)
                    return
                value = value[key]

        try:
            verify(complete(read_events(tampered(record, tmp_path, change))).events)
        except (RecordError, ReplayMismatch):
            refusals += 1
    assert refusals > 75


def test_a_gzipped_record_is_read_as_it_is(record: Path, tmp_path: Path) -> None:
    file = tmp_path / "copy.jsonl.gz"
    file.write_bytes(gzip.compress(record.read_bytes()))
    assert "events follow from the recorded choices" in grandstand("replay", str(file)).stdout
    file.write_bytes(file.read_bytes()[:-40])
    assert f"{file}: " in words(grandstand("replay", str(file), status=1).stderr)


@pytest.mark.parametrize(("game", "format", "kind"), [
    ("diplomacy", "saved-game", "a saved game of Diplomacy"),
    ("cricket", "cricsheet", "a Cricsheet document"),
])  # fmt: skip
def test_a_document_of_another_format_is_named(game: str, format: str, kind: str, tmp_path: Path) -> None:
    short = "last_year=1901" if game == "diplomacy" else "overs=1"
    arguments = ("--players", "random", "--set", short, "--format", format, "--out", str(tmp_path))
    grandstand("play", game, *arguments)
    refused = words(grandstand("replay", str(tmp_path / f"{game}-0.json"), status=1).stderr)
    assert f"this is {kind}" in refused
    assert "Records are JSON lines" in refused


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00", b"[" * 100_000, b"", b"\n\n", b'{"format": 1}\n', b"\x1f\x8b no gzip"]
)
def test_a_file_that_is_no_record_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "other"
    file.write_bytes(content)
    refused = grandstand("replay", str(file), status=1)
    assert words(refused.stderr).startswith(f"grandstand replay: {file}: ")
    assert "Traceback" not in refused.stderr


def test_what_players_wrote_cannot_steer_the_terminal(record: Path, tmp_path: Path) -> None:
    """A held message is recorded, and no rule says what its text is."""
    hostile = "\u202eevil\u2066 \x1b[2J\x07 \x9b31m [red]markup[/red]"

    def change(lines: Lines) -> None:
        end = lines[-1]
        held = {"id": "1", "seat": "FRANCE", "action": {"message": {"text": hostile}}}
        lines.insert(-1, {**end, "type": "MessageHeld", "audience": "operator", "data": held})
        end["seq"] += 1

    shown = grandstand("replay", str(tampered(record, tmp_path, change))).stdout
    assert "\\u202eevil" in shown
    assert "[red]markup[/red]" in shown
    assert not [char for char in shown if char != "\n" and not char.isprintable()]


def test_what_a_viewer_has_noted_tells_a_record_that_was_changed(record: Path, tmp_path: Path) -> None:
    """Also where the rules cannot tell, in the middle of a match, and in a file without what was withheld."""
    view = Viewpoint("seat", "FRANCE")
    events = read_events(record)
    known = [view.known(event) for event in events]
    redacted = tmp_path / "redacted.jsonl"
    redacted.write_text("".join(to_lines(events, view)))
    for head in (chain_head(known), chain_head(known[:20])):
        for file in (record, redacted):
            grandstand("replay", str(file), "--chain", head, "--as", "seat:FRANCE")
    whole = chain_head(known)
    assert json.loads(grandstand("replay", str(record), "--json", "--as", "seat:FRANCE").stdout)["chain"] == whole
    retimed = tampered(record, tmp_path, lambda lines: lines[5].update(at=lines[5]["at"] + 1))
    grandstand("replay", str(retimed))
    for arguments in ((str(retimed), "--chain", whole), (str(record), "--chain", f"{whole[:-1]}x")):
        refused = grandstand("replay", *arguments, "--as", "seat:FRANCE", status=1)
        assert "it is not what was shown to seat:FRANCE up to" in words(refused.stderr)


def test_the_chain_is_that_of_the_documentation() -> None:
    event = Event(episode_id="é", epoch=1, seq=0, at=1.5, type="T", audience="public", data={"b": 1, "a": "x"})
    first = r'{"at":1.5,"audience":"public","data":{"a":"x","b":1},"episode_id":"\u00e9","epoch":1,"seq":0,"type":"T"}'
    link = sha256(sha256(first.encode()).digest() + b'{"seq":1}').hexdigest()
    assert chain_head([event, None]) == f"1:{link}"
