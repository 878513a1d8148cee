"""The layout of the tests: each has the path of the module that it tests, so that either can be derived from the other:
`tests/<path>/test_X.py` tests `<path>/X.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.source import ROOT, imports, parse, sources

WHOLE = {
    "deploy": "the packages, images and proxies as they are deployed",
    "docs": "the pages of docs/ and the README",
    "e2e": "the page in a browser, before a real server",
}
"""Folders of tests that cross the whole product, and what they test."""
CROSSING = {
    "games/cricket/bots/test_captains.py": "compares all built-in captains",
    "games/cricket/model/test_ball_agreement.py": "the rules of contradiction, beside every part of a ball's picture",
    "games/cricket/test_calibration.py": "the statistics of whole matches",
    "games/cricket/test_import_graph.py": "imports of the whole game",
    "games/cricket/test_properties.py": "invariants of whole matches",
    "games/diplomacy/test_judging.py": "the command that judges positions",
    "games/diplomacy/test_datc.py": "the published test cases of the rules",
    "games/diplomacy/test_fixtures.py": "recordings that the page's tests read",
    "games/diplomacy/test_human_games.py": "recorded games of human play",
    "games/diplomacy/test_oracle.py": "the rules beside another implementation",
    "games/werewolf/test_secrecy.py": "what every viewpoint receives of whole matches with two roles swapped",
    "play/test_private_batches.py": "private events from the match runner to every viewpoint",
    "players/llm/dialects/test_matches.py": "whole matches of both games, and their commentary, in every dialect",
    "players/llm/dialects/test_wire.py": "every dialect over a socket",
    "players/llm/test_intentions.py": "lies that models note, from their answers to every viewpoint",
    "server/cards/test_headlines.py": "the headline of every moment beside its board, of whole matches of both games",
    "players/llm/test_memory.py": "notes of models, from their answers to every viewpoint",
    "players/llm/test_strict_schemas.py": "schemas of whole matches beside the rules of strict structured output",
    "players/llm/test_variants.py": "prompts of roster entries, from the roster to an evaluation",
    "players/test_faults.py": "a whole match with a model that fails",
    "players/test_secrets.py": "an API key, wherever it could appear",
    "players/test_surrogates.py": "text that cannot be encoded, by every way that it comes",
    "scripts/test_beside.py": "a script of the shell",
    "scripts/test_run_tests.py": "a script of the shell",
    "server/openenv/test_event_loop.py": "sessions of OpenEnv and MCP, by all parts of a server that they pass",
    "server/matches/test_recording.py": "commands and starts on their way to the record, by all parts that they pass",
    "server/api/test_example_bots.py": "the bots of examples/",
    "server/api/test_programs.py": "a program's seat, over a whole server",
    "server/reference/test_shipped.py": "the matches and results that come with the package",
    "server/results/test_tournament_results.py": "results from tournaments to the leaderboard",
    "server/matches/test_commentary.py": "whole matches whose commentary a model words",
    "server/openenv/test_examples.py": "the programs of examples/",
    "server/openenv/test_harness.py": "a harness of its own that plays through the environment",
    "server/openenv/test_launchers.py": "the ways in which OpenEnv starts the server",
    "server/openenv/test_trl.py": "a TRL trainer that plays through the environment",
    "server/openenv/test_validate.py": "OpenEnv's own validation",
    "server/test_delay.py": "the spectator delay on every path",
    "server/test_loop_time.py": "the time for which any request holds the event loop",
    "server/test_own_keys.py": "a visitor's key, wherever it could appear",
    "server/api/seats/test_seat_tokens.py": "a seat's token on every path, after the end",
    "server/test_storage_faults.py": "a full or broken disk under a whole server",
    "server/matches/test_text_alone.py": "whole matches, from the public text alone",
    "server/matches/test_trained.py": "a trained policy seated on a whole server",
    "test_editors.py": "the whole package, as editors and type checkers see it",
    "test_imports.py": "imports of the whole package",
    "test_layout.py": "this file",
    "test_map_drawing.py": "the page's map beside the rules",
    "test_protocol_doc.py": "docs/protocol.md beside the code",
    "test_requirements.py": "the skipping of tests whose requirements are missing",
    "trainer/sweep/test_earlier_faults.py": "faults of another project's trainer, made on purpose",
    "trainer/sweep/test_experiments.py": "the files of experiments/",
    "trainer/test_example.py": "the example runs",
    "trainer/test_older_run.py": "a run that an older version left",
    "trainer/vllm/test_engine.py": "a real vLLM server",
}
"""Tests of more than one module, and what they test."""


def mirrored_tests() -> list[str]:
    """Return the path of every test module outside the folders of WHOLE, below `tests`."""
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    relative = [path.relative_to(ROOT / "tests") for path in paths]
    return [path.as_posix() for path in relative if path.parts[0] not in WHOLE]


def module_of(test: str) -> Path | None:
    """Return the module that `test` names: `test_X.py` or, for one aspect of it, `test_X_aspect.py`."""
    path = Path(test)
    words = path.stem.removeprefix("test_").split("_")
    for count in range(len(words), 0, -1):
        name = "_".join(words[:count])
        for folder in (ROOT / "grandstand" / path.parent, ROOT / path.parent):
            for module in (folder / f"{name}.py", folder / name / "__init__.py"):
                if module.is_file():
                    return module
    return None


@pytest.mark.parametrize("test", mirrored_tests())
def test_a_test_names_its_module(test: str) -> None:
    if test in CROSSING:
        assert module_of(test) is None, f"{test} names a module: take it out of CROSSING"
    else:
        assert module_of(test) is not None, f"{test} names no module: move it beside one, or say in CROSSING why not"


def test_the_list_names_only_tests_that_exist() -> None:
    assert CROSSING.keys() <= set(mirrored_tests())
    assert all((ROOT / "tests" / folder).is_dir() for folder in WHOLE)


@pytest.mark.long
def test_the_browser_is_driven_by_the_tests_of_two_folders() -> None:
    """CONTRIBUTING.md names them for running these tests alone."""
    folders = ("tests/e2e", "tests/deploy")
    assert f"-m browser {' '.join(folders)}`" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    driving = [path for path in sources("tests") if any(name.startswith("playwright") for name in imports(parse(path)))]
    assert driving
    assert [path for path in driving if not path.is_relative_to(ROOT / "tests" / "support")] == [
        path for path in driving if any(path.is_relative_to(ROOT / folder) for folder in folders)
    ]


def test_a_misplaced_test_is_noticed() -> None:
    assert module_of("spectator/test_hub.py") == ROOT / "grandstand/spectator/hub.py"
    assert module_of("server/api/episodes/test_publish_fuzz.py") == ROOT / "grandstand/server/api/episodes/publish.py"
    assert module_of("players/test_hub.py") is None
    assert module_of("test_hub.py") is None
