"""Pushing to a Hub: a local server takes the folder by the client's real requests."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from grandstand.games.base import OptionError
from grandstand.play.exchange.hub import repository
from grandstand.spectator.recorder import Recorder
from tests.support.command import grandstand, words
from tests.support.play.canaries import record, secret
from tests.support.play.hub_server import GOOD_TOKEN, HubServer, hub_server
from tests.support.requirements import installed


@pytest.fixture
def hub() -> Iterator[HubServer]:
    installed("huggingface_hub")
    with hub_server() as server:
        yield server


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    recorder = Recorder(folder / "grandstand.db")
    recorder.on_events(record("after"))
    recorder.close()
    return folder


def pushed(hub: HubServer, data: Path, *arguments: str, status: int = 0, token: str = GOOD_TOKEN) -> str:
    """Run the command against the server; return what it says."""
    done = grandstand(
        "export", "canary-1", "--to", "hf:somebody/decisions", "--data", str(data), *arguments, status=status,
        HF_ENDPOINT=hub.url, HF_TOKEN=token, HF_HUB_DISABLE_TELEMETRY="1",
    )  # fmt: skip
    return words(done.stderr)


def test_the_dataset_arrives_whole(hub: HubServer, data: Path) -> None:
    output = pushed(hub, data)
    assert f"{hub.url}/datasets/somebody/decisions: " in output
    arrived = hub.repositories["somebody/decisions"]
    assert arrived.private
    assert sorted(arrived.files) == ["README.md", "data/canary-1.parquet"]
    table = pq.read_table(io.BytesIO(arrived.files["data/canary-1.parquet"]))
    assert f"{table.num_rows} decisions" in output
    assert secret("FRANCE", "GERMANY") in str(table.to_pylist()), "the match is revealed now that it is over"
    assert arrived.files["README.md"].startswith(b"---\nlicense: cc-by-4.0\n")


def test_a_second_push_is_a_second_commit(hub: HubServer, data: Path) -> None:
    pushed(hub, data, "--public")
    pushed(hub, data, "--as", "seat:FRANCE")
    arrived = hub.repositories["somebody/decisions"]
    assert not arrived.private
    assert len(arrived.commits) == 2
    assert secret("GERMANY", "ITALY") not in str(
        pq.read_table(io.BytesIO(arrived.files["data/canary-1.parquet"])).to_pylist()
    )


def test_refusals_are_told_with_their_remedy_and_without_the_token(hub: HubServer, data: Path) -> None:
    wrong = "hf_" + "b" * 34
    output = pushed(hub, data, status=1, token=wrong)
    assert "status 401; set HF_TOKEN to a token that may write" in output
    assert wrong not in output
    hub.failing["/commit/"] = 403
    output = pushed(hub, data, status=1)
    assert "status 403; the token may not write there" in output
    assert "Traceback" not in output


@pytest.mark.long
def test_a_hub_that_is_not_there(hub: HubServer, data: Path) -> None:
    hub.shutdown()
    hub.server_close()
    output = pushed(hub, data, status=1)
    assert "somebody/decisions: the Hub cannot be reached" in output
    assert "Traceback" not in output


@pytest.mark.parametrize("target", ["hf:alone", "somebody/decisions", "hf:a/b/c", "hf:a b/c"])
def test_a_target_that_is_none(target: str) -> None:
    with pytest.raises(OptionError, match=r"to: .* is not hf:OWNER/NAME"):
        repository(target)
