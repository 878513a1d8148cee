"""The commands in the docs exist, and those that are cheap to run are run."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import typer

from grandstand.main import app, load
from tests.docs.commands import PAGES, Command, commands
from tests.support.command import grandstand
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.requirements import package
from tests.support.waiting import until

COMMANDS = commands()
OURS = [command for command in COMMANDS if command.program == "grandstand"]
OTHERS = [command for command in COMMANDS if command.program != "grandstand"]

CHARACTERS = "Talleyrand,Metternich,Bismarck,Cavour,Castlereagh,Gorchakov,Crispi"

RUN: dict[str, str] = {
    "players diplomacy": "players diplomacy",
    f"play diplomacy --players {CHARACTERS} --set last_year=1908": (
        f"play diplomacy --players {CHARACTERS} --set last_year=1901"
    ),
    "--help": "--help",
    "play diplomacy --players dumbbot --matches 100 --out records": (
        "play diplomacy --players dumbbot --matches 1 --out records --set last_year=1901"
    ),
    "play cricket --set overs=20 --set era=modern --matches N --format cricsheet --out DIR": (
        "play cricket --set overs=1 --set era=modern --matches 1 --format cricsheet --out DIR"
    ),
    "play diplomacy --format saved-game": (
        "play diplomacy --format saved-game --matches 1 --out saved --set last_year=1901"
    ),
    "replay records/diplomacy-0.jsonl": "replay records/diplomacy-0.jsonl",
    "replay records/diplomacy-0.jsonl --watch --pace 0.5": "replay records/diplomacy-0.jsonl --watch --pace 0.5",
    "replay FILE": "replay records/diplomacy-0.jsonl",
    "eval cricket --player heuristic --pack default --repeats 4 --out report.json": (
        "eval cricket --player neutral --pack default --repeats 1 --out report.json --limit 1"
    ),
    "eval diplomacy --player X --against Y": "eval diplomacy --player random --against random --set last_year=1901",
    "eval diplomacy --player X --reference random --pack tactics --repeats 20": (
        "eval diplomacy --player random --reference random --pack tactics --limit 2"
    ),
    "play diplomacy --players X --set tactic=self-standoff": (
        "play diplomacy --players hold --set tactic=self-standoff"
    ),
    "tournament cricket --players heuristic,neutral,random --matches 60 --set overs=5 --records cup": (
        "tournament cricket --players heuristic,neutral,random --matches 6 --set overs=1 --records cup"
    ),
    "export ID --out FILE": "export ID --out FILE",
    "export ID --data /var/lib/grandstand --out FILE": "export ID --data data --out FILE",
    "costs data --by day": "costs data --by day",
    "games": "games",
    "roster check FILE": "roster check players/players.toml",
    "train settings": "train settings",
    "train estimate --config qwen-7b --gpus 8": "train estimate --config qwen-7b --gpus 8",
    "train --smoke": "train --smoke",
    "train bc --config nano-diplomacy --record data/grandstand.db": (
        "train bc --config nano-diplomacy --record data/grandstand.db --set clone.epochs=1"
    ),
    "sweep experiments/06-kl-warmup.yaml --dry-run": f"sweep {ROOT}/experiments/06-kl-warmup.yaml --dry-run",
    "sweep FILE --dry-run": f"sweep {ROOT}/experiments/06-kl-warmup.yaml --dry-run",
    "sweep experiments/06-kl-warmup.yaml --status": f"sweep {ROOT}/experiments/06-kl-warmup.yaml --status",
    "report --tracker experiments --out tracker.md": f"report --tracker {ROOT}/experiments --out tracker.md",
    "report --claims experiments --out claims.md": f"report --claims {ROOT}/experiments --out claims.md",
    "report --claims --scale micro experiments --out claims.md": (
        f"report --claims --scale micro {ROOT}/experiments --out claims.md"
    ),
}
"""Arguments as they are documented -> the same, made small."""

NOT_RUN = {
    "watch http://127.0.0.1:8000/episode/diplomacy-1": "needs that match",
    "publish cricket --url https://example.org --set overs=2": "tests/server/api/test_publish.py publishes to a server",
    "serve --port 8811": "serves until it is stopped; the first minute of the README does the same",
    "train --config nano-diplomacy": "trains for minutes; --smoke is the same code",
    "train --config nano-diplomacy --set backend.engine=ray --set backend.address=10.0.0.1:6379"
    " --set backend.workers=8 --set backend.worker_resources.rollout=1 --set rollout.batch_groups=1": (
        "needs a cluster; tests/trainer/ray/test_backend.py starts one"
    ),
    "export cricket-12 --format html": "needs the built page; tests/e2e/test_takeaway.py opens the file",
    "import final.json game.json.gz": "tests/commands/test_imports.py imports such files",
    "import --json FILE...": "tests/commands/test_imports.py imports such files",
    "import FILE": "tests/commands/test_imports.py imports such files",
    "export diplomacy-7 --to hf:OWNER/NAME": "tests/play/exchange/test_hub.py pushes to a local server",
    "train push --out RUN --to hf:OWNER/NAME": "tests/trainer/test_hub.py pushes to a local server",
    "train pull --from hf:OWNER/NAME --out FOLDER": "tests/trainer/test_hub.py pulls from a local server",
    "train --config nano-diplomacy --set run.seed=1": "trains for minutes",
    "train --config nano-diplomacy-strong": "trains for hours; its settings are read by tests/trainer/config",
    "train --config nano-cricket-strong": "trains for hours; its settings are read by tests/trainer/config",
    "train bc --config nano-cricket-strong --set run.name=cricket200 --set run.seed=1": "clones for minutes",
    "train --config nano-cricket-strong --set run.seed=1 --set policy.model=CLONE --set clone.bots=[]"
    " --set clone.teacher= --set run.steps=160 --set run.name=nano-cricket-long1": "trains for hours",
    "train bc --config nano-diplomacy-strong --set run.name=dip400 --set run.seed=1": "clones for half an hour",
    "train --config nano-diplomacy-strong --set run.seed=1 --set policy.model=CLONE --set clone.bots=[]"
    " --set clone.teacher= --set run.eval_every=0 --set run.steps=60"
    " --set run.name=nano-diplomacy-long1": "trains for an hour",
    "train eval --against BOT": "needs a run; tests/commands/test_train.py measures one",
    "train --config nano-diplomacy --set run.steps=40 --set rollout.opponents.random=0": "trains for minutes",
    "train eval --out RUN --games 420 --label report --against base": "needs a run",
    "eval diplomacy --player learner --roster players.toml": "needs a run",
    "train --config nano-diplomacy --out runs/main --set run.name=main --set league.folder=runs/league"
    ' --set rollout.opponents={"past":2,"exploiter":1}': "trains for minutes",
    "train --config nano-diplomacy --out runs/x --set run.name=x --set league.folder=runs/league"
    ' --set policy.init=runs/main --set league.role=main_exploiter --set rollout.opponents={"main":1}': "as above",
    "league FOLDER": "needs a league; tests/commands/test_league.py reports on some",
    "rate FILES…": "needs records of matches",
    "costs FILES…": "the same as the one of a data folder",
    "eval diplomacy --player mini hidden --reference mini --against dumbbot --pack tactics --roster prompts.toml": (
        "needs a model; tests/players/llm/test_variants.py runs it with a scripted one"
    ),
    "eval cricket --player mini hidden --reference mini --pack chase-30 --roster prompts.toml --max-dollars 5": (
        "needs a model, as above"
    ),
    "tournament cricket --players heuristic,neutral,cricsheet,fixed-plan,random --matches 1000 --set overs=5"
    " --set win_probability=false --seed 1 --records cricket-cup --json": "plays for half an hour",
    "tournament diplomacy --players coordinated,dumbbot,defensive,territorial,chaos,random,hold --matches 1000"
    " --set press=none --set last_year=1905 --seed 1 --records diplomacy-cup --json": "plays for half an hour",
    "sweep experiments/06-kl-warmup.yaml --run": "trains for hours; tests/trainer/sweep/test_execution.py runs one",
    "report sweeps/06-kl-warmup": "needs that sweep's results; tests/commands/test_report.py reports one",
    "rate DIR": "needs a folder of records; tests/commands/test_tournament.py rates a tournament's",
}
"""Arguments as they are documented -> why they are not run."""

PLACES = ("", "grandstand/", "frontend/", "docs/")
TO_BE_WRITTEN = ("games/kuhn/",)
"""Files that docs/add-a-game.md tells a reader to write."""
NOT_THERE = re.compile(r"[*<>{}$…]|^(data|runs|records|dist|/|~|\.)|[A-Z]{3,}|^https?:")
"""Names that stand for others, or are made by a run."""
FOLDERS = tuple(
    f"{path.name}/"
    for folder in (ROOT, ROOT / "grandstand")
    for path in folder.iterdir()
    if path.is_dir() and not path.name.startswith((".", "_"))
)


def arguments(command: Command) -> str:
    return " ".join(command.words[1:])


def options_of(command: Any) -> dict[str, int]:
    """Option -> how many values it takes."""
    taken = {
        name: 0 if param.is_flag else 1
        for param in command.params
        if param.param_type_name == "option"
        for name in (*param.opts, *param.secondary_opts)
    }
    return {**taken, "--help": 0}


def walk(words: Sequence[str], program: typer.Typer = app) -> list[str]:
    """Check verbs and options of a command line; answers the words that are neither."""
    command: Any = typer.main.get_command(program)
    options, rest, value = options_of(command), list[str](), False
    for word in words:
        if value:
            rest.append(word)
            value = False
        elif word.startswith("-") and word != "-":
            name, separator, _ = word.partition("=")
            assert name in options, f"there is no option {name}; there are {', '.join(sorted(options))}"
            value = bool(options[name]) and not separator
        elif commands := getattr(command, "commands", None):
            assert word in commands, f"there is no verb {word!r}; there are {', '.join(commands)}"
            command = load(word) if command.name == "grandstand" else commands[word]
            options = options_of(command)
        else:
            rest.append(word)
    return rest


@pytest.mark.parametrize("command", OURS, ids=str)
def test_every_verb_and_option_exists(command: Command) -> None:
    walk(command.words[1:])


def test_every_whole_command_is_run_or_says_why_not() -> None:
    documented = {arguments(command) for command in OURS}
    whole = {arguments(command) for command in OURS if walk(command.words[1:])}
    assert whole - RUN.keys() - NOT_RUN.keys() == set(), "add them to RUN or NOT_RUN"
    assert (RUN.keys() | NOT_RUN.keys()) - documented == set(), "the docs no longer have these"


@pytest.mark.slow(seconds=30)
def test_every_small_command_runs_as_documented(tmp_path: Path) -> None:
    """In the order of the table, in one folder: what one leaves, the next may read."""
    (tmp_path / "players").mkdir()
    shutil.copy(ROOT / "grandstand/players/players.toml", tmp_path / "players")
    with live_server(tmp_path / "data") as server:
        for seed in range(3):
            episode_id = server.start_match(game="diplomacy", options={"last_year": 1901}, pace=0, seed=seed)
            server.wait_for(episode_id, status="finished")
        for line in RUN.values():
            words = [episode_id if word == "ID" else word for word in line.split()]
            done = grandstand(*words, cwd=tmp_path)
            assert done.stdout or done.stderr, line
    assert {"records", "DIR", "report.json", "FILE"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("command", OTHERS, ids=str)
def test_every_script_target_and_module_exists(command: Command) -> None:
    program, *rest = command.words
    if program == "make":
        assert re.search(rf"^{rest[0]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), f"no target {rest[0]}"
        return
    if program == "openenv":
        walk(rest, package("openenv.cli.__main__").app)
        return
    if program.startswith(("scripts/", "deploy/")):
        file = ROOT / program
    elif command.program == "python" and rest[:2] == ["-m", "pytest"]:
        file = ROOT / rest[-1]
    elif command.program == "python" and rest[0] == "-m":
        file = ROOT / (rest[1].replace(".", "/") + ".py")
    elif command.program == "python":
        file = ROOT / rest[0]
    elif program == "node":
        file = ROOT / "frontend" / rest[0]
    else:
        return
    assert file.exists() or file.with_suffix("").is_dir(), f"{command}: there is no {file.relative_to(ROOT)}"
    source = "".join(path.read_text() for path in ([file] if file.is_file() else file.with_suffix("").glob("*.py")))
    for option in (word.partition("=")[0] for word in rest if word.startswith("--")):
        assert option in source, f"{command}: {file.name} knows no {option}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text()
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)]
    for link in (link for link in links if link and not link.startswith(("http", "mailto"))):
        assert (page.parent / link).exists(), f"a link to {link}"
    for code in re.findall(r"`([^`\s]+)`", text):
        if code.startswith(FOLDERS) and not code.startswith(TO_BE_WRITTEN) and not NOT_THERE.search(code):
            assert any((ROOT / place / code).exists() for place in PLACES), f"it names {code}"


def live_matches(server: LiveServer) -> list[Any]:
    """Wait until a match of each game is live and return them."""
    live: list[Any] = []

    def both() -> bool:
        live[:] = server.get("/api/episodes", status="live")["episodes"]
        return sorted(episode["game"] for episode in live) == ["cricket", "diplomacy"]

    assert until(both), f"there is no live match of each game: {live}"
    return live


def test_the_first_minute_of_the_readme(tmp_path: Path) -> None:
    """The README's first steps work without the page: the matches, the kill, and the request that starts one."""
    readme = (ROOT / "README.md").read_text()
    assert "play a match of each game" in readme
    (command,) = [item for item in OTHERS if item.program == "curl" and item.page.name == "README.md"]
    url, data = command.words[3], command.words[-1]
    assert url == "localhost:8000/api/episodes"
    with live_server(tmp_path / "data", "--showcase", "diplomacy,cricket") as server:
        live = live_matches(server)
        assert server.get("/api/episodes")["episodes"][0]["status"] == "live", "the match on top is live"
        showcase = live[0]["episode_id"]
        server.wait_for(showcase, seq=5)
        answer = server.post("/api/episodes", json.loads(data))
        assert answer.status_code == 201
        assert server.get("/api/games")
        before = server.get(f"/api/episodes/{showcase}")["last_seq"]
        server.kill()
    with live_server(tmp_path / "data", "--showcase", "diplomacy,cricket") as server:
        assert server.wait_for(showcase, seq=before + 1)["status"] == "live"
        live_matches(server)
