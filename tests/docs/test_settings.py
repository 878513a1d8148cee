"""The tables of settings name every setting, and no other."""

from __future__ import annotations

import re

import pytest

from grandstand.server.settings import PREFIX, Settings
from tests.support.docs.commands import PAGES

ROW = re.compile(r"^\| `[A-Z].*?\|", re.MULTILINE)
NAME = re.compile(rf"`{PREFIX}([A-Z_]+)`")

TABLES = {page.name: page.read_text() for page in PAGES if page.name in ("deploy.md", "voice.md")}
ROWS = {
    page: [name.lower() for row in ROW.findall(text) for name in NAME.findall(row)] for page, text in TABLES.items()
}


def test_every_setting_has_a_row() -> None:
    assert {*ROWS["deploy.md"], *ROWS["voice.md"]} == {*Settings.model_fields}


@pytest.mark.parametrize("page", ROWS)
def test_a_setting_has_one_row(page: str) -> None:
    assert len(ROWS[page]) == len({*ROWS[page]}) > 0
