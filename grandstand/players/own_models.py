"""Language models that a caller pays for with a key of its own, in the seats of one match.

The key is in memory only, in the object that signs the requests of its seat, and only as long as the match is played.
A restart also needs the name of the player in the record, `own:ENDPOINT:MODEL`. The operator names the
endpoints: an arbitrary address would let a caller send requests from this machine.
"""

from __future__ import annotations

import asyncio
import logging
import re
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import SecretStr

from grandstand.games.base import OptionError, SeatId
from grandstand.games.match import Match
from grandstand.games.spec import GameSpec
from grandstand.models import Event
from grandstand.players.base import KINDS, Choice, Player, PressReply, ignore_progress
from grandstand.players.errors import PlayerError
from grandstand.players.llm.budget import Budget
from grandstand.players.options import LLMOptions
from grandstand.players.seating import SeatRequest

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

PREFIX = "own:"
"""The prefix of these players' names. Roster entries and built-in players have no colon in their names."""

SHORTEST_KEY, LONGEST_KEY = 8, 512

NEVER_GIVEN = "no key was entered for this model; enter one to go on"
ENDED = "the match has ended, and the key with it"
RESTARTED = "the key was given for one match and is gone after a restart; enter it again to go on"
FORKED = "the key was given for another match; enter one to go on"
TIME_OVER = "the time for which a key is kept is over; enter it again to go on"


@dataclass(frozen=True)
class OwnOffer:
    """The endpoints that callers may use with their own keys, and the limits of one match."""

    endpoints: Mapping[str, LLMOptions] = field(default_factory=dict)
    """Options of a model by the name of its endpoint; their `model` is replaced by the caller's."""
    tokens: int = 500_000
    """Tokens that all such models of one match may spend together."""
    seconds: float = 3600.0
    """Seconds for which a key is kept at most."""


def own_name(endpoint: str, model: str) -> str:
    """Return the name of a player in the record."""
    return f"{PREFIX}{endpoint}:{model}"


def is_own(player: str) -> bool:
    """Return whether the player of this name is paid for by a caller."""
    return player.startswith(PREFIX)


def parts_of(player: str) -> tuple[str, str]:
    """Return (endpoint, model) of the name of a player."""
    endpoint, _, model = player.removeprefix(PREFIX).partition(":")
    return endpoint, model


def own_seats(events: Sequence[Event]) -> frozenset[SeatId]:
    """Return the seats that such players have in the match of this log."""
    if not events or events[0].type != "EpisodeCreated":
        return frozenset()
    return frozenset(info["seat"] for info in events[0].data["seats"] if is_own(info["player"]))


class OwnModelPlayer(Player):
    """A seat's model, which plays while it has a key; without one every answer is a provider's fault."""

    kind = "llm"
    resumable = True
    calls_provider = True
    talks = True

    def __init__(self, request: SeatRequest, why: str) -> None:
        """`request` fills the seat once the key is known; `why` is the reason for its absence."""
        self.name = request.name
        self.fallback = request.fallback
        self.watch = ignore_progress
        self.why = why
        """The reason for the absence of the key, in public words."""
        self._request = request
        self._model: Player | None = None
        self._shared: dict[str, Any] = {}

    @property
    def has_key(self) -> bool:
        return self._model is not None

    def enter(self, key: SecretStr) -> None:
        """Play with this key from now on."""
        self._shared = {}
        request = replace(self._request, key=key, shared=self._shared)
        self._model = KINDS[request.kind].create_player(request)

    def forget(self, why: str) -> None:
        """Drop the key."""
        self._model, self._shared, self.why = None, {}, why

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        return await self._answer(lambda model: model.choose(match, seat))

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        return await self._answer(lambda model: model.negotiate(match, seat, round, rounds))

    async def _answer(self, ask: Callable[[Player], Awaitable[Answer]]) -> Answer:
        """Return the model's answer. Raises PlayerError, and nothing else.

        The text of any other error may quote the key: it is logged without the key and not passed on.
        """
        model, endpoint = self._model, self._shared.get("endpoint")
        if model is None:
            raise PlayerError("provider", self.why)
        model.watch = self.watch
        try:
            return await ask(model)
        except PlayerError:
            raise
        except Exception as error:
            trace = endpoint.scrub(traceback.format_exc()) if endpoint else type(error).__name__
            log.error("%s failed by a bug of ours:\n%s", self.name, trace)
        raise PlayerError("ours", "a bug in Grandstand; its log has the reason")


class OwnModels:
    """The models of one match that are paid for by callers."""

    def __init__(self, spec: GameSpec, offer: OwnOffer, spent: tuple[int, float], why: str) -> None:
        """`spent` are the tokens and dollars that the log reports, `why` the reason for the absence of keys."""
        self.players: dict[SeatId, OwnModelPlayer] = {}
        self._spec = spec
        self._offer = offer
        self._why = why
        self._budget = Budget("this match's own-key", offer.tokens, tokens_spent=spent[0], dollars_spent=spent[1])
        self._timer: asyncio.TimerHandle | None = None

    def __bool__(self) -> bool:
        return bool(self.players)

    @property
    def keyed(self) -> bool:
        """Return whether a key is held for any seat."""
        return any(player.has_key for player in self.players.values())

    def seat(self, name: str, seat: SeatId) -> OwnModelPlayer:
        """Return the player of that name for `seat`, without its key. Raises OptionError."""
        endpoint, model = parts_of(name)
        options = self._offer.endpoints.get(endpoint)
        why = self._why
        if options is None:
            offered = ", ".join(self._offer.endpoints) or "none on this server"
            if self._why not in (RESTARTED, FORKED):
                raise OptionError(f"models.{seat}.endpoint: it is not offered; there are {offered}")
            why = "the server no longer offers the endpoint of this model"
            options = LLMOptions(base_url="http://127.0.0.1:1", model=model)
        player = OwnModelPlayer(
            SeatRequest(
                name=name,
                kind="llm",
                options=options.model_copy(update={"model": model}),
                key=None,
                spec=self._spec,
                seat=seat,
                fallback=self._spec.bots.players[self._spec.bots.default],
                budget=Budget("this seat's", within=self._budget),
                shared={},
            ),
            why,
        )
        self.players[seat] = player
        return player

    def enter(self, keys: Mapping[SeatId, SecretStr]) -> None:
        """Give the models of these seats their keys, for the time of the offer. Raises OptionError."""
        for seat, key in keys.items():
            player = self.players.get(seat)
            if player is None:
                seats = ", ".join(self.players) or "none"
                raise OptionError(f"seat: no model with a key of its own plays {seat}; such seats: {seats}")
            endpoint, _ = parts_of(player.name)
            if endpoint not in self._offer.endpoints:
                raise OptionError(f"models.{seat}.endpoint: the server no longer offers it")
            player.enter(key)
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._offer.seconds, self.forget, TIME_OVER) if self.keyed else None

    def forget(self, why: str = ENDED) -> None:
        """Drop every key."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for player in self.players.values():
            if player.has_key:
                player.forget(why)
                re.purge()  # `re` caches patterns, among them those that find a key in text


def checked_key(key: SecretStr, field: str) -> SecretStr:
    """Return a key without white space around it. Raises OptionError naming `field`, without quoting the key."""
    text = key.get_secret_value().strip()
    if not SHORTEST_KEY <= len(text) <= LONGEST_KEY:
        raise OptionError(f"{field}: a key has {SHORTEST_KEY} to {LONGEST_KEY} characters; paste it whole")
    if not text.isascii() or not text.isprintable() or " " in text:
        raise OptionError(f"{field}: it contains characters that an HTTP header cannot carry; paste the key alone")
    return SecretStr(text)
