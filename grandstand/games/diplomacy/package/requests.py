"""The requests of the package's client and their answers, as JSON text frames.

A token only names a channel of the client. It grants nothing, so the client keeps it over a restart of the server.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from grandstand.games.base import Json
from grandstand.games.diplomacy.package.game import (
    FORMING,
    ROLE,
    Notification,
    PackageGame,
    game_status,
    microseconds,
)
from grandstand.games.diplomacy.record.saved_game import COMPLETED, MAP
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.exchange import (
    Answer,
    LeaveMatch,
    ListMatches,
    MatchObserver,
    ObserverRequest,
    PublicEvent,
    WatchMatch,
)

LONGEST_NAME = 200
"""Characters of a request's name and of its ids."""

OBSERVE_ONLY = (
    "a client of the diplomacy package can only observe here: join_game without power_name. "
    "To play, take a seat on the page or with POST /api/play; docs/players.md says how"
)
START_ELSEWHERE = "a client of the diplomacy package can only observe here: start a match on the page or with " + (
    "POST /api/episodes"
)
PLAYING = frozenset(
    {
        "clear_centers",
        "clear_orders",
        "clear_units",
        "get_dummy_waiting_powers",
        "join_powers",
        "process_game",
        "send_game_message",
        "set_dummy_powers",
        "set_game_state",
        "set_game_status",
        "set_orders",
        "set_wait_flag",
        "vote",
    }
)
"""Requests of players and of masters of a game."""


def read_request(frame: str) -> ObserverRequest:
    """Return the request in a frame of the package's client. Raise ValueError for any other frame."""
    try:
        request = json.loads(frame)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from error
    if not isinstance(request, dict):
        raise ValueError("a request is a JSON object")
    for name in ("request_id", "name"):
        if not _is_name(request.get(name)):
            raise ValueError(f"{name}: must be a text of 1 to {LONGEST_NAME} printable characters")
    try:
        return _READERS.get(request["name"], _refused)(request)
    except _BadField as error:
        return Answer(_error(request, str(error)))


class _BadField(Exception):
    """A field of a request that cannot be used; the message names it."""


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_NAME and value.isprintable()


def _text(request: Mapping[str, Any], field: str) -> str:
    value = request.get(field)
    if not isinstance(value, str) or not _is_name(value):
        raise _BadField(f"{field}: must be a text of 1 to {LONGEST_NAME} printable characters")
    return value


def _answer(request: Mapping[str, Any], name: str, **fields: Json) -> str:
    return json.dumps({"request_id": request["request_id"], "name": name, **fields})


def _error(request: Mapping[str, Any], message: str, kind: str = "ResponseException") -> str:
    return _answer(request, "error", error_type=kind, message=message)


def _refused(request: Mapping[str, Any]) -> ObserverRequest:
    if request["name"] in PLAYING:
        return Answer(_error(request, OBSERVE_ONLY, "GameObserverException"))
    if request["name"] == "create_game":
        return Answer(_error(request, START_ELSEWHERE, "GameCreationException"))
    requests = ", ".join(name for name in _READERS if name != "unknown_token")
    return Answer(_error(request, f"name: this server has no {request['name']!r}; it answers {requests}"))


def _sign_in(request: Mapping[str, Any]) -> ObserverRequest:
    return Answer(_answer(request, "data_token", data=secrets.token_urlsafe(16)))


def _list_games(request: Mapping[str, Any]) -> ObserverRequest:
    _text(request, "token")
    return ListMatches(partial(_listed, request))


def _listed(request: Mapping[str, Any], matches: Sequence[Mapping[str, Any]]) -> str:
    games = [_info(request, match) for match in matches]
    part, status = request.get("game_id"), request.get("status")
    return _answer(
        request,
        "data_games",
        data=[
            game
            for game in games
            if (part is None or str(part) in game["game_id"])
            and status in (None, game["status"])
            and request.get("map_name") in (None, MAP)
            and not request.get("for_omniscience")
        ],
    )


def _info(request: Mapping[str, Any], match: Mapping[str, Any]) -> dict[str, Json]:
    status = game_status(match["status"], match["paused"])
    times = (match["created_at"], match["started_at"], match["ended_at"])
    return {
        **_game_info(
            request,
            match["episode_id"],
            phase=COMPLETED if status == "completed" else match["turn"] or FORMING,
            latest=microseconds(max(at for at in times if at is not None)),
            created=microseconds(match["created_at"]),
        ),
        "map_name": MAP,
        "rules": [],
        "status": status,
        "n_players": len(POWERS),
        "n_controls": len(POWERS),
        "deadline": 0,
        "registration_password": False,
        "observer_level": ROLE,
        "controlled_powers": [],
    }


def _game_info(request: Mapping[str, Any], game_id: str, *, phase: str, latest: int, created: int) -> dict[str, Json]:
    return {
        "request_id": request["request_id"],
        "name": "data_game_info",
        "game_id": game_id,
        "phase": phase,
        "timestamp": latest,
        "timestamp_created": created,
    }


class _GameFollower:
    """A game that a client watches under a token."""

    def __init__(self, token: str, game_id: str) -> None:
        self.game = PackageGame(game_id)
        self._token = token
        self._game_id = game_id

    def take(self, event: PublicEvent) -> list[str]:
        return self.frames(self.game.take(event))

    def frames(self, notifications: Sequence[Notification]) -> list[str]:
        address = {"token": self._token, "game_id": self._game_id, "game_role": ROLE, "power_name": None}
        return [
            json.dumps({"notification_id": secrets.token_urlsafe(12), "name": item.name, **address, **item.fields})
            for item in notifications
        ]


def _watch(
    request: Mapping[str, Any],
    first: Callable[[_GameFollower], list[str]],
    again: Callable[[_GameFollower], str],
) -> ObserverRequest:
    """Return the request to watch a game; `first` gives the frames of a new follower, `again` the answer of one."""
    token, game_id = _text(request, "token"), _text(request, "game_id")

    def begin(events: Sequence[PublicEvent]) -> tuple[MatchObserver, list[str]]:
        follower = _GameFollower(token, game_id)
        for event in events:
            follower.game.take(event)
        return follower, first(follower)

    def answer_again(follower: MatchObserver) -> str:
        assert isinstance(follower, _GameFollower)
        return again(follower)

    return WatchMatch(token, game_id, begin, answer_again, lambda reason: _error(request, reason, "GameIdException"))


def _join_game(request: Mapping[str, Any]) -> ObserverRequest:
    if request.get("power_name") is not None:
        return Answer(_error(request, OBSERVE_ONLY, "GameObserverException"))
    return _watch(
        request,
        lambda follower: [_answer(request, "data_game", data=follower.game.data())],
        lambda _: _error(request, "game_id: this channel observes the game already", "GameJoinRoleException"),
    )


def _synchronize(request: Mapping[str, Any]) -> ObserverRequest:
    if request.get("game_role") != ROLE:
        return Answer(_error(request, OBSERVE_ONLY, "GameObserverException"))
    phase, time = _text(request, "phase"), request.get("timestamp")
    if not isinstance(time, int):
        raise _BadField("timestamp: must be a whole number of microseconds")

    def info(follower: _GameFollower) -> str:
        game = follower.game
        fields = _game_info(request, request["game_id"], phase=game.phase, latest=game.latest, created=game.created)
        return json.dumps(fields)

    return _watch(request, lambda follower: [*follower.frames(follower.game.since(phase, time)), info(follower)], info)


def _leave_game(request: Mapping[str, Any]) -> ObserverRequest:
    return LeaveMatch(_text(request, "token"), _text(request, "game_id"), _answer(request, "ok"))


def _log_out(request: Mapping[str, Any]) -> ObserverRequest:
    return LeaveMatch(_text(request, "token"), None, _answer(request, "ok"))


def _unknown_token(request: Mapping[str, Any]) -> ObserverRequest:
    """Return the request of a client that received a notification for a closed channel."""
    return LeaveMatch(_text(request, "token"), None, None)


_READERS: dict[str, Callable[[Mapping[str, Any]], ObserverRequest]] = {
    "sign_in": _sign_in,
    "list_games": _list_games,
    "join_game": _join_game,
    "synchronize": _synchronize,
    "leave_game": _leave_game,
    "logout": _log_out,
    "unknown_token": _unknown_token,
}
