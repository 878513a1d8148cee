"""The budget notices every excess."""

from __future__ import annotations

import ast

import pytest
from pydantic import BaseModel, Field

from grandstand.main import VERBS
from scripts import budget
from scripts.budget import Row
from tests.support.source import PACKAGE


def test_a_number_over_its_limit_fails_and_one_below_it_is_to_be_lowered() -> None:
    lines, kept = budget.report([Row("met", 8, 8, 8), Row("over", 8, 29, 29), Row("fallen", 8, 29, 9)])
    assert kept
    assert lines[1:] == [
        f"{'met':40}      8      8      8",
        f"{'over':40}     29     29      8  21 over its bound",
        f"{'fallen':40}      9     29      8  lower its limit in budget.py to 9",
    ]
    lines, kept = budget.report([Row("grown", 8, 29, 30), Row("below", 8, 9, 7)])
    assert not kept
    assert ["FAILED" in line for line in lines[1:]] == [True, False]
    assert lines[2].endswith("lower its limit in budget.py to 8")


@pytest.mark.long
def test_the_project_keeps_its_budget_and_a_planted_verb_exceeds_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planted = {f"planted-{number}": ("", "") for number in range(100)}
    monkeypatch.setattr(budget, "VERBS", VERBS | planted)
    with pytest.raises(SystemExit, match="1"):
        budget.main()
    failed = [line.split("  ")[0] for line in capsys.readouterr().out.splitlines() if "FAILED" in line]
    assert failed == ["verbs"]


class Section(BaseModel):
    size: int = 1
    rate: float | None = None


class Sections(BaseModel):
    name: str
    section: Section = Field(default_factory=Section)


def test_settings_are_counted_through_their_sections() -> None:
    assert budget.settings(Sections) == 3


def test_every_member_of_an_interface_is_counted() -> None:
    script = """export interface BoardProps<S> {
  state: S;
}
export interface Board<S = unknown> {
  /** Return: the state. */
  reduce(state: S): S;
  words?(text: string): string;
  readonly minor?: ReadonlySet<string>;
  turn<T>(turn: T): {
    title: string;
  };
  terms?: { noun: string; before: string };
}
"""
    assert budget.members("Board", script) == 5
    assert budget.members("BoardProps", script) == 1
    with pytest.raises(ValueError, match="no interface Panel"):
        budget.members("Panel", script)


def test_a_chain_of_imports_is_counted_by_its_modules() -> None:
    assert budget.floors({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == 3


def test_a_file_of_the_walk_is_counted_once() -> None:
    assert (
        budget.files_of_walk("# Walks\n`x.py`\n## A\n1. `a/b.py` `B`, `c.ts`\n2. `a/b.py` `C.d`\n## B\n`d.py`\n") == 2
    )


def test_folders_files_and_functions_over_their_bounds_are_counted() -> None:
    folder, other = PACKAGE / "play", PACKAGE / "server"
    sizes = budget.folder_sizes([*(folder / f"{number}.py" for number in range(budget.FILES + 1)), other / "a.py"])
    assert sorted(sizes) == [1, budget.FILES + 1]
    assert budget.above(sizes, budget.FILES) == 1
    long, short = ("def f(\n    a: int,\n) -> None:\n" + "    a += 1\n" * lines for lines in (41, 40))
    assert budget.function_lengths([ast.parse(short + long)]) == [40, 41]


def test_a_class_name_used_twice_is_counted_except_in_two_games() -> None:
    legal = ast.parse("class Legal: ...")
    core, cricket, diplomacy = (
        PACKAGE / path for path in ("games/base.py", "games/cricket/a.py", "games/diplomacy/a.py")
    )
    assert budget.repeated_classes([(cricket, legal), (diplomacy, legal)]) == 0
    assert budget.repeated_classes([(cricket, legal), (cricket.with_name("b.py"), legal)]) == 1
    assert budget.repeated_classes([(core, legal), (cricket, legal), (diplomacy, legal)]) == 1
    assert budget.repeated_classes([(core, legal), (core, legal)]) == 1
