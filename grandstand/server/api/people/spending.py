"""The spending of today, for operators."""

from __future__ import annotations

from fastapi import APIRouter, Request

from grandstand.server.access import Access
from grandstand.server.api.parameters import problems
from grandstand.server.bodies import DaySpending
from grandstand.server.spending import Spending


def router(spending: Spending, access: Access) -> APIRouter:
    """Return the route."""
    api = APIRouter(tags=["server"])

    @api.get("/spending", responses=problems(403))
    async def today(connection: Request) -> DaySpending:
        """Return the tokens and dollars of today (UTC), in sum and by player, and the limits. For operators."""
        access.operator(connection)
        return spending.today()

    return api
