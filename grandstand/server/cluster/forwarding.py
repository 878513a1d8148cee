"""Passes a request on to the server that plays its match, and its answer back.

A request is refused here before it is passed on, if it may be; the other server checks it again by the same token.
"""

from __future__ import annotations

import httpx2
from fastapi import Request, Response

from grandstand.server.http import problem
from grandstand.server.matches.steering import CommandError, Elsewhere
from grandstand.spectator.errors import RecordError

FORWARDED = "x-grandstand-forwarded"
"""The header of a request that was passed on once; it is not passed on again."""

SECONDS = 75.0
"""Seconds for an answer: more than a request may wait for a seat's turn."""

OWN = frozenset({"connection", "content-length", "transfer-encoding", "keep-alive", "upgrade", "accept-encoding"})
"""Headers of one connection."""

VISITOR = "x-forwarded-for"
"""The header that names the visitor's address, as this server knows it, to the other."""


async def forwarded(request: Request, error: Elsewhere) -> Response:
    """Return the answer of the server that can carry out `request`."""
    if FORWARDED in request.headers:
        return _unreachable("the match has moved to another server; try again")
    try:
        address = await request.app.state.parts.cluster.address(error.episode_id)
    except (CommandError, RecordError) as failure:
        return _unreachable(str(failure))
    headers = [(name, value) for name, value in request.headers.items() if name not in (*OWN, VISITOR)]
    if request.client is not None:
        headers.append((VISITOR, request.client.host))
    headers += [(FORWARDED, "1"), ("accept-encoding", "identity")]
    url = httpx2.URL(address).copy_with(
        raw_path=(request.scope["path"] + (f"?{request.url.query}" if request.url.query else "")).encode()
    )
    try:
        async with httpx2.AsyncClient(timeout=SECONDS, verify=False, trust_env=False) as client:
            answer = await client.request(request.method, url, headers=headers, content=await request.body())
    except httpx2.TransportError as failure:
        return _unreachable(f"the server that plays the match does not answer: {type(failure).__name__}; try again")
    kept = {name: value for name, value in answer.headers.items() if name not in OWN}
    return Response(answer.content, answer.status_code, kept)


def _unreachable(detail: str) -> Response:
    return problem(503, "The match is played by another server", detail, **{"Retry-After": "2"})
