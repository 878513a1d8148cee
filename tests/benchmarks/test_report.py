"""The report of a benchmark: the same figures printed and in files of every format."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
import typer

from benchmarks.report import Out, add_out, mean, publish, share, table
from grandstand.report import Report, Table

SECTION = table(
    "Speed",
    ["way", ("tokens/s", "count"), "score", ("size", "bytes")],
    [["one", 12345.6, mean([0.2, 0.4, 0.3, 0.5, 0.1]), None], ["two", 7, share(0, 0), 2e6]],
)


def test_what_is_printed_is_what_the_file_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "speed.md"
    publish("Ways", "5 rounds", [SECTION], file)
    printed = capsys.readouterr().out
    assert printed == file.read_text()
    assert printed.startswith("# Ways\n\n**5 rounds**\n\n## Speed\n")
    assert "| one | 12,346 | 0.300<br>0.104 to 0.496 | – |" in printed
    assert "| two | 7 | – | 2.0 MB |" in printed


def test_a_file_of_json_has_the_report(tmp_path: Path) -> None:
    file = tmp_path / "speed.json"
    publish("Ways", "5 rounds", [SECTION], file)
    report = Report.model_validate_json(file.read_text())
    [section] = report.sections
    assert isinstance(section.body, Table)
    assert [cell.value for cell in section.body.rows[0].cells] == ["one", 12345.6, 0.3, None]
    assert section.body.rows[0].cells[2].n == 5


def test_a_file_of_no_format_is_refused_before_the_work(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_out(parser)
    assert parser.parse_args(["--out", "a.md"]).out == Path("a.md")
    with pytest.raises(SystemExit):
        parser.parse_args(["--out", "a.txt"])
    assert "a.txt: name a file that ends in .md, .json, .parquet" in capsys.readouterr().err

    def main(out: Out = None) -> None:
        raise AssertionError(f"the work began with {out}")

    app = typer.Typer()
    app.command()(main)
    with pytest.raises(SystemExit) as stopped:
        app(["--out", "a.txt"])
    assert stopped.value.code == 2
