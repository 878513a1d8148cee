"""Draws mutants at random, in every layer by its lines of code."""

from __future__ import annotations

import json
import random
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from scripts.mutants.python_sites import Site, python_sites
from tests.support.source import PACKAGE, ROOT

PAGE = ROOT / "frontend/src"
LAYERS = (
    "games",
    "players",
    "play",
    "campaigns",
    "spectator",
    "server",
    "trainer",
    "commands",
    "models.py",
    "frontend",
)
AT_LEAST = 10
"""Mutants of the smallest layer, unless fewer are drawn than this for each."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: in `path`, the bytes from `start` to `end`, which are `before`, become `after`."""

    id: str
    layer: str
    path: str
    line: int
    operator: str
    before: str
    after: str
    start: int
    end: int
    reserve: bool = False
    """Whether it is only run in place of one that does not compile or import."""

    def apply(self, source: bytes) -> bytes:
        """Return the source with the fault."""
        if source[self.start : self.end] != self.before.encode():
            raise ValueError(f"{self.path} has changed since mutant {self.id} was drawn: draw again")
        return source[: self.start] + self.after.encode() + source[self.end :]

    def diff(self, source: bytes) -> str:
        """Return the lines that the fault changes, as they are and as they become."""
        begin = source.rfind(b"\n", 0, self.start) + 1
        tail = source.find(b"\n", self.end)
        tail = len(source) if tail < 0 else tail
        old = source[begin:tail].decode()
        new = (source[begin : self.start] + self.after.encode() + source[self.end : tail]).decode()
        return "\n".join([f"- {line}" for line in old.split("\n")] + [f"+ {line}" for line in new.split("\n")])


def draw(seed: int, count: int) -> list[Mutant]:
    """Return `count` mutants in an order drawn at random, and after them the reserve of each layer."""
    rng = random.Random(seed)
    chosen: list[Mutant] = []
    reserve: list[Mutant] = []
    files = {layer: layer_files(layer) for layer in LAYERS}
    lines = {layer: sum(path.read_bytes().count(b"\n") for path in files[layer]) for layer in LAYERS}
    for layer, number in shares(lines, count).items():
        by_place: dict[tuple[str, int, str], list[Site]] = defaultdict(list)
        for path, site in sites(layer, files[layer]):
            by_place[path, site.start, site.operator].append(site)
        mutants: list[Mutant] = []
        for place in rng.sample(sorted(by_place), len(by_place)):
            if len(mutants) == number + number // 10 + 2:
                break
            site = rng.choice(by_place[place])
            mutant = _mutant(f"{layer.removesuffix('.py')}-{len(mutants) + 1:03}", layer, place[0], site)
            if compiles(mutant):
                mutants.append(mutant)
        chosen += mutants[:number]
        reserve += [replace(mutant, reserve=True) for mutant in mutants[number:]]
    rng.shuffle(chosen)
    return chosen + reserve


def shares(lines: dict[str, int], count: int) -> dict[str, int]:
    """Return how many of `count` mutants each layer has: by its lines, but at least AT_LEAST where there are enough."""
    least = min(AT_LEAST, count // len(lines))
    whole = sum(lines.values())
    numbers = {layer: max(least, round(count * number / whole)) for layer, number in lines.items()}
    largest = max(numbers, key=lambda layer: numbers[layer])
    numbers[largest] += count - sum(numbers.values())
    return numbers


def layer_files(layer: str) -> list[Path]:
    """Return the files of a layer that may be mutated."""
    if layer == "frontend":
        scripts = [*PAGE.rglob("*.ts"), *PAGE.rglob("*.svelte")]
        left_out = (".test.ts", ".gen.ts", ".d.ts")
        return sorted(path for path in scripts if not path.name.endswith(left_out) and "testing" not in path.parts)
    return [PACKAGE / layer] if layer.endswith(".py") else sorted((PACKAGE / layer).rglob("*.py"))


def sites(layer: str, files: list[Path], below: Path = ROOT) -> Iterator[tuple[str, Site]]:
    """Yield every mutation of the files of a layer, with the path of its file below that folder."""
    if layer != "frontend":
        for path in files:
            yield from ((path.relative_to(below).as_posix(), site) for site in python_sites(path.read_bytes()))
        return
    names = json.dumps([str(path) for path in files])
    program = ["node", "frontend/scripts/mutation-sites.mjs"]
    output = subprocess.run(program, input=names, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        site = json.loads(line)
        yield Path(site.pop("path")).relative_to(below).as_posix(), Site(**site)


def compiles(mutant: Mutant) -> bool:
    """Return whether the mutated file is Python; a script of the page is found invalid when its tests are run."""
    if mutant.layer == "frontend":
        return True
    try:
        compile(mutant.apply((ROOT / mutant.path).read_bytes()), mutant.path, "exec")
    except SyntaxError:
        return False
    return True


def _mutant(name: str, layer: str, path: str, site: Site) -> Mutant:
    source = (ROOT / path).read_bytes()
    line = source.count(b"\n", 0, site.start) + 1
    before = source[site.start : site.end].decode()
    return Mutant(name, layer, path, line, site.operator, before, site.after, site.start, site.end)


def write(mutants: list[Mutant], folder: Path) -> None:
    """Write the mutants into `folder`, one JSON line each."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(asdict(mutant)) + "\n" for mutant in mutants)
    (folder / "mutants.jsonl").write_text(text, encoding="utf-8")


def read(folder: Path) -> list[Mutant]:
    """Return the mutants that were drawn into `folder`."""
    lines = (folder / "mutants.jsonl").read_text(encoding="utf-8").splitlines()
    return [Mutant(**json.loads(line)) for line in lines]
