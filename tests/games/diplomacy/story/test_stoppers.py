"""The story of twenty games of people: every sentence is true, and nobody stops a leader who is not named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.story.standings import THREATS
from grandstand.games.diplomacy.story.stoppers import stoppers
from tests.support.diplomacy.story_checker import Checked, check
from tests.support.diplomacy.story_load import Reading
from tests.support.diplomacy.story_matches import Played, saved_games, tell_saved
from tests.support.diplomacy.story_truths import CENTRES, Phase, Record, attacks

pytestmark = pytest.mark.long

FILE = Path(__file__).parents[1] / "data" / "human_games.jsonl.gz"


@pytest.fixture(scope="module")
def games() -> list[Played]:
    return [tell_saved(saved) for saved in saved_games(FILE)]


@pytest.mark.long
def test_every_sentence_is_true_and_few_come_again(games: list[Played]) -> None:
    checked, read = Checked(), Reading()
    for game in games:
        check(game, checked)
        read.count(game)
    assert checked.wrong == []
    assert checked.count > 9000
    assert {"threat", "headline_of_some", "alliance", "alliance_over", "stab"} <= checked.forms.keys()
    assert read.public.in_a_row == 0
    assert read.public.identical < 0.01 * read.public.told


def test_nobody_else_stops_a_leader_before_the_next_count(games: list[Played]) -> None:
    positions = limited = 0
    for game in games:
        record = Record(game.events)
        for number, phase in enumerate(record.phases):
            state = read_state(phase.after)
            counts = state.center_counts()
            leader = counts.index(max(counts))
            if counts[leader] < THREATS[0] or state.solo() is not None:
                continue
            named = set(stoppers(state, leader))
            positions += 1
            limited += len(named) < sum(state.in_play(power) for power in range(len(POWERS))) - 1
            for later in until_the_count(record.phases[number + 1 :]):
                assert hinderers(later, POWERS[leader]) <= named, (phase.name, later.name, named)
    assert positions > 60
    assert limited > 10


def until_the_count(phases: list[Phase]) -> Iterator[Phase]:
    """Yield the movement phases up to that of the next fall."""
    for phase in phases:
        if phase.name.endswith("M"):
            yield phase
            if phase.name.startswith("F"):
                return


def hinderers(phase: Phase, leader: str) -> set[str]:
    """Return the powers that attacked the leader in a centre, or kept it out of one, or supported that."""
    powers: set[str] = set()
    for attack in attacks(phase):
        if attack["v"] == leader and attack["place"] in CENTRES:
            powers |= {attack["a"], *attack["allies"]}
    for power, order in phase.units():
        target = order.get("to", "")[:3]
        if power == leader and order["kind"] == "move" and "bounce" in order["results"] and target in CENTRES:
            powers |= {other for other, item in phase.units() if concerns(item, target)}
    return powers - {leader}


def concerns(order: Any, target: str) -> bool:
    """Return whether an order is of a unit in a place, a move there, or a support of either."""
    held = order["kind"] == "support" and "to" not in order and order["target"][2:5] == target
    moved = order["kind"] == "move" and order["to"][:3] == target
    return held or moved or bool(order["from"][:3] == target)
