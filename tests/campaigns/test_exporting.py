"""The report of a campaign as a file."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO

import pyarrow.parquet as pq
import pytest

from grandstand.campaigns.exporting import COLUMNS, REPORT_FORMATS, episode_format, report_file, rows
from grandstand.games.base import OptionError
from grandstand.models import Draft, Event
from grandstand.play.exchange.exporting import EpisodeView
from grandstand.report import Report
from grandstand.spectator.summary import summary_of
from grandstand.spectator.viewpoint import SPECTATOR
from tests.support.campaigns.reports import REPORT
from tests.support.page.reports import over

VALUES = {"number": 0.5, "text": None, "low": 0.3, "high": 0.7}


def view(drafts: Sequence[Draft]) -> EpisodeView:
    events = [
        Event(episode_id="cup-1", epoch=1, seq=seq, at=float(seq), **draft._asdict())
        for seq, draft in enumerate(drafts)
    ]
    return EpisodeView(summary_of(events), events, SPECTATOR)


def test_the_report_is_that_of_the_last_event() -> None:
    first, last = (Report.model_validate_json(report_file(view(drafts), "report")) for drafts in (over()[:4], over()))
    assert first.progress is not None
    assert last.progress is not None
    assert (first.progress.done, last.progress.done) == (1, last.progress.total)


def test_markdown_has_the_title_and_describes_charts_in_words() -> None:
    text = report_file(view(over("The cup")), "markdown").decode()
    assert text.startswith("# The cup\n")
    assert "![" not in text


def test_rows_are_every_value_of_every_table() -> None:
    table = pq.read_table(BytesIO(report_file(view(over()), "rows")))
    assert table.column_names == list(COLUMNS)
    assert table.num_rows > 20
    (score,) = [row for row in rows(REPORT) if row["row"] == "heron" and row["column"] == "score"]
    assert {name: score[name] for name in VALUES} == VALUES


def test_rows_need_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(OptionError, match=r"rows need pyarrow: install grandstand\[parquet\]"):
        report_file(view(over()), "rows")


def test_a_campaign_without_a_result_has_no_report_yet() -> None:
    with pytest.raises(OptionError, match="cup-1 has no report yet"):
        report_file(view([draft for draft in over() if draft.type != "ReportUpdated"]), "markdown")


@pytest.mark.parametrize(
    ("game", "name", "found"), [("tournament", "markdown", "markdown"), ("diplomacy", "html", "html")]
)
def test_formats_by_game(game: str, name: str, found: str) -> None:
    assert episode_format(game, name) == found


@pytest.mark.parametrize(
    ("game", "name"), [("tournament", "parquet"), *(("diplomacy", name) for name in REPORT_FORMATS)]
)
def test_a_format_that_a_game_has_not_is_refused_with_those_that_it_has(game: str, name: str) -> None:
    with pytest.raises(OptionError, match=f"format: .* no '{name}'; there are "):
        episode_format(game, name)
