"""Roles, tokens, tickets and rate limits."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from grandstand.server.auth import (
    OPERATOR,
    SPECTATOR,
    TICKET_SECONDS,
    TICKETS_KEPT,
    Auth,
    Grant,
    Unauthorized,
    digest,
    new_token,
)


def request(query: str = "", **headers: str) -> HTTPConnection:
    headers = {"host": "127.0.0.1:8000"} | headers
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "headers": raw, "query_string": query.encode(), "path": "/"})


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("host", "token", "mode"),
    [
        ("127.0.0.1", None, "open"),
        ("localhost", None, "open"),
        ("::1", None, "open"),
        ("0.0.0.0", None, "closed"),
        ("192.168.1.5", None, "closed"),
        ("0.0.0.0", digest("x"), "token"),
        ("127.0.0.1", digest("x"), "token"),
    ],
)
def test_the_mode_follows_address_and_token(host: str, token: str | None, mode: str) -> None:
    assert Auth(host, token).mode == mode


def test_an_open_server_makes_its_own_page_an_operator() -> None:
    auth = Auth("127.0.0.1", None)
    assert auth.grant(request()) == OPERATOR
    assert auth.grant(request(origin="http://127.0.0.1:8000")) == OPERATOR


@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"host": "evil.example:8000"}, {"origin": "http://127.0.0.1:9999"}]
)
def test_a_foreign_page_cannot_steer_an_open_server(headers: dict[str, str]) -> None:
    assert Auth("127.0.0.1", None).grant(request(**headers)) == SPECTATOR


def test_a_closed_server_has_no_operators() -> None:
    assert Auth("0.0.0.0", None).grant(request(host="example.org")) == SPECTATOR


def test_the_operator_token_opens_and_a_wrong_one_is_refused() -> None:
    auth = Auth("0.0.0.0", digest("let me in"))
    assert auth.grant(request(authorization="Bearer let me in")) == OPERATOR
    assert auth.grant(request()) == SPECTATOR
    with pytest.raises(Unauthorized, match="token"):
        auth.grant(request(authorization="Bearer let me out"))


def test_a_seat_token_plays_its_seat_of_its_match_and_after_the_end_looks_on() -> None:
    token = new_token()
    seats = {digest(token): Grant("seat", "FRANCE", "game-1")}
    auth = Auth("0.0.0.0", None, seats.get)
    grant = auth.grant(request(authorization=f"Bearer {token}"))
    assert grant.plays("game-1", "FRANCE")
    assert not grant.plays("game-1", "ITALY")
    assert not grant.plays("game-2", "FRANCE")
    seats[digest(token)] = Grant("seat", "FRANCE", "game-1", over=True)
    grant = auth.grant(request(authorization=f"Bearer {token}"))
    assert not grant.plays("game-1", "FRANCE")
    assert [grant.sees("game-1", seat) for seat in ("FRANCE", "ITALY")] == [True, False]
    seats.clear()
    with pytest.raises(Unauthorized):
        auth.grant(request(authorization=f"Bearer {token}"))


def test_no_flood_of_tickets_pushes_out_another_ones() -> None:
    auth = Auth("0.0.0.0", digest("x"))
    unused, seats = auth.ticket(OPERATOR), [Grant("seat", seat, "game-1") for seat in ("FRANCE", "ITALY")]
    own = auth.ticket(seats[1])
    with pytest.raises(PermissionError, match="without a ticket"):
        auth.ticket(SPECTATOR)
    first, *rest = [auth.ticket(seats[0]) for _ in range(TICKETS_KEPT + 1)]
    assert auth.grant(request(f"ticket={unused}")) == OPERATOR
    assert auth.grant(request(f"ticket={own}")) == seats[1]
    assert {auth.grant(request(f"ticket={ticket}")) for ticket in rest} == {seats[0]}
    with pytest.raises(Unauthorized, match="ticket"):
        auth.grant(request(f"ticket={first}"))


def test_no_token_is_kept_in_the_clear() -> None:
    auth = Auth("0.0.0.0", digest("operator canary"))
    ticket = auth.ticket(OPERATOR)
    kept = repr(vars(auth))
    assert ticket not in kept
    assert "operator canary" not in kept


def test_a_ticket_works_once_and_not_for_long() -> None:
    clock = Clock()
    auth = Auth("0.0.0.0", digest("x"), clock=clock)
    ticket = auth.ticket(OPERATOR)
    assert auth.grant(request(f"ticket={ticket}")) == OPERATOR
    with pytest.raises(Unauthorized, match="ticket"):
        auth.grant(request(f"ticket={ticket}"))
    late = auth.ticket(OPERATOR)
    clock.now += TICKET_SECONDS + 1
    with pytest.raises(Unauthorized, match="ticket"):
        auth.grant(request(f"ticket={late}"))
