"""Checks that the file or folder of an option can be written, before any work is done."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

from grandstand.games.base import OptionError


def unusable(field: str, error: OSError) -> str:
    """Return an error message, with its remedy, on the file or folder of the option `field`."""
    where = "" if error.filename is None else f"{error.filename}: "
    return f"{field}: {where}{error.strerror or error}; name another"


def check_folder(field: str, folder: Path) -> None:
    """Make the folder of the option `field`, and check that files can be written to it. Raises OptionError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        error.filename = str(folder)
        raise OptionError(unusable(field, error)) from error


def check_file(field: str, file: Path) -> None:
    """Check, before the work whose result goes there, that `file` can be written; its folder is made.

    Raises OptionError.
    """
    check_folder(field, file.parent)
    try:
        if file.exists():
            with file.open("a"):
                pass
    except OSError as error:
        raise OptionError(unusable(field, error)) from error
