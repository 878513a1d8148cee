"""Players as models, by the part of OpenAI's API that its clients need."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from grandstand.games.catalog import GAMES
from grandstand.play.preparation import loaded_spec
from grandstand.players.llm.completion import tokens
from grandstand.server.auth import Grant, Unauthorized
from grandstand.server.bodies.completions import (
    ChatReply,
    ChatRequest,
    ListedModel,
    ModelList,
    ReplyChoice,
    ReplyMessage,
    ReplyUsage,
)
from grandstand.server.http import problems
from grandstand.server.matches.model_replies import AskedSeat, askable, asked_seats, find_asked, reply_of
from grandstand.server.matches.steering import CommandError
from grandstand.server.parts import Parts, ServerParts
from grandstand.server.turns import WorkKind

REPLIES: Final = WorkKind("replies", cost=1 / 20)

MAX_BODY: Final = 4 * 1024**2
"""Bytes of a request: a conversation may have a whole match in it."""

router = APIRouter(tags=["models"])


@router.get("/models", responses=problems(403))
async def models(parts: Parts, connection: Request) -> ModelList:
    """Return the players that the caller may ask, of all games: an operator all of them, others the built-in ones."""
    own = parts.access.auth.by_key(connection).operator
    infos = [info for game in GAMES for info in askable(parts.roster, await loaded_spec(game), own)]
    owners = {info.name: "grandstand" if info.kind == "bot" else info.kind for info in reversed(infos)}
    return ModelList(data=[ListedModel(id=name, owned_by=owner) for name, owner in reversed(owners.items())])


@router.post("/chat/completions", response_model=ChatReply, responses=problems(403, 404, 409, 422, 429))
async def complete(parts: Parts, connection: Request, request: ChatRequest) -> Response:
    """Return what the player `model` would answer to the prompt of a seat that is asked now; nothing is played.

    `messages` have the prompt that this server wrote for the seat. The key is the token of the seat, or an operator's.
    """
    grant = parts.access.auth.by_key(connection)
    asked = _asked(parts, grant, [message.text for message in request.messages if message.role == "user"])
    if grant.operator:
        text = await reply_of(parts.roster, asked, request.model, own=True)
    else:
        async with parts.replies.enter(parts.access.visitor(connection), REPLIES):
            text = await reply_of(parts.roster, asked, request.model, own=False)
    reply = _reply(request, text)
    if request.stream:
        return StreamingResponse(_chunks(request, reply), media_type="text/event-stream")
    return Response(reply.model_dump_json(), media_type="application/json")


def _asked(parts: ServerParts, grant: Grant, texts: list[str]) -> AskedSeat:
    """Return the seat that the conversation is about. Raises Unauthorized, CommandError."""
    faults = parts.driver.storage_faults
    if grant.operator:
        playing = [parts.driver.match(episode_id) for episode_id in parts.driver.playing if episode_id not in faults]
        return find_asked((asked for live in playing for asked in asked_seats(live)), texts)
    if grant.episode_id is None or grant.seat is None:
        raise Unauthorized("api_key: send the token of the seat whose prompt it is, or the operator's")
    if grant.over:
        raise CommandError(f"episode: {grant.episode_id} has ended")
    live = parts.driver.match(grant.episode_id)
    live.person(grant.seat)
    return find_asked(asked_seats(live, [grant.seat]), texts)


def _reply(request: ChatRequest, text: str) -> ChatReply:
    read, written = tokens("".join(message.text for message in request.messages)), tokens(text)
    return ChatReply(
        id=f"chatcmpl-{uuid4().hex}",
        created=int(time.time()),
        model=request.model,
        choices=[ReplyChoice(message=ReplyMessage(content=text))],
        usage=ReplyUsage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written),
    )


def _chunks(request: ChatRequest, reply: ChatReply) -> Iterator[str]:
    """Yield the events of a streamed reply: its text in one piece, its end, and its usage where it is asked for."""
    about = {**reply.model_dump(include={"id", "created", "model"}), "object": "chat.completion.chunk"}
    message = reply.choices[0].message.model_dump()
    pieces: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ]
    if (request.stream_options or {}).get("include_usage"):
        pieces.append({"choices": [], "usage": reply.usage.model_dump()})
    for piece in pieces:
        yield f"data: {json.dumps({**about, **piece})}\n\n"
    yield "data: [DONE]\n\n"
