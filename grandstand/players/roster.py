"""The available players: the games' built-in players, and the entries of the roster file.

A roster is a TOML file; the default, `players.toml` in this folder, documents the format. It names the environment
variable that contains a player's key; the key is read from there, and only the object that signs requests holds it.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from grandstand.events import CommentatorReported, PlayerReported
from grandstand.games.base import OptionError, SeatId
from grandstand.games.spec import GameSpec
from grandstand.models import Event, PlayerInfo, flat
from grandstand.players.base import KINDS, Player
from grandstand.players.bot import BotPlayer
from grandstand.players.commentary import CommentaryModel, UnavailableModel
from grandstand.players.llm.budget import Budget
from grandstand.players.options import FallibleOptions, LLMOptions, Options
from grandstand.players.own_models import NEVER_GIVEN, OwnModels, OwnOffer, is_own, own_seats
from grandstand.players.prices import ListedPrice, PriceList, today
from grandstand.players.roster_file import (
    DEFAULT,
    Limits,
    PlayerTable,
    RosterError,
    RosterFile,
    priced,
    read_file,
    read_options,
    read_prices,
)
from grandstand.players.seating import EntryRequest, SeatRequest

COMMENTATOR: SeatId = ""
"""The commentator's key among the seats in a budget."""
ADDED_OPTIONS = (
    "memory",
    "intentions",
    "dialect",
    "effort",
    "thinking_tokens",
    "prompt_cache",
    "price_cache_write",
    "prompt",
)
"""Options that older stored evaluations lack: they count as settings only if they differ from the default."""


@dataclass(frozen=True)
class RosterEntry:
    """An entry of the file with its options as a typed object, and the data that its players share."""

    entry: PlayerTable
    options: Options
    shared: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class EntryPrice:
    """The price of a player's model, in US dollars for a million tokens. `listed` is its entry in the price file; None
    for a price that the roster sets."""

    input: float
    output: float
    listed: ListedPrice | None = None


class Roster:
    """The players of a file. Keys are looked up in `environment` when a player is created."""

    def __init__(self, file: RosterFile, where: str, environment: Mapping[str, str] = os.environ) -> None:
        """Read the options of every entry; `where` names the file in errors. Raises RosterError."""
        self.limits: Limits = file.budget
        self.within: Budget | None = None
        """The budget of this process for all calls with the roster's keys; None for no limit."""
        self.own = OwnOffer()
        """The endpoints that callers may use with their own keys."""
        self.prices: PriceList = read_prices(file, where)
        self._environment = environment
        self._entries: dict[str, RosterEntry] = {}
        for entry in file.player:
            if entry.name in self._entries:
                raise RosterError(f"{where}: player {entry.name!r}: there are two of that name; rename one")
            self._entries[entry.name] = RosterEntry(entry, read_options(file, entry, where, self.prices))

    @classmethod
    def load(cls, path: Path | None = None, environment: Mapping[str, str] = os.environ) -> Roster:
        """Return the roster of a file, by default the built-in one. Raises RosterError."""
        path = path or DEFAULT
        return cls(read_file(path), str(path), environment)

    def players(self, spec: GameSpec) -> list[PlayerInfo]:
        """Return the players of `spec`: its bots, the strongest first, then the file's entries in order."""
        infos = [
            PlayerInfo(name=name, kind="bot", game=spec.name, description=_first_line(bot.__doc__))
            for name, bot in spec.bots.players.items()
        ]
        for listed in self._entries.values():
            entry = listed.entry
            if entry.games is None or spec.name in entry.games:
                reason = self.unavailable(listed, spec)
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

    def episode(
        self,
        spec: GameSpec,
        events: Iterable[Event] = (),
        within: Budget | None = None,
        no_key: str = NEVER_GIVEN,
    ) -> Seating:
        """Return the seating of one episode, with budgets reduced by the spending that `events` of its log report.

        `within` is a budget that several episodes share, by default the process's; `no_key` is the reason why models
        that need a caller's key do not have it yet.
        """
        return Seating(self, spec, list(events), within or self.within, no_key)

    def models(self) -> Iterator[tuple[PlayerTable, LLMOptions, bool]]:
        """Yield the language models: entry, options, and whether the environment has what they need."""
        for listed in self._entries.values():
            key_env = listed.entry.key_env
            if isinstance(listed.options, LLMOptions):
                yield listed.entry, listed.options, not key_env or bool(self._environment.get(key_env, "").strip())

    def seated(
        self,
        spec: GameSpec,
        names: Mapping[SeatId, str],
        options: Mapping[str, Any] | None = None,
        events: Sequence[Event] = (),
        within: Budget | None = None,
    ) -> dict[SeatId, Player]:
        """Return a new player for every seat of a match with these options, the strongest built-in one where `names`
        has none.

        Their budgets account for the spending in `events`, and are part of `within`. Raises OptionError.
        """
        return self.episode(spec, events, within).players(names, options)

    def settings(self, name: str) -> dict[str, Any]:
        """Return the settings that affect the play of the entry `name`, as data; empty for a built-in player."""
        listed = self._entries.get(name)
        if listed is None:
            return {}
        options = listed.options.model_dump(mode="json", exclude={"headers"})
        fields = type(listed.options).model_fields
        unset = [name for name in ADDED_OPTIONS if name in fields and options[name] == fields[name].default]
        settings = {option: value for option, value in options.items() if option not in unset}
        return {"kind": listed.entry.kind, "options": settings}

    def price(self, name: str, day: date | None = None) -> EntryPrice | None:
        """Return what the model of the entry `name` costs on `day`, by default today.

        None if that is unknown, and for players that are no language models.
        """
        listed = self._entries.get(name)
        if listed is None or not isinstance(listed.options, LLMOptions):
            return None
        options = listed.options
        if options.price_in is not None:
            return EntryPrice(options.price_in, options.price_out or 0.0)
        price = self.prices.find(options.base_url, options.model, day or today())
        return None if price is None else EntryPrice(price.input, price.output, price)

    def priced(self, listed: RosterEntry) -> RosterEntry:
        """Return the entry with the prices of today, and the data that its players share at these prices."""
        if not isinstance(listed.options, LLMOptions):
            return listed
        options = priced(listed.options, self.prices, today())
        if options is listed.options:
            return listed
        shared = listed.shared.setdefault(f"priced {options.price_in}, {options.price_out}", {})
        return replace(listed, options=options, shared=shared)

    def find(self, spec: GameSpec, name: str, seat: SeatId) -> RosterEntry:
        """Return the entry `name`. Raises OptionError if it does not exist or is not available, with the reason."""
        listed = self._entries.get(name)
        if listed is None:
            names = ", ".join((*spec.bots.players, *self._entries))
            raise OptionError(f"players.{seat}: {spec.name} has no player {name!r}; there are {names}")
        games = listed.entry.games
        if games is not None and spec.name not in games:
            raise OptionError(f"players.{seat}: {name} plays {', '.join(games)}, not {spec.name}")
        if reason := self.unavailable(listed, spec):
            raise OptionError(f"players.{seat}: {name} is not available: {reason}")
        return listed

    def find_commentator(self, name: str) -> RosterEntry:
        """Return the entry `name`, whether or not it is available now. Raises OptionError if it is no commentator."""
        listed = self._entries.get(name)
        if listed is None or not KINDS[listed.entry.kind].commentator:
            models = [entry for entry, other in self._entries.items() if KINDS[other.entry.kind].commentator]
            named = ", ".join(models) or "none in this roster"
            raise OptionError(f"commentator: {name!r} is no language model of the roster; there are {named}")
        return listed

    def key(self, entry: PlayerTable) -> SecretStr | None:
        """Return the key of an available entry; None if it needs no key."""
        return SecretStr(self._environment[entry.key_env].strip()) if entry.key_env else None

    def unavailable(self, listed: RosterEntry, spec: GameSpec) -> str:
        """Return why the entry is not available, and the remedy; empty if it is."""
        name, key_env = listed.entry.name, listed.entry.key_env
        if name in spec.bots.players:
            return f"{spec.name} has a built-in player of this name; rename the entry"
        if key_env is not None:
            key = self._environment.get(key_env, "").strip()
            if not key:
                return f"its key is missing: set the environment variable {key_env}"
            if not (key.isascii() and key.isprintable()):
                return f"its key cannot be sent: {key_env} contains characters that are invalid in an HTTP header"
        fallback = _fallback_name(listed.options, spec)
        if fallback not in spec.bots.players:
            names = ", ".join(spec.bots.players)
            return f"its fallback {fallback!r} is not a built-in player of {spec.name}; there are {names}"
        if fallback in spec.bots.slow:
            return f"its fallback {fallback!r} is too slow for one; {spec.bots.default!r} answers at once"
        return listed.options.unsupported(spec.name, spec.talk.prompts) or listed.options.unavailable()


@cache
def roster_of(path: Path | None) -> Roster:
    """Return the roster of a file, read once in a process, so that all matches share the data of its entries.

    Raises RosterError.
    """
    return Roster.load(path)


class Seating:
    """A factory of the players and the commentator of one episode, which share its budget."""

    def __init__(
        self, roster: Roster, spec: GameSpec, events: Sequence[Event], within: Budget | None, no_key: str
    ) -> None:
        self._roster = roster
        self._spec = spec
        self._whole = Budget("the episode's", roster.limits.tokens, roster.limits.dollars, within)
        self._own: dict[tuple[SeatId, str], Budget] = {}
        self._spent = _spent(events)
        theirs, their_tokens, their_dollars = own_seats(events), 0, 0.0
        for seat, (tokens, dollars) in self._spent.items():
            if seat in theirs:
                their_tokens, their_dollars = their_tokens + tokens, their_dollars + dollars
            else:
                self._whole.book(tokens, dollars, until=roster.within)
        self.own = OwnModels(spec, roster.own, (their_tokens, their_dollars), no_key)
        """The models that are paid for with keys of callers."""

    def players(self, names: Mapping[SeatId, str], options: Mapping[str, Any] | None = None) -> dict[SeatId, Player]:
        """Return a new player for every seat of a match with these options, the strongest built-in one where `names`
        has none. Raises OptionError."""
        spec = self._spec
        seats = spec.seats(options)
        for seat in names:
            if seat not in seats:
                raise OptionError(f"players.{seat}: {spec.name} has no such seat; there are {', '.join(seats)}")
        return {seat: self.player(names.get(seat, spec.bots.default), seat) for seat in seats}

    def commentator(self, name: str) -> CommentaryModel | None:
        """Return the model of the entry `name`, which words the commentary; None if the name is empty.

        If it is not available now, each request of it fails. Raises OptionError if there is no such language model.
        """
        if not name:
            return None
        listed = self._roster.priced(self._roster.find_commentator(name))
        entry = listed.entry
        if reason := self._roster.unavailable(listed, self._spec):
            return UnavailableModel(name, reason)
        request = EntryRequest(
            name=name,
            kind=entry.kind,
            options=listed.options,
            key=self._roster.key(entry),
            spec=self._spec,
            budget=self._budget(COMMENTATOR, entry),
            shared=listed.shared,
        )
        return KINDS[entry.kind].create_commentator(request)

    def same_commentator(self, name: str) -> CommentaryModel | None:
        """Return the model `name` of a recorded match, or one whose requests fail if the roster no longer has it."""
        try:
            return self.commentator(name)
        except OptionError as error:
            return UnavailableModel(name, str(error))

    def player(self, name: str, seat: SeatId) -> Player:
        """Return a new player for `seat`: the built-in player `name`, or the roster's. Raises OptionError."""
        if name in self._spec.bots.players:
            return BotPlayer(self._spec, name)
        if is_own(name):
            return self.own.seat(name, seat)
        listed = self._roster.priced(self._roster.find(self._spec, name, seat))
        entry = listed.entry
        request = SeatRequest(
            name=name,
            kind=entry.kind,
            options=listed.options,
            key=self._roster.key(entry),
            spec=self._spec,
            seat=seat,
            fallback=self._spec.bots.players[_fallback_name(listed.options, self._spec)],
            budget=self._budget(seat, entry),
            shared=listed.shared,
        )
        return KINDS[entry.kind].create_player(request)

    def _budget(self, seat: SeatId, entry: PlayerTable) -> Budget:
        """Return the budget of a seat, or of COMMENTATOR, for this entry: always the same object."""
        if (seat, entry.name) not in self._own:
            tokens, dollars = self._spent[seat]
            limits = entry.budget
            whose = "the commentator's" if seat == COMMENTATOR else "this seat's"
            own = Budget(whose, limits.tokens, limits.dollars, self._whole, tokens, dollars)
            self._own[seat, entry.name] = own
        return self._own[seat, entry.name]


def _spent(events: Iterable[Event]) -> defaultdict[SeatId, tuple[int, float]]:
    """Return (tokens, dollars) that each seat and COMMENTATOR spent according to the reports in the log."""
    spent: defaultdict[SeatId, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    for event in flat(events):
        report: PlayerReported | CommentatorReported
        match event.type:
            case "PlayerReported":
                report = PlayerReported.model_validate(event.data)
                spender = report.seat
            case "CommentatorReported":
                report, spender = CommentatorReported.model_validate(event.data), COMMENTATOR
            case _:
                continue
        usage, (tokens, dollars) = report.report.usage, spent[spender]
        spent[spender] = (tokens + usage.tokens_in + usage.tokens_out, dollars + (usage.dollars or 0.0))
    return spent


def _fallback_name(options: Options, spec: GameSpec) -> str:
    """Return the name of the built-in player that acts after a fault, by default the game's strongest."""
    named = options.fallback if isinstance(options, FallibleOptions) else ""
    if isinstance(named, dict):
        named = named.get(spec.name, "")
    return named or spec.bots.default


def _first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0]
