"""A file is there whole or not at all."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grandstand.trainer.atomic import replaced


def test_a_file_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    for text in ("one", "two"):
        with replaced(path) as part:
            part.write_text(text)
            assert part.parent == tmp_path
            assert not path.exists() or path.read_text() == "one"
        assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


def test_what_goes_wrong_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("one")

    def write() -> None:
        with replaced(path) as part:
            part.write_text("tw")
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        write()
    assert path.read_text() == "one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_kill_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("one")
    code = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom grandstand.trainer.atomic import replaced\n"
        "with replaced(Path(sys.argv[1])) as part:\n"
        "    part.write_text('tw')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert path.read_text() == "one"
    with replaced(path) as part:
        part.write_text("two")
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "two"
