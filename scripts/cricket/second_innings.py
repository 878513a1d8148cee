"""Do real second innings differ from first ones by the time of the day, or by the ground?

    python -m scripts.cricket.second_innings FOLDER_OR_GIT_DIR

Reads Cricsheet JSON files (ODC-By 1.0) as `check_laws.py` does. Of two matches of one day, the one with the lower
number began in the afternoon. The difference of an innings is its runs an over less those of the first one.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

from scripts.cricket.check_laws import documents

FEWEST = 15
"""Matches of a ground that counts."""


class Chase(NamedTuple):
    """A match with a result: its day and number, its ground, the difference, and whether the chase won."""

    day: str
    number: int
    ground: str
    difference: float
    won: float


def chases(source: Path) -> Iterator[Chase]:
    for match in documents(source):
        info = match.get("info", {})
        innings = [each for each in match.get("innings", ()) if not each.get("super_over")]
        outcome = info.get("outcome", {})
        if len(innings) < 2 or "method" in outcome or not outcome.keys() & {"winner", "eliminator"}:
            continue
        first, second = (rate(each) for each in innings[:2])
        won = 0.5 if "winner" not in outcome else float(outcome["winner"] == innings[1]["team"])
        number = info.get("event", {}).get("match_number", 999)
        yield Chase(info["dates"][0], number, info.get("city", ""), second - first, won)


def rate(innings: dict[str, Any]) -> float:
    """Return runs an over."""
    balls = [ball for over in innings["overs"] for ball in over["deliveries"]]
    legal = sum(not ball.get("extras", {}).keys() & {"wides", "noballs"} for ball in balls)
    return float(6 * sum(ball["runs"]["total"] for ball in balls) / legal)


def told(name: str, group: Sequence[Chase]) -> None:
    """Print the means of a group with 95 % intervals."""
    count = len(group)
    values = [chase.difference for chase in group]
    won = fmean(chase.won for chase in group)
    print(
        f"{name}: {count} matches, runs an over {fmean(values):+.2f} ± {1.96 * stdev(values) / count**0.5:.2f}, "
        f"chases won {won:.3f} ± {1.96 * (won * (1 - won) / count) ** 0.5:.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    rows = sorted(chases(parser.parse_args().source))
    days = [list(group) for _, group in groupby(rows, itemgetter(0))]
    told("afternoon", [day[0] for day in days if len(day) > 1])
    told("evening", [chase for day in days for chase in day[len(day) > 1 :]])
    grounds = defaultdict[str, list[float]](list)
    for row in rows:
        grounds[row.ground].append(row.difference)
    known = [values for values in grounds.values() if len(values) >= FEWEST]
    everything = [value for values in known for value in values]
    between = sum(len(values) * (fmean(values) - fmean(everything)) ** 2 for values in known) / (len(known) - 1)
    spread = sum((value - fmean(values)) ** 2 for values in known for value in values)
    within = spread / (len(everything) - len(known))
    size = (len(everything) - sum(len(values) ** 2 for values in known) / len(everything)) / (len(known) - 1)
    print(
        f"{len(known)} grounds, {len(everything)} matches: sd within a ground {within**0.5:.2f}, "
        f"variance between grounds {(between - within) / size:.3f}, F {between / within:.2f}"
    )


if __name__ == "__main__":
    main()
