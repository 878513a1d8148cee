"""The page as one file: closed, and nothing in it can break out of its place."""

from __future__ import annotations

import base64
import gzip
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from grandstand.games.base import OptionError
from grandstand.play.exchange import standalone
from grandstand.play.exchange.exporting import export_text, view_of
from grandstand.play.exchange.standalone import lines_in
from grandstand.spectator.viewpoint import SPECTATOR
from grandstand.spectator.voice.clips import Clip, Clips
from tests.support.play.canaries import record


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "standalone").mkdir()
    (tmp_path / "standalone" / "page.js").write_text("export const a = '</script><!-- <script>';")
    (tmp_path / "standalone" / "page.css").write_text("a::before { content: '</style>' }")
    (tmp_path / "icon.svg").write_text("<svg/>")
    return tmp_path


class Reader(HTMLParser):
    """The elements of a document, and the text of each script and style."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: dict[str, str] = {}
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._open = dict(attrs).get("id") or dict(attrs).get("type") or tag

    def handle_data(self, data: str) -> None:
        self.texts[self._open] = self.texts.get(self._open, "") + data


def test_it_has_the_elements_that_are_written_and_no_others(page: Path) -> None:
    text = export_text(view_of(record(), SPECTATOR, 1e9), "html", page)
    reader = Reader()
    reader.feed(text)
    assert reader.tags == [
        "html", "head", "meta", "meta", "meta", "meta", "title", "link", "style", "body", "div", "noscript", "script",
        "script",
    ]  # fmt: skip
    assert "<script>alert" not in text
    assert reader.texts["module"].strip() == r"export const a = '\x3c/script>\x3c!-- \x3cscript>';"
    content = json.loads(gzip.decompress(base64.b64decode(reader.texts["episode"])))
    assert content["episode"]["episode_id"] == "canary-1"
    assert "</script>" in content["episode"]["title"], "the title is whole where the page reads it"
    assert [frame.get("seq", frame.get("event", {}).get("seq")) for frame in content["page"]["frames"]] == list(
        range(len(record()))
    )


def test_the_same_episode_is_the_same_file(page: Path) -> None:
    view = view_of(record(), SPECTATOR, 1e9)
    assert export_text(view, "html", page) == export_text(view, "html", page)


def test_a_page_that_is_not_built_is_said(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"format: the page is not built: no .*page.js; run `make setup`"):
        export_text(view_of(record(), SPECTATOR, 1e9), "html", tmp_path)


def test_a_file_that_no_browser_opens_is_refused(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standalone, "MAX_BYTES", 1000)
    with pytest.raises(OptionError, match="format: the file would have 0 MiB, more than 0; use jsonl"):
        export_text(view_of(record(), SPECTATOR, 1e9), "html", page)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with the clips of two lines."""
    clips = Clips(tmp_path / "clips", 10**6)
    for comment, name in ((2, "a" * 64), (5, "b" * 64)):
        clips.add(Clip(name, "mp3", 1.0, []), name[:4].encode(), "canary-1", comment)
    clips.close()
    return tmp_path / "clips"


def test_the_clips_of_released_lines_are_in_the_file(page: Path, store: Path) -> None:
    (line,) = lines_in(store, "canary-1", 4)
    reader = Reader()
    reader.feed(export_text(view_of(record(), SPECTATOR, 1e9), "html", page, [line]))
    content = json.loads(gzip.decompress(base64.b64decode(reader.texts["episode"])))
    assert [ready["comment"] for ready in content["clips"]] == [2]
    audio = base64.b64encode(b"aaaa").decode()
    assert content["audio"] == {"a" * 64: {"type": "audio/mpeg", "data": audio}}
    assert len(lines_in(store, "canary-1", 5)) == 2


def test_clips_that_are_not_there_or_too_large_are_refused(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(OptionError, match=r"^clips: .* has none; they are made where the server has a key"):
        lines_in(tmp_path / "other", "canary-1", 9)
    with pytest.raises(OptionError, match=r"^clips: there are none of other-1; leave the option out"):
        lines_in(store, "other-1", 9)
    monkeypatch.setattr(standalone, "MAX_CLIPS", 7)
    with pytest.raises(OptionError, match=r"^clips: they have 0\.0 MiB, and a file takes .*; leave the option out"):
        lines_in(store, "canary-1", 9)
