"""The story of a fork: that of its parent up to the fork, and on from there, once and in words of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from grandstand.events import CommentAdded, FactNoted
from grandstand.games.base import SeatId
from grandstand.games.registry import game_spec
from grandstand.models import Audience, Event, flat, flat_drafts
from grandstand.play.commentator import DERIVED, commentator
from grandstand.players.base import Player
from grandstand.players.bot import BotPlayer
from grandstand.players.roster import Seating
from grandstand.server.bodies.matches import ForkEpisode, StartEpisode
from tests.support.players.promise_player import PromisePlayer
from tests.support.server.match_services import MatchServices

OPTIONS: dict[str, dict[str, Any]] = {
    "diplomacy": {"last_year": 1902, "negotiation_rounds": 1},
    "cricket": {"overs": 2},
}
AFTER = ("TurnStarted", "FactNoted", "CommentAdded", "OutlookUpdated", "PrivateBatch")
"""Types of the events after which the matches are forked: at the start of a turn, and within its story."""

StoryItem = tuple[str, Audience, dict[str, Any]]


@pytest.fixture(autouse=True)
def promisers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat players of Diplomacy that make promises, keep some and break others."""
    usual = Seating.player

    def player(seating: Seating, name: str, seat: SeatId) -> Player:
        spec = seating._spec
        return PromisePlayer(BotPlayer(spec, "dumbbot")) if spec.talk.press else usual(seating, name, seat)

    monkeypatch.setattr(Seating, "player", player)


def story(events: Sequence[Event]) -> list[StoryItem]:
    """Return the facts, comments and outlooks of a record, private ones included, in order."""
    return [(event.type, event.audience, event.data) for event in flat(events) if event.type in DERIVED]


def story_again(events: Sequence[Event]) -> list[StoryItem]:
    """Return the same, derived from the record without its story."""
    narrator = commentator(game_spec(events[0].data["game"]), events[0].episode_id)
    assert narrator is not None
    items: list[StoryItem] = []
    part: list[Event] = []
    for event in events:
        if event.type in DERIVED:
            continue
        part.append(event)
        if event.type == "EpisodeEnded":
            part[-1] = event.model_copy(update={"seq": part[-2].seq if len(part) > 1 else event.seq - 1})
        if event.type in ("TurnStarted", "EpisodeEnded"):
            items += [(item.type, item.audience, item.data) for item in flat_drafts(narrator.after(part))]
            part = []
    return items


def course(items: Sequence[StoryItem]) -> list[object]:
    """Return what a story tells, without its words and numbers of events."""
    result: list[object] = []
    for kind, audience, data in items:
        if kind == FactNoted.__name__:
            result.append((audience, data["kind"], data["text"], data["importance"], data["seats"], data["data"]))
        elif kind == CommentAdded.__name__:
            result.append((audience, data["beat"], data["importance"], len(data["rests_on"])))
        else:
            result.append({name: value for name, value in data.items() if name != "rests_on"})
    return result


def lines(items: Sequence[StoryItem]) -> list[str]:
    return [data["text"] for kind, audience, data in items if kind == CommentAdded.__name__ and audience == "public"]


async def played(services: MatchServices, game: str) -> list[Event]:
    request = StartEpisode.model_validate({"game": game, "seed": 5, "pace": 0, "options": OPTIONS[game]})
    episode_id = (await services.driver.start(request)).episode_id
    await services.ended(episode_id)
    return list(services.recorder.events(episode_id))


async def forked(services: MatchServices, parent: Sequence[Event], seq: int, seed: int | None = None) -> list[Event]:
    request = ForkEpisode(seq=seq, seed=seed, pace=0)
    child = await services.driver.fork(parent[0].episode_id, request, key=None, by="operator")
    await services.ended(child.episode_id)
    return list(services.recorder.events(child.episode_id))


@pytest.mark.few(1)
@pytest.mark.parametrize("game", OPTIONS)
def test_a_fork_tells_its_whole_story_once(game: str) -> None:
    async def scene() -> None:
        services = MatchServices()
        parent = await played(services, game)
        middle = len(parent) // 2
        cuts = {next(e.seq for e in parent[middle:] if e.type == kind) for kind in AFTER if kind_is_in(parent, kind)}
        for cut in sorted(cuts):
            child = await forked(services, parent, cut)
            assert course(story(child)) == course(story(parent)), cut
            assert lines(story(child)) != lines(story(parent))
            assert all(first != second for first, second in pairwise(lines(story(child))))
            for event in child:
                if event.type in DERIVED:
                    assert all(0 <= seq < event.seq for seq in event.data.get("rests_on", ())), cut

    asyncio.run(scene())


def kind_is_in(events: Sequence[Event], kind: str) -> bool:
    return any(event.type == kind for event in events[len(events) // 2 :])


@pytest.mark.long
@pytest.mark.parametrize("game", OPTIONS)
def test_a_fork_within_a_turn_tells_what_its_own_record_tells(game: str) -> None:
    async def scene() -> None:
        services = MatchServices()
        parent = await played(services, game)
        assert story(parent) == story_again(parent)
        assert (game == "diplomacy") == any(audience != "public" for _, audience, _ in story(parent))
        turns = [event.seq for event in parent if event.type == "TurnStarted"]
        first = turns[len(turns) // 2]
        for cut in range(first, first + 8):
            child = await forked(services, parent, cut, seed=99)
            assert story(child) == story_again(child), cut

    asyncio.run(scene())


def test_the_story_rests_on_the_same_events_in_a_fork() -> None:
    async def scene() -> None:
        services = MatchServices()
        parent = await played(services, "diplomacy")
        cut = [event.seq for event in parent if event.type == "TurnStarted"][3]
        child = await forked(services, parent, cut)
        for events in (parent, child):
            by_number = {event.seq: event for event in events}
            captures = [data for kind, _, data in story(events) if kind == "FactNoted" and data["kind"] == "capture"]
            assert captures
            for data in captures:
                (seq,) = data["rests_on"]
                changed = by_number[seq].data["captured"]
                assert data["data"]["center"] in [capture["center"] for capture in changed]

    asyncio.run(scene())
