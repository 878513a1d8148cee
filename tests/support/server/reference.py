"""A folder of reference episodes, as the package has one."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

from grandstand.models import Event
from grandstand.server.reference.episodes import EPISODES, SUMMARIES
from grandstand.spectator.replay import to_lines
from grandstand.spectator.summary import summary_of
from grandstand.spectator.viewpoint import OPERATOR


def named(events: Sequence[Event], episode_id: str) -> list[Event]:
    """Return the events under another id."""
    return [event.model_copy(update={"episode_id": episode_id}) for event in events]


def reference_folder(folder: Path, episodes: Sequence[Sequence[Event]]) -> Path:
    """Write `episodes` as the reference in `folder`."""
    (folder / EPISODES).mkdir(parents=True)
    lines = []
    for events in episodes:
        file = folder / EPISODES / f"{events[0].episode_id}.gz"
        file.write_bytes(gzip.compress("".join(to_lines(events, OPERATOR)).encode()))
        lines.append(summary_of(events).model_copy(update={"reference": True}).model_dump_json() + "\n")
    (folder / SUMMARIES).write_bytes(gzip.compress("".join(lines).encode()))
    return folder
