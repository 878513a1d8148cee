import asyncio
import copy
import dataclasses
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from grandstand.games import catalog
from grandstand.games.base import GameEvent, Json, MessageSent, Shared
from grandstand.games.match import Match, event_data
from grandstand.games.picture import PictureSeen, PictureShown
from grandstand.games.registry import game_spec
from grandstand.main import app
from grandstand.play.headless import MatchPlan, play_match
from tests.support.games.ring import GAME as RING

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
    """Yield every dict and list in `value`, itself included, but for what is shared."""
    if type(value) is Shared:
        return
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


def test_the_events_of_a_match_share_what_never_changes() -> None:
    """The sheets of the teams are the largest part of the state that each over ends with."""
    states = [event_data(event)["state"] for event in played("cricket") if type(event).__name__ == "OverEnded"]
    assert len(states) > 2
    for seat in ("home", "away"):
        assert len({id(state["teams"][seat]) for state in states}) == 1
    assert len({id(state["innings"][0]) for state in states if len(state["innings"]) == 2}) == 1


json_data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner),
)


@pytest.mark.long
@given(json_data, st.lists(json_data))
def test_event_data_equals_what_a_record_has_of_any_event(state: Json, items: list[Json]) -> None:
    event = Nested(Inner("a", items), state)
    assert event_data(event) == json.loads(json.dumps(dataclasses.asdict(event)))
    assert event_data(event)["inner"]["items"] is not items


def test_event_data_makes_a_call_for_each_container_and_none_for_a_number_or_a_name() -> None:
    event = next(event for event in played("cricket") if type(event).__name__ == "OverEnded")
    most = 2 * len(list(containers(event_data(event)))) + 20  # a comprehension may count as a call
    assert calls(lambda: event_data(event)) <= most


def test_event_data_of_a_message() -> None:
    sent = MessageSent("S1901M", "FRANCE", ["ENGLAND"], "hello")
    assert event_data(sent) == dataclasses.asdict(sent)


def test_a_picture_goes_ahead_of_the_events_that_it_shows_and_each_seat_sees_its_own() -> None:
    match = Match(RING, {}, 1)
    [first] = match.opening()
    assert isinstance(first, PictureShown)
    assert first.state.describe == "0 of 2 have written."
    shown, seen, written = match.apply("north", {"number": 7})
    assert isinstance(shown, PictureShown)
    assert isinstance(seen, PictureSeen)
    assert "7" not in json.dumps(event_data(shown))
    assert (seen.seats(), [thing.label for thing in seen.things]) == (frozenset({"north"}), ["7"])
    assert type(written).__name__ == "NumberWritten"
    last, *rest = match.apply("east", {"number": 3})
    assert isinstance(last, PictureShown)
    assert [type(event).__name__ for event in rest] == ["NumberWritten", "NumbersShown"]


def test_a_picture_that_did_not_change_is_not_shown_again_and_a_fork_goes_on_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = Match(RING, {"size": 3}, 1)
    match.opening()
    twin = match.fork()
    assert match.apply("north", {"number": 2}) == twin.apply("north", {"number": 2})
    monkeypatch.setattr(match.game, "play", lambda seat, chosen: [])
    assert match.apply("east", {"number": 5}) == []


def test_a_record_with_pictures_is_verified_by_playing_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(catalog.GAMES, "ring", "tests.support.games.ring")
    asyncio.run(play_match(MatchPlan("ring-1", "ring", ("random", "random"), {}, seed=1, folder=tmp_path)))
    report = CliRunner().invoke(app, ["replay", str(tmp_path / "ring-1.jsonl")])
    assert report.exit_code == 0, report.output
