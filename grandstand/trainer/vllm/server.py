"""One supervised vLLM server, and the versions that it serves.

Each is served under a name and from a folder that were never used before: vLLM keeps computed prefixes by adapter name
and path, and would reuse those of other weights. A folder is deleted only after its adapter was unloaded: vLLM
exits if it needs to re-read a deleted adapter. After a restart all live versions are loaded again.
"""

from __future__ import annotations

import json
import logging
import secrets
import shutil
import socket
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from grandstand.trainer.model.sampler import SamplerError
from grandstand.trainer.vllm import wire as vllm_wire
from grandstand.trainer.vllm.launch import BASE, HOST, VllmOptions, command, environment, lay_out, probe
from grandstand.trainer.vllm.supervisor import Lost, Service, Supervisor

log = logging.getLogger(__name__)

ADAPTER = "adapter_config.json"
HEALTH_SECONDS = 10.0
ADMIN_SECONDS = 300.0
"""Longest time to load an adapter, and for the first request of an engine."""
ONE_TOKEN = {"model": BASE, "prompt": [0], "max_tokens": 1}
ERROR_CHARACTERS = 2000
"""The most characters of vLLM's messages that are kept."""


@dataclass(frozen=True)
class _Adapter:
    name: str
    path: Path


class VllmServer:
    """A server. All methods may be called by any thread."""

    def __init__(self, options: VllmOptions) -> None:
        """Start the server and return; `wait` waits for it. Raises SamplerError if the interpreter has no vLLM."""
        self.options = options
        self.masks = False
        """True if the engine has our logits processor; known once it is ready."""
        self.headers = {"authorization": f"Bearer {secrets.token_urlsafe(24)}"}
        self._http = httpx2.Client(headers=self.headers, timeout=HEALTH_SECONDS, trust_env=False)
        self._folder = options.folder.absolute()
        self._port = 0
        self._live: dict[int, _Adapter | None] = {}
        """By version; None is the base model."""
        self._published: Counter[int] = Counter()
        self._lock = threading.RLock()
        """Held while the set of adapters changes, here or in the engine."""
        self._engine = probe(options.python)
        lay_out(self._folder / "plugin")
        shutil.rmtree(self._folder / "adapters", ignore_errors=True)
        (self._folder / "adapters").mkdir()
        self._supervisor = Supervisor(
            Service(
                f"vLLM {self._engine.version}",
                self._launch,
                self._healthy,
                self._up,
                self._folder / "vllm.log",
                options.start_seconds,
                options.deaths,
            )
        )
        self.wait, self.doubt, self.condemn = (
            self._supervisor.wait,
            self._supervisor.doubt,
            self._supervisor.condemn,
        )

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._port}"

    @property
    def ready(self) -> bool:
        """Return whether it responds and has loaded all live adapters.

        Raises SamplerError if it was given up or closed.
        """
        return self._supervisor.ready

    @property
    def restarts(self) -> int:
        return self._supervisor.restarts

    def model(self, version: int) -> str:
        """Return the name that requests for `version` carry. Raises SamplerError if it is not live.

        Version 0 is the base model until it is published.
        """
        with self._lock:
            if version and version not in self._live:
                raise SamplerError(f"version {version} was not published; there are {sorted(self._live)}")
            adapter = self._live.get(version)
        return adapter.name if adapter else BASE

    def publish(self, version: int, folder: Path) -> None:
        """Serve the adapter in `folder`, of which a copy is made; waits until it is loaded. The folder of the model
        itself is the version without an adapter.

        Raises ValueError for what cannot be served, SamplerError where vLLM refuses it or is away for good.
        """
        with self._lock:
            if version in self._live:
                raise ValueError(f"version {version} is live already; versions are never published over each other")
            adapter = self._copy(version, folder)
        if adapter is None:
            self._live[version] = None
            return
        try:
            while not self._take_up(version, adapter):
                pass
        except SamplerError:
            shutil.rmtree(adapter.path)
            raise
        if sum(adapter is not None for adapter in self._live.values()) > self.options.max_cpu_loras:
            log.warning("vLLM: %d versions are live; see sampler.vllm.max_cpu_loras", len(self._live))

    def retire(self, version: int) -> None:
        """Unload a version, then delete its copy. Nothing may be sampled with it any more."""
        with self._lock:
            adapter = self._live.pop(version, None)
            if adapter is None:
                return
            try:
                self._send("/v1/unload_lora_adapter", {"lora_name": adapter.name})
            except Lost:
                log.warning("vLLM: %s may still be loaded; its copy stays until the server is closed", adapter.name)
            else:
                shutil.rmtree(adapter.path)

    def close(self) -> None:
        """End the server and delete the copies of the adapters."""
        self._supervisor.close()
        self._http.close()
        shutil.rmtree(self._folder / "adapters", ignore_errors=True)

    # Called by the supervisor, in its own thread.

    def _launch(self) -> tuple[Sequence[str], Mapping[str, str]]:
        self._port = _free_port()
        key = self.headers["authorization"].removeprefix("Bearer ")
        return (
            command(self.options, self._engine, self._port),
            environment(self.options, self._engine, self._folder / "plugin", key),
        )

    def _healthy(self) -> bool:
        try:
            return self._http.get(f"{self.url}/health").status_code == 200
        except httpx2.HTTPError as error:
            raise Lost(f"/health: {error!r}") from None

    def _up(self) -> None:
        status, text = self._send("/v1/completions", ONE_TOKEN)  # errors of a model appear in its first forward pass
        if status != 200:
            raise SamplerError(f"it answers a first request with {status}: {text}")
        self.masks = self._has_processor()
        with self._lock:
            for adapter in filter(None, self._live.values()):
                self._load(adapter)

    def _has_processor(self) -> bool:
        """Return whether the engine has our processor, which refuses an invalid text; other engines ignore it."""
        status, text = self._send("/v1/completions", {**ONE_TOKEN, "vllm_xargs": {vllm_wire.FIELD: "?"}})
        if status == 400 and f"{vllm_wire.FIELD}: not JSON" in text:
            return True
        log.warning("vLLM: the engine has no logits processor of ours; each token is drawn by a request of its own")
        return False

    def _take_up(self, version: int, adapter: _Adapter) -> bool:
        """Load an adapter, now and after each restart; return whether it succeeded."""
        self.wait()
        with self._lock, suppress(Lost):
            self._load(adapter)
            self._live[version] = adapter
            return True
        return False

    def _load(self, adapter: _Adapter) -> None:
        """Load an adapter. Raises SamplerError if it is refused, Lost if nobody answers."""
        status, text = self._send("/v1/load_lora_adapter", {"lora_name": adapter.name, "lora_path": str(adapter.path)})
        # After a restart the supervisor and `publish` may both load it.
        if status != 200 and "already been loaded" not in text:
            raise SamplerError(f"vLLM refuses {adapter.name}: {status}: {text}")

    def _send(self, path: str, data: Mapping[str, Any]) -> tuple[int, str]:
        try:
            answer = self._http.post(self.url + path, json=data, timeout=ADMIN_SECONDS)
        except httpx2.HTTPError as error:
            self.doubt()
            raise Lost(f"{path}: {error!r}") from None
        return answer.status_code, answer.text[:ERROR_CHARACTERS]

    def _copy(self, version: int, folder: Path) -> _Adapter | None:
        """Return a complete copy of an adapter, under a name of its own; None for the base model's own folder."""
        if not (folder / ADAPTER).is_file():
            if folder.absolute() == Path(self.options.model).absolute():
                return None
            raise ValueError(f"{folder} holds no {ADAPTER}; vLLM serves {self.options.model} and adapters of it")
        rank = json.loads((folder / ADAPTER).read_text("utf-8"))["r"]
        if rank > self.options.max_lora_rank:
            raise ValueError(f"{folder}: rank {rank}, but the server takes at most {self.options.max_lora_rank}")
        self._published[version] += 1
        again = f"-{self._published[version]}" if self._published[version] > 1 else ""
        name = f"{self.options.name}@v{version:06d}{again}"
        part, whole = self._folder / "adapters" / f".{name}", self._folder / "adapters" / name
        shutil.copytree(folder, part)
        part.rename(whole)
        return _Adapter(name, whole)


def _free_port() -> int:
    with socket.socket() as probe_socket:
        probe_socket.bind((HOST, 0))
        port: int = probe_socket.getsockname()[1]
        return port
