"""`python -m grandstand.games.diplomacy`: judge positions, JSON lines in and out."""

from __future__ import annotations

import json
import sys
from typing import Any

from grandstand.games.diplomacy.rules.position import PositionError, adjudicate_line

LONGEST_COMPLAINT = 400
"""Maximum characters of an error, which may quote input of any length."""
LONGEST_INTEGER = 4000
"""Digits of the longest integer that Python parses. A longer one is kept as text, so that the error names its field."""


def main() -> None:
    """Judge one position with its orders per line of standard input; one line of JSON out for each.

    For an invalid line {"error": ...} is printed, and the run continues. Blank lines are skipped.
    """
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(json.dumps(_answer(line), separators=(",", ":")) + "\n")
            sys.stdout.flush()


def _answer(line: bytes) -> dict[str, Any]:
    try:
        return adjudicate_line(json.loads(line.decode("utf-8-sig"), parse_int=_integer))
    except UnicodeDecodeError as error:
        return _error(f"line: not UTF-8 at byte {error.start + 1}: {error.reason}")
    except RecursionError:
        return _error("line: nested too deeply; a position has three levels")
    except json.JSONDecodeError as error:
        return _error(f"line: not JSON: {error.msg} at character {error.pos + 1}")
    except PositionError as error:
        return _error(str(error))


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= LONGEST_INTEGER else digits


def _error(text: str) -> dict[str, Any]:
    """Return the output for an invalid line, in characters that a terminal shows; a long error loses its middle."""
    text = "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
    if len(text) > LONGEST_COMPLAINT:
        half = LONGEST_COMPLAINT // 2
        text = f"{text[:half]} … {text[-half:]}"
    return {"error": text}


if __name__ == "__main__":
    main()
