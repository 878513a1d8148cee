"""Files and folders are written atomically."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grandstand.atomic import lock_folder, replace_file, replace_folder


def test_a_file_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    for text in ("one", "two"):
        with replace_file(path) as part:
            part.write_text(text)
            assert part.parent == tmp_path
            assert not path.exists() or path.read_text() == "one"
        assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


def test_what_goes_wrong_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("one")

    def write() -> None:
        with replace_file(path) as part:
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
        "import os, signal, sys\nfrom pathlib import Path\nfrom grandstand.atomic import replace_file\n"
        "with replace_file(Path(sys.argv[1])) as part:\n"
        "    part.write_text('tw')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert path.read_text() == "one"
    with replace_file(path) as part:
        part.write_text("two")
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "two"


def test_a_folder_replaces_an_earlier_one_whole(tmp_path: Path) -> None:
    path = tmp_path / "above" / "folder"
    for name in ("one", "two"):
        with replace_folder(path) as part:
            (part / "inner").mkdir()
            (part / "inner" / name).write_text(name)
        assert [file.name for file in (path / "inner").iterdir()] == [name]
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_that_fails_leaves_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    with replace_folder(path) as part:
        (part / "one").touch()

    def write() -> None:
        with replace_folder(path) as part:
            (part / "two").touch()
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        write()
    assert list(tmp_path.iterdir()) == [path]
    assert [file.name for file in path.iterdir()] == ["one"]


def test_a_lock_lasts_as_long_as_a_process_that_inherits_it(tmp_path: Path) -> None:
    with lock_folder(tmp_path) as lock:
        child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=(lock,))
    with pytest.raises(BlockingIOError), lock_folder(tmp_path):
        pass
    child.communicate()
    with lock_folder(tmp_path):
        pass


def test_a_folder_left_by_a_killed_process_is_deleted(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    code = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom grandstand.atomic import replace_folder\n"
        "with replace_folder(Path(sys.argv[1])) as part:\n"
        "    (part / 'half').touch()\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not path.exists()
    with replace_folder(path) as part:
        (part / "whole").touch()
    assert [[file.name for file in folder.iterdir()] for folder in tmp_path.iterdir()] == [["whole"]]
