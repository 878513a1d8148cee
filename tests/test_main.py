"""The list of verbs: cheap to show, true to the verbs' own help, and each verb's module imported when it is run."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer

from grandstand.main import VERBS, app, load
from tests.support.live_server import ROOT
from tests.support.modules import modules_after

HEAVY = ("numpy", "torch", "transformers", "pydantic", "fastapi", "uvicorn", "server", "trainer", "players", "games")


def tops(modules: set[str]) -> set[str]:
    """Return the packages of modules: of ours, those within `grandstand`."""
    return {name.removeprefix("grandstand.").partition(".")[0] for name in modules}


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
def test_the_list_of_verbs_imports_no_verb(arguments: tuple[str, ...]) -> None:
    modules = modules_after(*arguments)
    assert not tops(modules) & set(HEAVY)
    assert {name for name in modules if name.startswith("grandstand.")} == {"grandstand.main"}


def test_a_verb_imports_itself_and_no_other() -> None:
    modules = modules_after("watch", "--help")
    assert {"grandstand.commands.watch", "grandstand.main"} <= modules
    assert not modules & {
        "grandstand.commands.play",
        "grandstand.commands.serve",
        "grandstand.commands.train.app",
        "numpy",
    }


@pytest.mark.long
@pytest.mark.parametrize("verb", ["serve", "train", "replay", "export", "players"])
def test_the_help_of_a_verb_needs_no_numbers_and_no_server(verb: str) -> None:
    assert not tops(modules_after(verb, "--help")) & {"numpy", "torch", "transformers", "server", "fastapi"}


def test_the_server_starts_without_numbers_tensors_pictures_or_openenv() -> None:
    """Games, OpenEnv, trained players and what draws cards are imported when somebody first asks for them."""
    program = "import sys, grandstand.server.main; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    absent = {"numpy", "torch", "transformers", "openenv", "trainer", "commands", "PIL", "resvg"}
    assert not tops(set(done.stdout.split())) & absent


def test_each_line_of_the_list_begins_as_the_help_of_the_verb() -> None:
    """A list that is written apart from the verbs must not tell another story: the verb of the sentence is the same."""
    for name, (_, about) in VERBS.items():
        own = load(name).help or ""
        assert own.split()[0] == about.split()[0], name
        assert about.endswith("."), name


def test_every_verb_can_be_loaded_and_completed() -> None:
    group = typer.main.get_command(app)
    context = group.make_context("grandstand", ["--help"], resilient_parsing=True)
    for name in VERBS:
        stub = group.get_command(context, name)  # type: ignore[attr-defined]
        inner = stub.make_context(name, [], parent=context, resilient_parsing=True)
        assert inner.command.get_params(inner), name


def test_the_version_is_the_package_s() -> None:
    from importlib.metadata import version

    done = subprocess.run(
        [sys.executable, "-m", "grandstand", "--version"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"grandstand {version('grandstand')}\n"
