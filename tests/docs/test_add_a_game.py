"""The game of docs/add-a-game.md, taken from the page and played as a real one."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grandstand import games
from grandstand.games import catalog, registry
from grandstand.games.checks import check
from grandstand.games.match import Match, event_data
from grandstand.games.registry import game_spec
from grandstand.main import app
from grandstand.play.headless import MatchPlan, MatchResult, play_match
from grandstand.play.verification import ReplayMismatch, verify
from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import Endpoint
from grandstand.players.llm.player import LLMPlayer
from grandstand.players.options import LLMOptions
from grandstand.spectator.replay import events_from_lines
from grandstand.trainer.config.files import load
from grandstand.trainer.run import measure, train
from tests.support.docs.kuhn import NAMED, PAGE, PROGRAMS, with_kuhn
from tests.support.live_server import ROOT
from tests.support.players.chat_server import ChatServer, says
from tests.support.server.environment_services import EnvironmentServices, act, run

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def kuhn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder and the line of the catalog that the page tells a reader to add."""
    constants = with_kuhn(tmp_path / "games")
    monkeypatch.setattr(games, "__path__", constants["grandstand.games.__path__"])
    monkeypatch.delitem(importlib.import_module("sys").modules, "grandstand.games.kuhn", raising=False)
    for module in (catalog, registry):
        monkeypatch.setattr(module, "GAMES", constants[f"{module.__name__}.GAMES"])


def played(folder: Path, seed: int) -> tuple[MatchResult, list[str]]:
    plan = MatchPlan(f"kuhn-{seed}", "kuhn", ("random", "honest"), {}, seed=seed, folder=folder)
    result = asyncio.run(play_match(plan))
    assert result.file
    return result, Path(result.file).read_text().splitlines()


def test_its_programs_run() -> None:
    assert PROGRAMS
    for program in PROGRAMS:
        exec(compile(program, str(PAGE), "exec"), {})


def test_it_is_played_recorded_and_verified(tmp_path: Path) -> None:
    reasons = set()
    for seed in range(12):
        result, lines = played(tmp_path, seed)
        assert result.status == "finished"
        assert sum(result.scores.values()) == 1
        match = verify(list(events_from_lines(lines)))
        assert match.over
        reasons.add(result.reason)
    assert reasons == {"call", "check", "fold"}


def test_it_is_told(tmp_path: Path) -> None:
    result, lines = played(tmp_path, 3)
    events = list(events_from_lines(lines))
    headlines = [event.data["headline"] for event in events if event.type == "OutlookUpdated"]
    assert headlines == ["Random plays honest.", f"{result.winners[0].capitalize()} wins 1."]
    assert [event.data["kind"] for event in events if event.type == "FactNoted"] == ["end"]
    first, *_, last = [event.data["text"] for event in events if event.type == "CommentAdded"]
    assert first == "Move made: first, check."
    assert last.startswith(headlines[-1])


def test_a_changed_record_is_refused(tmp_path: Path) -> None:
    _, lines = played(tmp_path, 3)
    text = "\n".join(lines)
    card = re.search(r'"label":"(jack|queen|king)"', text)
    assert card
    changed = text.replace(card.group(), '"label":"ace"', 1)
    with pytest.raises(ReplayMismatch, match="PictureSeen"):
        verify(list(events_from_lines(changed.splitlines())))


@pytest.mark.parametrize(
    "reply",
    [
        '{"move": "bet"}',
        '{"reasoning": "I hold the king.", "move": "bet"}',
        '{"reasoning": "I hold the king.", "action": {"move": "bet"}}',
        'With the king I bet: {"action": {"move": "bet"}}',
        '{"answer": {"reasoning": "I hold the king.", "move": "bet"}}',
        '{"action": "bet"}',
        '{"move": {"move": "Bet"}}',
        '"bet"',
        "With the king I bet.\n\n**bet**",
        '["bet"]',
    ],
)
def test_a_language_model_that_answers_as_its_text_says_is_understood(reply: str) -> None:
    match = Match(game_spec("kuhn"), {}, 5)
    (seat,) = match.waiting
    with ChatServer(says(reply)) as server:
        endpoint = Endpoint(LLMOptions(base_url=server.url, model="m"))
        player = LLMPlayer("model", endpoint, Budget("x"), match.spec.bots.players["random"])
        choice = asyncio.run(player.choose(match, seat))
        prompt = "\n".join(message["content"] for message in server.requests[0].body["messages"])
    assert (choice.action, choice.source) == ({"move": "bet"}, "policy")
    assert "What you may choose:\nmove: check, bet" in prompt
    assert '"action"' not in prompt


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The folder of an environment in which the game is installed as a package of its own."""
    site = tmp_path / "site-packages"
    about = site / "kuhn-1.0.dist-info"
    about.mkdir(parents=True)
    (site / "kuhn.py").write_text(NAMED["grandstand/games/kuhn/__init__.py"])
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: kuhn\nVersion: 1.0\n")
    [(group, entry)] = re.findall(r'^\[project\.entry-points\."([^"]+)"\]\n(.*)$', PAGE.read_text(), re.MULTILINE)
    (about / "entry_points.txt").write_text(f"[{group}]\n{entry.replace(chr(34), '')}\n")
    return site


def grandstand(package: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "grandstand", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, cwd=package, timeout=300)


def test_a_game_of_an_installed_package_is_played_like_any_other(package: Path) -> None:
    listed = grandstand(package, "list", "games", "--json")
    assert "Kuhn poker" in listed.stdout, listed.stderr
    done = grandstand(package, "play", "kuhn", "--players", "random,honest", "--matches", "3", "--json")
    assert [result["status"] for result in json.loads(done.stdout)["results"]] == ["finished"] * 3, done.stderr


@pytest.mark.parametrize(
    ("module", "reason"),
    [("import no_such_module", "No module named 'no_such_module'"), ("GAME = (", "'(' was never closed")],
)
def test_a_game_that_cannot_be_loaded_is_named_with_the_reason(package: Path, module: str, reason: str) -> None:
    (package / "kuhn.py").write_text(module)
    done = grandstand(package, "play", "kuhn")
    assert done.returncode == 2
    assert f"game: kuhn cannot be loaded from kuhn: {reason}" in " ".join(done.stderr.split())


def test_it_is_short() -> None:
    code = NAMED["grandstand/games/kuhn/__init__.py"]
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 90


def test_it_keeps_what_every_game_must_keep() -> None:
    check(game_spec("kuhn"), seeds=range(20))


def test_a_card_is_seen_by_its_seat_and_by_all_at_the_showdown() -> None:
    spec = game_spec("kuhn")
    draw = spec.picture.draw
    assert draw is not None
    for moves in (["check", "check"], ["bet", "call"], ["bet", "fold"], ["check", "bet", "fold"]):
        match = Match(spec, {}, 5)
        cards: dict[str, str] = match.game.to_json()["cards"]
        shown = [*match.opening()]
        for move in moves:
            for seat, card in cards.items():
                seen = {thing.id: (thing.label, thing.state) for thing in draw(match.game, seat).things}
                [other] = set(cards) - {seat}
                assert seen == {f"card {seat}": (card, ""), f"card {other}": ("", "hidden")}
            assert not any(card in str(draw(match.game, None)) for card in cards.values())
            shown += match.apply(match.waiting[0], {"move": move})
        public = str([event_data(event) for event in shown if event.seats() is None])
        assert all((card in public) == (moves[-1] != "fold") for card in cards.values())
        for seat, card in cards.items():
            assert card in match.game.text(seat)
            assert not any(other in match.game.text(seat) for name, other in cards.items() if name != seat)


def test_it_is_rated(tmp_path: Path) -> None:
    for seed in range(8):
        played(tmp_path, seed)
    report = json.loads(CliRunner().invoke(app, ["rate", str(tmp_path), "--json"]).stdout)
    assert {rating["player"]: rating["games"] for rating in report["ratings"]} == {"honest": 8, "random": 8}


def test_openenv_serves_it() -> None:
    async def scene() -> None:
        seat, observation = await EnvironmentServices().begin(game="kuhn", seed=3, seat="first", opponents="honest")
        assert "hold the jack" in observation.text
        for move in ("check", "call"):
            observation = await seat.step(act(move=move))
        assert observation.done
        assert observation.outcome is not None
        assert (observation.reward, observation.outcome.winners) == (0.0, ["second"])

    run(scene)


@pytest.mark.long
def test_a_policy_learns_it_from_random_play(tmp_path: Path) -> None:
    config = load("nano", ["game.name=kuhn", "run.seed=1", "run.steps=10", "run.eval_every=0"])
    train(config, tmp_path)
    result = measure(tmp_path, label="fresh", opponents={"random": 1.0}, games=600)
    assert result.sigmas >= 4, result
