"""The caller's role, and tickets for sockets."""

from __future__ import annotations

from fastapi import APIRouter, Request

from grandstand.players.roster import Roster
from grandstand.server.access import Access
from grandstand.server.api.parameters import problems
from grandstand.server.auth import TICKET_SECONDS
from grandstand.server.bodies import Session, Ticket
from grandstand.server.sign_in import Accounts


def router(access: Access, roster: Roster, accounts: Accounts) -> APIRouter:
    """Return the routes."""
    auth = access.auth
    api = APIRouter(tags=["access"])

    @api.get("/session")
    async def session(connection: Request) -> Session:
        """Return the caller's role, and who may be an operator of this server."""
        grant = auth.grant(connection)
        plays = grant.operator or access.visitors_play
        pays = grant.operator or access.visitors_pay
        return Session(
            role=grant.role,
            seat=grant.seat,
            episode_id=grant.episode_id,
            mode=auth.mode,
            plays=plays,
            imports=grant.operator or access.visitors_import,
            endpoints=accounts.endpoints(connection, roster.own.endpoints) if pays else [],
            sign_in=accounts.sign_in(connection),
        )

    @api.post("/tickets", status_code=201, responses=problems(403))
    async def ticket(connection: Request) -> Ticket:
        """Create a one-time ticket for a socket's address (`?ticket=`), which must not contain a token."""
        return Ticket(ticket=auth.ticket(auth.grant(connection)), seconds=TICKET_SECONDS)

    return api
