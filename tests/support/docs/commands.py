"""The commands that README, docs and the comments of sample files tell a reader to type."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.live_server import ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md")])
SAMPLES = [ROOT / "grandstand/players/players.toml", ROOT / "compose.yaml", *sorted((ROOT / "deploy").iterdir())]
PROGRAMS = (
    "grandstand", ".venv/bin/grandstand", "make", "python", ".venv/bin/python", "scripts/", "deploy/", "curl", "docker",
    "sudo", "git", "touch", "uvx", "openenv", "cd", "hf", "npm", "node", "sqlite3", "systemctl", "gunzip", "inspect",
    "vf-eval",
)  # fmt: skip
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
EARLIER = re.compile(r"\b[Aa]t commit\s([0-9a-f]{8}):\s`([^`\n]+)`")
"""A command of a program that has left the tree, and the last commit that has it."""
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


@dataclass(frozen=True)
class Command:
    """One simple command, as it is written."""

    page: Path
    text: str

    @property
    def words(self) -> list[str]:
        words = shlex.split(self.text, comments=True)
        return words[1:] if words[0] == "sudo" else words

    @property
    def program(self) -> str:
        return self.words[0].rpartition("/")[2] if ".venv/bin" in self.words[0] else self.words[0]

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.text}"


def commands() -> list[Command]:
    """Every command of the pages and of the samples' comments, each once."""
    results = [command for page in PAGES for command in _of(page, page.read_text())]
    for sample in SAMPLES:
        if sample.is_file():
            results += [Command(sample, text) for text in _inline(sample.read_text())]
    return list(dict.fromkeys(results))


def earlier_commands() -> list[tuple[str, Command]]:
    """The commands of programs that have left the tree, each with its commit."""
    return [(commit, Command(page, text)) for page in PAGES for commit, text in EARLIER.findall(page.read_text())]


def _of(page: Path, text: str) -> Iterator[Command]:
    text = EARLIER.sub("", text)
    for kind, block in FENCE.findall(text):
        if kind in ("", "sh"):
            for line in block.replace("\\\n", " ").splitlines():
                yield from (Command(page, part) for part in _simple(line))
    yield from (Command(page, part) for part in _inline(FENCE.sub("", text)))


def _inline(text: str) -> Iterator[str]:
    for code in INLINE.findall(text):
        yield from _simple(code)


def _simple(line: str) -> Iterator[str]:
    """The commands of a line that are joined by `&&`, if it is one."""
    for part in (part.strip() for part in line.split("&&")):
        first = part.split(" ")[0]
        bare = part == first and first not in ("grandstand",) and not first.startswith(("scripts/", "deploy/"))
        if not bare and any(first == name or (name.endswith("/") and first.startswith(name)) for name in PROGRAMS):
            yield part
