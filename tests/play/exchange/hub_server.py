"""A local server that speaks as much of the Hugging Face Hub's HTTP API as pushing a dataset needs."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD_TOKEN = "hf_" + "a" * 34


@dataclass
class Repository:
    """A dataset repository: its files by path, and its commits."""

    private: bool
    files: dict[str, bytes] = field(default_factory=dict)
    commits: list[str] = field(default_factory=list)


class HubServer(ThreadingHTTPServer):
    """The server. `failing` is a path at whose beginning requests fail with the status of the same entry."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.repositories: dict[str, Repository] = {}
        self.failing: dict[str, int] = {}
        self.requests: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: HubServer

    def log_message(self, *_: object) -> None:
        """Keep the output of tests clean."""

    def do_GET(self) -> None:
        self._handle()

    def do_POST(self) -> None:
        self._handle()

    def do_HEAD(self) -> None:
        self._handle()

    def _handle(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.requests.append(f"{self.command} {self.path}")
        if self.headers.get("Authorization") != f"Bearer {GOOD_TOKEN}":
            return self._answer(401, {"error": "Invalid credentials"})
        for path, status in self.server.failing.items():
            if path in self.path:
                return self._answer(status, {"error": "it fails"})
        path = self.path.partition("?")[0]
        if path == "/api/repos/create":
            return self._create(json.loads(body))
        if path == "/api/validate-yaml":
            return self._answer(200, {"errors": [], "warnings": []})
        name, _, rest = path.removeprefix("/api/datasets/").partition("/preupload/")
        if rest:
            return self._preupload(name, json.loads(body))
        name, _, rest = path.removeprefix("/api/datasets/").partition("/commit/")
        if rest:
            return self._commit(name, body)
        name, _, _ = path.removeprefix("/api/datasets/").partition("/revision/")
        if name in self.server.repositories:
            files = [{"rfilename": file} for file in self.server.repositories[name].files]
            return self._answer(200, {"id": name, "sha": "0" * 40, "private": True, "siblings": files, "tags": []})
        return self._answer(404, {"error": "Repository not found"})

    def _create(self, asked: dict[str, Any]) -> None:
        name = f"{asked['organization']}/{asked['name']}" if asked.get("organization") else asked["name"]
        assert asked["type"] == "dataset"
        if name in self.server.repositories:
            return self._answer(409, {"error": "You already created this dataset repo", "url": self._url(name)})
        private = asked.get("private") or asked.get("visibility") == "private"
        self.server.repositories[name] = Repository(bool(private))
        return self._answer(200, {"url": self._url(name), "name": name, "id": "1"})

    def _preupload(self, name: str, asked: dict[str, Any]) -> None:
        known = self.server.repositories[name]
        assert known is not None
        files = [{"path": file["path"], "uploadMode": "regular", "shouldIgnore": False} for file in asked["files"]]
        return self._answer(200, {"files": files})

    def _commit(self, name: str, body: bytes) -> None:
        repository = self.server.repositories[name]
        for line in body.splitlines():
            entry = json.loads(line)
            if entry["key"] == "header":
                repository.commits.append(entry["value"]["summary"])
            elif entry["key"] == "file":
                assert entry["value"]["encoding"] == "base64"
                repository.files[entry["value"]["path"]] = base64.b64decode(entry["value"]["content"])
            else:
                raise AssertionError(f"a commit with {entry['key']}")
        oid = f"{len(repository.commits):040x}"
        url = f"{self._url(name)}/commit/{oid}"
        return self._answer(200, {"success": True, "commitOid": oid, "commitUrl": url, "hookOutput": ""})

    def _url(self, name: str) -> str:
        return f"{self.server.url}/datasets/{name}"

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)


@contextmanager
def hub_server() -> Iterator[HubServer]:
    """Serve until the block ends."""
    server = HubServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
