"""A local server that speaks as much of the Hugging Face Hub's HTTP API as pushing and pulling need."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD_TOKEN = "hf_" + "a" * 34


@dataclass
class Repository:
    """A repository: its files by path, and its commits."""

    private: bool
    kind: str
    files: dict[str, bytes] = field(default_factory=dict)
    commits: list[str] = field(default_factory=list)

    @property
    def head(self) -> str:
        """Return the hash of the newest commit."""
        return f"{len(self.commits):040x}"


def entry(path: str, content: bytes) -> dict[str, Any]:
    """Return a file's entry in the listing of a repository."""
    return {"type": "file", "path": path, "size": len(content), "oid": hashlib.sha1(content).hexdigest()}


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
        if path == "/api/whoami-v2":
            return self._answer(200, {"type": "user", "name": "somebody", "orgs": []})
        if path == "/api/repos/create":
            return self._create(json.loads(body))
        if path == "/api/validate-yaml":
            return self._answer(200, {"errors": [], "warnings": []})
        called = re.fullmatch(
            r"/api/(dataset|model|space)s/([^/]+/[^/]+)(?:/(preupload|commit|revision|tree)/.*)?", path
        )
        file = re.fullmatch(r"/([^/]+/[^/]+)/resolve/[^/]+/(.+)", path)
        name = called[2] if called else file[1] if file else ""
        repository = self.server.repositories.get(name)
        if repository is None or (called and called[1] != repository.kind):
            return self._answer(404, {"error": "Repository not found"})
        if file:
            return self._download(repository, file[2])
        match called and called[3]:
            case "preupload":
                return self._preupload(name, json.loads(body))
            case "commit":
                return self._commit(name, body)
            case "tree":
                return self._answer(200, [entry(path, content) for path, content in repository.files.items()])
        files = [{"rfilename": file} for file in repository.files]
        about = {"id": name, "sha": repository.head, "private": True, "siblings": files, "tags": []}
        return self._answer(200, about)

    def _download(self, repository: Repository, path: str) -> None:
        content = repository.files.get(path)
        if content is None:
            return self._answer(404, {"error": "Entry not found"})
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{hashlib.sha1(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", repository.head)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _create(self, asked: dict[str, Any]) -> None:
        name = f"{asked['organization']}/{asked['name']}" if asked.get("organization") else asked["name"]
        kind = asked.get("type") or "model"
        assert kind in ("dataset", "model", "space")
        if name in self.server.repositories:
            return self._answer(409, {"error": "You already created this repo", "url": self._url(name)})
        private = asked.get("private") or asked.get("visibility") == "private"
        self.server.repositories[name] = Repository(bool(private), kind)
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
        url = f"{self._url(name)}/commit/{repository.head}"
        return self._answer(200, {"success": True, "commitOid": repository.head, "commitUrl": url, "hookOutput": ""})

    def _url(self, name: str) -> str:
        kind = self.server.repositories[name].kind
        return f"{self.server.url}/{'' if kind == 'model' else f'{kind}s/'}{name}"

    def _answer(self, status: int, body: dict[str, Any] | list[dict[str, Any]]) -> None:
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
