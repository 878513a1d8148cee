"""The game of docs/add-a-game.md, as the page gives it."""

from __future__ import annotations

import re
from pathlib import Path

from grandstand import games
from grandstand.games.catalog import GAMES
from tests.support.live_server import ROOT

PAGE = ROOT / "docs/add-a-game.md"
BLOCK = re.compile(r"^(?:`([^`]+)`[^\n]*:\n\n)?```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS: list[tuple[str, str]] = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
NAMED = {file: code for file, code in BLOCKS if file}
PROGRAMS = [code for file, code in BLOCKS if not file]


def with_kuhn(folder: Path) -> dict[str, object]:
    """Write the game below `folder`; return the constants, by their dotted names, with which the package has it."""
    file = folder / "kuhn/__init__.py"
    file.parent.mkdir(parents=True)
    file.write_text(NAMED["grandstand/games/kuhn/__init__.py"], encoding="utf-8")
    name, module = re.findall(r'"([^"]+)"', NAMED["grandstand/games/catalog.py"])
    known = {**GAMES, name: module}
    return {
        "grandstand.games.__path__": [*games.__path__, str(folder)],
        "grandstand.games.catalog.GAMES": known,
        "grandstand.games.registry.GAMES": known,
    }
