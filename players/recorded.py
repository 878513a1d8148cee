"""The choices of a finished episode, played again: a known opponent, or one side of a match that is looked into."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ValidationError

from grandstand.games.base import Action, OptionError, SeatId
from grandstand.games.match import Match
from grandstand.games.spec import Bot
from grandstand.models import ActionChosen, Event, NegotiationHeld, TurnStarted, flat
from grandstand.players.base import Choice, Player, PlayerError, Talk
from grandstand.players.options import RecordedOptions
from grandstand.players.seating import SeatRequest


class RecordedPlayer(Player):
    """Does in each turn what was done in the turn of that name, as often as it was done; else its fallback acts."""

    kind = "recorded"
    resumable = False  # the log does not tell how far into a turn it was
    talks = True

    def __init__(self, name: str, events: Iterable[Event], seat: SeatId, fallback: Bot | None) -> None:
        self.name = name
        self.fallback = fallback
        self._actions: dict[str, list[Action]] = defaultdict(list)
        self._talks: dict[tuple[str, int], list[Action]] = {}
        self._turn = ""
        self._taken = 0
        self._learn(events, seat)

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        turn = match.game.turn
        if turn != self._turn:
            self._turn, self._taken = turn, 0
        actions = self._actions.get(turn, [])
        if self._taken >= len(actions):
            raise PlayerError("player", f"the record has no further choice for {turn}")
        self._taken += 1
        return Choice(actions[self._taken - 1], "recorded")

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> Talk:
        return Talk(self._talks.get((match.game.turn, round), ()), "recorded")

    def _learn(self, events: Iterable[Event], seat: SeatId) -> None:
        """Sort the seat's actions by turn; what came before the end of a round of press was said in it."""
        turn = ""
        for event in flat(events):
            if event.type == "TurnStarted":
                turn = TurnStarted.model_validate(event.data).turn
            elif event.type == "NegotiationHeld":
                held = NegotiationHeld.model_validate(event.data)
                self._talks[turn, held.round] = self._actions.pop(turn, [])
            elif event.type == "ActionChosen" and event.data["seat"] == seat:
                self._actions[turn].append(ActionChosen.model_validate(event.data).action)


def seat(request: SeatRequest) -> Player:
    """Raises OptionError where the record cannot be read or says nothing of the seat."""
    options: RecordedOptions = request.options
    events = read_record(options.file)
    created = events[0].data
    if created.get("game") != request.spec.name:
        raise OptionError(f"{request.name}: {options.file} is a record of {created.get('game')}")
    whose = options.seat or request.seat
    player = RecordedPlayer(request.name, events, whose, request.fallback)
    if whose not in {info["seat"] for info in created["seats"]}:
        raise OptionError(f"{request.name}: {options.file} has no seat {whose}")
    return player


def read_record(file: Path) -> Sequence[Event]:
    """The events of a download (JSON lines). Raises OptionError naming file, line and remedy."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"{file}: cannot be read: {error}") from None
    events = []
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
            if number == 1 and "format" in data:
                continue
            if data.keys() == {"seq"}:
                raise OptionError(f"{file}: line {number} is withheld; download the episode as an operator")
            events.append(Event.model_validate(data))
        except (ValueError, AttributeError) as error:
            if isinstance(error, OptionError):
                raise
            problem = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            raise OptionError(f"{file}: line {number} is no event: {problem}") from None
    if not events or events[0].type != "EpisodeCreated":
        raise OptionError(f"{file}: does not start with EpisodeCreated; it is not a whole record")
    return events
