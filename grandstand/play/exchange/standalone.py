"""The page of one episode as one HTML file, which needs no server and sends no request.

The episode is JSON, packed and written in base64, so that none of its text can be read as HTML or script.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grandstand.events import VoiceReady
from grandstand.games.base import OptionError
from grandstand.models import Event
from grandstand.spectator.frames import EpisodeSummary, EventPage
from grandstand.spectator.viewpoint import Viewpoint, redact
from grandstand.spectator.voice.clips import Clips
from grandstand.spectator.voice.speech import MEDIA_TYPES

MAX_BYTES = 64 * 1024**2
"""The most bytes of a file: browsers take too long to open a larger one."""

MAX_CLIPS = 32 * 1024**2
"""The most bytes of clips in a file: an hour of speech as MP3."""

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "font-src data:; media-src data: blob:; base-uri 'none'; form-action 'none'"
)
"""The Content-Security-Policy of the file: a browser allows it no request."""

_CLOSING = re.compile(r"<(?=/?script|!--)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """The clip of a line, with its audio."""

    ready: VoiceReady
    media_type: str
    audio: bytes


def spoken_lines(store: Clips, episode_id: str, last: int) -> list[SpokenLine]:
    """Return the clips of an episode's lines up to the number `last`.

    Raises OptionError if there are none, or more than MAX_CLIPS.
    """
    try:
        listed = [ready for ready in store.of_episode(episode_id) if ready.comment <= last]
        clips = {name: clip for name in {ready.clip for ready in listed} if (clip := store.get(name))}
        size = sum(store.path(name).stat().st_size for name in clips)
        if size > MAX_CLIPS:
            detail = f"they have {size / 1024**2:.1f} MiB, and a file takes {MAX_CLIPS / 1024**2:g}"
            raise OptionError(f"clips: {detail}; leave the option out, and the browser reads the lines")
        audio = {name: store.path(name).read_bytes() for name in clips}
    except OSError as error:
        raise OptionError(f"clips: they cannot be read: {error}") from error
    if not clips:
        raise OptionError(f"clips: there are none of {episode_id}; leave the option out")
    return [
        SpokenLine(ready, MEDIA_TYPES[clips[ready.clip].form], audio[ready.clip])
        for ready in listed
        if ready.clip in clips
    ]


def lines_in(folder: Path, episode_id: str, last: int) -> list[SpokenLine]:
    """Return the clips of an episode's lines from the store in `folder`. Raises OptionError."""
    if not (folder / "index.db").is_file():
        raise OptionError(f"clips: {folder} has none; they are made where the server has a key for the voice")
    try:
        store = Clips(folder, 0)
    except OSError as error:
        raise OptionError(f"clips: they cannot be read: {error}") from error
    try:
        return spoken_lines(store, episode_id, last)
    finally:
        store.close()


def page_file(
    summary: EpisodeSummary,
    events: Sequence[Event],
    viewpoint: Viewpoint,
    page: Path,
    clips: Sequence[SpokenLine] = (),
) -> str:
    """Return the file, with these clips. `page` is the folder of the built page. Raises OptionError."""
    try:
        script, style = (page / "standalone" / name for name in ("page.js", "page.css"))
        code, css = script.read_text("utf-8"), style.read_text("utf-8")
        icon = base64.b64encode((page / "icon.svg").read_bytes()).decode()
    except OSError as error:
        raise OptionError(f"format: the page is not built: no {error.filename}; run `make setup`") from error
    content = _content(summary, events, viewpoint, clips)
    packed = base64.b64encode(gzip.compress(content.encode(), 9, mtime=0)).decode()
    css = css.replace("</style", "<\\/style")
    title = html.escape(f"{summary.title} · Grandstand")
    text = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8" />\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1" />\n'
        '<meta name="color-scheme" content="light dark" />\n'
        f"<title>{title}</title>\n"
        f'<link rel="icon" href="data:image/svg+xml;base64,{icon}" />\n'
        f"<style>{css}</style>\n</head>\n<body>\n"
        '<div id="app"></div>\n<noscript>This match needs JavaScript.</noscript>\n'
        f'<script type="text/plain" id="episode">{packed}</script>\n'
        f'<script type="module">{_CLOSING.sub(_escaped, code)}</script>\n</body>\n</html>\n'
    )
    if len(text) > MAX_BYTES:
        raise OptionError(f"format: the file would have {len(text) >> 20} MiB, more than {MAX_BYTES >> 20}; use jsonl")
    return text


def _content(
    summary: EpisodeSummary, events: Sequence[Event], viewpoint: Viewpoint, clips: Sequence[SpokenLine]
) -> str:
    """Return the episode in the file, as JSON."""
    frames = EventPage(
        episode_id=summary.episode_id,
        epoch=events[0].epoch,
        viewpoint=str(viewpoint),
        first=0,
        last_seq=events[-1].seq,
        frames=[redact(event, viewpoint) for event in events],
    )
    return json.dumps(
        {
            "episode": summary.model_dump(mode="json"),
            "page": frames.model_dump(mode="json"),
            "clips": [line.ready.model_dump(mode="json") for line in clips],
            "audio": {
                line.ready.clip: {"type": line.media_type, "data": base64.b64encode(line.audio).decode()}
                for line in clips
            },
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _escaped(opening: re.Match[str]) -> str:
    """Return `<` escaped for a string of a script, so that it cannot begin or end a tag."""
    return "\\x3c"
