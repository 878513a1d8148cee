"""Every registered game is one that keeps what every game must keep."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from grandstand.games.catalog import BUILT_IN, GAMES
from grandstand.games.checks import check_choices, check_defaults
from grandstand.games.registry import game_spec
from tests.support.source import PACKAGE, ROOT

SHORT: dict[str, Mapping[str, Any]] = {"cricket": {"overs": 2}, "diplomacy": {"last_year": 1902}}
"""Options for short matches."""

NAMING = {
    "client.py": "an example",
    "players/options.py": "examples in the help of settings",
    "players/players.toml": "examples of entries",
    "server/api/episodes/legacy.py": "addresses of an earlier release",
    "spectator/record_file.py": "the name of a format that is no record",
    "trainer/config/files.py": "an example",
    "trainer/config/league_settings.py": "an example in the help of a setting",
    "trainer/config/sections.py": "an example in the help of a setting",
    "trainer/requests.py": "the preset of a smoke test",
    "trainer/presets/nano-cricket-strong.toml": "a preset for the game",
    "trainer/presets/nano-cricket.toml": "a preset for the game",
    "trainer/presets/nano-diplomacy-strong.toml": "a preset for the game",
    "trainer/presets/nano-diplomacy.toml": "a preset for the game",
    "trainer/presets/qwen-0.5b.toml": "a preset for the game",
}
"""Files outside `games/` that name a game -> why they do."""


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", sorted(GAMES))
def test_it_is_played_by_choices_alone(name: str, seed: int) -> None:
    check_choices(game_spec(name), SHORT.get(name, {}), seed)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_default_answer_is_legal_at_every_moment(name: str) -> None:
    check_defaults(game_spec(name), SHORT.get(name, {}))


def test_nothing_else_names_a_game() -> None:
    named = re.compile("|".join(BUILT_IN), re.IGNORECASE)
    files = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".toml", ".json", ".html")]
    core = [path for path in files if path.relative_to(PACKAGE).parts[0] not in ("games", "page")]
    naming = {str(path.relative_to(PACKAGE)) for path in core if named.search(path.read_text("utf-8"))}
    assert naming == set(NAMING)
    assert not named.search((ROOT / "openenv.yaml").read_text("utf-8"))
