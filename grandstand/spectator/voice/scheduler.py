"""The scheduler of the voice: has each line of a voiced match spoken once, and announces the clip in the stream.

It observes the bus, so a match never waits for the provider.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from grandstand.events import SpokenWord, VoiceChanged, VoiceReady
from grandstand.models import Draft, Event
from grandstand.spectator.bus import Bus
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.voice.audio import clip_file, seconds
from grandstand.spectator.voice.breaker import Breaker
from grandstand.spectator.voice.clips import Clip, Clips
from grandstand.spectator.voice.growing import GrowingClip
from grandstand.spectator.voice.lines import LineQueue, VoiceLine, line_of
from grandstand.spectator.voice.plan import VoicePlan
from grandstand.spectator.voice.speech import Kind, NoSpeech, Speech, SpeechError

log = logging.getLogger(__name__)

Outcome = Literal["spoken", "stored", "dropped", "failed", "ours"]
"""The outcome of a line: made now, made before, dropped for a newer one, failed at the provider, or failed by our bug.
"""

CHARACTERS_PER_SECOND = 15
"""The usual speed of speech, by which the length of a clip is estimated while it is being made."""


@dataclass(frozen=True, slots=True)
class VoiceState:
    """The current voice, and in one line why it is not the provider that the settings name."""

    provider: Kind
    kind: Literal["clips", "browser", "silent"]
    reason: str


class VoiceScheduler:
    """The voice of every match that was started with `voice` on this server."""

    def __init__(
        self,
        bus: Bus,
        summary: Callable[[str], EpisodeSummary],
        speech: Speech,
        plan: VoicePlan,
        clips: Clips | None,
        *,
        reason: str = "",
        clock: Callable[[], float] = time.monotonic,
        count: Callable[[Outcome, float], object] = lambda outcome, lag: None,
    ) -> None:
        """`reason` says why the voice is not the one in the settings. `count` is called with the outcome of each
        line, and the seconds since its event."""
        self._bus = bus
        self._summary = summary
        self._speech = speech
        self._plan = plan
        self._clips = clips
        self._count = count
        self._reason = reason
        self._breaker = Breaker(clock)
        self._queue = LineQueue()
        self._tasks: dict[asyncio.Task[None], VoiceLine] = {}
        self._growing: dict[str, GrowingClip] = {}
        self._running: dict[str, VoiceChanged | None] = {}
        """The running matches with a voice, and the last state of the voice that was published to each."""
        self._starting: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._started = False

    @property
    def state(self) -> VoiceState:
        """Return the current voice."""
        if self._speech.kind != "cartesia":
            return VoiceState(self._speech.kind, self._speech.kind, self._reason)
        if self._breaker.state == "ready":
            return VoiceState(self._speech.kind, "clips", "")
        return VoiceState(self._speech.kind, "browser", self._breaker.reason)

    @property
    def clips(self) -> Clips | None:
        """Return the store of clips, if there is one."""
        return self._clips

    def growing(self, name: str) -> GrowingClip | None:
        """Return the clip of that name if it has been announced and is still being made."""
        return self._growing.get(name)

    def makes(self, episode_id: str) -> bool:
        """Return whether lines of an episode are being spoken, or wait for it."""
        return self._queue.has(episode_id) or any(line.episode_id == episode_id for line in self._tasks.values())

    def forget(self, episode_id: str) -> None:
        """Delete the clips of an episode that was deleted from the record."""
        if self._clips:
            try:
                self._clips.forget([episode_id])
            except OSError as error:
                log.warning("the voice: the clips of %s are deleted with the next start: %s", episode_id, error)

    @property
    def waiting(self) -> int:
        """Return the number of lines that wait for the provider."""
        return len(self._queue)

    def begin(self, episode_ids: Collection[str]) -> None:
        """Start the provider; lines that come before it is ready wait. Clips of other episodes are deleted."""
        self._starting = asyncio.create_task(self._start(episode_ids), name="voice")

    async def close(self) -> None:
        """Cancel all requests, and release the provider."""
        self._started = False
        if self._timer:
            self._timer.cancel()
        tasks = [*self._tasks, *([self._starting] if self._starting else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._speech.aclose()
        if self._clips:
            self._clips.close()

    def on_events(self, events: Sequence[Event]) -> None:
        summary = self._summary(events[0].episode_id)
        # Only its driver may number the events of a published match.
        if not summary.voice or summary.origin in ("publisher", "imported"):
            return
        for event in events:
            if event.type == "EpisodeStarted":
                self._running[event.episode_id] = None
                self._tell_soon(event.episode_id)
            elif event.type == "EpisodeEnded":
                self._running.pop(event.episode_id, None)
            elif self._speech.kind == "cartesia" and (line := line_of(event, summary.game, self._plan)):
                self._take(line)
        self._pump()

    def on_released(self, episode_id: str) -> None: ...

    async def _start(self, episode_ids: Collection[str]) -> None:
        try:
            if self._clips:
                await asyncio.to_thread(self._clips.keep_only, episode_ids)
            await self._speech.start()
        except SpeechError as error:
            self._give_up(str(error))
        except Exception:
            log.exception("the voice cannot start")
            self._give_up("the voice cannot start; the server's log says why")
        self._started = True
        self._pump()

    def _give_up(self, reason: str) -> None:
        log.warning("the voice: %s; each viewer's browser speaks", reason)
        self._speech, self._reason = NoSpeech("browser"), reason
        self._queue.clear()
        self._tell_all()

    def _take(self, line: VoiceLine) -> None:
        """Announce the line if its clip is stored, or queue it; while the provider rests, it is dropped."""
        if self._started and self._stored(line):
            return
        if self._breaker.state == "resting" and self._breaker.wait > 0:
            self._done(line, "dropped")
        elif dropped := self._queue.add(line):
            self._done(dropped, "dropped")

    def _stored(self, line: VoiceLine) -> bool:
        assert self._clips is not None
        try:
            clip = self._clips.get(line.clip)
            if clip is None:
                return False
            self._clips.speaks(line.episode_id, line.comment, line.clip)
        except OSError as error:
            log.warning("the voice: a clip cannot be read: %s", error)
            return False
        self._done(line, "stored")
        asyncio.get_running_loop().call_soon(self._announce, line, clip)
        return True

    def _pump(self) -> None:
        """Send as many requests as the plan and the breaker allow."""
        while self._started and len(self._queue) and len(self._tasks) < self._plan.concurrency:
            if not self._breaker.allows():
                self._pump_in(self._breaker.wait)
                return
            line = self._queue.next(busy.clip for busy in self._tasks.values())
            if line is None or self._stored(line):
                self._breaker.released()
                if line is None:
                    return
                continue
            task = asyncio.create_task(self._speak(line), name=f"voice {line.episode_id}/{line.comment}")
            self._tasks[task] = line
            task.add_done_callback(self._finished)

    def _pump_in(self, wait: float) -> None:
        if wait > 0 and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(wait, self._pump_now)

    def _pump_now(self) -> None:
        self._timer = None
        self._pump()

    def _finished(self, task: asyncio.Task[None]) -> None:
        line = self._tasks.pop(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("the voice: line %d of %s", line.comment, line.episode_id, exc_info=error)
            self._breaker.released()
            self._done(line, "ours")
        self._tell_all()
        self._pump()

    async def _speak(self, line: VoiceLine) -> None:
        growing = GrowingClip(line.clip, self._plan.form, line.episode_id, line.comment)
        try:
            await self._make(line, growing)
        finally:
            growing.end(whole=False)
            self._growing.pop(line.clip, None)

    async def _make(self, line: VoiceLine, growing: GrowingClip) -> None:
        try:
            clip, audio = await self._made(line, growing)
        except SpeechError as error:
            was = self._breaker.state
            self._breaker.failed(error)
            self._failed(line, error)
            if was != "resting" and self._breaker.state == "resting":
                words = f": {error.detail}" if error.detail else ""
                log.warning("the voice: %s%s; browsers speak for %.0f s", error, words, self._breaker.wait)
            return
        except asyncio.CancelledError:
            self._breaker.released()
            raise
        was = self._breaker.state
        self._breaker.succeeded()
        if was != "ready":
            log.info("the voice: the provider speaks again")
        growing.end(whole=True)
        assert self._clips is not None
        try:
            await asyncio.to_thread(self._clips.add, clip, audio, line.episode_id, line.comment)
        except OSError as error:
            log.warning("the voice: a clip cannot be stored: %s", error)
            self._done(line, "ours")
            return
        if line.clip in self._growing:
            self._done(line, "spoken", growing.began)
            return
        self._done(line, "spoken")
        self._announce(line, clip)

    def _failed(self, line: VoiceLine, error: SpeechError) -> None:
        """Queue a line again if the provider's rate limit refused it; any other line has failed. Once the provider
        rests, drop the lines that wait."""
        if self._breaker.state == "resting":
            for other in self._queue.clear():
                self._done(other, "dropped")
        elif error.cause == "limited":
            if dropped := self._queue.put_back(line):
                self._done(dropped, "dropped")
            return
        log.debug("the voice: line %d of %s: %s", line.comment, line.episode_id, error)
        self._done(line, "failed")

    async def _made(self, line: VoiceLine, growing: GrowingClip) -> tuple[Clip, bytes]:
        """Have the provider speak a line, and return its clip with the contents of its file. Raises SpeechError.

        MP3 is announced with its first audio, and can be heard from then on. The header of WAV has its length, and its
        event the times of all words, so it is announced when it is whole.
        """
        audio = bytearray()
        words: list[SpokenWord] = []
        try:
            async with asyncio.timeout(self._plan.line_seconds):
                async for part in self._speech.synthesize(line.text, line.voice):
                    audio += part.audio
                    words += part.words
                    if part.audio and self._plan.form == "mp3":
                        growing.add(part.audio)
                        self._begin(line, growing)
        except TimeoutError as error:
            raise SpeechError(f"the provider took more than {self._plan.line_seconds:g} s for a line") from error
        form = self._plan.form
        return Clip(line.clip, form, seconds(bytes(audio), form), words), clip_file(bytes(audio), form)

    def _begin(self, line: VoiceLine, growing: GrowingClip) -> None:
        """Announce a clip whose first audio has arrived, with an estimate of its length."""
        if line.clip not in self._growing:
            self._growing[line.clip] = growing
            length = round(len(line.text) / CHARACTERS_PER_SECOND, 3)
            ready = VoiceReady(comment=line.comment, clip=line.clip, seconds=length, whole=False)
            self._publish(line.episode_id, Draft.of(ready))

    def _announce(self, line: VoiceLine, clip: Clip) -> None:
        """Publish that the clip is ready. After the end of the match it is only in the list of its clips."""
        self._publish(line.episode_id, Draft.of(clip.ready(line.comment)))

    def _tell_all(self) -> None:
        for episode_id in list(self._running):
            self._tell(episode_id)

    def _tell_soon(self, episode_id: str) -> None:
        """Publish the state of the voice after the events that are now being delivered."""
        if self._reason and self._speech.kind != "cartesia":
            log.info("match %s has no voice of the server: %s", episode_id, self._reason)
        asyncio.get_running_loop().call_soon(self._tell, episode_id)

    def _tell(self, episode_id: str) -> None:
        state = self.state
        change = VoiceChanged(kind=state.kind, reason=state.reason)
        if episode_id in self._running and self._running[episode_id] != change:
            self._running[episode_id] = change
            self._publish(episode_id, Draft.of(change))

    def _publish(self, episode_id: str, draft: Draft) -> None:
        if self._bus.numbers(episode_id):
            self._bus.publish_soon(episode_id, [draft])

    def _done(self, line: VoiceLine, outcome: Outcome, at: float | None = None) -> None:
        """Count the outcome of a line at the time `at`, by default now."""
        self._count(outcome, max(0.0, (time.time() if at is None else at) - line.at))
