"""`grandstand adjudicate`: judge Diplomacy positions, JSON lines in and out."""

from __future__ import annotations

import json
import sys
from typing import Any

from grandstand.commands.console import harmless

LONGEST_COMPLAINT = 400
"""Characters of an error. It quotes what it complains of, which may be of any length."""
LONGEST_INTEGER = 4000
"""Digits of an integer that Python reads. A longer one stays text, so that the complaint names its field."""


def adjudicate() -> None:
    """Judge one Diplomacy position with its orders per line of standard input; one line of JSON out for each.

    A line that cannot be read answers {"error": ...} and the run goes on. Blank lines are passed over.
    """
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(json.dumps(_answer(line), separators=(",", ":")) + "\n")
            sys.stdout.flush()


def _answer(line: bytes) -> dict[str, Any]:
    from grandstand.games.diplomacy.position import PositionError, adjudicate_line

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
    """Return the answer to a bad line, the middle of a long complaint left out."""
    text = harmless(text)
    if len(text) > LONGEST_COMPLAINT:
        half = LONGEST_COMPLAINT // 2
        text = f"{text[:half]} … {text[-half:]}"
    return {"error": text}
