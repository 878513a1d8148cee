"""The scheduler of the voice: each line once, announced in the stream, and a match that never waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from grandstand.events import CommentAdded, EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo
from grandstand.models import Draft, Event
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import StorageError
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import SPECTATOR
from grandstand.spectator.voice.breaker import FAILURES, LONGEST_REST, REST
from grandstand.spectator.voice.clips import Clips
from grandstand.spectator.voice.growing import BrokenOff
from grandstand.spectator.voice.plan import VoicePlan
from grandstand.spectator.voice.scheduler import VoiceScheduler
from grandstand.spectator.voice.speech import Kind, NoSpeech, Speech, SpeechError, SpeechPart

MATCH = "chess-1"
PLAN = VoicePlan(kind="cartesia", form="wav")


@dataclass
class Script(Speech):
    """A provider that does what the test says: it answers each line at once, when it is let, or with an error."""

    kind: Kind = "cartesia"
    error: Exception | None = None
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[str] = field(default_factory=list)
    first: bytes = b""
    """Audio that comes before the gate is open."""
    at_once: int = 0
    most_at_once: int = 0
    closed: bool = False
    starting: Exception | None = None

    async def start(self) -> None:
        if self.starting:
            raise self.starting

    async def aclose(self) -> None:
        self.closed = True

    async def synthesize(self, text: str, voice: str) -> AsyncIterator[SpeechPart]:
        self.asked.append(text)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self.first:
                yield SpeechPart(audio=self.first)
            await self.gate.wait()
            if self.error:
                raise self.error
            yield SpeechPart(audio=text.encode() * 1000)
        finally:
            self.at_once -= 1


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Stage:
    """A bus with a voice."""

    bus: Bus
    recorder: Recorder
    history: History
    voice: VoiceScheduler
    script: Script
    clock: Clock
    outcomes: list[str]

    def open(self, episode_id: str = MATCH, *, voice: bool = True, delay: float = 0.0) -> None:
        seats = [SeatInfo(seat="NORTH", player="bot", kind="heuristic")]
        created = EpisodeCreated(
            game="chess", title="t", options={}, seats=seats, origin="api", voice=voice, delay=delay
        )
        self.bus.open(episode_id, 1, delay=delay)
        self.bus.publish(episode_id, [Draft.of(created), Draft.of(EpisodeStarted())])

    def say(self, text: str, importance: float = 0.5, episode_id: str = MATCH) -> int:
        comment = CommentAdded(text=text, importance=importance, rests_on=[1], beat="ball")
        return self.bus.publish(episode_id, [Draft.of(comment)])[0].seq

    def events(self, kind: str, episode_id: str = MATCH) -> list[dict[str, Any]]:
        return [event.data for event in self.recorder.events(episode_id) if event.type == kind]

    def spoken(self, episode_id: str = MATCH) -> list[int]:
        return [data["comment"] for data in self.events("VoiceReady", episode_id)]

    def states(self) -> list[tuple[str, str]]:
        return [(data["kind"], data["reason"]) for data in self.events("VoiceChanged")]


@asynccontextmanager
async def stage(folder: Path, *, plan: VoicePlan = PLAN, free: bool = True, **script: Any) -> AsyncIterator[Stage]:
    recorder = Recorder(folder / "grandstand.db")
    history, bus, clock = History(recorder), Bus(recorder), Clock()
    speech, outcomes = Script(**script), list[str]()
    if free:
        speech.gate.set()
    clips = Clips(folder / "clips", 10**9)
    voice = VoiceScheduler(
        bus, recorder.summary, speech, plan, clips, clock=clock, count=lambda outcome, lag: outcomes.append(outcome)
    )
    bus.add(history)
    bus.add(voice)
    voice.begin(recorder.episode_ids())
    try:
        yield Stage(bus, recorder, history, voice, speech, clock, outcomes)
    finally:
        await voice.close()
        recorder.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(60):
            await test()

    asyncio.run(bounded())


def test_a_line_is_spoken_once_and_announced_with_its_length(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path) as at:
            at.open()
            number = at.say("North moves.")
            await until(lambda: at.spoken() == [number])
            (ready,) = at.events("VoiceReady")
            assert ready["clip"] == PLAN.clip("North moves.", PLAN.voice("chess", press=False))
            assert ready["seconds"] == 12 * 1000 / 48_000
            assert at.states() == [("clips", "")]
            again = at.say("North moves.")
            await until(lambda: at.spoken() == [number, again])
            assert at.script.asked == ["North moves."]
            assert at.outcomes == ["spoken", "stored"]
            assert [event.seq for event in at.recorder.events(MATCH)] == list(range(7))

    run(test)


MP3 = VoicePlan(kind="cartesia")


async def heard_of(at: Stage, name: str) -> bytes:
    growing = at.voice.growing(name)
    assert growing is not None
    return b"".join([piece async for piece in growing.pieces()])


def test_a_clip_is_announced_with_its_first_audio_and_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path, free=False, plan=MP3, first=b"first ") as at:
            at.open()
            number = at.say("North moves.")
            await until(lambda: at.spoken() == [number])
            (ready,) = at.events("VoiceReady")
            assert ready["whole"] is False
            assert 0.5 < ready["seconds"] < 2.0
            assert at.outcomes == []
            assert at.voice.clips is not None
            assert at.voice.clips.get(ready["clip"]) is None
            listeners = [asyncio.create_task(heard_of(at, ready["clip"])) for _ in range(2)]
            await asyncio.sleep(0)
            at.script.gate.set()
            audio = b"first " + b"North moves." * 1000
            assert await asyncio.gather(*listeners) == [audio, audio]
            await until(lambda: at.outcomes == ["spoken"])
            assert at.spoken() == [number]
            assert at.script.asked == ["North moves."]
            assert at.voice.clips.path(ready["clip"]).read_bytes() == audio
            assert at.voice.clips.of_episode(MATCH)[0].whole
            await until(lambda: at.voice.growing(ready["clip"]) is None)

    run(test)


@pytest.mark.parametrize("error", [SpeechError("the provider broke off"), ZeroDivisionError("a bug")])
def test_a_clip_that_breaks_off_is_never_kept_as_whole(tmp_path: Path, error: Exception) -> None:
    async def test() -> None:
        async with stage(tmp_path, free=False, plan=MP3, first=b"first ", error=error) as at:
            at.open()
            number = at.say("North moves.")
            await until(lambda: at.spoken() == [number])
            name = at.events("VoiceReady")[0]["clip"]
            listener = asyncio.create_task(heard_of(at, name))
            await asyncio.sleep(0)
            at.script.gate.set()
            with pytest.raises(BrokenOff):
                await listener
            await until(lambda: len(at.outcomes) == 1)
            assert at.voice.clips is not None
            assert at.voice.clips.get(name) is None
            assert at.voice.clips.of_episode(MATCH) == []
            await until(lambda: at.voice.growing(name) is None)

    run(test)


def test_samples_are_announced_whole_since_their_words_are_known_only_then(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path, free=False, first=b"first ") as at:
            at.open()
            number = at.say("North moves.")
            await until(lambda: at.script.at_once == 1)
            assert at.spoken() == []
            at.script.gate.set()
            await until(lambda: at.spoken() == [number])
            assert at.events("VoiceReady")[0]["whole"] is True

    run(test)


def test_a_match_without_voice_is_not_spoken(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path) as at:
            at.open(voice=False)
            at.open("chess-2")
            at.say("North moves.")
            at.say("South moves.", episode_id="chess-2")
            await until(lambda: at.spoken("chess-2") != [])
            assert at.script.asked == ["South moves."]
            assert at.states() == []

    run(test)


def test_the_match_does_not_wait_and_the_least_important_lines_are_dropped(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path, free=False, plan=VoicePlan(kind="cartesia", concurrency=1)) as at:
            at.open()
            first = at.say("First.")
            await until(lambda: at.script.asked == ["First."])
            importances = (0.2, 0.9, 0.3, 0.8, 0.1)
            numbers = [at.say(f"Line {number}.", importance) for number, importance in enumerate(importances)]
            assert at.voice.waiting == 2
            at.script.gate.set()
            await until(lambda: len(at.spoken()) == 3)
            assert at.spoken() == [first, numbers[1], numbers[3]]
            await until(lambda: len(at.outcomes) == 6)
            assert sorted(at.outcomes) == ["dropped"] * 3 + ["spoken"] * 3

    run(test)


def test_no_more_requests_at_once_than_the_plan_allows(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path, free=False, plan=VoicePlan(kind="cartesia", concurrency=3)) as at:
            for match in range(6):
                at.open(f"chess-{match}")
                at.say(f"Line of {match}.", episode_id=f"chess-{match}")
            await until(lambda: len(at.script.asked) == 3)
            at.script.gate.set()
            await until(lambda: len(at.outcomes) == 6)
            assert at.script.most_at_once == 3

    run(test)


def test_the_same_words_of_two_matches_are_asked_for_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path, free=False) as at:
            for match in ("chess-1", "chess-2"):
                at.open(match)
                at.say("A wide ball.", episode_id=match)
            await until(lambda: at.script.asked == ["A wide ball."])
            at.script.gate.set()
            await until(lambda: bool(at.spoken("chess-1")) and bool(at.spoken("chess-2")))
            assert at.script.asked == ["A wide ball."]

    run(test)


def test_a_dead_provider_is_left_alone_and_named_and_browsers_speak_until_it_is_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path, error=SpeechError("the provider cannot be reached")) as at:
            at.open()
            for number in range(FAILURES):
                at.say(f"Line {number}.")
                await until(lambda count=number + 1: at.outcomes.count("failed") == count)  # type: ignore[misc]
            await until(lambda: len(at.states()) == 2)
            assert at.states()[-1] == ("browser", "the provider cannot be reached")
            assert at.voice.state.reason == "the provider cannot be reached"
            asked = len(at.script.asked)
            for number in range(5):
                at.say(f"Not asked {number}.")
            await asyncio.sleep(0.05)
            assert len(at.script.asked) == asked, "nothing is sent while it rests"
            at.script.error, at.clock.now = None, REST
            number = at.say("It is back.")
            await until(lambda: at.spoken() == [number])
            await until(lambda: at.states()[-1] == ("clips", ""))

    run(test)


def test_a_refused_key_stops_all_requests_at_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        refused = SpeechError("the provider answers 401: Invalid API key", "refused")
        async with stage(tmp_path, error=refused) as at:
            at.open()
            at.say("One.")
            await until(lambda: len(at.states()) == 2)
            assert at.states()[-1] == ("browser", "the provider answers 401: Invalid API key")
            at.clock.now = LONGEST_REST - 1
            at.say("Two.")
            await asyncio.sleep(0.05)
            assert at.script.asked == ["One."]

    with caplog.at_level(logging.WARNING):
        run(test)
    assert len([record for record in caplog.records if "401" in record.getMessage()]) == 1


def test_a_short_limit_is_waited_for_and_the_line_is_not_lost(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path, error=SpeechError("limited", "limited", 0.05)) as at:
            at.open()
            number = at.say("One.")
            await until(lambda: len(at.script.asked) == 1 and at.voice.waiting == 1)
            at.script.error, at.clock.now = None, 0.05
            await until(lambda: at.spoken() == [number])
            assert at.states() == [("clips", "")], "viewers notice nothing"

    run(test)


def test_a_line_that_never_ends_is_given_up(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path, free=False, plan=VoicePlan(kind="cartesia", line_seconds=0.05)) as at:
            at.open()
            at.say("One.")
            await until(lambda: at.outcomes == ["failed"])

    run(test)


def test_a_bug_of_ours_is_ours_and_the_match_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with stage(tmp_path, error=ZeroDivisionError("a bug")) as at:
            at.open()
            at.say("One.")
            await until(lambda: at.outcomes == ["ours"])
            at.script.error = None
            number = at.say("Two.")
            await until(lambda: at.spoken() == [number])

    run(test)
    assert "a bug" in caplog.text


def test_the_last_line_of_a_match_is_in_the_list_of_its_clips(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path, free=False) as at:
            at.open()
            comment = CommentAdded(text="North wins.", importance=1.0, rests_on=[1], beat="summary")
            events = at.bus.publish(MATCH, [Draft.of(comment), Draft.of(EpisodeEnded(status="finished"))])
            assert (at.voice.makes(MATCH), at.voice.makes("another")) == (True, False)
            at.script.gate.set()
            await until(lambda: not at.voice.makes(MATCH))
            assert at.outcomes == ["spoken"]
            assert list(at.recorder.events(MATCH))[-1].type == "EpisodeEnded"
            assert at.voice.clips is not None
            assert [ready.comment for ready in at.voice.clips.of_episode(MATCH)] == [events[0].seq]

    run(test)


def test_the_announcement_obeys_the_delay_of_spectators(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path) as at:
            at.open(delay=3600)
            at.say("North moves.")
            await until(lambda: len(at.spoken()) == 1)
            released = at.history.events(MATCH, SPECTATOR)
            assert [event.type for event in released] == ["EpisodeCreated"]

    run(test)


def test_an_announcement_that_cannot_be_recorded_is_left_to_the_list(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path, free=False) as at:
            at.open()
            number = at.say("North moves.")
            at.bus.waiting[MATCH] = "the disk is full"
            with pytest.raises(StorageError):
                at.say("South moves.")
            at.script.gate.set()
            await until(lambda: at.outcomes == ["spoken"])
            assert at.spoken() == []
            assert at.voice.clips is not None
            assert [ready.comment for ready in at.voice.clips.of_episode(MATCH)] == [number]

    run(test)


def test_a_provider_that_cannot_start_gives_way_to_the_browser(tmp_path: Path) -> None:
    async def test() -> None:
        starting = SpeechError("the package cartesia is not installed", "refused")
        async with stage(tmp_path, starting=starting) as at:
            at.open()
            await until(lambda: ("browser", "the package cartesia is not installed") in at.states())
            at.say("North moves.")
            assert at.script.asked == []

    run(test)


@pytest.mark.parametrize(("kind", "reason"), [("browser", "the server has no key"), ("silent", "")])
def test_without_a_provider_pages_are_told_in_one_line(
    tmp_path: Path, kind: Any, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        recorder = Recorder(tmp_path / "grandstand.db")
        bus = Bus(recorder)
        voice = VoiceScheduler(bus, recorder.summary, NoSpeech(kind), VoicePlan(kind=kind), None, reason=reason)
        bus.add(voice)
        voice.begin([])
        at = Stage(bus, recorder, History(recorder), voice, Script(), Clock(), [])
        at.open()
        at.say("North moves.")
        await until(lambda: at.states() == [(kind, reason)])
        await voice.close()
        recorder.close()

    with caplog.at_level(logging.INFO):
        run(test)
    lines = [record.getMessage() for record in caplog.records if MATCH in record.getMessage()]
    assert lines == ([f"match {MATCH} has no voice of the server: {reason}"] if reason else [])


def test_closing_gives_up_what_is_being_spoken(tmp_path: Path) -> None:
    async def test() -> None:
        async with stage(tmp_path, free=False) as at:
            at.open()
            at.say("North moves.")
            await until(lambda: at.script.at_once == 1)
        assert at.script.closed
        assert at.script.at_once == 0

    run(test)


@pytest.mark.parametrize("origin", ["publisher", "imported"])
def test_events_that_were_made_elsewhere_are_left_alone(
    tmp_path: Path, origin: Literal["publisher", "imported"]
) -> None:
    async def test() -> None:
        async with stage(tmp_path) as at:
            seats = [SeatInfo(seat="NORTH", player="bot", kind="remote")]
            created = EpisodeCreated(game="chess", title="t", options={}, seats=seats, origin=origin, voice=True)
            comment = CommentAdded(text="North moves.", importance=1, rests_on=[0], beat="b")
            drafts = [Draft.of(created), Draft.of(EpisodeStarted()), Draft.of(comment)]
            at.bus.relay(
                [
                    Event(episode_id="elsewhere", epoch=1, seq=seq, at=1.0, **draft._asdict())
                    for seq, draft in enumerate(drafts)
                ]
            )
            await asyncio.sleep(0.02)
            assert len(list(at.recorder.events("elsewhere"))) == 3
            assert at.script.asked == []

    run(test)
