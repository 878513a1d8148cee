"""Steering: every command is recorded, idempotent, and changes nothing but what it says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from grandstand.games.base import IllegalAction, OptionError
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Event, flat
from grandstand.play.runner import MatchRunner
from grandstand.play.verification import verify
from grandstand.players.base import Choice, Player, PressReply
from grandstand.players.bot import BotPlayer
from grandstand.players.external import NotAsked
from grandstand.server.bodies.matches import Command, ForkEpisode, StartEpisode
from grandstand.server.matches.live_match import LiveMatch
from grandstand.server.matches.steering import CommandError, Resuming, Steering
from tests.support.server.match_services import MatchServices, settle, until

QUICK = {"last_year": 1902}


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scene())


def request(**fields: Any) -> StartEpisode:
    return StartEpisode(**{"game": "diplomacy", "seed": 1, "pace": 0, "options": QUICK, **fields})


async def steer(services: MatchServices, episode: str, command: str, key: str | None = None, **fields: Any) -> None:
    await services.driver.command(episode, Command(command=command, **fields), key=key, by="operator")  # type: ignore[arg-type]


def controls(services: MatchServices, episode: str) -> list[tuple[str, Any]]:
    events = services.history.events(episode)
    return [(e.data["command"], e.data["value"]) for e in events if e.type == "ControlChanged"]


def turns(services: MatchServices, episode: str) -> int:
    return sum(event.type == "TurnStarted" for event in services.history.events(episode))


def choices(services: MatchServices, episode: str) -> list[tuple[str, dict[str, Any]]]:
    events = flat(services.history.events(episode))
    return [(e.data["seat"], e.data["action"]) for e in events if e.type == "ActionChosen"]


def test_pause_and_resume_are_recorded_once() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(pace=0.001))).episode_id
        await until(lambda: turns(services, episode) > 2)
        for _ in range(2):
            await steer(services, episode, "pause")
        await settle()
        stood = len(services.history.events(episode))
        await settle()
        assert len(services.history.events(episode)) == stood
        for _ in range(2):
            await steer(services, episode, "resume")
        await services.ended(episode)
        assert [name for name, _ in controls(services, episode)] == ["pace", "pause", "resume"]

    run(scene)


def test_a_step_plays_one_turn() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(paused=True))).episode_id
        await services.begun(episode)
        before = turns(services, episode)
        for played in (1, 2):
            await steer(services, episode, "step")
            wanted = before + played
            await until(lambda: turns(services, episode) == wanted)  # noqa: B023 - awaited before the next one
            await settle()
            assert turns(services, episode) == before + played
        await services.driver.close()

    run(scene)


def test_a_command_with_the_same_key_is_done_once() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(paused=True))).episode_id
        await services.begun(episode)
        for _ in range(3):
            await steer(services, episode, "step", key="one")
        assert controls(services, episode).count(("step", 1)) == 1
        await services.driver.close()

    run(scene)


def test_a_faster_pace_takes_hold_at_once() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(pace=60))).episode_id
        await services.begun(episode)
        await steer(services, episode, "pace", value=0)
        await services.ended(episode)
        assert controls(services, episode)[-1] == ("pace", 0)

    run(scene)


def test_a_limit_of_turns_stops_and_can_be_extended() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(turns=2))).episode_id
        other = (await services.driver.start(request(turns=2, paused=True))).episode_id
        await services.ended(episode)
        assert services.recorder.summary(episode).status == "stopped"
        assert turns(services, episode) == 3
        await services.begun(other)
        await steer(services, other, "extend", value=2)
        await steer(services, other, "resume")
        await services.ended(other)
        assert turns(services, other) == 5

    run(scene)


def test_taking_a_seat_over_and_handing_it_back() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(paused=True))).episode_id
        await services.begun(episode)
        live = services.driver.match(episode)
        for _ in range(2):
            await steer(services, episode, "take_over", seat="FRANCE")
        await steer(services, episode, "resume")
        person = live.person("FRANCE")
        await until(lambda: person.asked == "choose")
        with pytest.raises(IllegalAction, match="orders"):
            person.submit({"orders": ["A PAR - MOS"]})
        assert person.asked == "choose"
        person.submit({"orders": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]})
        await until(lambda: live.runner.match.index == 1)
        await until(lambda: person.asked == "choose")
        await steer(services, episode, "hand_back", seat="FRANCE")
        await services.ended(episode)
        sources = [
            event.data["source"]
            for event in flat(services.history.events(episode))
            if event.type == "ActionChosen" and event.data["seat"] == "FRANCE"
        ]
        assert sources[0] == "human"
        assert set(sources[1:]) == {"heuristic"}
        names = [name for name, _ in controls(services, episode)]
        assert names.count("take_over") == names.count("hand_back") == 1
        verify(services.history.events(episode))

    run(scene)


def test_when_the_clock_runs_out_the_stand_in_acts_and_says_so() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(clock=1, turns=1, players={"FRANCE": "person"}))).episode_id
        await services.ended(episode)
        events = services.history.events(episode)
        fault = next(event for event in events if event.type == "PlayerFault")
        assert (fault.data["seat"], fault.data["boundary"]) == ("FRANCE", "timeout")
        played = next(e for e in flat(events) if e.type == "ActionChosen" and e.data["seat"] == "FRANCE")
        assert played.data["source"] == "fallback"

    run(scene)


def test_a_machines_seat_takes_no_actions() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(paused=True))).episode_id
        await services.begun(episode)
        with pytest.raises(CommandError, match="take it over first"):
            services.driver.match(episode).person("FRANCE")
        await steer(services, episode, "take_over", seat="FRANCE")
        with pytest.raises(NotAsked):
            services.driver.match(episode).person("FRANCE").submit({"orders": []})
        await services.driver.close()

    run(scene)


def test_stop_gives_a_turn_up_at_once() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(clock=600, players={"FRANCE": "person"}))).episode_id
        await until(lambda: services.driver.match(episode).person("FRANCE").asked)
        await steer(services, episode, "stop")
        await services.ended(episode)
        assert services.recorder.summary(episode).status == "stopped"

    run(scene)


def test_a_taken_seat_stays_taken_after_a_restart(tmp_path: Path) -> None:
    store = tmp_path / "seat.db"

    async def before() -> str:
        services = MatchServices(store)
        episode = (await services.driver.start(request(paused=True, pace=0.5))).episode_id
        await services.begun(episode)
        await steer(services, episode, "take_over", seat="ITALY")
        await services.driver.close()
        services.recorder.close()
        return episode

    async def after(episode: str) -> None:
        services = MatchServices(store)
        assert services.driver.resume_all() == [episode]
        await services.driver.resumed()
        live = services.driver.match(episode)
        assert live.steering.paused
        assert live.steering.pace == 0.5
        live.person("ITALY")
        await services.driver.close()

    asyncio.run(after(asyncio.run(before())))


def test_a_match_stopped_just_before_a_restart_ends_as_stopped(tmp_path: Path) -> None:
    store = tmp_path / "stop.db"

    async def before() -> str:
        services = MatchServices(store)
        episode = (await services.driver.start(request(paused=True, pace=0.5))).episode_id
        await until(lambda: services.recorder.summary(episode).status == "live")
        await services.driver.match(episode).steer(Command(command="stop"), "operator", None)
        await services.driver.close()
        assert services.recorder.summary(episode).status == "live"
        services.recorder.close()
        return episode

    async def after(episode: str) -> None:
        services = MatchServices(store)
        services.driver.resume_all()
        await services.ended(episode)
        summary = services.recorder.summary(episode)
        assert (summary.status, summary.message) == ("stopped", "stopped by operator")

    asyncio.run(after(asyncio.run(before())))


def test_a_fork_begins_as_its_parent_stood_and_leaves_it_alone() -> None:
    async def scene() -> None:
        services = MatchServices()
        parent = (await services.driver.start(request())).episode_id
        await services.ended(parent)
        before: list[Event] = list(services.history.events(parent))
        cut = [event.seq for event in before if event.type == "TurnStarted"][2]
        forked = await services.driver.fork(
            parent, ForkEpisode(seq=cut, seed=99, players={"FRANCE": "random"}, pace=0), key=None, by="operator"
        )
        child = forked.episode_id
        await services.ended(child)
        assert list(services.history.events(parent)) == before
        reports = [(e.data["seat"], e.data["action"]) for e in flat(before[:cut]) if e.type == "ActionChosen"]
        assert choices(services, child)[: len(reports)] == reports
        summary = services.recorder.summary(child)
        assert summary.parent is not None
        assert (summary.parent.episode_id, summary.parent.seq) == (parent, cut)
        assert next(info.player for info in summary.seats if info.seat == "FRANCE") == "random"
        assert verify(services.history.events(child)).seed == 99

    run(scene)


def test_a_match_from_another_position_is_recorded_replayed_forked_and_exported() -> None:
    start = {
        "phase": "W1904A",
        "units": {"TURKEY": ["A CON", "F AEG"], "RUSSIA": ["A SEV", "A MOS"]},
        "centers": {"TURKEY": ["CON", "ANK", "SMY", "BUL"], "RUSSIA": ["SEV", "MOS"]},
    }

    async def scene() -> None:
        services = MatchServices()
        options = {"start": start, "last_year": 1905}
        parent = (await services.driver.start(request(options=options))).episode_id
        await services.ended(parent)
        events = list(services.history.events(parent))
        assert events[0].data["options"] == options
        assert verify(events).over
        cut = [event.seq for event in events if event.type == "TurnStarted"][1]
        forked = await services.driver.fork(parent, ForkEpisode(seq=cut, seed=9, pace=0), key=None, by="operator")
        await services.ended(forked.episode_id)
        child = list(services.history.events(forked.episode_id))
        assert child[0].data["options"] == options
        assert verify(child).over
        public = [(event.type, event.data) for event in events if event.audience == "public"]
        saved = game_spec("diplomacy").exchange.exports["saved-game"](public, {"episode_id": parent})
        assert saved["phases"][0]["name"] == "W1904A"
        assert saved["phases"][0]["state"]["units"]["TURKEY"] == ["F AEG", "A CON"]

    run(scene)


def test_a_fork_from_before_the_seed_is_refused_by_name() -> None:
    async def scene() -> None:
        services = MatchServices()
        parent = (await services.driver.start(request())).episode_id
        with pytest.raises(OptionError, match=r"^seq: .* has no seed up to event 0"):
            await services.driver.fork(parent, ForkEpisode(seq=0), key=None, by="operator")
        await services.driver.close()

    run(scene)


def test_a_key_is_remembered_by_the_record_and_stands_for_one_request(tmp_path: Path) -> None:
    async def before() -> str:
        services = MatchServices(tmp_path / "g.db")
        episode = (await services.driver.start(request(paused=True), key="k")).episode_id
        await services.begun(episode)
        await steer(services, episode, "step", key="s")
        with pytest.raises(CommandError):
            await steer(services, episode, "reject", key="r", message="none")
        await services.driver.close()
        services.recorder.close()
        return episode

    async def after(episode: str) -> None:
        services = MatchServices(tmp_path / "g.db")
        assert (await services.driver.start(request(paused=True), key="k")).episode_id == episode
        with pytest.raises(OptionError, match=r"^Idempotency-Key: "):
            await services.driver.start(request(paused=True, seed=77), key="k")
        services.driver.resume_all()
        await services.driver.resumed()
        await steer(services, episode, "step", key="s")
        assert controls(services, episode).count(("step", 1)) == 1
        with pytest.raises(CommandError):  # what was refused was not done: it is not remembered
            await steer(services, episode, "reject", key="r", message="none")
        assert services.recorder.summaries()[1] == 1
        await services.driver.close()

    asyncio.run(after(asyncio.run(before())))


def test_a_match_that_is_not_taken_up_yet_says_so_and_can_be_read(tmp_path: Path) -> None:
    async def before() -> list[str]:
        services = MatchServices(tmp_path / "g.db")
        episodes = [(await services.driver.start(request(pace=60))).episode_id for _ in range(2)]
        for episode in episodes:
            await services.begun(episode)
        await services.driver.close()
        services.recorder.close()
        return episodes

    async def after(episodes: list[str]) -> None:
        services = MatchServices(tmp_path / "g.db")
        resuming = services.driver.resume_all()
        assert sorted(resuming) == sorted(episodes)
        episodes = resuming
        assert (list(services.driver.queued), services.driver.live) == (episodes, 0)
        with pytest.raises(Resuming, match="is being taken up"):
            await steer(services, episodes[1], "stop")
        assert services.history.events(episodes[1])[-1].seq == services.history.summary(episodes[1]).last_seq
        await services.driver.resumed()
        assert services.driver.live == 2
        await steer(services, episodes[1], "stop")
        await services.ended(episodes[1])
        await services.driver.close()

    asyncio.run(after(asyncio.run(before())))


def test_a_fork_with_nothing_changed_plays_the_same_match() -> None:
    async def scene() -> None:
        services = MatchServices()
        parent = (await services.driver.start(request())).episode_id
        await services.ended(parent)
        forked = await services.driver.fork(parent, ForkEpisode(seq=40, pace=0), key=None, by="operator")
        child = forked.episode_id
        await services.ended(child)
        assert choices(services, child) == choices(services, parent)

    run(scene)


def test_a_fork_that_waits_for_a_slot_is_queued_and_says_when_it_goes_on() -> None:
    async def scene() -> None:
        services = MatchServices(slots=1)
        parent = (await services.driver.start(request())).episode_id
        await until(lambda: services.driver.live == 0)
        other = (await services.driver.start(request(pace=60))).episode_id
        forked = await services.driver.fork(parent, ForkEpisode(seq=40, pace=0), key=None, by="operator")
        assert forked.status == "queued"
        assert services.driver.queued == [forked.episode_id]
        await until(lambda: services.recorder.summary(other).status == "live")
        await services.driver.command(other, Command(command="stop"), key=None, by="operator")
        await services.ended(forked.episode_id)
        types = [event.type for event in services.history.events(forked.episode_id)]
        assert types.count("EpisodeStarted") == 2
        verify(services.history.events(forked.episode_id))

    run(scene)


def test_a_decided_match_cannot_be_forked_from_its_end() -> None:
    async def scene() -> None:
        services = MatchServices()
        parent = (await services.driver.start(request())).episode_id
        await services.ended(parent)
        with pytest.raises(OptionError, match="earlier moment"):
            await services.driver.fork(parent, ForkEpisode(), key=None, by="operator")
        with pytest.raises(OptionError, match="seq: 99999 has not happened"):
            await services.driver.fork(parent, ForkEpisode(seq=99_999), key=None, by="operator")

    run(scene)


def test_the_queue_can_be_reordered() -> None:
    async def scene() -> None:
        services = MatchServices(slots=1, queue=3)
        await services.driver.start(request(pace=60))
        second, third = [(await services.driver.start(request())).episode_id for _ in range(2)]
        await steer(services, third, "to_front")
        assert list(services.driver.queued) == [third, second]
        await services.driver.close()

    run(scene)


@pytest.mark.parametrize(
    ("command", "fields", "message"),
    [
        ("pace", {}, "value: pace takes"),
        ("pace", {"value": 61}, "value: pace takes"),
        ("extend", {"value": 3}, "command: extend is for a match that has a limit of turns"),
        ("take_over", {"seat": "PERU"}, "seat: take_over takes a seat"),
        ("approve", {"message": "nope"}, "message: 'nope' does not wait"),
        ("to_front", {}, "command: to_front is for a match that waits"),
    ],
)
def test_a_command_that_cannot_be_done_says_why(command: str, fields: dict[str, Any], message: str) -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(paused=True))).episode_id
        await services.begun(episode)
        with pytest.raises((CommandError, OptionError), match=message):
            await steer(services, episode, command, **fields)
        await services.driver.close()

    run(scene)


def test_an_ended_match_cannot_be_steered() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (await services.driver.start(request(turns=1))).episode_id
        await services.ended(episode)
        await until(lambda: services.driver.live == 0)
        with pytest.raises(CommandError, match="has ended; only a match that is live"):
            await steer(services, episode, "pause")

    run(scene)


class PressPlayer(Player):
    """Says one thing to everybody each round, and holds."""

    name, kind, resumable, talks = "talker", "bot", True, True

    async def choose(self, match: Match, seat: str) -> Choice:
        return Choice({"orders": []}, "policy")

    async def negotiate(self, match: Match, seat: str, round: int, rounds: int) -> PressReply:
        return PressReply([{"message": {"to": "all", "text": f"peace, says {seat}"}}], "policy")


def test_a_held_message_is_sent_as_approved_or_not_at_all() -> None:
    async def scene() -> None:
        services = MatchServices()
        spec = game_spec("diplomacy")
        players: dict[str, Player] = {seat: BotPlayer(spec, "hold") for seat in spec.seats()}
        players |= {"FRANCE": PressPlayer(), "ITALY": PressPlayer()}
        runner = MatchRunner(Match(spec, {"last_year": 1901, "negotiation_rounds": 1}, 1), players)
        services.bus.open("talk", 1)
        services.bus.publish("talk", runner.created({}, title="talk", origin="api"))
        live = LiveMatch("talk", runner, services.bus, Steering(0, turns=1), clock=None, approve=True)
        playing = asyncio.create_task(live.play())
        await until(lambda: len(data_of(services, "MessageHeld")) == 2)
        held = {data["seat"]: data["id"] for data in data_of(services, "MessageHeld")}
        assert data_of(services, "MessageSent") == []
        await live.command(Command(command="approve", message=held["FRANCE"], text="war"), "operator")
        await live.command(Command(command="reject", message=held["ITALY"]), "operator")
        await playing
        assert [(data["sender"], data["text"]) for data in data_of(services, "MessageSent")] == [("FRANCE", "war")]
        held_events = [event for event in flat(services.history.events("talk")) if event.type == "MessageHeld"]
        assert [event.audience for event in held_events] == ["operator", "operator"]

    def data_of(services: MatchServices, kind: str) -> list[dict[str, Any]]:
        return [event.data for event in flat(services.history.events("talk")) if event.type == kind]

    run(scene)


def test_a_server_that_stops_leaves_no_task_of_a_match() -> None:
    async def scene() -> None:
        services = MatchServices()
        episode = (
            await services.driver.start(request(players={"FRANCE": "person"}, options={"press": "none"}))
        ).episode_id
        await services.begun(episode)
        await settle()
        await services.driver.close()
        await settle()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run(scene)
