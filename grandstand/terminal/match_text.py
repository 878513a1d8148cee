"""A match in a terminal: a screen for each moment, or plain lines if the output is not a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.layout import Layout
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from grandstand.games.picture import Card
from grandstand.games.picture_text import text_lines
from grandstand.models import Event, flat
from grandstand.play.scenes import card_of, colours_of, game_title, headline_of, picture_of, public_scene
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.summary import summary_of
from grandstand.terminal.console import harmless

RECENT = 60
"""The most comments and messages on a screen."""
UNREADABLE = (KeyError, TypeError, ValueError, IndexError, AttributeError)
"""Exceptions that invalid recorded data can cause."""
NARROW = 100
"""Columns below which the board and the words are not side by side."""
STATUS = {"live": "green", "queued": "yellow", "finished": "bright_black", "error": "red"}


def screen(events: Sequence[Event], *, width: int, height: int, connection: str = "") -> RenderableType:
    """Return the moment after `events`, a prefix of a match, for a terminal of that size."""
    summary = summary_of(events)
    card = _card(summary, events)
    layout = Layout()
    rows = len(card.rows) + len(card.facts) + 3
    top = Panel(_standing(summary, card), title=_text(card.turn), title_align="left")
    words = Panel(_words(events, height), title="Story", title_align="left")
    body = Layout(name="body")
    if width < NARROW:
        body.split_column(Layout(top, size=rows), Layout(words))
    else:
        left = Layout(name="left")
        left.split_column(Layout(top, size=rows), Layout(_board(summary, events)))
        body.split_row(left, Layout(words))
    layout.split_column(Layout(_title(summary, connection), size=2), body, Layout(_headline(summary), size=3))
    return layout


def lines(event: Event) -> Iterator[str]:
    """Yield lines of plain text on `event`; most events have none."""
    for part in flat([event]):
        data = part.data
        match part.type:
            case "EpisodeCreated":
                yield f"{data['title'] or data['game']} ({game_title(data['game'])})"
                yield ", ".join(f"{info['seat']}: {info['player']}" for info in data["seats"])
            case "TurnStarted":
                yield f"-- {data['turn']}"
            case "CommentAdded":
                yield data["text"]
            case "MessageSent":
                # Messages of an unknown game may have other fields.
                to = "all" if data.get("public") else ", ".join(map(str, data.get("recipients", ())))
                yield f"{data.get('sender', '')} to {to}: {data.get('text', '')}"
            case "PlayerFault":
                yield f"{data['seat']} failed ({data['boundary']}): {data['message']}"
            case "EpisodeEnded":
                outcome = data.get("outcome")
                yield f"== {outcome['text'] if outcome else data.get('message') or data['status']}"


def standing_line(events: Sequence[Event]) -> str:
    """Return the standing after `events` on one line."""
    card = _card(summary_of(events), events)
    return "   " + ", ".join(f"{row.name} {row.score}" for row in card.rows)


def plain_lines(events: Sequence[Event], first: int) -> Iterator[str]:
    """Yield the lines of the events of `events` from its item `first` on, with the standing at the last turn."""
    turns = [number for number in range(first, len(events)) if events[number].type == "TurnStarted"]
    for number in range(first, len(events)):
        for line in lines(events[number]):
            yield harmless(line)
        if turns and number == turns[-1]:
            yield harmless(standing_line(events[: number + 1]))


def _card(summary: EpisodeSummary, events: Sequence[Event]) -> Card:
    """Return the card of the standing; if the recorded data cannot be read, that of an unknown game."""
    try:
        return card_of(summary, public_scene(events))
    except UNREADABLE:
        return card_of(summary.model_copy(update={"game": ""}), [])


def _title(summary: EpisodeSummary, connection: str) -> RenderableType:
    table = Table.grid(expand=True)
    table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    table.add_column(justify="right", no_wrap=True)
    status = "paused" if summary.paused and summary.status == "live" else summary.status
    state = Text(connection or status, style="bold red" if connection else f"bold {STATUS.get(status, 'yellow')}")
    title = _text(summary.title or summary.episode_id, "bold") + _text(f"  {game_title(summary.game)}", "dim")
    table.add_row(title, state)
    return Group(table, Rule(style="dim"))


def _standing(summary: EpisodeSummary, card: Card) -> RenderableType:
    chances = summary.outlook.chances if summary.outlook and not summary.outcome else {}
    players = {info.seat: info.player for info in summary.seats}
    table = Table.grid(expand=True, padding=(0, 1))
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=2)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=2)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True, style="dim")
    colours = colours_of(summary)
    for row in card.rows:
        name = Text("▌ ", style=colours[row.seat].dark if row.seat in colours else "") + _text(
            row.name, "bold" if row.strong else "dim"
        )
        chance = f"{100 * chances[row.seat]:.0f}%" if row.seat in chances else ""
        table.add_row(name, _text(players.get(row.seat, ""), "dim"), _text(row.score), chance)
    return Group(table, *(_text(fact) for fact in card.facts))


def _board(summary: EpisodeSummary, events: Sequence[Event]) -> RenderableType:
    """Return the picture as text; nothing if there is none, or the recorded data cannot be read."""
    try:
        picture = picture_of(summary.game, public_scene(events))
        lines = list(text_lines(picture)) if picture else []
    except UNREADABLE:
        lines = []
    return Panel(Text("\n").join(map(_text, lines)), title="Board", title_align="left")


def _words(events: Sequence[Event], height: int) -> RenderableType:
    """Return the last comments and messages, the newest at the top."""
    texts: list[Text] = []
    for event in reversed(events):
        if len(texts) >= min(RECENT, height):
            break
        style = {"MessageSent": "cyan", "TurnStarted": "bold dim", "PlayerFault": "red", "EpisodeEnded": "bold"}
        for part in reversed(list(flat([event]))):
            if part.type != "EpisodeCreated":
                texts += [_text(line, style.get(part.type, "")) for line in lines(part)]
    return Group(*texts)


def _headline(summary: EpisodeSummary) -> RenderableType:
    return Group(Rule(style="dim"), _text(headline_of(summary) or "Nothing has happened yet.", "italic"))


def _text(text: str, style: str = "") -> Text:
    """Return literal text: neither markup nor control characters of a match are interpreted."""
    return Text(harmless(text), style=style)
