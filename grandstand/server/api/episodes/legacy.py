"""The older way to start a captaincy match: `POST /custom/start_episode`, one at a time, and its page at `/custom`."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel, ConfigDict, Field

from grandstand.games.base import OptionError
from grandstand.games.spec import GameSpec, game_options
from grandstand.play.preparation import loaded_spec
from grandstand.server.bodies.matches import StartEpisode
from grandstand.server.matches.driver import Driver
from grandstand.server.matches.steering import CommandError
from grandstand.server.parts import Parts
from grandstand.server.transport.edge import PREFIX

RUNNING: dict[str, Any] = {
    "description": "An episode is already running.",
    "content": {"application/json": {"schema": {"type": "object"}}},
}
"""The only error response that older clients can read."""


NAMES = {"overs": "max_overs", "pack": "eval_pack_id"}
"""Option -> its field in the older form."""

OVERS = 5
"""Overs a side by default. Older clients always send it, so with a pack this value stands for the pack's own."""


class CustomEpisode(BaseModel):
    """The request of the older form."""

    model_config = ConfigDict(extra="forbid")

    captain_preset: str = "heuristic"
    opponent_choice: str = "heuristic"
    max_overs: int = Field(
        default=OVERS, ge=1, le=50, description="Overs a side of a match without a pack; a pack has its own."
    )
    eval_pack_id: str | None = Field(
        default=None,
        description="A pack of situations: the match begins in one of them, by default with the toss.",
    )
    enable_tts: bool = True


router = APIRouter(tags=["older clients"])
current: dict[str, Any] = {}

router = APIRouter(tags=["older clients"])


@router.get("", include_in_schema=False)
async def page() -> RedirectResponse:
    return RedirectResponse("cockpit?game=cricket")


@router.post("/start_episode", status_code=201, responses={409: RUNNING})
async def start(parts: Parts, connection: Request, request: CustomEpisode) -> JSONResponse:
    """Start a match of cricket captaincy. While an earlier one goes on, the response is 409 and names it."""
    spec = await loaded_spec("cricket")
    known = [info.name for info in parts.roster.players(spec)]
    opponent = request.opponent_choice
    for field, name in (("captain_preset", request.captain_preset), ("opponent_choice", opponent)):
        if name not in known:
            raise OptionError(f"{field}: unknown {name!r}; there are {', '.join(known)}")
    wanted = StartEpisode(
        game="cricket",
        players={"home": request.captain_preset, "away": opponent},
        options=_options(request, spec),
        voice=request.enable_tts,
        title=f"{request.captain_preset} v {opponent}",
    )
    granted = await parts.access.start(connection, wanted)
    if parts.custom and _goes_on(parts.driver, parts.custom["episode_id"]):
        return JSONResponse({"error": "an episode is already running", "current": parts.custom}, 409)
    summary = await parts.driver.start(granted, visitor=parts.access.visitor(connection))
    parts.custom.clear()
    parts.custom.update(
        episode_id=summary.episode_id,
        captain=request.captain_preset,
        opponent=opponent,
        started_at=summary.created_at,
    )
    prefix = connection.scope.get(PREFIX, "")
    answer = {"status": "started", "url": f"{prefix}/episode/{summary.episode_id}", **parts.custom}
    return JSONResponse(answer, 201)


def _options(request: CustomEpisode, spec: GameSpec) -> dict[str, Any]:
    """Return the options of the match. Raises OptionError naming the field of the older form."""
    options: dict[str, Any] = {} if request.eval_pack_id is None else {"pack": request.eval_pack_id}
    if not options or request.max_overs != OVERS:
        options["overs"] = request.max_overs
    try:
        game_options(spec, options)
    except OptionError as error:
        name, _, why = str(error).removeprefix("options.").partition(":")
        raise OptionError(f"{NAMES.get(name, name)}:{why}") from None
    return options


def _goes_on(driver: Driver, episode_id: str) -> bool:
    try:
        driver.match(episode_id)
    except (CommandError, KeyError):
        return False
    return True
