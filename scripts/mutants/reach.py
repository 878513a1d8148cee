"""Which test files may see a fault in a module, the most likely first."""

from __future__ import annotations

import ast
import math
import re
from collections import defaultdict, deque
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from tests.support.source import ROOT, imports, module_name, parse, sources


@cache
def dependents() -> Mapping[str, set[str]]:
    """Return the modules, of the package and of the tests, that import each module or name it in a string.

    Commands and games are imported by their names in strings, and so is what the server of a test runs.
    """
    trees = {module_name(path): parse(path) for path in [*sources(), *sources("tests")]}
    result: dict[str, set[str]] = defaultdict(set)
    for name, tree in trees.items():
        words = {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        named = {word.partition(":")[0] for word in words}
        parts = name.split(".")
        fixtures = {".".join([*parts[:count], "conftest"]) for count in range(2, len(parts))}
        for other in {*imports(tree, trees), *named, *fixtures} & trees.keys() - {name}:
            result[other].add(name)
    return result


def reaching_tests(path: str, line: int, seconds: Mapping[str, float]) -> list[str]:
    """Return the test files that reach the module at `path`.

    Those that mirror its path are first; then those that name the function around the line; then the nearest in the
    graph of imports, and of these the quickest.
    """
    module = module_name(ROOT / path)
    distances, queue = {module: 0}, deque([module])
    while queue:
        for name in dependents().get(here := queue.popleft(), ()):
            if name not in distances:
                distances[name] = distances[here] + 1
                queue.append(name)
    found = {name: distance for name, distance in distances.items() if name.rpartition(".")[2].startswith("test_")}
    for test in mirrored(module):
        found[test] = 0
    files = {f"{name.replace('.', '/')}.py": name for name in found}
    function = function_at(path, line)
    named = {file for file in files if function and re.search(rf"\b{function}\b", (ROOT / file).read_text("utf-8"))}

    def key(file: str) -> tuple[bool, bool, int, float, str]:
        name = files[file]
        return found[name] > 0, file not in named, found[name], seconds.get(name, 0.0), file

    return sorted(files, key=key)


def function_at(path: str, line: int) -> str:
    """Return the name of the innermost function around a line, or that of the class, or nothing."""
    definitions = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    around = [
        node
        for node in ast.walk(parse(ROOT / path))
        if isinstance(node, definitions) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return around[-1].name if around else ""


def mirrored(module: str) -> list[str]:
    """Return the test modules that have the path of `module`: `a/b.py` has `a/test_b.py` and `a/test_b_*.py`."""
    folder, _, name = module.removeprefix("grandstand.").replace(".", "/").rpartition("/")
    tests = ROOT / "tests" / folder
    paths = [*tests.glob(f"test_{name}.py"), *tests.glob(f"test_{name}_*.py"), *(tests / name).glob("test_*.py")]
    return [module_name(path) for path in paths]


def measured(report: Path) -> dict[str, float]:
    """Return the seconds that each test module took, by a JUnit report of pytest."""
    names = {module_name(path) for path in sources("tests")}
    result: dict[str, float] = defaultdict(float)
    for case in ElementTree.parse(report).iter("testcase"):
        name = case.get("classname", "")
        while name and name not in names:  # the name of a class follows that of its module
            name = name.rpartition(".")[0]
        seconds = float(case.get("time", 0))
        result[name] += seconds if math.isfinite(seconds) else 0.0
    return result
