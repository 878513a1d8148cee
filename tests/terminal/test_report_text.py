"""Reports in a terminal."""

from __future__ import annotations

import io

from rich.console import Console

from grandstand.report import Figure, Figures, Report, Section, Value
from grandstand.terminal.report_text import print_report
from tests.support.campaigns.reports import REPORT


def printed(report: Report) -> str:
    console = Console(file=io.StringIO(), width=100)
    print_report(console, report)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_every_section_is_printed() -> None:
    text = printed(REPORT)
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines[0] == "Undecided  heron leads."
    assert "Played  12 of 30" in lines
    assert any(line.startswith("Curves ───") for line in lines)
    assert "0.300 to 0.700" in text
    assert "mean ▁▂▃▄▅▆▇█ 0.700" in lines
    assert "The difference is above 0." in lines
    assert "Seeds. Every arm has the same." in lines


def test_what_a_player_is_called_cannot_steer_the_terminal() -> None:
    value = Value(value="\x1b[31mred", note="[bold]\x07")
    text = printed(
        Report(headline="", sections=[Section(id="a", body=Figures(figures=[Figure(label="x", value=value)]))])
    )
    assert "\x1b" not in text
    assert "\\x1b[31mred" in text
    assert "[bold]\\x07" in text
