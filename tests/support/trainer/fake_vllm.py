"""A fake of an interpreter with vLLM: a program that speaks its HTTP over real sockets, and can fail in many ways.

It shows how the supervisor and the sampler behave when a server is slow, broken or gone. That vLLM itself behaves as
they expect is shown by `tests/trainer/vllm/test_engine.py`, with a real one. Every legal token is as likely as another.

`--fault die:3` ends it at the third completion (`hang`, `break`, `sick`, `nan`, `illegal` likewise). Only its first
start has the fault, unless it is `always-...`. Requests are kept in `journal.jsonl`, in its working directory.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import stat
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[3]


def interpreter(folder: Path) -> str:
    """Write a file that can be run as `python -m vllm...` in place of an interpreter."""
    path = folder / "python"
    path.write_text(f"#!{sys.executable} -B\n{_SCRIPT}", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


_SCRIPT = f"""
import runpy, sys
if sys.argv[1] == "-I":
    print('["0.0+fake", ["v1"], false]')
else:
    sys.path.append({str(ROOT)!r})  # after what PYTHONPATH names: the plugin's own modules come first
    sys.argv[1:3] = []
    runpy.run_module("tests.support.trainer.fake_vllm", run_name="__main__")
"""


def journal(folder: Path) -> list[dict[str, Any]]:
    """Return every start and request, in order, as `{"path": ..., ...}`."""
    path = folder / "journal.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


class Fake:
    """The server's state."""

    def __init__(self, fault: str, processor: bool) -> None:
        self.loras: dict[str, str] = {}
        self.lock = threading.Lock()
        self.processor = processor
        self.completions = 0
        self.sick = False
        kind, _, at = fault.removeprefix("always-").partition(":")
        first = not any(entry["path"] == "start" for entry in journal(Path.cwd()))
        self.fault = kind if first or fault.startswith("always-") else ""
        self.at = int(at or 1)

    def note(self, path: str, **more: Any) -> None:
        with self.lock, Path("journal.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"path": path, **more}) + "\n")

    def answer(self, path: str, body: dict[str, Any], key: str) -> tuple[int, Any]:
        if key != f"Bearer {os.environ['VLLM_API_KEY']}":
            return 401, {"error": "Unauthorized"}
        if path == "/v1/completions":
            return self.complete(body)
        name = body["lora_name"]
        if path == "/v1/unload_lora_adapter":
            known = self.loras.pop(name, None)
            self.note(path, name=name, folder_was_there=known is not None and Path(known).is_dir())
            return (200, "ok") if known else (404, {"error": {"message": "cannot be found"}})
        self.note(path, name=name)
        if name in self.loras:
            return 400, {"error": {"message": f"{name} has already been loaded"}}
        if (Path(body["lora_path"]) / "refused").exists():
            return 500, {"error": {"message": "modules_to_save is not supported"}}
        self.loras[name] = body["lora_path"]
        return 200, "ok"

    def complete(self, body: dict[str, Any]) -> tuple[int, Any]:
        from grandstand.trainer.vllm.wire import FIELD, Constraint, WireError, decode

        if body["model"] not in {"base", *self.loras}:
            return 404, {"error": {"message": f"The model {body['model']} does not exist"}}
        args = body.get("vllm_xargs", {})
        if self.processor and args.get(FIELD) == "?":
            try:
                decode("?")
            except WireError as error:
                return 400, {"error": {"message": str(error)}}
        if "seed" not in body:  # the server's own first requests
            return (500, {"error": "head_dim=16"}) if self.fault == "unfit" else (200, {"choices": []})
        with self.lock:
            self.completions += 1
            hit = self.completions == self.at
            fault = self.fault if hit else ""
        self.note("/v1/completions", **{name: body.get(name) for name in ("model", "prompt", "seed", "temperature")})
        if fault == "die":
            os._exit(9)
        if fault == "hang":
            time.sleep(3600)
        self.sick |= fault == "sick"
        if self.sick or fault == "break":
            return 500, {"error": {"message": "EngineCore encountered an issue"}}
        if fault == "nan":
            return 400, {"error": {"message": "Out of range float values are not JSON compliant"}}
        rng = Random(body["seed"])
        tokens: list[int] = []
        logprobs: list[float] = []
        constraint = Constraint(decode(args[FIELD])) if FIELD in args else None
        while len(tokens) < body["max_tokens"]:
            allowed = constraint.allowed if constraint else body["allowed_token_ids"]
            tokens.append(min(allowed) if body["temperature"] == 0 else rng.choice(list(allowed)))
            logprobs.append(-math.log(len(allowed)))
            if tokens[-1] in body.get("stop_token_ids", ()):
                break
            if constraint:
                constraint.take(tokens[-1])
        if fault == "illegal":
            tokens[0] = 999_999
        top = [{f"token_id:{token}": -math.log(len(allowed)) for token in allowed}]
        return 200, {"choices": [{"token_ids": tokens, "logprobs": {"token_logprobs": logprobs, "top_logprobs": top}}]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: Fake

    def do_GET(self) -> None:
        self.reply(503 if self.fake.sick else 200, "")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.reply(*self.fake.answer(self.path, body, self.headers.get("authorization", "")))

    def reply(self, status: int, data: Any) -> None:
        payload = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int)
    parser.add_argument("--fault", default="")
    parser.add_argument("--logits-processors", default="")
    known, _ = parser.parse_known_args()
    Handler.fake = Fake(known.fault, bool(known.logits_processors))
    Handler.fake.note("start", pid=os.getpid(), command=sys.argv)
    if Handler.fake.fault == "unready":
        sys.exit("there is no such model")
    Server(("127.0.0.1", known.port), Handler).serve_forever()
