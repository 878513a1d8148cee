"""Compare libraries that speak the dialects of chat endpoints: their weight, and their behaviour when an answer breaks.

python -m benchmarks.model_clients FOLDER [--library NAME ...]

Each library is installed from the package index into an environment of its own in FOLDER, and streams answers from the
scripted endpoint of the tests. Grandstand's own client is the last line.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from pydantic import SecretStr

from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import ChatError, Endpoint, UsageCounter
from grandstand.players.llm.features import DialectName
from grandstand.players.options import LLMOptions
from tests.support.players import dialect_answers
from tests.support.players.chat_server import Answer, ChatServer, Request
from tests.support.players.dialect_wires import WIRES, Wire

PROBE = Path(__file__).with_name("model_client_probe.py")
OFFLINE = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
"""LiteLLM otherwise downloads its prices when it is imported."""
IMPORTS = 7
"""Number of imports whose median time is reported."""
FLOOD = 20_000_000
"""Characters of text after which the endless answer of the test ends."""

LIBRARIES: dict[str, tuple[str, str, tuple[DialectName, ...]]] = {
    "openai": ("openai", "from openai import AsyncOpenAI", ("openai-chat", "openai-responses")),
    "anthropic": ("anthropic", "from anthropic import AsyncAnthropic", ("anthropic",)),
    "google-genai": ("google-genai", "from google import genai", ("gemini",)),
    "litellm": ("litellm", "import litellm", ("openai-chat", "anthropic", "gemini")),
    "any-llm": (
        "any-llm-sdk[openai,anthropic,gemini]",
        "import any_llm, openai, anthropic; from google import genai",
        ("openai-chat", "anthropic", "gemini"),
    ),
    "pydantic-ai": (
        "pydantic-ai-slim[openai,anthropic,google]",
        "import pydantic_ai.direct, pydantic_ai.models.openai, pydantic_ai.models.anthropic, pydantic_ai.models.google",
        ("openai-chat", "openai-responses", "anthropic", "gemini"),
    ),
    "aisuite": ("aisuite[openai,anthropic]", "import aisuite, openai, anthropic", ("openai-chat", "anthropic")),
}
"""The requirement, the statement that imports what a call needs, and the dialects that are probed, by library."""


def floods(wire: Wire) -> Answer:
    """Return an answer that is longer than anyone wants, though not endless."""

    async def answer(request: Request) -> None:
        await dialect_answers.sends(*dialect_answers.started(wire, "x"))(request)
        for _ in range(FLOOD // 10_000):
            await request.send(b"".join(wire.part(("text", "x" * 10_000), 0, 10_000)))

    return answer


def faults(wire: Wire) -> dict[str, Answer]:
    """Return the answers that are compared."""
    started = dialect_answers.started(wire, '{"orders": ["A PAR H')
    slow = dialect_answers.refuses(wire, "429 Too Many Requests", "slow down", {"retry_after": "0"})
    return {
        "whole": dialect_answers.says(wire, "x" * 100),
        "breaks off": dialect_answers.sends(*started),
        "empty stream": dialect_answers.sends(),
        "error inside": dialect_answers.sends(*started, wire.failure("the engine died")),
        "rate limit": slow,
        "floods": floods(wire),
    }


def installed(folder: Path, library: str) -> Path:
    """Return the Python of the library's environment, which is made if it is not there."""
    place = folder / library
    python = place / "bin" / "python"
    if not (place / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", LIBRARIES[library][0]], check=True)
        (place / "installed").touch()
    return python


def weight(python: Path, library: str) -> dict[str, Any]:
    """Return the packages and megabytes that are installed, and the seconds of the import, less those of Python."""
    requirement, statement, _ = LIBRARIES[library]
    listed = subprocess.run([str(python), "-m", "pip", "list", "--format", "json"], capture_output=True, check=True)
    versions = {package["name"]: package["version"] for package in json.loads(listed.stdout)}
    folder = next((python.parents[1] / "lib").glob("python*/site-packages"))
    own = {"pip", "setuptools"}
    size = sum(
        file.stat().st_size
        for file in folder.rglob("*")
        if file.is_file() and file.suffix != ".pyc" and not file.relative_to(folder).parts[0].startswith(tuple(own))
    )
    return {
        "library": library,
        "version": versions[requirement.partition("[")[0]],
        "packages": len(versions.keys() - own),
        "megabytes": round(size / 1e6),
        "import_seconds": round(import_seconds(python, statement) - import_seconds(python, "pass"), 2),
    }


def import_seconds(python: Path, statement: str) -> float:
    """Return the median processor seconds of a new process with this statement, after a first one."""
    measure = f"import time\n{statement}\nprint(time.process_time())"
    command, environment = [str(python), "-c", measure], os.environ | OFFLINE
    runs = [subprocess.run(command, capture_output=True, check=True, env=environment) for _ in range(IMPORTS + 1)]
    return median(float(run.stdout.split()[-1]) for run in runs[1:])


def probes(python: Path, library: str, server: ChatServer) -> Iterator[dict[str, Any]]:
    """Yield the outcome of each fault in each dialect of the library."""
    for dialect in LIBRARIES[library][2]:
        for name, answer in faults(WIRES[dialect]).items():
            server.answer = answer
            server.requests.clear()
            command = [str(python), str(PROBE), library, dialect, server.url]
            run = subprocess.run(command, capture_output=True, check=False, env=os.environ | OFFLINE)
            outcome = json.loads(run.stdout.splitlines()[-1]) if run.stdout else {"error": "crashed"}
            yield {"library": library, "dialect": dialect, "fault": name, "requests": len(server.requests), **outcome}


def own_probes(server: ChatServer) -> Iterator[dict[str, Any]]:
    """Yield the outcome of each fault in each dialect of Grandstand's client."""
    for dialect, wire in WIRES.items():
        for name, answer in faults(wire).items():
            server.answer = answer
            server.requests.clear()
            options = LLMOptions(base_url=server.url, model="m", dialect=dialect, retry_seconds=0.01)
            endpoint, began, length, error = Endpoint(options, SecretStr("sk-canary")), time.monotonic(), 0, ""
            asked = endpoint.ask(
                [{"role": "user", "content": "Play."}], {}, Budget("b"), UsageCounter(), began + 20, lambda _: None
            )
            try:
                length = len(asyncio.run(asked).text)
            except ChatError as raised:
                error = raised.message
            seconds = round(time.monotonic() - began, 1)
            outcome = {"received": length, "error": error, "seconds": seconds}
            yield {
                "library": "grandstand",
                "dialect": dialect,
                "fault": name,
                "requests": len(server.requests),
                **outcome,
            }


def main() -> None:
    """Print a line for the weight of each library, and one for each fault in each of its dialects."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", action="append", choices=(*LIBRARIES, "grandstand"))
    arguments = parser.parse_args()
    chosen = arguments.library or [*LIBRARIES, "grandstand"]
    with ChatServer(dialect_answers.says(WIRES["openai-chat"], "{}")) as server:
        for library in chosen:
            if library == "grandstand":
                for outcome in own_probes(server):
                    print(json.dumps(outcome), flush=True)
                continue
            python = installed(arguments.folder, library)
            print(json.dumps(weight(python, library)), flush=True)
            for outcome in probes(python, library, server):
                print(json.dumps(outcome), flush=True)


if __name__ == "__main__":
    main()
