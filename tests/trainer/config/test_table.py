"""docs/training-settings.md lists every setting as the code has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grandstand.trainer.config.settings import TrainConfig, leaves
from grandstand.trainer.config.table import BEGIN, END, document, sections, tables, takes

PAGE = Path(__file__).parents[3] / "docs/training-settings.md"


def test_the_document_is_up_to_date() -> None:
    text = PAGE.read_text("utf-8")
    assert text == document(text), "run: python scripts/generate_settings.py"


def test_every_setting_is_in_the_table_with_default_and_help() -> None:
    text, listed = tables(), {row.key: row for _, _, rows in sections() for row in rows}
    results = {key: (info, value) for key, info, value in leaves(TrainConfig())}
    assert set(listed) == set(results)
    for key, (info, value) in results.items():
        row = listed[key]
        assert json.loads(row.default) == value
        name = key.rpartition(".")[2]
        assert f"| `{name}` | `{row.default}` | {row.takes} | {info.description}" in text.replace("\\|", "|"), key


def test_a_setting_that_may_change_is_marked() -> None:
    assert "before a resume. † |" in tables()
    assert "Seed of all random draws of the run. |" in tables()


@pytest.mark.parametrize(
    ("section", "name", "words"),
    [
        ("run", "checkpoint_every", "a whole number, at least 1"),
        ("rollout", "horizon", "a number, above 0"),
        ("rollout", "warmup_none_chance", "a number, at least 0 and at most 1"),
        ("kl", "reference", '"base", "frozen" or "ema"'),
        ("clone", "bots", "a list, each text"),
        ("optimizer", "betas", "a list of 2, each a number, at least 0 and below 1"),
        ("rollout", "opponents", "a table, each value a number, at least 0, or a list of [step, weight]"),
        ("advantage", "strata", "a table, each value a list, each a number"),
        ("game", "options", "a table"),
        ("metrics", "wandb", "true or false"),
    ],
)
def test_what_a_setting_takes_in_words(section: str, name: str, words: str) -> None:
    inner = type(getattr(TrainConfig(), section))
    assert takes(inner.model_fields[name]) == words


def test_only_what_is_between_the_marks_is_renewed() -> None:
    text = document(f"before\n{BEGIN}\nOUTDATED\n{END}\nafter\n")
    assert text.startswith(f"before\n{BEGIN}\n\n## [run]\n")
    assert text.endswith(f"\n\n{END}\nafter\n")
    assert "OUTDATED" not in text
    with pytest.raises(ValueError, match="lacks the lines"):
        document("no marks")
