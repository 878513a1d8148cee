"""The sound of a page: every clip that it plays, with the moment that is shown, and the speech of its browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, Request

from tests.support.page.screen import SETTLED

LISTEN = """
    // The tests' own questions count as gestures for Chromium; only those of the user may count for the page.
    const activation = { hasBeenActive: false, isActive: false };
    Object.defineProperty(navigator, 'userActivation', { value: activation });
    for (const kind of ['pointerdown', 'keydown'])
        addEventListener(kind, () => { activation.hasBeenActive = activation.isActive = true; }, true);
    window.heardClips = [];
    window.spoken = [];
    const clips = new Map();
    const makeAddress = URL.createObjectURL;
    URL.createObjectURL = (source) => {
        const address = makeAddress.call(URL, source);
        clips.set(address, source);
        return address;
    };
    const listened = new WeakSet();
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function () {
        const element = this;
        const moment = () => Number(document.querySelector('input[type=range]')?.value ?? -1);
        if (!listened.has(element)) {
            listened.add(element);
            element.addEventListener('playing', () => {
                const source = clips.get(element.src);
                if (!source || window.heardClips.at(-1)?.address === element.src) return;
                const growing = !(source instanceof Blob);
                const entry = { name: element.dataset.clip, shown: moment(), at: Date.now() / 1000,
                    volume: element.volume, rate: element.playbackRate, ended: false, stopped: false, growing,
                    loudness: null, seconds: null };
                Object.defineProperty(entry, 'address', { value: element.src });
                window.heardClips.push(entry);
                if (growing) return;
                source.arrayBuffer()
                    .then((data) => new OfflineAudioContext(1, 1, 24000).decodeAudioData(data))
                    .then((audio) => {
                        const samples = audio.getChannelData(0);
                        let sum = 0;
                        for (const sample of samples) sum += sample * sample;
                        entry.loudness = Math.sqrt(sum / samples.length);
                        entry.seconds = audio.duration;
                    });
            });
            const last = () => window.heardClips.at(-1);
            element.addEventListener('ended', () => { if (clips.has(element.src)) last().ended = true; });
            element.addEventListener('pause', () => {
                if (clips.has(element.src) && !element.ended) last().stopped = true;
            });
        }
        return play.call(this);
    };
    Object.defineProperty(window, 'speechSynthesis', { value: {
        cancel() {}, resume() {}, getVoices: () => [{ name: 'Ada', lang: 'en-GB', voiceURI: 'ada' }],
        speak(utterance) {
            window.spoken.push(utterance.text);
            setTimeout(() => utterance.onend?.(), 200);
        },
    } });
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""


@dataclass(frozen=True)
class HeardClip:
    """A clip that was played: the number that was shown when it began, and how it ended."""

    name: str
    shown: int
    at: float
    volume: float
    rate: float
    ended: bool
    stopped: bool
    growing: bool
    """True if it began before it was whole."""
    loudness: float | None
    seconds: float | None


class Hearing:
    """Listens to a page. Make it before the page is opened."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.requested: list[str] = []
        """The names of the clips that the page has requested, in order."""
        page.add_init_script(LISTEN)
        page.on("request", self._note)

    def _note(self, request: Request) -> None:
        _, clip_path, name = request.url.partition("/api/clips/")
        if clip_path:
            self.requested.append(name.partition("?")[0])

    def clips(self) -> list[HeardClip]:
        entries: list[dict[str, Any]] = self._page.evaluate("window.heardClips")
        return [HeardClip(**entry) for entry in entries]

    def spoken(self) -> list[str]:
        """Return what the browser's own speech was given."""
        texts: list[str] = self._page.evaluate("window.spoken")
        return texts

    def wait_for_clips(self, count: int, *, ended: bool = False) -> list[HeardClip]:
        """Wait until so many clips have begun, or have been played to their end and measured."""
        self._page.wait_for_function(
            """([count, ended]) => {
                const measured = (clip) => clip.ended && (clip.growing || clip.seconds !== null);
                return window.heardClips.filter((clip) => !ended || measured(clip)).length >= count;
            }""",
            arg=[count, ended],
            timeout=SETTLED,
        )
        return self.clips()

    def wait_for_speech(self, count: int) -> list[str]:
        self._page.wait_for_function("(count) => window.spoken.length >= count", arg=count, timeout=SETTLED)
        return self.spoken()
