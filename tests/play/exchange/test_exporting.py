"""Every format contains what its viewpoint may know, and nothing that is withheld from it or not released to it."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from grandstand.games.base import OptionError
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.play.exchange.dataset import parquet
from grandstand.play.exchange.exporting import (
    DECISIONS,
    export_text,
    format_named,
    formats,
    revealed,
    view_of,
)
from grandstand.spectator.viewpoint import Viewpoint
from tests.support.play.canaries import SEED, TOKEN, TOKENS, record, secret, thought

VIEWPOINTS = ("spectator", "seat:FRANCE", "seat:TURKEY", "analyst", "operator")
NEXT = dict(zip(POWERS, (*POWERS[1:], POWERS[0]), strict=True))
LONG_AFTER = 1e9


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A folder like that of the built page."""
    (tmp_path / "standalone").mkdir()
    (tmp_path / "standalone" / "page.js").write_text("const html = `</script>`;")
    (tmp_path / "standalone" / "page.css").write_text("body { color: red }")
    (tmp_path / "icon.svg").write_text("<svg/>")
    return tmp_path


def content(format: str, viewpoint: str, page: Path, now: float = LONG_AFTER, delay: float = 0.0) -> str:
    """Return all that a file contains, as text; empty where there may be none."""
    view = view_of(record("never", delay), Viewpoint.parse(viewpoint), now)
    if format == DECISIONS:
        try:
            table = pq.read_table(io.BytesIO(parquet(view)))
        except OptionError:
            return ""
        return json.dumps(table.to_pylist())
    text = export_text(view, format, page)
    packed = re.search(r'id="episode">([^<]*)<', text)
    return text + (gzip.decompress(base64.b64decode(packed[1])).decode() if packed else "")


def may_know(viewpoint: str, sender: str) -> bool:
    role, _, seat = viewpoint.partition(":")
    return role in ("analyst", "operator") or seat in (sender, NEXT[sender])


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
@pytest.mark.parametrize("format", formats("diplomacy"))
def test_a_secret_message_is_in_the_files_of_those_who_may_know_it(format: str, viewpoint: str, page: Path) -> None:
    text = content(format, viewpoint, page)
    for sender in POWERS:
        assert (secret(sender, NEXT[sender]) in text) == may_know(viewpoint, sender), sender
    assert "from ITALY" in text or (format == DECISIONS and viewpoint == "spectator"), "what is public is there"


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
@pytest.mark.parametrize("format", formats("diplomacy"))
def test_reasoning_seed_tokens_and_training_data_stay_where_they_belong(
    format: str, viewpoint: str, page: Path
) -> None:
    text = content(format, viewpoint, page)
    thoughts = format in ("jsonl", "html") and viewpoint in ("analyst", "operator")
    assert (thought("FRANCE") in text) == thoughts
    assert (str(SEED) in text) == (format in ("jsonl", "html") and viewpoint == "operator")
    whole = format == "jsonl" and viewpoint == "operator"
    assert (TOKEN in text) == whole
    assert (str(TOKENS) in text) == whole


@pytest.mark.parametrize("format", formats("diplomacy"))
def test_a_spectator_gets_nothing_before_the_delay_is_over(format: str, page: Path) -> None:
    events = record("never", 300.0)
    resolved = next(event.seq for event in events if event.type == "OrdersResolved")
    mark = json.dumps(events[resolved].data["orders"]["FRANCE"][0]["order"])
    public = next(event.seq for event in events if event.type == "MessageSent" and event.audience == "public")
    before, after = 1000.0 + public + 299.0, 1000.0 + public + 300.5
    if format == DECISIONS:
        assert content(format, "operator", page, 0.0, 300.0) != "", "operators are not behind"
        view = view_of(events, Viewpoint.parse("seat:FRANCE"), 1000.0)
        assert len(view.events) == 1, "nor does a seat's viewpoint without its token see more"
        return
    assert "from AUSTRIA" not in content(format, "spectator", page, before, 300.0)
    assert "from AUSTRIA" in content(format, "spectator", page, after, 300.0)
    assert mark in content(format, "operator", page, 0.0, 300.0)


def test_what_a_reveal_opens() -> None:
    assert str(revealed("live", over=False)) == "analyst"
    assert str(revealed("after", over=False)) == "spectator"
    assert str(revealed("after", over=True)) == "analyst"
    assert str(revealed("never", over=True)) == "spectator"


def test_formats_by_name() -> None:
    assert formats("diplomacy") == ["jsonl", "html", "parquet", "saved-game"]
    assert format_named("diplomacy", "diplomacy") == "saved-game"
    assert format_named("cricket", "cricket") == "cricsheet"
    assert formats("a-game-of-others") == ["jsonl", "html", "parquet"]
    with pytest.raises(OptionError, match="format: cricket has no 'saved-game'; there are jsonl, html, parquet, cri"):
        format_named("cricket", "saved-game")


def test_too_little_for_a_format_is_said(page: Path) -> None:
    from grandstand.events import EpisodeCreated
    from grandstand.models import Draft, Event

    created = EpisodeCreated(game="cricket", title="", options={}, seats=[], origin="api")
    first = Draft.of(created)
    event = Event(episode_id="c-1", epoch=1, seq=0, at=0, type=first.type, audience="public", data=first.data)
    view = view_of([event], Viewpoint.parse("spectator"), 0)
    with pytest.raises(OptionError, match="format: too little of c-1 is known to be written as cricsheet"):
        export_text(view, "cricsheet", page)
