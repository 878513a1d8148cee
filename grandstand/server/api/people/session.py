"""The caller's role, and tickets for sockets."""

from __future__ import annotations

from fastapi import APIRouter, Request

from grandstand.server.auth import TICKET_SECONDS
from grandstand.server.bodies.people import PurseInfo, Session, Ticket
from grandstand.server.http import problems
from grandstand.server.parts import Parts
from grandstand.server.purse import MATCH, Purse

router = APIRouter(tags=["access"])


@router.get("/session")
async def session(parts: Parts, connection: Request) -> Session:
    """Return the caller's role, and who may be an operator of this server."""
    grant = parts.access.auth.grant(connection)
    plays = grant.operator or parts.access.visitors_play
    pays = grant.operator or parts.access.visitors_pay
    return Session(
        role=grant.role,
        seat=grant.seat,
        episode_id=grant.episode_id,
        mode=parts.access.auth.mode,
        plays=plays,
        imports=grant.operator or parts.access.visitors_import,
        endpoints=parts.accounts.endpoints(connection, parts.roster.own.endpoints) if pays else [],
        sign_in=parts.accounts.sign_in(connection),
        purse=_purse(parts.purse, parts.access.visitor(connection)),
    )


def _purse(purse: Purse, visitor: str) -> PurseInfo | None:
    """Return what a visitor may use now; None for an operator."""
    if not visitor:
        return None
    return PurseInfo(
        balance=purse.balance(visitor),
        credits=purse.credits,
        refill=60 / purse.seconds,
        match=min(MATCH, purse.credits),
        wait=purse.wait(visitor, MATCH),
    )


@router.post("/tickets", status_code=201, responses=problems(403))
async def ticket(parts: Parts, connection: Request) -> Ticket:
    """Create a one-time ticket for a socket's address (`?ticket=`), which must not contain a token."""
    return Ticket(ticket=parts.access.auth.ticket(parts.access.auth.grant(connection)), seconds=TICKET_SECONDS)
