#!/usr/bin/env python3
"""Complete the tactics set: find the replies of its positions, and write those into the data and the documentation.

`--check` searches nothing and fails where docs/tactics.md does not show the set as it is. Names of positions limit the
search to them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from grandstand.games.diplomacy.tactics.positions import FILE, Tactic, read_tactic, refutation, tactics  # noqa: E402
from grandstand.games.diplomacy.tactics.search import parsed, searched  # noqa: E402

PAGE = ROOT / "docs" / "tactics.md"
MARK = "<!-- The rest of this page is written by scripts/diplomacy/tactics.py. -->"


def complete(names: list[str]) -> None:
    """Find the replies of all positions, or of those named, and write them to the data."""
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    for entry in data["tactics"]:
        if names and entry["id"] not in names:
            continue
        item = searched(read_tactic({**entry, "replies": []}))
        entry |= {"replies": [list(reply) for reply in item.replies], "sets": item.sets, "solving": item.solving}
        trouble = [] if refutation(item, parsed(item, item.best)) is None else ["the best orders do not force it"]
        trouble += [f"{orders} force it" for orders, _ in item.wrong if refutation(item, parsed(item, orders)) is None]
        print(f"{item.id}: {item.solving} of {item.sets} force it, {len(item.replies)} replies", *trouble, sep="; ")
    FILE.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def page(text: str) -> str:
    """Return the page with its part on the positions as they are."""
    head = text.partition(MARK)[0]
    return head + MARK + "\n\n" + "\n".join(_section(item) for item in tactics().values())


def _section(item: Tactic) -> str:
    position = item.state.to_json()
    lines = [
        f"## {item.title}",
        "",
        f"`{item.id}`, {item.theme}. {item.seat.title()}, {item.state.name}: **{item.task}**",
        "",
    ]
    for power, units in position["units"].items():
        gone = [
            f"{unit} (dislodged, may go to {' '.join(to)})" for unit, to in position["retreats"].get(power, {}).items()
        ]
        if units or gone:
            centers = f"; centres {' '.join(position['centers'][power])}" if position["centers"][power] else ""
            lines.append(f"- {power.title()}: {', '.join([*units, *gone])}{centers}")
    lines += ["", f"**{'; '.join(item.best)}**. {item.reason}", ""]
    lines += [f"- not `{'; '.join(orders)}`: {why}" for orders, why in item.wrong]
    if item.then:
        lines += [
            "",
            f"Judged after the orders that follow: {'; then '.join(', '.join(orders) for orders in item.then)}.",
        ]
    lines += ["", f"{item.solving} of {item.sets} legal sets of orders force it.", ""]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    if "--check" in arguments:
        if PAGE.read_text(encoding="utf-8") == page(PAGE.read_text(encoding="utf-8")):
            return 0
        print("docs/tactics.md is not up to date; run scripts/diplomacy/tactics.py")
        return 1
    complete(arguments)
    tactics.cache_clear()
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
