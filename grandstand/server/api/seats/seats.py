"""Seats of live matches that people and remote programs play."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from grandstand.events import SeatOpened
from grandstand.games.base import OptionError
from grandstand.models import Draft
from grandstand.play.preparation import loaded_spec
from grandstand.players.llm.prompt import reply_form
from grandstand.server.auth import digest, new_token
from grandstand.server.bodies.matches import Command
from grandstand.server.bodies.seats import DecisionTaken, PlayEpisode, SaveDraft, SeatAction, SeatToken, SeatView
from grandstand.server.first_of import first_of
from grandstand.server.http import problems
from grandstand.server.matches.commands import PLAYER
from grandstand.server.matches.idempotency import whole
from grandstand.server.matches.live_match import LiveMatch
from grandstand.server.parts import Parts
from grandstand.server.purse import TAKE
from grandstand.server.transport.event_stream import until_gone
from grandstand.spectator.bus import Bus
from grandstand.spectator.frames import EpisodeSummary

_REPEATED = {"model": DecisionTaken, "description": "It was taken before, and is not played again."}

LONGEST_WAIT = 60.0
"""Seconds that a request may wait for the seat's turn: proxies cut a request that is silent for longer."""


router = APIRouter(tags=["seats"])


@router.get("", responses=problems(403, 404, 409, 422))
async def seat_view(
    parts: Parts,
    connection: Request,
    episode_id: str,
    seat: str,
    wait: Annotated[
        float, Query(ge=0, le=LONGEST_WAIT, description="Seconds to wait at most until the seat is asked.")
    ] = 0,
) -> SeatView:
    """Return what a seat may know and do now. Requires the seat's token or an operator.

    With `wait`, answer once the match waits for the seat or has ended, after at most so many seconds.
    """
    parts.access.seat(connection, episode_id, seat)
    live = parts.driver.match(episode_id)
    if wait:
        awaited = live.person(seat).awaited.wait()
        await first_of((awaited, live.over.wait(), parts.hub.closed.wait(), until_gone(connection.receive)), wait)
        live = parts.driver.match(episode_id)
    return _view(live, seat)


@router.post("", status_code=202, responses={200: _REPEATED, **problems(403, 404, 409, 422)})
async def act(
    parts: Parts, connection: Request, response: Response, episode_id: str, seat: str, decision: SeatAction
) -> DecisionTaken:
    """Submit a seat's action, or its messages in a round of press. An illegal action changes nothing.

    With the `number` of the seat's view it may be sent again if the answer was lost: it counts once.
    """
    parts.access.seat(connection, episode_id, seat)
    live = parts.driver.match(episode_id)
    person = live.person(seat)
    if (decision.action is None) == (decision.messages is None):
        raise OptionError("action: send either an action or messages")
    actions = decision.messages or [] if decision.action is None else [decision.action]
    if decision.number is not None and live.repeats(seat, decision.number, actions):
        response.status_code = 200
        return DecisionTaken(number=decision.number, repeated=True)
    number = live.runner.match.number(seat)
    if decision.action is not None:
        person.submit(decision.action)
    else:
        person.say(actions)
    await parts.recorder.drafts_saved(episode_id, seat)
    return DecisionTaken(number=number)


@router.put("/draft", status_code=204, responses=problems(403, 404, 409, 422))
async def save_draft(parts: Parts, connection: Request, episode_id: str, seat: str, draft: SaveDraft) -> None:
    """Store what the seat has chosen so far. It is the seat's action when the clock runs out, if the rules accept it.

    Only the seat can read it. Saving a draft withdraws an action that was submitted: submit again when done.
    """
    parts.access.seat(connection, episode_id, seat)
    parts.driver.match(episode_id).person(seat).save(draft.index, draft.action)
    await parts.recorder.drafts_saved(episode_id, seat)


def _view(live: LiveMatch, seat: str) -> SeatView:
    """Return what `seat` may know and do now. Raise what `LiveMatch.person` raises."""
    person, match = live.person(seat), live.runner.match
    return SeatView(
        episode_id=live.episode_id,
        seat=seat,
        index=match.index,
        number=match.number(seat),
        turn=match.game.turn,
        asked=person.asked,
        deadline=person.deadline,
        left=person.left,
        draft=None if person.draft is None or person.draft.index != match.index else dict(person.draft.action),
        ready=person.ready,
        writes=match.spec.talk.press is not None,
        observation=match.game.observation(seat),
        legal=reply_form(match.spec).legal(match.game, seat),
        text=match.game.text(seat),
    )


@router.post("/leave", responses=problems(403, 404, 409, 422))
async def leave(parts: Parts, connection: Request, episode_id: str, seat: str) -> EpisodeSummary:
    """Leave the seat: a built-in player goes on. Requires the seat's token or an operator."""
    by = "operator" if parts.access.seat(connection, episode_id, seat).operator else PLAYER
    return await parts.driver.command(episode_id, Command(command="leave", seat=seat), key=None, by=by)


@router.post("/take", status_code=201, responses=problems(403, 404, 409, 422, 429))
async def take(parts: Parts, connection: Request, episode_id: str, seat: str) -> SeatToken:
    """Take the seat, and return a token that plays it: an operator any seat, a seat's holder the one it left.

    It is taken from a built-in player or a model; a person who plays it is not disturbed.
    """
    by = "operator" if parts.access.seat(connection, episode_id, seat).operator else PLAYER
    own = parts.driver.match(episode_id).own
    if own is not None and seat in own.players:
        parts.access.check_plays(connection)
    parts.purse.draw(parts.access.visitor(connection), TAKE, f"the seat {seat}")
    await parts.driver.command(episode_id, Command(command="take_over", seat=seat), key=None, by=by)
    return await opened(parts.bus, episode_id, seat)


@router.post("/token", status_code=201, responses=problems(403, 404, 409, 422))
async def open_seat(parts: Parts, connection: Request, episode_id: str, seat: str) -> SeatToken:
    """Create a token that plays an external player's seat. It is returned once; only its hash is kept."""
    parts.access.operator(connection)
    parts.driver.match(episode_id).person(seat)
    return await opened(parts.bus, episode_id, seat)


async def opened(bus: Bus, episode_id: str, seat: str) -> SeatToken:
    """Issue a token of `seat`. It is returned once; only its hash is kept."""
    token = new_token()
    await whole(bus.record_now(episode_id, [Draft.of(SeatOpened(seat=seat, token_sha256=digest(token)), "private")]))
    return SeatToken(episode_id=episode_id, seat=seat, token=token)


starts = APIRouter(tags=["seats"])
"""`POST /api/play`."""


@starts.post("", status_code=201, responses=problems(403, 422, 429))
async def play(parts: Parts, connection: Request, request: PlayEpisode) -> SeatToken:
    """Start a match with the caller, or a model that the caller pays for, in one seat; return the token of the seat.

    The seats that the request leaves out are filled by built-in players. A visitor's match is bounded.
    """
    spec = await loaded_spec(request.game)
    seats = spec.seats(request.options)
    seat = request.seat or seats[0]
    if seat not in seats:
        raise OptionError(f"seat: {request.game} has no seat {seat!r}; there are {', '.join(seats)}")
    people = [info.name for info in parts.roster.players(spec) if info.kind == "human" and info.available]
    if not people and seat not in request.models:
        raise OptionError("roster: it has no available player of kind `human`, which a visitor plays as; add one")
    start = await parts.access.play(
        connection, parts.accounts.filled(connection, request), seat, next(iter(people), "")
    )
    episode_id = (await parts.driver.start(start, visitor=parts.access.visitor(connection))).episode_id
    return await opened(parts.bus, episode_id, seat)
