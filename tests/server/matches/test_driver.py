"""The driver: matches side by side, seeded, queued, stopped, resumed, and ended honestly when something breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.models import Event
from grandstand.play.commentator import DERIVED, commentator
from grandstand.play.verification import verify
from grandstand.server.bodies.matches import Command, ForkEpisode, StartEpisode
from grandstand.server.matches import resuming
from grandstand.server.matches.steering import Elsewhere, Full, Resuming
from grandstand.spectator.errors import StorageError
from tests.support.server.match_services import MatchServices, RecordingObserver, until

QUICK = {"last_year": 1902}
STOP = Command(command="stop")


def run(scene: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(scene())  # type: ignore[arg-type]


def request(seed: int = 1, pace: float = 0, **options: object) -> StartEpisode:
    return StartEpisode(game="diplomacy", seed=seed, pace=pace, options={**QUICK, **options})


def content(events: Sequence[Event]) -> list[tuple[int, str, object, object]]:
    """Return the events of an episode without times and ids, and without its story, whose words follow from the id."""
    return [(event.seq, event.type, event.audience, event.data) for event in without_story(events)]


def without_story(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if event.type not in DERIVED]


def story_of(events: Sequence[Event]) -> list[object]:
    """Return the public part of an episode's story."""
    return [event.data for event in events if event.type in DERIVED]


def story_again(events: Sequence[Event]) -> list[object]:
    """Return the same, told again from the record at once."""
    narrator = commentator(game_spec("diplomacy"), events[0].episode_id)
    assert narrator is not None
    return [draft.data for draft in narrator.after(without_story(events)) if draft.type in DERIVED]


def test_same_seed_and_players_give_the_same_events() -> None:
    async def scene() -> None:
        services = MatchServices()
        first, again = [(await services.driver.start(request(7))).episode_id for _ in range(2)]
        other = (await services.driver.start(request(8))).episode_id
        await services.ended(first, again, other)
        assert content(services.history.events(first)) == content(services.history.events(again))
        assert content(services.history.events(first)) != content(services.history.events(other))

    run(scene)


def test_the_log_replays_through_the_rules() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(3))).episode_id
        await services.ended(episode)
        events = services.history.events(episode)
        match = verify(events)
        assert match.over
        assert [event.seq for event in events] == list(range(len(events)))
        assert events[-1].type == "EpisodeEnded"

    run(scene)


def test_over_the_slots_a_match_waits_and_over_the_queue_it_is_refused() -> None:
    async def scene() -> None:
        services = MatchServices(slots=1, queue=1)
        first = (await services.driver.start(request(pace=60))).episode_id
        second = (await services.driver.start(request(2))).episode_id
        assert services.recorder.summary(second).status == "queued"
        assert list(services.driver.queued) == [second]
        with pytest.raises(Full, match="another match is waiting"):
            await services.driver.start(request(3))
        await asyncio.sleep(0)
        await services.driver.command(first, STOP, key=None, by="test")
        await services.ended(first, second)
        assert services.recorder.summary(first).status == "stopped"
        assert services.recorder.summary(second).status == "finished"

    run(scene)


def test_a_queued_match_can_be_stopped() -> None:
    async def scene() -> None:
        services = MatchServices(slots=1, queue=1)
        await services.driver.start(request(pace=60))
        waiting = (await services.driver.start(request(2))).episode_id
        await services.driver.command(waiting, STOP, key=None, by="test")
        assert services.recorder.summary(waiting).status == "stopped"
        assert not services.driver.queued
        await services.driver.close()

    run(scene)


def test_the_same_key_starts_once() -> None:
    async def scene() -> None:
        services = MatchServices()
        first = await services.driver.start(request(pace=60), key="click")
        again = await services.driver.start(request(pace=60), key="click")
        assert first.episode_id == again.episode_id
        assert services.driver.live == 1
        await services.driver.close()

    run(scene)


@pytest.mark.long
@pytest.mark.parametrize("cut", [10, 30, 60])
def test_an_interrupted_match_goes_on_as_it_would_have(tmp_path: Path, cut: int) -> None:
    store = tmp_path / "cut.db"

    async def whole() -> list[tuple[int, str, object, object]]:
        services = MatchServices()
        episode = (await services.driver.start(request(11))).episode_id
        await services.ended(episode)
        return content(services.history.events(episode))

    async def first_half() -> str:
        services = MatchServices(store)
        episode = (await services.driver.start(request(11))).episode_id
        await until(lambda: services.recorder.summary(episode).last_seq >= cut)
        await services.driver.close()
        services.recorder.close()
        return episode

    async def second_half(episode: str) -> list[tuple[int, str, object, object]]:
        services = MatchServices(store)
        services.driver.resume_all()
        await services.driver.resumed()
        await services.ended(episode)
        events = services.history.events(episode)
        verify(events)
        assert story_of(events) == story_again(events)
        return content(events)

    uncut = asyncio.run(whole())
    resumed = asyncio.run(second_half(asyncio.run(first_half())))
    marks = [entry for entry in resumed if entry[1] == "EpisodeStarted"][1:]
    assert marks, "the match was not interrupted while it was played"
    without_mark = [entry[1:] for entry in resumed if entry not in marks]
    assert without_mark == [entry[1:] for entry in uncut]


def test_a_match_whose_log_does_not_replay_is_marked_interrupted(tmp_path: Path) -> None:
    store = tmp_path / "broken.db"

    async def start() -> str:
        services = MatchServices(store)
        episode = (await services.driver.start(request(pace=60))).episode_id
        await services.begun(episode)
        await services.driver.close()
        services.recorder._db.execute(
            "UPDATE events SET data=replace(data, 'diplomacy', 'chess') WHERE type='EpisodeCreated'"
        )
        services.recorder.close()
        return episode

    async def come_back(episode: str) -> None:
        services = MatchServices(store)
        services.driver.resume_all()
        await services.driver.resumed()
        summary = services.recorder.summary(episode)
        assert summary.status == "interrupted"
        assert "chess" in summary.message

    asyncio.run(come_back(asyncio.run(start())))


def test_a_match_waits_for_a_record_that_cannot_be_read_for_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "away.db"

    async def start() -> str:
        services = MatchServices(store)
        episode = (await services.driver.start(request(pace=60))).episode_id
        await services.begun(episode)
        await services.driver.close()
        services.recorder.close()
        return episode

    async def come_back(episode: str) -> None:
        services = MatchServices(store)
        load, times = services.history.load, iter((1, 2))

        async def away(episode_id: str) -> None:
            if next(times, None):
                raise StorageError("PostgreSQL does not answer")
            await load(episode_id)

        monkeypatch.setattr(services.history, "load", away)
        monkeypatch.setattr(resuming, "AGAIN", 0.001)
        services.driver.resume_all()
        await services.driver.resumed()
        assert services.recorder.summary(episode).status == "live"
        await services.driver.close()

    asyncio.run(come_back(asyncio.run(start())))


def _older(services: MatchServices, episode: str) -> None:
    """Rewrite the record as if it had been made under version 0 of rules that tossed otherwise."""
    replaced = {
        "EpisodeCreated": (f'"rules":{game_spec("cricket").rules.version}', '"rules":0'),
        "MatchStarted": ('"toss_winner":"', '"toss_winner":"not '),
    }
    for kind, pair in replaced.items():
        services.recorder._db.execute(
            "UPDATE events SET data=replace(data, ?, ?) WHERE type=? AND episode_id=?", (*pair, kind, episode)
        )


CRICKET = StartEpisode(game="cricket", seed=1, options={"overs": 1})


@pytest.mark.parametrize("option", ["overs", "of_older_rules"])
def test_a_match_of_older_rules_that_cannot_go_on_ends_stopped_and_says_so(tmp_path: Path, option: str) -> None:
    store = tmp_path / "older.db"

    async def start() -> str:
        services = MatchServices(store)
        episode = (await services.driver.start(CRICKET.model_copy(update={"pace": 60}))).episode_id
        await until(lambda: services.recorder.summary(episode).status == "live")
        await services.driver.close()
        _older(services, episode)
        services.recorder._db.execute(
            "UPDATE events SET data=replace(data, '\"overs\":', ?) WHERE type='EpisodeCreated'", (f'"{option}":',)
        )
        services.recorder.close()
        return episode

    async def come_back(episode: str) -> None:
        services = MatchServices(store)
        assert services.driver.resume_all() == [episode]
        await services.driver.resumed()
        summary = services.recorder.summary(episode)
        assert summary.status == "stopped"
        assert summary.message.startswith("recorded under version 0 of the rules of cricket")

    asyncio.run(come_back(asyncio.run(start())))


def test_a_record_of_older_rules_that_plays_otherwise_now_cannot_be_forked(tmp_path: Path) -> None:
    store = tmp_path / "older.db"

    async def play() -> str:
        services = MatchServices(store)
        episode = (await services.driver.start(CRICKET.model_copy(update={"pace": 0}))).episode_id
        await services.ended(episode)
        _older(services, episode)
        services.recorder.close()
        return episode

    async def fork(episode: str) -> None:
        services = MatchServices(store)
        with pytest.raises(OptionError, match="seq: recorded under version 0"):
            await services.driver.fork(episode, ForkEpisode(seq=10), key=None, by="operator")

    asyncio.run(fork(asyncio.run(play())))


def test_our_own_bug_ends_the_episode_as_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request())).episode_id
        table = services.driver.match(episode).runner

        async def broken() -> AsyncIterator[None]:
            raise ZeroDivisionError("no such luck")
            yield

        monkeypatch.setattr(table, "play_round", broken)
        await services.ended(episode)
        summary = services.recorder.summary(episode)
        assert summary.status == "error"
        assert "a bug of ours: ZeroDivisionError" in summary.message

    run(scene)


def test_a_failing_record_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        services = MatchServices()
        events: list[Event] = []
        services.bus.add(RecordingObserver(events))
        episode = (await services.driver.start(request(pace=0.01))).episode_id
        await services.begun(episode)
        delivered = len(events)

        def full_disk(_: Sequence[Event]) -> None:
            raise OSError("no space left")

        monkeypatch.setattr(services.recorder, "on_events", full_disk)
        await until(lambda: services.driver.live == 0)
        assert len(events) == delivered
        monkeypatch.undo()
        assert len(list(services.recorder.events(episode))) == delivered

    run(scene)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (StartEpisode(game="chess"), "game"),
        (StartEpisode(players={"PERU": "random"}), "players.PERU"),
        (StartEpisode(players={"FRANCE": "deep-blue"}), "players.FRANCE"),
        (StartEpisode(options={"las_year": 1902}), "options.las_year"),
        (StartEpisode(options={"last_year": "soon"}), "options.last_year"),
        (StartEpisode(options={"press": ["none"]}), "options.press"),
        (StartEpisode(game="cricket", options={"pack": ["x"]}), "options.pack"),
        (StartEpisode(game="cricket", options={"pack": {"x": 1}}), "options.pack"),
        (StartEpisode(game="cricket", options={"era": []}), "options.era"),
    ],
)
def test_a_wrong_request_names_the_field(wrong: StartEpisode, field: str) -> None:
    async def scene() -> None:
        services = MatchServices()
        with pytest.raises(OptionError, match=f"^{field}: "):
            await services.driver.start(wrong)
        assert services.recorder.summaries()[1] == 0

    run(scene)


def test_a_match_that_has_moved_is_neither_steered_nor_ended_here() -> None:
    """Also while it has a slot still: another server has written to it, or its lease was lost."""

    def route(episode_id: str | None) -> None:
        if episode_id is not None:
            raise Elsewhere(episode_id)

    async def scene() -> None:
        services = MatchServices()
        driver = services.driver
        driver.route = route
        moved, dropped = [(await driver.start(request(seed, pace=60))).episode_id for seed in (1, 2)]
        for episode in (moved, dropped):
            await services.begun(episode)
        services.bus.forget(moved)
        driver.drop([dropped])
        before = [list(services.recorder.events(episode)) for episode in (moved, dropped)]
        for episode in (moved, dropped):
            with pytest.raises(Elsewhere) as error:
                await driver.command(episode, STOP, key=None, by="operator")
            assert error.value.episode_id == episode
        await asyncio.sleep(0.05)
        assert [list(services.recorder.events(episode)) for episode in (moved, dropped)] == before
        driver.away = lambda: True
        with pytest.raises(Resuming):
            await driver.command(moved, STOP, key=None, by="operator")
        await driver.close()

    run(scene)
