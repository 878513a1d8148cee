"""The state of the server: its health, the spending of today, and the queue as the public may know it."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter, Request, Response

from grandstand.server.bodies.health import DaySpending, Health, VoiceHealth
from grandstand.server.bodies.players import PageReport
from grandstand.server.http import problems
from grandstand.server.lobby.waiting import public_queue
from grandstand.server.parts import Parts
from grandstand.server.reports.health import health_report

router = APIRouter(tags=["server"])


@router.get("/health")
async def health(parts: Parts) -> Health:
    """Return whether the server is serving, and how many matches and viewers it has."""
    faults = parts.driver.storage_faults
    behind = parts.history.behind()
    spoken = parts.voice.state
    playing = [episode_id for episode_id in parts.driver.playing if episode_id not in behind]
    unseen = [summary for summary in behind.values() if summary.origin != "publisher" and summary.status == "live"]
    return Health(
        status="waiting" if faults else "ok",
        storage=next(iter(faults.values()), None),
        version=version("grandstand"),
        live=len(playing) + len(unseen),
        queued=len(public_queue(parts.driver, behind)),
        viewers=parts.hub.audience(),
        voice=VoiceHealth(provider=spoken.provider, kind=spoken.kind, reason=spoken.reason),
    )


@router.get("/reports/health", response_model=PageReport)
async def health_page(parts: Parts, request: Request) -> Response:
    """Return the report on the health of the server, with its metrics and the spending of today for operators."""
    now = await health(parts)
    if parts.access.auth.grant(request).operator:
        report = health_report(now, list(parts.metrics.registry.collect()), parts.spending.today())
    else:
        report = health_report(now)
    return Response(report.text(), media_type="application/json")


@router.get("/spending", responses=problems(403))
async def today(parts: Parts, connection: Request) -> DaySpending:
    """Return the tokens and dollars of today (UTC), in sum and by player, and the limits. For operators."""
    parts.access.operator(connection)
    return parts.spending.today()
