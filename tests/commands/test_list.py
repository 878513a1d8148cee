"""`grandstand list`: the same as the registry and the roster say."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.main import app
from grandstand.players.prices import DATED_DAYS, price_list, today
from tests.support.command import words

ROSTER = """
[[player]]
name = "mine [local]"
kind = "bot"
games = ["diplomacy"]
options = { bot = "dumbbot" }
"""


def run(*arguments: str, **env: str) -> Result:
    return CliRunner().invoke(app, ["list", *arguments], env={"COLUMNS": "300", **env})


def listed(*arguments: str) -> Any:
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def roster(folder: Path, text: str) -> str:
    file = folder / "players.toml"
    file.write_text(text)
    return str(file)


def test_every_game_is_listed_with_what_it_takes() -> None:
    assert [game["name"] for game in listed("games")] == sorted(GAMES)
    shown = run("games").stdout
    for name in GAMES:
        spec = game_spec(name)
        for word in (spec.rules.title, *spec.seats(), *spec.exchange.exports, *spec.learning.tasks):
            assert word in shown


def test_players_are_those_of_the_game_and_the_roster(tmp_path: Path) -> None:
    file = roster(tmp_path, ROSTER.replace(" [local]", ""))
    rows = listed("players", "diplomacy", "--roster", file)
    assert [row["name"] for row in rows] == [*game_spec("diplomacy").bots.players, "mine", "person", "remote"]
    assert {row["game"] for row in listed("players")} == set(GAMES)
    assert "mine" in run("players", "--roster", file).stdout


def test_packs_are_quoted_with_version_and_digest() -> None:
    rows = listed("packs")
    assert [row["name"] for row in rows] == [name for game in sorted(GAMES) for name in game_spec(game).learning.tasks]
    assert all(row["version"] and len(row["digest"]) == 16 and row["tasks"] for row in rows)
    assert rows[0]["digest"] in run("packs", "cricket").stdout


def test_a_player_that_cannot_be_seated_is_listed_with_the_reason(tmp_path: Path) -> None:
    with_key = ROSTER.replace(" [local]", "").replace('kind = "bot"', 'kind = "bot"\nkey_env = "NO_SUCH_KEY"')
    file = roster(tmp_path, with_key.replace('["diplomacy"]', '["diplomacy", "chess"]'))
    [playable, unknown] = [row for row in listed("players", "--roster", file) if row["name"] == "mine"]
    assert (playable["game"], playable["available"]) == ("diplomacy", False)
    assert "set the environment variable NO_SUCH_KEY" in playable["reason"]
    assert (unknown["game"], unknown["available"]) == ("chess", False)
    assert "unknown game 'chess'" in unknown["reason"]
    assert "unknown game 'chess'" in run("players", "--roster", file).stdout
    assert "chess" not in run("players", "cricket", "--roster", file).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["players", "chess"], "game: unknown game 'chess'; there are cricket, diplomacy"),
        (["packs", "chess"], "game: unknown game 'chess'"),
        (["players", "--roster", "[nowhere].toml"], "[nowhere].toml: cannot be read"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: list[str], message: str) -> None:
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert message in words(refused.stderr)


def test_a_roster_at_fault_is_refused_by_entry(tmp_path: Path) -> None:
    refused = run("players", "--roster", roster(tmp_path, ROSTER))
    assert refused.exit_code == 2
    assert "player 'mine [local]'.name" in words(refused.stderr)


MODELS = """
[[player]]
name = "{name}"
kind = "llm"
[player.options]
base_url = "https://api.openai.com/v1"
model = "{model}"
{more}
"""


def test_a_model_is_listed_with_its_price_and_a_dated_one_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [("listed", "gpt-5-mini", ""), ("unknown", "no-such-model", ""), ("own", "m", "price_in=1\nprice_out=2")]
    file = roster(tmp_path, "".join(MODELS.format(name=name, model=model, more=more) for name, model, more in entries))
    entry = price_list().find("https://api.openai.com/v1", "gpt-5-mini", today())
    assert entry is not None
    for days, dated in ((DATED_DAYS, False), (DATED_DAYS + 1, True)):
        now = entry.retrieved + timedelta(days=days)
        monkeypatch.setattr("grandstand.commands.list.today", partial(lambda day: day, now))
        prices = {row["name"]: row["price"] for row in listed("players", "cricket", "--roster", file)}
        assert prices["listed"] == {
            "input": entry.input,
            "output": entry.output,
            "source": entry.source,
            "from": entry.since.isoformat(),
            "retrieved": entry.retrieved.isoformat(),
            "dated": dated,
        }
        assert prices["unknown"] is prices["heuristic"] is None
        assert (prices["own"]["input"], prices["own"]["source"], prices["own"]["dated"]) == (1.0, "roster", False)
        shown = words(run("players", "cricket", "--roster", file).stdout)
        assert (f"dated, read on {entry.retrieved}" in shown) == dated
        assert f"{entry.input:g} in, {entry.output:g} out; " in shown
        assert "unknown" in shown
