"""`grandstand new-game`: write a small complete game to begin with, as a package of its own."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from grandstand.games.catalog import GAMES
from grandstand.terminal.console import refuse

NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")
TEMPLATE = Path(__file__).with_name("template.py")
PROJECT = """[project]
name = "{distribution}"
version = "0.1.0"
description = "A game for Grandstand."
requires-python = ">=3.11"
dependencies = ["grandstand"]

[project.entry-points."grandstand.games"]
{name} = "{name}"

[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[tool.hatch.build.targets.wheel]
only-include = ["{name}.py"]
"""
TEST = '''"""The game keeps what every game must keep."""

from grandstand.games.checks import check

from {name} import GAME


def test_it_is_a_game() -> None:
    check(GAME)
'''


def new_game(
    name: Annotated[str, typer.Argument(help="The game's name, and that of its folder and module: `chess`.")],
    folder: Annotated[Path, typer.Option("--in", help="The folder to write it in.")] = Path(),
) -> None:
    """Write a small complete game to begin with: its module, its project file and its test."""
    if fault := _fault(name):
        refuse("new-game", f"{name!r} {fault}")
    there = folder / name
    try:
        there.mkdir()
        (there / "pyproject.toml").write_text(PROJECT.format(name=name, distribution=name.replace("_", "-")), "utf-8")
        (there / f"test_{name}.py").write_text(TEST.format(name=name), "utf-8")
        (there / f"{name}.py").write_text(TEMPLATE.read_text("utf-8").replace('"template"', f'"{name}"'), "utf-8")
    except FileExistsError as error:
        refuse("new-game", f"{there} exists; choose another name, or another folder by --in", 2, error)
    except OSError as error:
        refuse("new-game", f"{there} cannot be written: {error.strerror}", 1, error)
    typer.echo(f"{there}: a game on a board of three by three, to be made into your own. To play it:")
    for line in (f"pip install -e {there}", f"python -m pytest {there}", f"grandstand play {name}", "grandstand serve"):
        typer.echo(f"  {line}")


def _fault(name: str) -> str:
    """Return why a game cannot have this name; '' if it can."""
    if not NAME.fullmatch(name):
        return "is no name: it takes 2 to 31 lowercase letters, digits and underscores, a letter first"
    if keyword.iskeyword(name) or name in sys.stdlib_module_names:
        return "is a word or a module of Python; choose another name"
    if name in GAMES:
        return f"is a game already; there are {', '.join(sorted(GAMES))}"
    return ""
