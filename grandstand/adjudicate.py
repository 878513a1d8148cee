"""`grandstand adjudicate`: judge Diplomacy positions, JSON lines in and out."""

from __future__ import annotations

import json
import sys


def adjudicate() -> None:
    """Judge one Diplomacy position with its orders per line of standard input; one line of JSON out for each.

    A line that cannot be read answers {"error": ...} and the run goes on.
    """
    from games.diplomacy.position import PositionError, adjudicate_line

    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            answer = adjudicate_line(json.loads(line))
        except json.JSONDecodeError as error:
            answer = {"error": f"not JSON: {error}"}
        except PositionError as error:
            answer = {"error": str(error)}
        sys.stdout.write(json.dumps(answer, separators=(",", ":")) + "\n")
        sys.stdout.flush()
