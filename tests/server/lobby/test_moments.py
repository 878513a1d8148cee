"""The best moments of recent matches: what spectators may know of them, the most important first."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pytest

from grandstand.events import EpisodeCreated, EpisodeStarted, FactNoted, Moment, SeatInfo
from grandstand.models import Audience, Draft, Event
from grandstand.server.bodies.lobby import Highlight
from grandstand.server.lobby import moments
from grandstand.server.lobby.moments import EACH, LEAST, LISTED, BestMoments
from grandstand.server.reference.episodes import ReferencedRecorder, ReferenceEpisodes
from grandstand.spectator.history import History
from tests.support.server.match_services import MatchServices
from tests.support.server.reference import reference_folder
from tests.support.server.stream_server import board, ending, turn

GAMES = ("chess", "go")


def created(
    game: str = "chess", delay: float = 0.0, parent: Moment | None = None, origin: Literal["api", "imported"] = "api"
) -> list[Draft]:
    seats = [SeatInfo(seat="NORTH", player="bot", kind="heuristic")]
    data = EpisodeCreated(game=game, title="A test", options={}, seats=seats, origin=origin, delay=delay, parent=parent)
    return [Draft.of(data), Draft.of(EpisodeStarted())]


def fact(importance: float, rests_on: Sequence[int], audience: Audience = "public") -> Draft:
    text = f"Something of {importance}."
    return Draft.of(FactNoted(kind="capture", text=text, importance=importance, rests_on=list(rests_on)), audience)


def publish(services: MatchServices, episode_id: str, *drafts: Draft, delay: float = 0.0) -> None:
    services.bus.open(episode_id, 1, delay=delay)
    services.bus.publish(episode_id, drafts)


def highlights(services: MatchServices) -> list[Highlight]:
    return asyncio.run(BestMoments(services.history, services.recorder, GAMES).highlights())


def test_a_moment_is_shown_from_the_start_of_its_turn() -> None:
    services = MatchServices()
    publish(services, "a", *created(), turn(0), board(1), turn(1), board(2), fact(0.7, [5]), turn(2))
    (only,) = highlights(services)
    assert (only.episode_id, only.first, only.last, only.turn) == ("a", 4, 5, "turn 1")
    assert only.text == "Something of 0.7."


def test_a_moment_at_the_start_of_a_turn_is_shown_from_the_turn_before() -> None:
    services = MatchServices()
    publish(services, "a", *created(), turn(0), board(1), turn(1), fact(0.7, [4]), board(2))
    (only,) = highlights(services)
    assert (only.first, only.last, only.turn) == (2, 4, "turn 0")


def test_the_most_important_of_a_turn_and_few_of_a_match() -> None:
    services = MatchServices()
    turns = [draft for n in range(6) for draft in (turn(n), board(n), fact(0.5 + n / 20, [3 + 4 * n]), fact(0.5, [2]))]
    publish(services, "a", *created(), *turns)
    publish(services, "b", *created(), turn(0), board(1), fact(0.72, [3]), ending())
    assert [(each.episode_id, each.importance) for each in highlights(services)] == [
        ("a", 0.75),
        ("b", 0.72),
        ("a", 0.7),
    ]
    assert EACH == 2


def test_a_match_in_which_nothing_matters_yet_has_no_moment() -> None:
    services = MatchServices()
    publish(services, "a", *created(), turn(0), board(1), fact(LEAST - 0.01, [3]))
    assert highlights(services) == []
    publish(services, "b", *created(), turn(0), board(1), fact(LEAST, [3]))
    assert [each.episode_id for each in highlights(services)] == ["b"]


def test_what_is_not_public_is_no_moment_of_spectators() -> None:
    services = MatchServices()
    publish(services, "a", *created(), turn(0), board(1), fact(0.9, [3], ["NORTH"]), fact(0.8, [3], "analyst"))
    assert highlights(services) == []


def test_a_delayed_match_tells_nothing_before_its_release() -> None:
    async def scene() -> None:
        services = MatchServices()
        for episode_id, delay in (("now", 0.0), ("late", 3600.0)):
            start = created(delay=delay)
            publish(services, episode_id, *start, turn(0), board(1), fact(0.9, [3]), ending(), delay=delay)
        listed = await BestMoments(services.history, services.recorder, GAMES).highlights()
        assert [each.episode_id for each in listed] == ["now"]

    asyncio.run(scene())


def test_a_fork_does_not_repeat_the_moments_of_its_parent() -> None:
    services = MatchServices()
    publish(services, "a", *created(), turn(0), board(1), fact(0.9, [3]))
    publish(services, "b", *created(parent=Moment(episode_id="a", seq=3)), turn(0), board(1), fact(0.9, [3]))
    assert [each.episode_id for each in highlights(services)] == ["a"]


def test_an_imported_file_repeats_no_moments() -> None:
    services = MatchServices()
    publish(services, "a", *created(), turn(0), board(1), fact(0.9, [3]))
    publish(services, "b", *created(origin="imported"), turn(0), board(1), fact(0.9, [3]))
    assert [each.episode_id for each in highlights(services)] == ["a"]


def test_the_games_take_turns_in_their_order() -> None:
    services = MatchServices()
    publish(services, "a", *created("chess"), turn(0), board(1), fact(0.8, [3]), turn(1), fact(0.7, [6]))
    publish(services, "b", *created("go"), turn(0), board(1), fact(1.0, [3]))
    publish(services, "c", *created("go"), turn(0), board(1), fact(0.9, [3]))
    assert [each.episode_id for each in highlights(services)] == ["a", "b", "a", "c"]


def test_the_list_is_bounded_and_a_record_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    services = MatchServices()
    for number in range(LISTED + 3):
        publish(services, f"e{number:02}", *created(GAMES[number % 2]), turn(0), board(1), fact(0.5, [3]))
    monkeypatch.setattr(moments, "KEPT", 0.0)
    best = BestMoments(services.history, services.recorder, GAMES)
    assert len(asyncio.run(best.highlights())) == LISTED
    load, read = services.recorder.load, []

    async def counted(episode_id: str, types: Sequence[str] = ()) -> object:
        read.append(episode_id)
        return await load(episode_id, types)

    monkeypatch.setattr(services.recorder, "load", counted)
    services.bus.publish("e00", [turn(1)])
    assert len(asyncio.run(best.highlights())) == LISTED
    assert read == ["e00"]


def test_moments_of_reference_matches_come_last_and_by_turns_of_the_games(tmp_path: Path) -> None:
    games = {"old-1": "chess", "old-2": "chess", "old-3": "go", "old-4": "shogi"}
    old = [episode(name, game, 0.9 if name != "old-2" else 0.8) for name, game in games.items()]
    reference = ReferenceEpisodes(("chess", "go"), reference_folder(tmp_path / "reference", old))
    recorder = ReferencedRecorder(tmp_path / "grandstand.db", reference)
    recorder.on_events(episode("new", "chess", 0.6, at=time.time()))
    found = asyncio.run(BestMoments(History(recorder), recorder, GAMES).highlights())
    assert found[0].episode_id == "new"
    assert [each.episode_id for each in found[1:]] == ["old-1", "old-3", "old-2"]
    assert [each.reference for each in found] == [False, True, True, True]
    recorder.close()


def episode(episode_id: str, game: str, importance: float, at: float = 1000.0) -> list[Event]:
    drafts = [*created(game), turn(0), board(1), fact(importance, [3]), ending()]
    return [
        Event(episode_id=episode_id, epoch=1, seq=seq, at=at, type=kind, audience=audience, data=data)
        for seq, (kind, data, audience) in enumerate(drafts)
    ]
