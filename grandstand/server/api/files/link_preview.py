"""The tags in a page from which other programs draw a link preview: the headline and the picture of a moment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape
from urllib.parse import quote, urlencode

from fastapi import Request

from grandstand.games.base import OptionError
from grandstand.play.scenes import game_title, headline_of, spec_of
from grandstand.server.cards.layout import HEIGHT, WIDTH
from grandstand.server.feeds.formats import ATOM, JSON
from grandstand.server.feeds.news import feed_address
from grandstand.server.transport.edge import PREFIX
from grandstand.spectator.errors import UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.store.interface import EpisodeStore
from grandstand.spectator.summary import summary_at
from grandstand.spectator.viewpoint import SPECTATOR

NUMBER = re.compile(r"[0-9]{1,15}")
TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
LONGEST = 300
"""Characters of a text in a tag; programs that show links cut it earlier."""
DESCRIPTION = re.compile(r'<meta name="description"[^>]*>')
NAME = "Grandstand"
TRAINER = "trainer"
"""The origin of matches that a training run plays. They are not shown on the front page."""
RECENT = 24
"""Number of matches from which the front page takes its picture, the newest."""


class LinkPreview:
    """Writes the tags of matches, and those of the front page, into the page."""

    def __init__(self, history: History, recorder: EpisodeStore, public_url: str) -> None:
        """`public_url` is the address of the server as viewers know it; if it is empty, each request names it."""
        self._history = history
        self._recorder = recorder
        self._public_url = public_url

    async def written(self, text: str, request: Request) -> str:
        """Return the page `text` with the tags of the requested match; unchanged if there is none."""
        episode_id = request.path_params.get("episode_id", "")
        seq = request.path_params.get("seq") or request.query_params.get("seq", "")
        try:
            summary, moment = await self._moment(episode_id, int(seq) if NUMBER.fullmatch(seq) else None)
        except (UnknownEpisode, OptionError):
            return text
        title = _shortened(summary.title or game_title(summary.game))
        return with_tags(text, _tags(summary, moment, self.root(request)), title)

    async def front(self, text: str, request: Request) -> str:
        """Return the front page `text` with its tags, and the picture of the best match if there is one."""
        root = self.root(request)
        tags = {"og:title": NAME, "og:description": _described(text), "og:url": f"{root}/"}
        match = await self._best()
        picture = {} if match is None else _picture(match, match.last_seq, root)
        return with_tags(text, _kinds(bool(picture)) | tags | picture)

    async def _best(self) -> EpisodeSummary | None:
        """Return the best match: a live one before an ended one, then the most exciting, then the newest."""
        behind, summaries = self._history.behind(), self._recorder.summaries
        shown = ("live", "finished")
        recent, _ = await self._recorder.apart(lambda: summaries(status=shown, limit=RECENT, behind=behind))
        matches = (summary for summary in recent if spec_of(summary.game) and summary.origin != TRAINER)
        return max(matches, key=_appeal, default=None)

    def root(self, request: Request) -> str:
        """Return the address of the server without a slash at its end."""
        if self._public_url:
            return self._public_url
        scheme, host = request.url.scheme, request.headers.get("host", "")
        return f"{scheme}://{host}{request.scope.get(PREFIX, '')}"

    async def _moment(self, episode_id: str, seq: int | None) -> tuple[EpisodeSummary, int]:
        """Return the summary at event `seq` and its number; those of the latest event if spectators do not know it."""
        summary = self._history.summary(episode_id, SPECTATOR)
        if seq is None or seq >= summary.last_seq:
            return summary, summary.last_seq
        await self._history.load(episode_id)
        return summary_at(self._history.events(episode_id, SPECTATOR), seq), seq


def with_tags(text: str, tags: Mapping[str, str], title: str = "") -> str:
    """Return a page with `tags` and their description, and with `title` if it is not empty."""
    description = escape(tags["og:description"])
    if title:
        text = TITLE.sub(lambda _: f"<title>{escape(title)} · {NAME}</title>", text, count=1)
    text = DESCRIPTION.sub(lambda _: f'<meta name="description" content="{description}" />', text, count=1)
    return text.replace("</head>", "".join(_tag(name, value) for name, value in tags.items()) + "</head>", 1)


def with_feeds(text: str, player: str, root: str) -> str:
    """Return a page with links to the feeds of a player, or to those of the server if there is no player."""
    links = "".join(
        f'<link rel="alternate" type="{kind}" title="{escape(_shortened(player or NAME))}" '
        f'href="{escape(root + feed_address(player, suffix))}" data-opened />\n    '
        for kind, suffix in ((ATOM, "atom"), (JSON, "json"))
    )
    return text.replace("</head>", links + "</head>", 1)


def _tag(name: str, value: str) -> str:
    kind = "name" if name.startswith("twitter:") else "property"
    return f'<meta {kind}="{escape(name)}" content="{escape(value)}" />\n    '


def _tags(summary: EpisodeSummary, seq: int, root: str) -> dict[str, str]:
    """Return the tags of a moment: its headline is the title."""
    game = game_title(summary.game)
    about = f"{game}: a match between agents, turn by turn."
    title = headline_of(summary) or summary.title or game
    description = about if summary.title in ("", game) else f"{summary.title}. {about}"
    own = {
        "og:title": _shortened(title),
        "og:description": _shortened(description),
        "og:url": f"{root}/episode/{quote(summary.episode_id, safe='')}?{urlencode({'seq': seq})}",
    }
    return _kinds(pictured=True) | own | _picture(summary, seq, root)


def _kinds(pictured: bool) -> dict[str, str]:
    """Return the tags for the kind of the page. Programs read the other values from the `og:` tags."""
    card = "summary_large_image" if pictured else "summary"
    return {"og:type": "website", "og:site_name": NAME, "twitter:card": card}


def _picture(summary: EpisodeSummary, seq: int, root: str) -> dict[str, str]:
    """Return the tags of the card of a moment."""
    episode = quote(summary.episode_id, safe="")
    return {
        "og:image": f"{root}/api/episodes/{episode}/card?{urlencode({'seq': seq})}",
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": _shortened(f"The board, the standing and the headline: {headline_of(summary)}"),
    }


def _appeal(summary: EpisodeSummary) -> tuple[bool, float, float]:
    excitement = summary.outlook.excitement if summary.outlook else 0.0
    return (summary.status == "live", excitement, summary.created_at)


def _described(text: str) -> str:
    """Return the description in the page `text`."""
    match = DESCRIPTION.search(text)
    content = re.search(r'content="([^"]*)"', match[0]) if match else None
    return unescape(content[1]) if content else NAME


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
