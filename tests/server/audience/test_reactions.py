"""Reactions: one of each kind for a viewer and moment, kept over a restart, in bounds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from grandstand.games.base import OptionError
from grandstand.server.audience import reactions as module
from grandstand.server.audience.reactions import Reactions
from grandstand.server.bodies.audience import Reaction, SendReaction
from grandstand.spectator.errors import UnknownEpisode
from tests.support.server.match_services import MatchServices
from tests.support.server.stream_server import opening

KEY = "0" * 32
"""The key that a request carries; the viewer is told apart by its digest."""


def services(folder: Path, *, delay: float = 0.0) -> MatchServices:
    """Return the services with two matches of two events each."""
    services = MatchServices(folder / "grandstand.db")
    created, *rest = opening()
    for episode in ("m", "n"):
        services.bus.open(episode, 1, delay=delay)
        services.bus.publish(episode, [created._replace(data=created.data | {"delay": delay}), *rest])
    return services


@pytest.fixture
def reactions(tmp_path: Path) -> Iterator[Reactions]:
    reactions = Reactions(services(tmp_path).history, tmp_path / "reactions.db")
    yield reactions
    reactions.close()


def react(reactions: Reactions, viewer: str, seq: int, kind: Reaction, episode: str = "m") -> None:
    reactions.react(episode, SendReaction(viewer=KEY, seq=seq, reaction=kind), viewer)


def counts(reactions: Reactions, episode: str = "m", viewer: str = "") -> dict[int, tuple[dict[str, int], list[str]]]:
    """Return the reactions that there are, and those of the viewer."""
    return {
        moment.seq: ({kind: n for kind, n in moment.counts.items() if n}, list(moment.own))
        for moment in reactions.moments(episode, viewer)
    }


def test_a_viewer_reacts_once_in_each_way_to_a_moment(reactions: Reactions) -> None:
    for _ in range(2):
        react(reactions, "ada", 1, "ouch")
    react(reactions, "ada", 1, "tense")
    react(reactions, "bob", 1, "ouch")
    react(reactions, "bob", 0, "bravo")
    react(reactions, "bob", 0, "bravo", "n")
    assert counts(reactions, viewer="ada") == {
        0: ({"bravo": 1}, []),
        1: ({"ouch": 2, "tense": 1}, ["ouch", "tense"]),
    }
    assert counts(reactions, "n") == {0: ({"bravo": 1}, [])}


def test_a_restart_loses_none(tmp_path: Path) -> None:
    first = Reactions(services(tmp_path).history, tmp_path / "reactions.db")
    react(first, "ada", 1, "ouch")
    first.close()
    again = Reactions(MatchServices(tmp_path / "grandstand.db").history, tmp_path / "reactions.db")
    react(again, "ada", 1, "ouch")
    assert counts(again, viewer="ada") == {1: ({"ouch": 1}, ["ouch"])}


def test_nobody_reacts_to_what_spectators_cannot_know(tmp_path: Path) -> None:
    async def scene() -> None:
        delayed = Reactions(services(tmp_path, delay=3600.0).history, tmp_path / "reactions.db")
        with pytest.raises(OptionError, match=r"seq: .*up to event 0"):
            react(delayed, "ada", 1, "ouch")
        with pytest.raises(UnknownEpisode):
            react(delayed, "ada", 0, "ouch", "nowhere")

    asyncio.run(scene())


def test_the_moments_with_most_are_listed(reactions: Reactions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LISTED", 1)
    react(reactions, "ada", 0, "ouch")
    react(reactions, "ada", 1, "ouch")
    react(reactions, "bob", 0, "ouch")
    assert counts(reactions) == {0: ({"ouch": 2}, [])}


def test_the_newest_are_kept_and_few_counts_are_in_memory(
    reactions: Reactions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST", 2)
    monkeypatch.setattr(module, "PRUNED_EVERY", 4)
    monkeypatch.setattr(module, "COUNTED", 1)
    for viewer in ("a", "b", "c", "d"):
        react(reactions, viewer, 1, "ouch")
    react(reactions, "e", 0, "ouch", "n")
    assert counts(reactions) == {1: ({"ouch": 2}, [])}
    assert counts(reactions, viewer="d")[1][1] == ["ouch"]
    assert counts(reactions, viewer="a")[1][1] == []
    assert list(reactions._counts) == ["m"]


def test_those_of_a_deleted_match_are_gone(reactions: Reactions) -> None:
    react(reactions, "ada", 1, "ouch")
    react(reactions, "ada", 1, "ouch", "n")
    reactions.forget("m")
    assert counts(reactions) == {}
    assert counts(reactions, "n") == {1: ({"ouch": 1}, [])}
