"""The page of one episode as one HTML file, which needs no server and asks for nothing.

The episode is JSON, packed and written in base64, so that none of its text can be read as HTML or script.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from collections.abc import Sequence
from pathlib import Path

from grandstand.games.base import OptionError
from grandstand.models import EpisodeSummary, Event
from grandstand.spectator.frames import EventPage
from grandstand.spectator.viewpoint import Viewpoint, redact

MAX_BYTES = 64 * 1024**2
"""Bytes of a file; more is refused, since no browser would open it in reasonable time."""

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "font-src data:; media-src data: blob:; base-uri 'none'; form-action 'none'"
)
"""The file is closed: a browser lets no request of it out."""

_CLOSING = re.compile(r"<(?=/?script|!--)", re.IGNORECASE)


def page_file(summary: EpisodeSummary, events: Sequence[Event], viewpoint: Viewpoint, page: Path) -> str:
    """Return the file. `page` is the folder of the built page. Raises OptionError."""
    try:
        script, style = (page / "standalone" / name for name in ("page.js", "page.css"))
        code, css = script.read_text("utf-8"), style.read_text("utf-8")
        icon = base64.b64encode((page / "icon.svg").read_bytes()).decode()
    except OSError as error:
        raise OptionError(f"format: the page is not built: no {error.filename}; run `make setup`") from error
    frames = EventPage(
        episode_id=summary.episode_id,
        epoch=events[0].epoch,
        viewpoint=str(viewpoint),
        first=0,
        last_seq=events[-1].seq,
        frames=[redact(event, viewpoint) for event in events],
    )
    content = json.dumps(
        {"episode": summary.model_dump(mode="json"), "page": frames.model_dump(mode="json")},
        ensure_ascii=False,
        separators=(",", ":"),
    )
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


def _escaped(opening: re.Match[str]) -> str:
    """Return `<` as it may stand in the strings of a script without beginning or ending one."""
    return "\\x3c"
