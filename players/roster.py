"""Who can be seated: the games' built-in players, and those that the roster file names.

A roster is a TOML file (`players.toml` beside this one is the default, and explains itself). It names the environment
variable that holds a player's key; the key itself is read from there, and never leaves the object that calls with it.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from grandstand.games.base import OptionError, SeatId
from grandstand.games.spec import GameSpec
from grandstand.models import Event, PlayerInfo, PlayerReported, flat
from grandstand.players.base import Player
from grandstand.players.bot import BotPlayer
from grandstand.players.kinds import KINDS
from grandstand.players.llm.budget import Budget
from grandstand.players.options import FallibleOptions, Options
from grandstand.players.roster_file import Entry, Limits, RosterError, RosterFile, read_file, read_options
from grandstand.players.seating import SeatRequest

DEFAULT = Path(__file__).parent / "players.toml"


@dataclass(frozen=True)
class Listed:
    """An entry whose options were read."""

    entry: Entry
    options: Options
    shared: dict[str, Any] = field(default_factory=dict)


class Roster:
    """The players of a file. `environment` is where keys are looked up, when a player is first seated."""

    def __init__(self, file: RosterFile, where: str, environment: Mapping[str, str] = os.environ) -> None:
        """`where` names the file in complaints. Raises RosterError."""
        self.limits: Limits = file.budget
        self._environment = environment
        self._listed: dict[str, Listed] = {}
        for entry in file.player:
            if entry.name in self._listed:
                raise RosterError(f"{where}: player {entry.name!r}: there are two of that name; rename one")
            self._listed[entry.name] = Listed(entry, read_options(file, entry, where))

    @classmethod
    def load(cls, path: Path | None = None, environment: Mapping[str, str] = os.environ) -> Roster:
        """The roster of a file, by default the one that comes with the house. Raises RosterError."""
        path = path or DEFAULT
        return cls(read_file(path), str(path), environment)

    def players(self, spec: GameSpec) -> list[PlayerInfo]:
        """Everybody who may play `spec`: its bots, the strongest first, then the file's entries in order."""
        infos = [
            PlayerInfo(name=name, kind="bot", game=spec.name, description=_first_line(bot.__doc__))
            for name, bot in spec.bots.items()
        ]
        for listed in self._listed.values():
            entry = listed.entry
            if entry.games is None or spec.name in entry.games:
                reason = self._unavailable(listed, spec)
                infos.append(
                    PlayerInfo(
                        name=entry.name,
                        kind=entry.kind,
                        game=spec.name,
                        description=entry.description,
                        available=not reason,
                        reason=reason,
                    )
                )
        return infos

    def episode(self, spec: GameSpec, events: Iterable[Event] = (), within: Budget | None = None) -> Seating:
        """The seating of one episode, its budgets less what `events` of its log say was spent.

        `within` is the budget of several episodes that this one draws on.
        """
        return Seating(self, spec, events, within)

    def settings(self, name: str) -> dict[str, Any]:
        """What decides how the entry `name` plays, as data; empty for a built-in player."""
        listed = self._listed.get(name)
        if listed is None:
            return {}
        return {"kind": listed.entry.kind, "options": listed.options.model_dump(mode="json", exclude={"headers"})}

    def find(self, spec: GameSpec, name: str, seat: SeatId) -> Listed:
        """The entry `name`, if it can be seated. Raises OptionError, saying who there is or what is missing."""
        listed = self._listed.get(name)
        if listed is None:
            known = ", ".join((*spec.bots, *self._listed))
            raise OptionError(f"players.{seat}: {spec.name} has no player {name!r}; there are {known}")
        games = listed.entry.games
        if games is not None and spec.name not in games:
            raise OptionError(f"players.{seat}: {name} plays {', '.join(games)}, not {spec.name}")
        if reason := self._unavailable(listed, spec):
            raise OptionError(f"players.{seat}: {name} is not available: {reason}")
        return listed

    def key(self, entry: Entry) -> SecretStr | None:
        return SecretStr(self._environment[entry.key_env].strip()) if entry.key_env else None

    def _unavailable(self, listed: Listed, spec: GameSpec) -> str:
        """Why the entry cannot be seated now, and the remedy; empty where it can."""
        name, key_env = listed.entry.name, listed.entry.key_env
        if name in spec.bots:
            return f"{spec.name} has a built-in player of this name; rename the entry"
        if key_env is not None:
            key = self._environment.get(key_env, "").strip()
            if not key:
                return f"its key is missing: set the environment variable {key_env}"
            if not (key.isascii() and key.isprintable()):
                return f"its key cannot be sent: {key_env} holds characters that no HTTP header can carry"
        fallback = _fallback_name(listed.options, spec)
        if fallback not in spec.bots:
            return f"its fallback {fallback!r} is no built-in player of {spec.name}; there are {', '.join(spec.bots)}"
        return listed.options.unavailable()


@cache
def roster_of(path: Path | None) -> Roster:
    """The roster of a file, read once in a process: all its matches share what the seats of an entry have in common.

    Raises RosterError.
    """
    return Roster.load(path)


class Seating:
    """Fills the seats of one episode, which share its budget."""

    def __init__(self, roster: Roster, spec: GameSpec, events: Iterable[Event], within: Budget | None) -> None:
        self._roster = roster
        self._spec = spec
        self._whole = Budget("the episode's", roster.limits.tokens, roster.limits.dollars, within)
        self._own: dict[tuple[SeatId, str], Budget] = {}
        self._spent = _spent(events)
        for tokens, dollars in self._spent.values():
            self._whole.book(tokens, dollars)

    def player(self, name: str, seat: SeatId) -> Player:
        """A new player for `seat`: a built-in one of that name, or the roster's. Raises OptionError."""
        if name in self._spec.bots:
            return BotPlayer(self._spec, name)
        listed = self._roster.find(self._spec, name, seat)
        entry = listed.entry
        request = SeatRequest(
            name=name,
            kind=entry.kind,
            options=listed.options,
            key=self._roster.key(entry),
            spec=self._spec,
            seat=seat,
            fallback=self._spec.bots[_fallback_name(listed.options, self._spec)],
            budget=self._budget(seat, entry),
            shared=listed.shared,
        )
        player: Player = import_module(KINDS[entry.kind].module).seat(request)
        return player

    def _budget(self, seat: SeatId, entry: Entry) -> Budget:
        """The seat's own budget with this entry: the same one when the entry comes back to it."""
        if (seat, entry.name) not in self._own:
            tokens, dollars = self._spent[seat]
            limits = entry.budget
            own = Budget("this seat's", limits.tokens, limits.dollars, self._whole, tokens, dollars)
            self._own[seat, entry.name] = own
        return self._own[seat, entry.name]


def _spent(events: Iterable[Event]) -> defaultdict[SeatId, tuple[int, float]]:
    """(tokens, dollars) that each seat spent, as its reports in the log tell."""
    spent: defaultdict[SeatId, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    for event in flat(events):
        if event.type == "PlayerReported":
            told = PlayerReported.model_validate(event.data)
            usage, (tokens, dollars) = told.report.usage, spent[told.seat]
            spent[told.seat] = (tokens + usage.tokens_in + usage.tokens_out, dollars + (usage.dollars or 0.0))
    return spent


def _fallback_name(options: Options, spec: GameSpec) -> str:
    """The built-in player that acts after a fault, by default the game's strongest."""
    named = options.fallback if isinstance(options, FallibleOptions) else ""
    if isinstance(named, dict):
        named = named.get(spec.name, "")
    return named or next(iter(spec.bots))


def _first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0]
