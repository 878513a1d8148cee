"""An episode as a file: the record, the page, or a format of the game, as one viewpoint may know it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grandstand.events import Reveal
from grandstand.games.base import Json, OptionError
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.models import Event, flat
from grandstand.play.exchange.standalone import SpokenLine, page_file
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.replay import to_lines
from grandstand.spectator.summary import summary_of
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint

RECORD, PAGE, DECISIONS = "jsonl", "html", "parquet"
"""The formats that every game has. `parquet` is a folder, which `decisions.py` writes."""


@dataclass(frozen=True, slots=True)
class EpisodeView:
    """An episode as far as it is released to a viewpoint."""

    summary: EpisodeSummary
    events: Sequence[Event]
    """All released events, including those whose content the viewpoint may not know."""
    viewpoint: Viewpoint

    @property
    def known(self) -> Iterator[Event]:
        """Yield the visible parts of the events."""
        return flat(event for event in map(self.viewpoint.known, self.events) if event is not None)


def view_of(events: Sequence[Event], viewpoint: Viewpoint, now: float) -> EpisodeView:
    """Return the view of a record at `now`, in Unix time: a spectator's is behind by the delay of the episode."""
    delay = float(events[0].data.get("delay", 0.0)) if viewpoint.delayed else 0.0
    released = [event for event in events if not event.seq or not delay or event.at + delay <= now]
    return EpisodeView(summary_of(released), released, viewpoint)


def revealed(reveal: Reveal, *, over: bool) -> Viewpoint:
    """Return the viewpoint that everybody may take: the analyst's once the episode is revealed."""
    opened = reveal == "live" or (reveal == "after" and over)
    return Viewpoint("analyst") if opened else SPECTATOR


def formats(game: str) -> list[str]:
    """Return the names of the formats in which an episode of a game can be written."""
    return [RECORD, PAGE, DECISIONS, *(game_spec(game).exchange.exports if game in GAMES else ())]


def format_named(game: str, name: str) -> str:
    """Return the format called `name`; the name of a game stands for its first one. Raises OptionError."""
    if name in formats(game):
        return name
    own = [*game_spec(game).exchange.exports] if game in GAMES else []
    if name == game and own:
        return own[0]
    raise OptionError(f"format: {game} has no {name!r}; there are {', '.join(formats(game))}")


def suffix_of(format: str) -> str:
    """Return the suffix of a file of this format; none for a folder."""
    return {RECORD: ".jsonl", PAGE: ".html", DECISIONS: ""}.get(format, ".json")


def media_type(format: str) -> str:
    """Return the media type of a file of this format."""
    return {RECORD: "application/x-ndjson", PAGE: "text/html"}.get(format, "application/json")


def export_text(view: EpisodeView, format: str, page: Path, clips: Sequence[SpokenLine] = ()) -> str:
    """Return the file of a format that is a text; `page` is the folder of the built page, `clips` are for it alone.

    Raises OptionError if the match is too short for the format, or the page is not built.
    """
    if format == RECORD:
        return "".join(to_lines(view.events, view.viewpoint))
    if format == PAGE:
        return page_file(view.summary, view.events, view.viewpoint, page, clips)
    return json.dumps(game_document(view, format), ensure_ascii=False) + "\n"


def game_document(view: EpisodeView, format: str) -> Json:
    """Return the document in a format of the game, from the events that the viewpoint may know. Raises OptionError."""
    write: Callable[[Sequence[tuple[str, Mapping[str, Json]]], Mapping[str, Json]], Json]
    write = game_spec(view.summary.game).exchange.exports[format]
    events = [(event.type, event.data) for event in view.known]
    try:
        return write(events, view.summary.model_dump(mode="json"))
    except (StopIteration, LookupError) as error:
        name = view.summary.episode_id
        raise OptionError(f"format: too little of {name} is known to be written as {format}") from error
