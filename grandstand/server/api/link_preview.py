"""The tags of a page that other programs show a link to it by: title, description and picture of the moment."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote, urlencode

from fastapi import Request

from grandstand.games.base import OptionError
from grandstand.models import EpisodeSummary
from grandstand.play.scenes import game_title, headline_of
from grandstand.server.cards.layout import HEIGHT, WIDTH
from grandstand.server.transport.edge import PREFIX
from grandstand.spectator.errors import UnknownEpisode
from grandstand.spectator.history import History
from grandstand.spectator.summary import summary_of
from grandstand.spectator.viewpoint import SPECTATOR

NUMBER = re.compile(r"[0-9]{1,15}")
TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
LONGEST = 300
"""Characters of a text in a tag; programs that show links cut it earlier."""
DESCRIPTION = re.compile(r'<meta name="description"[^>]*>')


class LinkPreview:
    """Writes the tags of matches into the page."""

    def __init__(self, history: History, public_url: str) -> None:
        """`public_url` is the address of the server as viewers know it; if it is empty, each request names it."""
        self._history = history
        self._public_url = public_url

    async def written(self, text: str, request: Request) -> str:
        """Return the page `text` with the tags of the match that `request` asks for; unchanged if there is none."""
        episode_id = request.path_params.get("episode_id", "")
        seq = request.query_params.get("seq", "")
        try:
            summary, moment = await self._moment(episode_id, int(seq) if NUMBER.fullmatch(seq) else None)
        except (UnknownEpisode, OptionError):
            return text
        return with_tags(text, _tags(summary, moment, self.root(request)))

    def root(self, request: Request) -> str:
        """Return the address of the server without a slash at its end."""
        if self._public_url:
            return self._public_url
        scheme, host = request.url.scheme, request.headers.get("host", "")
        return f"{scheme}://{host}{request.scope.get(PREFIX, '')}"

    async def _moment(self, episode_id: str, seq: int | None) -> tuple[EpisodeSummary, int]:
        """Return the summary at a moment that spectators know, and its number; that of the latest for any other."""
        summary = self._history.summary(episode_id, SPECTATOR)
        if seq is None or seq >= summary.last_seq:
            return summary, summary.last_seq
        await self._history.load(episode_id)
        events = self._history.events(episode_id, SPECTATOR)[: seq + 1]
        return summary_of(events), events[-1].seq


def with_tags(text: str, tags: dict[str, str]) -> str:
    """Return a page whose title and description are those of `tags`, with all of `tags`."""
    title, description = escape(tags["og:title"]), escape(tags["og:description"])
    text = TITLE.sub(lambda _: f"<title>{title} · Grandstand</title>", text, count=1)
    text = DESCRIPTION.sub(lambda _: f'<meta name="description" content="{description}" />', text, count=1)
    return text.replace("</head>", "".join(_tag(name, value) for name, value in tags.items()) + "</head>", 1)


def _tag(name: str, value: str) -> str:
    kind = "name" if name.startswith("twitter:") else "property"
    return f'<meta {kind}="{escape(name)}" content="{escape(value)}" />\n    '


def _tags(summary: EpisodeSummary, seq: int, root: str) -> dict[str, str]:
    episode = quote(summary.episode_id, safe="")
    game = game_title(summary.game)
    title = _shortened(summary.title or game)
    headline = headline_of(summary) or f"{game}: a match between agents, turn by turn."
    headline = _shortened(headline)
    picture = f"{root}/api/episodes/{episode}/card?{urlencode({'seq': seq})}"
    return {
        "og:type": "website",
        "og:site_name": "Grandstand",
        "og:title": title,
        "og:description": headline,
        "og:url": f"{root}/episode/{episode}?{urlencode({'seq': seq})}",
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": f"The board, the standing and the headline: {headline}",
        "twitter:card": "summary_large_image",
        "twitter:title": title,
        "twitter:description": headline,
        "twitter:image": picture,
    }


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
