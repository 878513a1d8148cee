"""The recorded choices of an episode, played again: as a fixed opponent, or to examine one side of a match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from grandstand.events import ActionChosen, NegotiationHeld, TurnStarted
from grandstand.games.base import Action, OptionError, SeatId
from grandstand.games.match import Match
from grandstand.games.spec import Bot
from grandstand.models import Event, flat
from grandstand.players.base import Choice, Player, PressReply
from grandstand.players.errors import PlayerError
from grandstand.players.options import RecordedOptions
from grandstand.players.seating import SeatRequest
from grandstand.spectator.errors import RecordError
from grandstand.spectator.record_file import read_events


class RecordedPlayer(Player):
    """A player that repeats the recorded actions of the turn of the same name; after the last, its fallback acts."""

    kind = "recorded"
    resumable = False  # the log does not contain its position within a turn
    talks = True

    def __init__(self, name: str, events: Iterable[Event], seat: SeatId, fallback: Bot | None) -> None:
        self.name = name
        self.fallback = fallback
        self._actions: dict[str, list[Action]] = defaultdict(list)
        self._messages: dict[tuple[str, int], list[Action]] = {}
        self._turn = ""
        self._played = 0
        self._index(events, seat)

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        turn = match.game.turn
        if turn != self._turn:
            self._turn, self._played = turn, 0
        actions = self._actions.get(turn, [])
        if self._played >= len(actions):
            raise PlayerError("player", f"the record has no further choice for {turn}")
        self._played += 1
        return Choice(actions[self._played - 1], "recorded")

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        return PressReply(self._messages.get((match.game.turn, round), ()), "recorded")

    def _index(self, events: Iterable[Event], seat: SeatId) -> None:
        """Group the seat's actions by turn; actions before the end of a round of press are its messages."""
        turn = ""
        for event in flat(events):
            if event.type == "TurnStarted":
                turn = TurnStarted.model_validate(event.data).turn
            elif event.type == "NegotiationHeld":
                ended = NegotiationHeld.model_validate(event.data)
                self._messages[turn, ended.round] = self._actions.pop(turn, [])
            elif event.type == "ActionChosen" and event.data["seat"] == seat:
                self._actions[turn].append(ActionChosen.model_validate(event.data).action)


def create_player(request: SeatRequest) -> Player:
    """Return a player of recorded choices. Raises OptionError if the record cannot be read or lacks the seat."""
    options: RecordedOptions = request.options
    events = read_record(options.file)
    created = events[0].data
    if created.get("game") != request.spec.name:
        raise OptionError(f"{request.name}: {options.file} is a record of {created.get('game')}")
    seat = options.seat or request.seat
    player = RecordedPlayer(request.name, events, seat, request.fallback)
    if seat not in {info["seat"] for info in created["seats"]}:
        raise OptionError(f"{request.name}: {options.file} has no seat {seat}")
    return player


def read_record(file: Path) -> list[Event]:
    """Return the events of a record file. Raises OptionError naming file, line and remedy."""
    try:
        return read_events(file)
    except RecordError as error:
        raise OptionError(str(error)) from None
