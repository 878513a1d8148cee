"""The documented commands, run as somebody runs them who installed the wheel and has no checkout.

Models and the Hub are servers of the tests; nothing else is replaced.
"""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.docs.released import Released, build, install
from tests.support.docs.runs import EXPERIMENTS, MATCHES, MODELS, SERVED, TRAINING
from tests.support.live_server import ROOT, live_server
from tests.support.play.hub_server import GOOD_TOKEN, HubServer, hub_server
from tests.support.players.chat_server import ChatServer, Request, says
from tests.support.players.models import HOLD
from tests.support.requirements import installed
from tests.support.trainer.fake_sweep import fake_data
from tests.support.trainer.tiny_sweep import written

pytestmark = pytest.mark.long

TOKEN = "a token of publishers"


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Released:
    folder = tmp_path_factory.mktemp("released")
    return install(build(folder / "dist"), folder / "environment")


def runs(
    released: Released, folder: Path, commands: Mapping[str, str], hub: HubServer | None = None, **env: str
) -> None:
    """Run the commands in their order; URL and ID are replaced by the variables of these names."""
    for line in commands.values():
        words = [re.sub("URL|ID$", lambda name: env[name[0]], word) for word in shlex.split(line)]
        files = [sorted(map(str, folder.glob(word))) if "*" in word else [word] for word in words]
        words = [word for names in files for word in names]
        if hub and any(word.startswith("hf:") for word in words):
            done = released.started(*words, cwd=folder, **env, **hub_of(hub))
        else:
            done = released.grandstand(*words, cwd=folder, **env)
        assert done.stdout or done.stderr, line


def block(page: str, name: str) -> str:
    """Return the TOML block of a page that has an entry of that name."""
    (text,) = (
        text
        for text in re.findall(r"^```toml\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.MULTILINE | re.DOTALL)
        if f'name = "{name}"\n' in text
    )
    return str(text)


def hub_of(hub: HubServer) -> dict[str, str]:
    return {"HF_ENDPOINT": hub.url, "HF_TOKEN": GOOD_TOKEN, "HF_HUB_DISABLE_TELEMETRY": "1"}


def test_documented_matches_evaluations_and_tournaments(released: Released, tmp_path: Path) -> None:
    runs(released, tmp_path, MATCHES)
    assert {"records", "DIR", "report.json", "saved", "cup"} <= {path.name for path in tmp_path.iterdir()}


def test_documented_commands_beside_a_server(released: Released, tmp_path: Path) -> None:
    installed("huggingface_hub")
    short = ("--matches", "1", "--format", "saved-game", "--set", "last_year=1901")
    for seed in ("1", "2"):
        released.grandstand("play", "diplomacy", "--seed", seed, *short, "--out", seed, cwd=tmp_path)
    (saved,), (other,) = (list((tmp_path / seed).glob("*.json")) for seed in ("1", "2"))
    shutil.copy(saved, tmp_path / "final.json")
    (tmp_path / "game.json.gz").write_bytes(gzip.compress(other.read_bytes()))
    with (
        hub_server() as hub,
        live_server(tmp_path / "data", program=str(released.program), GRANDSTAND_PUBLISH_TOKEN=TOKEN) as server,
    ):
        episode_id = server.start_match(game="diplomacy", options={"last_year": 1901}, pace=0, seed=1)
        server.wait_for(episode_id, status="finished")
        runs(released, tmp_path, SERVED, hub, URL=server.url, ID=episode_id, GRANDSTAND_PUBLISH_TOKEN=TOKEN)
        assert len(server.get("/api/episodes")["episodes"]) == 5, "one played, one published, three imported"
        assert sorted(hub.repositories["OWNER/NAME"].files) == ["README.md", f"data/{episode_id}.parquet"]
    assert "</html>" in (tmp_path / f"{episode_id}.html").read_text()


def test_documented_commands_with_models(released: Released, tmp_path: Path) -> None:
    async def answer(request: Request) -> None:
        captain = re.search(
            r"You captain ([^\n.]+?) in a \d+-over.*innings \d+\.\d\. (.+?) \d+/\d", request.prompt, re.DOTALL
        )
        tool = "play_delivery" if captain and captain[1] == captain[2] else "bowl_delivery"
        calls = [{"tool": tool, "arguments": {}}]
        await says(json.dumps({"reasoning": "", "calls": calls}) if captain else HOLD)(request)

    with ChatServer(answer) as models:
        roster = block("evaluation.md", "mini hidden").replace("https://api.openai.com/v1", models.url)
        for end, separator in ((" }", ", "), ("\n", "\n")):  # the price file has prices for the provider's own host
            prices = f"{separator}price_in = 0.25{separator}price_out = 2.0"
            roster = roster.replace(f'model = "gpt-5-mini"{end}', f'model = "gpt-5-mini"{prices}{end}')
        (tmp_path / "prompts.toml").write_text(roster)
        runs(released, tmp_path, MODELS, OPENAI_API_KEY="a key")
        assert models.requests


def test_documented_training(released: Released, tmp_path: Path) -> None:
    installed("torch")
    (tmp_path / "players.toml").write_text(block("players.md", "learner"))
    with live_server(tmp_path / "data", program=str(released.program)) as server:
        for seed in range(3):
            episode_id = server.start_match(game="diplomacy", options={"last_year": 1901}, pace=0, seed=seed)
            server.wait_for(episode_id, status="finished")
    with hub_server() as hub:
        runs(released, tmp_path, TRAINING, hub)
    assert (tmp_path / "FOLDER").is_dir()


def test_documented_experiments(released: Released, tmp_path: Path) -> None:
    """The runs of the sweep are imitated: `train` itself is run above."""
    installed("torch")
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    written(tmp_path, fake_data({"A": 0.0, "B": 0.1}))
    runs(released, tmp_path, EXPERIMENTS)
