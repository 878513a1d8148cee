"""The seats that sessions play: taking, joining, resuming and giving up.

It knows neither OpenEnv nor MCP; `environment.py` and `mcp.py` use it. Every match is
an ordinary episode of the driver's, at its own pace, recorded and shown like any other.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

from grandstand.events import EpisodeEnded, SeatOpened
from grandstand.games.base import OptionError, SeatId
from grandstand.models import Draft, Event
from grandstand.play.preparation import loaded_spec
from grandstand.players.external import ExternalPlayer
from grandstand.players.roster import Roster
from grandstand.server.access import Access
from grandstand.server.auth import digest, new_token
from grandstand.server.matches.driver import BEGINNING, Driver
from grandstand.server.matches.idempotency import ANSWER, whole
from grandstand.server.matches.live_match import LiveMatch
from grandstand.server.matches.steering import Full
from grandstand.server.openenv.connection import Connection
from grandstand.server.openenv.match import GRACE, RemoteMatch, RemoteSeat
from grandstand.server.openenv.reset import SHARED_CLOCK, Reset
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import RecordError
from grandstand.spectator.store.batches import in_turn


class RemoteSeats:
    """The seats of all sessions. An observer of the bus."""

    def __init__(self, driver: Driver, bus: Bus, access: Access, roster: Roster, *, matches: int, each: int) -> None:
        """At most `matches` matches of sessions are played at the same time.

        A visitor may hold `each` of them, and of sessions, together.
        """
        self.each = each
        self.sessions: Counter[str] = Counter()
        """Open sessions by the address of their callers."""
        self._driver = driver
        self._bus = bus
        self.access = access
        self._roster = roster
        self._limit = matches
        self._matches: dict[str, RemoteMatch] = {}
        self._beginning = asyncio.Lock()
        """Held while a match is counted, and begins."""

    async def prefetch(self, reset: Reset) -> None:
        """Read what `take` asks of the record, without blocking the loop. Raises StorageError."""
        if reset.token is not None:
            await self.access.prefetch_seat("", reset.token.get_secret_value())
        if reset.match is not None and reset.seat_token is not None:
            await self.access.prefetch_seat(reset.match, reset.seat_token.get_secret_value())

    async def take(self, reset: Reset, caller: Connection) -> RemoteSeat:
        """Return the seat that `reset` requests, in a new match or an existing one.

        Raises OptionError, CommandError, PermissionError, UnknownEpisode, CannotAfford, Full.
        """
        if reset.token is not None:
            caller = Connection(self.access.auth.by_token(reset.token.get_secret_value()), caller.visitor)
        joins = reset.joins
        if joins is not None:
            return await self.join(*joins, reset)

        async def in_its_turn() -> RemoteSeat:
            async with in_turn(self._beginning, BEGINNING):
                return await self._start(reset, caller)

        return await whole(in_its_turn(), unclaimed=lambda seat: seat.leave(0), seconds=2 * BEGINNING + ANSWER)

    async def join(self, match_id: str, seat: SeatId, token: str, reset: Reset) -> RemoteSeat:
        """Take or resume a seat; the newest session has it. Raises as `take` does.

        A caller without the seat's token learns nothing of the match, not even whether it exists.
        """
        if not self.access.auth.by_token(token).sees(match_id, seat):
            raise PermissionError(f"seat_token: it does not play {seat} in {match_id}")
        return await self._resume(match_id, seat, reset)

    async def seat_of(self, caller: Connection) -> RemoteSeat:
        """Take or resume the seat whose token the caller sent with the request. Raises as `take` does."""
        match_id, seat = caller.grant.episode_id, caller.grant.seat
        if match_id is None or seat is None:
            raise PermissionError("Authorization: connect with the token of a seat, `Bearer TOKEN`")
        return await self._resume(match_id, seat, Reset())

    async def _resume(self, match_id: str, seat: SeatId, reset: Reset) -> RemoteSeat:
        live = self._driver.match(match_id)
        if match_id not in self._matches:
            self._matches[match_id] = RemoteMatch(self._driver, live, ours=False)
        match = self._matches[match_id]
        await match.take_back(seat)
        return RemoteSeat(match, seat, live.person(seat), reset)

    def held(self, visitor: str) -> int:
        """Return the number of a visitor's sessions, and of its matches without a session."""
        return self.sessions[visitor] + len(self._apart(visitor))

    def resumed(self, episode_ids: Sequence[str]) -> None:
        """Wait for the players of matches that were resumed after a restart."""
        for episode_id in episode_ids:
            live = self._driver.match(episode_id)
            match = self._matches[episode_id] = RemoteMatch(self._driver, live, ours=True)
            for seat, player in live.runner.players.items():
                if isinstance(player, ExternalPlayer):
                    match.left(seat, GRACE)

    def close(self) -> None:
        """Keep all seats from now on: the server stops."""
        for match in self._matches.values():
            match.close()

    def on_events(self, events: Sequence[Event]) -> None:
        last = events[-1]
        if last.type == "EpisodeEnded" and last.episode_id in self._matches:
            self._matches.pop(last.episode_id).end(EpisodeEnded.model_validate(last.data))

    def on_released(self, episode_id: str) -> None: ...

    async def _start(self, reset: Reset, caller: Connection) -> RemoteSeat:
        spec = await loaded_spec(reset.game)
        remote = [info.name for info in self._roster.players(spec) if info.kind == "remote" and info.available]
        if not remote:
            raise OptionError("roster: it has no available player of kind `remote`, which a session plays as; add one")
        request, seats = reset.request(remote)
        visitor = "" if caller.grant.operator else caller.visitor
        without_session = visitor if caller.socket is None else ""
        if visitor:
            request = await self.access.visit(request, own=seats)
        self._driver.costs.check(visitor, apart=True)  # before another match makes room
        if without_session:
            await self._make_room_of(without_session)
        await self._make_room()
        tokens = {seat: new_token() for seat in seats}
        opened = [SeatOpened(seat=seat, token_sha256=digest(token)) for seat, token in tokens.items()]
        taken: list[RemoteSeat] = []

        def prepare(live: LiveMatch) -> None:
            for seat in seats:
                person = live.person(seat)
                person.turn_seconds = person.press_seconds = reset.clock or (SHARED_CLOCK if len(seats) > 1 else None)
            match = RemoteMatch(self._driver, live, ours=True, visitor=without_session)
            self._matches[live.episode_id] = match
            taken.append(RemoteSeat(match, seats[0], live.person(seats[0]), reset, tokens))

        await self._driver.start(request, origin="openenv", apart=True, visitor=visitor, prepare=prepare)
        (seat,) = taken
        try:
            await self._bus.record_now(seat.match_id, [Draft.of(event, "private") for event in opened])
        except RecordError:
            seat.leave(0)
            raise
        return seat

    def _apart(self, visitor: str) -> list[RemoteMatch]:
        """Return the matches that a visitor plays without a session."""
        return [match for match in self._matches.values() if match.visitor == visitor and not match.live.stopped]

    async def _make_room_of(self, visitor: str) -> None:
        """At the visitor's limit, stop its match whose program is gone. Raise Full if there is none."""
        if self.held(visitor) < self.each:
            return
        gone = asyncio.get_running_loop().time() - GRACE
        left = [(at, match) for match in self._apart(visitor) if (at := match.left_at) is not None and at <= gone]
        if not left:
            raise Full(
                f"this address has {self.each} sessions and matches already; play one to its end, leave one, or try "
                f"again when one was silent for {GRACE:.0f} s",
                GRACE,
            )
        await min(left, key=itemgetter(0))[1].stop()

    async def _make_room(self) -> None:
        """At the limit, stop the match that was left the longest ago. Raises Full if there is none."""
        ours = [match for match in self._matches.values() if match.ours and not match.live.stopped]
        if len(ours) < self._limit:
            return
        left = [(match.left_at, match) for match in ours if match.left_at is not None]
        if not left:
            raise Full(f"all {self._limit} matches of OpenEnv sessions are being played; close one, or try again later")
        await min(left, key=itemgetter(0))[1].stop()
