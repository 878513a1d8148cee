"""The language of the source: plain openings of docstrings, names that say what they hold, words of the trade."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.support.source import ROOT, sources

OPENING = re.compile(r"(?:What|How|Who|Whose|Whom|Whoever|Whether|Where|Which|When)\b")
"""Docstrings begin with an imperative ("Return …") or a noun phrase instead."""
NAMES = {"found", "given", "heard", "one", "said", "seen", "shown", "told"}
"""Variables and parameters say what they hold instead: result, options, message, item."""
WORDS = re.compile(r"\b(?:house|room|floor)s?\b", re.IGNORECASE)
"""Prose says core or built-in, space or capacity, lower bound or layer instead."""

RULES = ("openings", "names", "words")
Finding = tuple[str, Path, int, str]
"""The rule that is broken, where, and by what."""


def findings(path: Path) -> Iterator[Finding]:
    """Yield whatever breaks a rule in the file at `path`."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            match = OPENING.match(node.value.value.strip())
            if match:
                yield "openings", path, node.lineno, match.group()
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in NAMES:
            yield "names", path, node.lineno, node.id
        elif isinstance(node, ast.arg) and node.arg in NAMES:
            yield "names", path, node.lineno, node.arg
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            yield from (("words", path, token.start[0], match) for match in WORDS.findall(token.string))


def listed(results: list[Finding]) -> str:
    return "\n".join(f"{path.relative_to(ROOT)}:{line}: {rule}: {text}" for rule, path, line, text in results)


def test_the_source_is_in_plain_english() -> None:
    results = [finding for path in sources() for finding in findings(path)]
    assert not results, "\n" + listed(results)


def test_the_prose_of_tests_benchmarks_and_scripts_is_in_plain_english() -> None:
    paths = [path for path in sources("benchmarks", "scripts", "tests") if path != Path(__file__)]
    results = [finding for path in paths for finding in findings(path) if finding[0] != "names"]
    assert not results, "\n" + listed(results)


def test_each_rule_can_be_broken(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text(
        'def f(given: int) -> int:\n    """Whether it is."""\n    found = given  # the house rule\n    return found\n'
    )
    assert sorted((rule, line, text) for rule, _, line, text in findings(source)) == [
        ("names", 1, "given"),
        ("names", 3, "found"),
        ("openings", 2, "Whether"),
        ("words", 3, "house"),
    ]
    source.write_text('def f(item: int) -> int:\n    """Return the mushroom of `item`: floorless, housed."""\n')
    assert list(findings(source)) == []
