import copy
import dataclasses
import sys
from collections.abc import Callable, Iterator
from random import Random
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.games.base import GameEvent, Json, MessageSent
from grandstand.games.match import Match, event_data
from grandstand.games.registry import game_spec

OPTIONS = {"cricket": {"overs": 3}, "diplomacy": {"last_year": 1903}}


@dataclasses.dataclass(frozen=True, slots=True)
class Inner:
    name: str
    items: list[Json]


@dataclasses.dataclass(frozen=True, slots=True)
class Nested(GameEvent):
    inner: Inner
    state: Json


def played(game: str, seed: int = 5) -> list[GameEvent]:
    match, rng = Match(game_spec(game), OPTIONS[game], seed), Random(seed)
    bot = match.spec.bots.players["random"]
    events = match.game.opening()
    while not match.over:
        seat = match.waiting[0]
        events += match.apply(seat, bot(match.game, seat, rng))
    return events


def containers(value: Json) -> Iterator[Json]:
    """Yield every dict and list in `value`, itself included."""
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from containers(item)
    elif isinstance(value, list):
        yield value
        for item in value:
            yield from containers(item)


def calls(function: Callable[[], object]) -> int:
    """Count the calls of Python functions that `function` makes."""
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("game", OPTIONS)
def test_event_data_equals_asdict_and_shares_nothing_with_the_event(game: str) -> None:
    for event in played(game):
        before = copy.deepcopy(dataclasses.asdict(event))
        data = event_data(event)
        assert data == before
        own = {id(part) for part in containers([getattr(event, name) for name in before])}
        assert not own & {id(part) for part in containers(data)}


json_data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner),
)


@pytest.mark.long
@given(json_data, st.lists(json_data))
def test_event_data_equals_asdict_for_any_json(state: Json, items: list[Json]) -> None:
    event = Nested(Inner("a", items), state)
    assert event_data(event) == dataclasses.asdict(event)
    assert event_data(event)["inner"]["items"] is not items


def test_event_data_makes_a_call_for_each_container_and_none_for_a_number_or_a_name() -> None:
    event = next(event for event in played("cricket") if type(event).__name__ == "OverEnded")
    most = 2 * len(list(containers(event_data(event)))) + 20  # a comprehension may count as a call
    assert calls(lambda: event_data(event)) <= most


def test_event_data_of_a_message() -> None:
    sent = MessageSent("S1901M", "FRANCE", ["ENGLAND"], "hello")
    assert event_data(sent) == dataclasses.asdict(sent)
