"""A server that dies, is deaf or refuses: what the supervisor makes of it. The server is a stand-in, with real sockets
and processes; see `tests/support/trainer/fake_vllm.py`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grandstand.trainer.model.sampler import SamplerError
from grandstand.trainer.vllm import supervisor
from grandstand.trainer.vllm.launch import VllmOptions
from grandstand.trainer.vllm.server import VllmServer
from tests.support import http
from tests.support.trainer import fake_vllm
from tests.support.waiting import running, until

pytestmark = pytest.mark.long

Start = Callable[..., VllmServer]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(supervisor, "LONGEST_PAUSE", 0.1)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    servers = []

    def start(*extra: str, **more: Any) -> VllmServer:
        more = {"max_lora_rank": 8, **more}
        python, model = fake_vllm.interpreter(tmp_path), str(tmp_path / "model")
        servers.append(VllmServer(VllmOptions(python, model, tmp_path / "run", extra=extra, **more)))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    folder = tmp_path / "adapter"
    folder.mkdir()
    (folder / "adapter_config.json").write_text(json.dumps({"r": 8}))
    (folder / "adapter_model.safetensors").write_bytes(b"weights")
    return folder


def requests(tmp_path: Path, path: str) -> list[dict[str, Any]]:
    return [entry for entry in fake_vllm.journal(tmp_path / "run") if entry["path"] == path]


def loaded(tmp_path: Path) -> list[str]:
    return [entry["name"] for entry in requests(tmp_path, "/v1/load_lora_adapter")]


def pid(tmp_path: Path) -> int:
    result: int = requests(tmp_path, "start")[-1]["pid"]
    return result


def given_up(server: VllmServer) -> bool:
    try:
        server.wait()
    except SamplerError:
        return True
    return False


def test_versions_have_names_and_folders_of_their_own(start: Start, adapter: Path, tmp_path: Path) -> None:
    server = start()
    assert server.model(0) == "base"
    server.publish(0, adapter)
    server.publish(3, adapter)
    shutil.rmtree(adapter)
    names = ["policy@v000000", "policy@v000003"]
    assert [server.model(version) for version in (0, 3)] == names
    assert loaded(tmp_path) == names
    for name in names:
        assert (tmp_path / "run" / "adapters" / name / "adapter_model.safetensors").read_bytes() == b"weights"
    with pytest.raises(SamplerError, match=r"version 2 was not published; there are \[0, 3\]"):
        server.model(2)


def test_an_adapter_is_deleted_only_after_it_was_unloaded(start: Start, adapter: Path, tmp_path: Path) -> None:
    server = start()
    server.publish(1, adapter)
    server.retire(1)
    server.retire(1)
    server.retire(77)
    (unloaded,) = requests(tmp_path, "/v1/unload_lora_adapter")
    assert unloaded == {"path": "/v1/unload_lora_adapter", "name": "policy@v000001", "folder_was_there": True}
    assert not any((tmp_path / "run" / "adapters").iterdir())


def test_a_version_that_comes_back_is_a_new_one_to_the_engine(start: Start, adapter: Path, tmp_path: Path) -> None:
    server = start()
    for _ in range(2):
        server.publish(1, adapter)
        with pytest.raises(ValueError, match="version 1 is live already"):
            server.publish(1, adapter)
        server.retire(1)
    assert loaded(tmp_path) == ["policy@v000001", "policy@v000001-2"]


def test_the_folder_of_the_model_is_the_version_without_an_adapter(start: Start, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "other").mkdir()
    server = start()
    server.publish(4, tmp_path / "model")
    assert server.model(4) == "base"
    server.retire(4)
    assert not loaded(tmp_path)
    with pytest.raises(ValueError, match=r"other holds no adapter_config\.json"):
        server.publish(5, tmp_path / "other")


def test_what_cannot_be_served_is_refused_and_not_live(start: Start, adapter: Path) -> None:
    server = start(max_lora_rank=4)
    with pytest.raises(ValueError, match="rank 8, but the server takes at most 4"):
        server.publish(1, adapter)
    server.close()
    server = start()
    (adapter / "refused").touch()
    with pytest.raises(SamplerError, match=r"vLLM refuses policy@v000001: 500: .*modules_to_save"):
        server.publish(1, adapter)
    with pytest.raises(SamplerError, match="not published"):
        server.model(1)
    (adapter / "refused").unlink()
    server.publish(1, adapter)
    assert server.model(1) == "policy@v000001-2"


def test_a_killed_server_comes_back_with_its_live_adapters(start: Start, adapter: Path, tmp_path: Path) -> None:
    server = start()
    for version in (1, 2, 3):
        server.publish(version, adapter)
    server.retire(2)
    os.kill(pid(tmp_path), signal.SIGKILL)
    assert until(lambda: server.restarts == 1)
    server.wait()
    assert sorted(loaded(tmp_path)[3:]) == ["policy@v000001", "policy@v000003"]
    server.publish(4, adapter)


def test_a_version_published_while_the_server_is_away_is_loaded(start: Start, adapter: Path, tmp_path: Path) -> None:
    server = start()
    server.wait()
    os.kill(pid(tmp_path), signal.SIGKILL)
    server.publish(1, adapter)
    assert "policy@v000001" in loaded(tmp_path)
    assert server.restarts == 1


def test_a_server_whose_engine_died_is_restarted(start: Start, tmp_path: Path) -> None:
    server = start("--fault", "sick:1")
    server.wait()
    assert http.post(f"{server.url}/v1/completions", json={}).status_code == 401
    asked = {"model": "base", "prompt": [1], "seed": 1, "temperature": 1, "max_tokens": 1, "allowed_token_ids": [1]}
    assert http.post(f"{server.url}/v1/completions", json=asked, headers=server.headers).status_code == 500
    assert until(lambda: server.restarts == 1)
    server.wait()
    assert len(requests(tmp_path, "start")) == 2


def test_a_server_that_never_comes_up_is_given_up_with_its_last_words(start: Start, adapter: Path) -> None:
    server = start("--fault", "always-unready")
    with pytest.raises(SamplerError, match=r"given up after 2 deaths.*ended with status 1.*there is no such model"):
        server.publish(1, adapter)
    with pytest.raises(SamplerError, match="given up"):
        assert server.ready


def test_a_model_that_the_engine_cannot_run_is_found_out_at_the_start(start: Start) -> None:
    server = start("--fault", "always-unfit")
    with pytest.raises(SamplerError, match=r"given up after 2 deaths.*first request with 500.*head_dim=16"):
        server.wait()


def test_a_server_that_is_too_slow_is_given_up(start: Start) -> None:
    server = start(start_seconds=0.0)
    with pytest.raises(SamplerError, match="was not up after"):
        server.wait()


def test_a_server_that_keeps_dying_is_given_up(start: Start, tmp_path: Path) -> None:
    server = start(deaths=3)
    for restarts in (1, 2, 2):
        server.wait()
        os.kill(pid(tmp_path), signal.SIGKILL)
        assert until(lambda: server.restarts == restarts)  # noqa: B023
    assert until(lambda: given_up(server))
    with pytest.raises(SamplerError, match="given up after 3 deaths in a row"):
        server.wait()


def test_an_engine_without_our_processor_is_found_out(start: Start) -> None:
    for processor, masks in (("auto", True), ("none", False)):
        server = start(processor=processor)
        server.wait()
        assert server.masks is masks
        server.close()


def test_a_closed_server_leaves_nothing_running(start: Start, adapter: Path, tmp_path: Path) -> None:
    server = start()
    server.publish(1, adapter)
    server.close()
    with pytest.raises(SamplerError, match="was closed"):
        server.wait()
    assert not running(pid(tmp_path))
    assert not (tmp_path / "run" / "adapters").exists()


def test_a_killed_trainer_leaves_no_server_behind(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys, time\n"
        "from grandstand.trainer.vllm.launch import VllmOptions\n"
        "from grandstand.trainer.vllm.server import VllmServer\n"
        f"here = pathlib.Path({str(tmp_path)!r})\n"
        f"VllmServer(VllmOptions({fake_vllm.interpreter(tmp_path)!r}, 'model', here / 'run')).wait()\n"
        "print('up', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=fake_vllm.ROOT, stdout=subprocess.PIPE) as trainer:
        assert trainer.stdout
        assert trainer.stdout.readline() == b"up\n"
        server = pid(tmp_path)
        assert running(server)
        trainer.kill()
    assert until(lambda: not running(server))
