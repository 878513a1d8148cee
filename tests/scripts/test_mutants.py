"""The mutation study draws faults by seed, offers each to the nearest tests, and counts honestly."""

from __future__ import annotations

import ast
import json
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import cast

import pytest

from scripts.mutants import draw as drawing
from scripts.mutants.copy import Copy
from scripts.mutants.draw import Mutant, draw, read, shares, write
from scripts.mutants.python_sites import python_sites
from scripts.mutants.reach import function_at, measured, reaching_tests
from scripts.mutants.run import Result, Study, batches
from scripts.mutants.session import Outcome
from scripts.mutants.table import table
from tests.support.source import PACKAGE, ROOT
from tests.support.waiting import PATIENCE, running, until


def mutated(source: str, line: int = 2) -> dict[str, set[str]]:
    """Return that line of each mutation of `source`, by operator."""
    data = source.encode()
    result: dict[str, set[str]] = {}
    for site in python_sites(data):
        text = (data[: site.start] + site.after.encode() + data[site.end :]).decode()
        result.setdefault(site.operator, set()).add(text.split("\n")[line - 1].strip())
    return result


@pytest.mark.parametrize(
    ("line", "mutations"),
    [
        ("x = 'ä' < a", {"comparison": {"x = 'ä' <= a", "x = 'ä' >= a"}}),
        ("x = (a) is not (b)", {"comparison": {"x = (a) is (b)"}}),
        ("x = a not in b", {"comparison": {"x = a in b"}}),
        ("x = a * b", {"arithmetic": {"x = a + b"}}),
        ("x -= a", {"arithmetic": {"x += a"}}),
        ("x = a and b", {"boolean operator": {"x = a or b"}}),
        ("x = not a", {"not removed": {"x = a"}}),
        ("x = a if b else c", {"not added": {"x = a if (not (b)) else c"}}),
        ("x = 5", {"integer constant": {"x = 6", "x = 4"}}),
        ("x = True", {"boolean constant": {"x = False"}}),
        ("return a", {"returned value": {"return None"}}),
        ("await f(a)", {"statement deleted": {"pass"}}),
        ("for _ in a: break", {"break or continue": {"for _ in a: continue"}}),
    ],
)
def test_each_operator_changes_what_it_names(line: str, mutations: dict[str, set[str]]) -> None:
    assert mutated(f"async def g() -> int:\n    {line}\n") == mutations


@pytest.mark.parametrize(
    "source",
    [
        "x: Literal[1, 2]",
        "X = int | None",
        'def f(a: A[1]) -> B[1]:\n    """1 < 2"""',
        "@dataclass(frozen=True)\nclass A: ...",
        "if TYPE_CHECKING:\n    f(1)",
        "assert_never(1)",
        "log.warning('%s', 1)",
        "x = f'{a < 1}'",
        "x = 'a' + b",
        "def f() -> None:\n    return f(a)",
        "def f():\n    return a",
    ],
)
def test_what_no_test_could_see_is_not_mutated(source: str) -> None:
    assert python_sites(source.encode()) == []


def test_mutations_of_real_source_are_python() -> None:
    source = (PACKAGE / "models.py").read_bytes()
    sites = python_sites(source)
    assert len(sites) > 50
    for site in sites:
        assert ast.parse(source[: site.start] + site.after.encode() + source[site.end :])


@pytest.mark.long
def test_a_script_of_the_page_is_mutated_but_not_its_types_and_markup(tmp_path: Path) -> None:
    svelte, script = tmp_path / "A.svelte", tmp_path / "b.ts"
    svelte.write_text("<p>ä {1 < 2}</p>\n<script lang='ts'>let a: 1 = b < 'ä';</script>\n", encoding="utf-8")
    script.write_text(
        "if (a && !b) stop();\nconst c = 'x' + d;\nfunction e(): 1 {\n  return d - 1;\n}\n", encoding="utf-8"
    )
    found: dict[str, set[str]] = {}
    for path, site in drawing.sites("frontend", [svelte, script], below=tmp_path):
        data = (tmp_path / path).read_bytes()
        text = (data[: site.start] + site.after.encode() + data[site.end :]).decode()
        changed = [new for new, old in zip(text.split("\n"), data.decode().split("\n"), strict=True) if new != old]
        found.setdefault(f"{path} {site.operator}", set()).update(line.strip() for line in changed)
    assert found == {
        "A.svelte comparison": {f"<script lang='ts'>let a: 1 = b {after} 'ä';</script>" for after in ("<=", ">=")},
        "b.ts boolean operator": {"if (a || !b) stop();"},
        "b.ts not removed": {"if (a && b) stop();"},
        "b.ts not added": {"if (!(a && !b)) stop();"},
        "b.ts statement deleted": {"if (a && !b) ;"},
        "b.ts returned value": {"return;"},
        "b.ts arithmetic": {"return d + 1;"},
        "b.ts integer constant": {"return d - 2;", "return d - (0);"},
    }


def test_a_seed_draws_the_same_mutants_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"games": "games/match.py", "models.py": "models.py"}
    monkeypatch.setattr(drawing, "LAYERS", tuple(files))
    monkeypatch.setattr(drawing, "layer_files", lambda layer: [PACKAGE / files[layer]])
    drawn = draw(1, 30)
    assert drawn == draw(1, 30) != draw(2, 30)
    assert sum(not mutant.reserve for mutant in drawn) == 30
    assert {mutant.layer for mutant in drawn if mutant.reserve} == set(files)
    assert len({mutant.id for mutant in drawn}) == len(drawn)
    write(drawn, tmp_path)
    assert read(tmp_path) == drawn


def test_layers_share_by_lines_and_the_smallest_has_enough() -> None:
    assert shares({"large": 900, "small": 1, "middle": 99}, 100) == {"large": 80, "small": 10, "middle": 10}
    assert shares({"large": 900, "small": 1}, 4) == {"large": 2, "small": 2}


MUTANT = Mutant("games-001", "games", "grandstand/games/match.py", 1, "comparison", "<", "<=", 4, 5)


def test_a_source_that_has_changed_is_not_mutated() -> None:
    assert MUTANT.apply(b"a + < b\n") == b"a + <= b\n"
    assert MUTANT.diff(b"\n\na < b\nc\n") == "- a < b\n+ a <= b"
    with pytest.raises(ValueError, match="has changed since mutant games-001 was drawn"):
        MUTANT.apply(b"a < b\n")


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "first", "other"),
    [
        ("grandstand/spectator/bus.py", "tests/spectator/test_bus.py", "tests/server/test_app.py"),
        ("grandstand/commands/tournament.py", "tests/commands/test_tournament.py", "tests/e2e/test_campaign_kinds.py"),
        ("grandstand/games/cricket/__init__.py", "tests/games/cricket/", "tests/e2e/test_cricket.py"),
    ],
)
def test_the_nearest_tests_are_first(path: str, first: str, other: str) -> None:
    tests = reaching_tests(path, 1, {})
    assert tests[0].startswith(first)
    assert other in tests
    assert all((ROOT / test).is_file() for test in tests)


@pytest.mark.long
def test_a_test_that_names_the_function_is_before_those_that_do_not() -> None:
    path = "grandstand/trainer/config/sections.py"
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "def shown_as" in text)
    assert function_at(path, line + 2) == "shown_as"
    tests = reaching_tests(path, line, {})
    assert tests[0] == "tests/trainer/sweep/test_expansion.py"


@pytest.mark.long
def test_of_tests_as_near_the_quicker_is_first(tmp_path: Path) -> None:
    report = tmp_path / "junit.xml"
    report.write_text(
        '<testsuite><testcase classname="tests.spectator.test_bus.TestBus" time="2"/>'
        '<testcase classname="tests.spectator.test_bus" time="3"/><testcase classname="absent" time="1"/></testsuite>'
    )
    assert measured(report)["tests.spectator.test_bus"] == 5
    first, second = reaching_tests("grandstand/spectator/viewpoint.py", 1, {})[1:3]
    name = first.removesuffix(".py").replace("/", ".")
    assert reaching_tests("grandstand/spectator/viewpoint.py", 1, {name: 9.0})[1] == second


def test_files_are_run_in_growing_groups() -> None:
    assert [len(group) for group in batches([str(number) for number in range(20)])] == [3, 12, 5]


def study(folder: Path, *results: Result) -> Study:
    page = replace(MUTANT, id="frontend-001", layer="frontend", path="frontend/src/a.ts")
    write([MUTANT, page, replace(MUTANT, id="games-002", reserve=True)], folder)
    (folder / "results.jsonl").write_text("".join(json.dumps(asdict(result)) + "\n" for result in results))
    return Study(folder, 10, {})


def due(study: Study, *phases: str) -> list[str]:
    return [f"{mutant.id} {phase}" for mutant, phase in study.due(phases, 1, 9)]


def test_a_run_goes_on_with_what_is_not_yet_decided(tmp_path: Path) -> None:
    assert due(study(tmp_path), "quick", "long") == ["games-001 quick", "frontend-001 quick"]
    ran = study(tmp_path, Result("games-001", "quick", "killed"), Result("frontend-001", "quick", "survived"))
    assert due(ran, "quick", "browser", "long") == ["frontend-001 browser"]
    assert due(ran, "quick") == []


def test_an_invalid_mutant_is_replaced(tmp_path: Path) -> None:
    assert due(study(tmp_path, Result("games-001", "quick", "invalid")), "quick") == [
        "frontend-001 quick",
        "games-002 quick",
    ]


class FakeCopy:
    """A copy whose tests end as they are told: with the fault, in order, and without it."""

    def __init__(self, *outcomes: Outcome | None, sound: bool = True) -> None:
        self.outcomes, self.sound = list(outcomes), sound
        self.runs: list[list[str]] = []

    def mutated(self, mutant: Mutant) -> AbstractContextManager[None]:
        return nullcontext()

    def imports(self, module: str) -> bool:
        return False

    def pytest(self, arguments: list[str], limit: float) -> tuple[Outcome | None, int | None]:
        if "-m" not in arguments:
            return Outcome(failed="" if self.sound else arguments[0]), 0 if self.sound else 1
        self.runs.append(arguments)
        outcome = self.outcomes.pop(0) if self.outcomes else Outcome(used=1)
        return outcome, None if outcome is None else 1 if outcome.failed else 2 if outcome.over else 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("outcome", "result"),
    [
        (Outcome(failed="a.py::b"), Result("games-001", "quick", "killed", "a.py::b")),
        (Outcome(failed="a.py::b", hung=True), Result("games-001", "quick", "timeout", "a.py::b")),
        (Outcome(failed="a.py", collected=False), Result("games-001", "quick", "invalid")),
        (Outcome(over=True), Result("games-001", "quick", "survived", complete=False)),
        (Outcome(used=11), Result("games-001", "quick", "survived", complete=False)),
        (Outcome(used=1), Result("games-001", "quick", "survived")),
        (None, Result("games-001", "quick", "timeout")),
    ],
)
def test_each_end_of_the_tests_has_its_result(tmp_path: Path, outcome: Outcome | None, result: Result) -> None:
    copy = FakeCopy(outcome)
    assert replace(study(tmp_path).offer(cast(Copy, copy), MUTANT, "quick"), seconds=0.0) == result


@pytest.mark.long
def test_a_test_that_fails_without_the_fault_kills_nothing(tmp_path: Path) -> None:
    copy = FakeCopy(Outcome(failed="a.py::b"), sound=False)
    assert study(tmp_path).offer(cast(Copy, copy), MUTANT, "quick").status == "survived"
    assert [arguments[-1] == "--deselect=a.py::b" for arguments in copy.runs] == [False] + [True] * (len(copy.runs) - 1)
    assert len(copy.runs) > 1


@pytest.mark.long
def test_a_copy_makes_one_fault_at_a_time_and_ends_what_hangs(tmp_path: Path) -> None:
    copy = Copy(tmp_path / "copy")
    path = PACKAGE / "games/match.py"
    site = python_sites(path.read_bytes())[0]
    before = path.read_bytes()[site.start : site.end].decode()
    mutant = replace(MUTANT, before=before, after=site.after, start=site.start, end=site.end)
    theirs = copy.root / mutant.path
    with copy.mutated(mutant):
        assert theirs.read_bytes() == mutant.apply(path.read_bytes())
        assert theirs.stat().st_mtime != path.stat().st_mtime
    assert (theirs.read_bytes(), theirs.stat().st_mtime) == (path.read_bytes(), path.stat().st_mtime)
    assert copy.imports("grandstand.games.match")
    assert not copy.imports("grandstand.absent")
    assert copy.execute(["sleep", "9999"], 0.1) is None
    pid = tmp_path / "pid"
    assert copy.execute(["sh", "-c", f"setsid sleep 9999 & echo $! >{pid}"], PATIENCE) == 0
    assert until(lambda: not running(int(pid.read_text())))


@pytest.mark.long
def test_pytest_runs_files_in_order_and_stops_at_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = Copy(tmp_path / "copy")
    tests = copy.root / "tests"
    (tests / "test_one.py").write_text("import time\ndef test_a() -> None:\n    pass\n")
    (tests / "test_two.py").write_text("def test_b() -> None:\n    assert False\n")
    slow = "import pytest\n@pytest.mark.timeout(0.2)\ndef test_c() -> None:\n    while True: pass\n"
    (tests / "test_three.py").write_text(slow)
    files = [f"tests/test_{name}.py" for name in ("one", "two", "three")]
    failed, status = copy.pytest(["-m", "not long", *files], 600)
    assert failed is not None
    assert (failed.failed, failed.tests, failed.hung, status) == ("tests/test_two.py::test_b", 2, False, 1)
    over, status = copy.pytest(files, 0)
    assert over is not None
    assert (over.failed, over.tests, over.over) == ("", 1, True)
    hung, status = copy.pytest([files[2]], 600)
    assert hung is not None
    assert (hung.failed, hung.hung) == ("tests/test_three.py::test_c", True)
    monkeypatch.setattr(copy, "execute", lambda *_, **__: 4)
    with pytest.raises(RuntimeError, match="pytest ended with 4"):
        copy.pytest(["tests/absent.py"], 600)


def test_the_table_tells_quick_kills_from_long_ones_and_lists_survivors(tmp_path: Path) -> None:
    source = (ROOT / MUTANT.path).read_bytes()
    mutant = replace(MUTANT, before=source[4:5].decode())
    names = [f"games-{number:03}" for number in range(1, 7)]
    write([replace(mutant, id=name, reserve=name == names[5]) for name in names], tmp_path)
    results = [
        Result(names[0], "quick", "timeout"),
        Result(names[1], "quick", "survived", complete=False),
        Result(names[1], "browser", "survived"),
        Result(names[1], "long", "killed"),
        Result(names[2], "quick", "survived", complete=False),
        Result(names[3], "quick", "invalid"),
        Result(names[5], "quick", "killed"),
    ]
    (tmp_path / "results.jsonl").write_text("".join(json.dumps(asdict(result)) + "\n" for result in results))
    lines = table(tmp_path).splitlines()
    assert lines[0].startswith("| layer | drawn | run | killed by quick tests | in the browser only |")
    assert lines[2] == "| games | 5 | 4 | 2 | 0 | 1 | 1 | 1 | 1 |"
    assert [line for line in lines if line.startswith("games-")] == [
        "games-003 `grandstand/games/match.py:1` comparison, within the limit"
    ]
