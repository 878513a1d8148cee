"""The server's numbers for Prometheus."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from grandstand.server.parts import Parts

router = APIRouter(tags=["server"])


@router.get("")
async def read(parts: Parts, connection: Request) -> Response:
    """Return metrics in Prometheus' text format, for operators."""
    parts.access.operator(connection)
    return Response(generate_latest(parts.metrics.registry), media_type=CONTENT_TYPE_LATEST)
