"""The API's acting half: start, fork and steer matches, play a seat, and get the tokens for it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Request, Response

from grandstand.games.base import OptionError
from grandstand.models import (
    Command,
    Draft,
    EpisodeSummary,
    ForkEpisode,
    Problem,
    SeatAction,
    SeatOpened,
    SeatToken,
    SeatView,
    Session,
    StartEpisode,
    Ticket,
)
from grandstand.server.access import Access
from grandstand.server.auth import TICKET_SECONDS, digest, new_token
from grandstand.server.matches.driver import Driver
from grandstand.spectator.bus import Bus
from grandstand.spectator.history import History
from grandstand.spectator.viewpoint import SPECTATOR

Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)]

REFUSALS: dict[int | str, dict[str, Any]] = {
    403: {"model": Problem, "description": "Not allowed; `detail` says who may."},
    404: {"model": Problem, "description": "No such episode."},
    409: {"model": Problem, "description": "Not now: the match is not at that point."},
    422: {"model": Problem, "description": "A field cannot be used; `field` names it."},
}
STARTING: dict[int | str, dict[str, Any]] = {
    403: REFUSALS[403],
    422: REFUSALS[422],
    429: {"model": Problem, "description": "The queue is full, or too many requests from here."},
}


def router(driver: Driver, bus: Bus, history: History, access: Access) -> APIRouter:
    """The routes over these parts."""
    api = APIRouter(prefix="/api")

    @api.get("/session", tags=["access"])
    async def session(connection: Request) -> Session:
        """Who you are here, and how the server is open."""
        grant = access.auth.grant(connection)
        return Session(role=grant.role, seat=grant.seat, episode_id=grant.episode_id, mode=access.auth.mode)

    @api.post("/tickets", status_code=201, tags=["access"], responses={403: REFUSALS[403]})
    async def ticket(connection: Request) -> Ticket:
        """A one-time ticket for a socket's address (`?ticket=`), where a token must not stand."""
        return Ticket(ticket=access.auth.ticket(access.auth.grant(connection)), seconds=TICKET_SECONDS)

    @api.post("/episodes", status_code=201, tags=["episodes"], responses=STARTING)
    async def start(
        connection: Request, request: StartEpisode, response: Response, idempotency_key: Key = None
    ) -> EpisodeSummary:
        """Start a match, or queue it. Sent again with the same `Idempotency-Key` it answers with the same match."""
        key = _scoped("start", idempotency_key)
        granted = access.start(connection, request)
        if not driver.knows(key):
            access.check_unfinished(connection)
        summary = driver.start(granted, key=key)
        access.started(connection, summary.episode_id)
        operator = access.auth.grant(connection).operator
        return _made(response, summary if operator else history.summary(summary.episode_id, SPECTATOR))

    @api.post("/episodes/{episode_id}/fork", status_code=201, tags=["steering"], responses={**STARTING, **REFUSALS})
    async def fork(
        connection: Request, episode_id: str, request: ForkEpisode, response: Response, idempotency_key: Key = None
    ) -> EpisodeSummary:
        """Start a match that begins as this one stood at some moment; this one is only read."""
        access.operator(connection)
        key = _scoped(f"fork {episode_id}", idempotency_key)
        await history.load(episode_id)
        return _made(response, await driver.fork(episode_id, request, key=key, by="operator"))

    @api.post("/episodes/{episode_id}/commands", tags=["steering"], responses=REFUSALS)
    async def command(
        connection: Request, episode_id: str, command: Command, idempotency_key: Key = None
    ) -> EpisodeSummary:
        """Steer a match: what already is so is left so; with an `Idempotency-Key` it is done once."""
        access.operator(connection)
        key = _scoped(f"command {episode_id}", idempotency_key)
        return driver.command(episode_id, command, key=key, by="operator")

    @api.get("/episodes/{episode_id}/seats/{seat}", tags=["seats"], responses=REFUSALS)
    async def seat_view(connection: Request, episode_id: str, seat: str) -> SeatView:
        """What a seat may know and do now. For its holder."""
        access.seat(connection, episode_id, seat)
        live = driver.match(episode_id)
        person = live.person(seat)
        match = live.runner.match
        return SeatView(
            episode_id=episode_id,
            seat=seat,
            index=match.index,
            turn=match.game.turn,
            asked=person.asked,
            deadline=person.deadline,
            observation=match.game.observation(seat),
            legal=match.game.legal(seat),
            text=match.game.text(seat),
        )

    @api.post("/episodes/{episode_id}/seats/{seat}", status_code=202, tags=["seats"], responses=REFUSALS)
    async def act(connection: Request, episode_id: str, seat: str, said: SeatAction) -> None:
        """Play a seat: an action, or messages in a round of press. What the rules refuse changes nothing."""
        access.seat(connection, episode_id, seat)
        person = driver.match(episode_id).person(seat)
        if (said.action is None) == (said.messages is None):
            raise OptionError("action: send either an action or messages")
        if said.action is not None:
            person.submit(said.action)
        else:
            person.say(said.messages or [])

    @api.post("/episodes/{episode_id}/seats/{seat}/token", status_code=201, tags=["seats"], responses=REFUSALS)
    async def open_seat(connection: Request, episode_id: str, seat: str) -> SeatToken:
        """A token that plays a person's or remote player's seat. Shown once; only its hash is kept."""
        access.operator(connection)
        driver.match(episode_id).person(seat)
        token = new_token()
        bus.publish(episode_id, [Draft.of(SeatOpened(seat=seat, token_sha256=digest(token)), "private")])
        return SeatToken(episode_id=episode_id, seat=seat, token=token)

    return api


def _scoped(what: str, key: str | None) -> str | None:
    return None if key is None else f"{what} {key}"


def _made(response: Response, summary: EpisodeSummary) -> EpisodeSummary:
    response.headers["Location"] = f"/api/episodes/{summary.episode_id}"
    return summary
