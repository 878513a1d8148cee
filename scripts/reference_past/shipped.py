"""What the package's folder has already, which is not played again while the rules are the same."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grandstand.events import EpisodeCreated
from grandstand.games.catalog import BUILT_IN
from grandstand.games.registry import game_spec
from grandstand.server.reference.episodes import ReferenceEpisodes
from grandstand.server.reference.results import RESULT, RESULTS
from grandstand.server.results.finished_match import FinishedMatch
from scripts.reference_past.play import SERIES, Kept, keep, keep_match, kept_match


def keep_shipped(folder: Path, out: Path) -> None:
    """Keep the matches of `out` that `folder` does not have: with their records where those ship, else their results.

    Matches that were played by older rules, or with other options than their series has now, are left out.
    """
    shipped = ReferenceEpisodes(BUILT_IN, out)
    for episode_id, summary in shipped.summaries.items():
        if summary.game in BUILT_IN and not kept_match(folder, episode_id).is_file():
            events = shipped.events(episode_id)
            created = EpisodeCreated.model_validate(events[0].data)
            if created.origin == "imported" or is_current(episode_id, created.game, created.rules, created.options):
                keep(folder, events)
    for result in _results(out / RESULTS):
        options = result.match.options
        current = is_current(result.episode_id, options.game, options.rules, json.loads(options.options))
        if current and not kept_match(folder, result.episode_id).is_file():
            known = RESULT.dump_python(result, mode="json")
            keep_match(folder, Kept(episode_id=result.episode_id, summary=None, surprise=0.0, result=known))


def is_current(episode_id: str, game: str, rules: int, options: Mapping[str, Any]) -> bool:
    """Return whether a match has the rules of today, and the options that its series has now."""
    series = SERIES.get(episode_id.removeprefix("reference-").rpartition("-")[0])
    spec = game_spec(game)
    return rules == spec.rules.version and (series is None or dict(options) == series.all_options())


def _results(file: Path) -> Iterator[FinishedMatch]:
    if file.is_file():
        with gzip.open(file, "rb") as lines:
            yield from map(RESULT.validate_json, lines)
