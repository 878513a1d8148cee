"""Feeds in their formats: Atom (RFC 4287) and JSON Feed 1.1."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from html import escape
from typing import Final
from xml.etree import ElementTree

from grandstand.server.feeds.news import Feed, News

ATOM: Final = "application/atom+xml"
JSON: Final = "application/feed+json"
NAMESPACE: Final = "http://www.w3.org/2005/Atom"
VERSION: Final = "https://jsonfeed.org/version/1.1"
AUTHOR: Final = "Grandstand"
LONGEST: Final = 300
"""Characters of a text; a player's name and a title may have any length."""
UNREADABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]")
"""Characters that XML 1.0 cannot have, and those that turn the direction of the text after them."""


def atom(feed: Feed, root: str) -> bytes:
    """Return a feed as Atom. `root` is the address of the server, without a slash at its end."""
    document = ElementTree.Element("feed", xmlns=NAMESPACE)
    _add(document, "id", root + feed.address("atom"))
    _add(document, "title", _line(feed.title))
    _add(document, "updated", _time(max((each.at for each in feed.news), default=0.0)))
    _link(document, "self", root + feed.address("atom"), ATOM)
    _link(document, "alternate", root + feed.page, "text/html")
    _add(ElementTree.SubElement(document, "author"), "name", AUTHOR)
    for each in feed.news:
        entry = ElementTree.SubElement(document, "entry")
        _add(entry, "id", root + each.id)
        _add(entry, "title", _line(each.title))
        _add(entry, "published", _time(each.at))
        _add(entry, "updated", _time(each.at))
        _link(entry, "alternate", root + each.address, "text/html")
        _add(entry, "content", _html(each, root), type="html")
    text: bytes = ElementTree.tostring(document, "utf-8", xml_declaration=True)
    return text


def json_feed(feed: Feed, root: str) -> bytes:
    """Return a feed as JSON Feed. `root` is the address of the server, without a slash at its end."""
    document = {
        "version": VERSION,
        "title": _line(feed.title),
        "home_page_url": root + feed.page,
        "feed_url": root + feed.address("json"),
        "authors": [{"name": AUTHOR}],
        "language": "en",
        "items": [
            {
                "id": root + each.id,
                "url": root + each.address,
                "title": _line(each.title),
                "content_html": _html(each, root),
                "date_published": _time(each.at),
            }
            for each in feed.news
        ],
    }
    return json.dumps(document, ensure_ascii=False).encode()


def _add(parent: ElementTree.Element, name: str, text: str, **attributes: str) -> None:
    ElementTree.SubElement(parent, name, attributes).text = text


def _link(parent: ElementTree.Element, relation: str, address: str, media_type: str) -> None:
    ElementTree.SubElement(parent, "link", rel=relation, type=media_type, href=address)


def _html(news: News, root: str) -> str:
    """Return the text of an entry as HTML, in which names and moments are text only."""
    parts = [f"<p>{escape(_line(news.text))}</p>"]
    if news.moment:
        address = escape(root + news.moment_address)
        parts.append(f'<p>Best moment: <a href="{address}">{escape(_line(news.moment))}</a></p>')
    return "".join(parts)


def _line(text: str) -> str:
    """Return a text in one line that may stand in XML."""
    line = " ".join(UNREADABLE.sub("\ufffd", text).split()) or "\u2013"
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _time(at: float) -> str:
    """Return a time in the format of RFC 3339."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
