"""The recordings that the page's tests read are what the rules give today."""

from __future__ import annotations

import pytest

from tests.support.players.promise_player import FILES, FOLDER


@pytest.mark.parametrize("name", FILES)
def test_the_pages_recordings_are_up_to_date(name: str) -> None:
    assert (FOLDER / name).read_text() == FILES[name](), "run python -m tests.support.players.promise_player"
