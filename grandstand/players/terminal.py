"""A seat played by a person at this terminal, slot by slot."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Sequence
from functools import cache
from typing import TextIO

from rich.console import Console

from grandstand.games.answers import value_of
from grandstand.games.base import IllegalAction, SeatId
from grandstand.games.choices import Many, Option, Pick, Slot, Text, Value, default_value
from grandstand.games.match import Match
from grandstand.games.picture_text import text_lines
from grandstand.games.prompts import PromptSettings, joined
from grandstand.players.base import Choice, Player
from grandstand.players.errors import PlayerError
from grandstand.players.llm.prompt import reply_form

FOR_PEOPLE = ("rules", "position", "history", "notes")
"""The parts of a prompt that are shown to a person, who is asked for each choice separately."""
LISTED = 30
"""The most options that are printed; of more, only those that contain the typed text."""


class InputLines:
    """The lines of a text stream, read in a thread so that a match can end while nobody types."""

    def __init__(self, stream: TextIO, loop: asyncio.AbstractEventLoop) -> None:
        self._stream = stream
        self._loop = loop
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    async def next(self) -> str | None:
        """Return the next line; None at the end of the stream."""
        line = await self._lines.get()
        if not line:
            self._lines.put_nowait("")
        return line.strip() if line else None

    def _read(self) -> None:
        for line in self._stream:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        self._loop.call_soon_threadsafe(self._lines.put_nowait, "")


class TerminalPlayer(Player):
    """A person who is asked slot by slot."""

    kind = "human"
    resumable = True

    def __init__(self, name: str, lines: InputLines, console: Console) -> None:
        self.name = name
        self._lines = lines
        self._console = console

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        game = match.game
        parts = reply_form(match.spec).parts(game, seat, PromptSettings())
        self._print(f"\n{joined([part for part in parts if part.name in FOR_PEOPLE]).strip()}\n")
        if draw := match.spec.picture.draw:
            self._print("\n".join(text_lines(draw(game, seat))) + "\n")
        chosen: dict[str, Value] = {}
        while slots := game.choices(seat, dict(chosen)):
            for slot in slots:
                chosen[slot.name] = await self._ask(seat, slot)
        return Choice(game.action(seat, chosen), "human")

    async def _ask(self, seat: SeatId, slot: Slot) -> Value:
        """Ask until the answer is a value of the slot. Raise PlayerError at the end of the input."""
        options = slot.options if isinstance(slot, Pick | Many) else []
        if options and len(options) <= LISTED:
            self._list(options)
        while True:
            self._print(f"{seat}, {slot.prompt or slot.name}{_hint(slot)}:")
            line = await self._lines.next()
            if line is None:
                raise PlayerError("player", "the input ended")
            if not line and (isinstance(slot, Text) or slot.default is not None):
                return default_value(slot)
            try:
                return value_of(slot, _typed(slot, line))
            except IllegalAction as error:
                near = [option for option in options if line.casefold() in f"{option.word} {option.text}".casefold()]
                if len(near) == 1 and isinstance(slot, Pick):
                    return near[0].word
                if line and near:
                    self._list(near[:LISTED])
                if line:
                    self._print(str(error))

    def _list(self, options: Sequence[Option]) -> None:
        if not any(option.text or option.help for option in options):
            self._print("  " + ", ".join(option.word for option in options))
            return
        for option in options:
            self._print("  " + "  ".join(filter(None, (option.word, option.text, option.help))))

    def _print(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)


def terminal_player(name: str) -> TerminalPlayer:
    """Return a player who types at the standard input, and reads at the standard error."""
    return TerminalPlayer(name, _lines(asyncio.get_running_loop()), Console(stderr=True))


@cache
def _lines(loop: asyncio.AbstractEventLoop) -> InputLines:
    """Return the lines of the standard input, which all matches of an event loop share."""
    return InputLines(sys.stdin, loop)


def _typed(slot: Slot, line: str) -> str | list[str]:
    return [part for part in map(str.strip, line.split(",")) if part] if isinstance(slot, Many) else line


def _hint(slot: Slot) -> str:
    """Return a hint on the values of the slot and on its default."""
    if isinstance(slot, Text):
        return f" (up to {slot.limit} characters)"
    takes = ""
    if isinstance(slot, Many):
        takes = f"{slot.least} to {slot.most}, with commas"
    elif not isinstance(slot, Pick):
        takes = f"{slot.low} to {slot.high} {slot.unit}".strip()
    usual = "" if slot.default is None else f"Enter: {_shown(slot.default)}"
    return f" ({'; '.join(filter(None, (takes, usual)))})" if takes or usual else ""


def _shown(value: Value) -> str:
    return ", ".join(value) or "none" if isinstance(value, tuple) else str(value)
