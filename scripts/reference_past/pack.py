"""Chooses the matches whose records are shipped, and writes the folder of the package that has the reference."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from grandstand.server.reference.episodes import EPISODES, SUMMARIES
from grandstand.server.reference.results import RESULT, RESULTS
from grandstand.spectator.replay import to_lines
from grandstand.spectator.summary import summary_of
from grandstand.spectator.viewpoint import OPERATOR
from scripts.reference_past.experiments import episode, read_experiments
from scripts.reference_past.play import RECORDS, Kept, kept_record, packed

CHOSEN: Mapping[str, int] = {"diplomacy": 8, "gunboat": 2, "people": 5, "cricket": 5, "t20": 6, "werewolf": 6}
"""Kind of match -> how many of its records are shipped: those in which the chances of winning moved most."""

LARGEST = 12 * 1024**2
"""Bytes of the whole folder; more is refused."""


def pack(folder: Path, out: Path) -> str:
    """Write the reference of the matches in `folder` into `out`, and return its contents in words."""
    kept = [Kept.model_validate_json(file.read_bytes()) for file in sorted((folder / RECORDS).glob("*.json"))]
    if not kept:
        raise SystemExit(f"{folder} has no matches yet: name a series, such as --werewolf 20")
    chosen = choose(kept)
    shutil.rmtree(out, ignore_errors=True)
    (out / EPISODES).mkdir(parents=True)
    for match in chosen:
        shutil.copyfile(kept_record(folder, match.episode_id), out / EPISODES / f"{match.episode_id}.gz")
    summaries = [match.summary.model_dump_json() for match in chosen if match.summary is not None]
    for experiment in read_experiments():
        events = episode(experiment)
        (out / EPISODES / f"{events[0].episode_id}.gz").write_bytes(packed("".join(to_lines(events, OPERATOR))))
        summaries.append(summary_of(events).model_copy(update={"reference": True}).model_dump_json())
    (out / SUMMARIES).write_bytes(packed("\n".join(summaries) + "\n"))
    names = {match.episode_id for match in chosen}
    results = [_result(match, names) for match in kept if match.result is not None]
    (out / RESULTS).write_bytes(packed("\n".join(results) + "\n"))
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    if size > LARGEST:
        raise SystemExit(f"{out} has {size:,} bytes, more than {LARGEST:,}: ship fewer records")
    return (
        f"{len(results):,} results, {len(chosen)} records, {len(summaries) - len(chosen)} experiments: {size:,} bytes"
    )


def kind_of(match: Kept) -> str:
    """Return the kind of a match: the name of its series, `people` or `t20`."""
    return match.episode_id.split("-")[1]


def choose(kept: Sequence[Kept]) -> list[Kept]:
    """Return the matches of each kind, with records, that surprised most. The games of people state no result."""
    by_kind: dict[str, list[Kept]] = defaultdict(list)
    for match in kept:
        if match.summary and (match.summary.outcome is not None or kind_of(match) == "people"):
            by_kind[kind_of(match)].append(match)
    best = {kind: sorted(matches, key=lambda match: -match.surprise) for kind, matches in by_kind.items()}
    return [match for kind, count in CHOSEN.items() for match in best.get(kind, [])[:count]]


def _result(match: Kept, recorded: set[str]) -> str:
    """Return the line of a result. Moments are of matches whose records are there."""
    here = match.episode_id in recorded
    assert match.result is not None
    result = {**match.result, "reference": True, "recorded": here}
    if not here:
        result["moments"] = {}
    else:
        result["moments"] = {seat: {**moment, "reference": True} for seat, moment in result["moments"].items()}
    return RESULT.dump_json(RESULT.validate_python(result), exclude_defaults=True).decode()
