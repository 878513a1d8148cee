"""The results of a study as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from scripts.mutants.draw import LAYERS, read
from scripts.mutants.run import MARKS, Result, results
from tests.support.source import ROOT

KILLED = {"quick": "killed by quick tests", "browser": "in the browser only", "long": "by long tests only"}
BOUND = "of those within the limit"
COLUMNS = ("run", *KILLED.values(), "survived", BOUND, "timed out")


def columns(found: Mapping[str, Result]) -> list[str]:
    """Return the columns that count a mutant with these results, by phase."""
    last = found[[phase for phase in MARKS if phase in found][-1]]
    if last.status == "survived":
        return ["run", "survived"] + ([] if all(result.complete for result in found.values()) else [BOUND])
    return ["run", KILLED[last.phase]] + (["timed out"] if last.status == "timeout" else [])


def table(folder: Path) -> str:
    """Return the counts of each layer, and the survivors with their lines."""
    mutants = {mutant.id: mutant for mutant in read(folder)}
    found: dict[str, dict[str, Result]] = {}
    for result in results(folder):
        found.setdefault(result.id, {})[result.phase] = result
    invalid = {name for name, phases in found.items() if any(result.status == "invalid" for result in phases.values())}
    valid = {name: phases for name, phases in found.items() if name not in invalid}
    counts = {layer: Counter[str]() for layer in LAYERS}
    for mutant in mutants.values():
        counts[mutant.layer]["drawn"] += not mutant.reserve
    for name, phases in valid.items():
        counts[mutants[name].layer].update(columns(phases))
    heads = ["layer", "drawn", *COLUMNS]
    lines = [f"| {' | '.join(heads)} |", "|---|" + "---:|" * (len(heads) - 1)]
    for layer, count in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        lines.append(f"| {layer} | {' | '.join(str(count[head]) for head in heads[1:])} |")
    lines += [
        "",
        f"A mutant that timed out counts as killed. {len(invalid)} did not compile or import and were drawn again.",
    ]
    lines += ["", "Survivors:", ""]
    for name, phases in valid.items():
        if "survived" in columns(phases):
            mutant = mutants[name]
            limit = ", within the limit" if BOUND in columns(phases) else ""
            lines += [f"{name} `{mutant.path}:{mutant.line}` {mutant.operator}{limit}", "```diff"]
            lines += [mutant.diff((ROOT / mutant.path).read_bytes()), "```", ""]
    return "\n".join(lines)
