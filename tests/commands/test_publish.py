"""`grandstand publish`: options are parsed as by `play`, and errors name the option."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grandstand.games.registry import game_spec
from grandstand.main import app
from grandstand.play.verification import verify
from grandstand.spectator.replay import events_from_lines
from grandstand.terminal.console import PUBLISH_TOKEN
from tests.support import http
from tests.support.command import grandstand
from tests.support.live_server import LiveServer, live_server


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


SHORT = {"diplomacy": ("last_year", 1902), "cricket": ("overs", 1), "werewolf": ("rounds", 1)}
"""Game -> the option that makes its matches short, and its value."""


@pytest.mark.long
@pytest.mark.parametrize("game", sorted(SHORT))
def test_a_published_match_has_the_story_of_one_that_the_server_plays(game: str, tmp_path: Path) -> None:
    name, value = SHORT[game]
    bot = {"diplomacy": "Talleyrand"}.get(game, game_spec(game).bots.default)
    with live_server(tmp_path / "data", GRANDSTAND_PUBLISH_TOKEN="secret") as server:
        players = dict.fromkeys(game_spec(game).seats(), bot)
        here = server.start_match(game=game, seed=5, pace=0, players=players, options={name: value})
        arguments = ("--seed", "5", "--pace", "0", "--players", bot, "--set", f"{name}={value}", "--url", server.url)
        buffer = ("--buffer", str(tmp_path / "buffer.db"))
        done = grandstand("publish", game, *arguments, *buffer, GRANDSTAND_PUBLISH_TOKEN="secret")
        there = done.stdout.strip().rpartition("/")[2]
        for episode in (here, there):
            server.wait_for(episode, status="finished")
        assert counted(server, there) == counted(server, here)
        assert {"FactNoted", "CommentAdded", "OutlookUpdated"} <= {kind for kind, _ in counted(server, there)}
        assert server.get(f"/api/episodes/{there}")["outlook"]["headline"]
        verify(list(events_from_lines(recorded(server, there))))


def recorded(server: LiveServer, episode: str) -> list[str]:
    return http.text(f"{server.url}/api/episodes/{episode}/replay", params={"as": "operator"}).splitlines()


def counted(server: LiveServer, episode: str) -> Counter[tuple[str, str]]:
    """The number of events of an episode by type and audience, without the commands of operators."""
    events = events_from_lines(recorded(server, episode))
    return Counter((event.type, str(event.audience)) for event in events if event.type != "ControlChanged")
