"""Words and tables of Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from grandstand.play.ratings.statistics import Interval


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; cells may have any text."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


def number(value: float | None, digits: int = 4) -> str:
    """Return a number with its significant digits, or a dash."""
    return "–" if value is None else f"{value:.{digits}g}"


def interval(value: Interval) -> str:
    """Return a mean with its interval, and why there is none."""
    if value.mean is None:
        return "–"
    ends = value.ci95
    return f"{number(value.mean)} ({'no interval' if ends is None else ' to '.join(number(end) for end in ends)})"


def plain(value: Any) -> str:
    """Return a setting as it stands in a file."""
    return f"`{json.dumps(value, ensure_ascii=False)}`"
