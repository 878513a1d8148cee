"""`grandstand publish`: options are parsed as by `play`, and errors name the option."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grandstand.commands.console import PUBLISH_TOKEN
from grandstand.main import app


def error_of(*arguments: str, token: str = "secret") -> str:
    result = CliRunner().invoke(app, ["publish", *arguments], env={PUBLISH_TOKEN: token})
    assert result.exit_code == 2
    return " ".join(result.stderr.split())


def test_a_missing_token_is_named() -> None:
    assert error_of(token="") == f"grandstand publish: token: set {PUBLISH_TOKEN} to the server's publish token"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("chess",), "chess"),
        (("diplomacy", "--players", "hold,hold"), "players: 2 named for 7 seats"),
        (("diplomacy", "--set", "last_year"), "set: 'last_year' is not name=value"),
        (("diplomacy", "--set", "years=3"), "years"),
        (("diplomacy", "--players", "person"), "players.AUSTRIA: person is played from outside"),
        (("--url", "nonsense"), "url: 'nonsense' is not the address of a server"),
        (("--url", "ftp://127.0.0.1"), "url: 'ftp://127.0.0.1' is not the address of a server"),
        (("--url", "http://127.0.0.1:99999"), "url: 'http://127.0.0.1:99999' is not the address of a server"),
    ],
)
def test_invalid_options_are_refused_before_anything_is_sent(arguments: tuple[str, ...], error: str) -> None:
    assert error in error_of(*arguments)


def test_a_buffer_that_is_no_record_is_refused_and_kept(tmp_path: Path) -> None:
    buffer = tmp_path / "notes.txt"
    buffer.write_text("my notes of the day\n")
    assert f"buffer: cannot use {buffer}: file is not a database" in error_of("--buffer", str(buffer))
    assert buffer.read_text() == "my notes of the day\n"
