"""Access control: the grants of `auth.py` applied to episodes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from starlette.requests import HTTPConnection

from grandstand.play.preparation import loaded_spec
from grandstand.server.auth import Auth, Grant, visitor_of
from grandstand.server.bodies.matches import StartEpisode
from grandstand.server.bodies.seats import PlayEpisode
from grandstand.server.matches.steering import CommandError
from grandstand.server.settings import Settings
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.store.interface import EpisodeStore
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint

TURNS = 400
"""The most turns of a visitor's match."""

CLOCK = 300.0
"""The most seconds that a visitor has for a turn."""

SLOWEST = 2.5
"""The slowest pace of a visitor's match, in seconds between turns: its slot must soon be free."""

DELAY = 300.0
"""The longest delay of a visitor's match, in seconds: it keeps its slot until spectators have seen its end."""


def seats_in(recorder: EpisodeStore) -> Callable[[str], Grant | None]:
    """Return a function that finds the grant of a seat's token by its hash, as long as the record has the match."""

    def seat_of(token_sha256: str) -> Grant | None:
        opened = recorder.seat_opened(token_sha256)
        return opened and Grant("seat", opened.seat, opened.episode_id, over=opened.over)

    return seat_of


class Access:
    """Decides who may do what, from the request, its grant and the episode's own settings."""

    def __init__(
        self,
        auth: Auth,
        history: History,
        settings: Settings | None = None,
        user: Callable[[HTTPConnection], str] = lambda connection: "",
    ) -> None:
        """Take what a visitor may start from `settings`, and from `user` who has signed in at a connection, or ''."""
        self.auth = auth
        self._settings = settings or Settings.model_validate({})
        self._history = history
        self._user = user

    async def prefetch(self, connection: HTTPConnection) -> None:
        """Read what a request asks of the record first, without blocking the loop. Raises StorageError."""
        episode_id = connection.path_params.get("episode_id", "")
        await self._history.prefetch(episode_id, self.auth.seat_sha256(connection))

    async def prefetch_seat(self, episode_id: str, token: str) -> None:
        """Read what a session with the token of a seat asks of the record first, as `prefetch` does."""
        await self._history.prefetch(episode_id, self.auth.hash_of_seat(token))

    def look(self, connection: HTTPConnection, viewpoint: str, episode_id: str) -> Viewpoint:
        """Return the viewpoint that `connection` may take of the episode.

        Raise UnknownEpisode, ValueError if the viewpoint cannot be read, PermissionError if it is not granted.
        """
        summary = self._history.summary(episode_id, SPECTATOR)
        grant = self.auth.grant(connection)
        view = Viewpoint.parse(viewpoint)
        if view.role == "seat" and view.seat not in {info.seat for info in summary.seats}:
            raise ValueError(f"viewpoint {viewpoint!r}: no such seat in {episode_id}")
        if view.role == "spectator":
            return view
        if grant.operator:
            return replace(view, delayed=False)
        if view.seat is not None and grant.sees(episode_id, view.seat):
            return replace(view, delayed=False)
        if view.role in ("seat", "analyst") and _revealed(summary):
            return view
        raise PermissionError(_why_not(view, summary))

    def anybody_looks(self, view: Viewpoint, summary: EpisodeSummary) -> bool:
        """Return whether everybody may take a viewpoint of the episode."""
        return view.role == "spectator" or (view.role in ("seat", "analyst") and _revealed(summary))

    def looks_on(self, connection: HTTPConnection, summary: EpisodeSummary) -> bool:
        """Return whether the caller may take the viewpoint of an analyst."""
        return _revealed(summary) or self.auth.grant(connection).operator

    def check_known(self, episode_id: str) -> None:
        """Raise UnknownEpisode if there is no such episode. Which episodes exist is public."""
        self._history.summary(episode_id, SPECTATOR)

    def operator(self, connection: HTTPConnection) -> Grant:
        """Return the grant of an operator. Raise PermissionError for any other caller."""
        grant = self.auth.grant(connection)
        if not grant.operator:
            raise PermissionError(f"only an operator may do that; {self._how_to_operate()}")
        return grant

    def seat(self, connection: HTTPConnection, episode_id: str, seat: str) -> Grant:
        """Return the grant of a caller who may act for `seat`.

        Raise PermissionError for any other caller, CommandError for the seat's holder if the match has ended.
        """
        grant = self.auth.grant(connection)
        if not grant.plays(episode_id, seat):
            if grant.sees(episode_id, seat):
                raise CommandError(f"episode: {episode_id} has ended; the token of {seat} is good for looking on")
            raise PermissionError(f"only the holder of {seat}'s token or an operator may act for it")
        return grant

    def any_seat(self, connection: HTTPConnection, episode_id: str) -> None:
        """Raise PermissionError unless the caller is an operator or has a token for a seat of this match."""
        self.check_known(episode_id)
        grant = self.auth.grant(connection)
        if not grant.operator and (grant.episode_id != episode_id or grant.over):
            raise PermissionError("only the holder of a seat's token of this match or an operator may do that")

    async def start(self, connection: HTTPConnection, request: StartEpisode) -> StartEpisode:
        """Return the match that the caller may start: an operator's unchanged, a visitor's within bounds.

        Raise PermissionError.
        """
        if self.auth.grant(connection).operator:
            return request
        if self.auth.mode == "token":
            raise PermissionError(f"only an operator may start a match here; {self._how_to_operate()}")
        if request.models:
            raise PermissionError("models: a visitor starts such a match with POST /api/play, which returns a token")
        return await self.visit(request)

    @property
    def visitors_play(self) -> bool:
        """Return whether a visitor may start a match and play one seat of it."""
        allowed = self._settings.visitor_seats
        return self.auth.mode != "token" if allowed is None else allowed

    @property
    def visitors_pay(self) -> bool:
        """Return whether a visitor may seat language models with a key of its own."""
        return self._settings.visitor_keys

    @property
    def visitors_import(self) -> bool:
        """Return whether a visitor may import files."""
        return self._settings.visitor_imports

    def imports(self, connection: HTTPConnection) -> None:
        """Raise PermissionError if the caller may not import files."""
        if not self.visitors_import and not self.auth.grant(connection).operator:
            raise PermissionError(f"only an operator may import files here; {self._how_to_operate()}")

    async def play(self, connection: HTTPConnection, request: PlayEpisode, seat: str, person: str) -> StartEpisode:
        """Return the match that a caller may start to play `seat` as `person`; a visitor's is within bounds.

        Raise PermissionError.
        """
        fields = request.model_dump(exclude={"seat"})
        plays = {} if seat in request.models else {seat: person}
        start = StartEpisode.model_validate({**fields, "players": {**request.players, **plays}})
        if self.auth.grant(connection).operator:
            return start
        if request.models and not self._settings.visitor_keys:
            raise PermissionError("models: this server takes no keys of visitors; its operator can allow it")
        if plays and not self.visitors_play:
            raise PermissionError(f"only an operator may start a match here; {self._how_to_operate()}")
        bounded = await self.visit(start, own=(seat,))
        clock = min(CLOCK, request.clock or CLOCK)
        return bounded.model_copy(update={"clock": clock})

    def check_plays(self, connection: HTTPConnection) -> None:
        """Raise PermissionError if the caller may not take over a seat that its own model plays."""
        if not self.auth.grant(connection).operator and not self.visitors_play:
            raise PermissionError("visitors play no seats here; the model that you pay for keeps its seat")

    def visitor(self, connection: HTTPConnection) -> str:
        """Return the visitor who sent a request: its user or its address; empty for an operator, who has no bounds."""
        return "" if self.auth.grant(connection).operator else self._user(connection) or visitor_of(connection)

    async def visit(self, request: StartEpisode, own: Collection[str] = ()) -> StartEpisode:
        """Return `request` within the bounds of a visitor, who plays the seats in `own` itself or with its own models.

        Raise PermissionError.
        """
        bots = (await loaded_spec(request.game)).bots.players
        paid = sorted({name for seat, name in request.players.items() if name not in bots and seat not in own})
        if paid:
            raise PermissionError(f"players: a visitor may seat built-in players only, not {', '.join(paid)}")
        if request.commentator:
            raise PermissionError("commentator: a visitor may start matches with the built-in commentary only")
        least = self._settings.visitor_pace
        pace = least if request.pace is None else request.pace
        return request.model_copy(
            update={
                "pace": max(least, min(SLOWEST, pace)),
                "turns": min(TURNS, request.turns or TURNS),
                "delay": min(DELAY, request.delay),
                "paused": False,
                "approve": False,
                "title": "",
            }
        )

    def _how_to_operate(self) -> str:
        if self.auth.mode == "closed":
            return "this server has no operator token: set GRANDSTAND_OPERATOR_TOKEN and start it again"
        return "send the operator's token as `Authorization: Bearer ...`"


def _revealed(summary: EpisodeSummary) -> bool:
    return summary.reveal == "live" or (summary.reveal == "after" and summary.ended_at is not None)


def _why_not(view: Viewpoint, summary: EpisodeSummary) -> str:
    if view.role == "operator":
        return "as: only an operator may look as one"
    when = "when the match has ended" if summary.reveal == "after" else "with its token or as an operator"
    return f"as: this match is revealed {when}"
