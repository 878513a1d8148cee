"""The words of reset: what is unknown or cannot be used is named, never dropped."""

from __future__ import annotations

from typing import Any

import pytest

from grandstand.games.base import OptionError
from grandstand.server.openenv.reset import Reset
from grandstand.server.openenv.tasks import reset_task, splits, tasks

REMOTE = ["remote"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({"gmae": "cricket"}, "gmae: reset knows no such word; there are game, seat"),
        ({"overs": 5}, "overs: reset knows no such word"),
        ({"wait": 21}, "wait: Input should be less than or equal to 20"),
        ({"seed": -1}, "seed: "),
        ({"max_turns": 0}, "max_turns: "),
        ({"clock": "soon"}, "clock: "),
        ({"opponents": 5}, "opponents"),
        ({"split": "diplomacy"}, "split: split and index name a task together"),
        ({"split": "chess", "index": 0}, "split: there is no 'chess'; there are cricket"),
        ({"split": "diplomacy", "index": 7}, "index: diplomacy has the tasks 0 to 6, not 7"),
    ],
)
def test_a_word_that_cannot_be_used_is_named(words: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError) as caught:
        Reset.read(words)
    assert str(caught.value).startswith(complaint)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({"game": "chess"}, "game: unknown game 'chess'; there are cricket, diplomacy"),
        ({"seat": "SPAIN"}, "seat: diplomacy has no seat 'SPAIN'; there are AUSTRIA"),
        ({"seat": "FRANCE", "opponents": {"FRANCE": "random"}}, "opponents.FRANCE: that is the session's own seat"),
    ],
)
def test_a_match_that_cannot_be_is_refused(words: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError) as caught:
        Reset.read(words).request(REMOTE)
    assert str(caught.value).startswith(complaint)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({"seat_token": "x"}, "match: a seat token is for a match"),
        ({"match": "m"}, "seat_token: to join a match takes"),
        ({"match": "m", "seat": "FRANCE", "seat_token": "x", "seed": 1}, "seed: the match is made already"),
    ],
)
def test_joining_takes_what_it_takes(words: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError) as caught:
        print(Reset.read(words).joins)  # noqa: T201
    assert str(caught.value).startswith(complaint)


def test_a_secret_is_not_repeated_in_a_complaint() -> None:
    with pytest.raises(OptionError) as caught:
        Reset.read({"token": ["sesame"]})
    assert "sesame" not in str(caught.value)


def test_the_other_seats_are_the_houses_or_whose_they_are_said_to_be() -> None:
    request, seats = Reset.read({"seat": "FRANCE", "opponents": "random"}).request(REMOTE)
    assert request.players == {"FRANCE": "remote"} | dict.fromkeys(
        ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY"), "random"
    )
    assert seats == ["FRANCE"]
    request, seats = Reset.read({"opponents": {"ITALY": "remote", "TURKEY": "hold"}}).request(REMOTE)
    assert request.players == {"AUSTRIA": "remote", "ITALY": "remote", "TURKEY": "hold"}
    assert seats == ["AUSTRIA", "ITALY"]


def test_a_task_sets_the_words_and_others_are_laid_over_them() -> None:
    task = reset_task("cricket/chase-30", 3)
    reset = Reset.read({"split": "cricket/chase-30", "index": 3, "opponents": "random"})
    assert {name: getattr(reset, name) for name in task.reset} == task.reset
    assert reset.opponents == "random"
    assert Reset.read({"split": "cricket/chase-30", "index": 3, "seed": 99}).seed == 99


@pytest.mark.parametrize("split", splits())
def test_every_task_is_a_match_that_can_be_played(split: str) -> None:
    result = tasks(split)
    assert result
    assert len({task.id for task in result}) == len(result)
    for task in result:
        request, seats = Reset.read(task.reset).request(REMOTE)
        assert request.game == split.partition("/")[0]
        assert seats == [task.reset["seat"]]
        assert task.index == result.index(task)
