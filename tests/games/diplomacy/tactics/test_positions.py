"""The tactics set: what it says of each position is so, by enumeration."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from grandstand.games.base import OptionError
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.tactics.positions import (
    FILE,
    PACK,
    Tactic,
    quoted,
    reached,
    read_tactic,
    refutation,
    tactic,
    tactics,
    tasks,
)
from grandstand.games.diplomacy.tactics.search import all_replies, forced, own_sets, parsed, reply_sets, searched

ROOT = Path(__file__).parents[4]
EVERY = list(tactics().values())
SAMPLES = 150
"""Sets of orders of one position whose judgement is compared with a full enumeration."""

each = pytest.mark.parametrize("item", EVERY, ids=[item.id for item in EVERY])


def test_there_are_enough_of_them_and_of_many_kinds() -> None:
    assert len(EVERY) >= 20
    assert len({item.theme for item in EVERY}) >= 15
    assert len({item.state for item in EVERY}) == len(EVERY)
    assert all(item.wrong and item.reason and item.task.endswith(".") for item in EVERY)


@each
def test_the_best_orders_force_the_aim_against_every_reply(item: Tactic) -> None:
    best = parsed(item, item.best)
    replies = list(all_replies(item, best))
    assert replies
    assert all(reached(item, best, reply) for reply in replies)


@each
def test_plausible_other_orders_do_not(item: Tactic) -> None:
    for orders, _ in item.wrong:
        wrong = parsed(item, orders)
        refuting = refutation(item, wrong)
        assert refuting is not None, orders
        assert not reached(item, wrong, refuting)


@pytest.mark.long
@each
def test_the_stated_replies_judge_as_all_replies_do(item: Tactic) -> None:
    sets = list(islice(own_sets(item.state, item.seat), item.sets + 1))
    assert len(sets) == item.sets
    solving = [orders for orders in sets if refutation(item, orders) is None]
    assert len(solving) == item.solving
    sample = Random(item.id).sample(solving, min(len(solving), 10))
    assert all(forced(item, orders) is None for orders in sample)
    for orders in Random(item.id).sample(sets, min(len(sets), SAMPLES)):
        assert (refutation(item, orders) is None) == (forced(item, orders) is None)


@each
def test_the_stated_replies_are_legal(item: Tactic) -> None:
    if not item.then:
        legal = [json.dumps(reply, sort_keys=True) for reply in reply_sets(item.state, item.seat, item.known)]
        assert all(json.dumps(reply[0], sort_keys=True) in legal for reply in item.replies)


def test_the_search_finds_the_replies_that_are_stored() -> None:
    position = tactic("uncut-supporter")
    again = searched(replace(position, replies=(), sets=0, solving=0))
    assert (again.replies, again.sets, again.solving) == (position.replies, position.sets, position.solving)


def test_an_aim_is_all_of_it() -> None:
    position = tactic("self-standoff")
    both = parsed(position, ["A VIE - TRI", "A BUD - TRI"])
    assert reached(position, both, ({"ITALY": ["A VEN - TRI"]},))
    alone = parsed(position, ["A VIE - TRI", "A BUD H"])
    assert reached(position, alone, ({"ITALY": ["A VEN - TRI"]},))
    assert not reached(position, alone, ({"ITALY": ["A VEN H"]},))


def test_every_position_is_in_one_task_and_can_begin_a_match() -> None:
    for task in tasks():
        options = DiplomacyOptions(**task.options)
        assert options.opening().name == tactic(task.id).state.name
    with pytest.raises(OptionError, match=r"^tactic: there is no 'mate-in-two'; there are supported-attack, "):
        DiplomacyOptions(tactic="mate-in-two")
    with pytest.raises(OptionError, match=r"^tactic: brings its own position"):
        DiplomacyOptions(tactic="fork", start={"phase": "S1901M"})


def test_a_report_can_quote_the_set() -> None:
    assert quoted(PACK).keys() == {"version", "digest"}
    assert [len(GAME.learning.tasks[name]()) for name in GAME.learning.tasks] == [len(EVERY)]


def test_the_page_shows_the_set() -> None:
    command = [sys.executable, str(ROOT / "scripts/diplomacy/tactics.py"), "--check"]
    assert subprocess.run(command, cwd=ROOT, timeout=120).returncode == 0
    page = (ROOT / "docs/tactics.md").read_text(encoding="utf-8")
    for item in EVERY:
        assert f"`{item.id}`" in page
        assert item.reason in page


def test_the_file_has_nothing_that_is_not_read() -> None:
    fields = {"id", "title", "theme", "seat", "opponent", "task", "reason", "position", "aim", "known", "best", "wrong"}
    for entry in json.loads(FILE.read_text(encoding="utf-8"))["tactics"]:
        assert entry.keys() <= fields | {"then", "replies", "sets", "solving"}
        assert read_tactic(entry) == tactic(entry["id"])
