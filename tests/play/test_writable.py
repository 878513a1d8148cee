"""Results that cannot be written are refused before the work."""

from __future__ import annotations

from pathlib import Path

import pytest

from grandstand.games.base import OptionError
from grandstand.play.writable import check_file, check_folder


def test_a_folder_and_a_file_are_checked_before_the_work_that_goes_there(tmp_path: Path) -> None:
    check_folder("out", tmp_path / "new" / "folder")
    check_file("out", tmp_path / "reports" / "report.json")
    assert not list((tmp_path / "reports").iterdir())
    (tmp_path / "file").write_text("kept")
    check_file("out", tmp_path / "file")
    assert (tmp_path / "file").read_text() == "kept"
    with pytest.raises(OptionError, match=r"^out: .*file: File exists; name another$"):
        check_folder("out", tmp_path / "file")
    with pytest.raises(OptionError, match=r"^records: .*file/x: Not a directory; name another$"):
        check_folder("records", tmp_path / "file" / "x")
    with pytest.raises(OptionError, match=r"^out: .*new: Is a directory; name another$"):
        check_file("out", tmp_path / "new")
