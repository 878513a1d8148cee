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
from grandstand.models import Command, Event, ForkEpisode, StartEpisode, flat
from grandstand.play.runner import MatchRunner
from grandstand.play.verification import verify
from grandstand.players.base import Choice, Player, PressReply
from grandstand.players.bot import BotPlayer
from grandstand.players.external import NotAsked
from grandstand.server.matches.driver import Resuming
from grandstand.server.matches.live_match import LiveMatch
from grandstand.server.matches.steering import CommandError, Steering
from tests.support.house import House, until

QUICK = {"last_year": 1902}


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scene())


def request(**fields: Any) -> StartEpisode:
    return StartEpisode(**{"game": "diplomacy", "seed": 1, "pace": 0, "options": QUICK, **fields})


def steer(house: House, episode: str, command: str, key: str | None = None, **fields: Any) -> None:
    house.driver.command(episode, Command(command=command, **fields), key=key, by="operator")  # type: ignore[arg-type]


def controls(house: House, episode: str) -> list[tuple[str, Any]]:
    events = house.history.events(episode)
    return [(e.data["command"], e.data["value"]) for e in events if e.type == "ControlChanged"]


def turns(house: House, episode: str) -> int:
    return sum(event.type == "TurnStarted" for event in house.history.events(episode))


def choices(house: House, episode: str) -> list[tuple[str, dict[str, Any]]]:
    events = flat(house.history.events(episode))
    return [(e.data["seat"], e.data["action"]) for e in events if e.type == "ActionChosen"]


def test_pause_and_resume_are_recorded_once() -> None:
    async def scene() -> None:
        house = House()
        episode = house.driver.start(request(pace=0.001)).episode_id
        await until(lambda: turns(house, episode) > 2)
        for _ in range(2):
            steer(house, episode, "pause")
        await asyncio.sleep(0.05)
        stood = len(house.history.events(episode))
        await asyncio.sleep(0.1)
        assert len(house.history.events(episode)) == stood
        for _ in range(2):
            steer(house, episode, "resume")
        await house.ended(episode)
        assert [name for name, _ in controls(house, episode)] == ["pace", "pause", "resume"]

    run(scene)


def test_a_step_plays_one_turn() -> None:
    async def scene() -> None:
        house = House()
        episode = house.driver.start(request(paused=True)).episode_id
        await asyncio.sleep(0.02)
        before = turns(house, episode)
        for played in (1, 2):
            steer(house, episode, "step")
            wanted = before + played
            await until(lambda: turns(house, episode) == wanted)  # noqa: B023 - awaited before the next one
            await asyncio.sleep(0.03)
            assert turns(house, episode) == before + played
        await house.driver.close()

    run(scene)


def test_a_command_with_the_same_key_is_done_once() -> None:
    async def scene() -> None:
        house = House()
        episode = house.driver.start(request(paused=True)).episode_id
        await asyncio.sleep(0.02)
        for _ in range(3):
            steer(house, episode, "step", key="one")
        assert controls(house, episode).count(("step", 1)) == 1
        await house.driver.close()

    run(scene)


def test_a_faster_pace_takes_hold_at_once() -> None:
    async def scene() -> None:
        house = House()
        episode = house.driver.start(request(pace=60)).episode_id
        await asyncio.sleep(0.02)
        steer(house, episode, "pace", value=0)
        await house.ended(episode)
        assert controls(house, episode)[-1] == ("pace", 0)

    run(scene)


def test_a_limit_of_turns_stops_and_can_be_extended() -> None:
    async def scene() -> None:
        house = House()
        episode = house.driver.start(request(turns=2)).episode_id
        other = house.driver.start(request(turns=2, paused=True)).episode_id
        await house.ended(episode)
        assert house.recorder.summary(episode).status == "stopped"
        assert turns(house, episode) == 3
        await asyncio.sleep(0.02)
        steer(house, other, "extend", value=2)
        steer(house, other, "resume")
        await house.ended(other)
        assert turns(house, other) == 5

    run(scene)


def test_taking_a_seat_over_and_handing_it_back() -> None:
    async def scene() -> None:
        house = House()
        episode = house.driver.start(request(paused=True)).episode_id
        await asyncio.sleep(0.02)
        live = house.driver.match(episode)
        for _ in range(2):
            steer(house, episode, "take_over", seat="FRANCE")
        steer(house, episode, "resume")
        person = live.person("FRANCE")
        await until(lambda: person.asked == "choose")
        with pytest.raises(IllegalAction, match="orders"):
            person.submit({"orders": ["A PAR - MOS"]})
        assert person.asked == "choose"
        person.submit({"orders": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]})
        await until(lambda: live.runner.match.index == 1)
        await until(lambda: person.asked == "choose")
        steer(house, episode, "hand_back", seat="FRANCE")
        await house.ended(episode)
        sources = [
            event.data["source"]
            for event in flat(house.history.events(episode))
            if event.type == "ActionChosen" and event.data["seat"] == "FRANCE"
        ]
        assert sources[0] == "human"
        assert set(sources[1:]) == {"heuristic"}
        names = [name for name, _ in controls(house, episode)]
        assert names.count("take_over") == names.count("hand_back") == 1
        verify(house.history.events(episode))

    run(scene)


def test_when_the_clock_runs_out_the_stand_in_acts_and_says_so() -> None:
    async def scene() -> None:
        house = House()
        episode = house.driver.start(request(clock=1, turns=1, players={"FRANCE": "person"})).episode_id
        await house.ended(episode)
        events = house.history.events(episode)
        fault = next(event for event in events if event.type == "PlayerFault")
        assert (fault.data["seat"], fault.data["boundary"]) == ("FRANCE", "timeout")
        played = next(e for e in flat(events) if e.type == "ActionChosen" and e.data["seat"] == "FRANCE")
        assert played.data["source"] == "fallback"

    run(scene)


def test_a_machines_seat_takes_no_actions() -> None:
    async def scene() -> None:
        house = House()
        episode = house.driver.start(request(paused=True)).episode_id
        await asyncio.sleep(0.02)
        with pytest.raises(CommandError, match="take it over first"):
            house.driver.match(episode).person("FRANCE")
        steer(house, episode, "take_over", seat="FRANCE")
        with pytest.raises(NotAsked):
            house.driver.match(episode).person("FRANCE").submit({"orders": []})
        await house.driver.close()

    run(scene)


def test_stop_gives_a_turn_up_at_once() -> None:
    async def scene() -> None:
        house = House()
        episode = house.driver.start(request(clock=600, players={"FRANCE": "person"})).episode_id
        await until(lambda: house.driver.match(episode).person("FRANCE").asked)
        steer(house, episode, "stop")
        await house.ended(episode)
        assert house.recorder.summary(episode).status == "stopped"

    run(scene)


def test_a_taken_seat_stays_taken_after_a_restart(tmp_path: Path) -> None:
    store = tmp_path / "seat.db"

    async def before() -> str:
        house = House(store)
        episode = house.driver.start(request(paused=True, pace=0.5)).episode_id
        await asyncio.sleep(0.02)
        steer(house, episode, "take_over", seat="ITALY")
        await house.driver.close()
        house.recorder.close()
        return episode

    async def after(episode: str) -> None:
        house = House(store)
        assert house.driver.resume_all() == [episode]
        await house.driver.resumed()
        live = house.driver.match(episode)
        assert live.steering.paused
        assert live.steering.pace == 0.5
        live.person("ITALY")
        await house.driver.close()

    asyncio.run(after(asyncio.run(before())))


def test_a_match_stopped_just_before_a_restart_ends_as_stopped(tmp_path: Path) -> None:
    store = tmp_path / "stop.db"

    async def before() -> str:
        house = House(store)
        episode = house.driver.start(request(paused=True, pace=0.5)).episode_id
        await until(lambda: house.recorder.summary(episode).status == "live")
        steer(house, episode, "stop")
        await house.driver.close()
        assert house.recorder.summary(episode).status == "live"
        house.recorder.close()
        return episode

    async def after(episode: str) -> None:
        house = House(store)
        house.driver.resume_all()
        await house.ended(episode)
        summary = house.recorder.summary(episode)
        assert (summary.status, summary.message) == ("stopped", "stopped by operator")

    asyncio.run(after(asyncio.run(before())))


def test_a_fork_begins_as_its_parent_stood_and_leaves_it_alone() -> None:
    async def scene() -> None:
        house = House()
        parent = house.driver.start(request()).episode_id
        await house.ended(parent)
        before: list[Event] = list(house.history.events(parent))
        cut = [event.seq for event in before if event.type == "TurnStarted"][2]
        forked = await house.driver.fork(
            parent, ForkEpisode(seq=cut, seed=99, players={"FRANCE": "random"}, pace=0), key=None, by="operator"
        )
        child = forked.episode_id
        await house.ended(child)
        assert list(house.history.events(parent)) == before
        told = [(e.data["seat"], e.data["action"]) for e in flat(before[:cut]) if e.type == "ActionChosen"]
        assert choices(house, child)[: len(told)] == told
        summary = house.recorder.summary(child)
        assert summary.parent is not None
        assert (summary.parent.episode_id, summary.parent.seq) == (parent, cut)
        assert next(info.player for info in summary.seats if info.seat == "FRANCE") == "random"
        assert verify(house.history.events(child)).seed == 99

    run(scene)


def test_a_match_from_another_position_is_recorded_replayed_forked_and_exported() -> None:
    start = {
        "phase": "W1904A",
        "units": {"TURKEY": ["A CON", "F AEG"], "RUSSIA": ["A SEV", "A MOS"]},
        "centers": {"TURKEY": ["CON", "ANK", "SMY", "BUL"], "RUSSIA": ["SEV", "MOS"]},
    }

    async def scene() -> None:
        house = House()
        options = {"start": start, "last_year": 1905}
        parent = house.driver.start(request(options=options)).episode_id
        await house.ended(parent)
        events = list(house.history.events(parent))
        assert events[0].data["options"] == options
        assert verify(events).over
        cut = [event.seq for event in events if event.type == "TurnStarted"][1]
        forked = await house.driver.fork(parent, ForkEpisode(seq=cut, seed=9, pace=0), key=None, by="operator")
        await house.ended(forked.episode_id)
        child = list(house.history.events(forked.episode_id))
        assert child[0].data["options"] == options
        assert verify(child).over
        public = [(event.type, event.data) for event in events if event.audience == "public"]
        saved = game_spec("diplomacy").exports["saved-game"](public, {"episode_id": parent})
        assert saved["phases"][0]["name"] == "W1904A"
        assert saved["phases"][0]["state"]["units"]["TURKEY"] == ["F AEG", "A CON"]

    run(scene)


def test_a_fork_from_before_the_seed_is_refused_by_name() -> None:
    async def scene() -> None:
        house = House()
        parent = house.driver.start(request()).episode_id
        with pytest.raises(OptionError, match=r"^seq: .* has no seed up to event 0"):
            await house.driver.fork(parent, ForkEpisode(seq=0), key=None, by="operator")
        await house.driver.close()

    run(scene)


def test_a_key_is_remembered_by_the_record_and_stands_for_one_request(tmp_path: Path) -> None:
    async def before() -> str:
        house = House(tmp_path / "g.db")
        episode = house.driver.start(request(paused=True), key="k").episode_id
        await asyncio.sleep(0.02)
        steer(house, episode, "step", key="s")
        with pytest.raises(CommandError):
            steer(house, episode, "reject", key="r", message="none")
        await house.driver.close()
        house.recorder.close()
        return episode

    async def after(episode: str) -> None:
        house = House(tmp_path / "g.db")
        assert house.driver.start(request(paused=True), key="k").episode_id == episode
        with pytest.raises(OptionError, match=r"^Idempotency-Key: "):
            house.driver.start(request(paused=True, seed=77), key="k")
        house.driver.resume_all()
        await house.driver.resumed()
        steer(house, episode, "step", key="s")
        assert controls(house, episode).count(("step", 1)) == 1
        with pytest.raises(CommandError):  # what was refused was not done: it is not remembered
            steer(house, episode, "reject", key="r", message="none")
        assert house.recorder.summaries()[1] == 1
        await house.driver.close()

    asyncio.run(after(asyncio.run(before())))


def test_a_match_that_is_not_taken_up_yet_says_so_and_can_be_read(tmp_path: Path) -> None:
    async def before() -> list[str]:
        house = House(tmp_path / "g.db")
        episodes = [house.driver.start(request(pace=60)).episode_id for _ in range(2)]
        await asyncio.sleep(0.02)
        await house.driver.close()
        house.recorder.close()
        return episodes

    async def after(episodes: list[str]) -> None:
        house = House(tmp_path / "g.db")
        resuming = house.driver.resume_all()
        assert sorted(resuming) == sorted(episodes)
        episodes = resuming
        assert (list(house.driver.queued), house.driver.live, house.driver.idle) == (episodes, 0, False)
        with pytest.raises(Resuming, match="is being taken up"):
            steer(house, episodes[1], "stop")
        assert house.history.events(episodes[1])[-1].seq == house.history.summary(episodes[1]).last_seq
        await house.driver.resumed()
        assert house.driver.live == 2
        steer(house, episodes[1], "stop")
        await house.ended(episodes[1])
        await house.driver.close()

    asyncio.run(after(asyncio.run(before())))


def test_a_fork_with_nothing_changed_plays_the_same_match() -> None:
    async def scene() -> None:
        house = House()
        parent = house.driver.start(request()).episode_id
        await house.ended(parent)
        forked = await house.driver.fork(parent, ForkEpisode(seq=40, pace=0), key=None, by="operator")
        child = forked.episode_id
        await house.ended(child)
        assert choices(house, child) == choices(house, parent)

    run(scene)


def test_a_fork_that_waits_for_a_slot_is_queued_and_says_when_it_goes_on() -> None:
    async def scene() -> None:
        house = House(slots=1)
        parent = house.driver.start(request()).episode_id
        await until(lambda: house.driver.live == 0)
        other = house.driver.start(request(pace=60)).episode_id
        forked = await house.driver.fork(parent, ForkEpisode(seq=40, pace=0), key=None, by="operator")
        assert forked.status == "queued"
        assert house.driver.queued == [forked.episode_id]
        await until(lambda: house.recorder.summary(other).status == "live")
        house.driver.command(other, Command(command="stop"), key=None, by="operator")
        await house.ended(forked.episode_id)
        types = [event.type for event in house.history.events(forked.episode_id)]
        assert types.count("EpisodeResumed") == 1
        verify(house.history.events(forked.episode_id))

    run(scene)


def test_a_decided_match_cannot_be_forked_from_its_end() -> None:
    async def scene() -> None:
        house = House()
        parent = house.driver.start(request()).episode_id
        await house.ended(parent)
        with pytest.raises(OptionError, match="earlier moment"):
            await house.driver.fork(parent, ForkEpisode(), key=None, by="operator")
        with pytest.raises(OptionError, match="seq: 99999 has not happened"):
            await house.driver.fork(parent, ForkEpisode(seq=99_999), key=None, by="operator")

    run(scene)


def test_the_queue_can_be_reordered() -> None:
    async def scene() -> None:
        house = House(slots=1, queue=3)
        house.driver.start(request(pace=60))
        second, third = (house.driver.start(request()).episode_id for _ in range(2))
        steer(house, third, "to_front")
        assert list(house.driver.queued) == [third, second]
        await house.driver.close()

    run(scene)


@pytest.mark.parametrize(
    ("command", "fields", "message"),
    [
        ("pace", {}, "value: pace takes"),
        ("extend", {"value": 3}, "value: extend takes"),
        ("take_over", {"seat": "PERU"}, "seat: take_over takes a seat"),
        ("approve", {"message": "nope"}, "message: 'nope' does not wait"),
        ("to_front", {}, "command: to_front is for a match that waits"),
    ],
)
def test_a_command_that_cannot_be_done_says_why(command: str, fields: dict[str, Any], message: str) -> None:
    async def scene() -> None:
        house = House()
        episode = house.driver.start(request(paused=True)).episode_id
        await asyncio.sleep(0.01)
        with pytest.raises(CommandError, match=message):
            steer(house, episode, command, **fields)
        await house.driver.close()

    run(scene)


def test_an_ended_match_cannot_be_steered() -> None:
    async def scene() -> None:
        house = House()
        episode = house.driver.start(request(turns=1)).episode_id
        await house.ended(episode)
        await until(lambda: house.driver.live == 0)
        with pytest.raises(CommandError, match="is stopped; only a match that is live"):
            steer(house, episode, "pause")

    run(scene)


class Talker(Player):
    """Says one thing to everybody each round, and holds."""

    name, kind, resumable, talks = "talker", "bot", True, True

    async def choose(self, match: Match, seat: str) -> Choice:
        return Choice({"orders": []}, "policy")

    async def negotiate(self, match: Match, seat: str, round: int, rounds: int) -> PressReply:
        return PressReply([{"message": {"to": "all", "text": f"peace, says {seat}"}}], "policy")


def test_a_held_message_is_sent_as_approved_or_not_at_all() -> None:
    async def scene() -> None:
        house = House()
        spec = game_spec("diplomacy")
        players: dict[str, Player] = {seat: BotPlayer(spec, "hold") for seat in spec.seats}
        players |= {"FRANCE": Talker(), "ITALY": Talker()}
        runner = MatchRunner(Match(spec, {"last_year": 1901, "negotiation_rounds": 1}, 1), players)
        house.bus.open("talk", 1)
        house.bus.publish("talk", runner.created({}, title="talk", origin="api"))
        live = LiveMatch("talk", runner, house.bus, Steering(0, turns=1), clock=None, approve=True)
        playing = asyncio.create_task(live.play())
        await until(lambda: len(told(house, "MessageHeld")) == 2)
        held = {data["seat"]: data["id"] for data in told(house, "MessageHeld")}
        assert told(house, "MessageSent") == []
        live.command(Command(command="approve", message=held["FRANCE"], text="war"), "operator")
        live.command(Command(command="reject", message=held["ITALY"]), "operator")
        await playing
        assert [(data["sender"], data["text"]) for data in told(house, "MessageSent")] == [("FRANCE", "war")]
        held_events = [event for event in flat(house.history.events("talk")) if event.type == "MessageHeld"]
        assert [event.audience for event in held_events] == ["operator", "operator"]

    def told(house: House, kind: str) -> list[dict[str, Any]]:
        return [event.data for event in flat(house.history.events("talk")) if event.type == kind]

    run(scene)
