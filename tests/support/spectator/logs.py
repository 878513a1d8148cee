"""Made-up episodes for the tests of the stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from grandstand.models import Audience, Draft, Event
from grandstand.spectator.viewpoint import OPERATOR, SPECTATOR, Viewpoint
from tests.support.server.stream_server import SEATS, board, ending, opening, press, turn

EPISODE = "chess-1"
ANALYST = Viewpoint("analyst")
VIEWPOINTS = (SPECTATOR, ANALYST, OPERATOR, *(Viewpoint("seat", seat) for seat in SEATS))

json_data = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
audiences: st.SearchStrategy[Audience] = st.sampled_from(
    ["public", "analyst", "operator", "private", ["NORTH"], ["SOUTH"], ["NORTH", "SOUTH"], []]
)
drafts = st.one_of(
    st.builds(Draft, st.just("Said"), st.dictionaries(st.text(max_size=5), json_data, max_size=3), audiences),
    st.builds(lambda number, audience: Draft("Moved", {"state": number}, audience), st.integers(0, 99), audiences),
    st.builds(turn, st.integers(0, 99)),
)


def stamp(drafts: Sequence[Draft], first: int = 0, epoch: int = 1) -> list[Event]:
    """`drafts` as events of EPISODE, numbered from `first`."""
    return [
        Event(episode_id=EPISODE, epoch=epoch, seq=seq, at=1000.0 + seq, type=kind, audience=audience, data=data)
        for seq, (kind, data, audience) in enumerate(drafts, first)
    ]


logs = st.lists(drafts, max_size=30).map(lambda middle: stamp([*opening(), *middle]))
"""Whole logs of an unfinished episode."""


def short_log(*more: Draft) -> list[Event]:
    """A log with a bit of everything: 0 to 6, then `more`."""
    return stamp([*opening(), press("secret"), board(1), turn(1), press("mine", "SOUTH"), *more])


def finished_log() -> list[Event]:
    return short_log(ending())


def strings_in(value: Any) -> set[str]:
    """Every string anywhere in `value`, keys included."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return {text for pair in value.items() for part in pair for text in strings_in(part)}
    return {text for part in value for text in strings_in(part)} if isinstance(value, list) else set()
